"""Which entries of two long lists belong together: exact where that is quick, by landmarks where it is not."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

Entry = TypeVar("Entry", bound=Hashable)
Pairs = list[tuple[int, int]]

MOST_EXACT = 30_000_000
"""Pairs of entries that are compared one by one; a longer stretch without a landmark counts as replaced."""


def aligned(first: Sequence[Entry], second: Sequence[Entry], is_landmark: Callable[[Entry], bool]) -> Pairs:
    """Places of equal entries in both lists, ascending in both.

    What begins and ends alike is paired first, then landmarks: entries that stand once in either list, as terms of a
    query do. Between them as many entries as possible are paired.

    >>> aligned("abcd", "xbcy", str.isalpha)
    [(1, 1), (2, 2)]
    """
    head, tail = _common_ends(first, second)
    ends = (len(first) - tail, len(second) - tail)
    pairs = [(i, i) for i in range(head)]
    at, to = head, head
    for i, j in [*_landmarks(first, second, (head, head), ends, is_landmark), ends]:
        pairs += [(at + x, to + y) for x, y in _between(first[at:i], second[to:j])]
        if (i, j) != ends:
            pairs.append((i, j))
        at, to = i + 1, j + 1
    return pairs + [(ends[0] + k, ends[1] + k) for k in range(tail)]


def _common_ends(first: Sequence[Entry], second: Sequence[Entry]) -> tuple[int, int]:
    most = min(len(first), len(second))
    head = next((i for i in range(most) if first[i] != second[i]), most)
    most -= head
    tail = next((i for i in range(most) if first[-1 - i] != second[-1 - i]), most)
    return head, tail


def _landmarks(
    first: Sequence[Entry],
    second: Sequence[Entry],
    start: tuple[int, int],
    end: tuple[int, int],
    is_landmark: Callable[[Entry], bool],
) -> Pairs:
    """Entries that stand once in either stretch, in the longest run that ascends in both."""
    here, there = first[start[0] : end[0]], second[start[1] : end[1]]
    n_here, n_there = Counter(here), Counter(there)
    place = {entry: j for j, entry in enumerate(there)}
    once = [
        (start[0] + i, start[1] + place[entry])
        for i, entry in enumerate(here)
        if n_here[entry] == 1 and n_there[entry] == 1 and is_landmark(entry)
    ]
    return _longest_ascending(once)


def _longest_ascending(pairs: Pairs) -> Pairs:
    """Patience sorting: the longest run of pairs whose second places ascend as the first ones do."""
    tops: list[int] = []
    holders: list[int] = []
    before: list[int] = []
    for at, (_, j) in enumerate(pairs):
        pile = bisect_left(tops, j)
        before.append(holders[pile - 1] if pile else -1)
        tops[pile : pile + 1] = [j]
        holders[pile : pile + 1] = [at]
    run: Pairs = []
    at = holders[-1] if holders else -1
    while at >= 0:
        run.append(pairs[at])
        at = before[at]
    return run[::-1]


def _between(first: Sequence[Entry], second: Sequence[Entry]) -> Pairs:
    """As many pairs as there can be; none if that would take too long."""
    head, tail = _common_ends(first, second)
    here, there = first[head : len(first) - tail], second[head : len(second) - tail]
    middle = _most_pairs(here, there) if len(here) * len(there) <= MOST_EXACT else []
    pairs = [(i, i) for i in range(head)] + [(head + i, head + j) for i, j in middle]
    return pairs + [(len(first) - tail + k, len(second) - tail + k) for k in range(tail)]


def _most_pairs(first: Sequence[Entry], second: Sequence[Entry]) -> Pairs:
    """A longest common subsequence, a row of the table at a time as the bits of one number (Hyyrö 2004)."""
    if not first or not second:
        return []
    places: dict[Entry, int] = {}
    for i, entry in enumerate(first):
        places[entry] = places.get(entry, 0) | 1 << i
    full = (1 << len(first)) - 1
    row, rows = full, []
    for entry in second:
        matches = row & places.get(entry, 0)
        row = ((row + matches) | (row - matches)) & full
        rows.append(row)
    return _read_back(rows, len(first))


def _read_back(rows: Sequence[int], n: int) -> Pairs:
    """A clear bit says that the longest subsequence grew there; from the end back that names its pairs."""
    pairs: Pairs = []
    i, j = n, len(rows)
    while i and j:
        if rows[j - 1] >> (i - 1) & 1:
            i -= 1
        elif j > 1 and not rows[j - 2] >> (i - 1) & 1:
            j -= 1
        else:
            i, j = i - 1, j - 1
            pairs.append((i, j))
    return pairs[::-1]
