"""Words and short phrases as numbers, counted by publication over a whole corpus at once."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from core.query.matching.texts import Texts

Numbers = npt.NDArray[np.int64]
BITS_PER_WORD = 21
"""Three words fit into one number if the vocabulary has no more than two million words."""
LONGEST = 3
ROWS_AT_ONCE = 250
"""Not more than a byte can count."""


@dataclass(frozen=True, eq=False)
class Runs:
    """Where runs of n words begin that lie in one field."""

    n: int
    starts: Numbers
    """Places in `Texts.tokens`."""
    rows: Numbers
    """The publication of each."""


def packed(texts: Texts, starts: Numbers, n: int) -> Numbers:
    """The n words from each place on, as one number."""
    out = texts.tokens[starts].astype(np.int64)
    for i in range(1, n):
        out = (out << BITS_PER_WORD) | texts.tokens[starts + i]
    return out


def unpacked(number: int, n: int) -> tuple[int, ...]:
    """The numbers of the words.

    >>> unpacked((5 << BITS_PER_WORD) | 7, 2)
    (5, 7)
    """
    mask = (1 << BITS_PER_WORD) - 1
    return tuple((number >> (BITS_PER_WORD * i)) & mask for i in range(n - 1, -1, -1))


def runs_in(texts: Texts, rows: npt.NDArray[np.integer], n: int, fields: tuple[str, ...] | None = None) -> Runs:
    """All runs of n words in some fields of some publications; None: in every field."""
    chosen = [texts.fields.index(f) for f in (texts.fields if fields is None else fields) if f in texts.fields]
    parts = (rows.astype(np.int64)[:, None] * len(texts.fields) + np.array(chosen, dtype=np.int64)).ravel()
    first, lengths = texts.starts[parts], np.maximum(np.diff(texts.starts)[parts] - (n - 1), 0)
    before = np.cumsum(lengths) - lengths
    starts = np.arange(int(lengths.sum()), dtype=np.int64) + np.repeat(first - before, lengths)
    whole = _unbroken(texts, starts, n)
    return Runs(n, starts[whole], np.repeat(parts // len(texts.fields), lengths)[whole])


def _unbroken(texts: Texts, starts: Numbers, n: int) -> npt.NDArray[np.bool_]:
    """Which runs do not reach from one keyword into the next."""
    if n == 1 or not len(texts.breaks):
        return np.ones(len(starts), dtype=np.bool_)
    first, last = (np.searchsorted(texts.breaks, starts + i, side="right") for i in (0, n - 1))
    return np.equal(first, last)


def counted(runs: Numbers, rows: Numbers) -> tuple[Numbers, Numbers]:
    """Distinct runs, ascending, and in how many publications each occurs."""
    order = np.lexsort((rows, runs))
    runs, rows = runs[order], rows[order]
    new_run = np.concatenate(([True], runs[1:] != runs[:-1]))[: len(runs)]
    new_pair = new_run | np.concatenate(([True], rows[1:] != rows[:-1]))[: len(runs)]
    at = np.flatnonzero(new_run)
    n_publications = np.add.reduceat(new_pair.astype(np.int64), at) if len(at) else np.zeros(0, dtype=np.int64)
    return runs[at], n_publications


@dataclass(frozen=True, eq=False)
class Stretches:
    """Runs of words that no phrase leaves: a field, or one of several keywords."""

    of_token: npt.NDArray[np.int32]
    """The stretch of every word of the corpus."""
    rows: npt.NDArray[np.int32]
    """The publication of every stretch."""

    @classmethod
    def of(cls, texts: Texts) -> Stretches:
        """All stretches of a corpus."""
        bounds = np.sort(np.concatenate([texts.starts, texts.breaks]))
        rows = (np.searchsorted(texts.starts, bounds[:-1], side="right") - 1) // len(texts.fields)
        of_token = np.repeat(np.arange(len(bounds) - 1, dtype=np.int32), np.diff(bounds))
        return cls(of_token, rows.astype(np.int32))


def n_publications_with(texts: Texts, stretches: Stretches, wanted: Numbers, n: int) -> Numbers:
    """In how many publications of the corpus each of these runs of n words occurs; no run is there twice."""
    if not len(wanted):
        return np.zeros(0, dtype=np.int64)
    starts, place = _found(texts, wanted, n)
    stretch = stretches.of_token[starts]
    if n > 1:
        whole = stretch == stretches.of_token[starts + (n - 1)]
        stretch, place = stretch[whole], place[whole]
    return _n_rows_with(stretches.rows[stretch], place, len(wanted))


def _found(texts: Texts, wanted: Numbers, n: int) -> tuple[Numbers, npt.NDArray[np.int32]]:
    """Where wanted runs begin, and which they are; word after word, what can't become one is dropped."""
    starts = np.zeros(0, dtype=np.int64)
    ids = np.zeros(0, dtype=np.int32)
    of_wanted = np.zeros(len(wanted), dtype=np.int64)
    for i in range(n):
        words = (wanted >> (BITS_PER_WORD * (n - 1 - i))) & ((1 << BITS_PER_WORD) - 1)
        different = np.array(sorted(set(words.tolist())), dtype=np.int64)
        column_of = np.full(len(texts.vocabulary), len(different), dtype=np.int32)
        column_of[different] = np.arange(len(different), dtype=np.int32)
        begun = of_wanted * len(different) + column_of[words]
        known = np.array(sorted(set(begun.tolist())), dtype=np.int64)
        next_id = np.full((int(of_wanted.max()) + 1, len(different) + 1), -1, dtype=np.int32)
        next_id[known // len(different), known % len(different)] = np.arange(len(known), dtype=np.int32)
        if i:
            ids = next_id[ids, column_of[texts.tokens[starts + i]]]
            starts, ids = starts[ids >= 0], ids[ids >= 0]
        else:
            columns = column_of[texts.tokens[: max(len(texts.tokens) - (n - 1), 0)]]
            starts = np.flatnonzero(columns < len(different)).astype(np.int64)
            ids = columns[starts]
        of_wanted = np.searchsorted(known, begun)
    place_of = np.zeros(len(wanted), dtype=np.int32)
    place_of[of_wanted] = np.arange(len(wanted), dtype=np.int32)
    return starts, place_of[ids]


def _n_rows_with(rows: npt.NDArray[np.int32], place: npt.NDArray[np.int32], n_places: int) -> Numbers:
    """In how many rows each place occurs; rows ascend. Some rows at a time are ticked off in a table."""
    total = np.zeros(n_places, dtype=np.int64)
    table = np.zeros((ROWS_AT_ONCE, n_places), dtype=np.uint8)
    last = int(rows[-1]) if len(rows) else -1
    cuts = np.searchsorted(rows, np.arange(0, last + 1 + ROWS_AT_ONCE, ROWS_AT_ONCE))
    for low, high in pairwise(cuts.tolist()):
        table[:] = 0
        table[rows[low:high] % ROWS_AT_ONCE, place[low:high]] = 1
        total += table.sum(axis=0, dtype=np.uint8)
    return total
