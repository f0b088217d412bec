"""Which words of a vocabulary a word of a query stands for.

Wildcards are matched from left to right over all places at once, so that the time grows with the length of the pattern
and never explodes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.query.matching.texts import Texts
from core.query.tree import Gap, Pieces, Word

Numbers = npt.NDArray[np.int32]
"""Words of a vocabulary, ascending."""
NO_WORDS: Numbers = np.zeros(0, dtype=np.int32)


def matches(pieces: Pieces, word: str) -> bool:
    """Whether a word fits the pattern, from its first letter to its last.

    >>> [matches(("colo", Gap(0, 1), "r", Gap(0, None)), word) for word in ("color", "colours", "colouur")]
    [True, True, False]
    """
    places = 1  # bit i: what was read so far may end before letter i
    for piece in pieces:
        places = _after_gap(piece, places, len(word)) if isinstance(piece, Gap) else _after(piece, places, word)
        if not places:
            return False
    return bool(places >> len(word) & 1)


def _after(letters: str, places: int, word: str) -> int:
    found, at = 0, word.find(letters)
    while at >= 0:
        found |= 1 << at
        at = word.find(letters, at + 1)
    return (places & found) << len(letters)


def _after_gap(gap: Gap, places: int, length: int) -> int:
    if gap.least > length:
        return 0
    whole = (1 << length + 1) - 1
    reached = places << gap.least & whole
    more = length if gap.most is None else min(gap.most - gap.least, length)
    if more < 0:
        return 0
    step = 1
    while more > 0:  # doubling: 1, 2, 4 … letters more
        step = min(step, more)
        reached |= reached << step & whole
        more -= step
        step *= 2
    return reached


def numbers_of(word: Word, texts: Texts) -> Numbers | None:
    """Words of the texts that a word stands for as it is written. None: any, because it is all wildcards."""
    pieces = word.pieces
    letters = [piece for piece in pieces if isinstance(piece, str)]
    if not letters:
        return None
    if word.is_plain:
        number = texts.number_of.get("".join(letters))
        return NO_WORDS if number is None else np.array([number], dtype=np.int32)
    candidates = texts.with_beginning(letters[0]) if isinstance(pieces[0], str) else range(len(texts.vocabulary))
    if word.is_stem:
        return np.arange(candidates.start, candidates.stop, dtype=np.int32)
    return np.fromiter(_fitting(pieces, letters, texts.vocabulary, candidates), dtype=np.int32)


def _fitting(pieces: Pieces, letters: list[str], vocabulary: tuple[str, ...], candidates: range) -> Iterable[int]:
    longest, last = max(letters, key=len), pieces[-1]
    end = last if isinstance(last, str) else ""
    for i in candidates:
        word = vocabulary[i]
        if longest in word and word.endswith(end) and matches(pieces, word):
            yield i


@dataclass(frozen=True, eq=False)
class Lexicon:
    """What the words of a query stand for in these texts."""

    texts: Texts
    stem_number: Callable[[str], int]
    """The stem of any word, as the texts number it; -1: none of their words has it."""

    def numbers(self, word: Word, *, stemmed: bool) -> Numbers | None:
        """Words with the same stem, or those that fit the wildcards. None: any word."""
        if not (stemmed and word.is_plain):
            return numbers_of(word, self.texts)
        stem = self.stem_number(str(word))
        return np.sort(self.texts.of_stem(stem)) if stem >= 0 else NO_WORDS
