"""The `dense` retriever: rank documents by the exact cosine of their vectors."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from core.collections import Query, Rows
from core.errors import InputError, MisalignedError
from core.retrieval.retriever import NO_HITS, Hits, Timing, best, untimed
from core.text import words
from core.types import Floats, Mask, Vectors
from core.vectors import BLOCK_ROWS, normalise

# Cosines of queries to many vectors: a fast pass finds the candidates, and an exact one makes ties exact.
#
# The rounding of a matrix product depends on the position of a row. So it only selects candidates, with a margin for
# its error; their scores are then computed in float64 and rounded to float32, which gives the same value in any
# position.

EmbedQueries = Callable[[Sequence[str]], Vectors]
"""A function from texts to one vector each, of any length; zeros if there is nothing to embed."""
MOST_SCORES = 2**20
"""Maximum number of products held at once."""


def has_words(text: str) -> bool:
    """Check whether a text has any word to search for.

    >>> has_words("heat?"), has_words(" ... ")
    (True, False)
    """
    return bool(words(text))


def query_vectors(queries: Sequence[Query], embed: EmbedQueries, timing: Timing) -> tuple[list[int], Vectors]:
    """Return the positions and unit vectors of the queries that can be compared; the others have no direction."""
    asked = [place for place, query in enumerate(queries) if has_words(query.text)]
    if not asked:
        return [], np.zeros((0, 0), dtype=np.float32)
    with timing("embed the query"):
        raw = embed([queries[place].text for place in asked])
    if len(raw) != len(asked):
        raise MisalignedError(f"{len(asked)} queries but {len(raw)} vectors")
    rows, scorable_mask = normalise(raw)
    return [place for place, ok in zip(asked, scorable_mask, strict=True) if ok], rows[scorable_mask]


def scorable_rows(vectors: Vectors) -> Mask:
    """Mark the rows that have a direction: finite and not all zero."""
    mask = np.zeros(len(vectors), dtype=np.bool_)
    for start in range(0, len(vectors), BLOCK_ROWS):
        block = vectors[start : start + BLOCK_ROWS]
        mask[start : start + BLOCK_ROWS] = np.isfinite(block).all(axis=1) & block.any(axis=1)
    return mask


def check_width(vectors: Vectors, queries: Vectors) -> None:
    if len(queries) and len(vectors) and vectors.shape[1] != queries.shape[1]:
        raise InputError(
            f"documents have vectors of {vectors.shape[1]} dimensions but the query's has {queries.shape[1]}: "
            "is it another model?"
        )


def rounding_error(n_dimensions: int) -> float:
    """Return the largest possible error of a float32 product of two unit vectors."""
    return (n_dimensions + 2) * float(np.finfo(np.float32).eps)


def exact_cosines(vectors: Vectors, rows: Rows, query: Vectors) -> Floats:
    """Compute the cosines of some rows to one query; they do not depend on the position of a row."""
    wide = query.astype(np.float64)
    out = np.empty(len(rows), dtype=np.float64)
    for start in range(0, len(rows), BLOCK_ROWS):
        some = vectors[rows[start : start + BLOCK_ROWS]].astype(np.float64)
        out[start : start + BLOCK_ROWS] = np.einsum("ij,j->i", some, wide).astype(np.float32)
    return out


def candidate_rows(vectors: Vectors, scorable_mask: Mask, queries: Vectors, k: int) -> list[Rows]:
    """Return, for each query, the rows that may be among its k nearest: few more than k, unless many tie."""
    out: list[Rows] = []
    together = max(1, min(len(queries), 128, MOST_SCORES // max(k, 1)))
    for start in range(0, len(queries), together):
        top = _Top(len(queries[start : start + together]), k, 2 * rounding_error(vectors.shape[1]))
        step = max(k, BLOCK_ROWS, MOST_SCORES // together)
        for first in range(0, len(vectors), step):
            block = slice(first, first + step)
            with np.errstate(invalid="ignore"):  # rows that are not finite are left out in the next line
                scores = queries[start : start + together] @ vectors[block].T
            scores[:, ~scorable_mask[block]] = -np.inf
            top.add(scores, first)
        out.extend(top.rows())
    return out


class _Top:
    """The best scores so far, by query; memory grows with k, not with the number of scores added."""

    def __init__(self, n_queries: int, k: int, margin: float) -> None:
        self._k, self._margin = k, margin
        self._floor: npt.NDArray[np.float32] = np.full(n_queries, -np.inf, dtype=np.float32)
        self._at = np.zeros(0, dtype=np.int64)
        self._rows = np.zeros(0, dtype=np.int64)
        self._scores = np.zeros(0, dtype=np.float32)
        self._n_tight = 0

    def add(self, scores: Vectors, first: int) -> None:
        """Add the scores of the rows from `first` on, shape (n_queries, n_rows)."""
        n_rows = scores.shape[1]
        if not len(self._at) and n_rows > self._k:
            place = n_rows - self._k
            self._raise_floor(np.partition(scores, place, axis=1)[:, place])
        flat = np.flatnonzero((scores >= self._floor[:, None]) & (scores > -np.inf))
        self._at = np.concatenate([self._at, flat // n_rows])
        self._rows = np.concatenate([self._rows, flat % n_rows + first])
        self._scores = np.concatenate([self._scores, scores.reshape(-1)[flat]])
        if len(self._at) > 2 * self._n_tight:
            self._tighten()

    def _raise_floor(self, least: Vectors) -> None:
        np.maximum(self._floor, least - np.float32(self._margin), out=self._floor)

    def _tighten(self) -> None:
        order = np.lexsort((-self._scores, self._at))
        self._at, self._rows, self._scores = self._at[order], self._rows[order], self._scores[order]
        starts = np.searchsorted(self._at, np.arange(len(self._floor)))
        ends = np.append(starts[1:], len(self._at))
        full = np.flatnonzero(ends - starts >= self._k)
        least = np.full_like(self._floor, -np.inf)
        least[full] = self._scores[starts[full] + self._k - 1]
        self._raise_floor(least)
        kept_mask = self._scores >= self._floor[self._at]
        self._at, self._rows, self._scores = self._at[kept_mask], self._rows[kept_mask], self._scores[kept_mask]
        self._n_tight = max(len(self._at), self._k * len(self._floor))

    def rows(self) -> list[Rows]:
        self._tighten()
        ends = np.searchsorted(self._at, np.arange(1, len(self._floor)))
        return [part.astype(np.int64) for part in np.split(self._rows, ends)]


# The `dense` retriever: the exact cosine of one vector for the query and one for each document.
#
# Karpukhin et al. (2020), Dense Passage Retrieval for Open-Domain Question Answering. There is no approximate index:
# every document is compared.


class DenseRetriever:
    """A retriever that ranks every document with a vector. A query without words or a vector finds nothing."""

    def __init__(
        self, vectors: Vectors, id_ranks: Rows, embed_queries: EmbedQueries, *, scorable_mask: Mask | None = None
    ) -> None:
        """Take `vectors`: float32 rows of unit length, which may be memory-mapped.

        `scorable_mask`: the rows that have a direction; None: all rows are read to find them.
        """
        if len(vectors) != len(id_ranks):
            raise MisalignedError(f"{len(id_ranks)} documents but {len(vectors)} vectors")
        self._vectors, self._id_ranks, self._embed = vectors, id_ranks, embed_queries
        self._scorable_mask = scorable_rows(vectors) if scorable_mask is None else scorable_mask

    def search(self, query: Query, k: int, timing: Timing = untimed) -> Hits:
        return self.search_many([query], k, timing)[0]

    def search_many(self, queries: Sequence[Query], k: int, timing: Timing = untimed) -> list[Hits]:
        answers = [NO_HITS] * len(queries)
        k = min(k, len(self._vectors))
        if k < 1:
            return answers
        places, directions = query_vectors(queries, self._embed, timing)
        check_width(self._vectors, directions)
        with timing("compare"):
            candidates = candidate_rows(self._vectors, self._scorable_mask, directions, k)
            for place, direction, rows in zip(places, directions, candidates, strict=True):
                answers[place] = best(exact_cosines(self._vectors, rows, direction), k, self._id_ranks, rows)
        return answers

    def among(self, query: Query, rows: Rows, timing: Timing = untimed) -> Hits:
        _, directions = query_vectors([query], self._embed, timing)
        if not len(directions):
            return NO_HITS
        check_width(self._vectors, directions)
        with timing("compare"):
            scorable = rows[self._scorable_mask[rows]]
            return best(exact_cosines(self._vectors, scorable, directions[0]), len(rows), self._id_ranks, scorable)
