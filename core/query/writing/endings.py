"""Wildcards of a term as another dialect has them, or what comes closest."""

from __future__ import annotations

import string
from dataclasses import dataclass

from core.query.dialects.base import Dialect
from core.query.tree import ANY_ENDING, Gap, Pieces
from core.query.writing.choosing import Status

Note = tuple[Status, str]
LONGEST_COUNT = 999


@dataclass(frozen=True, slots=True)
class Endings:
    """What a term's wildcards became."""

    variants: tuple[Pieces, ...]
    """More than one: an alternative for each letter."""
    notes: tuple[Note, ...]


def sign_of(gap: Gap, dialect: Dialect) -> str | None:
    """How the dialect writes a gap; None: it can't.

    >>> from core.query.dialects import DIALECTS
    >>> sign_of(Gap(0, 3), DIALECTS["ovid"]), sign_of(Gap(0, 1), DIALECTS["wos"])
    ('$3', '$')
    """
    for sign, meant in dialect.wildcards.items():
        if meant == gap:
            return sign
    if dialect.counted_wildcards and gap.least == 0 and gap.most is not None and 0 < gap.most <= LONGEST_COUNT:
        return f"${gap.most}"
    if dialect.id == "plain" and gap.least <= 9999 and (gap.most or 0) <= 9999 and gap != Gap(0, 0):
        return f"{{{gap.least},{'' if gap.most is None else gap.most}}}"
    return None


def adapted(pieces: Pieces, dialect: Dialect, *, strict: bool) -> Endings:
    """The pieces with gaps that the dialect has. `strict`: only where it allows them."""
    variants: list[list[str | Gap]] = [[]]
    notes: list[Note] = []
    before = 0  # letters of the word so far
    for piece in pieces:
        if isinstance(piece, str):
            for variant in variants:
                variant.append(piece)
            before = _letters_at_end(piece, before)
            continue
        options, note = _options(piece, before, dialect, strict, single=len(variants) == 1)
        variants = [[*variant, *option] for variant in variants for option in options]
        before += piece.least
        if note and note not in notes:
            notes.append(note)
    return Endings(tuple(tuple(_without_repeats(variant)) for variant in variants), tuple(notes))


def _letters_at_end(piece: str, before: int) -> int:
    n = 0
    for character in reversed(piece):
        if not character.isalnum():
            return n
        n += 1
    return n + before


def _options(
    gap: Gap, before: int, dialect: Dialect, strict: bool, *, single: bool
) -> tuple[list[list[str | Gap]], Note | None]:
    label = dialect.label
    known = sign_of(gap, dialect) is not None
    if strict and before == 0 and not dialect.leading_wildcard:
        return [[]], ("unsupported", f"{label} allows no wildcard at the beginning of a word: written without it.")
    if strict and 0 < before < dialect.shortest_stem:
        need = f"{label} needs {dialect.shortest_stem} letters before a wildcard"
        if gap.most == 1 and single:
            none: list[list[str | Gap]] = [[]] if gap.least == 0 else []
            letters: list[list[str | Gap]] = [[letter] for letter in string.ascii_lowercase]
            return none + letters, ("narrowed", f"{need}: written out with each letter from a to z.")
        return [[]], ("narrowed", f"{need}: written without it. Add the endings that you need.")
    if known:
        return [[gap]], None
    if gap == Gap(0, 0):
        return [[]], None
    return [[ANY_ENDING]], ("widened", f"{label} has no wildcard for {_told(gap)}: * stands for any number.")


def _told(gap: Gap) -> str:
    if gap.most is None:
        return f"{gap.least} or more characters"
    if gap.least == gap.most:
        return "exactly one character" if gap.least == 1 else f"exactly {gap.least} characters"
    return f"{'at most' if not gap.least else f'{gap.least} to'} {gap.most} character{'s' if gap.most > 1 else ''}"


def _without_repeats(pieces: list[str | Gap]) -> list[str | Gap]:
    out: list[str | Gap] = []
    for piece in pieces:
        last = out[-1] if out else None
        if isinstance(piece, str) and isinstance(last, str):
            out[-1] = last + piece
        elif not (piece == ANY_ENDING and last == ANY_ENDING):
            out.append(piece)
    return out
