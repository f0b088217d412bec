"""Which differences between runs are clear: paired randomization, bootstrap over queries, Holm's correction.

Values stand as a matrix, a row per query and a column per run (or per run and metric). All columns share their signs
and their resampled queries, so that a pair costs no more than its two columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from core.types import Floats

N_RANDOMIZED = 10_000
N_BOOTSTRAP = 2_000
EXACT_QUERIES = 14
"""Up to so many queries, every pattern of signs is tried instead of a sample of them."""
CELLS = 1 << 22
"""How many signs or counts are held at once."""
ROUNDING = 1e-9
"""Two sums that differ by less, relative to what they sum, are the same sum in another order."""

Pair = tuple[int, int]


def randomization_p(values: Floats, pairs: Sequence[Pair], *, n: int = N_RANDOMIZED, seed: int = 0) -> Floats:
    """p of the paired randomization test for each pair of columns, two-sided.

    How often a mean difference at least as large comes about when, for each query, it is a coin that says which run is
    which. Formula: (such resamples + 1) / (resamples + 1); with at most 14 queries their share among all patterns of
    signs. 1 for a run against itself. Reference: Smucker, Allan and Carterette (2007).

    >>> values = np.array([[0.0, 1.0]] * 5)
    >>> float(randomization_p(values, [(0, 1)])[0])
    0.0625
    """
    n_queries = len(values)
    if not n_queries or not pairs:
        return np.ones(len(pairs))
    a, b = np.array(pairs).T
    differences = values[:, b] - values[:, a]
    least = np.abs(differences.sum(axis=0)) - ROUNDING * np.abs(differences).sum(axis=0)
    exact = n_queries <= EXACT_QUERIES
    total = 2**n_queries if exact else n
    rng = np.random.default_rng((seed, 0))
    n_as_large = np.zeros(len(pairs), dtype=np.int64)
    step = max(1, CELLS // n_queries)
    for start in range(0, total, step):
        stop = min(start + step, total)
        kept = _patterns(start, stop, n_queries) if exact else _coins(rng, stop - start, n_queries)
        # A sum with signs is twice what is kept less the whole.
        sums = 2 * (kept @ values) - values.sum(axis=0)
        n_as_large += np.count_nonzero(np.abs(sums[:, b] - sums[:, a]) >= least, axis=0)
    return n_as_large / total if exact else (n_as_large + 1) / (total + 1)


def _patterns(start: int, stop: int, n_queries: int) -> Floats:
    return (np.arange(start, stop)[:, None] >> np.arange(n_queries) & 1).astype(np.float64)


def _coins(rng: np.random.Generator, n_rows: int, n_queries: int) -> Floats:
    """Zeros and ones; a row's coins do not depend on how many rows are drawn at once."""
    width = -(-n_queries // 8)
    thrown = np.frombuffer(rng.bytes(n_rows * width), dtype=np.uint8).reshape(n_rows, width)
    return np.unpackbits(thrown, axis=1, count=n_queries).astype(np.float64)


def bootstrap_means(values: Floats, *, n: int = N_BOOTSTRAP, seed: int = 0) -> Floats:
    """Means of each column over resampled queries, a row per resample. Columns share their resamples.

    The difference of two columns of the outcome is the bootstrap of their paired difference.
    """
    n_queries, n_columns = values.shape
    rng = np.random.default_rng((seed, 1))
    means = np.empty((n, n_columns))
    step = max(1, CELLS // max(n_queries, 1))
    for start in range(0, n, step):
        n_rows = min(step, n - start)
        drawn = rng.integers(0, n_queries, size=(n_rows, n_queries))
        drawn += np.arange(n_rows)[:, None] * n_queries
        counts = np.bincount(drawn.ravel(), minlength=n_rows * n_queries).reshape(n_rows, n_queries)
        means[start : start + n_rows] = counts.astype(np.float64) @ values / n_queries
    return means


def percentile_intervals(samples: Floats) -> list[Interval]:
    """The middle 95 % of each column."""
    if not samples.shape[1]:
        return []
    low, high = np.quantile(samples, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
    return [Interval(float(one), float(other)) for one, other in zip(low, high, strict=True)]


def holm(p: Sequence[float] | Floats) -> Floats:
    """Holm's correction for how many tests were made together: the order stays, and no p falls.

    Formula: the i-th smallest of m times (m - i + 1), at least the one before it, at most 1. Reference: Holm (1979).

    >>> holm([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    given = np.asarray(p, dtype=np.float64)
    order = np.argsort(given, kind="stable")
    raised = np.maximum.accumulate(given[order] * np.arange(len(given), 0, -1))
    corrected = np.empty_like(given)
    corrected[order] = np.minimum(raised, 1.0)
    return corrected


LEVEL = 0.95


Z_95 = 1.959963984540054


MIN_DEFINED = 0.5
"""A range is given only if the region exists in more than this share of the resamples."""


class Interval(NamedTuple):
    low: float
    high: float


def wilson(n_found: int, n: int, *, z: float = Z_95) -> Interval:
    """Wilson's score interval of a proportion.

    Formula: (p + z²/2n ± z·sqrt(p(1-p)/n + z²/4n²)) / (1 + z²/n). Reference: Wilson (1927).

    >>> low, high = wilson(18, 20)
    >>> round(low, 2), round(high, 2)
    (0.7, 0.97)
    """
    p, share = n_found / n, z * z / n
    middle = p + share / 2
    half = z * np.sqrt(p * (1 - p) / n + share / (4 * n))
    low, high = (middle - half) / (1 + share), (middle + half) / (1 + share)
    return Interval(max(0.0, min(float(low), p)), min(1.0, max(float(high), p)))


def percentile_range(values: Floats) -> Interval | None:
    """The middle 95 %, if enough of the values exist."""
    defined = values[~np.isnan(values)]
    if len(defined) <= MIN_DEFINED * len(values):
        return None
    low, high = np.quantile(defined, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Interval(float(low), float(high))
