"""Small made-up runs and judgments, and metrics computed the slow way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log2

import numpy as np
from hypothesis import strategies as st

from core.collections import Collection, Document, Judgment, Query, Run
from core.retrieval.metrics import RelevantDocuments, read_metric

Answers = Mapping[str, Sequence[tuple[str, float]]]
Truth = Mapping[str, Mapping[str, int]]

DOC_IDS = ("d2", "d10", "D2", "é", "10", "9", "zz", "a b")
OUTSIDE_IDS = ("gone", "lost")
QUERY_IDS = ("q1", "q2", "q10", "Q1")
METRIC_IDS = (
    *("hit@1", "hit@3", "recall@2", "recall@20", "precision@3", "precision@50", "mrr", "mrr@2", "map"),
    *("ndcg@1", "ndcg@3", "ndcg@50", "rprec"),
)


def run_of(answers: Answers, doc_ids: Sequence[str] = DOC_IDS, name: str = "run") -> Run:
    """A run from ids and scores, in the order given."""
    row_of = {doc_id: row for row, doc_id in enumerate(doc_ids)}
    return Run.of(
        name,
        doc_ids,
        [
            (query_id, np.array([row_of[d] for d, _ in listed], np.int64), np.array([s for _, s in listed], np.float64))
            for query_id, listed in answers.items()
        ],
    )


def judgments_of(truth: Truth) -> list[Judgment]:
    return [Judgment(query_id, doc_id, grade) for query_id, of in truth.items() for doc_id, grade in of.items()]


def judged_of(truth: Truth, doc_ids: Sequence[str] = DOC_IDS) -> RelevantDocuments:
    return RelevantDocuments.of(judgments_of(truth), doc_ids, tuple(truth))


def collection_of(truth: Truth, doc_ids: Sequence[str] = DOC_IDS, texts: Mapping[str, str] | None = None) -> Collection:
    """Documents without words; queries are their own text unless there is another."""
    texts = texts or {}
    return Collection(
        "made up",
        tuple(Document(doc_id, "", "") for doc_id in doc_ids),
        tuple(Query(query_id, texts.get(query_id, query_id)) for query_id in truth),
        tuple(judgments_of(truth)),
    )


def in_order(listed: Sequence[tuple[str, float]]) -> list[str]:
    """Score descending, then id ascending; a repeated document at its best place only."""
    return list(dict.fromkeys(doc_id for doc_id, _ in sorted(listed, key=lambda pair: (-pair[1], pair[0]))))


def plain_value(metric_id: str, ranking: Sequence[str], grades: Mapping[str, int], n_all: int | None = None) -> float:
    """One metric of one query, place by place."""
    metric = read_metric(metric_id)
    relevant = {doc_id: grade for doc_id, grade in grades.items() if grade > 0}
    k = metric.k or len(ranking)
    hits = [doc_id in relevant for doc_id in ranking]
    if metric.family == "hit":
        return float(any(hits[:k]))
    if metric.family == "recall":
        return sum(hits[:k]) / len(relevant)
    if metric.family == "precision":
        return sum(hits[:k]) / k
    if metric.family == "mrr":
        return next((1 / rank for rank, hit in enumerate(hits[:k], 1) if hit), 0.0)
    if metric.family == "map":
        return sum(sum(hits[:rank]) / rank for rank, hit in enumerate(hits, 1) if hit) / len(relevant)
    if metric.family == "rprec":
        return sum(hits[: len(relevant)]) / len(relevant)
    gained = sum(relevant.get(doc_id, 0) / log2(rank + 1) for rank, doc_id in enumerate(ranking[:k], 1))
    best = sorted(relevant.values(), reverse=True)[:k]
    return gained / sum(grade / log2(rank + 1) for rank, grade in enumerate(best, 1))


@st.composite
def truths(draw: st.DrawFn) -> dict[str, dict[str, int]]:
    """Grades of some documents for some queries, at least one of them relevant."""
    grades = st.dictionaries(st.sampled_from(DOC_IDS + OUTSIDE_IDS), st.integers(-2, 3), max_size=6)
    truth = draw(st.dictionaries(st.sampled_from(QUERY_IDS), grades, min_size=1))
    truth.setdefault("q1", {})["d10"] = draw(st.integers(1, 3))
    return truth


@st.composite
def answers(draw: st.DrawFn, *, tied: bool = True) -> dict[str, list[tuple[str, float]]]:
    """Rankings of some queries in any order: with ties and repeated documents, or with neither."""
    if tied:
        pairs = st.lists(st.tuples(st.sampled_from(DOC_IDS), st.sampled_from([-1.5, 0.0, 0.25, 2.0])))
    else:
        eighths = st.integers(-1000, 1000).map(lambda n: n / 8)
        pairs = st.lists(
            st.tuples(st.sampled_from(DOC_IDS), eighths), unique_by=(lambda pair: pair[0], lambda pair: pair[1])
        )
    return draw(st.dictionaries(st.sampled_from(QUERY_IDS), pairs))
