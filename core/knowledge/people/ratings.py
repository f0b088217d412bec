"""What people say of queries on five points: shares with intervals, and how far raters agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from core.judging.agreement import Agreed, cohen_kappa, krippendorff_alpha, raw_agreement
from core.ranking.significance import Interval, percentile_range, wilson
from core.types import Floats
from core.uncertainty import resample_weights

POINTS = (1, 2, 3, 4, 5)
FEW = 10
"""Ratings, or queries, below which a share says little."""
N_RESAMPLES = 2000
AT_ONCE = 100
"""Resamples that are held at once."""


@dataclass(frozen=True, slots=True)
class Quality:
    """Something that a query is rated for."""

    quality_id: str
    label: str
    question: str
    """As a rater is asked."""
    lowest: str
    """What 1 means."""
    highest: str
    """What 5 means."""


QUALITIES: dict[str, Quality] = {
    quality.quality_id: quality
    for quality in (
        Quality(
            "naturalness",
            "Naturalness",
            "Does it read as if a person had written it?",
            "like a machine or a form",
            "like a person's own words",
        ),
        Quality(
            "diversity",
            "Diversity",
            "Is it different from the others shown, in what it asks and in how it asks?",
            "the same as others",
            "unlike any other",
        ),
        Quality(
            "practicality",
            "Practicality",
            "Would somebody really need an answer to it?",
            "nobody would ask this",
            "people do ask this",
        ),
    )
}


@dataclass(frozen=True, slots=True)
class ShareMetric:
    """The definition of a share, in the words that tooltips and tables use."""

    metric_id: str
    label: str
    sentence: str
    formula: str
    lowest: int
    """Points from which on a rating counts."""
    range: str = "0 to 1"
    undefined: str = "– without a rating."
    reference: str = "Wu et al. (2024), STaRK"
    higher_is_better: bool = True


SHARES: dict[str, ShareMetric] = {
    metric.metric_id: metric
    for metric in (
        ShareMetric(
            "positive", "Positive", "Share of ratings with 4 or 5 points.", "ratings of 4 or 5 / all ratings", 4
        ),
        ShareMetric(
            "non_negative",
            "Non-negative",
            "Share of ratings with 3, 4 or 5 points.",
            "ratings of 3, 4 or 5 / all ratings",
            3,
        ),
    )
}

PUBLISHED: Mapping[str, Mapping[str, tuple[float, float]]] = {
    "STaRK Amazon": {"naturalness": (0.736, 0.895), "diversity": (0.684, 0.895), "practicality": (0.895, 0.947)},
    "STaRK MAG": {"naturalness": (0.947, 1.0), "diversity": (0.737, 0.842), "practicality": (0.684, 0.842)},
    "STaRK Prime": {"naturalness": (0.678, 0.928), "diversity": (0.714, 0.821), "practicality": (0.714, 0.893)},
}
"""Positive and non-negative shares of published sets, by quality."""
PUBLISHED_REFERENCE = "Wu et al. (2024), STaRK, Table 10"


@dataclass(frozen=True, slots=True)
class Rating:
    """What one person said of one query."""

    query_id: str
    rater: str
    quality: str
    points: int


@dataclass(frozen=True, slots=True)
class Share:
    """A share of ratings, and how far it can be trusted."""

    value: float | None
    """None: there is no rating."""
    n: int
    """Ratings."""
    n_queries: int
    by_ratings: Interval | None
    """Wilson's interval, which takes every rating for itself."""
    by_queries: Interval | None
    """From queries drawn anew, all ratings of one together; None where none was rated twice, or there is only one."""
    shown: str
    """Which of the two is to be shown, in words."""
    warning: str = ""
    """What has to be known beside the number."""

    @property
    def interval(self) -> Interval | None:
        """The one to be shown."""
        return self.by_queries if self.shown == BY_QUERIES else self.by_ratings


BY_RATINGS = "Wilson 95 % interval"
BY_QUERIES = "bootstrap 95 % interval over queries"


