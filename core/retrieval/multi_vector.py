"""The `multi_vector` retriever: documents split into chunks, ranked by their best chunks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from core.collections import Query, Rows
from core.errors import MisalignedError
from core.retrieval.dense import (
    MOST_SCORES,
    EmbedQueries,
    check_width,
    exact_cosines,
    query_vectors,
    rounding_error,
    scorable_rows,
)
from core.retrieval.retriever import NO_HITS, Hits, Timing, best, untimed
from core.text import publication_text
from core.types import Mask, Vectors

# Documents split into overlapping chunks of words, which `multi_vector` embeds.

SIZE = 64
"""Words per chunk: short enough for any model; an abstract has three or four chunks."""
OVERLAP = 16
"""Words that two adjacent chunks share, so that a sentence across the border is complete in one of them."""
_WORD = re.compile(r"\S+")


def n_chunks(n_words: int, *, size: int = SIZE, overlap: int = OVERLAP) -> int:
    """Return the number of chunks of a text; a text without words has one chunk, the title alone.

    >>> [n_chunks(n) for n in (0, 64, 65, 112, 113)]
    [1, 1, 2, 2, 3]
    """
    return 1 + max(0, -(-(n_words - size) // (size - overlap)))


def chunks(title: str, text: str, *, size: int = SIZE, overlap: int = OVERLAP) -> tuple[str, ...]:
    """Join the title to each chunk of the text; an empty document has no chunk.

    A chunk has `size` words, each begins `size - overlap` words after the previous one, and the last ends with the
    text. Words are separated by white space.

    >>> chunks("Heat", "a b c d e", size=3, overlap=1)
    ('Heat\\na b c', 'Heat\\nc d e')
    >>> chunks("", "")
    ()
    """
    spans = [match.span() for match in _WORD.finditer(text)]
    if not spans:
        return (title.strip(),) if title.strip() else ()
    out = []
    for number in range(n_chunks(len(spans), size=size, overlap=overlap)):
        first = number * (size - overlap)
        last = min(first + size, len(spans)) - 1
        out.append(publication_text(title, text[spans[first][0] : spans[last][1]]))
    return tuple(out)


# The `multi_vector` retriever: documents split into chunks, each with a vector of its own.
#
# The similarity of a document is the mean of its three best chunks, or its best. Wu et al. (2024), STaRK.

Aggregate = Literal["top3", "max"]
AnyFloats = npt.NDArray[np.floating[Any]]
N_BEST: dict[Aggregate, int] = {"top3": 3, "max": 1}
"""Number of a document's best chunks in the mean."""


class MultiVectorRetriever:
    """A retriever that ranks every document with at least one chunk vector."""

    def __init__(
        self,
        vectors: Vectors,
        starts: Rows,
        id_ranks: Rows,
        embed_queries: EmbedQueries,
        *,
        aggregate: Aggregate = "top3",
        scorable_mask: Mask | None = None,
    ) -> None:
        """Take `vectors`: one row per chunk, with the chunks of a document adjacent.

        `starts`: the start of each document's chunks; one entry more than there are documents.
        """
        if len(starts) != len(id_ranks) + 1 or starts[-1] != len(vectors):
            raise MisalignedError(
                f"{len(id_ranks)} documents and {len(vectors)} chunks, but {len(starts) - 1} places up to {starts[-1]}"
            )
        self._vectors, self._id_ranks, self._embed = vectors, id_ranks, embed_queries
        self._n_best = N_BEST[aggregate]
        mask = scorable_rows(vectors) if scorable_mask is None else scorable_mask
        self._groups = _by_count(starts, mask)

    def search(self, query: Query, k: int, timing: Timing = untimed) -> Hits:
        """Return the k documents with the nearest chunks. With fewer than three chunks, all of them are averaged."""
        return self.search_many([query], k, timing)[0]

    def search_many(self, queries: Sequence[Query], k: int, timing: Timing = untimed) -> list[Hits]:
        answers = [NO_HITS] * len(queries)
        if k < 1 or not self._groups:
            return answers
        places, directions = query_vectors(queries, self._embed, timing)
        check_width(self._vectors, directions)
        together = max(1, 4 * MOST_SCORES // len(self._vectors))
        with timing("compare"):
            for start in range(0, len(places), together):
                part = slice(start, start + together)
                with np.errstate(invalid="ignore"):  # chunks that are not finite belong to no group
                    similarities = directions[part] @ self._vectors.T
                for place, direction, near in zip(places[part], directions[part], similarities, strict=True):
                    answers[place] = self._best(near, direction, k)
        return answers

    def _best(self, near: Vectors, direction: Vectors, k: int) -> Hits:
        rounded = [self._mean(near[chunks]) for _, chunks in self._groups]
        everything = np.concatenate(rounded)
        least = -np.inf
        if k < len(everything):
            place = len(everything) - k
            least = float(np.partition(everything, place)[place]) - 2 * rounding_error(self._vectors.shape[1])
        rows, scores = [], []
        for (documents, chunks), about in zip(self._groups, rounded, strict=True):
            kept = np.flatnonzero(about >= least)
            exact = exact_cosines(self._vectors, chunks[kept].reshape(-1), direction)
            rows.append(documents[kept])
            scores.append(self._mean(exact.reshape(len(kept), chunks.shape[1])).astype(np.float64))
        return best(np.concatenate(scores), k, self._id_ranks, np.concatenate(rows))

    def _mean(self, similarities: AnyFloats) -> AnyFloats:
        """Average the best of each row, sorted first so that the order of chunks does not affect the last digit."""
        n = similarities.shape[1]
        if n > self._n_best:
            similarities = np.partition(similarities, n - self._n_best, axis=1)[:, n - self._n_best :]
        if similarities.shape[1] == 1:
            return similarities[:, 0]
        mean: AnyFloats = np.sort(similarities, axis=1).mean(axis=1)
        return mean


def _by_count(starts: Rows, scorable_mask: Mask) -> list[tuple[Rows, Rows]]:
    """Group documents by their number of comparable chunks, and return those chunks, shape (n, number)."""
    rows = np.flatnonzero(scorable_mask).astype(np.int64)
    firsts = np.searchsorted(rows, starts)
    counts = np.diff(firsts)
    groups = []
    for count in np.unique(counts[counts > 0]).tolist():
        documents = np.flatnonzero(counts == count).astype(np.int64)
        groups.append((documents, rows[firsts[documents][:, None] + np.arange(count)]))
    return groups
