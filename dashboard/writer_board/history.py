"""Lists being worked on, and the way back."""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.writer.types import Sheet

MOST_TURNS = 200


@dataclass(frozen=True, slots=True)
class Turn:
    """A sheet, and what made it of the one before."""

    sheet: Sheet
    made_by: str = ""
    """One sentence without a full stop: "Moved “shade” to General"."""


@dataclass(frozen=True, slots=True)
class History:
    """Every turn since the board was opened. The first is what was opened.

    >>> from core.writer.types import Keyword
    >>> opened = History((Turn(Sheet()),))
    >>> moved = opened.add(Turn(Sheet(specific=(Keyword("shade"),)), "Added “shade” to Specific"))
    >>> moved.undo().current == opened.current, moved.undo().redo() == moved
    (True, True)
    """

    all: tuple[Turn, ...]
    at: int = 0

    @property
    def current(self) -> Turn:
        """The one that is worked on."""
        return self.all[self.at]

    @property
    def first(self) -> Turn:
        """What was opened."""
        return self.all[0]

    @property
    def can_undo(self) -> bool:
        """Whether there is one before."""
        return self.at > 0

    @property
    def can_redo(self) -> bool:
        """Whether one was taken back."""
        return self.at + 1 < len(self.all)

    def add(self, turn: Turn) -> History:
        """Go on with another turn; what was taken back is forgotten. One that changes nothing is none."""
        if turn.sheet == self.current.sheet:
            return self
        kept = self.all[: self.at + 1]
        kept = (kept[0], *kept[1:][-MOST_TURNS:], turn)
        return History(kept, len(kept) - 1)

    def undo(self) -> History:
        """One step back, if there is one."""
        return replace(self, at=max(self.at - 1, 0))

    def redo(self) -> History:
        """Forward again."""
        return replace(self, at=min(self.at + 1, len(self.all) - 1))
