"""Reliability of a judge: agreement with people, other judges, itself, and regions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from core.errors import InputError, MisalignedError
from core.stats import (
    CELLS,
    N_BOOTSTRAP,
    Agreed,
    Interval,
    JudgeMetric,
    base_rates,
    cohen_kappa,
    krippendorff_alpha,
    percentile_intervals,
    percentile_range,
    raw_agreement,
    wilson,
)
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


# TRUST_METRICS: what each number about a judge says about itself. Agreement proper is in core.stats.

_NOTHING = "– if nothing could be compared."
_RESAMPLED = "range over resampled queries"
_SHARE = f"{_RESAMPLED}; Wilson's where all or nothing holds"

TRUST_METRICS: dict[str, JudgeMetric] = {
    metric.metric_id: metric
    for metric in (
        JudgeMetric(
            "gap",
            "Gap",
            "How much more the judge gives than people do, on average.",
            "mean of (judge's grade - person's grade)",
            "0: the same on average; above 0: the judge is the kinder one",
            _NOTHING,
            f"ours; {_RESAMPLED}",
            higher_is_better=False,
        ),
        JudgeMetric(
            "share_same",
            "Same grade every time",
            "Share of triples that got one and the same grade however often they were asked.",
            "triples with the same grade in every repeat / triples with a grade in every repeat",
            "0 to 1",
            "– if nothing was asked twice.",
            f"ours; {_SHARE}",
        ),
        JudgeMetric(
            "mean_range",
            "Spread of repeats",
            "How far the highest and the lowest grade of the same triple lie apart, on average.",
            "mean of (highest - lowest grade of a triple)",
            "0: it never moves",
            "– if nothing was asked twice.",
            "ours",
            higher_is_better=False,
        ),
        JudgeMetric(
            "shift",
            "Shift",
            "How much a change of the texts moves the grade, on average.",
            "mean of (grade after the change - grade before it)",
            "0: the change does nothing",
            "– if nothing has a grade both before and after.",
            f"ours; {_RESAMPLED}",
            higher_is_better=False,
        ),
        JudgeMetric(
            "share_raised",
            "Raised by a demanded grade",
            "Share of triples below the highest grade that get a higher one once their abstract demands it.",
            "triples graded higher after the change / triples that had room for that",
            "0 to 1",
            "– if every triple had the highest grade already.",
            f"ours; {_SHARE}",
            higher_is_better=False,
        ),
        JudgeMetric(
            "share_lowered",
            "Lowered by the swap",
            "Share of triples above the lowest grade that get a lower one once subject and object of the query are "
            "swapped. A judge that reads who does what to whom lowers most of them.",
            "triples graded lower after the change / triples that had room for that",
            "0 to 1",
            "– if every triple had the lowest grade already.",
            f"ours; {_SHARE}",
        ),
        JudgeMetric(
            "share_accepted",
            "Accepted by the region",
            "Share of the publications with a grade that the region accepts: it rises with the grade where both agree.",
            "publications with this grade inside the region / publications with this grade",
            "0 to 1",
            "– if no publication has the grade.",
            "ours",
        ),
        JudgeMetric(
            "core_above",
            "Core graded higher",
            "How often a core publication has a higher grade than another one; equal grades count half.",
            "(pairs with the core higher + half of the equal pairs) / pairs of a core publication and another",
            "0 to 1; 0.5: grades don't tell them apart",
            "– without a core publication or without another one among what was graded.",
            "area under the curve: Hanley and McNeil (1982)",
        ),
        JudgeMetric(
            "rank_correlation",
            "Rank correlation",
            "Whether publications that are more similar to the core have higher grades; only the order counts.",
            "Pearson's correlation of ranks, equal values sharing their mean rank",
            "-1 to 1; 0: no connection",
            "– below 3 publications, or if all grades or all similarities are the same.",
            "Spearman (1904)",
        ),
    )
}


# A judge beside itself: whether it says the same when it is asked the same again.


@dataclass(frozen=True, slots=True)
class Repeated:
    """One triple, and what it got each time; None where there was no grade."""

    query_id: str
    points: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Consistency:
    """How steady a judge is, in points of the rubric."""

    n_times: int
    """How often each triple was asked, the first time included."""
    n_asked: int
    """Triples that were asked so often."""
    share_same: Estimate
    """Of those with a grade every time; its `n` says how many these are."""
    mean_range: Estimate
    largest_range: int | None
    alpha: Agreed
    """Krippendorff's, ordinal; grades that are missing are left out."""

    @property
    def n_incomplete(self) -> int:
        """Triples without a grade at least once: they say nothing here, neither good nor bad."""
        return self.n_asked - self.share_same.n


