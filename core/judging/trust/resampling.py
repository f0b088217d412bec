"""What was measured pair by pair, with a range over the queries that the pairs come from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.errors import MisalignedError
from core.ranking.significance import CELLS, N_BOOTSTRAP, Interval, percentile_intervals, percentile_range, wilson
from core.types import Floats

ONE_QUERY = "all of it comes from one query"
NOTHING = "nothing could be compared"


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean, and how far it moves with the queries."""

    value: float | None
    """None: there is nothing to take a mean of."""
    n: int
    interval: Interval | None = None
    reason: str = ""
    """Why there is no value, or no interval."""


def clustered_mean(values: Sequence[float], query_ids: Sequence[str], *, seed: int = 0) -> Estimate:
    """The mean of all values; its range is the middle 95 % over resampled queries, whose values stay together.

    No range where all values come from one query.

    >>> clustered_mean([1.0, 0.0], ["q", "q"])
    Estimate(value=0.5, n=2, interval=None, reason='all of it comes from one query')
    """
    if len(values) != len(query_ids):
        raise MisalignedError(f"{len(values)} values but {len(query_ids)} queries")
    if not values:
        return Estimate(None, 0, None, NOTHING)
    mean = float(np.mean(values))
    sums = _by_query([np.asarray(values, dtype=np.float64), np.ones(len(values))], query_ids)
    if len(sums) < 2:
        return Estimate(mean, len(values), None, ONE_QUERY)
    total, size = _resampled(sums, seed)
    (interval,) = percentile_intervals((total / size)[:, None])
    return Estimate(mean, len(values), interval)


def kappa_range(
    first: Sequence[int], second: Sequence[int], query_ids: Sequence[str], *, seed: int = 0
) -> Interval | None:
    """The middle 95 % of quadratic-weighted kappa over resampled queries, whose pairs stay together.

    None: all of it comes from one query, or too often both gave all that was drawn the same points.

    >>> kappa_range([0, 5, 0, 5], [0, 5, 0, 5], ["a", "a", "b", "b"])
    Interval(low=1.0, high=1.0)
    """
    if not len(first) == len(second) == len(query_ids):
        raise MisalignedError(f"{len(first)} and {len(second)} grades but {len(query_ids)} queries")
    a, b = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    sums = _by_query([np.ones(len(a)), (a - b) ** 2, a * a + b * b, a, b], query_ids)
    if len(sums) < 2:
        return None
    n, apart, squares, sum_a, sum_b = _resampled(sums, seed)
    expected = n * squares - 2 * sum_a * sum_b
    apart_by_chance = np.where(expected > 0, expected, np.nan)
    return percentile_range(1 - n * apart / apart_by_chance)


def _by_query(columns: Sequence[Floats], query_ids: Sequence[str]) -> Floats:
    """The sum of every column for every query."""
    place = {query_id: at for at, query_id in enumerate(sorted(set(query_ids)))}
    cluster = np.array([place[query_id] for query_id in query_ids], dtype=np.intp)
    return np.stack([np.bincount(cluster, weights=column) for column in columns], axis=1)


def _resampled(sums: Floats, seed: int) -> Floats:
    """Every column summed over as many queries as there are, drawn anew each time."""
    n, rng = len(sums), np.random.default_rng((seed, 2))
    found: list[Floats] = []
    step = max(1, CELLS // n)
    for start in range(0, N_BOOTSTRAP, step):
        drawn = rng.integers(0, n, size=(min(step, N_BOOTSTRAP - start), n))
        found.append(np.stack([column[drawn].sum(axis=1) for column in sums.T]))
    return np.concatenate(found, axis=1)


def clustered_share(holds: Sequence[bool], query_ids: Sequence[str], *, seed: int = 0) -> Estimate:
    """The share of what holds, with a range as `clustered_mean` has it.

    Where all or nothing holds, resampling finds no range at all: it is Wilson's then, as if each query were one case.

    >>> low, high = clustered_share([True, True, True], ["a", "b", "c"]).interval
    >>> round(low, 2), high
    (0.44, 1.0)
    """
    found = clustered_mean([float(each) for each in holds], query_ids, seed=seed)
    if found.interval is None or found.value not in (0.0, 1.0):
        return found
    n = len(set(query_ids))
    return replace(found, interval=wilson(n if found.value else 0, n))
