"""Leaderboards with the numbers that a test wants."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import numpy as np

from core.retrieval.leaderboard import Leaderboard, RunComparison, RunScores
from core.stats import Interval


def a_leaderboard(
    values: Mapping[str, Mapping[str, float | None]],
    *,
    clear: tuple[tuple[str, str], ...] = (),
    n_queries: int = 4,
    n_left_out: int = 1,
    warnings: tuple[str, ...] = (),
) -> Leaderboard:
    """By run and metric. The pairs that are `clear` have a small p on every metric, all others a large one."""
    metrics = list(next(iter(values.values())))
    scores = tuple(
        RunScores(
            name,
            of,
            {metric: Interval(value - 0.1, value + 0.1) for metric, value in of.items() if value is not None},
            {metric: np.full(n_queries, np.nan if value is None else value) for metric, value in of.items()},
        )
        for name, of in values.items()
    )
    comparisons = []
    for metric in metrics:
        for a, b in combinations(values, 2):
            x, y = values[a][metric], values[b][metric]
            if x is not None and y is not None:
                p = 0.001 if (a, b) in clear or (b, a) in clear else 0.6
                comparisons.append(RunComparison(a, b, metric, y - x, Interval(y - x - 0.05, y - x + 0.05), p, p))
    ids = tuple(f"q{n}" for n in range(n_queries))
    return Leaderboard(scores, tuple(comparisons), ids, n_queries + n_left_out, n_left_out, warnings)
