"""Metrics of 13,323 queries × 1,000 results, against sorting each ranking and ir_measures; significance of 10 runs."""

from __future__ import annotations

import time
from functools import cache

import ir_measures
import numpy as np
import pytest

from core.collections import Collection, Document, Judgment, Query, Run
from core.retrieval.leaderboard import score_runs
from core.retrieval.metrics import DEFAULT_METRICS, RelevantDocuments, metric_by_k, per_query
from core.stats import N_RANDOMIZED, bootstrap_means, randomization_p
from tests.benchmarks.timing import median_seconds, report

N_DOCUMENTS, N_QUERIES, DEPTH = 700_000, 13_323, 1_000
N_RUNS = 10
N_ORACLE = 500
"""Queries that the other library is given: its dictionaries of all of them do not fit into memory."""
MEASURES = ("Success@1", "Success@5", "R@20", "P@10", "RR", "AP", "nDCG@10", "Rprec")


def made_run(seed: int, *, tied: bool) -> Run:
    """Documents spread over the collection; scores fall evenly, or in ninety steps of equal ones."""
    rng = np.random.default_rng(seed)
    first, step = rng.integers(N_DOCUMENTS, size=(N_QUERIES, 1)), rng.integers(1, 600, size=(N_QUERIES, 1))
    rows = ((first + step * np.arange(DEPTH)) % N_DOCUMENTS).ravel()
    scores = np.linspace(10, 1, DEPTH)
    scores = np.tile(np.round(scores, 1) if tied else scores, N_QUERIES)
    query_ids = tuple(f"q{i}" for i in range(N_QUERIES))
    return Run(f"run {seed}", query_ids, doc_ids(), np.arange(N_QUERIES + 1) * DEPTH, rows, scores)


@cache
def doc_ids() -> tuple[str, ...]:
    return tuple(f"d{i}" for i in np.random.default_rng(0).permutation(N_DOCUMENTS))


def judgments_for(run: Run) -> list[Judgment]:
    """A handful of relevant documents for each query, most of them far up."""
    rng = np.random.default_rng(1)
    judgments = []
    for query, query_id in enumerate(run.query_ids):
        places = np.unique(np.minimum(rng.exponential(80, 1 + int(rng.exponential(5))), DEPTH - 1).astype(int))
        judgments += [Judgment(query_id, run.doc_ids[run.rows[query * DEPTH + place]], 1) for place in places]
    return judgments


def sorted_mrr(run: Run, judged: RelevantDocuments) -> np.ndarray:
    """One metric, each ranking sorted by an argsort."""
    values = np.zeros(len(judged))
    for query in range(len(judged)):
        part = slice(query * DEPTH, (query + 1) * DEPTH)
        listed = run.rows[part][np.argsort(-run.scores[part], kind="stable")]
        relevant = judged.rows[judged.starts[query] : judged.starts[query + 1]]
        places = np.flatnonzero(np.isin(listed, relevant))
        values[query] = 1 / (places[0] + 1) if len(places) else 0.0
    return values


def test_metrics() -> None:
    run = made_run(1, tied=False)
    judgments = judgments_for(run)
    once, judged = median_seconds(lambda: RelevantDocuments.of(judgments, run.doc_ids, run.query_ids), rounds=3)
    print(f"\n{len(judgments):,} judgments read: {once * 1e3:,.0f} ms")
    ours, values = median_seconds(lambda: per_query(run, judged, DEFAULT_METRICS), rounds=3)
    plain, mrr = median_seconds(lambda: sorted_mrr(run, judged), rounds=1)
    assert np.allclose(mrr, values["mrr"], rtol=0, atol=1e-12)
    report("8 metrics, 13,323 x 1,000", ours, plain, "MRR alone, argsort and isin per query")
    tied = made_run(1, tied=True)
    start = time.perf_counter()
    per_query(tied, judged, DEFAULT_METRICS)
    print(f"the same with every ranking full of ties in no order, ids sorted too: {time.perf_counter() - start:.2f} s")
    stark, _ = median_seconds(lambda: per_query(run, judged, DEFAULT_METRICS, compat="stark-2024"), rounds=1)
    print(f"the same as STaRK ranks, all {N_DOCUMENTS:,} documents: {stark:.2f} s")
    curve, _ = median_seconds(lambda: metric_by_k(run, judged, "ndcg", range(1, DEPTH + 1)), rounds=3)
    print(f"nDCG at every k from 1 to 1,000: {curve:.2f} s")


