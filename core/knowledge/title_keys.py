"""Titles as they are looked up: case, accents, punctuation and spaces folded."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.text import words

_PIECE = re.compile(r"[^\W_](?:[^\W_]|[\u0300-\u036f])*")
_PLAIN = str.maketrans(
    {"ı": "i", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ς": "σ", "ß": "ss", "æ": "ae", "œ": "oe", "þ": "th"}
)
"""Letters that hold no accent that could be taken away, but are typed without it."""
LEAST_INFLECTED = 4
"""Characters of a word that may be a plural."""


def title_key(title: str) -> str:
    """What titles have in common that are taken for the same; empty: nothing in it is a letter or a digit.

    >>> title_key("Łukasz O'Brién-Ito (2nd)")
    'lukasz o brien ito 2nd'
    """
    key = " ".join(words(title))
    return key if key.isascii() else key.translate(_PLAIN)


@dataclass(frozen=True, slots=True)
class Piece:
    """A word of a question, and where it stands."""

    key: str
    start: int
    end: int


def pieces(text: str) -> tuple[Piece, ...]:
    """The words of a text, with their places.

    >>> [(piece.key, piece.start) for piece in pieces("By Zoë!")]
    [('by', 0), ('zoe', 3)]
    """
    found = (Piece(title_key(match[0]), *match.span()) for match in _PIECE.finditer(text))
    return tuple(piece for piece in found if piece.key)


def inflected(key: str) -> tuple[str, ...]:
    """The key with its last word in the plural, or in the singular.

    >>> inflected("fuel cells"), inflected("battery")
    (('fuel cell',), ('batterys', 'batteries'))
    """
    last = key.rpartition(" ")[2]
    if len(last) < LEAST_INFLECTED or not last.isascii() or not last.isalpha():
        return ()
    if last.endswith("ies"):
        return key[:-3] + "y", key[:-1]
    if last.endswith(("ches", "shes", "sses", "xes")):
        return key[:-2], key[:-1]
    if last.endswith("s"):
        return (key[:-1],) if not last.endswith("ss") else ()
    return (key + "s", key[:-1] + "ies") if last.endswith("y") else (key + "s",)
