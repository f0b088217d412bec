"""A query text being worked on, and the way back."""

from __future__ import annotations

from dataclasses import dataclass

from core.query.matching.matched import Semantics
from core.query.tree import DialectId
from dashboard.turns import Turns

SEMANTICS: tuple[Semantics, ...] = ("literal", "stemmed")


def other(semantics: Semantics) -> Semantics:
    """The one that is not in force."""
    return "stemmed" if semantics == "literal" else "literal"


@dataclass(frozen=True, slots=True)
class Draft:
    """A wording, and how it is read."""

    text: str
    dialect: DialectId | None = None
    """None: found out from the text."""
    semantics: Semantics = "literal"
    off: frozenset[int] = frozenset()
    """Numbers of nodes that are switched off."""
    made_by: str = ""
    """What made it of the one before."""


@dataclass(frozen=True, slots=True)
class Drafts(Turns[Draft]):
    """Every draft since the text was opened. The first is the version as it was run."""

    def is_new(self, turn: Draft) -> bool:
        """Whether another text is asked, or the same in another way."""
        return _told_apart(turn) != _told_apart(self.current)


TYPED = "typing"


def _told_apart(draft: Draft) -> tuple[object, ...]:
    return draft.text, draft.dialect, draft.semantics, draft.off
