"""How one term stands to another that took its place: wider, narrower, or looked for elsewhere."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Literal, NamedTuple

from core.query.tree import TEXT_FIELDS, Gap, Heading, Near, Node, Term, Word
from core.query.writing.choosing import in_words

Direction = Literal["widened", "narrowed", "changed"]
LONGEST_WORD = 80
MOST_GAPS = 3
"""Longer words, or words with more wildcards, are compared as they are written."""


class Relation(NamedTuple):
    """What became of a term, and why."""

    direction: Direction
    why: str


def relation(before: Node, after: Node) -> Relation | None:
    """How `after` changes what `before` asked for; None: they have nothing to do with each other.

    >>> relation(Term(("heat",)), Term(("heat", Gap(0, None))))
    Relation(direction='widened', why='more endings count')
    """
    if isinstance(before, Term) and isinstance(after, Term):
        return _of_terms(before, after)
    if isinstance(before, Near) and isinstance(after, Near):
        return _of_distances(before, after)
    if isinstance(before, Heading) and isinstance(after, Heading) and before.name.lower() == after.name.lower():
        return Relation("changed", "the same heading in another way")
    return None


def words_of(term: Term) -> tuple[Word, ...]:
    """Its words in a row, whether or not they stand side by side."""
    return tuple(word for chunk in term.chunks for word in chunk)


def _of_terms(before: Term, after: Term) -> Relation | None:
    first, second = words_of(before), words_of(after)
    if not first or not second:
        return None
    if first == second:
        return _same_words(before, after)
    if len(first) == len(second):
        if all(map(_covers, second, first)):
            return Relation("widened", "more endings count" if second[-1].is_stem else "more spellings count")
        if all(map(_covers, first, second)):
            return Relation("narrowed", "fewer endings count" if first[-1].is_stem else "fewer spellings count")
        return None
    if _holds(second, first) and len(after.chunks) == 1:
        return Relation("narrowed", "a longer phrase")
    if _holds(first, second) and len(before.chunks) == 1:
        return Relation("widened", "a shorter phrase")
    return None


def _same_words(before: Term, after: Term) -> Relation:
    if len(after.chunks) > len(before.chunks):
        return Relation("widened", "its words may stand apart")
    if len(after.chunks) < len(before.chunks):
        return Relation("narrowed", "its words must stand together")
    here, there = set(before.fields or TEXT_FIELDS), set(after.fields or TEXT_FIELDS)
    place = in_words(after.fields)
    if here < there:
        return Relation("widened", f"looked for in {place}")
    if here > there:
        return Relation("narrowed", f"looked for in {place} only")
    if here != there:
        return Relation("changed", f"looked for in {place} instead of {in_words(before.fields)}")
    return Relation("changed", "its endings are matched in another way")


def _holds(longer: tuple[Word, ...], shorter: tuple[Word, ...]) -> bool:
    n = len(shorter)
    return n < len(longer) <= LONGEST_WORD and any(longer[i : i + n] == shorter for i in range(len(longer) - n + 1))


def _covers(pattern: Word, word: Word) -> bool:
    """Whether every spelling of a word is one of the pattern."""
    if pattern == word:
        return True
    if pattern.is_plain:
        return False
    head = word.pieces[0]
    if pattern.is_stem:
        return isinstance(head, str) and head.startswith(str(pattern.pieces[0]))
    gaps = sum(isinstance(piece, Gap) for piece in pattern.pieces)
    if not word.is_plain or gaps > MOST_GAPS or len(str(word)) > LONGEST_WORD or len(str(pattern)) > LONGEST_WORD:
        return False
    signs = "".join(re.escape(piece) if isinstance(piece, str) else _sign(piece) for piece in pattern.pieces)
    return re.fullmatch(signs, str(word)) is not None


def _sign(gap: Gap) -> str:
    return f".{{{gap.least},{'' if gap.most is None else min(gap.most, LONGEST_WORD)}}}"


def _of_distances(before: Near, after: Near) -> Relation | None:
    if replace(before, distance=after.distance) == after:
        wider = after.distance > before.distance
        why = f"up to {after.distance:,} words between instead of {before.distance:,}"
        return Relation("widened" if wider else "narrowed", why)
    if replace(before, ordered=after.ordered) == after:
        if after.ordered:
            return Relation("narrowed", "in this order only")
        return Relation("widened", "in any order")
    return None
