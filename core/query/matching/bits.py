"""Sets of publications as bits, one per row of a corpus, so that combining and counting them costs microseconds."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from core.types import Mask

Bits = npt.NDArray[np.uint64]
"""Row r is bit r % 64 of word r // 64; bits beyond the last row are 0."""


def n_words(n: int) -> int:
    """How many 64-bit words hold n rows."""
    return -(-n // 64)


def none_of(n: int) -> Bits:
    """The empty set."""
    return np.zeros(n_words(n), dtype=np.uint64)


def all_of(n: int) -> Bits:
    """Every row."""
    return of_mask(np.ones(n, dtype=np.bool_))


def of_mask(mask: Mask) -> Bits:
    """The rows where the mask holds.

    >>> rows_of(of_mask(np.array([True, False, True]))).tolist()
    [0, 2]
    """
    packed = np.zeros(n_words(len(mask)) * 8, dtype=np.uint8)
    packed[: -(-len(mask) // 8)] = np.packbits(mask, bitorder="little")
    return packed.view(np.uint64)


def of_rows(rows: Iterable[int] | npt.NDArray[np.integer], n: int) -> Bits:
    """These rows out of n."""
    mask = np.zeros(n, dtype=np.bool_)
    mask[np.fromiter(rows, dtype=np.intp) if not isinstance(rows, np.ndarray) else rows] = True
    return of_mask(mask)


def mask_of(bits: Bits, n: int) -> Mask:
    """One Boolean for each of n rows."""
    return np.unpackbits(bits.view(np.uint8), count=n, bitorder="little").astype(np.bool_)


def rows_of(bits: Bits) -> npt.NDArray[np.intp]:
    """The rows in the set, ascending."""
    return np.flatnonzero(np.unpackbits(bits.view(np.uint8), bitorder="little"))


def count(bits: Bits) -> int:
    """How many rows are in the set."""
    return int(np.bitwise_count(bits).sum(dtype=np.int64))


def holds(bits: Bits, row: int) -> bool:
    """Whether one row is in the set."""
    return bool((int(bits[row // 64]) >> (row % 64)) & 1)
