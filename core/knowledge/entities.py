"""Entities, typed relations, and entity names mentioned in a question."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import OSA

from core.text import STOP_WORDS, words

# Entities and typed relations.

Rows = npt.NDArray[np.int64]
"""Row numbers of entities in their knowledge base, from 0. Entities of one type are contiguous."""
Direction = Literal["forward", "back", "either"]
"""The direction in which a relation is followed: from source to target, from target to source, or both."""
TURNED: Mapping[Direction, Direction] = {"forward": "back", "back": "forward", "either": "either"}
"""The reverse of each direction."""


@dataclass(frozen=True, slots=True)
class EntityType:
    name: str
    first: int
    n: int
    is_answer: bool
    """True if questions ask for entities of this type; text retrievers search their texts."""

    @property
    def rows(self) -> range:
        return range(self.first, self.first + self.n)


@dataclass(frozen=True, slots=True)
class RelationType:
    """A kind of relation between two types of entity. Several kinds may share a name."""

    name: str
    source: str
    target: str
    n: int


@dataclass(frozen=True, slots=True)
class Entity:
    row: int
    entity_id: str
    type: str
    title: str


@dataclass(frozen=True, slots=True)
class EntityText:
    text: str
    attributes: Mapping[str, str]
    """By name, in the order of the source."""


@dataclass(frozen=True, slots=True)
class NeighbourCount:
    relation: str
    direction: Direction
    """forward: the entity is the relation's source; back: its target."""
    type: str
    """The type of the neighbours."""
    n: int


# Titles in normalised form for lookup: case, accents, punctuation and spaces folded.

