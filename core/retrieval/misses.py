"""Reasons why a retriever misses a relevant document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.retrieval.bm25 import TermShare
from core.retrieval.specs import RetrieverKind
from core.text import first_of, listed

MOST_WORDS = 6


@dataclass(frozen=True, slots=True)
class QueryWordMatches:
    matched: tuple[tuple[str, float], ...]
    """Words in the document, each with its part of the BM25 score, largest first."""
    absent: tuple[str, ...]
    """Words missing from the document, rarest in the collection first."""
    unknown: tuple[str, ...] = ()
    """Words that no document contains."""

    @classmethod
    def of(cls, terms: Sequence[TermShare]) -> QueryWordMatches:
        """Group the terms of a BM25 explanation, which come with the largest share first."""
        held = [term for term in terms if term.n_in_document]
        lacking = [term for term in terms if not term.n_in_document]
        lacking.sort(key=lambda term: term.n_documents)
        return cls(
            tuple((term.term, term.share) for term in held),
            tuple(term.term for term in lacking if term.n_documents),
            tuple(term.term for term in lacking if not term.n_documents),
        )

    @property
    def n(self) -> int:
        return len(self.matched) + len(self.absent) + len(self.unknown)

    @property
    def shares(self) -> tuple[tuple[str, float], ...]:
        """The matched words with their share of the score; the shares add up to 1.

        >>> QueryWordMatches((("heat", 3.0), ("flow", 1.0)), ()).shares
        (('heat', 0.75), ('flow', 0.25))
        """
        whole = sum(part for _, part in self.matched)
        return tuple((word, part / whole if whole > 0 else 0.0) for word, part in self.matched)


@dataclass(frozen=True, slots=True)
class CollectionRank:
    """The place of a document in a retriever's ranking of the whole collection."""

    rank: int | None
    """From 1; None: it has no score."""
    score: float | None
    n: int
    """Number of documents in the collection."""


@dataclass(frozen=True, slots=True)
class DocumentRank:
    run: str
    kind: RetrieverKind | None
    """None: a run from a file, with no further details."""
    rank: int | None
    """From 1; None: not among the documents in the run."""
    kept: int
    """Number of documents in the run for this query."""
    deep: tuple[CollectionRank, ...] = ()
    """Places in the whole collection; empty: unknown. For a reranker or a graph: in its first stage.

    For a hybrid, which fuses only the tops of two rankings: in each of these, by words and by vectors.
    """
    n_candidates: int = 0
    """For a reranker: the number of first-stage documents that are ranked again."""


def ordinal(n: int) -> str:
    """Format a number as an ordinal.

    >>> [ordinal(n) for n in (1, 2, 3, 4, 11, 12, 13, 21, 102, 1011)]
    ['1st', '2nd', '3rd', '4th', '11th', '12th', '13th', '21st', '102nd', '1,011th']
    """
    ending = "th" if n % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n:,}{ending}"


def why_missed(
    standing: DocumentRank,
    others: Sequence[DocumentRank],
    *,
    first: int,
    words: QueryWordMatches | None,
    in_collection: bool = True,
) -> str:
    """Explain in one sentence why a document is not among the first `first` documents of a run.

    `words`: the query's words in the document; None: unknown.

    >>> lost = DocumentRank("BM25", "bm25", None, 100)
    >>> why_missed(lost, [DocumentRank("dense", "dense", 14, 100)], first=20, words=QueryWordMatches((), ("heat",)))
    "BM25 missed it: none of the query's words is in its text; dense ranks it 14th."
    """
    if not in_collection:
        return f"{standing.run} missed it: the collection does not contain this document, so no run can find it."
    head = f"{standing.run} missed it" if standing.rank is None else f"{standing.run} ranks it {ordinal(standing.rank)}"
    reason = _reason(standing, words)
    return f"{head}{': ' if reason else ''}{reason}{_elsewhere(others, first)}."


def _reason(standing: DocumentRank, words: QueryWordMatches | None) -> str:
    kind, deep = standing.kind, standing.deep
    if standing.kept == 0:
        return "it found nothing for this query"
    if kind is None:
        return f"it is not among the {standing.kept:,} documents of the run" if standing.rank is None else ""
    if kind in ("late_interaction", "llm_reranker"):
        return _of_reranker(standing)
    if kind == "graph":
        return f"without relations {_of_depths(standing.deep)}" if standing.deep else ""
    if kind == "bm25":
        return _of_words(words) if words is not None else _of_depths(deep)
    if kind == "boolean":
        return _of_boolean(standing, words)
    return _of_depths(deep) if len(deep) > 1 else _of_likeness(deep)


def _of_words(words: QueryWordMatches) -> str:
    if not words.n:
        return "the query has no word to look for"
    if not words.matched:
        return "none of the query's words is in its text"
    if not words.absent and not words.unknown:
        all_of = "the query's one word is" if words.n == 1 else f"all {words.n} words of the query are"
        return f"{all_of} in its text, but other texts have them more often relative to their length"
    found = first_of([word for word, _ in words.matched], MOST_WORDS)
    lacking = f", not {first_of(list(words.absent), MOST_WORDS)}" if words.absent else ""
    unknown = f"; no document has {first_of(list(words.unknown), MOST_WORDS)}" if words.unknown else ""
    are = "is" if len(words.matched) == 1 else "are"
    return f"{len(words.matched)} of the query's {words.n} words {are} in its text ({found}){lacking}{unknown}"


def _of_boolean(standing: DocumentRank, words: QueryWordMatches | None) -> str:
    if standing.rank is not None:
        return "it matches, but a Boolean answer has no order"
    if words is not None and (lacking := [*words.absent, *words.unknown]):
        return f"the search string does not match it; its text lacks {first_of(lacking, MOST_WORDS)}"
    return "the search string does not match it"


def _of_likeness(deep: tuple[CollectionRank, ...]) -> str:
    if not deep:
        return ""
    if deep[0].rank is None:
        return "it has no vector, or the query has none"
    score = "" if deep[0].score is None else f" of {deep[0].score:.3f}"
    return f"its similarity{score} is {ordinal(deep[0].rank)} of {deep[0].n:,}"


def _of_depths(deep: tuple[CollectionRank, ...]) -> str:
    if not deep:
        return ""
    places = ["without a score" if each.rank is None else f"{ordinal(each.rank)} of {each.n:,}" for each in deep]
    return f"it is {places[0]}" if len(places) == 1 else f"by words it is {places[0]}, by vectors {places[1]}"


def _of_reranker(standing: DocumentRank) -> str:
    deep, n = standing.deep, standing.n_candidates
    if not deep:
        return f"it is not among the {n:,} candidates of the first stage" if standing.rank is None else ""
    if len(deep) > 1:
        return f"in its first stage {_of_depths(deep)}"
    rank = deep[0].rank
    if rank is None:
        return "its first stage does not find it"
    place = f"its first stage ranks it {ordinal(rank)}"
    return place if rank <= n else f"{place}, beyond the {n:,} candidates that are ranked again"


def _elsewhere(others: Sequence[DocumentRank], first: int) -> str:
    near = [f"{other.run} ranks it {ordinal(other.rank)}" for other in others if other.rank and other.rank <= first]
    if near:
        return f"; {listed(near)}"
    if len(others) == 1:
        return f"; {others[0].run} does not have it in its first {first:,} either"
    return f"; no other run has it in its first {first:,}" if others else ""
