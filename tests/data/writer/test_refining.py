"""Refining: one change after the other, each a version made from the one before, until nothing helps."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest

from core.errors import InputError, NotFoundError, ServiceError
from core.writer.sheets import Keyword, Sheet, WriterBudget
from data.explore.workspace import Workspace
from data.writer.runs import WriterSession, find_writing, keep_step
from data.writer.steps import step_of
from data.writer.writing import desk_of, refine
from tests.data.workspaces import TOPIC
from tests.data.writer.fake_writer import ASKED, DAY, FakeWriter, proposes, said, wanted, written
from tests.messages import refusal


def begun(workspace: Workspace, *keywords: str, **budget: object) -> tuple[WriterSession, int]:
    """A writing with a step by hand that leaves room to improve."""
    writing = written(workspace, wanted(budget=WriterBudget(**budget)))  # type: ignore[arg-type]
    sheet = Sheet(specific=tuple(Keyword(k) for k in keywords or ("nets", "kettle")))
    step = step_of(desk_of(workspace, writing), sheet, parent=0, made_by="by hand")
    return writing, keep_step(workspace.store, writing.writing_id, step).number


def refined(workspace: Workspace, writing: WriterSession, number: int, **how: object) -> WriterSession:
    return refine(workspace, writing.writing_id, number, clock=lambda: DAY, **how)  # type: ignore[arg-type]


def test_every_change_is_a_step_and_a_version_made_from_the_one_before(workspace: Workspace) -> None:
    writing, number = begun(workspace)
    after = refined(workspace, writing, number)
    chain = after.steps[number:]
    assert len(chain) > 1
    assert [step.parent for step in chain[1:]] == [step.number for step in chain[:-1]]
    rows = {row.version.label: row.version for row in workspace.store.versions(TOPIC)}
    made = [rows[step.label or ""] for step in chain]
    assert [version.parent_id for version in made[1:]] == [version.query_id for version in made[:-1]]
    assert [version.text for version in made] == [step.text for step in chain]
    assert [version.origin for version in made] == ["manual"] + ["generated"] * (len(made) - 1)
    for before, step in pairwise(chain):
        assert (step.judged.used.f_beta or 0) >= (before.judged.used.f_beta or 0) + 0.005
        assert step.predicted is not None
        assert step.round is not None
        assert step.made_by.startswith(("adding", "removing", "moving"))
        assert step.notes


def test_it_says_why_it_ended_and_is_done_as_before(workspace: Workspace) -> None:
    writing, number = begun(workspace)
    after = refined(workspace, writing, number)
    assert after.notes[-1].startswith(f"Refining step {number} ended after ")
    assert "1 round: no change" in after.notes[-1]
    assert (after.state, after.problem) == ("done", None)


@pytest.mark.slow
def test_refining_the_last_step_again_changes_nothing(workspace: Workspace) -> None:
    writing, number = begun(workspace)
    first = refined(workspace, writing, number)
    assert refined(workspace, writing, number).steps == first.steps
    last = refined(workspace, writing, first.steps[-1].number)
    assert last.steps == first.steps
    assert "ended after 0 rounds" in last.notes[-1]


@pytest.mark.parametrize(
    ("most", "sentence"), [(0, "allows none"), pytest.param(1, "allows no more", marks=pytest.mark.slow)]
)
def test_the_budget_bounds_the_rounds(workspace: Workspace, most: int, sentence: str) -> None:
    writing, number = begun(workspace)
    after = refined(workspace, writing, number, budget=WriterBudget(most_rounds=most))
    assert {step.round for step in after.steps[number + 1 :]} == set(range(1, most + 1))
    assert sentence in after.notes[-1]


def test_a_string_that_is_too_large_is_made_smaller_first(workspace: Workspace) -> None:
    writing, number = begun(workspace, "tea", "cup", "steep", most_publications=9)
    after = refined(workspace, writing, number)
    sizes = [step.judged.n_retrieved for step in after.steps[number:]]
    assert sizes[0] > 9
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] <= 9


def test_whoever_proposed_is_asked_for_changes_and_each_round_once(workspace: Workspace) -> None:
    def script(user: str, n_before: int) -> object:
        if "[search string" not in user:
            return proposes("nets", "model")
        add = [{"keyword": "tea leaves", "reason": "Missed ones say it.", "list": "specific"}]
        return said(json.dumps({"add": add, "remove": [{"keyword": "nets", "reason": "Not about tea."}]}))

    model = FakeWriter(script)  # type: ignore[arg-type]
    writing = written(workspace, wanted(ASKED), model)
    candidate = next(step for step in writing.steps if step.model == "m")
    after = refined(workspace, writing, candidate.number, models={"m": model})
    calls = [call for call in after.calls if call.purpose == "refine"]
    assert calls
    assert len({call.question for call in calls}) == len(calls)
    assert calls[0].reading == "nearest:missed"
    assert [each.keyword.text for each in calls[0].proposals] == ["tea leaves"]


def test_a_service_that_is_dead_is_told_and_the_corpus_is_asked_all_the_same(workspace: Workspace) -> None:
    script = lambda user, n: ServiceError("it is down") if "[search string" in user else proposes("nets")  # noqa: E731
    model = FakeWriter(script)
    writing = written(workspace, wanted(ASKED), model)
    number = next(step.number for step in writing.steps if step.model == "m")
    after = refined(workspace, writing, number, models={"m": model})
    assert "it is down" in after.notes[-1]
    assert after.state == "done"


def test_what_can_not_be_refined_is_said(workspace: Workspace) -> None:
    writing, _ = begun(workspace)
    with refusal(NotFoundError):
        refined(workspace, writing, 99)
    with pytest.raises(NotFoundError, match="no session"):
        refine(workspace, "nothing", 0)
    empty = step_of(desk_of(workspace, writing), Sheet(general=(Keyword("tea"),)), parent=0, made_by="by hand")
    number = keep_step(workspace.store, writing.writing_id, empty).number
    with refusal(InputError):
        refined(workspace, writing, number)
    assert find_writing(workspace.store, writing.writing_id).state == "done"
