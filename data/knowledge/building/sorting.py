"""Relations in order: three numbers in one, so that sorting them is sorting numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from core.knowledge.spans import Rows

Packed = npt.NDArray[np.uint64]
"""Relation (8 bits), one end (28 bits), other end (28 bits)."""
BITS = np.uint64(28)
_END = np.uint64(2**28 - 1)
_ENDS = np.uint64(2**56 - 1)
_BOTH = np.uint64(56)


def pack(relation: int, sources: Rows, targets: Rows) -> Packed:
    """Relations of one number."""
    return (np.uint64(relation) << _BOTH) | (sources.astype(np.uint64) << BITS) | targets.astype(np.uint64)


def unpacked(packed: Packed) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Relation, one end and the other."""
    ends = ((packed >> BITS) & _END).astype(np.int32), (packed & _END).astype(np.int32)
    return (packed >> _BOTH).astype(np.uint8), *ends


def forward_sorted(parts: Sequence[Packed]) -> Packed:
    """By relation, source and target, each once."""
    whole = np.concatenate([np.zeros(0, np.uint64), *parts])
    whole.sort()
    differs = np.ones(len(whole), dtype=bool)
    np.not_equal(whole[1:], whole[:-1], out=differs[1:])
    return whole[differs]


def reverse_sorted(forward: Packed) -> Packed:
    """The same by relation, target and source."""
    turned = np.bitwise_and(forward, _END) << BITS
    turned |= np.bitwise_and(forward >> BITS, _END)
    turned |= np.bitwise_and(forward, ~_ENDS)
    turned.sort()
    return turned
