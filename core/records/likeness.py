"""How much two titles are alike: the same but for a slip, or the one with a subtitle that the other lacks."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.records.identity import WORDS_ENOUGH
from core.text import words

MOST_COMPARED = 1_000
"""Letters of a title that are compared; longer ones are no titles."""

_PARTS = re.compile(r"[:.?!;]\s|\s[–—-]+\s|[–—]")
_NUMERAL = re.compile(r"\d+|[a-z]*\d\w*|[ivx]+|one|two|three|four|five|six|first|second|third|fourth")
_ABOUT_ANOTHER = frozenset(
    words("reply response comment comments commentary correction corrigendum erratum retraction retracted rejoinder")
)
"""Words that make of a title that of another publication, which is about the first."""
_YEAR = re.compile(r"(?:19|20)\d\d")


@dataclass(frozen=True, slots=True)
class Title:
    """A title made ready to be compared."""

    key: str
    words: tuple[str, ...]
    n_main: int
    """Words before the subtitle; all of them if there is none."""

    @classmethod
    def of(cls, title: str) -> Title:
        """A title made ready."""
        title = title[: 4 * MOST_COMPARED]
        cut = tuple(words(title))
        main = 0
        for part in _PARTS.split(title):
            main += len(words(part))
            if main >= WORDS_ENOUGH:
                break
        return cls("".join(cut)[:MOST_COMPARED], cut, main)

    @property
    def main_key(self) -> str:
        """Its key without the subtitle."""
        return "".join(self.words[: self.n_main])


@dataclass(frozen=True, slots=True)
class Compared:
    """What came of comparing two titles."""

    likeness: float
    """0: not alike; 1: the same."""
    why: str = ""
    other_word: bool = False
    """Whether a word stands for quite another one."""


def compared(one: Title, other: Title) -> Compared:
    """How much two titles are alike. Titles with other numbers ("Part I", "Part II") are not.

    >>> compared(Title.of("Wildfire smoke and asthma"), Title.of("Wildfires smoke and asthma")).why
    'titles differ in “wildfire” and “wildfires”'
    >>> compared(Title.of("On fire and soil: part I"), Title.of("On fire and soil: part II")).likeness
    0.0
    """
    if one.key == other.key:
        return Compared(1.0, "the same title")
    if _ABOUT_ANOTHER & (set(one.words) ^ set(other.words)):
        return Compared(0.0)
    protocol = 0.85 if "protocol" in set(one.words) ^ set(other.words) else 1.0
    short, long = sorted((one, other), key=lambda title: (len(title.key), title.key))
    if short.key == long.main_key:
        rest = long.words[long.n_main :]
        if any(_NUMERAL.fullmatch(word) and not _YEAR.fullmatch(word) for word in rest):
            return Compared(0.0)
        return Compared(0.92 * protocol, f"one title goes on with “{_shown(rest)}”")
    if numerals(one.words) != numerals(other.words):
        return Compared(0.0)
    n = len(long.key)
    distance = edits(one.key, other.key, most=n * 3 // 20)
    if distance is None:
        return Compared(0.0)
    mine, theirs = _differing(one.words, other.words)
    other_word = not _slip("".join(mine), "".join(theirs))
    likeness = (1 - distance / n) * (0.9 if other_word else 1) * protocol
    return Compared(likeness, _difference(mine, theirs), other_word)


def numerals(title_words: tuple[str, ...]) -> list[str]:
    """Digits, Roman numerals and numbers in words, in their order."""
    return [word for word in title_words if _NUMERAL.fullmatch(word)]


def edits(one: str, other: str, *, most: int) -> int | None:
    """Letters to add, drop or change to make one text of the other; None: more than `most`.

    >>> edits("wildfire", "wildfires", most=2), edits("abc", "xyz", most=2)
    (1, None)
    """
    one, other = _ends_off(one, other)
    if abs(len(one) - len(other)) > most:
        return None
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, start=1):
        low, high = max(1, i - most), min(len(other), i + most)
        left = i if low == 1 else most + 1
        diagonal, row[low - 1] = row[low - 1], left
        for j in range(low, high + 1):
            above = row[j] if j < i + most else most + 1
            left = min(left + 1, above + 1, diagonal + (letter != other[j - 1]))
            diagonal, row[j] = row[j], left
        if min(row[low - 1 : high + 1]) > most:
            return None
    return row[len(other)] if row[len(other)] <= most else None


def _ends_off(one: str, other: str) -> tuple[str, str]:
    """Two texts without the beginning and the end that they share."""
    shorter = min(len(one), len(other))
    start = next((i for i in range(shorter) if one[i] != other[i]), shorter)
    one, other = one[start:], other[start:]
    shorter -= start
    end = next((i for i in range(shorter) if one[-1 - i] != other[-1 - i]), shorter)
    return one[: len(one) - end], other[: len(other) - end]


def _differing(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    shorter = min(len(one), len(other))
    start = next((i for i in range(shorter) if one[i] != other[i]), shorter)
    end = next((i for i in range(shorter - start) if one[-1 - i] != other[-1 - i]), shorter - start)
    return one[start : len(one) - end], other[start : len(other) - end]


def _slip(mine: str, theirs: str) -> bool:
    """Whether a difference is one of spelling: a letter or two, or an ending."""
    return edits(mine, theirs, most=min(3, max(len(mine), len(theirs)) // 3)) is not None


def _difference(mine: tuple[str, ...], theirs: tuple[str, ...]) -> str:
    if mine and theirs:
        return f"titles differ in “{_shown(mine)}” and “{_shown(theirs)}”"
    return f"one title has “{_shown(mine or theirs)}” more"


def _shown(some: tuple[str, ...]) -> str:
    return " ".join(some[:8]) + (" …" if len(some) > 8 else "")
