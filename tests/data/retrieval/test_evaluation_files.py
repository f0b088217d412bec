"""Collections as BEIR folders and TREC qrels: what is written is read back, and nothing is lost in silence."""

from __future__ import annotations

import io
import zipfile
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.collections import Collection, Document, Judgment, Query, Run
from core.errors import FileError, InputError
from core.knowledge.templates import Requirement
from data.importers.collection_files import read_collection
from data.importers.collection_parts import clean_text
from data.retrieval.evaluation_files import (
    QRELS,
    beir_files,
    beir_zip,
    counted_judgments,
    of_split,
    trec_id,
    trec_qrels,
    write_beir,
)
from data.retrieval.runs import read_run, write_run
from tests.messages import refusal

CLEAN = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0\ufeff"), max_size=8).map(clean_text)
IDS = CLEAN.filter(lambda text: bool(text) and not {"\n", "\r"} & set(text)) | st.sampled_from(
    ["a b", "a  b", "a\tb", '"', '"a"', 'a"\tb', "0 5", "a 0", "Q0", "é 気温", "a%20b", "<doc>", "1", "no\u00a0break"]
)
LABELS = st.lists(st.tuples(st.sampled_from(["kind", "hop count"]), CLEAN.filter(bool)), max_size=2)


@st.composite
def collections(draw: st.DrawFn) -> Collection:
    doc_ids = draw(st.lists(IDS, min_size=1, max_size=5, unique=True))
    query_ids = draw(st.lists(IDS, min_size=1, max_size=4, unique=True))
    pairs = st.tuples(st.sampled_from(query_ids), st.sampled_from([*doc_ids, "elsewhere"]), st.integers(-1, 4))
    return Collection(
        "drawn",
        tuple(Document(own_id, draw(CLEAN), draw(CLEAN)) for own_id in doc_ids),
        tuple(Query(own_id, draw(CLEAN), tuple(draw(LABELS))) for own_id in query_ids),
        tuple(Judgment(*pair) for pair in draw(st.lists(pairs, max_size=8))),
    )


@given(collections())
def test_any_collection_is_read_back(collection: Collection) -> None:
    with TemporaryDirectory() as folder:
        write_beir(beir_files(collection), Path(folder))
        read = read_collection(Path(folder))
    assert read.rejected == ()
    assert read.collection.documents == collection.documents
    assert read.collection.queries == collection.queries
    assert read.collection.judgments == counted_judgments(collection.judgments)


@given(collections())
def test_qrels_have_four_words_for_each_pair(collection: Collection) -> None:
    highest: dict[tuple[str, str], int] = {}
    for judgment in sorted(collection.judgments, key=lambda each: each.relevance):
        highest[judgment.query_id, judgment.doc_id] = judgment.relevance
    words = {trec_id(own_id) for pair in highest for own_id in pair}
    try:
        lines = [line.split() for line in trec_qrels(collection.judgments).content.decode().split("\n")[:-1]]
    except InputError:
        assert len(words) < len({own_id for pair in highest for own_id in pair})
        return
    assert {(q, zero, d, int(grade)) for q, zero, d, grade in lines} == {
        (trec_id(q), "0", trec_id(d), grade) for (q, d), grade in highest.items()
    }


SMALL = Collection(
    "small",
    (Document("d 1", "Trees", "cool streets"), Document("d2", "", "cool streets"), Document("d3", "", "")),
    (Query("q1", "trees"), Query("q 2", "heat"), Query("q3", "rain")),
    (Judgment("q1", "d 1", 2), Judgment("q 2", "d2", 1), Judgment("q 2", "d3", 0)),
    {"train": ("q1", "q3"), "dev": ("q 2",)},
)


