"""Mean grades by query, retriever, kind of query, and rank."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.collections import Query
from core.errors import MisalignedError
from core.judge.judgments import JudgedCandidate, JudgeField, Rubric
from core.knowledge.templates import GIVEN
from core.metrics import Metric
from core.retrieval.query_results import NO_LABEL
from core.stats import Estimate, Interval, bootstrap_means, percentile_intervals, wilson
from core.types import Floats, Ids

SMALL = 10
"""A mean over fewer queries is not informative."""


JUDGE_METRICS: dict[str, Metric] = {
    metric.metric_id: metric
    for metric in (
        Metric(
            "mean_score",
            "Mean, answered",
            "How relevant the publications of an answer are on average. Every answered query counts equally; "
            "only valid grades count.",
            "mean over answered queries of (sum of a query's valid grades / their number), times the rubric's factor",
            "– if no query has a valid grade. A query without one is left out and counted, so engines that "
            "answer other queries have means over other queries.",
            "range: 95 % bootstrap over queries (Efron 1979), because grades of one query are not independent",
            range="0 to 100 with the rubric that comes with Queryscape; 100: every publication matches directly",
        ),
        Metric(
            "mean_score_all",
            "Mean, all queries",
            "The mean grade over every query sent to the engine. An unanswered query counts as 0.",
            "mean over queries of (mean of a query's valid grades, or 0 if the engine found nothing for it)",
            "– if no query has a valid grade. A query whose publications have no grade yet is left out and counted.",
            "range: 95 % bootstrap over queries (Efron 1979)",
            range="0 to 100 with the rubric that comes with Queryscape; 100: every query is answered, and every "
            "publication matches directly",
        ),
        Metric(
            "answered",
            "Answered",
            "Share of the queries with at least one result from the engine.",
            "queries with a publication / queries sent to the engine",
            "– if no query was sent to it.",
            "",
            range="0 to 1; 1: it answers every query",
        ),
        Metric(
            "coverage",
            "Graded",
            "Share of the publications that have a grade. Unreadable, refused, failed and missing answers have "
            "no grade and never count as not relevant. Unanswered queries are not included.",
            "valid grades / publications of the run",
            "– if there are no publications to judge.",
            "",
            range="0 to 1; 1: everything has a grade",
        ),
        Metric(
            "share_at_cut",
            "Share at or above the cut",
            "Share of an answer with at least a certain grade. Every answered query counts equally.",
            "mean over queries of (a query's valid grades at or above the cut / its valid grades)",
            "– if no query has a valid grade.",
            "precision at k, with grades of a judge in place of known relevance",
            range="0 to 1; 1: every graded publication reaches the cut",
        ),
        Metric(
            "difference",
            "Difference",
            "The mean grade of one engine minus that of another, on the same queries: those with valid grades "
            "for both, or all with 0 for unanswered ones.",
            "mean over shared queries of (mean grade of b - mean grade of a); over all queries with 0 for "
            "unanswered ones where stated",
            "– if no query has valid grades for both; no range with fewer than two such queries.",
            "paired randomization test (Smucker, Allan and Carterette 2007), bootstrap range, p corrected over all "
            "pairs (Holm 1979)",
            range="-100 to 100 with the rubric that comes with Queryscape; 0: none",
        ),
        Metric(
            "mean_at_rank",
            "Mean grade at a rank",
            "How relevant the publications at this rank are on average. The line of an engine that ranks well "
            "falls from left to right.",
            "mean over queries of the valid grade at the rank",
            "– if no query has a valid grade at the rank.",
            "",
            range="0 to 100 with the rubric that comes with Queryscape",
        ),
        Metric(
            "agreement_at_confidence",
            "Right at a confidence",
            "Of the triples with this confidence that a person also graded: the share with the same grade. A "
            "judge with meaningful confidence is right more often when confident.",
            "same grades / triples graded by both at this confidence",
            "– if no person graded any of them.",
            "reliability diagrams (Murphy and Winkler 1977)",
            range="0 to 1; 1: always the same grade",
        ),
    )
}


# Grades by query and engine, and means in which every query has the same weight.

NO_GRADE = "no query has a valid grade"
ONE_QUERY = "a range needs two queries with a valid grade; there is only one"


@dataclass(frozen=True, slots=True)
class WithinQueryIntervals:
    """Intervals over the publications of a single query: the precision of its numbers, for no other query."""

    mean: Interval
    """Bootstrap over publications, on the displayed scale."""
    share: Interval
    """Wilson's interval of the share at or above the cut."""


