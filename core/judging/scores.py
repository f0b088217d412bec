"""What engines are worth by the grades of a judge. Everything is worked out anew from what was judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.errors import SettingsError
from core.judging.comparing import JudgeComparison, compared_engines, compared_sets
from core.judging.means import Cells, Mean, Within, cells_of, column_means, points_of, scaled, within_query
from core.judging.metrics import SMALL
from core.judging.slices import Cell, Dimensions, by_rank, dimension_cells
from core.judging.types import STATUS_WORDS, STATUSES, Field, Judged, Rubric, Status
from core.types import Floats

NOT_ASKED, SKIPPED = "not asked yet", "no abstract: not asked"
LOW_COVERAGE = 0.95
"""Below this share of grades, what has none could well change a mean."""
UNEQUAL_COVERAGE = 0.05
"""Engines that differ in coverage by more are not graded alike."""


@dataclass(frozen=True, slots=True)
class Counted:
    """What counts, and the seed of the ranges."""

    cut: int
    judge_alone: bool
    seed: int


@dataclass(frozen=True, eq=False)
class EngineScores:
    """One engine's grades."""

    engine: str
    n: int
    """Publications, of every query and rank."""
    n_valid: int
    """Those with a grade."""
    n_waiting: int
    """Those that were not asked yet."""
    n_overruled: int
    """Those whose grade is a person's."""
    n_by_title: int
    """Those that have no abstract and were graded by their title."""
    statuses: Mapping[Status, int]
    """How many answers ended how; those that are waiting are not among them."""
    missing: Mapping[str, int]
    """Why publications have no grade, in words, the commonest first."""
    levels: Mapping[int, int]
    """How often each grade was given, by points."""
    n_queries: int
    """Queries that it has a publication for."""
    mean: Mean
    """On the scale that is shown."""
    share_at_cut: Mean
    """Share of grades at or above the cut."""
    within: Within | None
    """With a single graded query, ranges over its publications."""
    per_query: Mapping[str, float]
    """Mean grade of each query that has a valid one, on the scale that is shown."""

    @property
    def coverage(self) -> float | None:
        """Share of the publications that have a grade; None: there are none."""
        return self.n_valid / self.n if self.n else None

    @property
    def n_without(self) -> int:
        """Queries with publications but without a valid grade: they are left out of the mean."""
        return self.n_queries - self.mean.n


@dataclass(frozen=True, eq=False)
class JudgeScores:
    """A judged run in numbers."""

    rubric: Rubric
    cut: int
    """Points that the shares begin at."""
    judge_alone: bool
    """Whether grades of people were left out."""
    n_queries: int
    engines: tuple[EngineScores, ...]
    overall: EngineScores
    """All engines together."""
    comparisons: tuple[JudgeComparison, ...]
    dimensions: Dimensions
    overall_dimensions: Mapping[str, Mapping[str, Cell]]
    """The same for all engines together."""
    ranks: Mapping[str, Mapping[int, Cell]]
    warnings: tuple[str, ...] = ()


