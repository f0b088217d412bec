"""Hybrid: two answers made into one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.collections import Document, Query
from core.errors import SettingsError
from core.retrieval.hybrid import Fusion, HybridRetriever
from core.retrieval.retriever import Hits, Retriever, SequentialRetriever, Timing, untimed
from tests.core.retrieval.retriever_laws import DOCUMENTS, RetrieverLaws, ask
from tests.core.retrieval.vector_fakes import SharedWords, dense_counts, ranks_of
from tests.messages import refusal

SOME = Query("q", "some words")


class _Fused(RetrieverLaws):
    scores_stand_alone = False
    fusion: Fusion = "rrf"

    def make(self, documents: Sequence[Document], folder: Path) -> Retriever:
        return HybridRetriever(
            SharedWords(documents), dense_counts(documents), ranks_of(documents), fusion=self.fusion, weight=0.3
        )

    def exact(self, documents: Sequence[Document], text: str) -> dict[str, float]:
        out: dict[str, float] = {}
        for retriever, share in ((SharedWords(documents), 0.7), (dense_counts(documents), 0.3)):
            hits = ask(retriever, text)
            scores = hits.scores.tolist()
            spread = max(scores) - min(scores)
            for rank, (row, score) in enumerate(zip(hits.rows.tolist(), scores, strict=True), start=1):
                scaled = (score - min(scores)) / spread if spread else 1.0
                part = 1 / (60 + rank) if self.fusion == "rrf" else share * scaled
                doc_id = documents[row].doc_id
                out[doc_id] = out.get(doc_id, 0.0) + part
        return out


class TestReciprocalRanks(_Fused):
    twins_score_alike = False


class TestWeighted(_Fused):
    fusion: Fusion = "weighted"


class Says(SequentialRetriever):
    """Answers any query alike."""

    def __init__(self, *pairs: tuple[int, float], notes: tuple[str, ...] = ()) -> None:
        self.hits = Hits(np.array([p[0] for p in pairs], np.int64), np.array([p[1] for p in pairs], float), notes, 1)
        self.asked: list[int] = []

    def search(self, query: Query, k: int, timing: Timing = untimed) -> Hits:
        self.asked.append(k)
        return self.hits


def test_the_papers_formula() -> None:
    first, second = Says((3, 9.0), (1, 8.0), notes=("cut",)), Says((1, 0.5), (2, 0.4), notes=("cut", "slow"))
    hits = HybridRetriever(first, second, np.arange(5)).search(SOME, 3)
    assert hits.rows.tolist() == [1, 3, 2]
    assert hits.scores.tolist() == pytest.approx([1 / 62 + 1 / 61, 1 / 61, 1 / 62], rel=1e-12)
    assert (hits.parts, hits.notes, hits.n_failed) == ((first.hits, second.hits), ("cut", "slow"), 2)
    assert first.asked == second.asked == [100]
    HybridRetriever(first, second, np.arange(5)).search_many([SOME, SOME], 400)
    assert first.asked == second.asked == [100, 400, 400]


def test_weights_at_their_ends_are_one_of_the_two() -> None:
    first, second = Says((0, 30.0), (1, 20.0), (2, 10.0)), Says((2, 0.9), (3, 0.8), (0, 0.1))
    only_first = HybridRetriever(first, second, np.arange(4), fusion="weighted", weight=0.0).search(SOME, 4)
    assert dict(zip(only_first.rows.tolist(), only_first.scores.tolist(), strict=True)) == {0: 1, 1: 0.5, 2: 0, 3: 0}
    only_second = HybridRetriever(first, second, np.arange(4), fusion="weighted", weight=1.0).search(SOME, 2)
    assert only_second.rows.tolist() == [2, 3]
    with refusal(SettingsError):
        HybridRetriever(first, second, np.arange(4), weight=1.5)


def test_one_that_finds_nothing_leaves_it_to_the_other() -> None:
    for fusion in ("rrf", "weighted"):
        hits = HybridRetriever(Says(), Says((2, 5.0), (0, 4.0)), np.arange(3), fusion=fusion).search(SOME, 3)
        assert hits.rows.tolist() == [2, 0]


answers = st.lists(st.tuples(st.integers(0, 9), st.floats(-5, 5)), max_size=8, unique_by=lambda pair: pair[0])


@given(one=answers, other=answers, fusion=st.sampled_from(["rrf", "weighted"]))
def test_which_of_the_two_comes_first_does_not_matter(
    one: list[tuple[int, float]], other: list[tuple[int, float]], fusion: Fusion
) -> None:
    one, other = (sorted(pairs, key=lambda pair: -pair[1]) for pairs in (one, other))
    a, b = (
        HybridRetriever(Says(*x), Says(*y), np.arange(10), fusion=fusion).search(SOME, 10)
        for x, y in [(one, other), (other, one)]
    )
    assert (a.rows.tolist(), a.scores.tolist()) == (b.rows.tolist(), b.scores.tolist())
    assert set(a.rows.tolist()) == {row for row, _ in one + other}


def test_any_first_stage_is_kept_in_parts() -> None:
    hits = ask(
        HybridRetriever(SharedWords(DOCUMENTS), dense_counts(DOCUMENTS), ranks_of(DOCUMENTS)), "energy in warehouses", 2
    )
    assert len(hits) == 2
    assert [len(part) for part in hits.parts] == [5, 10]
