"""Several judges over the same triples: how far they agree, what most of them say, and where they differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from core.errors import InputError
from core.judging.agreement import Agreed, cohen_kappa, krippendorff_alpha, raw_agreement
from core.judging.trust.resampling import Estimate, clustered_mean, kappa_range
from core.ranking.significance import Interval

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
