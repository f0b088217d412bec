"""Candidates ranked again: STaRK's formula, what a failed candidate keeps, and the laws of every retriever."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.collections import Document, Query, Rows
from core.errors import ServiceError
from core.retrieval.llm_reranker import CandidateScores, LlmReranker, Scorer, each, reranked
from core.retrieval.retriever import NO_HITS, Retriever
from core.text import words
from core.types import Floats
from tests.core.retrieval.retriever_laws import DOCUMENTS, RetrieverLaws, ask
from tests.core.retrieval.vector_fakes import SharedWords, ranks_of


def overlap(query: Query, document: Document) -> float:
    wanted = set(words(query.text))
    return len(wanted & set(words(document.whole))) / len(wanted)


def made(documents: Sequence[Document], scorer: Scorer, depth: int = 20) -> LlmReranker:
    return LlmReranker(SharedWords(documents), documents, scorer, ranks_of(documents), depth)


class TestLaws(RetrieverLaws):
    twins_score_alike = False

    def make(self, documents: Sequence[Document], folder: Path) -> Retriever:
        return made(documents, each(overlap))


class TestLawsWithFailures(RetrieverLaws):
    """Some candidates fail, always the same, and there are more candidates than are asked about."""

    twins_score_alike = False

    def make(self, documents: Sequence[Document], folder: Path) -> Retriever:
        def score(query: Query, document: Document) -> float | None:
            return None if document.doc_id in ("d07", "d02") else overlap(query, document)

        return made(documents, each(score), depth=3)


def lettered(n: int) -> tuple[Document, ...]:
    """Documents that the first stage ranks in their order: each has one word less of the query than the one before."""
    return tuple(Document(f"d{i:02d}", "", " ".join(f"w{j}" for j in range(n - i))) for i in range(n))


def all_words(n: int) -> Query:
    return Query("q", " ".join(f"w{j}" for j in range(n)))


def given_scores(scores: Sequence[float | ServiceError | None]) -> Scorer:
    def score(query: Query, document: Document) -> float | None:
        said = scores[int(document.doc_id[1:])]
        if isinstance(said, ServiceError):
            raise said
        return said

    return each(score)


def test_satisfaction_and_a_tenth_of_the_first_rank() -> None:
    hits = made(lettered(4), given_scores([0.2, 0.9, 0.9, 1.0])).search(all_words(4), 10)
    assert hits.rows.tolist() == [3, 1, 2, 0]
    assert hits.scores.tolist() == pytest.approx([1.0 + 0.1 * 1 / 4, 0.9 + 0.1 * 3 / 4, 0.9 + 0.1 * 2 / 4, 0.2 + 0.1])
    assert hits.first is not None
    assert (hits.first.rows.tolist(), hits.first.scores.tolist()) == ([0, 1, 2, 3], [4.0, 3.0, 2.0, 1.0])
    assert (hits.n_failed, hits.notes) == (0, ())


def test_equal_totals_go_by_id() -> None:
    documents = tuple(Document(f"z{9 - i}", "", " ".join(f"w{j}" for j in range(2 - i))) for i in range(2))
    hits = made(documents, lambda q, d: CandidateScores([0.5, 0.55])).search(all_words(2), 2)
    assert hits.scores[0] == hits.scores[1] == 0.6
    assert hits.rows.tolist() == [1, 0]


def test_what_lies_beneath_keeps_its_order_beneath() -> None:
    reranker = made(lettered(6), given_scores([0.0, 0.0, 1.0, 1.0, 1.0, 1.0]), depth=3)
    hits = reranker.search(all_words(6), 6)
    assert hits.rows.tolist() == [2, 0, 1, 3, 4, 5]
    assert hits.scores[:3].min() > 0
    assert hits.scores[3:].tolist() == [-1.0, -2.0, -3.0]
    shallow = reranker.search(all_words(6), 2)
    assert (shallow.rows.tolist(), shallow.scores.tolist()) == ([2, 0], hits.scores[:2].tolist())


@pytest.mark.parametrize("failure", [None, ServiceError("gone"), math.nan, math.inf, -0.1, 1.1])
def test_a_failed_candidate_keeps_its_place(failure: float | ServiceError | None) -> None:
    hits = made(lettered(5), given_scores([0.1, failure, 0.3, 0.9, 0.4])).search(all_words(5), 5)
    assert hits.rows.tolist() == [3, 1, 4, 2, 0]
    assert hits.scores[1] == pytest.approx((hits.scores[0] + hits.scores[2]) / 2)
    assert hits.n_failed == 1
    assert hits.notes[0].startswith("1 of 5 candidates ")
    assert ("gone" in hits.notes) == isinstance(failure, ServiceError)


def test_failures_at_both_ends_lie_between_the_best_and_the_worst_that_can_be() -> None:
    hits = made(lettered(5), given_scores([None, 1.0, 0.0, None, None])).search(all_words(5), 5)
    assert hits.rows.tolist() == [0, 1, 2, 3, 4]
    assert 1.1 > hits.scores[0] > 1.08 == pytest.approx(hits.scores[1])
    assert hits.scores[2] == pytest.approx(0.06)
    assert hits.scores[3:].tolist() == pytest.approx([0.04, 0.02])


def raises(query: Query, documents: Sequence[Document]) -> CandidateScores:
    raise ServiceError("the service is gone")


@pytest.mark.parametrize("scorer", [given_scores([None] * 3), raises, lambda q, d: CandidateScores([0.5])])
def test_without_any_score_the_answer_is_the_first_stages(scorer: Scorer) -> None:
    hits = made(lettered(4), scorer, depth=3).search(all_words(4), 3)
    assert (hits.rows.tolist(), hits.scores.tolist()) == ([0, 1, 2], [4.0, 3.0, 2.0])
    assert hits.n_failed == 3
    assert hits.notes[0].startswith("none of the 3 candidates ")
    assert ("the service is gone" in hits.notes) == (scorer is raises)


def test_an_error_that_is_no_services_is_not_hidden() -> None:
    def broken(query: Query, documents: Sequence[Document]) -> CandidateScores:
        raise KeyError("a mistake of ours")

    with pytest.raises(KeyError):
        made(lettered(2), broken).search(all_words(2), 2)


def test_without_candidates_nobody_is_asked() -> None:
    asked: list[str] = []

    def score(query: Query, document: Document) -> float:
        asked.append(document.doc_id)
        return 1.0

    reranker = made(DOCUMENTS, each(score), depth=2)
    assert len(ask(reranker, "unheard")) == 0
    assert reranker.search(Query("q", "energy"), 0) is NO_HITS
    assert asked == []
    assert len(ask(reranker, "flow", 1)) == 1
    assert len(asked) == 2, "as many as the depth says, whatever is wanted"


satisfactions = st.lists(
    st.one_of(st.just(math.nan), st.floats(0, 1), st.sampled_from([0.0, 0.5, 0.505, 0.51, 1.0])),
    min_size=1,
    max_size=30,
)


def ordered(rows: Rows, scores: Floats, ranks: Rows) -> bool:
    keys = list(zip((-scores).tolist(), ranks[rows].tolist(), strict=True))
    return keys == sorted(keys)


@given(satisfactions, st.integers(0, 10), st.randoms(use_true_random=False))
def test_laws_of_the_new_order(found: list[float], n_beneath: int, random: Random) -> None:
    n = len(found)
    rows = np.array(random.sample(range(n + n_beneath), n + n_beneath), dtype=np.int64)
    ranks = np.array(random.sample(range(n + n_beneath), n + n_beneath), dtype=np.int64)
    satisfied = np.array(found)
    out, scores = reranked(rows, satisfied, ranks)
    assert sorted(out.tolist()) == sorted(rows.tolist())
    assert np.isfinite(scores).all()
    assert ordered(out, scores, ranks), "score descending, then by id"
    failed = np.isnan(satisfied)
    assert out[:n][failed].tolist() == rows[:n][failed].tolist(), "a failed candidate stays at its place"
    assert out[n:].tolist() == rows[n:].tolist()
    if n_beneath and n > failed.sum():
        assert scores[:n].min() > scores[n:].max()
    total = {
        int(row): round(s + 0.1 * (n - i) / n, 12) for i, (row, s) in enumerate(zip(rows[:n], satisfied, strict=True))
    }
    kept = [(total[int(row)], score) for row, score in zip(out[:n], scores[:n], strict=True) if total[int(row)] >= 0]
    assert [score for _, score in kept] == pytest.approx([expected for expected, _ in kept], abs=1e-12)
    alone = sorted((row for row in total if total[row] >= 0), key=lambda row: (-total[row], ranks[row]))
    assert [row for row in out[:n].tolist() if total[row] >= 0] == alone, "the others are ordered around it"
