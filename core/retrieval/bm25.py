"""Exact BM25 over counted words: the reference for faster implementations, with any k1 and b.

The formula is that of Lucene from version 8 and of tantivy. With N documents, n of which contain a term,

    idf  = ln(1 + (N - n + 0.5) / (n + 0.5))
    gain = tf · (k1 + 1) / (tf + k1 · (1 - b + b · length / mean length))

and the score of a document is the sum of idf · gain over the query's terms; a repeated term counts each time. This idf
is above 0 even for a term that every document contains, so every document that shares a term is found. Lucene itself
omits the factor (k1 + 1), which does not change the order. With k1 = 0 only the presence of a term counts. With b = 0
length does not count. Lengths are exact here; Lucene and tantivy store them in one byte, exact up to 40 words.

Robertson, Walker, Jones, Hancock-Beaulieu and Gatford (1995), Okapi at TREC-3. Kamphuis, de Vries, Boytsov and Lin
(2020), Which BM25 do you mean?, call the form "Lucene (accurate)".
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from core.collections import Query, Rows
from core.retrieval.retriever import NO_HITS, Hits, SequentialRetriever, Timing, best, untimed
from core.types import Floats

K1, B = 1.2, 0.75
Counts = npt.NDArray[np.int32]
Cut = Callable[[str], Sequence[str]]
"""A function that splits a text into the terms that it is searched by."""


@dataclass(frozen=True, slots=True)
class TermShare:
    """The contribution of one query term to one document's score."""

    term: str
    """The term as looked up: a stem, if words are stemmed."""
    n_in_query: int
    n_in_document: int
    """0: the document lacks it."""
    n_documents: int
    """Number of documents that contain it; 0: it has no effect on any score."""
    share: float
    """The shares of all terms add up to the score."""


def idf(n_holding: float, n: int) -> float:
    """Return the rarity of a term that `n_holding` of n documents contain.

    >>> round(idf(1, 3), 4), idf(3, 3) > 0
    (0.9808, True)
    """
    return float(np.log1p((n - n_holding + 0.5) / (n_holding + 0.5)))


def length_norms(lengths: npt.NDArray[np.integer], mean_length: float, *, k1: float, b: float) -> Floats:
    """Return the length normalisation of each document: k1 · (1 - b + b · length / mean length).

    >>> length_norms(np.array([10, 20]), 20.0, k1=1.0, b=0.5).tolist()
    [0.75, 1.0]
    """
    return np.asarray(k1 * (1 - b + b * lengths / (mean_length or 1.0)), dtype=np.float64)


def gains(counts: npt.NDArray[np.integer], norms: Floats, *, k1: float) -> Floats:
    """Return the gain of each document by its term count: 0 without the term, rising towards k1 + 1.

    >>> gains(np.array([0, 1, 3]), np.full(3, 1.0), k1=1.0).tolist()
    [0.0, 1.0, 1.5]
    """
    found = np.zeros(len(counts))
    np.divide(counts * (k1 + 1), counts + norms, out=found, where=counts > 0)
    return found


