"""Grades beside what the rest of this tool measures: regions of semantic precision, the core set, similarity."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.errors import MisalignedError
from core.judging.agreement import Agreed, cohen_kappa
from core.ranking.significance import Interval, percentile_range, wilson
from core.types import Floats

N_RESAMPLED = 1_000
MOST_RESAMPLED = 2_000
"""Publications beyond which no range is worked out: it would be narrow, and slow."""


@dataclass(frozen=True, slots=True)
class AcceptedShare:
    """How many publications of one grade a region accepts."""

    points: int
    n: int
    n_accepted: int

    @property
    def share(self) -> float:
        return self.n_accepted / self.n

    @property
    def interval(self) -> Interval:
        """Wilson, 95 %."""
        return wilson(self.n_accepted, self.n)


@dataclass(frozen=True, slots=True)
class RegionAgreement:
    """A region beside a judge."""

    n: int
    by_grade: tuple[AcceptedShare, ...]
    """Of grades that were given, in ascending order."""
    cut: int
    kappa: Agreed
    """Of "accepted" and "graded at least `cut`"."""
    share_accepted: float | None
    share_relevant: float | None
    """By the judge, at the cut."""


def region_agreement(points: Sequence[int], accepted: Sequence[bool], *, cut: int) -> RegionAgreement:
    """One region's decisions beside grades of the same publications.

    >>> region_agreement([0, 1, 4, 5], [False, False, True, True], cut=3).kappa.value
    1.0
    """
    if len(points) != len(accepted):
        raise MisalignedError(f"{len(points)} grades but {len(accepted)} decisions")
    n, inside = len(points), [int(each) for each in accepted]
    relevant = [int(each >= cut) for each in points]
    return RegionAgreement(
        n,
        tuple(
            AcceptedShare(value, len(there), sum(there))
            for value in sorted(set(points))
            if (there := [one for one, given in zip(inside, points, strict=True) if given == value])
        ),
        cut,
        cohen_kappa(relevant, inside, weights="none"),
        sum(inside) / n if n else None,
        sum(relevant) / n if n else None,
    )


@dataclass(frozen=True, slots=True)
class CoreAgreement:
    """Grades of core publications beside those of the others."""

    n_core: int
    n_others: int
    mean_core: float | None
    mean_others: float | None
    difference: float | None
    interval: Interval | None
    """Of the difference, over resampled publications; None: too few."""
    core_above: float | None
    """How often a core publication is graded higher than another; equal grades count half."""
    reason: str = ""


def core_agreement(points: Sequence[int], is_core: Sequence[bool], *, seed: int = 0) -> CoreAgreement:
    """Whether the judge sees in the core what makes it the core.

    >>> core_agreement([5, 3, 3, 0], [True, True, False, False]).core_above
    0.875
    """
    if len(points) != len(is_core):
        raise MisalignedError(f"{len(points)} grades but {len(is_core)} publications")
    given = np.array(points, dtype=np.float64)
    mask = np.array(is_core, dtype=np.bool_)
    core, others = given[mask], given[~mask]
    mean_core, mean_others = (float(part.mean()) if len(part) else None for part in (core, others))
    if mean_core is None or mean_others is None:
        missing = "no core publication" if not len(core) else "none but core publications"
        return CoreAgreement(
            len(core), len(others), mean_core, mean_others, None, None, None, f"{missing} among what was graded"
        )
    ranks = midranks(given)
    above = (ranks[mask].sum() - len(core) * (len(core) + 1) / 2) / (len(core) * len(others))
    difference = mean_core - mean_others
    return CoreAgreement(
        len(core), len(others), mean_core, mean_others, difference, _difference_range(core, others, seed), float(above)
    )


def _difference_range(core: Floats, others: Floats, seed: int) -> Interval | None:
    if min(len(core), len(others)) < 2 or len(core) + len(others) > MOST_RESAMPLED:
        return None
    rng = np.random.default_rng((seed, 3))
    means = [rng.choice(part, (N_RESAMPLED, len(part))).mean(axis=1) for part in (core, others)]
    return percentile_range(means[0] - means[1])


@dataclass(frozen=True, slots=True)
class RankCorrelation:
    """Spearman's, and how far it moves with the publications."""

    value: float | None
    n: int
    interval: Interval | None = None
    reason: str = ""


def rank_correlation(first: Sequence[float], second: Sequence[float], *, seed: int = 0) -> RankCorrelation:
    """1: the same order, -1: the opposite one, 0: no connection. Undefined below 3, or where all are the same.

    >>> rank_correlation([1, 2, 3], [10, 40, 90]).value
    1.0
    """
    if len(first) != len(second):
        raise MisalignedError(f"{len(first)} values of one but {len(second)} of the other")
    a, b = np.array(first, dtype=np.float64), np.array(second, dtype=np.float64)
    if len(a) < 3:
        return RankCorrelation(None, len(a), None, "needs 3 publications")
    value = _spearman(a, b)
    if value is None:
        return RankCorrelation(None, len(a), None, "all grades or all similarities are the same")
    if len(a) > MOST_RESAMPLED:
        return RankCorrelation(value, len(a))
    rng = np.random.default_rng((seed, 4))
    drawn = (rng.integers(0, len(a), len(a)) for _ in range(N_RESAMPLED // 4))
    found = [_spearman(a[rows], b[rows]) for rows in drawn]
    return RankCorrelation(
        value, len(a), percentile_range(np.array([np.nan if each is None else each for each in found]))
    )


def _spearman(a: Floats, b: Floats) -> float | None:
    first, second = midranks(a), midranks(b)
    first, second = first - first.mean(), second - second.mean()
    length = float(np.sqrt((first @ first) * (second @ second)))
    return max(-1.0, min(1.0, float(first @ second) / length)) if length else None


def midranks(values: Floats) -> Floats:
    """Ranks from 1; equal values share the mean of theirs.

    >>> midranks(np.array([3.0, 1.0, 3.0])).tolist()
    [2.5, 1.0, 2.5]
    """
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    ranks: Floats = (last - (counts - 1) / 2)[place]
    return ranks
