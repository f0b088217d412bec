"""The view Sort without a browser: what it opens, what the browser is told, and how lists become versions."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.types import QueryVersion
from core.writer.sheets import Brief
from dashboard import cache
from dashboard.writer.sorting import PART, topic_in_words
from data.explore.workspace import Workspace
from data.writer.runs import BY_HAND, WriterRequest, WriterSession, find_writing
from data.writer.writing import write
from tests.dashboard.apps import APP, SECONDS, messages, ran, serving, told
from tests.data.workspaces import MODEL, TOPIC

WORDED = '("tea leaves" OR kettle) AND (water OR cup) NOT petri'


@pytest.fixture(scope="module")
def server(filled: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The workspace that the app of this file has open."""
    root = tmp_path_factory.mktemp("sort") / "ws"
    shutil.copytree(filled, root)
    with serving(root):
        yield root


@pytest.fixture(scope="module")
def workspace(server: Path) -> Workspace:
    return cache.workspace()


@pytest.fixture(scope="module")
def worded(workspace: Workspace) -> str:
    return workspace.run_query(TOPIC, WORDED).version.label


@pytest.fixture(scope="module")
def writing(workspace: Workspace) -> WriterSession:
    wanted = WriterRequest(TOPIC, Brief("Tea brewing"), embedder=MODEL)
    return write(workspace, wanted)


def open_sort(**link: str) -> AppTest:
    app = AppTest.from_file(str(APP), default_timeout=SECONDS)
    app.switch_page("about.py").run()
    app.switch_page("writer/page.py")
    for name, value in {"topic": TOPIC, "embedder": MODEL, "writer": "Sort", **link}.items():
        app.query_params[name] = value
    return ran(app)


def board(app: AppTest) -> dict[str, Any]:
    return told(app)[PART]


def ask(app: AppTest, kind: str, **more: Any) -> AppTest:
    """What the browser would send; the answer is there when it comes back."""
    before = board(app)
    asked = {"kind": kind, "seq": before["seq"] + 1, "bench": before["bench"], **more}
    app.session_state[PART] = {"ask": asked}
    return ran(app)


def words(app: AppTest) -> dict[str, list[str]]:
    return {each["id"]: [row["text"] for row in each["rows"]] for each in board(app)["lists"]}


def test_where_nothing_was_written_the_topics_name_is_sorted(workspace: Workspace) -> None:
    app = open_sort()
    assert board(app)["way"] == "name"
    assert next(way["id"] for way in board(app)["ways"]) == "name"
    assert board(app)["text"].casefold() == TOPIC.casefold()
    assert topic_in_words("Tea (made up)") == "Tea"
    ask(app, "add", to="specific", text="green tea")
    assert '"green tea"' in board(app)["text"]


def test_a_version_is_taken_apart_sorted_and_saved_as_another(workspace: Workspace, worded: str) -> None:
    app = open_sort(writer_apart=worded)
    assert words(app) == {
        "specific": [],
        "general": ["tea leaves", "kettle"],
        "overarching": ["water", "cup"],
        "excluded": ["petri"],
        "aside": [],
    }
    assert board(app)["saved"] == worded
    ask(app, "move", key="kettle", to="aside")
    ask(app, "save")
    row = workspace.version(TOPIC, board(app)["saved"])
    assert (row.version.origin, row.version.text) == ("manual", board(app)["text"])
    assert row.version.parent_id == workspace.version(TOPIC, worded).version.query_id
    assert row.n_retrieved == board(app)["scores"]["n_retrieved"]
    ask(app, "undo")
    assert board(app)["saved"] == worded
    assert not board(app)["is_changed"]


