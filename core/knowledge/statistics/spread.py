"""How whole numbers are spread: mean, quantiles, and bins that double."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Counts = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Spread:
    """Several whole numbers in six. Quantiles lie between two of the numbers where they must."""

    n: int
    """How many there are."""
    total: int
    mean: float
    least: int
    lower: float
    """A quarter is not above it."""
    median: float
    upper: float
    """A quarter is not below it."""
    most: int


@dataclass(frozen=True, slots=True)
class Bin:
    """How many numbers lie from `low` to `high`, both included."""

    low: int
    high: int
    n: int

    @property
    def label(self) -> str:
        return f"{self.low:,}" if self.low == self.high else f"{self.low:,} to {self.high:,}"


def spread_of(numbers: Counts | Sequence[int]) -> Spread | None:
    """Six numbers for many; None: there are none.

    >>> spread_of([1, 2, 3, 4])
    Spread(n=4, total=10, mean=2.5, least=1, lower=1.75, median=2.5, upper=3.25, most=4)
    """
    given = np.asarray(numbers, dtype=np.int64)
    if not len(given):
        return None
    lower, median, upper = map(float, np.quantile(given, (0.25, 0.5, 0.75)))
    total = int(given.sum())
    return Spread(len(given), total, total / len(given), int(given.min()), lower, median, upper, int(given.max()))


def doubling_bins(numbers: Counts | Sequence[int]) -> tuple[Bin, ...]:
    """Bins that are twice as wide each time: 0, 1, 2 to 3, 4 to 7 ..., up to the one with the largest number.

    Nothing is below 0.

    >>> [(bin.label, bin.n) for bin in doubling_bins([0, 1, 3, 5])]
    [('0', 1), ('1', 1), ('2 to 3', 1), ('4 to 7', 1)]
    """
    given = np.asarray(numbers, dtype=np.int64)
    if not len(given):
        return ()
    _, place = np.frexp(given.astype(np.float64))  # 0 -> 0, 1 -> 1, 2 and 3 -> 2, 4 to 7 -> 3
    found = np.bincount(place)
    edges = [(0, 0), *((2 ** (k - 1), 2**k - 1) for k in range(1, len(found)))]
    return tuple(Bin(low, high, int(n)) for (low, high), n in zip(edges, found, strict=True))
