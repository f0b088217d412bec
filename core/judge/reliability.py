"""Reliability of a judge: agreement with people, other judges, itself, and regions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from core.errors import InputError, MisalignedError
from core.metrics import Metric
from core.stats import (
    CELLS,
    N_BOOTSTRAP,
    Estimate,
    Interval,
    JudgeAgreement,
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


def clustered_mean(values: Sequence[float], query_ids: Sequence[str], *, seed: int = 0) -> Estimate:
    """Return the mean of all values with the middle 95 % over resampled queries, whose values stay together.

    No interval if all values come from one query.

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
    """Return the middle 95 % of quadratic-weighted kappa over resampled queries, whose pairs stay together.

    None: all pairs come from one query, or in too many resamples both judges gave every item the same points.

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
    """Sum every column within each query."""
    place = {query_id: at for at, query_id in enumerate(sorted(set(query_ids)))}
    cluster = np.array([place[query_id] for query_id in query_ids], dtype=np.intp)
    return np.stack([np.bincount(cluster, weights=column) for column in columns], axis=1)


def _resampled(sums: Floats, seed: int) -> Floats:
    """Sum every column over queries drawn with replacement, as many as there are, in each resample."""
    n, rng = len(sums), np.random.default_rng((seed, 2))
    found: list[Floats] = []
    step = max(1, CELLS // n)
    for start in range(0, N_BOOTSTRAP, step):
        drawn = rng.integers(0, n, size=(min(step, N_BOOTSTRAP - start), n))
        found.append(np.stack([column[drawn].sum(axis=1) for column in sums.T]))
    return np.concatenate(found, axis=1)


def clustered_share(holds: Sequence[bool], query_ids: Sequence[str], *, seed: int = 0) -> Estimate:
    """Return the share of True values, with an interval as in `clustered_mean`.

    If all values are equal, resampling gives no interval; Wilson's is used then, as if each query were one case.

    >>> low, high = clustered_share([True, True, True], ["a", "b", "c"]).interval
    >>> round(low, 2), high
    (0.44, 1.0)
    """
    found = clustered_mean([float(each) for each in holds], query_ids, seed=seed)
    if found.interval is None or found.value not in (0.0, 1.0):
        return found
    n = len(set(query_ids))
    return replace(found, interval=wilson(n if found.value else 0, n))


# TRUST_METRICS: the definition of each number about a judge. Agreement itself is in core.stats.

_NOTHING = "– if nothing could be compared."
_RESAMPLED = "range over resampled queries"
_SHARE = f"{_RESAMPLED}; Wilson's where all or nothing holds"

TRUST_METRICS: dict[str, Metric] = {
    metric.metric_id: metric
    for metric in (
        Metric(
            "gap",
            "Gap",
            "Judge's grade minus the person's grade, on average.",
            "mean of (judge's grade - person's grade)",
            _NOTHING,
            f"ours; {_RESAMPLED}",
            range="0: the same on average; above 0: the judge grades higher",
            higher_is_better=False,
        ),
        Metric(
            "share_same",
            "Same grade every time",
            "Share of triples with the same grade in every repeat.",
            "triples with the same grade in every repeat / triples with a grade in every repeat",
            "– if nothing was repeated.",
            f"ours; {_SHARE}",
        ),
        Metric(
            "mean_range",
            "Spread of repeats",
            "Difference between the highest and the lowest grade of the same triple, on average.",
            "mean of (highest - lowest grade of a triple)",
            "– if nothing was repeated.",
            "ours",
            range="0: the grade never changes",
            higher_is_better=False,
        ),
        Metric(
            "shift",
            "Shift",
            "Average change of the grade after a change of the texts.",
            "mean of (grade after the change - grade before it)",
            "– if nothing has a grade both before and after.",
            f"ours; {_RESAMPLED}",
            range="0: the change has no effect",
            higher_is_better=False,
        ),
        Metric(
            "share_raised",
            "Raised by a demanded grade",
            "Share of triples below the highest grade that get a higher one when their abstract demands it.",
            "triples graded higher after the change / triples below the highest grade",
            "– if every triple already had the highest grade.",
            f"ours; {_SHARE}",
            higher_is_better=False,
        ),
        Metric(
            "share_lowered",
            "Lowered by the swap",
            "Share of triples above the lowest grade that get a lower one when subject and object of the query "
            "are swapped. A judge that reads who does what to whom lowers most of them.",
            "triples graded lower after the change / triples above the lowest grade",
            "– if every triple already had the lowest grade.",
            f"ours; {_SHARE}",
        ),
        Metric(
            "share_accepted",
            "Accepted by the region",
            "Share of the graded publications that the region accepts. If region and judge agree, it rises with "
            "the grade.",
            "publications with this grade inside the region / publications with this grade",
            "– if no publication has the grade.",
            "ours",
        ),
        Metric(
            "core_above",
            "Core graded higher",
            "How often a core publication has a higher grade than another publication; equal grades count half.",
            "(pairs with the core higher + half of the equal pairs) / pairs of a core publication and another",
            "– if only core publications, or only others, were graded.",
            "area under the curve: Hanley and McNeil (1982)",
            range="0 to 1; 0.5: grades don't separate them",
        ),
        Metric(
            "rank_correlation",
            "Rank correlation",
            "Whether publications that are more similar to the core have higher grades. Only the order counts.",
            "Pearson's correlation of ranks, equal values sharing their mean rank",
            "– below 3 publications, or if all grades or all similarities are the same.",
            "Spearman (1904)",
            range="-1 to 1; 0: no connection",
        ),
    )
}


# A judge's consistency: its answers when the same triple is asked again.


@dataclass(frozen=True, slots=True)
class RepeatedTriple:
    """One triple, and its grade each time; None without a grade."""

    query_id: str
    points: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Consistency:
    """A judge's consistency, in points of the rubric."""

    n_times: int
    """Number of times each triple was asked, including the first."""
    n_asked: int
    """Number of triples asked this many times."""
    share_same: Estimate
    """Of the triples with a grade every time; its `n` is their number."""
    mean_range: Estimate
    largest_range: int | None
    alpha: JudgeAgreement
    """Krippendorff's alpha, ordinal; missing grades are left out."""

    @property
    def n_incomplete(self) -> int:
        """The number of triples with a missing grade: they are ignored here, neither good nor bad."""
        return self.n_asked - self.share_same.n


