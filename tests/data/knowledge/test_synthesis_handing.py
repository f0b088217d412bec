"""What was made becomes a collection, and question files in STaRK's layout that read back as they were."""

from __future__ import annotations

import io
import json
from pathlib import Path
from zipfile import ZipFile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.collections import Collection, Document, Judgment, Query
from core.errors import InputError
from core.knowledge.synthesis import RequirementSample, SynthesisOutcome, SynthesisSettings, SynthesizedQuery
from core.knowledge.templates import requirement_of
from data.collections import load_collection
from data.demo.knowledge import build_demo_knowledge
from data.demo.loading import build_demo_relations
from data.importers.collection_files import read_collection
from data.knowledge.demo_writer import ENOUGH, DemoWriter
from data.knowledge.synthesis_runs import (
    as_collection,
    notes_of,
    save_made,
    split,
    stark_files,
    stark_zip,
    write_stark,
)
from data.store import Store
from tests.data.knowledge_bases import base_of, parts_of
from tests.data.notes import assert_notes, is_noted
from tests.messages import refusal

DOCUMENTS = tuple(Document(f"p{n}", f"Title {n}", "Text") for n in range(4))


def made(
    item: int, *accepted: str, state: str = "complete", query: str = "Papers by Ito on shade?"
) -> SynthesizedQuery:
    sampled = RequirementSample(
        item, "by", {"author": ("a1",)}, {"author": "Ito"}, "", "p0", "Title 0", ("p1",), 2, "researcher"
    )
    verdicts = {"p0": {"demo": "yes" if "p0" in accepted else "no"}}
    return SynthesizedQuery(sampled, SynthesisOutcome(state, "", ("shade",), query, verdicts, accepted))  # type: ignore[arg-type]


# Collections


def test_accepted_answers_are_judgments_and_labels_say_the_requirement() -> None:
    all_of_them = [made(0, "p0", "p2"), made(1, "p1", state="gold refused"), made(2, state="failed"), made(5, "p0")]
    collection = as_collection(DOCUMENTS, all_of_them, "mine")
    assert collection.query_ids == ("0", "5")
    assert collection.judgments == (Judgment("0", "p0", 1), Judgment("0", "p2", 1), Judgment("5", "p0", 1))
    requirement = requirement_of(collection.queries[0])
    assert requirement is not None
    assert (requirement.template_id, requirement.given) == ("by", {"author": ("a1",)})
    assert dict(collection.queries[0].labels)["role"] == "researcher"
    refused = as_collection(DOCUMENTS, all_of_them, "mine", with_refused=True)
    assert [j.doc_id for j in refused.judgments if j.query_id == "1"] == ["p0", "p1"]
    with refusal(InputError):
        as_collection(DOCUMENTS, [made(0, state="failed")], "mine")


