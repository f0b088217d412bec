"""The interface of all retrievers, and the ordering of their rankings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

import numpy as np

from core.collections import Query, Rows
from core.errors import MisalignedError
from core.types import Floats

EVERY_DOCUMENT = 10_000_000
"""More than any collection has."""
Timing = Callable[[str], AbstractContextManager[object]]
"""Told what stage begins ("embed the query", "compare", "rerank"); what it gives back is left when that is over."""


def untimed(stage: str) -> AbstractContextManager[object]:
    return nullcontext()


@dataclass(frozen=True, eq=False)
class Hits:
    """One answer: score descending, then doc_id ascending. Every score is a finite number."""

    rows: Rows
    scores: Floats
    notes: tuple[str, ...] = ()
    """What a reader of this one answer has to know: that a stage failed and what stands in its place."""
    n_failed: int = 0
    """Candidates that a stage could not score, so that they keep their place from the stage before."""
    first: Hits | None = None
    """The answer of the first stage, where there is one."""
    parts: tuple[Hits, ...] = field(default=())
    """The answers that were fused into this one."""

    def __post_init__(self) -> None:
        if len(self.rows) != len(self.scores):
            raise MisalignedError(f"{len(self.rows)} documents but {len(self.scores)} scores")

    def __len__(self) -> int:
        return len(self.rows)


class Retriever(Protocol):
    """Answers queries over the documents that it was made for. Threads may not share one."""

    def search(self, query: Query, k: int, timing: Timing = untimed) -> Hits:
        """The best k documents; fewer where fewer fit, none for a query with nothing to look for."""
        ...

    def search_many(self, queries: Sequence[Query], k: int, timing: Timing = untimed) -> list[Hits]: ...


@runtime_checkable
class RanksAmong(Protocol):
    """A retriever that can rank documents that somebody else has found, however many others there are."""

    def among(self, query: Query, rows: Rows, timing: Timing = untimed) -> Hits:
        """Those of these documents that it can score, best first."""
        ...


def ranked_among(retriever: Retriever, query: Query, rows: Rows, timing: Timing = untimed) -> Hits:
    """These documents alone as a retriever ranks them; the slow way, by ranking all, where it knows no other."""
    if isinstance(retriever, RanksAmong):
        return retriever.among(query, rows, timing)
    every = retriever.search(query, EVERY_DOCUMENT, timing)
    kept = np.isin(every.rows, rows)
    return Hits(every.rows[kept], every.scores[kept], every.notes, every.n_failed)


class OneByOne:
    def search(self, query: Query, k: int, timing: Timing = untimed) -> Hits:
        raise NotImplementedError

    def search_many(self, queries: Sequence[Query], k: int, timing: Timing = untimed) -> list[Hits]:
        return [self.search(query, k, timing) for query in queries]


NO_HITS = Hits(np.zeros(0, np.int64), np.zeros(0))


def best(scores: Floats, k: int, id_ranks: Rows, rows: Rows | None = None) -> Hits:
    """The k best of these scores, ties by `id_ranks` (the place of each document when ids are sorted).

    `rows`: which documents the scores belong to; all, in order, without.

    >>> best(np.array([0.2, 0.9, 0.9]), 2, np.array([0, 2, 1])).rows.tolist()
    [2, 1]
    """
    at = np.arange(len(scores)) if rows is None else rows
    if k < 1 or not len(scores):
        return NO_HITS
    if k < len(scores):
        # Every document as good as the last that is taken may be that last one.
        least = np.partition(scores, len(scores) - k)[len(scores) - k]
        kept = np.flatnonzero(scores >= least)
        at, scores = at[kept], scores[kept]
    order = np.lexsort((id_ranks[at], -scores))[:k]
    return Hits(at[order].astype(np.int64), scores[order].astype(np.float64))


def id_ranks(doc_ids: Sequence[str]) -> Rows:
    """The place of each document when ids are sorted.

    >>> id_ranks(["b", "a", "c"]).tolist()
    [1, 0, 2]
    """
    ranks = np.empty(len(doc_ids), dtype=np.int64)
    ranks[sorted(range(len(doc_ids)), key=doc_ids.__getitem__)] = np.arange(len(doc_ids))
    return ranks
