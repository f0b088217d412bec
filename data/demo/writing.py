"""Writes one made-up publication: draws patterns and fills their slots, keeping to its own wording throughout."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import TypeVar

from core.errors import FormatError
from data.demo.words import Lexicon, Theme, TopicWords

LABEL = "[Made up for the Queryscape demo.]"
TITLE_LABEL = "[made up]"
"""Says so where there is no abstract that could."""

PLACES = ("why", "aim", "how", "found", "so")
"""The order of an abstract."""
MIN_WORDS, SPREAD = 76, 40
"""Sentences are added until an abstract has between 76 and 116 words; the label and the last one come on top."""
SECOND_WORDING = 0.3
"""Share of publications that use two wordings of an idea."""
BORROWED = 0.3
"""Share of publications with a sentence from another theme of the topic: fields overlap."""
FROM_COMMON = 0.18
"""Share of sentences that any topic could hold."""

T = TypeVar("T")

_SLOT = re.compile(r"\{([^{}]+)\}")
_RANGE = re.compile(r"(\d+(?:\.(\d+))?)\.\.(\d+(?:\.\d+)?)")
_SENTENCE_START = re.compile(r"^[a-z]|(?<=[.?] )[a-z]")
_BEFORE_VOWEL = re.compile(r"\b([Aa]) (?=[aeio]|u(?!ni|se)|8|11\b|18\b)(?!eu|one\b)")


def pick(rng: random.Random, entries: Sequence[T], weights: Sequence[float] | None = None) -> T:
    """One entry. Only rng.random() is used: its sequence is the same in every Python version."""
    if weights is None:
        return entries[int(rng.random() * len(entries))]
    left = rng.random() * sum(weights)
    for entry, weight in zip(entries, weights, strict=True):
        left -= weight
        if left < 0:
            return entry
    return entries[-1]


class Author:
    """The made-up author of one publication, with words of their own."""

    def __init__(self, lexicon: Lexicon, rng: random.Random) -> None:
        self._lexicon = lexicon
        self._rng = rng
        self._kept: dict[str, tuple[str, ...]] = {}
        self._bags: dict[str, list[str]] = {}

    def fill(self, pattern: str) -> str:
        """The pattern as a sentence, every slot filled."""
        text = _BEFORE_VOWEL.sub(r"\1n ", self._expand(pattern))
        # A slot may open a sentence as well as stand within one.
        return _SENTENCE_START.sub(lambda start: start[0].upper(), text)

    def wording(self, pattern: str) -> str:
        """The pattern with every slot filled, as words that need not be a sentence."""
        return self._expand(pattern)

    def _expand(self, pattern: str) -> str:
        text = pattern
        while _SLOT.search(text):
            text = _SLOT.sub(lambda slot: self._word(slot[1]), text)
        return text

    def _word(self, name: str) -> str:
        if bounds := _RANGE.fullmatch(name):
            low, high, digits = float(bounds[1]), float(bounds[3]), len(bounds[2] or "")
            return f"{low + self._rng.random() * (high - low):.{digits}f}"
        if name in self._lexicon.words:
            return self.draw(name, self._lexicon.words[name])
        if name not in self._kept:
            self._kept[name] = self._choose(name)
        return pick(self._rng, self._kept[name])

    def _choose(self, name: str) -> tuple[str, ...]:
        """What this author calls it."""
        if wordings := self._lexicon.variants.get(name):
            weights = [1.0 / (rank + 2) for rank in range(len(wordings))]
            n_wordings = 2 if self._rng.random() < SECOND_WORDING else 1
            return tuple(self._expand(pick(self._rng, wordings, weights)) for _ in range(n_wordings))
        if choices := self._lexicon.once.get(name):
            return (self._expand(pick(self._rng, choices)),)
        raise FormatError(f"no demo word list is called {{{name}}}")

    def draw(self, name: str, entries: Sequence[str]) -> str:
        """One entry, none twice before all were drawn."""
        bag = self._bags.setdefault(name, [])
        if not bag:
            bag.extend(entries)
        return bag.pop(int(self._rng.random() * len(bag)))


def write_publication(topic: TopicWords, theme: Theme, rng: random.Random) -> tuple[str, str]:
    """A title and an abstract of 80 to 150 words on this theme of the topic."""
    author = Author(topic.lexicon, rng)
    title = author.fill(pick(rng, theme.sentences["title"]))
    used: set[str] = set()
    abstract: dict[str, list[str]] = {place: [] for place in PLACES}

    def add(place: str, theme: Theme = theme) -> None:
        pattern = _fresh_pattern(topic, theme, place, used, rng)
        if pattern is not None:
            used.add(pattern)
            abstract[place].append(author.fill(pattern))

    for place in PLACES:
        add(place)
    if rng.random() < BORROWED:
        add("why", pick(rng, [theme for theme in topic.themes if theme.lends]))
    n_wanted = MIN_WORDS + rng.random() * SPREAD
    while sum(len(sentence.split()) for place in PLACES for sentence in abstract[place]) < n_wanted:
        add(pick(rng, ("why", "how", "found", "found")))
    return title, " ".join([*(s for place in PLACES for s in abstract[place]), LABEL])


def _fresh_pattern(topic: TopicWords, theme: Theme, place: str, used: set[str], rng: random.Random) -> str | None:
    """A sentence for this place that the abstract does not hold yet; None if the lists are used up."""
    own = [pattern for pattern in theme.sentences[place] if pattern not in used]
    common = [pattern for pattern in topic.common_sentences.get(place, ()) if pattern not in used]
    patterns = common if common and (not own or rng.random() < FROM_COMMON) else own
    return pick(rng, patterns) if patterns else None
