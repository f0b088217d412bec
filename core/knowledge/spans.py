"""Parts of a question that look like a name: quoted, bracketed, or written with capitals."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from core.knowledge.title_keys import Piece
from core.text import STOP_WORDS, words

Span = tuple[int, int]
"""First piece, and the one behind the last."""
_QUOTED = re.compile(
    r'"([^"]{0,600})"|“([^”]{0,600})”|„([^“”]{0,600})[“”]|«([^»]{0,600})»|‘([^’]{0,600})’|<([^<>]{0,600})>'
)
_JOINS = re.compile(r"[\s.'’\-–,()]{0,4}")
"""What may stand between two words of a name."""
PARTICLES = frozenset(words("of de del della der des di da do du la le el for and und et y e van von the"))
JOINTS = frozenset(words("of de del van von"))
"""Those that also join words without capitals."""
MOST_PIECES = 12
COMMON_LENGTH = 3
"""Words of a name."""


def quoted(text: str, pieces: Sequence[Piece]) -> tuple[Span, ...]:
    """What stands in quotation marks or angle brackets."""
    found = []
    for match in _QUOTED.finditer(text):
        start, end = match.span(match.lastindex or 0)
        inside = [place for place, piece in enumerate(pieces) if start <= piece.start and piece.end <= end]
        if inside:
            found.append((inside[0], inside[-1] + 1))
    return tuple(found)


def capitalised(text: str, pieces: Sequence[Piece]) -> tuple[Span, ...]:
    """Runs of words with a capital, or of a script that has none; "of" and its like may stand within."""
    found: list[Span] = []
    first: int | None = None
    last = 0
    for place, piece in enumerate(pieces):
        joins = first is not None and _JOINS.fullmatch(text[pieces[place - 1].end : piece.start]) is not None
        if joins and place - (first or 0) >= MOST_PIECES:
            joins = False
        if first is not None and not joins:
            found.append((first, last + 1))
            first = None
        if _has_capital(text[piece.start : piece.end]):
            first = place if first is None else first
            last = place
        elif first is not None and piece.key not in PARTICLES:
            found.append((first, last + 1))
            first = None
    if first is not None:
        found.append((first, last + 1))
    return tuple(trimmed for span in found if (trimmed := _trimmed(span, pieces)))


def _has_capital(word: str) -> bool:
    return any(char.isalpha() and not char.islower() for char in word)


def _trimmed(span: Span, pieces: Sequence[Piece]) -> Span | None:
    """Without words at its head that begin a question."""
    start, end = span
    while start < end and pieces[start].key in STOP_WORDS and len(pieces[start].key) > 1:
        start += 1
    return (start, end) if start < end else None


def uncapitalised(pieces: Sequence[Piece]) -> Iterator[Span]:
    """Runs of words that say something; "of" may stand within."""
    first: int | None = None
    last = 0
    for place, piece in enumerate(pieces):
        if piece.key in STOP_WORDS and (piece.key not in JOINTS or place - last != 1):
            if first is not None:
                yield first, last + 1
            first = None
        elif piece.key not in STOP_WORDS:
            if first is not None and place - first >= MOST_PIECES:
                yield first, last + 1
                first = None
            first = place if first is None else first
            last = place
    if first is not None:
        yield first, last + 1


def parts(span: Span, least: int) -> Iterator[Span]:
    """The span, then what lies in it: first what is as long as most names are."""
    start, end = span
    others = sorted(range(least, end - start), key=lambda length: (abs(length - COMMON_LENGTH), -length))
    for length in (end - start, *others):
        for first in range(start, end - length + 1):
            yield first, first + length
