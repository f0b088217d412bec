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
"""More documents than any collection has."""
Timing = Callable[[str], AbstractContextManager[object]]
"""A function from the name of a stage ("embed the query", "compare", "rerank") to a context manager around it."""


def untimed(stage: str) -> AbstractContextManager[object]:
    return nullcontext()


@dataclass(frozen=True, eq=False)
class Hits:
    """The answer to one query: score descending, then doc_id ascending. Every score is finite."""

    rows: Rows
    scores: Floats
    notes: tuple[str, ...] = ()
    """Notes on this answer, such as a failed stage and its fallback."""
    n_failed: int = 0
    """Candidates that a stage could not score, which keep their place from the previous stage."""
    first: Hits | None = None
    """The answer of the first stage, if there is one."""
    parts: tuple[Hits, ...] = field(default=())
    """The answers that were fused into this one."""

    def __post_init__(self) -> None:
        if len(self.rows) != len(self.scores):
            raise MisalignedError(f"{len(self.rows)} documents but {len(self.scores)} scores")

    def __len__(self) -> int:
        return len(self.rows)


class Retriever(Protocol):
    """A retriever over a fixed set of documents. It must not be shared between threads."""

    def search(self, query: Query, k: int, timing: Timing = untimed) -> Hits:
        """Return the best k documents; fewer if fewer match, none for an empty query."""
        ...

    def search_many(self, queries: Sequence[Query], k: int, timing: Timing = untimed) -> list[Hits]: ...


@runtime_checkable
class SubsetRanker(Protocol):
    """A retriever that can rank a given set of documents, however many others there are."""

    def among(self, query: Query, rows: Rows, timing: Timing = untimed) -> Hits:
        """Rank these documents, best first, leaving out those that it can't score."""
        ...


def ranked_among(retriever: Retriever, query: Query, rows: Rows, timing: Timing = untimed) -> Hits:
    """Rank only these documents with a retriever; if it has no direct way, rank all documents and filter."""
    if isinstance(retriever, SubsetRanker):
        return retriever.among(query, rows, timing)
    every = retriever.search(query, EVERY_DOCUMENT, timing)
    kept = np.isin(every.rows, rows)
    return Hits(every.rows[kept], every.scores[kept], every.notes, every.n_failed)


class SequentialRetriever:
    def search(self, query: Query, k: int, timing: Timing = untimed) -> Hits:
        raise NotImplementedError

    def search_many(self, queries: Sequence[Query], k: int, timing: Timing = untimed) -> list[Hits]:
        return [self.search(query, k, timing) for query in queries]


NO_HITS = Hits(np.zeros(0, np.int64), np.zeros(0))


def best(scores: Floats, k: int, id_ranks: Rows, rows: Rows | None = None) -> Hits:
    """Return the k best of these scores; ties are ordered by `id_ranks` (positions in sorted id order).

    `rows`: the documents that the scores belong to; None: all documents, in order.

    >>> best(np.array([0.2, 0.9, 0.9]), 2, np.array([0, 2, 1])).rows.tolist()
    [2, 1]
    """
    at = np.arange(len(scores)) if rows is None else rows
    if k < 1 or not len(scores):
        return NO_HITS
    if k < len(scores):
        # Every document tied with the last one taken may be that last one.
        least = np.partition(scores, len(scores) - k)[len(scores) - k]
        kept = np.flatnonzero(scores >= least)
        at, scores = at[kept], scores[kept]
    order = np.lexsort((id_ranks[at], -scores))[:k]
    return Hits(at[order].astype(np.int64), scores[order].astype(np.float64))


def id_ranks(doc_ids: Sequence[str]) -> Rows:
    """Return the position of each document in sorted id order.

    >>> id_ranks(["b", "a", "c"]).tolist()
    [1, 0, 2]
    """
    ranks = np.empty(len(doc_ids), dtype=np.int64)
    ranks[sorted(range(len(doc_ids)), key=doc_ids.__getitem__)] = np.arange(len(doc_ids))
    return ranks
