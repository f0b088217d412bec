"""Grades by query and engine, and means that every query counts the same in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from core.errors import MisalignedError
from core.judging.types import Field, Judged, Rubric
from core.ranking.significance import Interval, bootstrap_means, percentile_intervals, wilson
from core.types import Floats, Ids

NO_GRADE = "no query has a valid grade"
ONE_QUERY = "a range needs two queries with a valid grade; there is one"


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean over queries and what it rests on."""

    value: float | None
    """None: no query has a valid grade."""
    interval: Interval | None
    """Bootstrap over queries; None below two of them."""
    n: int
    """Queries with a valid grade."""
    reason: str = ""
    """Why there is no value or no range."""


@dataclass(frozen=True, slots=True)
class Within:
    """Ranges over the publications of a single query: how sure its numbers are. They say nothing of other queries."""

    mean: Interval
    """Bootstrap over publications, on the scale that is shown."""
    share: Interval
    """Wilson's range of the share at or above the cut."""


@dataclass(frozen=True, eq=False)
class Cells:
    """Grades of each engine under each query. Rows: queries; columns: engines."""

    engines: Ids
    query_ids: Ids
    """Sorted, so that no seed depends on an order in which they came."""
    n: Floats
    """Publications."""
    n_valid: Floats
    points: Floats
    """Sum of the valid grades; whole numbers, so no order of adding changes them."""
    n_at_cut: Floats
    """Valid grades at or above the cut."""

    @property
    def means(self) -> Floats:
        """Mean points; NaN where nothing is valid."""
        return _per(self.points, self.n_valid)

    @property
    def shares(self) -> Floats:
        """Share at or above the cut; NaN where nothing is valid."""
        return _per(self.n_at_cut, self.n_valid)

    def together(self) -> Cells:
        """All engines as one."""
        summed = [part.sum(axis=1, keepdims=True) for part in (self.n, self.n_valid, self.points, self.n_at_cut)]
        return Cells(("all",), self.query_ids, *summed)


def _per(whole: Floats, by: Floats) -> Floats:
    shares: Floats = np.full(whole.shape, np.nan)
    np.divide(whole, by, out=shares, where=by > 0)
    return shares


def points_of(judged: Judged, *, judge_alone: bool) -> int | None:
    """What counts: a person's grade before the judge's, or the judge's alone."""
    if not judge_alone:
        return judged.points
    return None if judged.verdict is None else judged.verdict.points


def cells_of(field: Field, judged: Sequence[Judged], *, cut: int, judge_alone: bool) -> Cells:
    """Count once; everything else is taken from it."""
    query_ids = tuple(sorted({query.query_id for query in field.queries}))
    return counted(query_ids, field.engines, judged, cut=cut, judge_alone=judge_alone)


def counted(query_ids: Ids, engines: Ids, judged: Sequence[Judged], *, cut: int, judge_alone: bool) -> Cells:
    """Some of what was judged, in these rows and columns."""
    row_of = {query_id: row for row, query_id in enumerate(query_ids)}
    column_of = {engine: column for column, engine in enumerate(engines)}
    shape = (len(query_ids), len(column_of))
    n, n_valid, points, n_at_cut = (np.zeros(shape) for _ in range(4))
    for each in judged:
        row, column = row_of.get(each.candidate.query_id), column_of.get(each.candidate.engine)
        if row is None or column is None:
            where = f'query "{each.candidate.query_id[:80]}" of engine "{each.candidate.engine[:80]}"'
            raise MisalignedError(f"{where} was judged but is not among what was to be judged")
        n[row, column] += 1
        given = points_of(each, judge_alone=judge_alone)
        if given is not None:
            n_valid[row, column] += 1
            points[row, column] += given
            n_at_cut[row, column] += given >= cut
    return Cells(engines, query_ids, n, n_valid, points, n_at_cut)


def column_means(values: Floats, *, seed: int) -> list[Mean]:
    """The mean of each column over the queries that have a value, with its range. NaN: the query has none.

    A range always holds its mean.
    """
    known = ~np.isnan(values)
    found: list[Mean] = [Mean(None, None, 0, NO_GRADE)] * values.shape[1]
    for n, columns in by_count(known).items():
        if not n:
            continue
        part = np.stack([values[known[:, column], column] for column in columns], axis=1)
        means = [float(part[:, place].mean()) for place in range(len(columns))]
        ranges = percentile_intervals(bootstrap_means(part, seed=seed)) if n > 1 else [None] * len(columns)
        for column, mean, interval in zip(columns, means, ranges, strict=True):
            found[column] = Mean(mean, _holding(interval, mean), n, "" if interval else ONE_QUERY)
    return found


def by_count(known: np.ndarray[tuple[int, int], np.dtype[np.bool_]]) -> dict[int, list[int]]:
    """Columns by how many rows they are known in: resamples hang on nothing else, so these can be drawn at once."""
    groups: dict[int, list[int]] = {}
    for column, n in enumerate(known.sum(axis=0).tolist()):
        groups.setdefault(int(n), []).append(column)
    return groups


def _holding(interval: Interval | None, mean: float) -> Interval | None:
    """Rounding alone must not push a mean out of its own range."""
    return None if interval is None else Interval(min(interval.low, mean), max(interval.high, mean))


def scaled(mean: Mean, by: Callable[[float], float]) -> Mean:
    """The same on the scale that is shown, which rises."""
    if mean.value is None:
        return mean
    interval = None if mean.interval is None else Interval(by(mean.interval.low), by(mean.interval.high))
    return Mean(by(mean.value), interval, mean.n, mean.reason)


def within_query(points: Sequence[int], rubric: Rubric, *, cut: int, seed: int) -> Within | None:
    """Of all valid grades of one query, in any order; None below two of them."""
    if len(points) < 2:
        return None
    values = np.array(sorted(points), dtype=np.float64)[:, None]
    drawn = percentile_intervals(bootstrap_means(values, seed=seed))[0]
    held = _holding(drawn, float(values.mean())) or drawn
    share = wilson(sum(each >= cut for each in points), len(points))
    return Within(Interval(rubric.shown(held.low), rubric.shown(held.high)), share)
