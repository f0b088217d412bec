"""What of a text is a keyword."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.text import STOP_WORDS, words
from core.writer.types import Keyword

MOST_WORDS = 6
MOST_SIGNS = 60


@dataclass(frozen=True, slots=True)
class Cleaned:
    """What of a text can be taken."""

    keywords: tuple[Keyword, ...]
    """One where there is no problem; else whatever a person may take of it, perhaps nothing."""
    problem: str | None
    """Why it is not taken unasked, in one sentence; None: it is a keyword."""


def clean(text: str) -> Cleaned:
    """A keyword without what stands around it, or what is wrong with it."""
    line = " ".join(text.split()).strip("\"'“”‘’.,;: ")
    found = words(line)
    if not found or all(word in STOP_WORDS or word.isdigit() for word in found):
        return Cleaned((), "It says nothing by itself.")
    if len(found) > MOST_WORDS or len(line) > MOST_SIGNS:
        return Cleaned((), f"It has more than {MOST_WORDS} words or {MOST_SIGNS} signs.")
    if re.search(r"\b(AND|OR|NOT)\b|[^\w\s*?'’-]", line):
        return Cleaned((), "It has signs or operators in it that no keyword has.")
    return Cleaned((Keyword(line),), None)
