"""How varied a wording is: Shannon entropy over words, and the type-token ratio."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.knowledge.statistics.spread import Counts
from core.text import words

SAMPLES = 20
"""Orders of the texts over which a number at a common length is averaged."""


def entropy(counts: Counts | Sequence[int]) -> float | None:
    """Shannon entropy of words that occur so often, in nats.

    0: one word over and over; ln V: each of V words as often as any other. Formula: -sum p ln p, with p the share of
    each word. Undefined, None: there is no word. Reference: Shannon (1948).

    >>> round(entropy([1, 1, 1, 1]), 4), entropy([7])
    (1.3863, 0.0)
    """
    given = np.asarray(counts, dtype=np.float64)
    given = given[given > 0]
    if not len(given):
        return None
    shares = given / given.sum()
    return abs(float((shares * np.log(shares)).sum()))


def in_bits(nats: float | None) -> float | None:
    """An entropy with the logarithm to base 2.

    >>> in_bits(entropy([1, 1, 1, 1]))
    2.0
    """
    return None if nats is None else nats / math.log(2)


def type_token_ratio(n_types: int, n_words: int) -> float | None:
    """Share of different words among all.

    1: no word occurs twice; near 0: few words, over and over. Formula: V / N. Undefined, None: there is no word.

    >>> type_token_ratio(3, 4)
    0.75
    """
    return n_types / n_words if n_words else None


@dataclass(frozen=True, slots=True)
class AtLength:
    """What is worth comparing between wordings of different size: both numbers over equally many words."""

    n_words: int
    entropy: float
    ratio: float


@dataclass(frozen=True, eq=False)
class Wording:
    """The words of several texts, in their order."""

    types: Counts
    """The number of each word's type, from 0."""
    starts: Counts
    """Where each text begins; one more than there are texts."""

    @classmethod
    def of(cls, texts: Iterable[str]) -> Wording:
        """Cut into words as for searching.

        >>> Wording.of(["the tea", "The cup"]).counts.tolist()
        [2, 1, 1]
        """
        numbers: dict[str, int] = {}
        types: list[int] = []
        starts = [0]
        for text in texts:
            types += [numbers.setdefault(word, len(numbers)) for word in words(text)]
            starts.append(len(types))
        return cls(np.array(types, dtype=np.int64), np.array(starts, dtype=np.int64))

    @property
    def n_words(self) -> int:
        return len(self.types)

    @cached_property
    def counts(self) -> Counts:
        """How often each type occurs."""
        return np.bincount(self.types).astype(np.int64)

    @property
    def n_types(self) -> int:
        return int(np.count_nonzero(self.counts))

    @property
    def lengths(self) -> Counts:
        """Words of each text."""
        return np.diff(self.starts)

    def at_length(self, n: int, *, seed: int, samples: int = SAMPLES) -> AtLength:
        """Entropy and type-token ratio of its first `n` words, averaged over orders of its texts. It has as many.

        Both numbers depend on how much is read: a longer text repeats more of its words, and knows more of them.
        """
        if not 0 < n <= self.n_words:
            raise ValueError(f"{n} of {self.n_words} words")
        if n == self.n_words:
            samples = 1
        random = np.random.default_rng(seed)
        found = np.array([self._first(n, random) for _ in range(samples)])
        nats, ratio = map(float, found.mean(axis=0))
        return AtLength(n, nats, ratio)

    def _first(self, n: int, random: np.random.Generator) -> tuple[float, float]:
        order = random.permutation(len(self.starts) - 1)
        n_texts = int(np.searchsorted(np.cumsum(self.lengths[order]), n)) + 1
        read = [self.types[self.starts[text] : self.starts[text + 1]] for text in order[:n_texts]]
        counts = np.bincount(np.concatenate(read)[:n])
        return entropy(counts) or 0.0, np.count_nonzero(counts) / n
