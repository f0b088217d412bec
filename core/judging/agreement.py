"""How far judges who use the same scale agree. AGREEMENTS: what each number says about itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from core.errors import MisalignedError, SettingsError

Weights = Literal["none", "quadratic"]
Level = Literal["nominal", "ordinal", "interval"]
LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval")


@dataclass(frozen=True, slots=True)
class JudgeMetric:
    """The definition of a number, in the words that tooltips, tables and the About page use."""

    metric_id: str
    label: str
    sentence: str
    formula: str
    range: str
    undefined: str
    reference: str
    higher_is_better: bool = True


_CHANCE = "-1 to 1; 0: no better than chance, 1: they agree in everything"
_NO_PAIR = "– if nothing was judged by both"

AGREEMENTS: dict[str, JudgeMetric] = {
    metric.metric_id: metric
    for metric in (
        JudgeMetric(
            "raw",
            "Raw agreement",
            "Share of what both judged that they gave the same points.",
            "pairs with the same points / pairs",
            "0 to 1",
            f"{_NO_PAIR}.",
            "also known as percent agreement",
        ),
        JudgeMetric(
            "within_one",
            "Within one point",
            "Share of what both judged on which they are at most one point apart.",
            "pairs at most one point apart / pairs",
            "0 to 1",
            f"{_NO_PAIR}.",
            "also known as adjacent agreement",
        ),
        JudgeMetric(
            "kappa",
            "Cohen's kappa",
            "Agreement of two judges beyond what chance would give; every difference counts the same.",
            "(observed agreement - expected agreement) / (1 - expected agreement)",
            _CHANCE,
            f"{_NO_PAIR}, or both gave everything the same points.",
            "Cohen (1960)",
        ),
        JudgeMetric(
            "kappa_quadratic",
            "Weighted kappa",
            "Agreement of two judges beyond chance; a difference counts by its square, so that near is almost agreed.",
            "1 - mean squared difference / mean squared difference if the same points were shuffled",
            _CHANCE,
            f"{_NO_PAIR}, or both gave everything the same points.",
            "Cohen (1968), with quadratic weights",
        ),
        JudgeMetric(
            "alpha_ordinal",
            "Krippendorff's alpha",
            "Agreement of any number of judges beyond chance, on points that have an order; gaps are left out.",
            "1 - observed disagreement / expected disagreement, by how many ratings lie between two points",
            "below 0: less than chance; 0: chance, 1: they agree in everything",
            "– if nothing was judged by two, or all points are the same.",
            "Krippendorff (2011), ordinal",
        ),
    )
}


@dataclass(frozen=True, slots=True)
class Agreed:
    """How far judges agree."""

    value: float | None
    """None: it is not defined."""
    n: int
    """What was judged by at least two."""
    reason: str = ""
    """Why it is not defined."""


NOTHING_COMMON = "nothing was judged by both"
ALL_THE_SAME = "both gave everything the same points, so that chance can't be told from agreement"


def raw_agreement(first: Sequence[int], second: Sequence[int], *, within: int = 0) -> Agreed:
    """Share of pairs that are at most so many points apart: 0, none; 1, all. Undefined without a pair.

    >>> raw_agreement([1, 2, 5], [1, 3, 3], within=1).value
    0.6666666666666666
    """
    n = _n_pairs(first, second)
    if not n:
        return Agreed(None, 0, NOTHING_COMMON)
    return Agreed(sum(abs(a - b) <= within for a, b in zip(first, second, strict=True)) / n, n)


def base_rates(points: Sequence[int]) -> Mapping[int, float]:
    """The share of each value among what one judge gave, by value.

    >>> base_rates([1, 3, 3, 3])
    {1: 0.25, 3: 0.75}
    """
    return {value: n / len(points) for value, n in sorted(Counter(points).items())}


def cohen_kappa(first: Sequence[int], second: Sequence[int], *, weights: Weights) -> Agreed:
    """Agreement of two judges beyond chance: 1, in everything; 0, as chance would; below, less than that.

    `weights`: with "quadratic" a difference counts by its square, with "none" each counts the same. Undefined without
    a pair, and where both gave everything the same points. Counted in whole numbers, so nothing is lost by rounding.

    >>> cohen_kappa([1, 2, 3, 4], [1, 2, 4, 3], weights="quadratic").value
    0.8
    """
    n = _n_pairs(first, second)
    if not n:
        return Agreed(None, 0, NOTHING_COMMON)
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
    return Agreed(1 - observed / expected, n) if expected else Agreed(None, n, ALL_THE_SAME)


def _n_pairs(first: Sequence[int], second: Sequence[int]) -> int:
    if len(first) != len(second):
        raise MisalignedError(f"{len(first)} judgments of one but {len(second)} of the other")
    return len(first)


def krippendorff_alpha(units: Sequence[Sequence[int]], *, level: Level) -> Agreed:
    """Agreement of any number of judges beyond chance. `units`: the points that each thing was given, gaps left out.

    1: in everything; 0: as chance would. What only one judged says nothing and is left out. Undefined where nothing is
    left, and where all points are the same. Formula: 1 - (n - 1) * sum o(a, b) d(a, b) / sum n(a) n(b) d(a, b), with o
    the pairs within a thing, n(a) how often a was given among them, d the square of a difference. Reference:
    Krippendorff (2011).

    >>> krippendorff_alpha([[1, 1], [2, 2], [3, 3, 3]], level="ordinal").value
    1.0
    """
    if level not in LEVELS:
        raise SettingsError(f'level must be one of {", ".join(LEVELS)}, got "{level}"')
    counted = [Counter(unit) for unit in units if len(unit) > 1]
    if not counted:
        return Agreed(None, 0, "nothing was judged by two")
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
        return Agreed(None, len(counted), "all points are the same, so that chance can't be told from agreement")
    return Agreed(1 - (totals.total() - 1) * observed / expected, len(counted))


def _distances(totals: Counter[int], level: Level) -> Mapping[tuple[int, int], float]:
    """The square of the difference of every two values."""
    values = sorted(totals)
    if level == "ordinal":
        # A value stands in the middle of those that were given it, when all are put in a row.
        places, before = {}, 0
        for value in values:
            places[value] = before + totals[value] / 2
            before += totals[value]
        return {(a, b): (places[a] - places[b]) ** 2 for a in values for b in values}
    if level == "interval":
        return {(a, b): float((a - b) ** 2) for a in values for b in values}
    return {(a, b): float(a != b) for a in values for b in values}
