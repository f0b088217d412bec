"""Vectors without a model: words counted in a few columns, and a retriever of words for first stages."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np

from core.collections import Document, Query, Rows
from core.retrieval.dense import DenseRetriever
from core.retrieval.retriever import Hits, SequentialRetriever, Timing, best, id_ranks, untimed
from core.text import words
from core.types import Vectors
from core.vectors import normalise

WIDTH = 48


def count_words(texts: Sequence[str]) -> Vectors:
    """One row per text: its words counted by a checksum; zeros for a text without any."""
    out = np.zeros((len(texts), WIDTH), dtype=np.float32)
    for row, text in enumerate(texts):
        for word in words(text):
            out[row, zlib.crc32(word.encode()) % WIDTH] += 1
    return out


def word_vectors(text: str) -> Vectors:
    """One unit row per word of a text: the same word, the same row."""
    rows = [np.random.default_rng(zlib.crc32(word.encode())).normal(size=WIDTH) for word in words(text)[:200]]
    return normalise(np.array(rows).reshape(-1, WIDTH))[0]


def ranks_of(documents: Sequence[Document]) -> Rows:
    """How ties between these documents are broken."""
    return id_ranks([document.doc_id for document in documents])


def unit_cosine(a: Vectors, b: Vectors) -> float:
    """Of two unit vectors: in float64, rounded to float32."""
    return float(np.float32(sum(float(x) * float(y) for x, y in zip(a, b, strict=True))))


def dense_counts(documents: Sequence[Document]) -> DenseRetriever:
    """All documents by the cosine of their word counts."""
    vectors, _ = normalise(count_words([document.whole for document in documents]))
    return DenseRetriever(vectors, ranks_of(documents), count_words)


class SharedWords(SequentialRetriever):
    """Ranks by how many different words query and document share."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self._words = [set(words(document.whole)) for document in documents]
        self._id_ranks = ranks_of(documents)

    def search(self, query: Query, k: int, timing: Timing = untimed) -> Hits:
        """Documents with any word of the query."""
        asked = set(words(query.text))
        scores = np.array([len(asked & known) for known in self._words], dtype=np.float64)
        rows = np.flatnonzero(scores)
        return best(scores[rows], k, self._id_ranks, rows)
