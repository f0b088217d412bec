"""Undo history of an edited document."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Generic, Self, TypeVar

T = TypeVar("T")
MOST_TURNS = 200


@dataclass(frozen=True, slots=True)
class UndoHistory(Generic[T]):
    """All states of a document since it was opened. The first is the one opened.

    >>> opened = UndoHistory(("a",))
    >>> opened.add("b").undo().current, opened.add("b").undo().redo().current
    ('a', 'b')
    """

    all: tuple[T, ...]
    at: int = 0

    @property
    def current(self) -> T:
        return self.all[self.at]

    @property
    def first(self) -> T:
        return self.all[0]

    @property
    def can_undo(self) -> bool:
        return self.at > 0

    @property
    def can_redo(self) -> bool:
        return self.at + 1 < len(self.all)

    def is_new(self, turn: T) -> bool:
        return turn != self.current

    def add(self, turn: T) -> Self:
        """Add a state and drop the undone ones. A state without changes is not added."""
        if not self.is_new(turn):
            return self
        kept = self.all[: self.at + 1]
        kept = (kept[0], *kept[1:][-MOST_TURNS:], turn)
        return replace(self, all=kept, at=len(kept) - 1)

    def undo(self) -> Self:
        return replace(self, at=max(self.at - 1, 0))

    def redo(self) -> Self:
        return replace(self, at=min(self.at + 1, len(self.all) - 1))
