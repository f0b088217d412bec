"""A query text being worked on, and the way back."""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.query.matching.matched import Semantics
from core.query.tree import DialectId

MOST_DRAFTS = 200
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
class Drafts:
    """Every draft since the text was opened. The first is the version as it was run."""

    all: tuple[Draft, ...]
    at: int = 0

    @property
    def current(self) -> Draft:
        """The one that is worked on."""
        return self.all[self.at]

    @property
    def first(self) -> Draft:
        """The version that it started from."""
        return self.all[0]

    @property
    def can_undo(self) -> bool:
        """Whether there is one before."""
        return self.at > 0

    @property
    def can_redo(self) -> bool:
        """Whether one was taken back."""
        return self.at + 1 < len(self.all)

    def add(self, draft: Draft) -> Drafts:
        """Go on with another draft; what was taken back is forgotten."""
        if (draft.text, draft.dialect, draft.semantics, draft.off) == _told_apart(self.current):
            return self
        kept = self.all[: self.at + 1]
        kept = (kept[0], *kept[1:][-MOST_DRAFTS:], draft)
        return Drafts(kept, len(kept) - 1)

    def undo(self) -> Drafts:
        """One step back, if there is one."""
        return replace(self, at=max(self.at - 1, 0))

    def redo(self) -> Drafts:
        """Forward again."""
        return replace(self, at=min(self.at + 1, len(self.all) - 1))


TYPED = "typing"


def _told_apart(draft: Draft) -> tuple[object, ...]:
    return draft.text, draft.dialect, draft.semantics, draft.off
