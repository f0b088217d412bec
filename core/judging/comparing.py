"""Which differences between engines, or between two sets of queries, are clear."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from core.judging.means import by_count
from core.judging.types import Rubric
from core.ranking.significance import Interval, bootstrap_means, holm, percentile_intervals, randomization_p
from core.ranking.verdict import ALPHA
from core.types import Floats, Ids


@dataclass(frozen=True, slots=True)
class JudgeComparison:
    """`b` against `a` on the same queries, on the scale that is shown."""

    a: str
    b: str
    n_queries: int
    """Queries that both have a valid grade for."""
    difference: float | None
    """Mean of b minus mean of a; None: there is no such query."""
    interval: Interval | None
    """Bootstrap over these queries; None below two of them."""
    p: float | None
    """Of the paired randomization test, two-sided."""
    p_holm: float | None
    """The same, corrected for how many pairs were compared."""
    sentence: str = ""

    @property
    def is_clear(self) -> bool:
        """The range leaves out 0 and the corrected test agrees."""
        return self.p_holm is not None and self.p_holm < ALPHA and not self.crosses

    @property
    def crosses(self) -> bool:
        """Whether 0, no difference, is in the range."""
        return self.interval is None or self.interval.low <= 0 <= self.interval.high


def compared_engines(engines: Ids, means: Floats, rubric: Rubric, *, seed: int) -> tuple[JudgeComparison, ...]:
    """Every pair of columns of `means` (points; NaN: no valid grade) on the queries that both have a grade for."""
    couples = list(combinations(range(len(engines)), 2))
    known = ~np.isnan(means)
    if not couples:
        return ()
    first, second = np.array(couples).T
    both = known[:, first] & known[:, second]
    found: dict[int, JudgeComparison] = {}
    for places in by_count(both).values():
        sides = [np.stack([means[both[:, place], side[place]] for place in places], axis=1) for side in (first, second)]
        columns = np.concatenate(sides, axis=1)
        pairs = [(at, at + len(places)) for at in range(len(places))]
        names = [(engines[first[place]], engines[second[place]]) for place in places]
        found.update(zip(places, _compared(names, columns * rubric.shown_factor, pairs, seed), strict=True))
    return corrected([found[place] for place in range(len(couples))], rubric, "query")


def compared_sets(
    first: Mapping[str, Mapping[str, float]],
    second: Mapping[str, Mapping[str, float]],
    groups: Mapping[str, Sequence[tuple[str, str]]],
    rubric: Rubric,
    *,
    names: tuple[str, str],
    seed: int = 0,
) -> dict[str, dict[str, JudgeComparison]]:
    """By group of pairs of queries, every engine of both sets; the value of each query is on the shown scale.

    p is corrected for all groups and engines together.
    """
    found: dict[tuple[str, str], JudgeComparison] = {}
    for group, pairs in groups.items():
        for engine in (engine for engine in first if engine in second):
            of_a, of_b = first[engine], second[engine]
            values = [(of_a[a], of_b[b]) for a, b in sorted(pairs) if a in of_a and b in of_b]
            columns = np.array(values, dtype=np.float64).reshape(-1, 2)
            found[group, engine] = _compared([names], columns, [(0, 1)], seed)[0]
    by_group: dict[str, dict[str, JudgeComparison]] = {group: {} for group in groups}
    for (group, engine), c in zip(found, corrected(found.values(), rubric, "pair of queries"), strict=True):
        by_group[group][engine] = c
    return by_group


def _compared(
    names: Sequence[tuple[str, str]], columns: Floats, pairs: Sequence[tuple[int, int]], seed: int
) -> list[JudgeComparison]:
    n = len(columns)
    if not n:
        return [JudgeComparison(a, b, 0, None, None, None, None) for a, b in names]
    differences = [float((columns[:, b] - columns[:, a]).mean()) for a, b in pairs]
    if n == 1:
        return [
            JudgeComparison(a, b, 1, difference, None, None, None)
            for (a, b), difference in zip(names, differences, strict=True)
        ]
    drawn = bootstrap_means(columns, seed=seed)
    at_a, at_b = np.array(pairs).T
    ranges = percentile_intervals(drawn[:, at_b] - drawn[:, at_a])
    tested = randomization_p(columns, pairs, seed=seed)
    return [
        JudgeComparison(a, b, n, difference, Interval(min(low, difference), max(high, difference)), float(p), None)
        for (a, b), difference, (low, high), p in zip(names, differences, ranges, tested, strict=True)
    ]


def corrected(found: Iterable[JudgeComparison], rubric: Rubric, noun: str) -> tuple[JudgeComparison, ...]:
    """With p corrected for all that were tested together, and in words."""
    each = list(found)
    tested = [place for place, one in enumerate(each) if one.p is not None]
    for place, p in zip(tested, holm([each[place].p or 0.0 for place in tested]), strict=True):
        each[place] = replace(each[place], p_holm=float(p))
    return tuple(replace(one, sentence=sentence(one, rubric, noun)) for one in each)


def number(value: float, shown_max: float) -> str:
    """A grade or a difference on the shown scale, as sentences give it.

    >>> number(-12.345, 100), number(1.234, 5)
    ('−12.3', '1.23')
    """
    digits = 1 if shown_max > 20 else 2
    said = f"{value:.{digits}f}"
    return said.removeprefix("-") if not float(said) else said.replace("-", "−")


def sentence(c: JudgeComparison, rubric: Rubric, noun: str = "query") -> str:
    """One comparison in words; "not clear" where the range crosses 0 or the corrected test does not agree."""
    plural = noun.replace("query", "queries") if "pair" not in noun else noun.replace("pair", "pairs")
    if c.difference is None:
        return f"{c.a} and {c.b} can't be compared: no {noun} has valid grades of both."
    on = f"{c.n_queries:,} {noun if c.n_queries == 1 else plural}"
    if c.interval is None:
        return f"{c.a} and {c.b} can't be compared on a single {noun}."
    low, high = (number(end, rubric.shown_max) for end in c.interval)
    by = number(abs(c.difference), rubric.shown_max)
    if c.is_clear:
        above, below = (c.b, c.a) if c.difference > 0 else (c.a, c.b)
        ends = (low, high) if c.difference > 0 else tuple(number(-end, rubric.shown_max) for end in c.interval[::-1])
        return f"Grades are higher for {above} than for {below}, by {by} ({ends[0]} to {ends[1]}; {on})."
    said = number(c.difference, rubric.shown_max)
    head = (
        f"Not clear whether grades are higher for {c.a} or for {c.b}: {c.b} − {c.a} is {said} ({low} to {high}; {on})"
    )
    if c.crosses:
        return f"{head}."
    return f"{head}, but the test does not agree once it is corrected for all pairs (p {c.p_holm:.2f})."
