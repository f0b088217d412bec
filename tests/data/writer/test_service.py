"""Models behind a service: what is sent, what is kept, and that the key is in none of it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from core.errors import InputError
from data.explore.workspace import Workspace
from data.http.client import Patience
from data.writer import proposals
from data.writer.runs import Recipe, WriterSession, list_writings
from data.writer.writing import refine, resume, write
from tests.data.judge_server import PLAYS, JudgeServer, Reply, Request, completion, judge_server
from tests.data.services import KEY, no_key_in
from tests.data.writer.fake_writer import DAY, wanted


def slow(*plays: str) -> list[Any]:
    """They take the way of the others, through another answer."""
    return [pytest.param(play, marks=pytest.mark.slow) for play in plays]


@pytest.fixture(autouse=True)
def patience(key: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proposals, "JUDGE_PATIENCE", Patience(n_attempts=2, timeout=10.0, sleep=lambda seconds: None))


def lists(request: Request) -> Reply:
    """Keywords in the form that was asked for, and the key beside them as one more."""
    if '"add"' in request.system:
        rows = [{"keyword": "tea leaves", "reason": "It is missed.", "list": "specific"}]
        return completion(json.dumps({"add": rows, "remove": []}))
    rows = [{"keyword": k, "reason": f"Because of {KEY}.", "list": "specific"} for k in ("tea", "steep", KEY)]
    return completion(json.dumps({"keywords": rows}))


def by(server: JudgeServer, workspace: Workspace) -> WriterSession:
    return write(workspace, wanted(Recipe("m", base_url=server.url)), clock=lambda: DAY)


def kept(workspace: Workspace) -> str:
    """All that the store holds of writings and answers."""
    tables = ("writings", "writer_calls", "writer_steps", "remembered", "query_versions")
    return repr([workspace.store.rows(f"SELECT * FROM {table}") for table in tables])


def test_each_reading_is_one_question_and_the_key_is_kept_nowhere(workspace: Workspace) -> None:
    with judge_server(lists) as server:
        writing = by(server, workspace)
        number = next(step.number for step in writing.steps if step.model == "m")
        refine(workspace, writing.writing_id, number, clock=lambda: DAY)
    assert writing.state == "done"
    assert {call.status for call in writing.calls} == {"ok"}
    assert [call.n_prompt_tokens for call in writing.calls] == [400] * len(writing.calls)
    assert {request.authorization for request in server.asked} == {f"Bearer {KEY}"}
    assert server.n_questions == len(server.asked) > len(writing.calls)
    no_key_in(None, kept(workspace), repr(writing))


@pytest.mark.parametrize("play", ["wrong key", *slow("no quota", "no such model")])
def test_what_ends_everything_ends_the_asking_and_a_mended_service_goes_on(workspace: Workspace, play: str) -> None:
    is_mended = False
    with judge_server(lambda request: lists(request) if is_mended else PLAYS[play](request)) as server:
        writing = by(server, workspace)
        n_failed = len(server.asked)
        assert (writing.state, [step.made_by for step in writing.steps][1:]) == ("stopped", ["corpus statistics"])
        assert {call.status for call in writing.calls} == {"failed"}
        no_key_in(None, kept(workspace), writing.problem or "")
        is_mended = True
        again = resume(workspace, writing.writing_id, clock=lambda: DAY)
    assert again.state == "done"
    assert "m (moderate)" in {step.made_by for step in again.steps}
    assert len(server.asked) - n_failed == sum(call.status == "ok" for call in again.calls)


@pytest.mark.parametrize("play", ["prose", "refusal", *slow("empty", "filtered", "html", "truncated")])
def test_a_service_that_gives_nothing_leaves_the_statistics(workspace: Workspace, play: str) -> None:
    with judge_server(lambda request: PLAYS[play](request)) as server:
        writing = by(server, workspace)
    assert [step.made_by for step in writing.steps] == ["the topic's name", "corpus statistics"]
    assert {call.status for call in writing.calls} <= {"not read", "refused", "failed"}
    assert all(call.problem for call in writing.calls)


@pytest.mark.parametrize("address", ["http://me:secret@127.0.0.1:9/v1", "http://127.0.0.1:9/v1?key=secret"])
def test_an_address_that_holds_a_secret_is_refused_and_not_kept(workspace: Workspace, address: str) -> None:
    with pytest.raises(InputError) as e:
        write(workspace, wanted(Recipe("m", base_url=address)))
    assert "secret" not in str(e.value)
    assert list_writings(workspace.store) == ()
