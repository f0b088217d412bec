"""The `hybrid` retriever: two answers made into one, by ranks or by scores.

By ranks: reciprocal rank fusion, Cormack, Clarke and Büttcher (2009). By scores: a weighted sum, each list's scores
brought to 0 to 1 first.
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
"""Of reciprocal rank fusion, as in the paper: how little the first ranks stand out from those below."""
LEAST_ASKED = 100
"""Documents that each of the two is asked for, where no more are wanted."""


class Hybrid:
    def __init__(
        self, first: Retriever, second: Retriever, id_ranks: Rows, *, fusion: Fusion = "rrf", weight: float = 0.5
    ) -> None:
        """`weight`: the share of the second one's scores, 0 to 1; ranks take no weight."""
        if not 0 <= weight <= 1:
            raise SettingsError(f"weight must be from 0 to 1, got {weight:g}")
        self._first, self._second, self._id_ranks = first, second, id_ranks
        self._fusion: Fusion = fusion
        self._weight = weight

    def search(self, query: Query, k: int, timing: Timing = untimed) -> Hits:
        """The k best of both answers, each asked for at least 100."""
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
        # One list after the other: a sum of two numbers does not hang on their order.
        scores[place[: len(first)]] += shares[0]
        scores[place[len(first) :]] += shares[1]
        fused = best(scores, k, self._id_ranks, rows)
        notes = tuple(dict.fromkeys([*first.notes, *second.notes]))
        return Hits(fused.rows, fused.scores, notes, first.n_failed + second.n_failed, parts=(first, second))


def reciprocal_ranks(hits: Hits) -> Floats:
    """1 / (60 + rank), ranks from 1. A document that is not there gets nothing.

    >>> reciprocal_ranks(Hits(np.array([4]), np.array([0.3]))).round(5).tolist()
    [0.01639]
    """
    shares: Floats = 1.0 / (RANK_CONSTANT + np.arange(1, len(hits) + 1))
    return shares


def min_max(scores: Floats) -> Floats:
    """Scores brought to 0 (the last that was found, and any that was not) to 1 (the best); all 1 where all are equal.

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
