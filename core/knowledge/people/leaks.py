"""Whether a query gives away the entity that it was written for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice
from typing import Literal

from core.text import STOP_WORDS, words

LONG_TITLE = 4
"""Words that say something of which a title must have as many, before most of them can give it away."""
MOST = 0.75
"""The share of them that does, if they come in the title's order."""
LOOKED_AT = 60
"""So many of such words of a title are compared; one that is longer is a text."""
LONGEST_READ = 20_000
"""Characters of a title in which they are looked for."""
SHORTEST_NUMBER = 5
"""Digits of an id that is a number: a shorter one could be a year or a count."""
ID_NAMES = frozenset({"asin", "doi", "id", "isbn", "openalex", "orcid", "pmcid", "pmid", "ror", "uri", "url"})
_RUN = re.compile(r"(?:[^\W_]|[\u0300-\u036f])+")

Span = tuple[int, int]
LeakKind = Literal["title", "words", "id"]


@dataclass(frozen=True, slots=True)
class Leak:
    """A part of a query that gives the entity away."""

    kind: LeakKind
    sentence: str
    """Why it is refused."""
    spans: tuple[Span, ...]
    """Where it stands in the query, in characters."""


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    span: Span


def _words(text: str) -> Iterator[_Word]:
    """Words as searching reads them, each with its place; signs, accents and case aside."""
    for found in _RUN.finditer(text):
        for word in words(found.group().casefold()):
            yield _Word(word, found.span())


def find_leaks(query: str, *, title: str, ids: Iterable[str] = ()) -> tuple[Leak, ...]:
    """What in a query gives an entity away; empty: nothing. A title gives itself away.

    Three things do: the title, however it is spelled; most of the words of a long title, in its order; an id. Words
    that are added before or after don't change that. An id without a digit, or of few digits alone, is a word like any
    other.

    >>> [leak.kind for leak in find_leaks("Who wrote about NIGHT-work?", title="Night work")]
    ['title']
    >>> find_leaks("shifts after dark", title="Night work")
    ()
    """
    there = list(_words(query))
    leaks = []
    if spans := _spelled(title, query, there):
        leaks.append(Leak("title", "it holds the name of the entity", spans))
    elif spans := _most_words(title, there):
        leaks.append(Leak("words", "it holds most words of the entity's title, in the same order", spans))
    for one in ids:
        if _tells(one) and (spans := _spelled(one, query, there)):
            leaks.append(Leak("id", "it holds an id of the entity", spans))
            break
    return tuple(leaks)


def identifiers(entity_id: str, attributes: Mapping[str, str]) -> tuple[str, ...]:
    """What identifies an entity: its id, and attributes that are called so.

    >>> identifiers("7", {"mag_id": "2104", "Year": "2011", "DOI": "10.1/x"})
    ('7', '2104', '10.1/x')
    """
    named = (value for name, value in attributes.items() if ID_NAMES & set(words(name)[-1:]))
    return entity_id, *named


def parts(query: str, leaks: Sequence[Leak]) -> list[tuple[str, bool]]:
    """The query in pieces, each with whether it leaks; together they are the query.

    >>> parts("on night work", find_leaks("on night work", title="Night work"))
    [('on ', False), ('night work', True)]
    """
    cut: list[tuple[str, bool]] = []
    end = 0
    for start, stop in _joined(query, sorted(span for leak in leaks for span in leak.spans)):
        cut += [(query[end:start], False), (query[start:stop], True)]
        end = stop
    return [piece for piece in (*cut, (query[end:], False)) if piece[0]]


def _joined(query: str, spans: Iterable[Span]) -> list[Span]:
    """Spans that touch, or have only spaces between them, as one."""
    joined: list[Span] = []
    for start, stop in spans:
        if joined and not query[joined[-1][1] : start].strip():
            joined[-1] = joined[-1][0], max(stop, joined[-1][1])
        else:
            joined.append((start, stop))
    return joined


def _tells(own_id: str) -> bool:
    letters = "".join(words(own_id))
    if letters.isdigit():
        return len(letters) >= SHORTEST_NUMBER
    return any(sign.isdigit() for sign in letters)


def _spelled(name: str, query: str, there: Sequence[_Word]) -> tuple[Span, ...]:
    """Where whole words of the query spell the name, wherever either has its spaces and hyphens."""
    run = "".join(word.text for word in there)
    wanted = ""
    for word in _words(name):
        wanted += word.text
        if len(wanted) > len(run):
            return ()
    if not wanted:
        return _signs(name, query)
    ends = list(accumulate(len(word.text) for word in there))
    word_from = dict(zip([0, *ends], range(len(there)), strict=False))
    word_to = {end: word for word, end in enumerate(ends)}
    found, at = [], run.find(wanted)
    while at >= 0:
        if at in word_from and at + len(wanted) in word_to:
            found.append((there[word_from[at]].span[0], there[word_to[at + len(wanted)]].span[1]))
        at = run.find(wanted, at + 1)
    return tuple(found)


def _signs(name: str, query: str) -> tuple[Span, ...]:
    """The same for a name without a letter or digit."""
    wanted = name.split()
    if not wanted:
        return ()
    there = [(found.group(), found.span()) for found in re.finditer(r"\S+", query)]
    return tuple(
        (there[at][1][0], there[at + len(wanted) - 1][1][1])
        for at in range(len(there) - len(wanted) + 1)
        if all(there[at + n][0] == sign for n, sign in enumerate(wanted))
    )


def _most_words(title: str, there: Sequence[_Word]) -> tuple[Span, ...]:
    """The words of the query that are most of a long title's, in its order."""
    saying = (word.text for word in _words(title[:LONGEST_READ]) if len(word.text) > 1 and word.text not in STOP_WORDS)
    telling = list(islice(saying, LOOKED_AT))
    if len(telling) < LONG_TITLE:
        return ()
    known = set(telling)
    candidates = [word for word in there if word.text in known]
    common = _in_order(telling, [word.text for word in candidates])
    return tuple(candidates[at].span for at in common) if len(common) >= MOST * len(telling) else ()


def _in_order(telling: Sequence[str], there: Sequence[str]) -> list[int]:
    """Places in `there` of a longest sequence of words that both have in this order."""
    longest = [[0] * (len(telling) + 1)]
    for word in there:
        before = longest[-1]
        row = [0]
        for at, other in enumerate(telling):
            row.append(before[at] + 1 if word == other else max(before[at + 1], row[at]))
        longest.append(row)
    places, row_at, at = [], len(there), len(telling)
    while row_at and at:
        if longest[row_at][at] == longest[row_at - 1][at]:
            row_at -= 1
        elif longest[row_at][at] == longest[row_at][at - 1]:
            at -= 1
        else:
            row_at, at = row_at - 1, at - 1
            places.append(row_at)
    return places[::-1]