@dataclass(frozen=True, eq=False)
class Bm25Index:
    """The count of each term in each document, term by term."""

    numbers: Mapping[str, int]
    """The number of each term."""
    starts: npt.NDArray[np.int64]
    """The start of each term's documents; one entry more than there are terms."""
    rows: Counts
    """The documents that contain a term, ascending."""
    counts: Counts
    """The count of the term in each of them."""
    lengths: Counts
    """Number of terms in each document."""
    k1: float = K1
    b: float = B

    @classmethod
    def of(cls, texts: Iterable[Sequence[str]], *, k1: float = K1, b: float = B) -> Bm25Index:
        """Build from the terms of each document, which are read once.

        >>> index = Bm25Index.of([["green", "tea"], ["green", "green"]])
        >>> index.rows.tolist(), index.counts.tolist()
        ([0, 1, 0], [1, 2, 1])
        """
        numbers: dict[str, int] = {}
        tokens, ends = array("i"), array("q", [0])
        for terms in texts:
            tokens.extend([numbers.setdefault(term, len(numbers)) for term in terms])
            ends.append(len(tokens))
        bounds = np.array(ends, dtype=np.int64)
        starts, rows, counts = _by_term(np.array(tokens, dtype=np.int32), bounds, len(numbers))
        return cls(numbers, starts, rows, counts, np.diff(bounds).astype(np.int32), k1, b)

    @property
    def n(self) -> int:
        """The number of all documents, including those without any term."""
        return len(self.lengths)

    @cached_property
    def mean_length(self) -> float:
        """The mean over all documents; 0 if there are no terms."""
        return float(self.lengths.mean(dtype=np.float64)) if self.n else 0.0

    @cached_property
    def norms(self) -> Floats:
        return length_norms(self.lengths, self.mean_length, k1=self.k1, b=self.b)

    def holding(self, term: str) -> tuple[Counts, Counts]:
        number = self.numbers.get(term)
        part = slice(0, 0) if number is None else slice(int(self.starts[number]), int(self.starts[number + 1]))
        return self.rows[part], self.counts[part]

    def scores(self, query_tokens: Iterable[str]) -> Floats:
        """Return the score of every document; 0 for one that shares no term."""
        total = np.zeros(self.n)
        for term, times in Counter(query_tokens).items():
            rows, counts = self.holding(term)
            if len(rows):
                total[rows] += times * idf(len(rows), self.n) * gains(counts, self.norms[rows], k1=self.k1)
        return total

    def search(self, query_tokens: Iterable[str], k: int, id_ranks: Rows) -> Hits:
        """Return the k best documents that share a term; none for a query without terms."""
        total = self.scores(query_tokens)
        rows = np.flatnonzero(total)
        return best(total[rows], k, id_ranks, rows) if len(rows) else NO_HITS

    def explain(self, query_tokens: Iterable[str], row: int) -> tuple[TermShare, ...]:
        """Return the contribution of each query term to a document, largest first, missing terms last."""

        def held(term: str) -> tuple[int, int]:
            rows, counts = self.holding(term)
            at = int(np.searchsorted(rows, row))
            return int(counts[at]) if at < len(rows) and rows[at] == row else 0, len(rows)

        norm = float(self.norms[row])
        return shares(
            {term: (times, *held(term)) for term, times in Counter(query_tokens).items()}, self.n, norm, self.k1
        )


def shares(terms: Mapping[str, tuple[int, int, int]], n: int, norm: float, k1: float) -> tuple[TermShare, ...]:
    """Return the contributions, largest first, from counts in the query, in the document and of documents per term.

    `norm`: the length normalisation of the document; `n`: all documents.
    """
    found = []
    for term, (n_in_query, n_in_document, n_documents) in terms.items():
        gain = float(gains(np.array([n_in_document]), np.array([norm]), k1=k1)[0])
        share = n_in_query * idf(n_documents, n) * gain
        found.append(TermShare(term, n_in_query, n_in_document, n_documents, share))
    return tuple(sorted(found, key=lambda one: (-one.share, one.n_documents, one.term)))


def _by_term(
    tokens: Counts, bounds: npt.NDArray[np.int64], n_terms: int
) -> tuple[npt.NDArray[np.int64], Counts, Counts]:
    """Turn a list of terms per document into a list of documents per term."""
    from scipy.sparse import csr_matrix

    ones = np.ones(len(tokens), dtype=np.int32)
    held = csr_matrix((ones, tokens, bounds), shape=(len(bounds) - 1, n_terms)).tocsc()
    held.sum_duplicates()
    return held.indptr.astype(np.int64), held.indices.astype(np.int32, copy=False), held.data


class Bm25Retriever(SequentialRetriever):
    """A retriever over an index of counted terms; `cut` must be the function that split its documents."""

    def __init__(self, index: Bm25Index, cut: Cut, id_ranks: Rows) -> None:
        self.index = index
        self._cut = cut
        self._id_ranks = id_ranks

    def search(self, query: Query, k: int, timing: Timing = untimed) -> Hits:
        with timing("read the query"):
            terms = self._cut(query.text)
        with timing("score"):
            return self.index.search(terms, k, self._id_ranks)

    def among(self, query: Query, rows: Rows, timing: Timing = untimed) -> Hits:
        with timing("score"):
            scores = self.index.scores(self._cut(query.text))[rows]
        return best(scores[scores > 0], len(rows), self._id_ranks, rows[scores > 0])

    def explain(self, query: Query, row: int) -> tuple[TermShare, ...]:
        return self.index.explain(self._cut(query.text), row)
