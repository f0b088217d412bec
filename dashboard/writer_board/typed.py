"""Keywords as a person types them: one, or several that were pasted."""

from __future__ import annotations

import re

from core.errors import InputError
from core.text import words
from core.writer.types import Keyword

MOST_AT_ONCE = 100
LONGEST = 200
_BETWEEN = re.compile(r"[\n\r;,]+")
_OPERATOR = re.compile(r"(?<!\S)(?:AND|OR|NOT)(?!\S)")
_QUOTES = re.compile(r"[\"“”„«»]")
_BRACKETS = re.compile(r"[()\[\]{}]")
_LONE_WILDCARD = re.compile(r"(?<!\w)[*?]+(?!\w)")


def read_typed(text: str, *, phrase: bool | None = None) -> tuple[Keyword, ...]:
    """Keywords with a comma, a semicolon or a new line between them.

    `phrase`: whether the words of each stand side by side; None: they do.

    >>> [keyword.text for keyword in read_typed('street tree*; "urban forest"')]
    ['street tree*', 'urban forest']
    """
    typed = [part for part in _BETWEEN.split(text) if part.strip()]
    if not typed:
        raise InputError("there is no keyword yet: type a word to look for")
    if len(typed) > MOST_AT_ONCE:
        raise InputError(f"these are {len(typed):,} keywords: add {MOST_AT_ONCE} at once at most")
    return tuple(_read_one(part, phrase is not False) for part in typed)


def _read_one(text: str, phrase: bool) -> Keyword:
    """Without the signs of a search string: what they would say is said by the lists."""
    written = " ".join(_LONE_WILDCARD.sub(" ", _BRACKETS.sub(" ", _QUOTES.sub(" ", text))).split())
    shown = written if len(written) <= 40 else f"{written[:40]}…"
    if not words(written):
        raise InputError(f'"{text.strip()[:40]}" holds no word to look for')
    if _OPERATOR.search(written):
        raise InputError(
            f'"{shown}" holds an operator: add each keyword by itself, and its list says how they are joined'
        )
    if len(written) > LONGEST:
        raise InputError(f'"{shown}" has {len(written):,} signs: {LONGEST} at most make a keyword')
    return Keyword(written, phrase=phrase)
