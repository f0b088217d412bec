"""Weighted draws that are quick when many are made."""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Iterable


class Urn:
    """Numbers from 0, each with a weight."""

    def __init__(self, weights: Iterable[float] = ()) -> None:
        self._sums: list[float] = []
        for weight in weights:
            self.add(weight)

    def add(self, weight: float) -> None:
        """One more number."""
        self._sums.append(weight + (self._sums[-1] if self._sums else 0.0))

    def draw(self, rng: random.Random) -> int:
        """One of them, which stays in. Only rng.random() is used: its sequence is the same in every Python version."""
        found = bisect_right(self._sums, rng.random() * self._sums[-1])
        return min(found, len(self._sums) - 1)
