"""What runs are worth on a collection: every metric with its interval, and which differences are clear."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from core.errors import InputError, SettingsError
from core.ranking.judged import Judged
from core.ranking.metrics import DEFAULT_METRICS, Compat, per_query, read_metric
from core.ranking.places import n_answered
from core.ranking.significance import Interval, bootstrap_means, holm, percentile_intervals, randomization_p
from core.ranking.types import Collection, Run
from core.types import Floats, Ids

FEW_QUERIES = 25


@dataclass(frozen=True, eq=False)
class RunScores:
    """One run's metrics over the queries that have a positive judgment."""

    name: str
    values: Mapping[str, float | None]
    """The mean over queries; None: there is no query to score."""
    intervals: Mapping[str, Interval]
    """Bootstrap over queries; empty where there is none."""
    per_query: Mapping[str, Floats]
    """Aligned with the leaderboard's `query_ids`."""
    n_unanswered: int = 0
    """Judged queries for which the run has no document: they count 0."""


@dataclass(frozen=True, slots=True)
class RunComparison:
    """Run `b` against run `a` on the same queries."""

    a: str
    b: str
    metric: str
    difference: float
    """Mean of b minus mean of a."""
    interval: Interval
    p: float
    """Of the paired randomization test, two-sided."""
    p_holm: float
    """The same, corrected for how many pairs were compared on this metric."""


@dataclass(frozen=True, eq=False)
class Leaderboard:
    """Several runs on the same queries."""

    scores: tuple[RunScores, ...]
    comparisons: tuple[RunComparison, ...]
    query_ids: Ids
    """The queries that were scored."""
    n_queries: int
    """All queries of the collection, or of the split."""
    n_without_judgments: int
    """Queries without a positive judgment: they are left out."""
    warnings: tuple[str, ...] = ()


def score_runs(
    runs: Sequence[Run],
    collection: Collection,
    *,
    split: str | None = None,
    metric_ids: Sequence[str] = DEFAULT_METRICS,
    compat: Compat | None = None,
    seed: int = 0,
    compared: Sequence[str] | None = None,
) -> Leaderboard:
    """Every run with every metric, and every pair of runs on the metrics that are `compared` (all of them without).

    Metrics go by their plain ids (`ndcg@10` for "nDCG@10"). With fewer than two queries there are no intervals and no
    comparisons. An error: two runs with the same name, and a metric that does not exist or is not among those scored.
    """
    metrics = tuple(dict.fromkeys(read_metric(metric_id).metric_id for metric_id in metric_ids))
    paired = metrics if compared is None else tuple(dict.fromkeys(read_metric(each).metric_id for each in compared))
    if strange := [metric for metric in paired if metric not in metrics]:
        raise SettingsError(f'"{strange[0]}" can\'t be compared: it is not among the metrics that are scored')
    if twice := [name for name, n in Counter(run.name for run in runs).items() if n > 1]:
        raise InputError(f'two runs are called "{twice[0]}": give one of them another name')
    asked = [query.query_id for query in collection.of_split(split)]
    judged = Judged.of(collection.judgments, collection.doc_ids, asked)
    values = [per_query(run, judged, metrics, compat=compat) for run in runs]
    samples = _samples(values, metrics, len(judged), seed)
    scores = tuple(
        RunScores(
            name=run.name,
            values={metric: float(values[i][metric].mean()) if len(judged) else None for metric in metrics},
            intervals={metric: percentile_intervals(drawn[:, [i]])[0] for metric, drawn in samples.items()},
            per_query=values[i],
            n_unanswered=len(judged) - n_answered(run, judged.query_ids),
        )
        for i, run in enumerate(runs)
    )
    return Leaderboard(
        scores=scores,
        comparisons=_comparisons(scores, {metric: samples[metric] for metric in paired if samples}, seed),
        query_ids=judged.query_ids,
        n_queries=len(asked),
        n_without_judgments=judged.n_without,
        warnings=tuple(_warnings(runs, scores, collection, judged, compat)),
    )