def consistency(repeated: Sequence[RepeatedTriple], *, seed: int = 0) -> Consistency:
    """Measure consistency over all repetitions. Every triple must have been asked equally often."""
    times = {len(each.points) for each in repeated}
    if len(times) > 1:
        raise MisalignedError(
            f"triples were judged {min(times)} to {max(times)} times: judge all of them equally often"
        )
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


# A judge compared with people: the agreement of their grades.

Scale = Mapping[int, int]
"""The rubric's grade for each value of another scale. Values without an entry can't be compared."""


@dataclass(frozen=True, slots=True)
class GradePair:
    """One triple graded by both a judge and a person."""

    query_id: str
    judge: int
    human: int
    """On the person's own scale."""
    triple_key: str = ""


@dataclass(frozen=True, eq=False)
class GradeAgreement:
    """A judge's agreement with people, in points of the rubric."""

    scale: Scale
    """The mapping of the people's values."""
    cut: int
    """Publications with at least this grade count as relevant."""
    raw: JudgeAgreement
    within_one: JudgeAgreement
    kappa: JudgeAgreement
    quadratic: JudgeAgreement
    quadratic_range: Interval | None
    """Over resampled queries; None: all pairs come from one."""
    kappa_at_cut: JudgeAgreement
    """For "relevant" against "not relevant"."""
    gap: Estimate
    judge_rates: Mapping[int, float]
    """Share of each grade among the judge's."""
    human_rates: Mapping[int, float]
    """The same for people's grades, after mapping to the rubric's scale."""
    table: Mapping[tuple[int, int], int]
    """Number of each combination (judge, human)."""
    n_left_out: int
    """Pairs whose human value is not on the scale."""
    n_queries: int

    @property
    def n(self) -> int:
        """The number of pairs compared."""
        return self.raw.n