_PIECE = re.compile(r"[^\W_](?:[^\W_]|[\u0300-\u036f])*")
_PLAIN = str.maketrans(
    {"ı": "i", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ς": "σ", "ß": "ss", "æ": "ae", "œ": "oe", "þ": "th"}
)
"""Letters that contain no removable accent, but are often typed in plain form."""
LEAST_INFLECTED = 4
"""The minimum length of a word that may be a plural, in characters."""


def title_key(title: str) -> str:
    """Normalise a title, so that equivalent titles have the same key; empty: it has no letter or digit.

    >>> title_key("Łukasz O'Brién-Ito (2nd)")
    'lukasz o brien ito 2nd'
    """
    key = " ".join(words(title))
    return key if key.isascii() else key.translate(_PLAIN)


@dataclass(frozen=True, slots=True)
class PositionedWord:
    key: str
    start: int
    end: int


def pieces(text: str) -> tuple[PositionedWord, ...]:
    """Split a text into words with their positions.

    >>> [(piece.key, piece.start) for piece in pieces("By Zoë!")]
    [('by', 0), ('zoe', 3)]
    """
    found = (PositionedWord(title_key(match[0]), *match.span()) for match in _PIECE.finditer(text))
    return tuple(piece for piece in found if piece.key)


def inflected(key: str) -> tuple[str, ...]:
    """Return the key with its last word in the plural or the singular.

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


# Parts of a question that look like a name: quoted, bracketed, or capitalised.

Span = tuple[int, int]
"""The first piece, and the one after the last."""
_QUOTED = re.compile(
    r'"([^"]{0,600})"|“([^”]{0,600})”|„([^“”]{0,600})[“”]|«([^»]{0,600})»|‘([^’]{0,600})’|<([^<>]{0,600})>'
)
_JOINS = re.compile(r"[\s.'’\-–,()]{0,4}")
"""Characters allowed between two words of a name."""
PARTICLES = frozenset(words("of de del della der des di da do du la le el for and und et y e van von the"))
JOINTS = frozenset(words("of de del van von"))
"""Particles that also join words without capitals."""
MOST_PIECES = 12
COMMON_LENGTH = 3
"""A common number of words in a name."""


def quoted(text: str, pieces: Sequence[PositionedWord]) -> tuple[Span, ...]:
    """Find parts in quotation marks or angle brackets."""
    found = []
    for match in _QUOTED.finditer(text):
        start, end = match.span(match.lastindex or 0)
        inside = [place for place, piece in enumerate(pieces) if start <= piece.start and piece.end <= end]
        if inside:
            found.append((inside[0], inside[-1] + 1))
    return tuple(found)


def capitalised(text: str, pieces: Sequence[PositionedWord]) -> tuple[Span, ...]:
    """Find runs of words that are capitalised, or in a script without case; they may include particles such as "of"."""
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


def _trimmed(span: Span, pieces: Sequence[PositionedWord]) -> Span | None:
    """Drop leading stop words, which often begin a question."""
    start, end = span
    while start < end and pieces[start].key in STOP_WORDS and len(pieces[start].key) > 1:
        start += 1
    return (start, end) if start < end else None


def uncapitalised(pieces: Sequence[PositionedWord]) -> Iterator[Span]:
    """Find runs of content words, which may include joints such as "of"."""
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
    """Yield the span, then its parts, those of a common name length first."""
    start, end = span
    others = sorted(range(least, end - start), key=lambda length: (abs(length - COMMON_LENGTH), -length))
    for length in (end - start, *others):
        for first in range(start, end - length + 1):
            yield first, first + length


# The similarity of a question's words to a title.

SHORT, LONG = 5, 8
"""Keys shorter than the first length allow no typo; keys of at least the second allow two."""
FEWER_WORDS, OTHER_ORDER, INITIALS = 0.95, 0.9, 0.8


def forgiven(key: str) -> int:
    """Return the number of typos that a key may contain."""
    return 0 if len(key) < SHORT else 1 if len(key) < LONG else 2


def likeness(asked: str, title: str) -> float:
    """Rate the similarity of two keys from 0 to 1. 1: the same; 0: too different to mean the same.

    >>> likeness("haruka ito", "haruka m ito"), likeness("h ito", "haruka ito"), likeness("ito", "roy")
    (0.95, 0.8, 0.0)
    """
    if asked == title:
        return 1.0
    mine, its = asked.split(" "), title.split(" ")
    rigid, others = _rigid(mine), _rigid(its)
    if rigid == others or not rigid or not others:
        if len(mine_lean := lean(mine)) > 1:
            if mine_lean == (its_lean := lean(its)):
                return FEWER_WORDS
            if sorted(mine_lean) == sorted(its_lean):
                return OTHER_ORDER
        most = forgiven(asked)
        # Edits change, insert or delete a letter, or swap neighbours.
        if rigid == others and (n_edits := OSA.distance(asked, title, score_cutoff=most)) <= most:
            return 1 - n_edits / max(len(asked), len(title))
    return INITIALS if shortened(mine, its) else 0.0


def _rigid(words: Sequence[str]) -> list[str]:
    """Return the words that must not be mistyped: initials and numbers."""
    return [word for word in words if (len(word) == 1 and word not in STOP_WORDS) or word.isdigit()]


def lean(words: Sequence[str]) -> list[str]:
    """Drop initials and stop words."""
    return [word for word in words if len(word) > 1 and word not in STOP_WORDS]


def shortened(asked: Sequence[str], title: Sequence[str]) -> bool:
    """Check whether the words are the title's with given names as initials; the title's own initials may be missing.

    >>> shortened(["h", "ito"], ["haruka", "m", "ito"]), shortened(["h", "m"], ["haruka", "ito"])
    (True, False)
    """
    if len(asked) < 2 or len(asked[-1]) < 2 or asked[-1] != title[-1] or len(asked[0]) > 1:
        return False
    left = list(asked[:-1])
    for place, word in enumerate(title[:-1]):
        if left and (word == left[0] or (len(left[0]) == 1 and word.startswith(left[0]))):
            left.pop(0)
        elif len(word) > 1 or place == 0:
            return False
    return not left


# Entities mentioned in a question.


@dataclass(frozen=True, slots=True)
class Mention:
    """A part of a question that may name an entity."""

    start: int
    end: int
    """The position in the question, in characters; the end is exclusive."""
    entities: tuple[Entity, ...]
    """Possible entities, most likely first, including all namesakes."""
    score: float
    """The similarity of the words to the title, 0 to 1; 1: the same words."""

    @property
    def is_exact(self) -> bool:
        """True if the words are those of the title, apart from case and punctuation."""
        return self.score == 1.0


@dataclass(frozen=True, slots=True)
class MentionCandidate:
    span: Span
    entities: tuple[Entity, ...]
    score: float


def chosen(candidates: Iterable[MentionCandidate], marked: Collection[Span] = ()) -> tuple[MentionCandidate, ...]:
    """Select candidates that do not overlap, sorted by position: quoted parts win, then longer, then likelier ones.

    A part that contains an exact match of the same entity is dropped.
    """
    given = list(candidates)
    exact = [(set(range(*each.span)), set(each.entities)) for each in given if each.score == 1.0]
    taken: set[int] = set()
    kept: list[MentionCandidate] = []
    for candidate in sorted(given, key=lambda each: _order(each, marked)):
        pieces = range(*candidate.span)
        # An exact match does not count again with a superfluous word.
        is_worse = candidate.score < 1 and any(
            inside.issubset(pieces) and not named.isdisjoint(candidate.entities) for inside, named in exact
        )
        if not is_worse and taken.isdisjoint(pieces):
            taken.update(pieces)
            kept.append(candidate)
    return tuple(sorted(kept, key=lambda each: each.span))


def _order(candidate: MentionCandidate, marked: Collection[Span]) -> tuple[bool, int, float, int]:
    start, end = candidate.span
    return candidate.span not in marked, start - end, -candidate.score, start
