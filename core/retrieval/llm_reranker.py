"""Rerank a first stage's candidates by how well each satisfies the query, as STaRK's LLM reranker does."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from core.collections import Document, Query, Rows
from core.errors import ServiceError
from core.retrieval.retriever import NO_HITS, Hits, Retriever, SequentialRetriever, Timing, untimed
from core.types import Floats

RANK_WEIGHT = 0.1
"""The bonus of the first place in the first stage; STaRK's value."""
HIGHEST = 1.0 + RANK_WEIGHT
STAGE = "rerank"


@dataclass(frozen=True, slots=True)
class CandidateScores:
    satisfactions: Sequence[float | None]
    """One value per candidate, from 0 (satisfies nothing) to 1 (everything); None: it could not be scored."""
    notes: tuple[str, ...] = ()
    """Reasons why some candidates could not be scored."""


class Scorer(Protocol):
    def __call__(self, query: Query, documents: Sequence[Document]) -> CandidateScores:
        """Return one number per document, in their order. May raise an error if the service fails altogether."""
        ...


class OneScorer(Protocol):
    """A scorer of one document; None or a service error: it could not be scored."""

    def __call__(self, query: Query, document: Document) -> float | None: ...


def each(score: OneScorer) -> Scorer:
    """Build a scorer from one of single documents; a failure for one does not affect the others."""

    def scored(query: Query, documents: Sequence[Document]) -> CandidateScores:
        found: list[float | None] = []
        entries: dict[str, int] = {}
        for document in documents:
            try:
                found.append(score(query, document))
            except ServiceError as e:
                found.append(None)
                entries[str(e)] = entries.get(str(e), 0) + 1
        return CandidateScores(found, tuple(entries))

    return scored


@dataclass(frozen=True, eq=False)
class LlmReranker(SequentialRetriever):
    """A reranker of the best documents of a first stage.

    Of n candidates, the one at position i of the first stage (from 0) scores its satisfaction + 0.1 · (n - i) / n. A
    candidate without satisfaction keeps its position, and the others are ordered around it; its score lies midway
    between theirs and shows only its position. The other documents of the first stage follow in their order, at -1, -2
    and so on. Without any satisfaction the first stage's answer is returned.

    Reference: Wu et al. (2024), STaRK, whose code returns the first stage's answer if a single candidate fails.
    """

    first: Retriever
    documents: Sequence[Document]
    scorer: Scorer = field(repr=False)
    id_ranks: Rows
    depth: int = 20

    def search(self, query: Query, k: int, timing: Timing = untimed) -> Hits:
        """Return the best k. Scores `depth` candidates, even for a smaller k."""
        if k < 1:
            return NO_HITS
        first = self.first.search(query, max(k, self.depth), timing)
        if not len(first):
            return Hits(first.rows, first.scores, first.notes, first=first)
        with timing(STAGE):
            satisfactions, notes = self._satisfactions(query, first.rows[: self.depth])
        n, n_failed = len(satisfactions), int(np.isnan(satisfactions).sum())
        if n_failed == n:
            of_all = f"none of the {n:,} candidates could be scored: this is the first stage's answer"
            return Hits(
                first.rows[:k], first.scores[:k], (*first.notes, of_all, *notes), n_failed=n_failed, first=first
            )
        some = f"{n_failed:,} of {n:,} candidates could not be scored and keep their first-stage place"
        rows, scores = reranked(first.rows, satisfactions, self.id_ranks)
        told = (*first.notes, *((some, *notes) if n_failed else notes))
        return Hits(rows[:k], scores[:k], told, n_failed=n_failed, first=first)

    def _satisfactions(self, query: Query, rows: Rows) -> tuple[Floats, tuple[str, ...]]:
        """Return one number per candidate; NaN if it has none from 0 to 1."""
        documents = [self.documents[row] for row in rows.tolist()]
        try:
            scored = self.scorer(query, documents)
        except ServiceError as e:
            return np.full(len(rows), np.nan), (str(e),)
        found = np.array([np.nan if s is None else s for s in scored.satisfactions], dtype=np.float64)
        if len(found) != len(rows):
            return np.full(len(rows), np.nan), (f"{len(found)} scores came for {len(rows)} candidates",)
        return np.where((found >= 0) & (found <= 1), found, np.nan), tuple(scored.notes)


def reranked(rows: Rows, satisfactions: Floats, id_ranks: Rows) -> tuple[Rows, Floats]:
    """Reorder the first stage's rows, with scores that fall in this order; NaN: a candidate that keeps its position.

    >>> rows, scores = reranked(np.array([7, 8, 9]), np.array([0.2, np.nan, 0.9]), np.arange(10))
    >>> rows.tolist(), scores.round(3).tolist()
    ([9, 8, 7], [0.933, 0.617, 0.3])
    """
    n = len(satisfactions)
    # Rounded, so that sums that are equal on paper are equal here.
    totals = np.round(satisfactions + RANK_WEIGHT * (n - np.arange(n)) / n, 12)
    places = np.flatnonzero(~np.isnan(totals))
    order = places[np.lexsort((id_ranks[rows[places]], -totals[places]))]
    out = rows.astype(np.int64, copy=True)
    out[places] = rows[order]
    scores = _falling(_between(places, totals[order], n), id_ranks[out[:n]])
    return out, np.concatenate([scores, -1.0 - np.arange(len(rows) - n)])


def _between(places: Rows, totals: Floats, n: int) -> Floats:
    """Interpolate the scores at all positions from those given, above 0 and below the highest."""
    return np.asarray(np.interp(np.arange(n), [-1, *places, n], [HIGHEST, *totals, 0.0]), dtype=np.float64)


def _falling(scores: Floats, ranks: Rows) -> Floats:
    """Lower scores by as little as possible where a document would otherwise be sorted before the one above it."""
    out = scores.tolist()
    of = ranks.tolist()
    for i in range(1, len(out)):
        if out[i] > out[i - 1] or (out[i] == out[i - 1] and of[i] < of[i - 1]):
            out[i] = math.nextafter(out[i - 1], -math.inf)
    return np.array(out, dtype=np.float64)
