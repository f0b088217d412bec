"""Which of two things that a search string asks for holds wherever the other does, whatever the publications are."""

from __future__ import annotations

import re
from functools import lru_cache

from core.query.matching.patterns import matches
from core.query.tree import Gap, Pieces, Word
from core.query.writing.truth_table import Formula

_SIGN = re.compile(r"\*|\?|\{(\d+),(\d*)\}")
_SIGNS = {"*": Gap(0, None), "?": Gap(1, 1)}


def implies(one: Formula, other: Formula, *, may_stem: bool) -> bool:
    """Whether a leaf of a formula holds wherever another one does. `may_stem`: by the stems of words or not.

    False where it can't be said. With stems, heat is not within heat*: generic and generous have one stem.
    """
    if one == other:
        return True
    first, second = one[1], other[1]
    if first != second:
        return first == "near" and second == "run" and _part_of_near(one, other, may_stem)
    if first == "run":
        (run, fields, exact), (wanted, where, is_exact) = one[2:], other[2:]
        return fields <= where and _holds(run, wanted, exact, is_exact, may_stem)
    if first == "near":
        return len(one) == len(other) == 7 and _near(one, other)
    if first == "heading":
        return _heading(one, other)
    return bool(one[2] >= other[2] if first == "from" else one[2] <= other[2])


def excludes(one: Formula, other: Formula) -> bool:
    """Whether no publication can have both: two spans of years that don't meet."""
    if {one[1], other[1]} != {"from", "to"}:
        return False
    low, high = (one, other) if one[1] == "from" else (other, one)
    return bool(low[2] > high[2])


def _holds(run: tuple[str, ...], wanted: tuple[str, ...], exact: bool, is_exact: bool, may_stem: bool) -> bool:
    """Whether the words that are wanted stand side by side in the run."""
    n = len(wanted)
    return any(
        all(_covered(run[at + i], wanted[i], exact, is_exact, may_stem) for i in range(n))
        for at in range(len(run) - n + 1)
    )


def _covered(word: str, by: str, exact: bool, by_exact: bool, may_stem: bool) -> bool:
    """Whether all that a word stands for is stood for by another."""
    one, other = _word(word), _word(by)
    if one == other:
        return not (one.is_plain and may_stem and by_exact and not exact)
    if other.is_plain:
        return False
    if one.is_plain:
        return (exact or not may_stem) and matches(other.pieces, str(one))
    head, start = one.pieces[0], other.pieces[0]
    return other.is_stem and isinstance(head, str) and isinstance(start, str) and head.startswith(start)


@lru_cache(maxsize=4096)
def _word(text: str) -> Word:
    """A word that was written down, read back."""
    pieces: list[str | Gap] = []
    at = 0
    for sign in _SIGN.finditer(text):
        if sign.start() > at:
            pieces.append(text[at : sign.start()])
        counted = Gap(int(sign[1]), int(sign[2]) if sign[2] else None) if sign[1] else None
        pieces.append(counted or _SIGNS[sign[0]])
        at = sign.end()
    if at < len(text):
        pieces.append(text[at:])
    made: Pieces = tuple(pieces)
    return Word(made)


def _near(one: Formula, other: Formula) -> bool:
    """The same parts, at most as far from each other."""
    parts, fields, distance, ordered, whole = one[2:]
    others, where, most, is_ordered, is_whole = other[2:]
    if whole != is_whole or not fields <= where or distance > most or (is_ordered and not ordered):
        return False
    in_any_order = not is_ordered and (whole or len(others) == 2)
    return bool(tuple(sorted(parts, key=repr)) == others if in_any_order else parts == others)


def _part_of_near(one: Formula, other: Formula, may_stem: bool) -> bool:
    """What stands near something stands there."""
    if len(one) != 7:
        return False
    wanted, where, is_exact = other[2:]
    return one[3] <= where and any(
        part[0] == "run" and _holds(part[1], wanted, part[2], is_exact, may_stem) for part in one[2]
    )


def _heading(one: Formula, other: Formula) -> bool:
    """A heading alone is within it and all that is narrower, a main one within any, one with a subheading too."""
    name, explode, major, below = one[2:]
    wanted, is_exploded, is_major, is_below = other[2:]
    if name != wanted or (explode and not is_exploded) or (is_major and not major):
        return False
    return bool(below == is_below or not is_below)