@dataclass(frozen=True, eq=False)
class GradeCounts:
    """Grades of each engine for each query. Rows: queries; columns: engines."""

    engines: Ids
    query_ids: Ids
    """Sorted, so that no seed depends on their original order."""
    n: Floats
    """Number of publications."""
    n_valid: Floats
    points: Floats
    """Sum of the valid grades; whole numbers, so the order of addition does not matter."""
    n_at_cut: Floats
    """Number of valid grades at or above the cut."""
    is_asked: Floats
    """1 if the engine was asked the query, else 0."""

    @property
    def means(self) -> Floats:
        """Mean points; NaN without a valid grade."""
        return _per(self.points, self.n_valid)

    @property
    def shares(self) -> Floats:
        """Share at or above the cut; NaN without a valid grade."""
        return _per(self.n_at_cut, self.n_valid)

    @property
    def is_unanswered(self) -> npt.NDArray[np.bool_]:
        """A mask of the queries that an engine was asked but found nothing for."""
        unanswered: npt.NDArray[np.bool_] = (self.n == 0) & (self.is_asked > 0)
        return unanswered

    @property
    def means_all(self) -> Floats:
        """Mean points, with 0 for unanswered queries; NaN without a valid grade, and for an engine without any."""
        return self._with_silence(self.means)

    @property
    def shares_all(self) -> Floats:
        """Share at or above the cut, with 0 for unanswered queries."""
        return self._with_silence(self.shares)

    def _with_silence(self, values: Floats) -> Floats:
        known = (self.n_valid > 0).any(axis=0)
        filled: Floats = np.where(self.is_unanswered & known, 0.0, values)
        return filled

    def together(self) -> GradeCounts:
        """Return the counts of all engines as one."""
        n, n_valid, points, n_at_cut = (
            part.sum(axis=1, keepdims=True) for part in (self.n, self.n_valid, self.points, self.n_at_cut)
        )
        is_asked = self.is_asked.max(axis=1, keepdims=True, initial=0.0)
        return GradeCounts(("all",), self.query_ids, n, n_valid, points, n_at_cut, is_asked)


def _per(whole: Floats, by: Floats) -> Floats:
    shares: Floats = np.full(whole.shape, np.nan)
    np.divide(whole, by, out=shares, where=by > 0)
    return shares


def points_of(judged: JudgedCandidate, *, judge_alone: bool) -> int | None:
    """Return the grade that counts: a person's grade before the judge's, or the judge's alone."""
    if not judge_alone:
        return judged.points
    return None if judged.verdict is None else judged.verdict.points


def cells_of(field: JudgeField, judged: Sequence[JudgedCandidate], *, cut: int, judge_alone: bool) -> GradeCounts:
    """Count the grades of a field once, as the basis of all other numbers."""
    query_ids = tuple(sorted({query.query_id for query in field.queries}))
    found = counted(query_ids, field.engines, judged, cut=cut, judge_alone=judge_alone)
    row_of = {query_id: row for row, query_id in enumerate(query_ids)}
    for engine, left_out in field.not_asked.items():
        if engine in found.engines:
            found.is_asked[[row_of[each] for each in left_out if each in row_of], found.engines.index(engine)] = 0
    return found


