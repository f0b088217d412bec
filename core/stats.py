"""Statistics shared by several rooms: significance tests, bootstrap intervals, and agreement between raters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from core.errors import MisalignedError, SettingsError
from core.metrics import Metric
from core.types import Floats

# Clear differences between runs: paired randomization, bootstrap over queries, Holm's correction.
#
# Values form a matrix with a row per query and a column per run (or per run and metric). All columns share their signs
# and their resampled queries, so a pair costs no more than its two columns.

N_RANDOMIZED = 10_000
N_BOOTSTRAP = 2_000
EXACT_QUERIES = 14
"""Up to this many queries, every pattern of signs is tried instead of a sample."""
CELLS = 1 << 22
"""Number of signs or counts held in memory at once."""
ROUNDING = 1e-9
"""Two sums whose difference, relative to their terms, is smaller are the same sum in another order."""

Pair = tuple[int, int]


def randomization_p(values: Floats, pairs: Sequence[Pair], *, n: int = N_RANDOMIZED, seed: int = 0) -> Floats:
    """Return the two-sided p of the paired randomization test for each pair of columns.

    p is how often a mean difference at least as large arises when a coin decides, for each query, which run is which.
    Formula: (such resamples + 1) / (resamples + 1); with at most 14 queries their share among all patterns of signs. 1
    for a run against itself. Reference: Smucker, Allan and Carterette (2007).

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
        # A signed sum is twice the sum of the selected values minus the total.
        sums = 2 * (kept @ values) - values.sum(axis=0)
        n_as_large += np.count_nonzero(np.abs(sums[:, b] - sums[:, a]) >= least, axis=0)
    return n_as_large / total if exact else (n_as_large + 1) / (total + 1)


def _patterns(start: int, stop: int, n_queries: int) -> Floats:
    return (np.arange(start, stop)[:, None] >> np.arange(n_queries) & 1).astype(np.float64)


