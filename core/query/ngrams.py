"""Words and short phrases as numbers, counted by publication over a whole corpus at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.query.texts import Texts

Numbers = npt.NDArray[np.int64]
BITS_PER_WORD = 21
"""Three words fit into one number if the vocabulary has no more than two million words."""
LONGEST = 3


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


def n_publications_with(texts: Texts, wanted: Numbers, n: int) -> Numbers:
    """In how many publications of the corpus each of these runs of n words occurs; they are ascending."""
    if not len(wanted):
        return np.zeros(0, dtype=np.int64)
    mask = (1 << BITS_PER_WORD) - 1
    starts: Numbers | None = None
    for i in range(n):  # what cannot be a wanted run is left out word by word
        known = np.zeros(len(texts.vocabulary), dtype=np.bool_)
        known[(wanted >> (BITS_PER_WORD * (n - 1 - i))) & mask] = True
        if starts is None:
            starts = np.flatnonzero(known[texts.tokens[: len(texts.tokens) - (n - 1)]]).astype(np.int64)
        else:
            starts = starts[known[texts.tokens[starts + i]]]
    assert starts is not None
    runs = packed(texts, starts, n)
    place = np.minimum(np.searchsorted(wanted, runs), len(wanted) - 1)
    is_wanted = wanted[place] == runs
    starts, place = starts[is_wanted], place[is_wanted]
    part = np.searchsorted(texts.starts, starts, side="right") - 1
    inside = (starts + n <= texts.starts[part + 1]) & _unbroken(texts, starts, n)
    pairs = np.unique(part[inside] // len(texts.fields) * len(wanted) + place[inside])
    return np.bincount(pairs % len(wanted), minlength=len(wanted)).astype(np.int64)
