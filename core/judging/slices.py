"""Grades by kind of query and by rank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.judging.means import Cells, Mean, column_means, counted, scaled
from core.judging.metrics import SMALL
from core.judging.types import Field, Judged, Rubric
from core.knowledge.requirement import GIVEN
from core.ranking.slices import NO_LABEL
from core.ranking.types import Query

MOST_RANKS = 50


@dataclass(frozen=True, slots=True)
class Cell:
    """One engine on some of the queries, or at a rank."""

    mean: Mean
    """On the scale that is shown."""
    n_queries: int
    """All queries of the group, with or without a grade."""
    n_candidates: int
    n_valid: int

    @property
    def coverage(self) -> float | None:
        """Share of the publications that have a grade; None: there are none."""
        return self.n_valid / self.n_candidates if self.n_candidates else None

    @property
    def is_small(self) -> bool:
        """Whether it rests on too few queries to say much."""
        return self.mean.n < SMALL


Dimensions = Mapping[str, Mapping[str, Mapping[str, Cell]]]
"""By dimension, value and engine."""


def dimension_values(queries: Sequence[Query]) -> dict[str, dict[str, tuple[str, ...]]]:
    """The queries of each value of each dimension: the values with most queries first.

    A query that carries a dimension twice is in both; one without it stands under "without this label". What fills a
    template's blanks is no dimension.
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


def dimension_cells(queries: Sequence[Query], cells: Cells, rubric: Rubric, *, seed: int) -> Dimensions:
    """The same from what is counted already."""
    row_of = {query_id: row for row, query_id in enumerate(cells.query_ids)}
    return {
        name: {
            value: _group(cells, sorted(row_of[query_id] for query_id in query_ids), rubric, seed)
            for value, query_ids in values.items()
        }
        for name, values in dimension_values(queries).items()
    }


def _group(cells: Cells, rows: Sequence[int], rubric: Rubric, seed: int) -> dict[str, Cell]:
    part = Cells(
        cells.engines,
        tuple(cells.query_ids[row] for row in rows),
        *(each[list(rows)] for each in (cells.n, cells.n_valid, cells.points, cells.n_at_cut)),
    )
    means = column_means(part.means, seed=seed)
    n, n_valid = part.n.sum(axis=0), part.n_valid.sum(axis=0)
    return {
        engine: Cell(scaled(means[at], rubric.shown), len(rows), int(n[at]), int(n_valid[at]))
        for at, engine in enumerate(part.engines)
    }


def by_rank(
    field: Field, judged: Sequence[Judged], rubric: Rubric, *, judge_alone: bool = False, seed: int = 0
) -> dict[str, dict[int, Cell]]:
    """Every engine at each of the first 50 ranks that it has. What shares a rank of a query counts as its mean."""
    at_rank: dict[int, list[Judged]] = {}
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
    found: dict[str, dict[int, Cell]] = {engine: {} for engine in engines}
    for place, (rank, cells) in enumerate(zip(ranks, there, strict=True)):
        for at, engine in enumerate(engines):
            n = int(cells.n[:, at].sum())
            if n:
                mean = scaled(means[place * len(engines) + at], rubric.shown)
                n_queries, n_valid = int(np.count_nonzero(cells.n[:, at])), int(cells.n_valid[:, at].sum())
                found[engine][rank] = Cell(mean, n_queries, n, n_valid)
    return found
