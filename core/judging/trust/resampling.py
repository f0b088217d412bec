"""Means of what was measured pair by pair, with a range over the queries that the pairs come from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.errors import MisalignedError
from core.ranking.significance import CELLS, N_BOOTSTRAP, percentile_intervals
from core.types import Floats
from core.uncertainty import Interval, wilson

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
    names, cluster = np.unique(np.asarray(query_ids, dtype=object).astype(str), return_inverse=True)
    if len(names) < 2:
        return Estimate(mean, len(values), None, ONE_QUERY)
    sums = np.bincount(cluster, weights=values).astype(np.float64)
    sizes = np.bincount(cluster).astype(np.float64)
    means = _resampled(sums, sizes, seed)
    (interval,) = percentile_intervals(means[:, None])
    return Estimate(mean, len(values), interval)


def _resampled(sums: Floats, sizes: Floats, seed: int) -> Floats:
    """Sum over size, each for as many clusters as there are, drawn anew."""
    n, rng = len(sums), np.random.default_rng((seed, 2))
    found: list[Floats] = []
    step = max(1, CELLS // n)
    for start in range(0, N_BOOTSTRAP, step):
        drawn = rng.integers(0, n, size=(min(step, N_BOOTSTRAP - start), n))
        found.append(sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1))
    return np.concatenate(found)


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