def _samples(
    values: Sequence[Mapping[str, Floats]], metrics: Sequence[str], n_queries: int, seed: int
) -> dict[str, Floats]:
    """Means over resampled queries: per metric a row per resample and a column per run."""
    if n_queries < 2 or not values or not metrics:
        return {}
    means = bootstrap_means(np.stack([each[metric] for metric in metrics for each in values], axis=1), seed=seed)
    return {metric: means[:, i * len(values) : (i + 1) * len(values)] for i, metric in enumerate(metrics)}


def _comparisons(scores: Sequence[RunScores], samples: Mapping[str, Floats], seed: int) -> tuple[RunComparison, ...]:
    """Every pair on every metric; all of them under the same signs and the same resamples."""
    couples = list(combinations(range(len(scores)), 2))
    if not couples or not samples:
        return ()
    n = len(scores)
    matrix = np.stack([run.per_query[metric] for metric in samples for run in scores], axis=1)
    pairs = [(at * n + a, at * n + b) for at in range(len(samples)) for a, b in couples]
    p = randomization_p(matrix, pairs, seed=seed).reshape(len(samples), -1)
    means = matrix.mean(axis=0)
    out = []
    first, second = np.array(couples).T
    for at, (metric, drawn) in enumerate(samples.items()):
        intervals = percentile_intervals(drawn[:, second] - drawn[:, first])
        for place, ((a, b), corrected) in enumerate(zip(couples, holm(p[at]), strict=True)):
            difference = float(means[at * n + b] - means[at * n + a])
            alone = float(p[at, place])
            out.append(
                RunComparison(
                    scores[a].name, scores[b].name, metric, difference, intervals[place], alone, float(corrected)
                )
            )
    return tuple(out)


def _warnings(
    runs: Sequence[Run], scores: Sequence[RunScores], collection: Collection, judged: Judged, compat: Compat | None
) -> list[str]:
    said = [*_about_queries(judged), *_about_judgments(judged)]
    for run, scored in zip(runs, scores, strict=True):
        if n := scored.n_unanswered:
            of, it = _n(len(judged), "judged query"), "it counts" if n == 1 else "they count"
            said.append(f'"{run.name}" has no document for {n:,} of {of}: {it} 0.')
        said += _strangers(run, collection)
    if compat is not None:
        said.append(f"Scored as {compat} does, to compare with its published tables; other numbers here differ.")
    return said


def _n(n: int, noun: str) -> str:
    """A number of things: 1 query, 2 queries."""
    if n == 1:
        return f"1 {noun}"
    return f"{n:,} {noun[:-1]}ies" if noun.endswith("y") else f"{n:,} {noun}s"


def _about_queries(judged: Judged) -> list[str]:
    n, out = len(judged), []
    if judged.n_without:
        whole = _n(n + judged.n_without, "query")
        out.append(f"{judged.n_without:,} of {whole} without a relevant document: left out.")
    if n == 0:
        out.append("No query has a relevant document: there is nothing to score.")
    elif n < FEW_QUERIES:
        verb = "is" if n == 1 else "are"
        out.append(f"Only {_n(n, 'query')} {verb} scored: intervals are wide, and few differences can be clear.")
    return out


def _about_judgments(judged: Judged) -> list[str]:
    out = []
    if n_outside := int(judged.n_outside.sum()):
        of = _n(int(np.count_nonzero(judged.n_outside)), "query")
        out.append(
            f"{_n(n_outside, 'relevant document')} of {of} not in the collection: no run can find what is not there, "
            "and it counts in recall."
        )
    if judged.n_repeated:
        repeated = _n(judged.n_repeated, "repeated judgment")
        out.append(f"{repeated} of the same query and document: the highest relevance counts.")
    return out


def _strangers(run: Run, collection: Collection) -> list[str]:
    """Queries and documents that the collection does not have."""
    out = []
    if n_queries := len(set(run.query_ids) - set(collection.query_ids)):
        answered = _n(n_queries, "query")
        out.append(f'"{run.name}" answers {answered} that the collection does not have: left out.')
    if run.doc_ids is not collection.doc_ids and run.doc_ids != collection.doc_ids:
        strange = np.array([doc_id not in collection.row_of for doc_id in run.doc_ids], dtype=np.bool_)
        if len(run.rows) and (n_documents := int(np.count_nonzero(strange[run.rows]))):
            out.append(
                f'"{run.name}" has {_n(n_documents, "place")} with a document that the collection does not have: '
                "not relevant."
            )
    return out
