"""Scores of retrievers by the grades of a judge, and clear differences between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from core.errors import SettingsError
from core.judge.grades import (
    SMALL,
    Dimensions,
    GradeCell,
    GradeCounts,
    WithinQueryIntervals,
    by_count,
    by_rank,
    cells_of,
    column_means,
    dimension_cells,
    points_of,
    scaled,
    within_query,
)
from core.judge.judgments import STATUS_WORDS, STATUSES, JudgedCandidate, JudgeField, Rubric, Status
from core.retrieval.leaderboard import ALPHA
from core.stats import Estimate, Interval, bootstrap_means, holm, percentile_intervals, randomization_p
from core.text import listed, many
from core.types import Floats, Ids


@dataclass(frozen=True, slots=True)
class JudgeComparison:
    """`b` against `a` on the same queries, on the displayed scale."""

    a: str
    b: str
    n_queries: int
    """Number of queries: those with a valid grade for both, or all, with 0 for unanswered ones."""
    difference: float | None
    """Mean of b minus mean of a; None: there is no such query."""
    interval: Interval | None
    """Bootstrap over these queries; None with fewer than two."""
    p: float | None
    """From the paired randomization test, two-sided."""
    p_holm: float | None
    """The same, corrected for the number of pairs compared."""
    sentence: str = ""
    over: str = ""
    """The queries of the comparison, in words."""

    @property
    def is_clear(self) -> bool:
        """The interval excludes 0 and the corrected test agrees."""
        return self.p_holm is not None and self.p_holm < ALPHA and not self.crosses

    @property
    def crosses(self) -> bool:
        """True if the interval includes 0, no difference."""
        return self.interval is None or not self.interval.excludes_zero


ANSWERED, ALL = "shared queries", "all queries"
"""The queries of a comparison: those with grades for both, or all that both were asked, with 0 for no answer."""


def compared_engines(
    engines: Ids, means: Floats, rubric: Rubric, *, seed: int, silent: bool = False
) -> tuple[JudgeComparison, ...]:
    """Compare every pair of columns of `means` (points; NaN: no valid grade) on the queries with a value for both.

    `silent`: 0 represents unanswered queries, and the sentences state this.
    """
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
    named = [
        replace(one, over=_over(one.n_queries, len(means), silent=silent))
        for one in (found[place] for place in range(len(couples)))
    ]
    return corrected(named, rubric, "query")


def _over(n: int, n_all: int, *, silent: bool) -> str:
    """Describe the queries of a comparison; empty if no distinction is needed.

    >>> _over(16, 79, silent=False), _over(79, 79, silent=True), _over(1, 2, silent=False)
    ('the 16 queries with grades for both', 'all 79 queries, unanswered ones as 0', 'the 1 query with grades for both')
    """
    if silent:
        return f"{'all ' if n == n_all else ''}{many(n, 'query')}, unanswered ones as 0"
    return f"the {many(n, 'query')} with grades for both" if n < n_all else ""


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
        JudgeComparison(a, b, n, difference, interval.holding(difference), float(p), None)
        for (a, b), difference, interval, p in zip(names, differences, ranges, tested, strict=True)
    ]


def corrected(found: Iterable[JudgeComparison], rubric: Rubric, noun: str) -> tuple[JudgeComparison, ...]:
    """Add the p corrected for all comparisons tested together, and the sentence of each."""
    each = list(found)
    tested = [place for place, one in enumerate(each) if one.p is not None]
    for place, p in zip(tested, holm([each[place].p or 0.0 for place in tested]), strict=True):
        each[place] = replace(each[place], p_holm=float(p))
    return tuple(replace(one, sentence=sentence(one, rubric, noun)) for one in each)


def number(value: float, shown_max: float) -> str:
    """Format a grade or a difference on the displayed scale for a sentence.

    >>> number(-12.345, 100), number(1.234, 5)
    ('−12.3', '1.23')
    """
    digits = 1 if shown_max > 20 else 2
    text = f"{value:.{digits}f}"
    return text.removeprefix("-") if not float(text) else text.replace("-", "−")


def sentence(c: JudgeComparison, rubric: Rubric, noun: str = "query") -> str:
    """Describe one comparison; "not clear" if the interval includes 0 or the corrected test does not agree."""
    plural = noun.replace("query", "queries") if "pair" not in noun else noun.replace("pair", "pairs")
    if c.difference is None:
        return f"{c.a} and {c.b} can't be compared: no {noun} has valid grades for both."
    on = c.over or f"{c.n_queries:,} {noun if c.n_queries == 1 else plural}"
    if c.interval is None:
        return f"{c.a} and {c.b} can't be compared on a single {noun}."
    low, high = (number(end, rubric.shown_max) for end in c.interval)
    by = number(abs(c.difference), rubric.shown_max)
    if c.is_clear:
        above, below = (c.b, c.a) if c.difference > 0 else (c.a, c.b)
        ends = (low, high) if c.difference > 0 else tuple(number(-end, rubric.shown_max) for end in c.interval[::-1])
        return f"Grades are higher for {above} than for {below}, by {by} ({ends[0]} to {ends[1]}; {on})."
    text = number(c.difference, rubric.shown_max)
    head = (
        f"Not clear whether grades are higher for {c.a} or for {c.b}: {c.b} − {c.a} is {text} ({low} to {high}; {on})"
    )
    if c.crosses:
        return f"{head}."
    return f"{head}, but the test does not agree after correction for all pairs (p {c.p_holm:.2f})."


# Scores of engines by the grades of a judge. Everything is recomputed from the judged candidates.

NOT_ASKED, SKIPPED = "not judged yet", "no abstract: not judged"
LOW_COVERAGE = 0.95
"""With a lower share of grades, the ungraded publications could change a mean noticeably."""
UNEQUAL_COVERAGE = 0.05
"""Engines whose coverage differs by more are not graded alike."""


@dataclass(frozen=True, eq=False)
class EngineScores:
    engine: str
    n: int
    """Number of publications, of every query and rank."""
    n_valid: int
    """Number of publications with a grade."""
    n_waiting: int
    """Number of publications not requested yet."""
    n_overruled: int
    """Number of publications with a person's grade."""
    n_by_title: int
    """Number of publications without an abstract that were graded by their title."""
    statuses: Mapping[Status, int]
    """Number of answers with each status; waiting ones are not included."""
    missing: Mapping[str, int]
    """Reasons for missing grades, in words, most common first."""
    levels: Mapping[int, int]
    """Number of times each grade was given, by points."""
    n_queries: int
    """Number of queries with a publication."""
    n_asked: int
    """Number of queries that the engine was asked."""
    mean: Estimate
    """Over the answered queries, on the displayed scale."""
    mean_all: Estimate
    """Over all queries asked, with 0 for unanswered ones."""
    share_at_cut: Estimate
    """Share of grades at or above the cut, over the answered queries."""
    share_at_cut_all: Estimate
    """Over all queries asked, with 0 for unanswered ones."""
    within: WithinQueryIntervals | None
    """With a single graded query, intervals over its publications."""
    per_query: Mapping[str, float]
    """Mean grade of each query with a valid grade, on the displayed scale."""

    @property
    def coverage(self) -> float | None:
        """The share of publications with a grade; None: there are none."""
        return self.n_valid / self.n if self.n else None

    @property
    def answered(self) -> float | None:
        """The share of queries with a result; None: the engine was asked nothing."""
        return self.n_queries / self.n_asked if self.n_asked else None

    @property
    def n_unanswered(self) -> int:
        return self.n_asked - self.n_queries

    @property
    def n_without(self) -> int:
        """Number of queries with publications but without a valid grade: they are left out of the mean."""
        return self.n_queries - self.mean.n