def _coins(rng: np.random.Generator, n_rows: int, n_queries: int) -> Floats:
    """Draw zeros and ones; the coins of a row do not depend on the number of rows drawn at once."""
    width = -(-n_queries // 8)
    thrown = np.frombuffer(rng.bytes(n_rows * width), dtype=np.uint8).reshape(n_rows, width)
    return np.unpackbits(thrown, axis=1, count=n_queries).astype(np.float64)


def bootstrap_means(values: Floats, *, n: int = N_BOOTSTRAP, seed: int = 0) -> Floats:
    """Return the means of each column over resampled queries, a row per resample. Columns share their resamples.

    The difference of two columns of the result is the bootstrap of their paired difference.
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
    """Return the middle 95 % of each column."""
    if not samples.shape[1]:
        return []
    low, high = np.quantile(samples, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
    return [Interval(float(one), float(other)) for one, other in zip(low, high, strict=True)]


def holm(p: Sequence[float] | Floats) -> Floats:
    """Correct p values for the number of tests made together (Holm): the order stays, and no p falls.

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
"""An interval is reported only if the region exists in more than this share of the resamples."""


class Interval(NamedTuple):
    low: float
    high: float

    @property
    def width(self) -> float:
        return self.high - self.low

    @property
    def excludes_zero(self) -> bool:
        return self.low > 0 or self.high < 0

    def holding(self, value: float) -> Interval:
        """Return the interval, extended to a value that lies outside, such as that of the whole sample."""
        return Interval(min(self.low, value), max(self.high, value))


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean, a share or a correlation, with its uncertainty."""

    value: float | None
    """None: it is undefined."""
    n: int
    """Number of cases that it is computed from: queries, pairs, publications."""
    interval: Interval | None = None
    reason: str = ""
    """The reason for a missing value or interval."""


def wilson(n_found: int, n: int) -> Interval:
    """Return Wilson's score interval of a proportion.

    Formula: (p + z²/2n ± z·sqrt(p(1-p)/n + z²/4n²)) / (1 + z²/n). Reference: Wilson (1927).

    >>> low, high = wilson(18, 20)
    >>> round(low, 2), round(high, 2)
    (0.7, 0.97)
    """
    p, share = n_found / n, Z_95 * Z_95 / n
    middle = p + share / 2
    half = Z_95 * np.sqrt(p * (1 - p) / n + share / (4 * n))
    low, high = (middle - half) / (1 + share), (middle + half) / (1 + share)
    return Interval(max(0.0, min(float(low), p)), min(1.0, max(float(high), p)))


def newcombe(n_a: int, of_a: int, n_b: int, of_b: int) -> Interval:
    """Return Newcombe's hybrid score interval of a difference of two independent proportions, B minus A.

    Formula: d - sqrt((pB - lB)² + (uA - pA)²) to d + sqrt((uB - pB)² + (pA - lA)²), with l and u the ends of Wilson's
    intervals. Reference: Newcombe (1998), method 10.

    >>> low, high = newcombe(48, 80, 56, 70)
    >>> round(low, 4), round(high, 4)
    (0.0524, 0.3339)
    """
    a, b = wilson(n_a, of_a), wilson(n_b, of_b)
    p_a, p_b = n_a / of_a, n_b / of_b
    low = p_b - p_a - np.hypot(p_b - b.low, a.high - p_a)
    high = p_b - p_a + np.hypot(b.high - p_b, p_a - a.low)
    return Interval(float(low), float(high))


def percentile_range(values: Floats) -> Interval | None:
    """Return the middle 95 % of the defined values, or None if too few are defined."""
    defined = values[~np.isnan(values)]
    if len(defined) <= MIN_DEFINED * len(values):
        return None
    low, high = np.quantile(defined, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Interval(float(low), float(high))


# Agreement between judges who use the same scale. AGREEMENTS holds the definition of each number.

Weights = Literal["none", "quadratic"]
Level = Literal["nominal", "ordinal", "interval"]
LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval")


_CHANCE = "-1 to 1; 0: no better than chance, 1: full agreement"
_NO_PAIR = "– if nothing was judged by both"

AGREEMENTS: dict[str, Metric] = {
    metric.metric_id: metric
    for metric in (
        Metric(
            "raw",
            "Raw agreement",
            "Share of pairs judged by both that got the same points.",
            "pairs with the same points / pairs",
            f"{_NO_PAIR}.",
            "also known as percent agreement",
        ),
        Metric(
            "within_one",
            "Within one point",
            "Share of pairs judged by both that are at most one point apart.",
            "pairs at most one point apart / pairs",
            f"{_NO_PAIR}.",
            "also known as adjacent agreement",
        ),
        Metric(
            "kappa",
            "Cohen's kappa",
            "Agreement of two judges beyond what chance would give; every difference counts the same.",
            "(observed agreement - expected agreement) / (1 - expected agreement)",
            f"{_NO_PAIR}, or both gave everything the same points.",
            "Cohen (1960)",
            range=_CHANCE,
        ),
        Metric(
            "kappa_quadratic",
            "Weighted kappa",
            "Agreement of two judges beyond chance; differences are squared, so near misses count little.",
            "1 - mean squared difference / mean squared difference if the same points were shuffled",
            f"{_NO_PAIR}, or both gave everything the same points.",
            "Cohen (1968), with quadratic weights",
            range=_CHANCE,
        ),
        Metric(
            "alpha_ordinal",
            "Krippendorff's alpha",
            "Agreement of any number of judges beyond chance, on points that have an order; gaps are left out.",
            "1 - observed disagreement / expected disagreement, by how many ratings lie between two points",
            "– if nothing was judged by two, or all points are the same.",
            "Krippendorff (2011), ordinal",
            range="below 0: less than chance; 0: chance, 1: full agreement",
        ),
    )
}


@dataclass(frozen=True, slots=True)
class JudgeAgreement:
    """An agreement between judges."""

    value: float | None
    """None: undefined."""
    n: int
    """Number of items judged by at least two judges."""
    reason: str = ""
    """The reason why the value is undefined."""


NOTHING_COMMON = "nothing was judged by both"
ALL_THE_SAME = "both gave everything the same points, so chance and agreement can't be separated"


def raw_agreement(first: Sequence[int], second: Sequence[int], *, within: int = 0) -> JudgeAgreement:
    """Return the share of pairs that are at most `within` points apart: 0, none; 1, all. Undefined without a pair.

    >>> raw_agreement([1, 2, 5], [1, 3, 3], within=1).value
    0.6666666666666666
    """
    n = _n_pairs(first, second)
    if not n:
        return JudgeAgreement(None, 0, NOTHING_COMMON)
    return JudgeAgreement(sum(abs(a - b) <= within for a, b in zip(first, second, strict=True)) / n, n)


def base_rates(points: Sequence[int]) -> Mapping[int, float]:
    """Return the share of each value among the points that one judge gave, by value.

    >>> base_rates([1, 3, 3, 3])
    {1: 0.25, 3: 0.75}
    """
    return {value: n / len(points) for value, n in sorted(Counter(points).items())}


def cohen_kappa(first: Sequence[int], second: Sequence[int], *, weights: Weights) -> JudgeAgreement:
    """Return the agreement of two judges beyond chance: 1, complete; 0, as by chance; below 0, less than by chance.

    `weights`: with "quadratic" a difference counts by its square, with "none" every difference counts the same.
    Undefined without a pair, and if both judges gave every item the same points. Computed in integers, so no rounding
    error occurs.

    >>> cohen_kappa([1, 2, 3, 4], [1, 2, 4, 3], weights="quadratic").value
    0.8
    """
    n = _n_pairs(first, second)
    if not n:
        return JudgeAgreement(None, 0, NOTHING_COMMON)
    if weights == "quadratic":
        observed = n * sum((a - b) ** 2 for a, b in zip(first, second, strict=True))
        squares = sum(a * a for a in first) + sum(b * b for b in second)
        expected = n * squares - 2 * sum(first) * sum(second)
    elif weights == "none":
        observed = n * sum(a != b for a, b in zip(first, second, strict=True))
        counts = Counter(second)
        expected = n * n - sum(n_first * counts[value] for value, n_first in Counter(first).items())
    else:
        raise SettingsError(f'weights must be "none" or "quadratic", got "{weights}"')
    return JudgeAgreement(1 - observed / expected, n) if expected else JudgeAgreement(None, n, ALL_THE_SAME)


def _n_pairs(first: Sequence[int], second: Sequence[int]) -> int:
    if len(first) != len(second):
        raise MisalignedError(f"{len(first)} judgments of one but {len(second)} of the other")
    return len(first)


def krippendorff_alpha(units: Sequence[Sequence[int]], *, level: Level) -> JudgeAgreement:
    """Return the agreement of any number of judges beyond chance. `units`: the points given to each item, without gaps.

    1: complete; 0: as by chance. Items with a single judgment carry no information and are left out. Undefined if no
    item is left, and if all points are the same. Formula: 1 - (n - 1) * sum o(a, b) d(a, b) / sum n(a) n(b) d(a, b),
    with o the pairs within an item, n(a) how often a was given among them, d the square of a difference. Reference:
    Krippendorff (2011).

    >>> krippendorff_alpha([[1, 1], [2, 2], [3, 3, 3]], level="ordinal").value
    1.0
    """
    if level not in LEVELS:
        raise SettingsError(f'level must be one of {", ".join(LEVELS)}, got "{level}"')
    counted = [Counter(unit) for unit in units if len(unit) > 1]
    if not counted:
        return JudgeAgreement(None, 0, "nothing was judged by two")
    totals = sum(counted, Counter[int]())
    distance = _distances(totals, level)
    observed = sum(
        n_a * n_b * distance[a, b] / (unit.total() - 1)
        for unit in counted
        for a, n_a in unit.items()
        for b, n_b in unit.items()
    )
    expected = sum(n_a * n_b * distance[a, b] for a, n_a in totals.items() for b, n_b in totals.items())
    if not expected:
        return JudgeAgreement(None, len(counted), "all points are the same, so chance and agreement can't be separated")
    return JudgeAgreement(1 - (totals.total() - 1) * observed / expected, len(counted))


def _distances(totals: Counter[int], level: Level) -> Mapping[tuple[int, int], float]:
    """Return the squared difference of every two values."""
    values = sorted(totals)
    if level == "ordinal":
        # The position of a value is the middle of its ratings when all ratings are sorted.
        places, before = {}, 0
        for value in values:
            places[value] = before + totals[value] / 2
            before += totals[value]
        return {(a, b): (places[a] - places[b]) ** 2 for a in values for b in values}
    if level == "interval":
        return {(a, b): float((a - b) ** 2) for a in values for b in values}
    return {(a, b): float(a != b) for a in values for b in values}