def share_of(ratings: Sequence[Rating], metric_id: str, *, seed: int = 0) -> Share:
    """A share of the ratings of one quality: 0, none of them is so good; 1, all are. None without a rating.

    Where queries were rated by several, their ratings are not independent: then the interval that draws queries anew is
    shown, if there are enough of them and it has a width. Formula: see the metric. Reference: Wilson (1927), Efron
    (1979).

    >>> share_of([Rating("1", "Ada", "diversity", points) for points in (2, 4, 5, 5)], "positive").value
    0.75
    """
    if not ratings:
        return Share(None, 0, 0, None, None, BY_RATINGS, "nothing was rated yet")
    lowest = SHARES[metric_id].lowest
    counted = Counter(rating.query_id for rating in ratings)
    good = Counter(rating.query_id for rating in ratings if rating.points >= lowest)
    n, n_good = len(ratings), good.total()
    is_dependent = max(counted.values()) > 1
    ids = sorted(counted)  # the order of the ratings must not move the interval
    per_query = _column(good[one] for one in ids), _column(counted[one] for one in ids)
    by_queries = _resampled(*per_query, seed) if is_dependent else None
    has_width = by_queries is not None and by_queries.low < by_queries.high
    shown = BY_QUERIES if is_dependent and has_width and len(counted) >= FEW else BY_RATINGS
    warning = _warning(n, len(counted), is_dependent and shown == BY_RATINGS)
    return Share(n_good / n, n, len(counted), wilson(n_good, n), by_queries, shown, warning)


def _column(values: Iterable[int]) -> Floats:
    return np.fromiter(values, dtype=np.float64)


def _resampled(good: Floats, n: Floats, seed: int) -> Interval | None:
    if len(n) < 2:
        return None
    found = []
    for block in range(N_RESAMPLES // AT_ONCE):
        weights = resample_weights(len(n), AT_ONCE, seed=seed + block)
        found.append((weights @ good) / (weights @ n))
    return percentile_range(np.concatenate(found))


def _warning(n: int, n_queries: int, is_too_narrow: bool) -> str:
    if n < FEW:
        return f"only {n} {'rating' if n == 1 else 'ratings'}: this says little"
    if is_too_narrow and n_queries < FEW:
        return f"only {n_queries} {'query' if n_queries == 1 else 'queries'}, each rated more than once: too narrow"
    return "ratings of one query are not independent: the interval may be too narrow" if is_too_narrow else ""


def counts(ratings: Sequence[Rating]) -> tuple[int, ...]:
    """How many ratings there are of each number of points, from 1 to 5."""
    found = Counter(rating.points for rating in ratings)
    return tuple(found[points] for points in POINTS)


# Agreement


@dataclass(frozen=True, slots=True)
class PairAgreement:
    """How far two raters agree on the queries that both rated for one quality."""

    first: str
    second: str
    kappa: Agreed
    """With quadratic weights."""
    within_one: Agreed


def pair_agreements(ratings: Sequence[Rating]) -> tuple[PairAgreement, ...]:
    """Every two raters, by name. The ratings are of one quality."""
    given = _by_rater(ratings)
    found = []
    for first, second in combinations(sorted(given), 2):
        common = sorted(given[first].keys() & given[second].keys())
        a, b = ([given[rater][query_id] for query_id in common] for rater in (first, second))
        kappa = cohen_kappa(a, b, weights="quadratic")
        found.append(PairAgreement(first, second, kappa, raw_agreement(a, b, within=1)))
    return tuple(found)


def overall_agreement(ratings: Sequence[Rating]) -> Agreed:
    """Krippendorff's alpha of all raters on one quality, on points that have an order."""
    given = _by_rater(ratings)
    if len(given) < 2:
        return Agreed(None, 0, "there is only one rater" if given else "nothing was rated yet")
    units: dict[str, list[int]] = {}
    for by_query in given.values():
        for query_id, points in by_query.items():
            units.setdefault(query_id, []).append(points)
    return krippendorff_alpha([*units.values()], level="ordinal")


def _by_rater(ratings: Sequence[Rating]) -> dict[str, dict[str, int]]:
    given: dict[str, dict[str, int]] = {}
    for rating in ratings:
        given.setdefault(rating.rater, {})[rating.query_id] = rating.points
    return given