def consistency(repeated: Sequence[Repeated], *, seed: int = 0) -> Consistency:
    """From all times together. Every triple must have been asked equally often."""
    times = {len(each.points) for each in repeated}
    if len(times) > 1:
        raise MisalignedError(f"some triples were asked {min(times)} times and others {max(times)} times")
    whole = [(each.query_id, [p for p in each.points if p is not None]) for each in repeated]
    n_times = max(times, default=0)
    kept = [(query_id, points) for query_id, points in whole if len(points) == n_times and n_times > 1]
    queries = [query_id for query_id, _ in kept]
    ranges = [max(points) - min(points) for _, points in kept]
    return Consistency(
        n_times=n_times,
        n_asked=len(repeated),
        share_same=clustered_share([not each for each in ranges], queries, seed=seed),
        mean_range=clustered_mean([float(each) for each in ranges], queries, seed=seed),
        largest_range=max(ranges, default=None),
        alpha=krippendorff_alpha([points for _, points in whole], level="ordinal"),
    )


# A judge beside people: how far its grades are theirs.

Scale = Mapping[int, int]
"""What each value of another scale counts as on the rubric's. Whatever is not in it can't be compared."""


@dataclass(frozen=True, slots=True)
class GradedTwice:
    """One triple that a judge and a person graded."""

    query_id: str
    judge: int
    human: int
    """On the person's own scale."""
    triple_key: str = ""


@dataclass(frozen=True, eq=False)
class GradeAgreement:
    """How far a judge agrees with people, in points of the rubric."""

    scale: Scale
    """How the people's values were read."""
    cut: int
    """From this grade on a publication counts as relevant."""
    raw: Agreed
    within_one: Agreed
    kappa: Agreed
    quadratic: Agreed
    quadratic_range: Interval | None
    """Over resampled queries; None: all of it comes from one."""
    kappa_at_cut: Agreed
    """Of "relevant" against "not relevant"."""
    gap: Estimate
    judge_rates: Mapping[int, float]
    """Share of each grade among the judge's."""
    human_rates: Mapping[int, float]
    """The same among the people's, after the scale."""
    table: Mapping[tuple[int, int], int]
    """How often (judge, human) came together."""
    n_left_out: int
    """Pairs whose human value the scale leaves out."""
    n_queries: int

    @property
    def n(self) -> int:
        """What was compared."""
        return self.raw.n


