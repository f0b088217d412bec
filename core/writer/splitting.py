"""Which core publications are held out, so that a string can be tried on some that nobody who wrote it knew."""

from __future__ import annotations

import numpy as np

from core.types import Ids
from core.writer.types import Split

FEWEST = 6
"""Core publications from which half of them are held out: a region wants some on either side."""


def split(core_ids: Ids, *, seed: int, hold_out: bool = True) -> Split:
    """Two halves by chance, the same for the same seed whatever the order; the used one has one more if it is odd.

    >>> split(("a", "b", "c"), seed=0)
    Split(used=('a', 'b', 'c'), held_out=())
    """
    if not hold_out or len(core_ids) < FEWEST:
        return Split(core_ids, ())
    mixed = np.random.default_rng(seed).permutation(sorted(core_ids))
    used = set(mixed[: -(-len(core_ids) // 2)].tolist())
    return Split(tuple(i for i in core_ids if i in used), tuple(i for i in core_ids if i not in used))