def files_in(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_splits_come_back(tmp_path: Path) -> None:
    write_beir(beir_files(SMALL), tmp_path)
    assert files_in(tmp_path) == {"corpus.jsonl", "queries.jsonl", "qrels/train.tsv", "qrels/dev.tsv"}
    assert read_collection(tmp_path).collection.splits == {"train": ("q1",), "dev": ("q 2",)}


@pytest.mark.parametrize(
    "splits",
    [
        {"train": ("q1", "q 2"), "dev": ("q1",)},
        {"train": ("q1",)},
        {"train": ("q1",), "test-0.1": ("q 2",)},
        {"Dev": ("q1",), "dev": ("q 2",)},
        {"../up": ("q1", "q 2")},
    ],
)
def test_splits_that_can_not_be_files_are_written_as_one_and_named(
    splits: dict[str, tuple[str, ...]], tmp_path: Path
) -> None:
    files = beir_files(replace(SMALL, splits=splits))
    write_beir(files, tmp_path)
    assert files_in(tmp_path) == {"corpus.jsonl", "queries.jsonl", "qrels/test.tsv"}
    assert any(name in files.notes[0] for name in splits)
    assert len(read_collection(tmp_path).collection.judgments) == 3


def test_one_split_has_its_queries_and_their_judgments() -> None:
    part = of_split(SMALL, "dev")
    assert (part.query_ids, {each.query_id for each in part.judgments}) == (("q 2",), {"q 2"})
    assert (part.documents, list(beir_files(part).files)[2:]) == (SMALL.documents, [f"{QRELS}/dev.tsv"])
    with refusal(InputError):
        of_split(SMALL, "nowhere")


def test_without_judgments_the_file_has_its_header_and_a_note(tmp_path: Path) -> None:
    files = beir_files(replace(SMALL, judgments=()))
    write_beir(files, tmp_path)
    assert (tmp_path / "qrels/test.tsv").read_text() == "query-id\tcorpus-id\tscore\n"
    assert len(files.notes) == 1
    assert read_collection(tmp_path).collection.judgments == ()


def test_a_folder_with_files_stays_unless_forced(tmp_path: Path) -> None:
    write_beir(beir_files(SMALL), tmp_path)
    (tmp_path / "README.md").write_text("mine")
    before = {name: (tmp_path / name).read_bytes() for name in files_in(tmp_path)}
    with refusal(FileError):
        write_beir(beir_files(of_split(SMALL, "dev")), tmp_path)
    assert {name: (tmp_path / name).read_bytes() for name in files_in(tmp_path)} == before
    write_beir(beir_files(of_split(SMALL, "dev")), tmp_path, force=True)
    assert files_in(tmp_path) == {"corpus.jsonl", "queries.jsonl", "qrels/dev.tsv", "README.md"}


def test_a_mistake_leaves_no_file(tmp_path: Path) -> None:
    broken = replace(SMALL, judgments=(*SMALL.judgments, Judgment("q\n1", "d2", 1)))
    with refusal(InputError):
        write_beir(beir_files(broken), tmp_path / "new")
    (tmp_path / "file").write_text("mine")
    for place in (tmp_path / "file", tmp_path / "file" / "below"):
        with refusal(FileError):
            write_beir(beir_files(SMALL), place)
    assert files_in(tmp_path) == {"file"}
    with refusal(InputError):
        beir_files(replace(SMALL, documents=()))


def test_the_archive_holds_the_same_files(tmp_path: Path) -> None:
    write_beir(beir_files(SMALL), tmp_path)
    with zipfile.ZipFile(io.BytesIO(beir_zip(beir_files(SMALL)))) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == {
            name: (tmp_path / name).read_bytes() for name in files_in(tmp_path)
        }


def test_the_blanks_of_a_template_come_back_whatever_their_length(tmp_path: Path) -> None:
    labels = Requirement("mag-author", {"author": tuple(f"author {n}" for n in range(20))}).labels
    asked = replace(SMALL, queries=(replace(SMALL.queries[0], labels=labels), *SMALL.queries[1:]))
    write_beir(beir_files(asked), tmp_path)
    assert read_collection(tmp_path).collection.queries == asked.queries


# Ids with white space in TREC files.


def test_changed_ids_are_named_and_ambiguous_ones_refused() -> None:
    qrels = trec_qrels(SMALL.judgments)
    assert qrels.content.decode().splitlines()[:2] == ["q1 0 d%201 2", "q%202 0 d2 1"]
    assert ["q 2" in note or "d 1" in note for note in qrels.notes] == [True, True]
    with refusal(InputError):
        trec_qrels([Judgment("q", "a b", 1), Judgment("q", "a%20b", 1)])


def test_a_run_with_spaces_in_its_ids_is_read_back(tmp_path: Path) -> None:
    rankings = [(q, np.array([1, 0]), np.array([2.0, 1.0])) for q in ("q 2", "q1")]
    run = Run.of("mine", SMALL.doc_ids, rankings)
    assert len(write_run(run, tmp_path / "a.run")) == 2
    back, notes = read_run(tmp_path / "a.run", SMALL)
    assert notes == ()
    assert {q: back.ranking(q) for q in back.query_ids} == {q: run.ranking(q) for q in run.query_ids}
