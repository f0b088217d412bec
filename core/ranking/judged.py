"""Which documents are relevant to which query, as arrays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.errors import InputError
from core.ranking.types import Judgment, Rows
from core.retrieval.base import id_ranks
from core.types import Floats, Ids, unique_ids

OUTSIDE = -1
"""The row of a relevant document that the collection does not have."""
HIGHEST_GRADE = 2**31 - 1


@dataclass(frozen=True, eq=False)
class Judged:
    """The relevant documents of each query that has one.

    A relevant document outside the collection counts as relevant, and no run can find it: recall's denominator and the
    ideal ranking hold it. A document that is judged twice for a query counts once, with its highest relevance.
    """

    query_ids: Ids
    """Queries with at least one relevant document."""
    doc_ids: Ids
    starts: Rows
    """Where each query's relevant documents begin; one more than there are queries."""
    rows: Rows
    """Places of relevant documents in `doc_ids`, or OUTSIDE; per query, the most relevant first."""
    grades: Floats
    """How relevant each of them is; above 0."""
    n_without: int
    """Queries without a relevant document: they are left out."""
    n_repeated: int
    """Judgments that repeat a query and a document."""

    @classmethod
    def of(
        cls, judgments: Iterable[Judgment], doc_ids: Sequence[str], query_ids: Sequence[str] | None = None
    ) -> Judged:
        """From judgments in any order; `query_ids`: the queries that are asked for, all judged ones without."""
        held = list(judgments)
        wanted = unique_ids(query_ids if query_ids is not None else (each.query_id for each in held))
        given: dict[str, dict[str, int]] = {query_id: {} for query_id in wanted}
        n_repeated = 0
        for judgment in held:
            grades = given.get(judgment.query_id)
            if grades is None:
                continue
            before = grades.get(judgment.doc_id)
            n_repeated += before is not None
            if before is None or judgment.relevance > before:
                grades[judgment.doc_id] = judgment.relevance
        return cls._from(given, tuple(doc_ids), n_repeated)

    @classmethod
    def _from(cls, given: dict[str, dict[str, int]], doc_ids: Ids, n_repeated: int) -> Judged:
        row_of = {doc_id: row for row, doc_id in enumerate(doc_ids)}
        query_ids: list[str] = []
        places, rows, grades = [], [], []
        for query_id, judged in given.items():
            relevant = [(row_of.get(doc_id, OUTSIDE), grade) for doc_id, grade in judged.items() if grade > 0]
            if not relevant:
                continue
            if max(grade for _, grade in relevant) > HIGHEST_GRADE:
                raise InputError(f'query "{query_id}" has a relevance above {HIGHEST_GRADE:,}')
            places += [len(query_ids)] * len(relevant)
            query_ids.append(query_id)
            rows += [row for row, _ in relevant]
            grades += [grade for _, grade in relevant]
        at, row, grade = np.array(places, np.int64), np.array(rows, np.int64), np.array(grades, np.float64)
        order = np.lexsort((row, -grade, at))
        starts = np.searchsorted(at, np.arange(len(query_ids) + 1)).astype(np.int64)
        n_without = len(given) - len(query_ids)
        return cls(tuple(query_ids), doc_ids, starts, row[order], grade[order], n_without, n_repeated)

    def __len__(self) -> int:
        return len(self.query_ids)

    @cached_property
    def n_relevant(self) -> Rows:
        """How many relevant documents each query has, in the collection or not."""
        return np.diff(self.starts)

    @cached_property
    def n_outside(self) -> Rows:
        """How many of them the collection does not have."""
        return np.bincount(self.query_of[self.rows == OUTSIDE], minlength=len(self)).astype(np.int64)

    @cached_property
    def query_of(self) -> Rows:
        """The query of each relevant document, as its place in `query_ids`."""
        return np.repeat(np.arange(len(self), dtype=np.int64), self.n_relevant)

    @cached_property
    def id_ranks(self) -> Rows:
        """The place of each document when ids are sorted."""
        return id_ranks(self.doc_ids)