@dataclass(frozen=True, eq=False)
class JudgeScores:
    rubric: Rubric
    cut: int
    """The lowest points that count for the shares."""
    judge_alone: bool
    """True if people's grades were left out."""
    n_queries: int
    engines: tuple[EngineScores, ...]
    overall: EngineScores
    """All engines combined."""
    comparisons: tuple[JudgeComparison, ...]
    """On the queries with grades for both."""
    comparisons_all: tuple[JudgeComparison, ...]
    """On all queries, with 0 for unanswered ones; the same if every engine answers every query."""
    dimensions: Dimensions
    overall_dimensions: Mapping[str, Mapping[str, GradeCell]]
    """The same for all engines combined."""
    ranks: Mapping[str, Mapping[int, GradeCell]]
    warnings: tuple[str, ...] = ()

    @property
    def has_silence(self) -> bool:
        """True if an engine was asked a query and found nothing."""
        return any(each.n_unanswered for each in self.engines)


def default_cut(rubric: Rubric) -> int:
    """Return the first grade of the upper half.

    With six grades from 0, this is 3.
    """
    return rubric.points[len(rubric.points) // 2]


def engine_scores(
    field: JudgeField,
    judged: Sequence[JudgedCandidate],
    rubric: Rubric,
    *,
    cut: int | None = None,
    judge_alone: bool = False,
    seed: int = 0,
) -> JudgeScores:
    """Score every engine (mean, interval, coverage), every pair of engines, and both by kind of query and by rank.

    A mean is the mean of the queries' means, once over the queries that an engine answers and once over all, with 0 for
    an unanswered one; a query whose publications have no valid grade is left out and counted. `judge_alone` ignores the
    overrulings of people.
    """
    cut = default_cut(rubric) if cut is None else cut
    if cut not in rubric.points:
        there = f"{rubric.points[0]} to {rubric.points[-1]}"
        raise SettingsError(f"the cut must be a grade of the rubric, {there}, got {cut}")
    cells = cells_of(field, judged, cut=cut, judge_alone=judge_alone)
    together = cells.together()
    by_engine: dict[str, list[JudgedCandidate]] = {engine: [] for engine in cells.engines}
    for each in judged:
        by_engine[each.candidate.engine].append(each)
    engines = _engines(by_engine, cells, rubric, cut=cut, judge_alone=judge_alone, seed=seed)
    (overall,) = _engines({"all": judged}, together, rubric, cut=cut, judge_alone=judge_alone, seed=seed)
    dimensions = dimension_cells(field.queries, together, rubric, seed=seed)
    return JudgeScores(
        rubric=rubric,
        cut=cut,
        judge_alone=judge_alone,
        n_queries=len(field.queries),
        engines=engines,
        overall=overall,
        comparisons=compared_engines(cells.engines, cells.means, rubric, seed=seed),
        comparisons_all=compared_engines(
            cells.engines, cells.means_all, rubric, seed=seed, silent=bool(cells.is_unanswered.any())
        ),
        dimensions=dimension_cells(field.queries, cells, rubric, seed=seed),
        overall_dimensions={
            name: {value: engines["all"] for value, engines in values.items()} for name, values in dimensions.items()
        },
        ranks=by_rank(field, judged, rubric, judge_alone=judge_alone, seed=seed),
        warnings=tuple(_warnings(engines)),
    )


def _engines(
    judged: Mapping[str, Sequence[JudgedCandidate]],
    cells: GradeCounts,
    rubric: Rubric,
    *,
    cut: int,
    judge_alone: bool,
    seed: int,
) -> tuple[EngineScores, ...]:
    """Score the engines of the columns of the cells, in their order. `judged`: by engine."""
    means, means_all = (
        [scaled(mean, rubric.shown) for mean in column_means(values, seed=seed)]
        for values in (cells.means, cells.means_all)
    )
    shares, shares_all = (column_means(values, seed=seed) for values in (cells.shares, cells.shares_all))
    per_query = cells.means * rubric.shown_factor
    found = []
    for column, (name, candidates) in enumerate(judged.items()):
        statuses = Counter(each.verdict.status for each in candidates if each.verdict is not None)
        given = [points_of(each, judge_alone=judge_alone) for each in candidates]
        points = Counter(given)
        known = np.flatnonzero(~np.isnan(per_query[:, column]))
        found.append(
            EngineScores(
                engine=name,
                n=int(cells.n[:, column].sum()),
                n_valid=int(cells.n_valid[:, column].sum()),
                n_waiting=sum(e.verdict is None and p is None for e, p in zip(candidates, given, strict=True)),
                n_overruled=0
                if judge_alone
                else sum(each.overruled is not None and each.overruled.points is not None for each in candidates),
                n_by_title=sum(
                    each.verdict is not None and each.verdict.status == "no_abstract" and each.verdict.is_valid
                    for each in candidates
                ),
                statuses={status: statuses[status] for status in STATUSES},
                missing=_missing(candidates, given),
                levels={level: points[level] for level in rubric.points},
                n_queries=int(np.count_nonzero(cells.n[:, column])),
                n_asked=int(cells.is_asked[:, column].sum()),
                mean=means[column],
                mean_all=means_all[column],
                share_at_cut=shares[column],
                share_at_cut_all=shares_all[column],
                within=within_query([each for each in given if each is not None], rubric, cut=cut, seed=seed)
                if means[column].n == 1
                else None,
                per_query={cells.query_ids[row]: float(per_query[row, column]) for row in known},
            )
        )
    return tuple(found)


def _missing(judged: Sequence[JudgedCandidate], given: Sequence[int | None]) -> dict[str, int]:
    reasons = Counter(_reason(each) for each, points in zip(judged, given, strict=True) if points is None)
    return {_in_words(reason): n for reason, n in sorted(reasons.items(), key=lambda each: (-each[1], each[0]))}


def _reason(judged: JudgedCandidate) -> str:
    if judged.verdict is None:
        return NOT_ASKED
    return SKIPPED if judged.verdict.status == "no_abstract" else judged.verdict.status


def _in_words(reason: str) -> str:
    words: dict[str, str] = {str(status): text for status, text in STATUS_WORDS.items()}
    return words.get(reason, reason)


def counted_as(judged: JudgedCandidate, *, judge_alone: bool) -> int | str:
    """Return the grade in `levels` under which it counts, or the reason in `missing`."""
    points = points_of(judged, judge_alone=judge_alone)
    return _in_words(_reason(judged)) if points is None else points


def _warnings(engines: Sequence[EngineScores]) -> list[str]:
    found = []
    if all_small := len(engines) > 1 and all(0 < each.mean.n < SMALL for each in engines):
        found.append(f"The means are based on {many(max(each.mean.n for each in engines), 'query')} at most.")
    for each in engines:
        if parts := _weak_points(each, say_small=not all_small):
            found.append(f"{each.engine}: {'; '.join(parts)}.")
    shares = [each.coverage for each in engines if each.coverage is not None]
    if len(shares) > 1 and max(shares) - min(shares) > UNEQUAL_COVERAGE:
        found.append(
            f"The share of graded publications differs between engines, from {100 * min(shares):.0f} to "
            f"{100 * max(shares):.0f} %: ungraded publications may cause a difference."
        )
    if len({each.n_asked for each in engines}) > 1:
        found.append("Engines were given different queries: only comparisons use the same ones.")
    return found


def _weak_points(each: EngineScores, *, say_small: bool) -> list[str]:
    found, done = [], each.n - each.n_waiting
    if each.n_waiting:
        found.append(f"{each.n_waiting:,} of {each.n:,} publications are not judged yet")
    if done and each.n_valid / done < LOW_COVERAGE:
        found.append(f"{done - each.n_valid:,} of {done:,} judged publications have no grade")
    if each.n_unanswered:
        found.append(
            f"{each.n_unanswered:,} of {many(each.n_asked, 'query')} unanswered: counted as 0 in its mean over all, "
            "left out of its mean over answered"
        )
    if each.n_without:
        found.append(f"no valid grade for {many(each.n_without, 'query')}, left out of both means")
    if say_small and 0 < each.mean.n < SMALL:
        found.append(f"its mean is based on only {many(each.mean.n, 'query')}")
    return found


def paired_groups_scores(
    first: JudgeScores,
    second: JudgeScores,
    groups: Mapping[str, Sequence[tuple[str, str]]],
    *,
    names: tuple[str, str],
    seed: int = 0,
) -> dict[str, dict[str, JudgeComparison]]:
    """Compare every engine of two sets by group of query pairs, such as the values of a dimension.

    p is corrected for all groups and engines together.
    """
    if first.rubric != second.rubric:
        raise SettingsError(
            f'two sets can be compared only under one rubric; these are "{first.rubric.name}" and '
            f'"{second.rubric.name}", or two versions of it'
        )
    of_first, of_second = ({each.engine: each.per_query for each in scores.engines} for scores in (first, second))
    found: dict[tuple[str, str], JudgeComparison] = {}
    for group, pairs in groups.items():
        for engine in (engine for engine in of_first if engine in of_second):
            of_a, of_b = of_first[engine], of_second[engine]
            values = [(of_a[a], of_b[b]) for a, b in sorted(pairs) if a in of_a and b in of_b]
            columns = np.array(values, dtype=np.float64).reshape(-1, 2)
            found[group, engine] = _compared([names], columns, [(0, 1)], seed)[0]
    by_group: dict[str, dict[str, JudgeComparison]] = {group: {} for group in groups}
    for (group, engine), c in zip(found, corrected(found.values(), first.rubric, "pair of queries"), strict=True):
        by_group[group][engine] = c
    return by_group


# Results as a document


def results_document(scores: JudgeScores) -> dict[str, Any]:
    """Return the document that the command prints; keys are stable."""
    return {
        **_document(scores.overall),
        "by_dimension": {
            name: {value: _cell(cell) for value, cell in values.items()}
            for name, values in scores.overall_dimensions.items()
        },
        "n_queries": scores.n_queries,
        "cut": scores.cut,
        "judge_alone": scores.judge_alone,
        "engines": {
            each.engine: {
                **_document(each),
                "by_dimension": {
                    name: {value: _cell(cells[each.engine]) for value, cells in values.items()}
                    for name, values in scores.dimensions.items()
                },
                "by_rank": {str(rank): _cell(cell) for rank, cell in scores.ranks[each.engine].items()},
            }
            for each in scores.engines
        },
        "comparisons": [_pair(each, ANSWERED) for each in scores.comparisons],
        "comparisons_all": [_pair(each, ALL) for each in scores.comparisons_all],
        "warnings": list(scores.warnings),
    }


def _document(each: EngineScores) -> dict[str, Any]:
    return {
        "n": each.n,
        "valid": each.n_valid,
        "coverage": each.coverage,
        "statuses": dict(each.statuses),
        "mean_score": each.mean.value,
        "interval": _ends(each.mean),
        "n_scored_queries": each.mean.n,
        "n_queries_without_grade": each.n_without,
        "n_asked_queries": each.n_asked,
        "n_answered": each.n_queries,
        "n_unanswered": each.n_unanswered,
        "answered": each.answered,
        "mean_score_all": each.mean_all.value,
        "interval_all": _ends(each.mean_all),
        "n_scored_queries_all": each.mean_all.n,
        "n_waiting": each.n_waiting,
        "n_overruled": each.n_overruled,
        "n_by_title": each.n_by_title,
        "share_at_cut": each.share_at_cut.value,
        "share_at_cut_interval": _ends(each.share_at_cut),
        "share_at_cut_all": each.share_at_cut_all.value,
        "within_query": None
        if each.within is None
        else {"mean_interval": list(each.within.mean), "share_at_cut_interval": list(each.within.share)},
        "levels": {str(points): n for points, n in each.levels.items()},
    }


def _cell(cell: GradeCell) -> dict[str, Any]:
    return {
        "n": cell.mean.n,
        "mean": cell.mean.value,
        "interval": _ends(cell.mean),
        "coverage": cell.coverage,
        "n_queries": cell.n_queries,
        "n_answered": cell.n_answered,
        "mean_all": cell.mean_all.value,
        "n_all": cell.mean_all.n,
        "is_small": cell.is_small,
    }


def _pair(c: JudgeComparison, over: str) -> dict[str, Any]:
    return {
        "a": c.a,
        "b": c.b,
        "metric": "mean_score" if over == ANSWERED else "mean_score_all",
        "n": c.n_queries,
        "difference": c.difference,
        "interval": None if c.interval is None else list(c.interval),
        "p": c.p,
        "p_holm": c.p_holm,
        "sentence": c.sentence,
        "over": over,
    }


def _ends(mean: Estimate) -> list[float] | None:
    return None if mean.interval is None else list(mean.interval)


# A judged run in a sentence.

MOST_NAMES = 3


def best_engines(scores: JudgeScores) -> tuple[EngineScores, ...]:
    """Return the engines with a mean, highest over all queries first; equal ones stay in order."""
    graded = [each for each in scores.engines if each.mean_all.value is not None]
    return tuple(sorted(graded, key=lambda each: -(each.mean_all.value or 0.0)))


def comparison_of(scores: JudgeScores, first: str, second: str) -> JudgeComparison | None:
    """Return the comparison of two engines over all queries, in either order."""
    return next((each for each in scores.comparisons_all if {each.a, each.b} == {first, second}), None)


CLEAR = "clear for this judge"
"""A clear difference may not exist for another judge, or for people."""


def judge_verdict(scores: JudgeScores) -> str:
    """State the result for the highest mean over all queries, for the head of a page."""
    order = best_engines(scores)
    if not order:
        return "No valid grades yet, so there is no result."
    best, *others = order
    if not others:
        return _alone(scores, best)
    comparison = _compared_best(scores, best, others)
    return f"With 0 for unanswered queries, {comparison}" if scores.has_silence else comparison


def _compared_best(scores: JudgeScores, best: EngineScores, others: Sequence[EngineScores]) -> str:
    alike = [each for each in others if not _is_clear(scores, best, each)]
    if not alike:
        second = others[0]
        pair = comparison_of(scores, best.engine, second.engine)
        by = f" by {number(abs(pair.difference), scores.rubric.shown_max)}" if pair and pair.difference else ""
        if len(others) == 1:
            return f"{best.engine} is graded higher than {second.engine}{by}: {CLEAR}."
        return f"{best.engine} is graded higher than every other engine, and higher than {second.engine}{by}: {CLEAR}."
    if _on_one_query([best, *others]):
        return f"{best.engine} has the highest mean grade on the one query; this says nothing about other queries."
    worse = [each for each in others if each not in alike]
    text = f"{best.engine} has the highest mean grade, but is not clearly better than {_named(alike)}"
    if worse:
        text += f"; {_named(worse)} {'is' if len(worse) == 1 else 'are'} graded lower, {CLEAR}"
    return f"{text}."


def _is_clear(scores: JudgeScores, best: EngineScores, other: EngineScores) -> bool:
    pair = comparison_of(scores, best.engine, other.engine)
    return pair is not None and pair.is_clear and (pair.difference or 0.0) * (1 if pair.b == best.engine else -1) > 0


def _on_one_query(order: Sequence[EngineScores]) -> bool:
    return all(each.mean_all.n == 1 for each in order)


def _alone(scores: JudgeScores, only: EngineScores) -> str:
    shown_max, n = scores.rubric.shown_max, only.mean.n
    text = f"{only.engine} is graded {number(only.mean_all.value or 0.0, shown_max)} of {shown_max} on average"
    ends = _ends_of(only.mean_all, shown_max)
    if not only.n_unanswered:
        return f"{text}{ends} over {many(n, 'query')}."
    answered = f"{number(only.mean.value or 0.0, shown_max)} over the {n:,} answered"
    return f"{text}{ends} over {many(only.mean_all.n, 'query')}, unanswered ones as 0; {answered}."


def _ends_of(mean: Estimate, shown_max: float) -> str:
    return "" if mean.interval is None else f" ({' to '.join(number(end, shown_max) for end in mean.interval)})"


def _named(engines: Sequence[EngineScores]) -> str:
    names = [each.engine for each in engines]
    if len(names) > MOST_NAMES:
        names = [*names[: MOST_NAMES - 1], f"{len(names) - MOST_NAMES + 1:,} more"]
    return listed(names)
