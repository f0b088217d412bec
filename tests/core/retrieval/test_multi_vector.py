"""Multi-vector: a document by its best chunks."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.collections import Document, Query
from core.errors import MisalignedError
from core.retrieval.multi_vector import Aggregate, MultiVectorRetriever, chunks
from core.retrieval.retriever import Retriever, id_ranks
from core.types import Vectors
from core.vectors import normalise
from tests.core.retrieval.retriever_laws import RetrieverLaws
from tests.core.retrieval.vector_fakes import count_words, ranks_of, unit_cosine
from tests.messages import refusal

SOME = Query("q", "some words")


def by_hand(rows: Vectors, starts: Sequence[int], query: Vectors, aggregate: Aggregate) -> dict[int, float]:
    """Document by document, chunk by chunk."""
    out = {}
    for document, (start, end) in enumerate(pairwise(starts)):
        found = sorted((unit_cosine(row, query) for row in rows[start:end] if row.any()), reverse=True)
        best = found[:3] if aggregate == "top3" else found[:1]
        if best:
            out[document] = sum(best) / len(best)
    return out


class _OfChunks(RetrieverLaws):
    aggregate: Aggregate = "top3"

    def _cut(self, documents: Sequence[Document]) -> tuple[Vectors, list[int]]:
        cut = [chunks(document.title, document.text, size=4, overlap=1) for document in documents]
        rows, _ = normalise(count_words([chunk for of_one in cut for chunk in of_one]))
        return rows, [0, *accumulate(map(len, cut))]

    def make(self, documents: Sequence[Document], folder: Path) -> Retriever:
        rows, starts = self._cut(documents)
        return MultiVectorRetriever(rows, np.array(starts), ranks_of(documents), count_words, aggregate=self.aggregate)

    def exact(self, documents: Sequence[Document], text: str) -> dict[str, float]:
        (query,), _ = normalise(count_words([text]))
        found = by_hand(*self._cut(documents), query, self.aggregate)
        return {documents[row].doc_id: score for row, score in found.items()}


class TestMeanOfThree(_OfChunks):
    pass


class TestMax(_OfChunks):
    aggregate: Aggregate = "max"


def pointing(rows: Vectors, starts: Sequence[int], direction: Vectors, aggregate: Aggregate) -> MultiVectorRetriever:
    """A retriever that takes every query for this direction."""
    ranks = id_ranks([f"{row:06}" for row in range(len(starts) - 1)])
    return MultiVectorRetriever(
        rows,
        np.array(starts),
        ranks,
        lambda texts: np.repeat(direction[None, :], len(texts), axis=0),
        aggregate=aggregate,
    )


@settings(max_examples=60, deadline=None)
@given(
    counts=st.lists(st.integers(0, 7), min_size=1, max_size=15),
    k=st.integers(1, 20),
    aggregate=st.sampled_from(["top3", "max"]),
    seed=st.integers(0, 10**6),
)
def test_any_shape_is_ranked_as_by_hand(counts: list[int], k: int, aggregate: Aggregate, seed: int) -> None:
    rng = np.random.default_rng(seed)
    starts = [0, *accumulate(counts)]
    rows, _ = normalise(rng.integers(-1, 2, size=(starts[-1], 3)))
    direction, _ = normalise(np.array([[1, 2, -1]]))
    expected = by_hand(rows, starts, direction[0], aggregate)
    hits = pointing(rows, starts, direction[0], aggregate).search(SOME, k)
    assert len(hits) == min(k, len(expected))
    found = dict(zip(hits.rows.tolist(), hits.scores.tolist(), strict=True))
    assert found == pytest.approx({row: expected[row] for row in found}, abs=1e-12)
    left_out = [score for row, score in expected.items() if row not in found]
    assert all(score <= min(found.values()) + 1e-12 for score in left_out)


def test_the_order_of_chunks_does_not_matter() -> None:
    rows, _ = normalise(np.random.default_rng(3).normal(size=(60, 7)))
    orders = [np.concatenate([6 * d + np.random.default_rng(s + d).permutation(6) for d in range(10)]) for s in (0, 1)]
    one, other = (pointing(rows[order], range(0, 61, 6), rows[7], "top3").search(SOME, 10) for order in orders)
    assert (one.rows.tolist(), one.scores.tolist()) == (other.rows.tolist(), other.scores.tolist())


def test_what_does_not_fit_is_said() -> None:
    with refusal(MisalignedError):
        MultiVectorRetriever(np.eye(4, dtype=np.float32), np.array([0, 1, 3]), id_ranks(["a", "b"]), count_words)
