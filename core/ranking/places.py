"""Where the relevant documents stand in a run's rankings: all that metrics need to know of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.errors import InputError, MisalignedError
from core.ranking.judged import Judged
from core.ranking.types import Rows, Run
from core.retrieval.base import id_ranks
from core.types import Floats, Ids

BLOCK = 1 << 18
"""How many documents of a run are looked at together."""


@dataclass(frozen=True, eq=False)
class Places:
    """The rank of every relevant document; the documents of a query stand together, the most relevant first."""

    n_queries: int
    query_of: Rows
    """The query that each document is relevant to, as its place among the judged queries."""
    grades: Floats
    ranks: Rows
    """From 1; 0: not in the ranking."""
    tied: tuple[Rows, Rows] | None = None
    """How many documents stand above each one's score, and how many share it; None: no metric shares gains in ties."""

    @cached_property
    def n_relevant(self) -> Rows:
        return np.bincount(self.query_of, minlength=self.n_queries).astype(np.int64)

    @cached_property
    def ideal_ranks(self) -> Rows:
        """The rank of each document in the best ranking there could be."""
        starts = np.cumsum(self.n_relevant) - self.n_relevant
        return np.arange(1, len(self.query_of) + 1) - starts[self.query_of]


def find_places(run: Run, judged: Judged) -> Places:
    """The rank of every relevant document.

    Ranks follow score descending, then doc_id ascending by code points. A document that a ranking holds twice counts
    once, at its best rank. An error: a score that is not a number, or a query that the run holds twice.
    """
    check_run(run)
    rows, doc_ids = aligned_rows(run, judged)
    id_order = _IdOrder(judged, doc_ids)
    unordered = _unordered(run, rows, id_order)
    found = np.zeros(len(judged.rows), dtype=np.int64)
    # One place beyond the documents stays 0: it is what OUTSIDE points to.
    rank_of = np.zeros(len(doc_ids) + 1, dtype=np.int32)
    counting = np.arange(1, int(np.diff(run.starts).max(initial=0)) + 1, dtype=np.int32)
    starts, ends = run.starts.tolist(), judged.starts.tolist()
    for query, query_id in enumerate(judged.query_ids):
        at = run.place_of.get(query_id)
        if at is None or starts[at] == starts[at + 1]:
            continue
        listed = rows[starts[at] : starts[at + 1]]
        if at in unordered:
            listed = _in_order(listed, run.scores[starts[at] : starts[at + 1]], id_order.ranks)
        rank_of[listed] = counting[: len(listed)]
        if not np.array_equal(rank_of[listed], counting[: len(listed)]):
            listed = listed[first_places(listed)]
            rank_of[listed] = counting[: len(listed)]
        found[ends[query] : ends[query + 1]] = rank_of[judged.rows[ends[query] : ends[query + 1]]]
        rank_of[listed] = 0
    return Places(len(judged), judged.query_of, judged.grades, found)


def _in_order(listed: Rows, scores: Floats, ranks: Rows) -> Rows:
    """Score descending, then id ascending: a stable sort, and one of whole numbers; lexsort takes twice as long."""
    down = np.argsort(-scores, kind="stable")
    listed, scores = listed[down], scores[down]
    level = np.zeros(len(listed), dtype=np.int64)
    np.cumsum(scores[1:] != scores[:-1], out=level[1:])
    return listed[np.argsort(level * len(ranks) + ranks[listed])]


def check_run(run: Run) -> None:
    """Refuse what no ranking can be made of."""
    if len(run.place_of) != len(run.query_ids):
        twice = next(query_id for place, query_id in enumerate(run.query_ids) if run.place_of[query_id] != place)
        raise InputError(f'run "{run.name}" answers query "{twice}" twice')
    nan = np.isnan(run.scores)
    if nan.any():
        query_id = run.query_ids[int(np.searchsorted(run.starts, int(nan.argmax()), side="right")) - 1]
        raise InputError(f'run "{run.name}" has a score that is not a number, in query "{query_id}"')
    if len(run.rows) and not 0 <= int(run.rows.min()) <= int(run.rows.max()) < len(run.doc_ids):
        raise MisalignedError(f'run "{run.name}" has rows beyond its {len(run.doc_ids):,} documents')


def aligned_rows(run: Run, judged: Judged) -> tuple[Rows, Ids]:
    """The run's rows as places in the judged collection; documents that it does not have follow after its own."""
    if run.doc_ids is judged.doc_ids or run.doc_ids == judged.doc_ids:
        return run.rows, judged.doc_ids
    row_of = {doc_id: row for row, doc_id in enumerate(judged.doc_ids)}
    rows = np.array([row_of.setdefault(doc_id, len(row_of)) for doc_id in run.doc_ids], dtype=np.int64)
    return rows[run.rows], tuple(row_of)


def first_places(listed: Rows) -> Rows:
    """Where each document comes first, in order.

    >>> first_places(np.array([7, 3, 7, 1])).tolist()
    [0, 1, 3]
    """
    return np.sort(np.unique(listed, return_index=True)[1])


@dataclass(frozen=True, eq=False)
class _IdOrder:
    """Sorts ids only where a tie asks for it."""

    judged: Judged
    doc_ids: Ids

    @cached_property
    def ranks(self) -> Rows:
        return self.judged.id_ranks if self.doc_ids is self.judged.doc_ids else id_ranks(self.doc_ids)


def _unordered(run: Run, rows: Rows, id_order: _IdOrder) -> set[int]:
    """The places of queries whose ranking is not yet in order."""
    found: set[int] = set()
    for start in range(0, len(rows) - 1, BLOCK):
        scores, listed = run.scores[start : start + BLOCK + 1], rows[start : start + BLOCK + 1]
        wrong = scores[1:] > scores[:-1]
        tied = np.flatnonzero(scores[1:] == scores[:-1])
        if len(tied):
            ranks = id_order.ranks[listed]
            wrong[tied] = ranks[tied + 1] < ranks[tied]
        first, last = np.searchsorted(run.starts, [start + 1, start + len(scores)])
        wrong[run.starts[first:last] - start - 1] = False  # what follows is another query's
        at = np.searchsorted(run.starts, start + np.flatnonzero(wrong), side="right") - 1
        found.update(at[np.flatnonzero(np.diff(at, prepend=-1))].tolist())
    return found


def n_answered(run: Run, query_ids: Sequence[str]) -> int:
    """For how many of these queries the run has a document."""
    lengths = np.diff(run.starts)
    places = [run.place_of[query_id] for query_id in query_ids if query_id in run.place_of]
    return int(np.count_nonzero(lengths[places])) if places else 0
