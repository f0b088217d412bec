"""Dense: every document compared, exactly."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.collections import Document, Query
from core.errors import InputError, MisalignedError
from core.retrieval import dense
from core.retrieval.dense import DenseRetriever, candidate_rows, exact_cosines, rounding_error, scorable_rows
from core.retrieval.retriever import Retriever, id_ranks
from core.types import Vectors
from core.vectors import normalise
from tests.core.retrieval.retriever_laws import RetrieverLaws
from tests.core.retrieval.vector_fakes import WIDTH, count_words, dense_counts, unit_cosine
from tests.messages import refusal

SOME = Query("q", "some words")


class TestDense(RetrieverLaws):
    def make(self, documents: Sequence[Document], folder: Path) -> Retriever:
        return dense_counts(documents)

    def exact(self, documents: Sequence[Document], text: str) -> dict[str, float]:
        (query,), _ = normalise(count_words([text]))
        rows, mask = normalise(count_words([document.whole for document in documents]))
        return {d.doc_id: unit_cosine(row, query) for d, row, ok in zip(documents, rows, mask, strict=True) if ok}


def pointing(rows: Vectors, direction: Sequence[float]) -> DenseRetriever:
    """A retriever that takes every query for this direction."""
    ids = [f"{row:06}" for row in range(len(rows))]
    given_direction = np.array([direction], dtype=np.float32)
    return DenseRetriever(rows, id_ranks(ids), lambda texts: np.repeat(given_direction, len(texts), axis=0))


def some_vectors(n: int, width: int, seed: int) -> Vectors:
    return normalise(np.random.default_rng(seed).normal(size=(n, width)))[0]


def test_rows_without_a_direction_are_never_returned() -> None:
    rows = np.array([[0, 0], [np.nan, 1], [np.inf, 0], [-1, 0], [0.6, 0.8]], dtype=np.float32)
    assert scorable_rows(rows).tolist() == [False, False, False, True, True]
    hits = pointing(rows, (1, 0)).search(SOME, 10)
    assert hits.rows.tolist() == [4, 3], "one that points the other way is found, and last"
    assert hits.scores.tolist() == pytest.approx([0.6, -1.0])


@pytest.mark.parametrize("direction", [(0.0, 0.0), (np.nan, 1.0)])
def test_a_query_without_a_direction_finds_nothing(direction: tuple[float, float]) -> None:
    assert len(pointing(np.eye(2, dtype=np.float32), direction).search(SOME, 2)) == 0


def test_a_query_without_words_is_not_embedded() -> None:
    asked: list[str] = []

    def embed(texts: Sequence[str]) -> Vectors:
        asked.extend(texts)
        return count_words(texts)

    retriever = DenseRetriever(np.eye(WIDTH, dtype=np.float32), id_ranks([str(i) for i in range(WIDTH)]), embed)
    answers = retriever.search_many([Query("a", " -- "), Query("b", "heat"), Query("c", "")], 3)
    assert [len(hits) for hits in answers] == [0, 3, 0]
    assert asked == ["heat"]


def test_what_does_not_fit_is_said() -> None:
    with refusal(MisalignedError):
        DenseRetriever(np.eye(2, dtype=np.float32), id_ranks(["a", "b", "c"]), count_words)
    retriever = DenseRetriever(np.eye(2, dtype=np.float32), id_ranks(["a", "b"]), count_words)
    with refusal(InputError):
        retriever.search(SOME, 1)
    with refusal(MisalignedError):
        DenseRetriever(
            np.eye(2, dtype=np.float32), id_ranks(["a", "b"]), lambda texts: np.zeros((0, 2), np.float32)
        ).search(SOME, 1)


def test_the_same_vector_scores_alike_wherever_it_stands() -> None:
    rows = some_vectors(10_000, 100, seed=1)
    rows[::77] = rows[0]
    hits = pointing(rows, rows[5].tolist()).search(SOME, 10_000)
    of_twins = {score for row, score in zip(hits.rows.tolist(), hits.scores.tolist(), strict=True) if row % 77 == 0}
    assert len(of_twins) == 1


def plain(rows: Vectors, direction: Vectors, k: int) -> list[int]:
    """Every row, exactly, sorted."""
    scores = exact_cosines(rows, np.arange(len(rows)), direction)
    return np.lexsort((np.arange(len(rows)), -scores))[:k].tolist()


@pytest.mark.parametrize("k", [1, 7, 100, 999, 5_000])
@pytest.mark.parametrize("order", ["random", "nearest last", "all alike"])
def test_many_small_blocks_give_what_a_full_sort_gives(k: int, order: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dense, "MOST_SCORES", 2_000)
    monkeypatch.setattr(dense, "BLOCK_ROWS", 64)
    rows, queries = some_vectors(2_000, 12, seed=2), some_vectors(37, 12, seed=3)
    if order == "nearest last":
        rows = np.ascontiguousarray(rows[np.argsort(rows @ queries[0], kind="stable")])
    elif order == "all alike":
        rows[:] = rows[0]
    found = candidate_rows(rows, np.ones(len(rows), dtype=np.bool_), queries, min(k, len(rows)))
    assert len(found) == len(queries)
    for query, candidates in zip(queries, found, strict=True):
        assert set(plain(rows, query, k)) <= set(candidates.tolist())
        assert len(candidates) >= min(k, len(rows))
    if order == "random":
        assert np.mean([len(candidates) for candidates in found]) < k + 20, "few more than are wanted"


@settings(max_examples=60, deadline=None)
@given(n=st.integers(1, 60), width=st.integers(1, 8), k=st.integers(1, 70), seed=st.integers(0, 10**6))
def test_small_numbers_with_many_ties(n: int, width: int, k: int, seed: int) -> None:
    """Entries -1, 0 and 1: many equal cosines, many rows without a direction."""
    rng = np.random.default_rng(seed)
    rows, mask = normalise(rng.integers(-1, 2, size=(n, width)))
    direction = rng.integers(-1, 2, size=width)
    hits = pointing(rows, direction.tolist()).search(SOME, k)
    (unit,), has_direction = normalise(direction[None, :])
    expected = [row for row in plain(rows, unit, n) if mask[row]][:k] if has_direction[0] else []
    assert hits.rows.tolist() == expected


def test_the_margin_holds_for_long_vectors() -> None:
    rows, (query,) = some_vectors(500, 4_096, seed=4), some_vectors(1, 4_096, seed=5)
    off = np.abs((rows @ query) - exact_cosines(rows, np.arange(500), query))
    assert off.max() < rounding_error(4_096)
