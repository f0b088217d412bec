"""Lists being worked on, and the way back."""

from __future__ import annotations

from dataclasses import dataclass

from core.writer.types import Sheet
from dashboard.turns import Turns


@dataclass(frozen=True, slots=True)
class Turn:
    """A sheet, and what made it of the one before."""

    sheet: Sheet
    made_by: str = ""
    """One sentence without a full stop: "Moved “shade” to General"."""


@dataclass(frozen=True, slots=True)
class History(Turns[Turn]):
    """Every turn since the board was opened. The first is what was opened.

    >>> from core.writer.types import Keyword
    >>> opened = History((Turn(Sheet()),))
    >>> moved = opened.add(Turn(Sheet(specific=(Keyword("shade"),)), "Added “shade” to Specific"))
    >>> moved.undo().current == opened.current, moved.undo().redo() == moved
    (True, True)
    """

    def is_new(self, turn: Turn) -> bool:
        """Whether the lists are others."""
        return turn.sheet != self.current.sheet