def counted(
    query_ids: Ids, engines: Ids, judged: Sequence[JudgedCandidate], *, cut: int, judge_alone: bool
) -> GradeCounts:
    """Count some of the judged candidates in these rows and columns."""
    row_of = {query_id: row for row, query_id in enumerate(query_ids)}
    column_of = {engine: column for column, engine in enumerate(engines)}
    shape = (len(query_ids), len(column_of))
    n, n_valid, points, n_at_cut = (np.zeros(shape) for _ in range(4))
    for each in judged:
        row, column = row_of.get(each.candidate.query_id), column_of.get(each.candidate.engine)
        if row is None or column is None:
            where = f'query "{each.candidate.query_id[:80]}" of engine "{each.candidate.engine[:80]}"'
            raise MisalignedError(f"{where} was judged but is not one of the items to judge")
        n[row, column] += 1
        given = points_of(each, judge_alone=judge_alone)
        if given is not None:
            n_valid[row, column] += 1
            points[row, column] += given
            n_at_cut[row, column] += given >= cut
    return GradeCounts(engines, query_ids, n, n_valid, points, n_at_cut, np.ones(shape))


def column_means(values: Floats, *, seed: int) -> list[Estimate]:
    """Return the mean of each column over the queries that have a value, with its interval. NaN: the query has none.

    An interval always contains its mean.
    """
    known = ~np.isnan(values)
    found: list[Estimate] = [Estimate(None, 0, None, NO_GRADE)] * values.shape[1]
    for n, columns in by_count(known).items():
        if not n:
            continue
        part = np.stack([values[known[:, column], column] for column in columns], axis=1)
        means = [float(part[:, place].mean()) for place in range(len(columns))]
        ranges = percentile_intervals(bootstrap_means(part, seed=seed)) if n > 1 else [None] * len(columns)
        for column, mean, interval in zip(columns, means, ranges, strict=True):
            found[column] = Estimate(mean, n, interval and interval.holding(mean), "" if interval else ONE_QUERY)
    return found


def by_count(known: np.ndarray[tuple[int, int], np.dtype[np.bool_]]) -> dict[int, list[int]]:
    """Group columns by their number of known rows: resamples depend on nothing else, so a group is drawn at once."""
    groups: dict[int, list[int]] = {}
    for column, n in enumerate(known.sum(axis=0).tolist()):
        groups.setdefault(int(n), []).append(column)
    return groups


def scaled(mean: Estimate, by: Callable[[float], float]) -> Estimate:
    """Return the mean on the displayed scale; `by` must be increasing."""
    if mean.value is None:
        return mean
    interval = None if mean.interval is None else Interval(by(mean.interval.low), by(mean.interval.high))
    return Estimate(by(mean.value), mean.n, interval, mean.reason)


def within_query(points: Sequence[int], rubric: Rubric, *, cut: int, seed: int) -> WithinQueryIntervals | None:
    """Compute intervals from all valid grades of one query, in any order; None with fewer than two."""
    if len(points) < 2:
        return None
    values = np.array(sorted(points), dtype=np.float64)[:, None]
    drawn = percentile_intervals(bootstrap_means(values, seed=seed))[0]
    held = drawn.holding(float(values.mean()))
    share = wilson(sum(each >= cut for each in points), len(points))
    return WithinQueryIntervals(Interval(rubric.shown(held.low), rubric.shown(held.high)), share)


# Grades by kind of query and by rank.

MOST_RANKS = 50


@dataclass(frozen=True, slots=True)
class GradeCell:
    """The scores of one engine on some of the queries, or at a rank."""

    mean: Estimate
    """On the displayed scale."""
    n_queries: int
    """All queries of the group that the engine was asked, answered or not; at a rank, the answered ones."""
    n_candidates: int
    n_valid: int
    n_answered: int
    """Number of queries with a publication."""
    mean_all: Estimate
    """The same mean with 0 for unanswered queries."""

    @property
    def coverage(self) -> float | None:
        """The share of publications with a grade; None: there are no publications."""
        return self.n_valid / self.n_candidates if self.n_candidates else None

    @property
    def is_small(self) -> bool:
        """True if there are too few queries for a reliable mean."""
        return self.mean.n < SMALL


