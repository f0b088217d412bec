"""The `dense` retriever: the exact cosine of one vector for the query and one for each document.

Karpukhin et al. (2020), Dense Passage Retrieval for Open-Domain Question Answering. No approximate index: every
document is compared.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.errors import MisalignedError
from core.ranking.types import Query, Rows
from core.retrieval.base import NO_HITS, Hits, Timing, best, untimed
from core.retrieval.cosines import (
    EmbedQueries,
    candidate_rows,
    check_width,
    exact_cosines,
    query_vectors,
    scorable_rows,
)
from core.types import Mask, Vectors


class Dense:
    """Ranks every document that has a vector. A query without words, or without a vector, finds nothing."""

    def __init__(
        self, vectors: Vectors, id_ranks: Rows, embed_queries: EmbedQueries, *, scorable_mask: Mask | None = None
    ) -> None:
        """`vectors`: float32 rows of unit length, which may be mapped from a file. `scorable_mask`: which of them have
        a direction; found by reading them all, without."""
        if len(vectors) != len(id_ranks):
            raise MisalignedError(f"{len(id_ranks)} documents but {len(vectors)} vectors")
        self._vectors, self._id_ranks, self._embed = vectors, id_ranks, embed_queries
        self._scorable_mask = scorable_rows(vectors) if scorable_mask is None else scorable_mask

    def search(self, query: Query, k: int, timing: Timing = untimed) -> Hits:
        """The k nearest documents."""
        return self.search_many([query], k, timing)[0]

    def search_many(self, queries: Sequence[Query], k: int, timing: Timing = untimed) -> list[Hits]:
        """The same; many queries share each pass over the vectors."""
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
        """Those of these documents that have a vector."""
        _, directions = query_vectors([query], self._embed, timing)
        if not len(directions):
            return NO_HITS
        check_width(self._vectors, directions)
        with timing("compare"):
            scorable = rows[self._scorable_mask[rows]]
            return best(exact_cosines(self._vectors, scorable, directions[0]), len(rows), self._id_ranks, scorable)
