"""A collection by its name, a topic as a collection, or a folder."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from core.collections import Judgment, Oddity, Query, check
from core.errors import NotFoundError
from data.collections import run_key, save_collection
from data.explore.workspace import Workspace
from data.retrieval.collections import open_collection, topic_collection
from tests.data.benchmarks import SOUP, same_collection
from tests.data.workspaces import CORE, TOPIC, Version, ids_of
from tests.messages import refusal


def write_folder(root: Path) -> Path:
    """Three files as BEIR has them, and one broken line."""
    (root / "qrels").mkdir(parents=True)
    (root / "corpus.jsonl").write_text(
        "".join(json.dumps({"_id": d.doc_id, "title": d.title, "text": d.text}) + "\n" for d in SOUP.documents)
        + "{broken\n",
        "utf-8",
    )
    (root / "queries.jsonl").write_text('{"_id": "q1", "text": "leek soup"}\n{"_id": "q2", "text": "bones"}\n', "utf-8")
    (root / "qrels/test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t2\nq2\td9\t1\n", "utf-8")
    return root


def test_a_stored_one_with_what_was_said_when_it_came(workspace: Workspace) -> None:
    oddity = Oddity("numbering", "Odd.", 3, ("a", "b"), "mend it")
    save_collection(workspace.store, SOUP, origin="", notes=["a note"], oddities=[oddity, replace(oddity, fix=None)])
    found = open_collection(workspace, " soup ")
    assert same_collection(found.collection, SOUP)
    assert (found.oddities, found.notes) == ((oddity, replace(oddity, fix=None)), ("a note",))
    assert (found.key, found.stored) == (run_key(SOUP), True)


def test_a_folder_is_read_and_checked(workspace: Workspace, tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "soups")
    found = open_collection(workspace, str(folder))
    assert [document.doc_id for document in found.collection.documents] == ["d2", "d1", "d3"]
    assert found.oddities == check(found.collection)
    assert "documents_missing" in {oddity.kind for oddity in found.oddities}
    assert not found.stored
    assert found.key == run_key(found.collection)


def test_a_name_comes_before_a_folder_of_that_name(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_folder(tmp_path / "soup")
    save_collection(workspace.store, SOUP, origin="")
    assert open_collection(workspace, "soup").stored
    assert not open_collection(workspace, f".{os.sep}soup").stored


def test_a_topic_as_a_collection(workspace: Workspace) -> None:
    found = open_collection(workspace, f"topic:{TOPIC}")
    searchable = workspace.store.searchable_ids(TOPIC)
    texts = {p.publication_id: p for p in workspace.publications(searchable)}
    collection = found.collection
    assert collection.name == f"topic:{TOPIC}"
    assert collection.doc_ids == searchable
    assert all(d.title == texts[d.doc_id].title and d.text == texts[d.doc_id].abstract for d in collection.documents)
    assert [(q.query_id, q.text, q.labels) for q in collection.queries] == [
        ("baseline", "tea OR leaf", (("origin", "baseline"),)),
        ("predicted", "tea OR leaf", (("origin", "generated"),)),
        ("review", "tea OR leaf", (("origin", "review"),)),
    ]
    assert set(collection.judgments) == {Judgment(q, i, 1) for q in collection.query_ids for i in CORE}
    assert not found.stored
    assert "a lower bound" in found.notes[0]
    assert same_collection(topic_collection(workspace, TOPIC), collection)


def test_the_hidden_truth_of_a_topic_is_not_used_and_an_empty_text_is_no_query(workspace: Workspace) -> None:
    with workspace.store.transaction():
        versions = [Version("told", 1, ids_of(0, 4)), Version("untold", 2, ids_of(0, 3), text=" ")]
        workspace.save_topic("made up", CORE[:2], versions, made_up=True, relevant_ids=ids_of(0, 9))
        workspace.save_topic("no core", (), [Version("told", 1, ids_of(0, 4))])
    collection = topic_collection(workspace, "made up")
    bare = topic_collection(workspace, "no core")
    assert collection.made_up
    assert collection.queries == (Query("told", "tea OR leaf", (("origin", "manual"),)),)
    assert {(j.query_id, j.doc_id) for j in collection.judgments} == {("told", "p0"), ("told", "p1")}
    assert (bare.judgments, len(bare.documents), bare.made_up) == ((), 4, False)


@pytest.mark.parametrize("name", ["stew", "", "  ", "no/such/folder", "x" * 5000, "a\0b", "~nobody/x", "'; --"])
def test_what_is_not_there(workspace: Workspace, name: str) -> None:
    with refusal(NotFoundError):
        open_collection(workspace, name)
    save_collection(workspace.store, SOUP, origin="")
    with pytest.raises(NotFoundError, match="available: soup") as unknown:
        open_collection(workspace, name)
    assert str(unknown.value).isprintable()
    assert len(str(unknown.value)) < 400


def test_a_topic_that_is_not_there(workspace: Workspace) -> None:
    with refusal(NotFoundError):
        open_collection(workspace, "topic: Soup")