Dimensions = Mapping[str, Mapping[str, Mapping[str, GradeCell]]]
"""By dimension, value and engine."""


def dimension_values(queries: Sequence[Query]) -> dict[str, dict[str, tuple[str, ...]]]:
    """Return the queries of each value of each dimension: the values with the most queries first.

    A query with two values of a dimension counts for both; one without any is listed under "without this label". The
    texts that fill a template's blanks are not a dimension.
    """
    names = dict.fromkeys(name for query in queries for name, _ in query.labels if name != GIVEN)
    found = {}
    for name in names:
        members: dict[str, dict[str, None]] = {}
        for query in queries:
            for value in [value for label, value in query.labels if label == name] or [NO_LABEL]:
                members.setdefault(value, {})[query.query_id] = None
        order = sorted(members, key=lambda value: (value == NO_LABEL, -len(members[value]), value))
        found[name] = {value: tuple(members[value]) for value in order}
    return found


def dimension_cells(queries: Sequence[Query], cells: GradeCounts, rubric: Rubric, *, seed: int) -> Dimensions:
    """Compute the scores by dimension from existing counts."""
    row_of = {query_id: row for row, query_id in enumerate(cells.query_ids)}
    return {
        name: {
            value: _group(cells, sorted(row_of[query_id] for query_id in query_ids), rubric, seed)
            for value, query_ids in values.items()
        }
        for name, values in dimension_values(queries).items()
    }


def _group(cells: GradeCounts, rows: Sequence[int], rubric: Rubric, seed: int) -> dict[str, GradeCell]:
    part = GradeCounts(
        cells.engines,
        tuple(cells.query_ids[row] for row in rows),
        *(each[list(rows)] for each in (cells.n, cells.n_valid, cells.points, cells.n_at_cut, cells.is_asked)),
    )
    means, over_all = column_means(part.means, seed=seed), column_means(part.means_all, seed=seed)
    n, n_valid = part.n.sum(axis=0), part.n_valid.sum(axis=0)
    n_asked, n_answered = part.is_asked.sum(axis=0), np.count_nonzero(part.n, axis=0)
    return {
        engine: GradeCell(
            scaled(means[at], rubric.shown),
            int(n_asked[at]),
            int(n[at]),
            int(n_valid[at]),
            int(n_answered[at]),
            scaled(over_all[at], rubric.shown),
        )
        for at, engine in enumerate(part.engines)
    }


def by_rank(
    field: JudgeField, judged: Sequence[JudgedCandidate], rubric: Rubric, *, judge_alone: bool = False, seed: int = 0
) -> dict[str, dict[int, GradeCell]]:
    """Score every engine at each of its first 50 ranks. Publications at one rank of a query count as their mean."""
    at_rank: dict[int, list[JudgedCandidate]] = {}
    for each in judged:
        if each.candidate.rank <= MOST_RANKS:
            at_rank.setdefault(each.candidate.rank, []).append(each)
    ranks = sorted(at_rank)
    engines = field.engines
    if not ranks:
        return {engine: {} for engine in engines}
    cut = rubric.points[0]
    query_ids = tuple(sorted({query.query_id for query in field.queries}))
    there = [counted(query_ids, engines, at_rank[rank], cut=cut, judge_alone=judge_alone) for rank in ranks]
    means = column_means(np.concatenate([each.means for each in there], axis=1), seed=seed)
    found: dict[str, dict[int, GradeCell]] = {engine: {} for engine in engines}
    for place, (rank, cells) in enumerate(zip(ranks, there, strict=True)):
        for at, engine in enumerate(engines):
            n = int(cells.n[:, at].sum())
            if n:
                mean = scaled(means[place * len(engines) + at], rubric.shown)
                n_queries, n_valid = int(np.count_nonzero(cells.n[:, at])), int(cells.n_valid[:, at].sum())
                found[engine][rank] = GradeCell(mean, n_queries, n, n_valid, n_queries, mean)
    return found
