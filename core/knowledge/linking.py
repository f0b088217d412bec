"""Entities that a question names."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from core.knowledge.spans import Span
from core.knowledge.types import Entity


@dataclass(frozen=True, slots=True)
class Mention:
    """A part of a question that may name an entity."""

    start: int
    end: int
    """Where it stands in the question, in characters; the end is not part of it."""
    entities: tuple[Entity, ...]
    """What it may name, the likeliest first; entities of one title are all here."""
    score: float
    """How like the title is to what stands there, 0 to 1; 1: the same words."""

    @property
    def is_exact(self) -> bool:
        """Whether the words are those of the title, case and punctuation aside."""
        return self.score == 1.0


@dataclass(frozen=True, slots=True)
class Candidate:
    """Some pieces of a question that may name an entity."""

    span: Span
    entities: tuple[Entity, ...]
    score: float


def chosen(candidates: Iterable[Candidate], marked: Collection[Span] = ()) -> tuple[Candidate, ...]:
    """Those that stay, by place: whole quoted parts win over others, longer ones over shorter, likelier over others.

    A part that names what stands in it word for word is left out.
    """
    given = list(candidates)
    exact = [(set(range(*each.span)), set(each.entities)) for each in given if each.score == 1.0]
    taken: set[int] = set()
    kept: list[Candidate] = []
    for candidate in sorted(given, key=lambda each: _order(each, marked)):
        pieces = range(*candidate.span)
        # What is there word for word is not also there with a word too many.
        is_worse = candidate.score < 1 and any(
            inside.issubset(pieces) and not named.isdisjoint(candidate.entities) for inside, named in exact
        )
        if not is_worse and taken.isdisjoint(pieces):
            taken.update(pieces)
            kept.append(candidate)
    return tuple(sorted(kept, key=lambda each: each.span))


def _order(candidate: Candidate, marked: Collection[Span]) -> tuple[bool, int, float, int]:
    start, end = candidate.span
    return candidate.span not in marked, start - end, -candidate.score, start
