"""The words of one publication, and which of them a word of a query might mean."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from core.query.matching.texts import Texts
from core.query.spelling import american
from core.query.tree import Word

SHORTEST = 4
"""Letters that a beginning needs to say something."""
LONGEST_ENDING = 5
LONGEST_LOST_ENDING = 3
LITERAL, VARIANT, FORM = range(3)
"""How closely a word is what was asked: as it stands, in British or American spelling, with the same stem."""


@dataclass(frozen=True, eq=False)
class Page:
    """The words of one publication, by what they may be asked by."""

    fields: dict[str, tuple[str, ...]]
    places: dict[str, dict[str, list[int]]]
    """Field, word: where it stands."""
    by_stem: dict[int, list[str]]
    by_spelling: dict[str, list[str]]
    distinct: list[str]
    pairs: dict[str, list[tuple[str, int]]]
    """Two neighbours written as one."""
    breaks: dict[str, frozenset[int]]
    """Field: words at which another keyword begins."""

    def is_broken(self, name: str, first: int, last: int) -> bool:
        """Whether words of a field belong to more than one keyword."""
        breaks = self.breaks[name]
        return bool(breaks) and any(i in breaks for i in range(first + 1, last + 1))


def read(texts: Texts, row: int) -> Page:
    """The words of one publication."""
    fields = {name: texts.words_of(row, name) for name in texts.fields}
    breaks = {name: _breaks(texts, row, name) for name in fields}
    places: dict[str, dict[str, list[int]]] = {name: defaultdict(list) for name in fields}
    pairs: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for name, words in fields.items():
        for i, word in enumerate(words):
            places[name][word].append(i)
            if i and i not in breaks[name]:
                pairs[words[i - 1] + word].append((name, i - 1))
    distinct = sorted({word for words in fields.values() for word in words})
    by_stem: dict[int, list[str]] = defaultdict(list)
    by_spelling: dict[str, list[str]] = defaultdict(list)
    for word in distinct:
        by_stem[int(texts.stems[texts.number_of[word]])].append(word)
        by_spelling[american(word)].append(word)
    return Page(fields, places, by_stem, by_spelling, distinct, pairs, breaks)


def _breaks(texts: Texts, row: int, name: str) -> frozenset[int]:
    k = row * len(texts.fields) + texts.fields.index(name)
    start, end = texts.starts[k], texts.starts[k + 1]
    low, high = np.searchsorted(texts.breaks, [start, end])
    return frozenset((texts.breaks[low:high] - start).tolist())


def alike(word: Word, page: Page, stems: frozenset[int], *, stemmed: bool) -> dict[str, int]:
    """Words of the publication that this one might mean, and how closely.

    `stems`: those of the word. `stemmed`: words with the same stem are what was asked.
    """
    levels: dict[str, int] = {}
    for there in _of_stems(stems, page):
        levels[there] = LITERAL if stemmed else FORM
    for there in (*_longer(word, page), *(() if stems else _shorter(word, page))):
        levels.setdefault(there, FORM)
    for there in _spelled_alike(word, page):
        levels[there] = min(VARIANT, levels.get(there, FORM))
    for there in _literal(word, page):
        levels[there] = LITERAL
    return levels


def stems_of(word: Word, texts: Texts) -> frozenset[int]:
    """Of a word, or of all words that begin so."""
    letters = str(word.pieces[0])
    if word.is_plain:
        number = texts.number_of.get(letters)
        return frozenset() if number is None else frozenset({int(texts.stems[number])})
    if word.is_stem and len(letters) >= SHORTEST:
        numbers = texts.with_beginning(letters)
        return frozenset(texts.stems[numbers.start : numbers.stop].tolist())
    return frozenset()


def _of_stems(stems: frozenset[int], page: Page) -> Iterator[str]:
    few, many = sorted((stems, page.by_stem.keys()), key=len)
    for stem in few:
        if stem in many:
            yield from page.by_stem[stem]


def beginning_with(letters: str, page: Page) -> Iterator[str]:
    """Words of the publication that begin so."""
    for i in range(bisect_left(page.distinct, letters), len(page.distinct)):
        if not page.distinct[i].startswith(letters):
            return
        yield page.distinct[i]


def _literal(word: Word, page: Page) -> Iterator[str]:
    if word.is_plain or word.is_stem:
        letters = str(word.pieces[0])
        yield from (w for w in beginning_with(letters, page) if word.is_stem or w == letters)
    else:
        yield from (w for w in page.distinct if is_literally(word, w))


def is_literally(word: Word, there: str) -> bool:
    """Whether a word of a text is what a word of a query asks for, wildcards and all.

    >>> from core.query.tree import Gap
    >>> is_literally(Word(("colo", Gap(0, 1), "r")), "colour")
    True
    """
    if word.is_plain or word.is_stem:
        letters = str(word.pieces[0])
        return there.startswith(letters) if word.is_stem else there == letters
    return _pattern(word).fullmatch(there) is not None


@lru_cache(maxsize=512)
def _pattern(word: Word) -> re.Pattern[str]:
    parts = (
        re.escape(piece)
        if isinstance(piece, str)
        else rf"[^\W_]{{{piece.least},{'' if piece.most is None else piece.most}}}"
        for piece in word.pieces
    )
    return re.compile("".join(parts))


def _longer(word: Word, page: Page) -> Iterator[str]:
    """The word with an ending behind it."""
    letters = str(word.pieces[0])
    if word.is_plain and len(letters) >= SHORTEST:
        yield from (w for w in beginning_with(letters, page) if len(w) - len(letters) <= LONGEST_ENDING)


def _shorter(word: Word, page: Page) -> Iterator[str]:
    """The word without its ending; for words that the corpus does not have, so that no stem is known."""
    letters = str(word.pieces[0])
    for n in range(1, LONGEST_LOST_ENDING + 1):
        at = bisect_left(page.distinct, letters[:-n])
        if word.is_plain and len(letters) - n >= SHORTEST and page.distinct[at : at + 1] == [letters[:-n]]:
            yield page.distinct[at]


def _spelled_alike(word: Word, page: Page) -> Iterator[str]:
    letters = str(word.pieces[0])
    if len(letters) <= SHORTEST or not (word.is_plain or word.is_stem):
        return
    spelling = american(letters)
    if word.is_plain:
        yield from page.by_spelling.get(spelling, ())
    else:
        yield from (w for key, all_words in page.by_spelling.items() if key.startswith(spelling) for w in all_words)
