"""The `late_interaction` retriever: every word of the query looks for its best match among a document's words.

Khattab and Zaharia (2020), ColBERT: MaxSim. A first stage finds the candidates, which are then ranked again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from core.collections import Query, Rows
from core.retrieval.dense import has_words
from core.retrieval.retriever import Hits, Retriever, SequentialRetriever, Timing, best, untimed
from core.types import Floats, Vectors

QueryTokens = Callable[[str], Vectors]
"""A function from a text to the unit vectors of its words or parts of words, shape (n_tokens, d)."""
DocumentTokens = Callable[[Rows], Sequence[Vectors]]
"""A function from rows to the same for their documents."""


class LateInteraction(SequentialRetriever):
    """A reranker of a first stage's best `depth` documents by MaxSim; the rest follow in their original order.

    score = sum over the query's tokens of the greatest cosine to a token of the document. It is not divided by the
    length of the query, so scores of two queries can't be compared. After the last reranked document, the next document
    of the first stage gets that score minus 1, the one after it minus 2, and so on. Candidates without tokens are
    placed there too.
    """

    def __init__(
        self,
        first: Retriever,
        depth: int,
        id_ranks: Rows,
        query_tokens: QueryTokens,
        document_tokens: DocumentTokens,
    ) -> None:
        self._first, self._depth, self._id_ranks = first, depth, id_ranks
        self._query_tokens, self._document_tokens = query_tokens, document_tokens

    def search(self, query: Query, k: int, timing: Timing = untimed) -> Hits:
        """Return the k best: the reranked candidates, then the other documents of the first stage."""
        found = self._first.search(query, max(k, self._depth), timing)
        if k < 1 or not len(found) or not has_words(query.text):
            return Hits(found.rows[:0], found.scores[:0], found.notes, first=found)
        with timing("embed the query"):
            of_query = self._query_tokens(query.text)
        if not len(of_query):
            note = "the model knows no word of this query: the first stage's order is kept"
            return Hits(found.rows[:k], found.scores[:k], (*found.notes, note), first=found)
        candidates = found.rows[: self._depth]
        with timing("read the candidates' tokens"):
            of_documents = self._document_tokens(candidates)
        with timing("rerank"):
            scores = max_similarities(of_query, of_documents)
            return self._ranked(found, candidates, scores, k)

    def _ranked(self, found: Hits, candidates: Rows, scores: Floats, k: int) -> Hits:
        known_mask = np.isfinite(scores)
        again = best(scores[known_mask], len(candidates), self._id_ranks, candidates[known_mask])
        n_failed = int(np.count_nonzero(~known_mask))
        below = np.concatenate([candidates[~known_mask], found.rows[self._depth :]])
        worst = float(again.scores[-1]) if len(again) else 0.0
        what = "1 candidate without words is" if n_failed == 1 else f"{n_failed:,} candidates without words are"
        return Hits(
            np.concatenate([again.rows, below])[:k],
            np.concatenate([again.scores, worst - np.arange(1, len(below) + 1)])[:k],
            (*found.notes, *([f"{what} ranked below the others"] if n_failed else [])),
            n_failed,
            found,
        )


def max_similarities(of_query: Vectors, of_documents: Sequence[Vectors]) -> Floats:
    """Compute MaxSim of one query with each document: NaN for a document without tokens.

    Computed in float64 and rounded to float32, so that the same text has the same score in any position.

    >>> eye = np.eye(3, dtype=np.float32)
    >>> max_similarities(eye[:2], [eye[:1], eye[:2], eye[:0]]).tolist()
    [1.0, 2.0, nan]
    """
    counts = np.array([len(tokens) for tokens in of_documents], dtype=np.int64)
    out = np.full(len(of_documents), np.nan)
    filled = np.flatnonzero(counts)
    if not len(filled):
        return out
    together = np.concatenate([of_documents[place] for place in filled.tolist()])
    similar = together.astype(np.float64) @ of_query.astype(np.float64).T
    starts = np.concatenate([[0], np.cumsum(counts[filled])[:-1]])
    # The parts are summed in order of size, so that the order of the query's words has no effect.
    nearest = np.sort(np.maximum.reduceat(similar, starts, axis=0).astype(np.float32), axis=1)
    out[filled] = nearest.astype(np.float64).sum(axis=1).astype(np.float32)
    return out
