"""What runs are worth on a collection: every metric with its interval, and which differences are clear."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.types import Floats, Ids
from core.uncertainty import Interval

DEFAULT_METRICS = ("hit@1", "hit@5", "recall@20", "precision@10", "mrr", "map", "ndcg@10", "rprec")


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
