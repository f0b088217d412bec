"""Late interaction: candidates ranked again by MaxSim, the rest below them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from core.collections import Document, Query, Rows
from core.retrieval.late_interaction import LateInteraction
from core.retrieval.retriever import Retriever
from core.types import Vectors
from tests.core.retrieval.retriever_laws import DOCUMENTS, RetrieverLaws, answered, ask
from tests.core.retrieval.vector_fakes import SharedWords, ranks_of, word_vectors


def reranked(documents: Sequence[Document], depth: int) -> LateInteraction:
    """After a first stage of shared words."""

    def tokens(rows: Rows) -> list[Vectors]:
        return [word_vectors(documents[row].whole) for row in rows.tolist()]

    return LateInteraction(SharedWords(documents), depth, ranks_of(documents), word_vectors, tokens)


def by_hand(of_query: Vectors, of_document: Vectors) -> float:
    """Token by token."""
    nearest = [max(float(np.dot(q.astype(float), d.astype(float))) for d in of_document) for q in of_query]
    return sum(nearest)


class TestLateInteraction(RetrieverLaws):
    tolerance = 1e-6

    def make(self, documents: Sequence[Document], folder: Path) -> Retriever:
        return reranked(documents, 50)

    def exact(self, documents: Sequence[Document], text: str) -> dict[str, float]:
        found = SharedWords(documents).search(Query("q", text), 100)
        of_query = word_vectors(text)
        return {documents[r].doc_id: by_hand(of_query, word_vectors(documents[r].whole)) for r in found.rows.tolist()}


def test_what_is_beyond_the_depth_stays_below_in_its_order() -> None:
    query = "flow of heat in boundary layers and warehouses"
    first = ask(SharedWords(DOCUMENTS), query)
    assert len(first) > 5
    hits = ask(reranked(DOCUMENTS, 3), query)
    assert set(hits.rows[:3].tolist()) == set(first.rows[:3].tolist())
    assert hits.rows[3:].tolist() == first.rows[3:].tolist()
    below = hits.scores[3:] - hits.scores[2]
    assert below.tolist() == pytest.approx([-1.0 - place for place in range(len(below))])
    assert hits.first is not None
    assert hits.first.rows.tolist() == first.rows.tolist()
    for k in range(1, len(first) + 1):
        assert ask(reranked(DOCUMENTS, 3), query, k).rows.tolist() == hits.rows[:k].tolist()


def test_the_order_of_the_querys_words_does_not_matter() -> None:
    one, other = (ask(reranked(DOCUMENTS, 50), text) for text in ("heat boundary flow", "flow heat boundary"))
    assert answered(one, DOCUMENTS) == answered(other, DOCUMENTS)


def test_documents_without_tokens_are_counted_and_stand_below() -> None:
    documents = DOCUMENTS[:4]
    found = ask(SharedWords(documents), "energy heat cold")

    def tokens(rows: Rows) -> list[Vectors]:
        return [word_vectors("" if row == found.rows[0] else documents[row].whole) for row in rows.tolist()]

    retriever = LateInteraction(SharedWords(documents), 50, ranks_of(documents), word_vectors, tokens)
    hits = ask(retriever, "energy heat cold")
    assert hits.n_failed == 1
    assert hits.rows[-1] == found.rows[0]
    assert "1 candidate without words" in hits.notes[0]
    nothing = LateInteraction(
        SharedWords(documents), 50, ranks_of(documents), word_vectors, lambda rows: [word_vectors("")] * len(rows)
    )
    kept = ask(nothing, "energy heat cold")
    assert (kept.rows.tolist(), kept.n_failed) == (found.rows.tolist(), len(found))


def test_a_query_that_the_model_does_not_read_keeps_the_first_stages_order() -> None:
    silent = LateInteraction(
        SharedWords(DOCUMENTS), 2, ranks_of(DOCUMENTS), lambda text: word_vectors(""), lambda rows: []
    )
    hits, first = ask(silent, "heat flow"), ask(SharedWords(DOCUMENTS), "heat flow")
    assert hits.rows.tolist() == first.rows.tolist()
    assert "knows no word" in hits.notes[0]
