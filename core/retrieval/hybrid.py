"""The `hybrid` retriever: two answers fused into one, by ranks or by scores.

By ranks: reciprocal rank fusion, Cormack, Clarke and Büttcher (2009). By scores: a weighted sum, with the scores of
each list first scaled to 0 to 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from core.collections import Query, Rows
from core.errors import SettingsError
from core.retrieval.retriever import Hits, Retriever, Timing, best, ranked_among, untimed
from core.types import Floats

Fusion = Literal["rrf", "weighted"]
RANK_CONSTANT = 60
"""The constant of reciprocal rank fusion, as in the paper; a larger one makes the first ranks stand out less."""
LEAST_ASKED = 100
"""Minimum number of documents requested from each of the two retrievers."""


class HybridRetriever:
    def __init__(
        self, first: Retriever, second: Retriever, id_ranks: Rows, *, fusion: Fusion = "rrf", weight: float = 0.5
    ) -> None:
        """Combine two retrievers. `weight`: the share of the second one's scores, 0 to 1; unused by ranks."""
        if not 0 <= weight <= 1:
            raise SettingsError(f"weight must be from 0 to 1, got {weight:g}")
        self._first, self._second, self._id_ranks = first, second, id_ranks
        self._fusion: Fusion = fusion
        self._weight = weight

    def search(self, query: Query, k: int, timing: Timing = untimed) -> Hits:
        """Return the k best of both answers, each of at least 100 documents if there are as many."""
        if k < 1:
            return self._fused(Hits(_NONE, _NO_SCORES), Hits(_NONE, _NO_SCORES), k)
        n = max(k, LEAST_ASKED)
        first, second = self._first.search(query, n, timing), self._second.search(query, n, timing)
        with timing("fuse"):
            return self._fused(first, second, k)

    def search_many(self, queries: Sequence[Query], k: int, timing: Timing = untimed) -> list[Hits]:
        if k < 1:
            return [self.search(query, k) for query in queries]
        n = max(k, LEAST_ASKED)
        firsts, seconds = self._first.search_many(queries, n, timing), self._second.search_many(queries, n, timing)
        with timing("fuse"):
            return [self._fused(first, second, k) for first, second in zip(firsts, seconds, strict=True)]

    def among(self, query: Query, rows: Rows, timing: Timing = untimed) -> Hits:
        first, second = (ranked_among(each, query, rows, timing) for each in (self._first, self._second))
        with timing("fuse"):
            return self._fused(first, second, len(rows))

    def _fused(self, first: Hits, second: Hits, k: int) -> Hits:
        if self._fusion == "rrf":
            shares = (reciprocal_ranks(first), reciprocal_ranks(second))
        else:
            shares = ((1 - self._weight) * min_max(first.scores), self._weight * min_max(second.scores))
        rows, place = np.unique(np.concatenate([first.rows, second.rows]), return_inverse=True)
        scores = np.zeros(len(rows))
        # One list after the other: a sum of two numbers does not depend on their order.
        scores[place[: len(first)]] += shares[0]
        scores[place[len(first) :]] += shares[1]
        fused = best(scores, k, self._id_ranks, rows)
        notes = tuple(dict.fromkeys([*first.notes, *second.notes]))
        return Hits(fused.rows, fused.scores, notes, first.n_failed + second.n_failed, parts=(first, second))


def reciprocal_ranks(hits: Hits) -> Floats:
    """Return 1 / (60 + rank) for each rank from 1; a document outside the list gets nothing.

    >>> reciprocal_ranks(Hits(np.array([4]), np.array([0.3]))).round(5).tolist()
    [0.01639]
    """
    shares: Floats = 1.0 / (RANK_CONSTANT + np.arange(1, len(hits) + 1))
    return shares


def min_max(scores: Floats) -> Floats:
    """Scale scores to 0 (the last found, and any not found) to 1 (the best); all 1 if all are equal.

    >>> min_max(np.array([7.0, 4.0, 3.0])).tolist(), min_max(np.array([2.0])).tolist()
    ([1.0, 0.25, 0.0], [1.0])
    """
    if not len(scores):
        return scores
    low, high = float(scores.min()), float(scores.max())
    if high == low:
        return np.ones(len(scores))
    scaled: Floats = (scores - low) / (high - low)
    return scaled


_NONE = np.zeros(0, dtype=np.int64)
_NO_SCORES = np.zeros(0)