def suggested_scale(values: Iterable[int], points: Sequence[int]) -> dict[int, int]:
    """A first proposal: a scale with the same highest grade is taken as it is, another one is stretched evenly from 0.

    Values below 0 mean "not relevant" in many collections, so they count as the lowest grade. To be shown and changed:
    nobody but the user knows what another scale means.

    >>> suggested_scale([0, 3, 5], range(6))
    {0: 0, 3: 3, 5: 5}
    >>> suggested_scale([0, 1, 2, 3], range(6))
    {0: 0, 1: 2, 2: 3, 3: 5}
    """
    there = sorted(set(values))
    if not there or (there[-1] == points[-1] and set(there) <= set(points)):
        return {value: value for value in there}
    high, steps = max(there[-1], 1), len(points) - 1
    # Half a step is rounded up.
    return {value: points[(2 * max(value, 0) * steps + high) // (2 * high)] for value in there}


def checked_scale(scale: Scale, points: Sequence[int]) -> Scale:
    """The same, if everything in it is a grade of the rubric."""
    for value, counted in scale.items():
        if counted not in points:
            raise InputError(
                f"the value {value} is to count as {counted}, but a grade of this rubric is from {points[0]} to "
                f"{points[-1]}"
            )
    return scale


def agreement_with_people(pairs: Sequence[GradedTwice], scale: Scale, *, cut: int, seed: int = 0) -> GradeAgreement:
    """Every number of a judge beside people. Values that the scale leaves out are counted and not compared."""
    kept = [pair for pair in pairs if pair.human in scale]
    judge = [pair.judge for pair in kept]
    human = [scale[pair.human] for pair in kept]
    queries = [pair.query_id for pair in kept]
    differences = [float(a - b) for a, b in zip(judge, human, strict=True)]
    return GradeAgreement(
        scale=dict(scale),
        cut=cut,
        raw=raw_agreement(judge, human),
        within_one=raw_agreement(judge, human, within=1),
        kappa=cohen_kappa(judge, human, weights="none"),
        quadratic=cohen_kappa(judge, human, weights="quadratic"),
        quadratic_range=kappa_range(judge, human, queries, seed=seed),
        kappa_at_cut=kappa_at(judge, human, cut),
        gap=clustered_mean(differences, queries, seed=seed),
        judge_rates=base_rates(judge),
        human_rates=base_rates(human),
        table=dict(sorted(Counter(zip(judge, human, strict=True)).items())),
        n_left_out=len(pairs) - len(kept),
        n_queries=len(set(queries)),
    )


def kappa_at(first: Sequence[int], second: Sequence[int], cut: int) -> Agreed:
    """Cohen's kappa of "at least `cut`" against "less".

    >>> kappa_at([0, 2, 3, 5], [1, 0, 4, 4], 3).value
    1.0
    """
    return cohen_kappa([int(a >= cut) for a in first], [int(b >= cut) for b in second], weights="none")


# Several judges over the same triples: how far they agree, what most of them say, and where they differ.

Grades = Mapping[str, int]
"""Grade by triple; only grades that were really given."""


@dataclass(frozen=True, slots=True)
class JudgePair:
    """Two judges on what both graded."""

    first: str
    second: str
    raw: Agreed
    within_one: Agreed
    kappa: Agreed
    quadratic: Agreed
    quadratic_range: Interval | None
    """Over resampled queries; None: all of it comes from one."""
    gap: Estimate
    """Second minus first."""


@dataclass(frozen=True, slots=True)
class Majority:
    """What most judges say of one triple."""

    triple_key: str
    query_id: str
    points: int | None
    """The grade that more than half of them gave; None: there is none, and nothing is put in its place."""
    given: tuple[int | None, ...]
    """In the order of the judges."""

    @property
    def spread(self) -> int:
        """How far the highest and the lowest lie apart."""
        known = [points for points in self.given if points is not None]
        return max(known) - min(known)


@dataclass(frozen=True, slots=True)
class QueryDifference:
    """How far judges are apart on a query."""

    query_id: str
    n: int
    """Triples that at least two of them graded."""
    mean_spread: float
    largest_spread: int
    means: tuple[float | None, ...]
    """Each judge's mean grade over these; None: it graded none of them."""


@dataclass(frozen=True, eq=False)
class Judges:
    """Judges side by side."""

    names: tuple[str, ...]
    pairs: tuple[JudgePair, ...]
    alpha: Agreed
    majorities: tuple[Majority, ...]
    """Of every triple that at least two graded."""
    against_others: Mapping[str, Agreed]
    """Each judge's weighted kappa with the majority of the others; from three judges on."""
    queries: tuple[QueryDifference, ...]
    """Those on which they differ most first."""

    @property
    def n_split(self) -> int:
        """Triples on which no grade has a majority."""
        return sum(each.points is None for each in self.majorities)


def majority_of(points: Sequence[int]) -> int | None:
    """The grade that more than half gave.

    >>> majority_of([2, 2, 5]), majority_of([2, 3]), majority_of([])
    (2, None, None)
    """
    if not points:
        return None
    value, n = Counter(points).most_common(1)[0]
    return value if 2 * n > len(points) else None


def compare_judges(grades: Mapping[str, Grades], query_of: Mapping[str, str], *, seed: int = 0) -> Judges:
    """Every judge with every other, by what both graded. `query_of`: the query of each triple."""
    if len(grades) < 2:
        raise InputError("judges are compared from two on")
    names = tuple(grades)
    asked = ((key, query_id, tuple(grades[name].get(key) for name in names)) for key, query_id in query_of.items())
    majorities = tuple(
        Majority(key, query_id, majority_of(known), given)
        for key, query_id, given in asked
        if len(known := [p for p in given if p is not None]) > 1
    )
    return Judges(
        names,
        tuple(_pair(a, b, grades, query_of, seed) for a, b in combinations(names, 2)),
        krippendorff_alpha([[p for p in each.given if p is not None] for each in majorities], level="ordinal"),
        majorities,
        {name: _against_others(place, majorities) for place, name in enumerate(names)} if len(names) > 2 else {},
        _differences(majorities, len(names)),
    )


def _pair(a: str, b: str, grades: Mapping[str, Grades], query_of: Mapping[str, str], seed: int) -> JudgePair:
    common = [key for key in query_of if key in grades[a] and key in grades[b]]
    first, second = [grades[a][key] for key in common], [grades[b][key] for key in common]
    queries = [query_of[key] for key in common]
    gaps = [float(y - x) for x, y in zip(first, second, strict=True)]
    return JudgePair(
        a,
        b,
        raw_agreement(first, second),
        raw_agreement(first, second, within=1),
        cohen_kappa(first, second, weights="none"),
        cohen_kappa(first, second, weights="quadratic"),
        kappa_range(first, second, queries, seed=seed),
        clustered_mean(gaps, queries, seed=seed),
    )


def _against_others(place: int, majorities: Sequence[Majority]) -> Agreed:
    """A judge never votes on what it is held against."""
    own: list[int] = []
    others: list[int] = []
    for each in majorities:
        rest = [p for at, p in enumerate(each.given) if at != place and p is not None]
        said, most = each.given[place], majority_of(rest) if len(rest) > 1 else None
        if said is not None and most is not None:
            own.append(said)
            others.append(most)
    return cohen_kappa(own, others, weights="quadratic")


def _differences(majorities: Sequence[Majority], n_judges: int) -> tuple[QueryDifference, ...]:
    by_query: dict[str, list[Majority]] = {}
    for each in majorities:
        by_query.setdefault(each.query_id, []).append(each)
    found = [
        QueryDifference(
            query_id,
            len(there),
            sum(each.spread for each in there) / len(there),
            max(each.spread for each in there),
            tuple(_mean([each.given[place] for each in there]) for place in range(n_judges)),
        )
        for query_id, there in by_query.items()
    ]
    return tuple(sorted(found, key=lambda each: (-each.mean_spread, -each.largest_spread, each.query_id)))


def _mean(points: Sequence[int | None]) -> float | None:
    known = [p for p in points if p is not None]
    return sum(known) / len(known) if known else None


# Grades beside what the rest of this tool measures: regions of semantic precision, the core set, similarity.

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
