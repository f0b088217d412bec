"""Text broken into lines that fit a box, by how wide its signs are in a usual sans-serif font."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

_BREAKS = re.compile(r"[ \t\r\n]+")
"""Not a no-break space: what it joins stays on one line."""
_NARROW = frozenset("iIjlftr.,:;'’‘!|()[] ")
_WIDE = frozenset("mwMW%@—")


def width_of(text: str, size: float) -> float:
    """About how wide a text is; rather too wide than too narrow."""
    return size * sum(_share(sign) for sign in text)


def _share(sign: str) -> float:
    """The width of a sign in parts of the size."""
    if sign in _NARROW:
        return 0.36
    if sign in _WIDE:
        return 0.95
    if unicodedata.combining(sign):
        return 0.0
    if unicodedata.east_asian_width(sign) in "WF":
        return 1.05
    return 0.72 if sign.isupper() else 0.6


def wrapped(text: str, room: float, size: float) -> tuple[str, ...]:
    """Lines that are no wider than `room`, cut between words, or within one that is wider than a line.

    >>> wrapped("Records removed before screening", 120, 13)
    ('Records removed', 'before screening')
    >>> wrapped("", 120, 13)
    ('',)
    """
    lines, line = [], ""
    parts = (part for part in _BREAKS.split(text) if part)
    for word in (piece for part in parts for piece in _pieces(part, room, size)):
        longer = f"{line} {word}" if line else word
        if line and width_of(longer, size) > room:
            lines.append(line)
            line = word
        else:
            line = longer
    return (*lines, line)


def _pieces(word: str, room: float, size: float) -> Iterator[str]:
    """A word, or as many parts of it as lines are needed."""
    piece = ""
    for sign in word:
        if piece and width_of(piece + sign, size) > room:
            yield piece
            piece = ""
        piece += sign
    yield piece
