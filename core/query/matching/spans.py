"""Runs of words as places of their first word and past their last; the words of different fields are far apart."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Places = npt.NDArray[np.int64]
APART = 2**31
"""Between the places of two fields: more than any distance."""
FARTHEST = 2**30
"""A longer distance asks for no more."""
MOST_PAIRS = 2_000_000
"""Pairs that are written out at once."""


@dataclass(frozen=True, eq=False)
class Spans:
    """Runs of words, by their first word."""

    starts: Places
    ends: Places

    @classmethod
    def none(cls) -> Spans:
        """Not a single one."""
        return cls(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))

    def __len__(self) -> int:
        return len(self.starts)


def together(found: list[Spans]) -> Spans:
    """All of them, each once, by their places."""
    starts = np.concatenate([spans.starts for spans in found])
    ends = np.concatenate([spans.ends for spans in found])
    order = np.lexsort((ends, starts))
    starts, ends = starts[order], ends[order]
    new = np.ones(len(starts), dtype=np.bool_)
    new[1:] = (starts[1:] != starts[:-1]) | (ends[1:] != ends[:-1])
    return Spans(starts[new], ends[new])


def joined(a: Spans, b: Spans, distance: int, *, ordered: bool) -> Spans:
    """From the beginning of one to the end of the other, wherever one of each are near."""
    found = _followed(a, b, distance)
    return found if ordered else together([found, _followed(b, a, distance)])


def near_another(a: Spans, b: Spans, distance: int, *, ordered: bool) -> Places:
    """Where a first one of a pair begins. Not all pairs are written out, which is quicker than `joined`."""
    first = _with_follower(a, b, distance)
    return first if ordered else np.concatenate([first, _with_follower(b, a, distance)])


def _with_follower(a: Spans, b: Spans, distance: int) -> Places:
    starts = np.append(b.starts, np.iinfo(np.int64).max)
    return a.starts[starts[np.searchsorted(starts, a.ends)] - a.ends <= min(distance, FARTHEST)]


def _followed(a: Spans, b: Spans, distance: int) -> Spans:
    """An a, at most so many other words, then a b."""
    low = np.searchsorted(b.starts, a.ends)
    high = np.searchsorted(b.starts, a.ends + min(distance, FARTHEST), side="right")
    counts = np.maximum(high - low, 0)
    found = [Spans.none()]
    parts = np.cumsum(counts) // MOST_PAIRS
    cuts = np.flatnonzero(np.diff(parts)) + 1
    for which in np.split(np.arange(len(a)), cuts):
        n = counts[which]
        before = np.cumsum(n) - n
        pairs = np.arange(n.sum()) + np.repeat(low[which] - before, n)
        found.append(together([Spans(np.repeat(a.starts[which], n), b.ends[pairs])]))
    return found[1] if len(found) == 2 else together(found)


def within_one_window(found: list[Spans], distance: int, *, ordered: bool) -> Spans:
    """From the first to the last of one occurrence of each, all apart, with at most so many other words between."""
    if any(not len(spans) for spans in found):
        return Spans.none()
    distance = min(distance, FARTHEST)
    reach = min(distance + sum(int((spans.ends - spans.starts).max()) for spans in found), FARTHEST)
    starts = np.concatenate([spans.starts for spans in found])
    ends = np.concatenate([spans.ends for spans in found])
    of_part = np.repeat(np.arange(len(found)), [len(spans) for spans in found])
    order = np.lexsort((of_part, ends, starts))
    starts, ends, of_part = starts[order], ends[order], of_part[order]
    windows: set[tuple[int, int]] = set()
    past = np.searchsorted(starts, starts + reach, side="right")
    full = np.ones(len(starts), dtype=np.bool_)
    for part in range(len(found)):  # a window without one of the parts is not looked into
        seen = np.concatenate(([0], np.cumsum(of_part == part)))
        full &= seen[past] > seen[:-1]
    if ordered:
        full &= of_part == 0
    for i in np.flatnonzero(full).tolist():
        inside = slice(i, int(past[i]))
        windows |= _windows(
            list(zip(starts[inside].tolist(), ends[inside].tolist(), of_part[inside].tolist(), strict=True)),
            len(found),
            distance,
            ordered=ordered,
        )
    places = np.array(sorted(windows), dtype=np.int64).reshape(-1, 2)
    return Spans(places[:, 0], places[:, 1])


def _windows(
    occurrences: list[tuple[int, int, int]], n_parts: int, distance: int, *, ordered: bool
) -> set[tuple[int, int]]:
    """Windows that begin with the first of the occurrences (start, end, part), which come by their start.

    Parts that have their place are bits of a number. For each such number and end of the last of them it is enough
    to know how many words they took at most.
    """
    start, end, part = occurrences[0]
    reached: dict[int, dict[int, int]] = {1 << part: {end: end - start}}
    everything = (1 << n_parts) - 1
    windows = {(start, end)} if 1 << part == everything else set()
    for s, e, p in occurrences[1:]:
        for placed, ends in list(reached.items()):
            if placed >> p & 1 or (ordered and placed != (1 << p) - 1):
                continue
            taken = max((words for before, words in ends.items() if before <= s), default=0)
            if not taken or e - start - taken - (e - s) > distance:
                continue
            now = placed | 1 << p
            here = reached.setdefault(now, {})
            here[e] = max(here.get(e, 0), taken + e - s)
            if now == everything:
                windows.add((start, e))
    return windows
