"""Any search string as a sheet: which keywords are specific, general, overarching and excluded."""

from __future__ import annotations

from dataclasses import dataclass

from core.query.tree import ParsedQuery
from core.writer.types import Sheet


@dataclass(frozen=True, slots=True)
class Left:
    """Something of a string that a sheet has no place for."""

    text: str
    """As it is written."""
    why: str
    """One sentence."""


@dataclass(frozen=True, slots=True)
class Apart:
    """A string taken apart."""

    sheet: Sheet
    left: tuple[Left, ...]
    """Everything that is not in the sheet, or not as it was."""
    is_whole: bool
    """The sheet's own string asks for the same publications as the one that was taken apart."""


def take_apart(parsed: ParsedQuery) -> Apart:
    """The lists of a string."""
    return Apart(Sheet(), (), False)
