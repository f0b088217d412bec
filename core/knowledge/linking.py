"""Entities that a question names."""

from __future__ import annotations

from dataclasses import dataclass

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
