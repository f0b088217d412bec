"""Entities, typed relations, and entity names mentioned in a question."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from core.text import STOP_WORDS, words

# Entities and typed relations.

Rows = npt.NDArray[np.int64]
"""Places of entities in their knowledge base, from 0. Entities of one type stand together."""
Direction = Literal["forward", "back", "either"]
"""How a relation is walked: from its source to its target, from its target to its source, or both ways."""
TURNED: Mapping[Direction, Direction] = {"forward": "back", "back": "forward", "either": "either"}
"""How it is walked back."""


@dataclass(frozen=True, slots=True)
class EntityType:
    name: str
    first: int
    n: int
    is_answer: bool
    """Whether questions ask for entities of this type; their texts are what text retrievers search."""

    @property
    def rows(self) -> range:
        return range(self.first, self.first + self.n)


@dataclass(frozen=True, slots=True)
class RelationType:
    """A kind of relation between two types of entity. One name may stand for several."""

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
    """Of the neighbours."""
    n: int


# Titles as they are looked up: case, accents, punctuation and spaces folded.

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


# Parts of a question that look like a name: quoted, bracketed, or written with capitals.

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


# How like what a question says is to a title.

SHORT, LONG = 5, 8
"""Characters of a key below which no typo is forgiven, and from which two are."""
FEWER_WORDS, OTHER_ORDER, INITIALS = 0.95, 0.9, 0.8


def edits(a: str, b: str, most: int) -> int | None:
    """Characters to change, add, take away or swap with their neighbour to make b of a; None: more than `most`.

    >>> edits("haruka", "hraukaa", 2), edits("ito", "roy", 1)
    (2, None)
    """
    if a == b:
        return 0
    if abs(len(a) - len(b)) > most:
        return None
    far = most + 1
    before_last: list[int] = []
    last = [min(j, far) for j in range(len(b) + 1)]
    for i, char in enumerate(a, start=1):
        row = [far] * (len(b) + 1)
        row[0] = min(i, far)
        for j in range(max(1, i - most), min(len(b), i + most) + 1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (char != b[j - 1]))
            if i > 1 and j > 1 and char == b[j - 2] and a[i - 2] == b[j - 1]:
                cost = min(cost, before_last[j - 2] + 1)
            row[j] = min(cost, far)
        if min(row) > most:
            return None
        before_last, last = last, row
    return last[-1] if last[-1] <= most else None


def forgiven(key: str) -> int:
    """How many typos what is written may hold."""
    return 0 if len(key) < SHORT else 1 if len(key) < LONG else 2


def likeness(asked: str, title: str) -> float:
    """Of two keys, 0 to 1. 1: the same; 0: they can't be meant to be the same.

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
        found = edits(asked, title, forgiven(asked)) if rigid == others else None
        if found is not None:
            return 1 - found / max(len(asked), len(title))
    return INITIALS if shortened(mine, its) else 0.0


def _rigid(words: Sequence[str]) -> list[str]:
    """What makes another name of it when it is mistyped: initials and numbers."""
    return [word for word in words if (len(word) == 1 and word not in STOP_WORDS) or word.isdigit()]


def lean(words: Sequence[str]) -> list[str]:
    """Without initials and words that say nothing."""
    return [word for word in words if len(word) > 1 and word not in STOP_WORDS]


def shortened(asked: Sequence[str], title: Sequence[str]) -> bool:
    """Whether these are the title's words with given names as initials; the title's own initials may be left out.

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


# Entities that a question names.


@dataclass(frozen=True, slots=True)
class Mention:
    """A part of a question that may name an entity."""

    start: int
    end: int
    """Where it stands in the question, in characters; the end is not part of it."""
    entities: tuple[Entity, ...]
    """What it may name, the likeliest first; entities of one title are all here."""
    score: float
    """How like the title is to what stands there, 0 to 1; 1: the same words."""

    @property
    def is_exact(self) -> bool:
        """Whether the words are those of the title, case and punctuation aside."""
        return self.score == 1.0


@dataclass(frozen=True, slots=True)
class Candidate:
    span: Span
    entities: tuple[Entity, ...]
    score: float


def chosen(candidates: Iterable[Candidate], marked: Collection[Span] = ()) -> tuple[Candidate, ...]:
    """Those that stay, by place: whole quoted parts win over others, longer ones over shorter, likelier over others.

    A part that names what stands in it word for word is left out.
    """
    given = list(candidates)
    exact = [(set(range(*each.span)), set(each.entities)) for each in given if each.score == 1.0]
    taken: set[int] = set()
    kept: list[Candidate] = []
    for candidate in sorted(given, key=lambda each: _order(each, marked)):
        pieces = range(*candidate.span)
        # What is there word for word is not also there with a word too many.
        is_worse = candidate.score < 1 and any(
            inside.issubset(pieces) and not named.isdisjoint(candidate.entities) for inside, named in exact
        )
        if not is_worse and taken.isdisjoint(pieces):
            taken.update(pieces)
            kept.append(candidate)
    return tuple(sorted(kept, key=lambda each: each.span))


def _order(candidate: Candidate, marked: Collection[Span]) -> tuple[bool, int, float, int]:
    start, end = candidate.span
    return candidate.span not in marked, start - end, -candidate.score, start
