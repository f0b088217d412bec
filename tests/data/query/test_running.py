"""Running a query's text over a topic: a new version each time the wording is new, and nothing is prepared again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import NotFoundError, QueryscapeError
from core.query.lexer import LONGEST
from core.query.parser import parse
from core.settings import ProjectionSettings
from core.text import publication_text
from core.types import Ids, Publication
from data.demo.publications import DemoTopic, build_demo
from data.explore.workspace import Workspace
from data.models.embedders import EMBEDDERS
from data.query.search import RANKED_CUT, answer
from data.store import VersionRow
from tests.core.query_oracle import holds
from tests.data.workspaces import (
    CORE,
    MODEL,
    TOPIC,
    FakeEmbedder,
    N,
    Version,
    fill,
    ids_of,
    publications,
    save_versions,
)
from tests.messages import refusal

TEA, NETS = ids_of(0, 20), ids_of(20, N)


@pytest.fixture(scope="module")
def demo() -> DemoTopic:
    return build_demo()[0]


def run(workspace: Workspace, text: str) -> tuple[VersionRow, Ids]:
    """The version, and what it retrieved as the store has it."""
    row = workspace.run_query(TOPIC, text)
    assert row in workspace.store.versions(TOPIC)
    return row, workspace.store.load_retrieved_ids(row.version.query_id)


def test_a_query_becomes_a_version_of_its_own(workspace: Workspace) -> None:
    before = workspace.store.versions(TOPIC)
    row, ids = run(workspace, "  tea OR\n leaves ")
    assert set(ids) == {p.publication_id for p in publications() if matches("tea OR leaves", p)}
    assert 0 < len(ids) < len(TEA)
    assert (row.version.label, row.version.number, row.version.origin) == ("v4", 4, "manual")
    assert row.version.text == "tea OR\n leaves"
    assert (row.n_retrieved, row.over_corpus) == (len(ids), True)
    assert workspace.store.versions(TOPIC) == (*before, row)
    evaluation = workspace.evaluate(TOPIC, "v4", regions=["cosine"])
    assert evaluation.n_retrieved == len(ids)
    assert set(evaluation.found_core_ids) == set(CORE) & set(ids)


def matches(text: str, p: Publication) -> bool:
    root = parse(text, "plain").root
    assert root is not None
    return bool(holds(root, {"title": [p.title], "abstract": [p.abstract or ""]}, "literal", str))


@pytest.mark.parametrize("text", ["tea", "tea NOT kettle", '"tea leaves"', "petri* OR places", "of", "word1*"])
def test_what_is_retrieved_is_what_matches_in_the_order_of_the_topic(workspace: Workspace, text: str) -> None:
    _, ids = run(workspace, text)
    known = {p.publication_id: p for p in publications()}
    expected = [i for i in workspace.store.topic_publication_ids(TOPIC) if matches(text, known[i])]
    assert list(ids) == expected


@pytest.mark.parametrize(("text", "expected"), [("zebra", ()), ("NOT zebra", ids_of(0, N)), ("of", ids_of(0, N))])
def test_nothing_and_everything(workspace: Workspace, text: str, expected: Ids) -> None:
    row, ids = run(workspace, text)
    assert (set(ids), row.n_retrieved) == (set(expected), len(expected))
    workspace.project(TOPIC, MODEL)
    seen = workspace.view(TOPIC, row.version.label, MODEL)
    evaluation, _ = workspace.evaluate_view(seen, workspace.evaluate(TOPIC, "baseline").settings)
    assert evaluation.n_retrieved == len(expected)
    assert run(workspace, text) == (row, ids)


def test_the_same_text_is_not_run_twice(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    first = workspace.run_query(TOPIC, "tea  AND\tleaves")
    for text in ("tea AND leaves", "tea  AND\tleaves", "\n tea AND leaves\n"):
        assert workspace.run_query(TOPIC, text) == first
    assert workspace.run_query(TOPIC, "tea AND Leaves") != first


def test_the_same_text_read_in_another_way_is_another_version(workspace: Workspace) -> None:
    literal = workspace.run_query(TOPIC, "leaf")
    stemmed = workspace.run_query(TOPIC, "leaf", semantics="stemmed")
    assert (literal.version.semantics, stemmed.version.semantics) == ("literal", "stemmed")
    assert literal.version.label != stemmed.version.label
    assert workspace.run_query(TOPIC, "leaf", semantics="stemmed") == stemmed
    assert workspace.run_query(TOPIC, "leaf", dialect="ovid").version.dialect == "ovid"


def test_a_question_is_ranked_and_cut(workspace: Workspace) -> None:
    text = "Which tea leaves are best in a kettle?"
    row, ids = run(workspace, text)
    assert 0 < len(ids) <= RANKED_CUT
    found = answer(workspace.corpora.of(TOPIC), parse(text), "literal")
    assert found.ranked
    assert found.ids == ids
    known = {p.publication_id: p for p in publications()}
    assert all(matches("tea OR leaves OR best OR kettle OR leaf OR kettles", known[i]) for i in ids)
    assert row.version.text == text


def test_what_asks_only_for_what_is_not_here_is_refused(workspace: Workspace) -> None:
    with refusal(QueryscapeError):
        workspace.run_query(TOPIC, "Trees[mesh] AND english[la]")


def test_a_text_that_came_with_a_list_from_elsewhere_is_run_here(workspace: Workspace) -> None:
    """The imported versions have the text "tea OR leaf", and a list that was not made here."""
    row, ids = run(workspace, "tea OR leaf")
    assert row.version.label == "v4"
    assert set(ids) == {p.publication_id for p in publications() if matches("tea OR leaf", p)}
    assert run(workspace, "tea OR leaf") == (row, ids)


def test_labels_are_never_taken_twice(workspace: Workspace) -> None:
    taken = [Version(label, number, ("p0",)) for label, number in (("v4", 2), ("v7", 6), ("v8", 1), ("V9", 1))]
    save_versions(workspace, *taken)
    texts = ("tea", "water", "kettle", "cup", "steep", "leaves")
    labels = [workspace.run_query(TOPIC, text).version.label for text in texts]
    rows = workspace.store.versions(TOPIC)
    every = [row.version.label for row in rows]
    assert len(set(every)) == len(every) == 3 + len(taken) + len(texts)
    assert set(labels) & {"v4", "v7", "v8", "V9"} == set()
    assert [row.version.label for row in rows][-len(labels) :] == labels
    assert all(label.removeprefix("v").isdigit() for label in labels)
    for row in (row for row in rows if row.version.label in ("v4", "v7", "v8", "V9")):
        assert workspace.store.load_retrieved_ids(row.version.query_id) == ("p0",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "query is empty"),
        (" \n ", "query is empty"),
        ("OR", "a term is missing"),
        ("*", "nothing to search"),
        ("x" * (LONGEST + 1), "100,001 characters; at most 100,000"),
        ("tea\ud800", "surrogate"),  # half a character, in no encoding
    ],
)
def test_what_is_refused_leaves_no_version(workspace: Workspace, text: str, message: str) -> None:
    before = workspace.store.versions(), workspace.store.topic_state(TOPIC)
    with pytest.raises(QueryscapeError, match=message):
        workspace.run_query(TOPIC, text)
    assert (workspace.store.versions(), workspace.store.topic_state(TOPIC)) == before
    assert workspace.run_query(TOPIC, "tea").version.label == "v4"


@pytest.mark.parametrize("text", ["x" * LONGEST, "tea\0leaf", "tea\u202e OR ☕x", "x'; DROP TABLE topics"])
def test_odd_texts_are_kept_as_they_are(workspace: Workspace, text: str) -> None:
    row, _ = run(workspace, text)
    assert row.version.text == text
    assert workspace.run_query(TOPIC, text) == row


def test_a_topic_that_is_not_there(workspace: Workspace, tmp_path: Path) -> None:
    with refusal(NotFoundError):
        workspace.run_query("tea brewin", "tea")
    with Workspace.open(tmp_path / "empty") as empty, refusal(NotFoundError):
        empty.run_query(TOPIC, "tea")


def test_a_topic_without_publications_has_nothing_to_retrieve(workspace: Workspace) -> None:
    with workspace.store.transaction():
        workspace.save_topic("bare", (), ())
    row = workspace.run_query("bare", "NOT tea")
    assert (row.version.label, row.n_retrieved) == ("v1", 0)


def test_nothing_is_prepared_again_after_a_query(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    embedder = FakeEmbedder()
    monkeypatch.setitem(EMBEDDERS, "fake", embedder.factory)
    fill(tmp_path, versions=[Version("first", 1, ids_of(0, 25))], models=())
    with Workspace.open(tmp_path) as workspace:
        with workspace.store.transaction():
            workspace.store.save_corpus(TOPIC, ids_of(5, N))
        workspace.embed(TOPIC, "fake")
        workspace.project(TOPIC, "fake", settings=ProjectionSettings(method="pca"))
        assert sorted(embedder.asked) == sorted({publication_text(p.title, p.abstract) for p in publications()})
        assert workspace.is_ready(TOPIC, "fake")
        state, n_asked = workspace.store.topic_state(TOPIC), len(embedder.asked)
        view_state = workspace.view_state(TOPIC, "first", "fake")
        row = workspace.run_query(TOPIC, "petri OR nets OR tea")
        assert set(workspace.store.load_retrieved_ids(row.version.query_id)) & set(ids_of(25, N))
        assert workspace.store.topic_state(TOPIC) == state
        assert workspace.is_ready(TOPIC, "fake")
        workspace.prepare(TOPIC, "fake")
        evaluation = workspace.evaluate(TOPIC, row.version.label, embedder="fake")
        assert (evaluation.n_unscorable, len(embedder.asked)) == (0, n_asked)
        assert workspace.view_state(TOPIC, "first", "fake") == view_state


def test_a_version_from_elsewhere_does_change_the_state(workspace: Workspace) -> None:
    state = workspace.store.topic_state(TOPIC)
    workspace.run_query(TOPIC, "tea")
    assert workspace.store.topic_state(TOPIC) == state
    save_versions(workspace, Version("more", 9, ("p1", "new")))
    assert workspace.store.topic_state(TOPIC) != state


@pytest.mark.slow
def test_the_texts_of_the_demo_give_what_the_demo_has(tmp_path: Path, demo: DemoTopic) -> None:
    with Workspace.open(tmp_path) as workspace:
        with workspace.store.transaction():
            workspace.store.save_publications(demo.publications)
            corpus_ids = tuple(p.publication_id for p in demo.publications)
            versions = [replace(v, text=f"{v.text} ") for v in demo.versions]
            workspace.save_topic(demo.topic_id, demo.core_ids, versions, made_up=True, corpus_ids=corpus_ids)
        for version in demo.versions:
            found = answer(workspace.corpora.of(demo.topic_id), parse(version.text), "literal")
            assert set(found.ids) == set(version.retrieved_ids)
            assert workspace.run_query(demo.topic_id, version.text).version.label == version.label


def test_a_copy_of_a_store_takes_queries_too_and_forgets_them(workspace: Workspace) -> None:
    """The page says that it is a copy; trying a query there harms nobody."""
    workspace.close()
    with Workspace.open(workspace.paths.root) as original:
        copy = Workspace(original.paths, type(original.store).open_copy(original.paths.store))
        with copy:
            assert copy.run_query(TOPIC, "tea").version.label == "v4"
        assert len(original.store.versions(TOPIC)) == 3
        assert isinstance(original.run_query(TOPIC, "nets"), VersionRow)
