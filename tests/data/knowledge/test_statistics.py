"""A knowledge base counted against a plain loop; query sets out of the store; which of their words are relational."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.collections import Collection, Document, Judgment, Query
from core.errors import FormatError, InputError, NotFoundError
from core.knowledge.entities import Mention
from core.knowledge.statistics import WordKinds, average_degree
from core.knowledge.templates import Leg, Requirement, Template, TemplateStep
from core.text import words
from data.collections import save_collection
from data.explore.workspace import Workspace
from data.knowledge import statistics
from data.knowledge.base import KnowledgeBase
from data.knowledge.statistics import (
    QueryWords,
    base_row,
    base_statistics,
    compare_chosen,
    known_query_words,
    known_statistics,
    query_words,
    reference_documents,
    reference_file,
    reference_text,
    word_counts,
)
from data.knowledge.templates import delete_template, save_template
from data.retrieval.collections import load_queries
from tests.data.knowledge_bases import base_of, parts_of
from tests.data.notes import assert_notes
from tests.messages import refusal

AUTHOR, WRITES, CITES, AT = (
    "author",
    "author___writes___paper",
    "paper___cites___paper",
    "author___affiliated_with___institution",
)
ENTITIES = {
    "p1": ("paper", "Trees and heat", "On shade, naïvely."),
    "p2": ("paper", "Night work", "Nurses (2019) and meta-models"),
    "p3": ("paper", "Ageing cells", "  "),
    "ito": ("author", "Ito Kenji"),
    "roy": ("author", "Roy Anders"),
    "uni": ("institution", "University of Elm"),
    "field": ("field_of_study", "Urban climate"),
}
RELATIONS = [
    *(("ito", WRITES, "p1"), ("ito", WRITES, "p2"), ("roy", WRITES, "p2")),
    *(("p1", CITES, "p2"), ("p2", CITES, "p2"), ("ito", AT, "uni")),
    ("p1", "paper___has_topic___field_of_study", "field"),
]


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with Workspace.open(tmp_path / "ws") as opened:
        yield opened


@pytest.fixture
def base(tmp_path: Path) -> KnowledgeBase:
    return base_of(tmp_path / "bases", parts_of(ENTITIES, RELATIONS, answer_types=("paper",), templates="mag"))


def a_collection(name: str = "asked") -> Collection:
    labels = Requirement("mag-institution", {"institution": ("uni",)}).labels
    return Collection(
        name,
        tuple(Document(f"d{n}", "", f"tea {n}") for n in range(7)),
        (
            Query("1", "Papers on shade by the University of Elm", labels),
            Query("2", "which papers did Ito Kenji write"),
            Query("3", "nothing that is here"),
        ),
        (Judgment("1", "d1", 1), Judgment("1", "d2", 0), Judgment("2", "d1", -1)),
        {"test-0.1": ("3",), "human_generated_eval": ("1", "2")},
    )


def test_degrees_are_those_of_a_plain_count(base: KnowledgeBase, workspace: Workspace) -> None:
    found = base_statistics(base, workspace.store)
    degrees = Counter(end for source, _, target in RELATIONS for end in (source, target))
    for kind in found.types:
        own = [degrees[name] for name, entity in ENTITIES.items() if entity[0] == kind.name]
        assert kind.degrees is not None
        assert (kind.n, kind.degrees.total, kind.degrees.most) == (len(own), sum(own), max(own))
        assert sum(bin.n for bin in kind.degree_bins) == len(own)
        hubs = [(base.entities([hub.row])[0].entity_id, hub.degree) for hub in kind.hubs]
        wanted = [(name, degrees[name]) for name, entity in ENTITIES.items() if entity[0] == kind.name]
        assert hubs == sorted((each for each in wanted if each[1]), key=lambda each: -each[1])
    # p2: written twice, cited by p1, and by itself, which has both of its ends here.
    assert degrees["p2"] == 5
    totals = sum(kind.degrees.total for kind in found.types if kind.degrees)
    assert totals / len(ENTITIES) == average_degree(len(ENTITIES), len(RELATIONS)) == 2.0


def test_words_and_texts_by_type(base: KnowledgeBase, workspace: Workspace) -> None:
    found = {kind.name: kind for kind in base_statistics(base, workspace.store).types}
    for name, kind in found.items():
        own = [len(words(" ".join(entity[1:]))) for entity in ENTITIES.values() if entity[0] == name]
        assert kind.words is not None
        assert (kind.words.total, kind.words.least, kind.words.most) == (sum(own), min(own), max(own))
    assert found["paper"].text_share == pytest.approx(2 / 3)  # that of p3 is blank
    assert found["author"].text_share == 0


def test_what_was_counted_is_remembered_for_as_long_as_the_base_is_the_same(
    base: KnowledgeBase, workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert known_statistics(base, workspace.store) is None
    assert base_row(base, None).n_tokens is None
    stages: list[tuple[str, int, int]] = []

    def on_stage(stage: str) -> object:
        return lambda done, total: stages.append((stage, done, total))

    monkeypatch.setattr(statistics, "BASE_AT_ONCE", 3)
    found = base_statistics(base, workspace.store, on_stage)  # type: ignore[arg-type]
    assert ("counting words", 7, 7) in stages
    assert {stage for stage, _, _ in stages} == {"counting relations", "counting words"}
    stages.clear()
    assert base_statistics(base, workspace.store, on_stage) == found == known_statistics(base, workspace.store)  # type: ignore[arg-type]
    assert stages == []
    row = base_row(base, found)
    assert (row.n_entity_types, row.n_relation_types, row.n_entities, row.n_relations) == (4, 4, 7, 7)
    assert row.n_tokens == found.n_words == sum(len(words(" ".join(entity[1:]))) for entity in ENTITIES.values())
    other = base_of(tmp_path / "bases", parts_of({"a": ("paper", "A")}, []), name="other")
    assert known_statistics(other, workspace.store) is None
    alone = base_statistics(other, workspace.store)
    assert [kind.degrees.most for kind in alone.types if kind.degrees] == [0]
    assert alone.types[0].hubs == ()


@given(st.lists(st.text(alphabet="aB1 -'_\n\té½ß\u0301日", max_size=12), max_size=6))
def test_words_are_counted_as_they_are_cut(texts: list[str]) -> None:
    assert word_counts(texts).tolist() == [len(words(text)) for text in texts]


def test_queries_come_without_documents_and_by_their_parts(workspace: Workspace) -> None:
    save_collection(workspace.store, a_collection(), origin="made up")
    found = load_queries(workspace, "asked")
    assert found.whole.queries == a_collection().queries
    assert found.whole.n_answers == {"1": 1, "2": 0}
    assert found.part("test-0.1").name == "asked, 10 % sample of test"
    human = found.part("human_generated_eval")
    assert (human.name, [query.query_id for query in human.queries], found.places("test-0.1")) == (
        "asked, human",
        ["1", "2"],
        (2,),
    )
    with refusal(InputError):
        found.part("dev")
    with pytest.raises(NotFoundError):
        load_queries(workspace, "unknown")


def test_a_reference_is_a_text_in_sentences(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    assert reference_text("One. Two three!\nFour", "mine").wording.lengths.tolist() == [1, 2, 1]
    assert reference_text("?", "mine").wording.n_words == 0
    assert reference_file("Straße und Café".encode("cp1252"), "a.txt").wording.n_words == 3
    with pytest.raises(FormatError, match="a PDF"):
        reference_file(b"%PDF-1.4", "a.pdf")
    with pytest.raises(FormatError):
        reference_file(b"PK\x03\x04 xl/", "a.xlsx")
    monkeypatch.setattr(statistics, "MOST_REFERENCE", 3)
    with pytest.raises(InputError, match="4 characters"):
        reference_text("four", "mine")


def test_of_very_many_documents_some_are_drawn(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    save_collection(workspace.store, a_collection(), origin="made up")
    whole = reference_documents(workspace.store, "asked")
    assert (whole.wording.n_words, whole.wording.n_types, whole.note) == (14, 8, "")
    monkeypatch.setattr(statistics, "MOST_DOCUMENTS", 3)
    some = reference_documents(workspace.store, "asked")
    assert (some.wording.n_words, some.wording.n_types) == (6, 4)
    assert some.note == "3 of its 7 documents, drawn with seed 0"
    assert reference_documents(workspace.store, "asked").wording.types.tolist() == some.wording.types.tolist()


def test_relational_words_by_labels_by_proposal_and_by_names(base: KnowledgeBase, workspace: Workspace) -> None:
    queries = a_collection().queries
    assert known_query_words(base, workspace.store, queries) is None
    found = query_words(base, workspace.store, queries)
    # 1: University, Elm are relational by the requirement; papers, shade are textual; on, by, the, of stop words.
    assert found.of([0]) == WordKinds(2, 2, 4)
    assert [found.n_by(basis, [0, 1, 2]) for basis in ("labels", "mentions")] == [1, 1]
    assert found.n_by("proposed", [1]) == 1
    assert found.of([1]).n_relational >= 2  # Ito Kenji, and perhaps words that speak for the template
    assert found.of([2]).n_relational == 0
    again = known_query_words(base, workspace.store, queries)
    assert again is not None
    assert np.array_equal(again.counts, found.counts)
    assert known_query_words(base, workspace.store, queries[:2]) is None
    turned = Template(
        "turned", (Leg((TemplateStep((AT,), "author", "back"),), "institution", "where"),), "Who is at {where}?"
    )
    save_template(workspace.store, base, turned)
    query_words(base, workspace.store, queries)
    delete_template(workspace.store, base.about.name, "turned")
    save_template(workspace.store, base, replace(turned, question="Who works at {where}?"))
    assert known_query_words(base, workspace.store, queries) is None
    assert len(query_words(base, workspace.store, ())) == 0


def test_what_was_stopped_goes_on_where_it_was(
    base: KnowledgeBase, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(statistics, "QUERY_WORDS_AT_ONCE", 2)
    queries = (*a_collection().queries, Query("4", "shade"), Query("5", "trees"))
    asked: list[str] = []

    def find(base: KnowledgeBase, text: str) -> tuple[Mention, ...]:
        asked.append(text)
        if len(asked) == 4:
            raise InputError("stop")
        return ()

    monkeypatch.setattr(statistics, "find_mentions", find)
    with pytest.raises(InputError, match="stop"):
        query_words(base, workspace.store, queries)
    assert known_query_words(base, workspace.store, queries) is None
    found = query_words(base, workspace.store, queries)
    # The first names what it requires, so nothing is looked for; two parts were kept, and the fifth is asked again.
    assert asked == [query.text for query in (*queries[1:5], queries[4])]
    assert len(found) == 5


def test_a_requirement_of_another_base_is_not_taken_from_the_labels(base: KnowledgeBase, workspace: Workspace) -> None:
    elsewhere = Requirement("mag-institution", {"institution": ("not here",)}).labels
    found = query_words(base, workspace.store, (Query("1", "shade from the University of Elm", elsewhere),))
    assert found.n_by("labels", [0]) == 0


def test_sets_side_by_side_say_what_is_not_known_yet(workspace: Workspace) -> None:
    save_collection(workspace.store, a_collection(), origin="made up")
    loaded = {"asked": load_queries(workspace, "asked")}
    chosen = [("asked", None), ("asked", "human_generated_eval")]
    waiting = compare_chosen(loaded, chosen, words={"asked": None})
    assert waiting.untold == ("asked",)
    assert "not classified" in waiting.statistics[1].values["relational_share"].reason
    nobody = compare_chosen(loaded, chosen, words={})
    assert (nobody.untold, nobody.told_words("asked")) == ((), "")
    assert "a knowledge base" in nobody.statistics[0].values["relational_share"].reason
    known = QueryWords(np.array([[1, 3, 4], [2, 2, 0], [0, 4, 0]]), np.array([0, 1, 1]))
    told = compare_chosen(loaded, chosen, words={"asked": known}, reference=reference_text("a b", "r"))
    assert [one.name for one in told.statistics] == ["asked", "asked, human", "r"]
    assert told.statistics[0].value("relational_share") == 3 / 12
    assert told.statistics[1].value("relational_share") == 3 / 8
    assert_notes(told.told_words("asked").split("; "), ("1 query", "stated requirement"), ("2 queries guessed",))