def suggested_scale(values: Iterable[int], points: Sequence[int]) -> dict[int, int]:
    """Suggest a scale: one with the same highest grade is used as it is, another one is stretched evenly from 0.

    Values below 0 mean "not relevant" in many collections, so they count as the lowest grade. Let the user review and
    change the suggestion: only they know the meaning of another scale.

    >>> suggested_scale([0, 3, 5], range(6))
    {0: 0, 3: 3, 5: 5}
    >>> suggested_scale([0, 1, 2, 3], range(6))
    {0: 0, 1: 2, 2: 3, 3: 5}
    """
    there = sorted(set(values))
    if not there or (there[-1] == points[-1] and set(there) <= set(points)):
        return {value: value for value in there}
    high, steps = max(there[-1], 1), len(points) - 1
    # Round half a step up.
    return {value: points[(2 * max(value, 0) * steps + high) // (2 * high)] for value in there}


def checked_scale(scale: Scale, points: Sequence[int]) -> Scale:
    """Return the scale if every value in it is a grade of the rubric; otherwise raise an error."""
    for value, counted in scale.items():
        if counted not in points:
            raise InputError(
                f"value {value} is mapped to {counted}, but grades of this rubric are from {points[0]} to {points[-1]}"
            )
    return scale


def agreement_with_people(pairs: Sequence[GradePair], scale: Scale, *, cut: int, seed: int = 0) -> GradeAgreement:
    """Compare a judge with people in every number. Values that are not on the scale are counted but not compared."""
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


def kappa_at(first: Sequence[int], second: Sequence[int], cut: int) -> JudgeAgreement:
    """Return Cohen's kappa of "at least `cut`" against "less".

    >>> kappa_at([0, 2, 3, 5], [1, 0, 4, 4], 3).value
    1.0
    """
    return cohen_kappa([int(a >= cut) for a in first], [int(b >= cut) for b in second], weights="none")


# Several judges on the same triples: agreement, majority grades, and differences.

Grades = Mapping[str, int]
"""Grade by triple; only grades that were actually given."""


@dataclass(frozen=True, slots=True)
class JudgePair:
    """Two judges on the triples graded by both."""

    first: str
    second: str
    raw: JudgeAgreement
    within_one: JudgeAgreement
    kappa: JudgeAgreement
    quadratic: JudgeAgreement
    quadratic_range: Interval | None
    """Over resampled queries; None: all pairs come from one."""
    gap: Estimate
    """Second minus first."""


@dataclass(frozen=True, slots=True)
class Majority:
    """The majority grade of one triple."""

    triple_key: str
    query_id: str
    points: int | None
    """The grade that more than half of the judges gave; None: there is none, and no substitute for it."""
    given: tuple[int | None, ...]
    """In the order of the judges."""

    @property
    def spread(self) -> int:
        """The difference between the highest and the lowest grade."""
        known = [points for points in self.given if points is not None]
        return max(known) - min(known)


@dataclass(frozen=True, slots=True)
class QueryDifference:
    """The differences between judges on a query."""

    query_id: str
    n: int
    """Number of triples graded by at least two judges."""
    mean_spread: float
    largest_spread: int
    means: tuple[float | None, ...]
    """Each judge's mean grade over these triples; None: the judge graded none of them."""


@dataclass(frozen=True, eq=False)
class Judges:
    """A comparison of several judges."""

    names: tuple[str, ...]
    pairs: tuple[JudgePair, ...]
    alpha: JudgeAgreement
    majorities: tuple[Majority, ...]
    """For every triple graded by at least two judges."""
    against_others: Mapping[str, JudgeAgreement]
    """Each judge's weighted kappa with the majority of the others; only with three or more judges."""
    queries: tuple[QueryDifference, ...]
    """Largest differences first."""

    @property
    def n_split(self) -> int:
        """The number of triples without a majority grade."""
        return sum(each.points is None for each in self.majorities)


def majority_of(points: Sequence[int]) -> int | None:
    """Return the grade that more than half gave, or None.

    >>> majority_of([2, 2, 5]), majority_of([2, 3]), majority_of([])
    (2, None, None)
    """
    if not points:
        return None
    value, n = Counter(points).most_common(1)[0]
    return value if 2 * n > len(points) else None


def compare_judges(grades: Mapping[str, Grades], query_of: Mapping[str, str], *, seed: int = 0) -> Judges:
    """Compare every pair of judges on the triples graded by both. `query_of`: the query of each triple."""
    if len(grades) < 2:
        raise InputError("a comparison needs at least two judges")
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


def _against_others(place: int, majorities: Sequence[Majority]) -> JudgeAgreement:
    """Compare a judge with the majority of the others; the judge itself never votes."""
    own: list[int] = []
    others: list[int] = []
    for each in majorities:
        rest = [p for at, p in enumerate(each.given) if at != place and p is not None]
        grade, most = each.given[place], majority_of(rest) if len(rest) > 1 else None
        if grade is not None and most is not None:
            own.append(grade)
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


# Grades compared with other measurements: regions of semantic precision, the core set, similarity.

N_RESAMPLED = 1_000
MOST_RESAMPLED = 2_000
"""With more publications, no interval is computed: it would be narrow, and slow."""


@dataclass(frozen=True, slots=True)
class AcceptedShare:
    """The acceptance by a region of publications with one grade."""

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
    """A comparison of a region with a judge."""

    n: int
    by_grade: tuple[AcceptedShare, ...]
    """Grades that occur, in ascending order."""
    cut: int
    kappa: JudgeAgreement
    """Between "accepted" and "graded at least `cut`"."""
    share_accepted: float | None
    share_relevant: float | None
    """By the judge, at the cut."""


def region_agreement(points: Sequence[int], accepted: Sequence[bool], *, cut: int) -> RegionAgreement:
    """Compare one region's decisions with grades of the same publications.

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
    """A comparison of grades of core publications with those of others."""

    n_core: int
    n_others: int
    mean_core: float | None
    mean_others: float | None
    difference: float | None
    interval: Interval | None
    """Of the difference, over resampled publications; None: too few, or too many."""
    core_above: float | None
    """How often a core publication is graded higher than another; equal grades count half."""
    reason: str = ""


def core_agreement(points: Sequence[int], is_core: Sequence[bool], *, seed: int = 0) -> CoreAgreement:
    """Compare a judge's grades of core publications with those of others.

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
        missing = "no core publication" if not len(core) else "only core publications"
        return CoreAgreement(
            len(core), len(others), mean_core, mean_others, None, None, None, f"{missing} among the graded publications"
        )
    from scipy.stats import rankdata  # takes half a second to import

    above = (rankdata(given)[mask].sum() - len(core) * (len(core) + 1) / 2) / (len(core) * len(others))
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


def rank_correlation(first: Sequence[float], second: Sequence[float], *, seed: int = 0) -> Estimate:
    """Return Spearman's correlation. 1: same order, -1: opposite, 0: no connection. Undefined below 3, or if all equal.

    >>> rank_correlation([1, 2, 3], [10, 40, 90]).value
    1.0
    """
    if len(first) != len(second):
        raise MisalignedError(f"{len(first)} values of one but {len(second)} of the other")
    a, b = np.array(first, dtype=np.float64), np.array(second, dtype=np.float64)
    if len(a) < 3:
        return Estimate(None, len(a), None, "needs 3 publications")
    value = _spearman(a, b)
    if value is None:
        return Estimate(None, len(a), None, "all grades or all similarities are the same")
    if len(a) > MOST_RESAMPLED:
        return Estimate(value, len(a))
    rng = np.random.default_rng((seed, 4))
    drawn = (rng.integers(0, len(a), len(a)) for _ in range(N_RESAMPLED // 4))
    found = [_spearman(a[rows], b[rows]) for rows in drawn]
    return Estimate(value, len(a), percentile_range(np.array([np.nan if each is None else each for each in found])))


def _spearman(a: Floats, b: Floats) -> float | None:
    from scipy.stats import rankdata

    first, second = rankdata(a), rankdata(b)
    first, second = first - first.mean(), second - second.mean()
    length = float(np.sqrt((first @ first) * (second @ second)))
    return max(-1.0, min(1.0, float(first @ second) / length)) if length else None