@pytest.mark.parametrize("changed", [False, True])
def test_a_version_that_was_never_run_is_taken_apart_and_run(workspace: Workspace, changed: bool) -> None:
    label = "published, changed" if changed else "published"
    text = "kettle OR (steam AND leaves)" if changed else "kettle OR (petri AND leaves)"
    with workspace.store.transaction():
        version = QueryVersion(f"never run {label}", TOPIC, label, 900 + changed, text, "generated")
        workspace.store.save_version(version, None, over_corpus=True)
    app = open_sort(writer_apart=label)
    assert words(app)["specific"] == ["kettle"]
    assert board(app)["saved"] is None
    if changed:
        ask(app, "move", key="kettle", to="aside")
    ask(app, "save")
    row = workspace.version(TOPIC, board(app)["saved"])
    assert row.version.origin == ("manual" if changed else "generated")
    assert row.n_retrieved == board(app)["scores"]["n_retrieved"]
    assert row.version.parent_id == f"never run {label}"


def test_what_was_asked_of_one_board_is_not_done_to_another(workspace: Workspace, worded: str) -> None:
    app = open_sort(writer_apart=worded)
    before = board(app)
    app.session_state[PART] = {
        "ask": {"kind": "delete", "key": "kettle", "seq": before["seq"] + 1, "bench": f"name:{TOPIC}"}
    }
    app.run()
    assert board(app)["lists"] == before["lists"]
    ask(app, "open", way="name")
    assert board(app)["way"] == "name"
    ask(app, "open", way="version:gone")
    assert "gone" in messages(app)


def test_a_question_in_plain_words_has_no_lists(workspace: Workspace) -> None:
    label = workspace.run_query(TOPIC, "Which tea leaves are best for a small kettle?").version.label
    app = open_sort(writer_apart=label)
    assert "plain-language question" in messages(app)
    assert board(app)["kind"] != "version"


def test_without_a_string_nothing_is_saved(workspace: Workspace, worded: str) -> None:
    app = open_sort(writer_apart=worded)
    for key in ("water", "cup"):
        ask(app, "delete", key=key)
    n = len(workspace.store.versions(TOPIC))
    ask(app, "save")
    assert "no search string" in board(app)["message"]["text"]
    assert len(workspace.store.versions(TOPIC)) == n


def test_a_candidate_is_saved_as_generated_and_a_changed_one_as_a_step_by_hand(
    workspace: Workspace, writing: WriterSession
) -> None:
    step = next(s for s in writing.steps if s.text and s.number)
    app = open_sort(writing=writing.writing_id, writer_step=str(step.number))
    sides = board(app)["scores"]["sides"]
    assert board(app)["way"] == f"step:{step.number}"
    assert sides["used"]["n_core"] == len(writing.split.used)
    assert sides["used"]["f_beta"] == pytest.approx(step.judged.used.f_beta)
    ask(app, "save")
    assert workspace.version(TOPIC, board(app)["saved"]).version.origin == "generated"
    ask(app, "add", to="specific", text="oolong; samovar; kettle; cup; water")
    ask(app, "save")
    row = workspace.version(TOPIC, board(app)["saved"])
    assert row.version.origin == "manual"
    by_hand = find_writing(workspace.store, writing.writing_id).steps[-1]
    assert (by_hand.made_by, by_hand.parent, by_hand.label) == (BY_HAND, step.number, row.version.label)
    assert f"step:{by_hand.number}" in [way["id"] for way in board(app)["ways"]]
    ask(app, "save")  # as a second click does
    assert find_writing(workspace.store, writing.writing_id).steps[-1].number == by_hand.number


def test_the_best_of_a_writing_is_opened_and_a_link_of_another_step_is_followed(
    workspace: Workspace, writing: WriterSession
) -> None:
    best = find_writing(workspace.store, writing.writing_id).best  # a step by hand was added since
    assert best is not None
    assert board(open_sort(writing=writing.writing_id))["way"] == f"step:{best.number}"
    app = open_sort(writing=writing.writing_id, writer_step="0")
    assert board(app)["title"] == "The topic's name"
    ask(app, "open", way=f"step:{best.number}")
    assert app.query_params["writer_step"] in (str(best.number), [str(best.number)])
