"""Which of many titles are worth comparing letter by letter: those that share something that few others have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from zlib import crc32

import numpy as np
import numpy.typing as npt

from core.records.likeness import Title
from core.types import Mask

Rows = npt.NDArray[np.int64]

MOST_WORDS = 40
"""Words of a title that are looked at one by one."""
NEIGHBOURS = 8
"""In how many titles of the same kind a title finds candidates, the nearest in alphabetical order."""
RARE_WORDS = 4


def candidate_pairs(titles: Sequence[Title], chosen: Mask | None = None) -> Iterator[tuple[int, int]]:
    """Pairs of rows that may be alike, each once; with `chosen`, those of which at least one row is marked."""
    rows, marks = _marks(titles)
    pairs = _neighbours(titles, rows, marks)
    if chosen is not None:
        pairs = pairs[chosen[pairs[:, 0]] | chosen[pairs[:, 1]]]
    lengths = np.array([len(title.key) for title in titles], dtype=np.int64)
    mains = np.array([len(title.main_key) for title in titles], dtype=np.int64)
    letters = _letters(titles)
    for begin in range(0, len(pairs), 200_000):
        part = pairs[begin : begin + 200_000]
        one, other = part[:, 0], part[:, 1]
        apart = np.abs(letters[one] - letters[other]).sum(axis=1)
        longer = np.maximum(lengths[one], lengths[other])
        subtitle = (lengths[one] == mains[other]) | (lengths[other] == mains[one])
        for i, j in part[(apart <= 2 * (longer * 3 // 20)) | subtitle]:
            yield int(i), int(j)


def _marks(titles: Sequence[Title]) -> tuple[Rows, Rows]:
    """What a title has that one like it has too: itself, without one word, without its subtitle, two rare words."""
    frequency = Counter(word for title in titles for word in set(title.words))
    rows: list[int] = []
    marks: list[int] = []
    for row, title in enumerate(titles):
        if not title.key:
            continue
        found = set(_hashes(title))
        rare = sorted({word for word in title.words if frequency[word] > 1}, key=lambda word: (frequency[word], word))
        found.update(crc32(" ".join(pair).encode()) for pair in combinations(sorted(rare[:RARE_WORDS]), 2))
        rows.extend([row] * len(found))
        marks.extend(found)
    return np.array(rows, dtype=np.int64), np.array(marks, dtype=np.int64)


def _hashes(title: Title) -> Iterator[int]:
    parts = [word.encode() for word in title.words[:MOST_WORDS]]
    rest = "".join(title.words[MOST_WORDS:]).encode()
    key = b"".join(parts) + rest
    yield crc32(key)
    yield crc32(title.main_key.encode())
    before, start = 0, 0
    for part in parts:
        yield crc32(key[start + len(part) :], before)
        before, start = crc32(part, before), start + len(part)


def _neighbours(titles: Sequence[Title], rows: Rows, marks: Rows) -> Rows:
    """Rows that share a mark; where many do, each with those next to it in the alphabet."""
    alphabetical = np.empty(len(titles), dtype=np.int64)
    alphabetical[sorted(range(len(titles)), key=lambda row: titles[row].key)] = np.arange(len(titles))
    order = np.lexsort((alphabetical[rows], marks)) if len(rows) else np.empty(0, dtype=np.int64)
    rows, marks = rows[order], marks[order]
    found = []
    for step in range(1, NEIGHBOURS + 1):
        shared = marks[step:] == marks[:-step]
        found.append(np.stack([rows[:-step][shared], rows[step:][shared]], axis=1))
    pairs = np.sort(np.concatenate(found), axis=1) if len(rows) else np.empty((0, 2), dtype=np.int64)
    return np.unique(pairs, axis=0)


def _letters(titles: Sequence[Title]) -> npt.NDArray[np.int16]:
    """How often each title has each letter; those beyond a to z and digits fall together by 38."""
    counts = np.zeros((len(titles), 38), dtype=np.int16)
    for row, title in enumerate(titles):
        codes = np.frombuffer(title.key.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
        counts[row] = np.bincount(codes % 38, minlength=38)
    return counts
