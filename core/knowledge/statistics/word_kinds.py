"""Which words of a question speak of relations, and which of what a text says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate, pairwise

from core.text import STOP_WORDS, words

Span = tuple[int, int]
"""From and to, the end not included."""


@dataclass(frozen=True, slots=True)
class WordKinds:
    """Words of a question, or of many, by kind."""

    n_relational: int = 0
    """Of the name of an entity that the question's requirement names, or of a cue of its template."""
    n_textual: int = 0
    """All others that say something."""
    n_stop: int = 0
    """Words such as "the" and "by", wherever they stand."""

    def __add__(self, other: WordKinds) -> WordKinds:
        return WordKinds(
            self.n_relational + other.n_relational, self.n_textual + other.n_textual, self.n_stop + other.n_stop
        )

    @property
    def relational_share(self) -> float | None:
        """Of the words that say something."""
        n = self.n_relational + self.n_textual
        return self.n_relational / n if n else None

    @property
    def textual_share(self) -> float | None:
        """Of the words that say something."""
        n = self.n_relational + self.n_textual
        return self.n_textual / n if n else None


def word_kinds(text: str, *, spans: Iterable[Span] = (), phrases: Iterable[str] = ()) -> WordKinds:
    """The words of a question by kind. `spans`: in characters; `phrases`: wherever their words stand in a row.

    >>> word_kinds("papers by Ito on green tea", phrases=["papers by", "Ito"])
    WordKinds(n_relational=2, n_textual=2, n_stop=2)
    """
    found = words(text)
    relational: set[int] = set()
    for start, end in _in_words(text, tuple(spans)):
        relational.update(range(start, end))
    for phrase in phrases:
        for start, end in runs(found, words(phrase)):
            relational.update(range(start, end))
    n_stop = sum(word in STOP_WORDS for word in found)
    n_relational = sum(word not in STOP_WORDS for place, word in enumerate(found) if place in relational)
    return WordKinds(n_relational, len(found) - n_stop - n_relational, n_stop)


def _in_words(text: str, spans: tuple[Span, ...]) -> Iterator[Span]:
    """Spans of characters as places of words; every part of the text is read once."""
    borders = sorted({0, *(border for span in spans for border in span)})
    n_words = [len(words(text[start:end])) for start, end in pairwise(borders)]
    place = dict(zip(borders, accumulate(n_words, initial=0), strict=True))
    for start, end in spans:
        yield place[start], place[end]


def runs(among: list[str], wanted: list[str]) -> Iterator[Span]:
    """Where these words stand in a row, as places of words.

    >>> list(runs(["a", "b", "a", "b", "c"], ["a", "b"]))
    [(0, 2), (2, 4)]
    """
    if not wanted:
        return
    line, needle = f" {' '.join(among)} ", f" {' '.join(wanted)} "
    at, place, counted = line.find(needle), 0, 0
    while at >= 0:
        place += line.count(" ", counted, at)
        counted = at
        yield place, place + len(wanted)
        at = line.find(needle, at + 1)