@given(st.integers(0, 300), st.integers(0, 5))
def test_splits_part_the_queries(n: int, seed: int) -> None:
    ids = [str(number) for number in range(n)]
    parts = split(ids, seed)
    whole = [query_id for name in ("train", "val", "test") for query_id in parts.get(name, ())]
    assert sorted(whole, key=int) == ids
    assert set(parts.get("test-0.1", ())) <= set(parts.get("test", ()))
    assert abs(len(parts.get("train", ())) - 0.8 * n) <= 1
    assert len(parts.get("test-0.1", ())) == -(-len(parts.get("test", ())) // 10)
    assert parts == split(ids, seed)


def test_what_is_saved_is_there_again(store: Store, tmp_path: Path) -> None:
    entities = {"p0": ("paper", "Title 0", "x"), "a1": ("author", "Ito"), "p1": ("paper", "Title 1", "y")}
    base = base_of(tmp_path, parts_of(entities, [("a1", "writes", "p0")], answer_types=("paper",)))
    settings = SynthesisSettings(filters=("demo",))
    row = save_made(store, base, [made(0, "p0"), made(1, state="gold refused")], settings, "mine")
    assert (row.n_documents, row.n_queries, row.n_judgments) == (2, 1, 1)
    assert_notes([row.origin], ("written by demo over", '"small"'))
    assert "1 of 2 queries" in row.notes[1]
    assert is_noted(row.notes, "left out, ", "the gold answer: 1 query")
    loaded = load_collection(store, "mine")
    assert loaded.queries == as_collection((), [made(0, "p0")], "mine").queries
    base.close()


def test_notes_say_who_wrote_them() -> None:
    assert notes_of([made(0, "p0")], SynthesisSettings())[-1].startswith("demo is not ")
    paid = SynthesisSettings(extract="m", fuse="m", filters=("m",))
    assert "made by m, not by people" in notes_of([made(0, "p0")], paid)[0]


# STaRK's files


def collection_of(queries: list[tuple[str, str, tuple[str, ...]]]) -> Collection:
    judgments = [Judgment(query_id, doc_id, 1) for query_id, _, ids in queries for doc_id in ids]
    asked = tuple(Query(query_id, text) for query_id, text, _ in queries)
    return Collection("mine", (), asked, tuple(judgments), split([query.query_id for query in asked], 0))


ODD = 'Papers, "quoted" by\tItō, on <b>shade</b> & 50 % *heat*; =1+1'


def test_files_read_back_as_they_were(tmp_path: Path) -> None:
    ids = ("7", "-3", "007", "demo.1", "a'b", 'a"b', "ü", "12345678901234567890")
    queries = [(str(n), f"{ODD} {n}", ids[: n % 8 + 1]) for n in range(30)]
    collection = collection_of(queries)
    write_stark(collection, tmp_path / "out")
    read = read_collection(tmp_path / "out").collection
    assert [(q.query_id, " ".join(q.text.split())) for q in read.queries] == [
        (query_id, " ".join(text.split())) for query_id, text, _ in queries
    ]
    assert read.judgments == collection.judgments
    assert {name: set(ids) for name, ids in read.splits.items()} == {
        name: set(ids) for name, ids in collection.splits.items()
    }
    assert (tmp_path / "out" / "stark_qa" / "stark_qa.csv").read_text().splitlines()[0] == "id,query,answer_ids"


def test_numbers_are_written_as_numbers() -> None:
    table = stark_files(collection_of([("1", "q", ("7", "007", "-0"))]))["stark_qa/stark_qa.csv"]
    assert table.splitlines()[1] == "1,q,\"[7, '007', '-0']\""


@pytest.mark.parametrize("doc_id", ["a\\b", "a\nb", " a", "x" * 300, "a'\"b"])
def test_ids_that_can_not_be_written_are_refused(doc_id: str) -> None:
    with refusal(InputError):
        stark_files(collection_of([("1", "q", (doc_id,))]))


@pytest.mark.parametrize("query_id", ["a b", "", " a"])
def test_questions_need_an_id_without_spaces(query_id: str) -> None:
    with refusal(InputError):
        stark_files(collection_of([(query_id, "q", ("1",))]))


def test_the_archive_holds_the_same_files_and_is_the_same_each_time() -> None:
    collection = collection_of([(str(n), "q", ("1",)) for n in range(20)])
    packed = stark_zip(collection)
    with ZipFile(io.BytesIO(packed)) as archive:
        assert {name: archive.read(name).decode() for name in archive.namelist()} == stark_files(collection)
    assert packed == stark_zip(collection)


# The scripted model


def ask(user: str) -> str:
    return DemoWriter().ask("", user, max_tokens=9).text


CODE = "0123456789abcdef"


def marked(**parts: str) -> str:
    return "\n".join(f"[{name} {CODE}]\n{text}\n[end of {name} {CODE}]" for name, text in parts.items())


TEXT = (
    "Cool roofs\nGreen roofs cool the street. In 2019 we measured green roofs. Green roofs were wet. "
    "Street trees help. Street trees shade people."
)


def test_the_demo_model_takes_frequent_phrases_of_the_text() -> None:
    writer = DemoWriter()
    assert writer.properties(TEXT, 2) == ["green roofs", "street trees"]
    assert writer.properties(TEXT, 1, join=True) == ["green roofs and street trees"]
    assert writer.properties("", 2) == []
    assert writer.properties("the of and", 2) == []
    said = ask(f"Researcher: x\n{marked(document=TEXT)}\nUp to 2 of such texts, the most telling first:")
    assert "green roofs" in said.lower()


@pytest.mark.parametrize(
    ("properties", "verdict"),
    [
        ("green roof", "yes"),
        ("roofs that are green", "yes"),
        ("green roofs\nstreet tree", "yes"),
        ("tea leaves", "no"),
        ("green roofs\ntea leaves", "no"),
        ("green roofs tea", "can't tell"),
        ("", "can't tell"),
    ],
)
def test_the_demo_model_accepts_what_has_enough_of_the_words(properties: str, verdict: str) -> None:
    assert ENOUGH > 2 / 3
    assert ask(marked(properties=properties, document=TEXT)) == verdict


def test_the_demo_model_words_queries_in_many_ways() -> None:
    relation = "Which papers are written by Ito?"
    said = {
        ask(f"Researcher: x\n{marked(relation=relation, properties=f'green roofs {n}', names='Ito')}")
        for n in range(40)
    }
    assert all("Ito" in query and "green roofs" in query for query in said)
    assert len({query.partition(" ")[0] for query in said}) >= 4
    odd = ask(marked(relation="Papers of Ito", properties="roofs\ntrees"))
    assert "Papers of Ito" in odd
    assert "roofs and trees" in odd
    assert "Papers of Ito" in ask(marked(query="Papers of Ito", names="Ito"))
    assert "scripted demo model" in ask("Hello")


# The demo


@pytest.mark.slow
def test_the_demo_questions_are_the_same_at_every_call(tmp_path: Path) -> None:
    base = base_of(tmp_path, build_demo_knowledge(), "demo")
    collection = build_demo_relations(base)
    again = build_demo_relations(base)
    assert (collection.queries, collection.judgments, collection.splits) == (
        again.queries,
        again.judgments,
        again.splits,
    )
    assert len(collection.queries) >= 110
    assert set(collection.splits) == {"train", "val", "test", "test-0.1"}
    papers = {document.doc_id: document for document in base.documents()}
    assert {document.doc_id for document in collection.documents} == set(papers)
    templates = [dict(query.labels)["template"] for query in collection.queries]
    counts = [templates.count(template_id) for template_id in set(templates)]
    assert len(counts) == 7
    assert max(counts) - min(counts) <= 3
    for query in collection.queries:
        given = json.loads(dict(query.labels)["given"])
        titles = [base.entity(ids[0]).title for ids in given.values()]
        assert all(title in query.text for title in titles)
    assert {judgment.doc_id for judgment in collection.judgments} <= set(papers)
    base.close()