def default_cut(rubric: Rubric) -> int:
    """The first grade of the upper half.

    With six grades from 0, that is 3.
    """
    return rubric.points[len(rubric.points) // 2]


def engine_scores(
    field: Field,
    judged: Sequence[Judged],
    rubric: Rubric,
    *,
    cut: int | None = None,
    judge_alone: bool = False,
    seed: int = 0,
) -> JudgeScores:
    """Every engine with its mean, range and coverage, every pair of them, and both by kind of query and by rank.

    A mean is that of the queries' means; a query without a valid grade is left out and counted. `judge_alone` leaves
    out what people overruled.
    """
    cut = default_cut(rubric) if cut is None else cut
    if cut not in rubric.points:
        there = f"{rubric.points[0]} to {rubric.points[-1]}"
        raise SettingsError(f"the cut must be a grade of the rubric, {there}, got {cut}")
    cells = cells_of(field, judged, cut=cut, judge_alone=judge_alone)
    together = cells.together()
    by_engine: dict[str, list[Judged]] = {engine: [] for engine in cells.engines}
    for each in judged:
        by_engine[each.candidate.engine].append(each)
    columns, counted = _columns(cells, rubric, seed), Counted(cut, judge_alone, seed)
    engines = tuple(
        _engine(name, column, by_engine[name], cells, columns, rubric, counted)
        for column, name in enumerate(cells.engines)
    )
    overall = _engine("all", 0, judged, together, _columns(together, rubric, seed), rubric, counted)
    dimensions = dimension_cells(field.queries, together, rubric, seed=seed)
    return JudgeScores(
        rubric=rubric,
        cut=cut,
        judge_alone=judge_alone,
        n_queries=len(field.queries),
        engines=engines,
        overall=overall,
        comparisons=compared_engines(cells.engines, cells.means, rubric, seed=seed),
        dimensions=dimension_cells(field.queries, cells, rubric, seed=seed),
        overall_dimensions={
            name: {value: engines["all"] for value, engines in values.items()} for name, values in dimensions.items()
        },
        ranks=by_rank(field, judged, rubric, judge_alone=judge_alone, seed=seed),
        warnings=tuple(_warnings(engines, len(field.queries))),
    )


Columns = tuple[list[Mean], list[Mean], Floats]
"""Means, shares at the cut, and the mean of each query, by engine."""


def _columns(cells: Cells, rubric: Rubric, seed: int) -> Columns:
    means = cells.means
    shown = [scaled(mean, rubric.shown) for mean in column_means(means, seed=seed)]
    return shown, column_means(cells.shares, seed=seed), means * rubric.shown_factor


def _engine(
    name: str,
    column: int,
    judged: Sequence[Judged],
    cells: Cells,
    columns: Columns,
    rubric: Rubric,
    counted: Counted,
) -> EngineScores:
    judge_alone, cut, seed = counted.judge_alone, counted.cut, counted.seed
    means, shares, per_query = columns
    statuses = Counter(each.verdict.status for each in judged if each.verdict is not None)
    given = [points_of(each, judge_alone=judge_alone) for each in judged]
    points = Counter(given)
    overruled = [] if judge_alone else [each for each in judged if each.overruled and each.overruled.points is not None]
    known = np.flatnonzero(~np.isnan(per_query[:, column]))
    return EngineScores(
        engine=name,
        n=int(cells.n[:, column].sum()),
        n_valid=int(cells.n_valid[:, column].sum()),
        n_waiting=sum(e.verdict is None and p is None for e, p in zip(judged, given, strict=True)),
        n_overruled=len(overruled),
        n_by_title=sum(
            each.verdict is not None and each.verdict.status == "no_abstract" and each.verdict.is_valid
            for each in judged
        ),
        statuses={status: statuses[status] for status in STATUSES},
        missing=_missing(judged, given),
        levels={level: points[level] for level in rubric.points},
        n_queries=int(np.count_nonzero(cells.n[:, column])),
        mean=means[column],
        share_at_cut=shares[column],
        within=within_query([each for each in given if each is not None], rubric, cut=cut, seed=seed)
        if means[column].n == 1
        else None,
        per_query={cells.query_ids[row]: float(per_query[row, column]) for row in known},
    )


def _missing(judged: Sequence[Judged], given: Sequence[int | None]) -> dict[str, int]:
    reasons = Counter(
        NOT_ASKED if each.verdict is None else SKIPPED if each.verdict.status == "no_abstract" else each.verdict.status
        for each, points in zip(judged, given, strict=True)
        if points is None
    )
    words: dict[str, str] = {str(status): said for status, said in STATUS_WORDS.items()}
    return {words.get(reason, reason): n for reason, n in sorted(reasons.items(), key=lambda each: (-each[1], each[0]))}


def _warnings(engines: Sequence[EngineScores], n_queries: int) -> list[str]:
    """What a reader of the means has to know, a sentence for each engine."""
    found = []
    if all_small := len(engines) > 1 and all(0 < each.mean.n < SMALL for each in engines):
        found.append(f"The means rest on {_queries(max(each.mean.n for each in engines))} at most.")
    for each in engines:
        if parts := _weak_points(each, n_queries, say_small=not all_small):
            found.append(f"{each.engine}: {'; '.join(parts)}.")
    shares = [each.coverage for each in engines if each.coverage is not None]
    if len(shares) > 1 and max(shares) - min(shares) > UNEQUAL_COVERAGE:
        found.append(
            f"Coverage differs between engines, from {100 * min(shares):.0f} to {100 * max(shares):.0f} %: a "
            "difference may come from what has no grade."
        )
    return found


def _weak_points(each: EngineScores, n_queries: int, *, say_small: bool) -> list[str]:
    found, done = [], each.n - each.n_waiting
    if each.n_waiting:
        found.append(f"{each.n_waiting:,} of {each.n:,} publications were not asked yet")
    if done and each.n_valid / done < LOW_COVERAGE:
        found.append(f"{done - each.n_valid:,} of {done:,} that were asked have no grade")
    if each.n_queries < n_queries:
        found.append(f"no publication for {_queries(n_queries - each.n_queries)}, left out of its mean")
    if each.n_without:
        found.append(f"no valid grade for {_queries(each.n_without)}, left out of its mean")
    if say_small and 0 < each.mean.n < SMALL:
        found.append(f"its mean rests on {_queries(each.mean.n)} only")
    return found


def _queries(n: int) -> str:
    return f"{n:,} {'query' if n == 1 else 'queries'}"


def paired_groups_scores(
    first: JudgeScores,
    second: JudgeScores,
    groups: Mapping[str, Sequence[tuple[str, str]]],
    *,
    names: tuple[str, str],
    seed: int = 0,
) -> dict[str, dict[str, JudgeComparison]]:
    """The same for several groups of pairs, such as the values of a dimension; p is corrected for all of them."""
    if first.rubric != second.rubric:
        raise SettingsError(
            f'two sets can be compared only under one rubric; these are "{first.rubric.name}" and '
            f'"{second.rubric.name}", or two versions of it'
        )
    of_first, of_second = ({each.engine: each.per_query for each in scores.engines} for scores in (first, second))
    return compared_sets(of_first, of_second, groups, first.rubric, names=names, seed=seed)


# As a document


def results_document(scores: JudgeScores) -> dict[str, Any]:
    """What the command prints; keys are stable."""
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
        "comparisons": [_pair(each) for each in scores.comparisons],
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
        "n_waiting": each.n_waiting,
        "n_overruled": each.n_overruled,
        "n_by_title": each.n_by_title,
        "share_at_cut": each.share_at_cut.value,
        "share_at_cut_interval": _ends(each.share_at_cut),
        "within_query": None
        if each.within is None
        else {"mean_interval": list(each.within.mean), "share_at_cut_interval": list(each.within.share)},
        "levels": {str(points): n for points, n in each.levels.items()},
    }


def _cell(cell: Cell) -> dict[str, Any]:
    return {
        "n": cell.mean.n,
        "mean": cell.mean.value,
        "interval": _ends(cell.mean),
        "coverage": cell.coverage,
        "n_queries": cell.n_queries,
        "is_small": cell.is_small,
    }


def _pair(c: JudgeComparison) -> dict[str, Any]:
    return {
        "a": c.a,
        "b": c.b,
        "metric": "mean_score",
        "n": c.n_queries,
        "difference": c.difference,
        "interval": None if c.interval is None else list(c.interval),
        "p": c.p,
        "p_holm": c.p_holm,
        "sentence": c.sentence,
    }


def _ends(mean: Mean) -> list[float] | None:
    return None if mean.interval is None else list(mean.interval)