def test_metrics_beside_ir_measures() -> None:
    whole = made_run(2, tied=False)
    starts = whole.starts[: N_ORACLE + 1]
    rows, scores = whole.rows[: starts[-1]], whole.scores[: starts[-1]]
    few = Run("few", whole.query_ids[:N_ORACLE], whole.doc_ids, starts, rows, scores)
    judgments = judgments_for(few)
    judged = RelevantDocuments.of(judgments, few.doc_ids, few.query_ids)
    ours, values = median_seconds(lambda: per_query(few, judged, DEFAULT_METRICS), rounds=5)
    qrels = [ir_measures.Qrel(each.query_id, each.doc_id, each.relevance) for each in judgments]
    rankings = [few.ranking(query_id) for query_id in few.query_ids]
    run = {each.query_id: dict(zip(each.doc_ids, each.scores, strict=True)) for each in rankings}
    measures = [ir_measures.parse_measure(name) for name in MEASURES]
    theirs, means = median_seconds(lambda: ir_measures.calc_aggregate(measures, qrels, run), rounds=1)
    for metric_id, measure in zip(DEFAULT_METRICS, measures, strict=True):
        assert values[metric_id].mean() == pytest.approx(means[measure], rel=0, abs=1e-9)
    report(f"8 metrics, {N_ORACLE} x 1,000", ours, theirs, "ir_measures, its dictionaries made before")


def test_significance() -> None:
    rng = np.random.default_rng(3)
    values = np.clip(rng.random((N_QUERIES, 1)) + rng.normal(0, 0.2, (N_QUERIES, N_RUNS)), 0, 1)
    pairs = [(a, b) for b in range(N_RUNS) for a in range(b)]
    ours, p = median_seconds(lambda: randomization_p(values, pairs), rounds=3)
    plain, one = median_seconds(lambda: plain_p(values[:, 0] - values[:, 1], N_RANDOMIZED // 20), rounds=1)
    assert abs(one - p[0]) < 0.1
    report(f"45 pairs, {N_RANDOMIZED:,} resamples", ours, plain * 20 * len(pairs), "loop, from a part")
    boot, _ = median_seconds(lambda: bootstrap_means(values), rounds=3)
    print(f"bootstrap of 10 means and their 45 differences, 2,000 resamples: {boot:.2f} s")


def plain_p(differences: np.ndarray, n: int) -> float:
    """One pair, resample by resample."""
    rng = np.random.default_rng(0)
    seen = abs(differences.sum())
    as_large = sum(abs((rng.choice((-1.0, 1.0), len(differences)) * differences).sum()) >= seen for _ in range(n))
    return (as_large + 1) / (n + 1)


def test_leaderboard() -> None:
    runs = [made_run(seed, tied=False) for seed in range(1, 4)]
    judgments = tuple(judgments_for(runs[0]))
    collection = Collection(
        "made up",
        tuple(Document(doc_id, "", "") for doc_id in doc_ids()),
        tuple(Query(query_id, query_id) for query_id in runs[0].query_ids),
        judgments,
    )
    seconds, board = median_seconds(lambda: score_runs(runs, collection), rounds=1)
    assert len(board.comparisons) == 3 * len(DEFAULT_METRICS)
    print(f"\nleaderboard of 3 runs, 8 metrics, all compared: {seconds:.2f} s")
