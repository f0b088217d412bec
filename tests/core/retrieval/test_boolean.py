"""Boolean search strings as a retriever: every match, in no order, with notes that say so."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from core.collections import Document
from core.query.match import match, rows_of
from core.query.parser import parse
from core.retrieval.boolean import BooleanRetriever
from core.retrieval.retriever import Hits, Retriever, id_ranks
from core.text import words
from core.types import Publication
from data.query.index import CorpusIndex, in_memory
from tests.core.retrieval.retriever_laws import DOCUMENTS, RetrieverLaws, answered, ask


def index_of(documents: Sequence[Document]) -> CorpusIndex:
    return CorpusIndex(in_memory([Publication(d.doc_id, d.title, d.text or None, None) for d in documents]))


def retriever_of(documents: Sequence[Document] = DOCUMENTS) -> BooleanRetriever:
    return BooleanRetriever(index_of(documents), id_ranks([document.doc_id for document in documents]))


def found(text: str, k: int = 100) -> tuple[list[str], Hits]:
    hits = ask(retriever_of(), text, k)
    return [DOCUMENTS[row].doc_id for row in hits.rows], hits


class TestBoolean(RetrieverLaws):
    def make(self, documents: Sequence[Document], folder: Path) -> Retriever:
        return retriever_of(documents)

    def exact(self, documents: Sequence[Document], text: str) -> dict[str, float]:
        """The texts of the laws have no operators: words side by side must all occur."""
        asked = set(words(text))
        return {document.doc_id: 1.0 for document in documents if asked <= set(words(document.whole))}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("energy AND warehouses", ["d07"]),
        ("(zebra OR petri) AND NOT nothing", ["d03", "d06", "d10"]),
        ('"heat transfer"', ["d04", "d11"]),
        ("warehouse*", ["d05", "d07", "d08"]),
        ("energy NOT survey", ["d07"]),
        ("warehouses energy", ["d07"]),
        ("TITLE(warehouses)", ["d07", "d08"]),
        ("unicorns", []),
    ],
)
def test_every_match_by_id(text: str, expected: list[str]) -> None:
    ids, hits = found(text)
    assert ids == expected
    assert hits.scores.tolist() == [1.0] * len(expected)


def test_matches_are_those_of_running_a_query() -> None:
    index = index_of(DOCUMENTS)
    for text in ("heat OR energy", "model* AND (petri OR process)", "NOT heat", "flow NEAR/3 heat", "goods"):
        root = parse(text).root
        assert root is not None
        bits = match(root, index, "literal").root
        assert bits is not None
        assert sorted(answered(ask(retriever_of(), text), DOCUMENTS)) == sorted(index.ids[row] for row in rows_of(bits))


def test_the_note_says_how_many_match_in_all() -> None:
    ids, hits = found("heat OR energy", 2)
    assert ids == ["d02", "d04"]
    (cut,), (whole,), (none,) = (each.notes for each in (hits, found("zebra")[1], found("unicorns")[1]))
    assert cut.startswith("6 documents match; the first 2 ")
    assert whole.startswith("1 document matches. ")
    assert none == "No document matches."


def test_a_question_must_match_in_all_its_words_but_stop_words() -> None:
    ids, hits = found("How is heat related to the flow of goods?")
    assert ids == []
    assert hits.notes[0].startswith("This reads as")
    ids, hits = found("What is the heat transfer in laminar boundary layers?")
    assert ids == ["d04", "d11"]
    assert [note.split(" ", 1)[0] for note in hits.notes] == ["This", "2"]
    (note,) = found("What is it about?")[1].notes
    assert "only stop words" in note


@pytest.mark.parametrize("text", ["english[la]", "", "()", "AND", "(" * 3])
def test_what_cannot_be_tested_finds_nothing_and_says_why(text: str) -> None:
    ids, hits = found(text)
    assert ids == []
    assert len(hits.notes) == 1
    assert hits.notes[0].endswith((".", "?"))


def test_a_part_that_cannot_be_tested_is_left_out_and_named() -> None:
    ids, hits = found("zebra[tiab] AND english[la]")
    assert ids == ["d06"]
    assert hits.notes[0].startswith("Left out, ")
    assert '"english[la]"' in hits.notes[0]
