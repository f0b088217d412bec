"""Medians and the line that a benchmark prints."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from typing import TypeVar

T = TypeVar("T")


def median_seconds(work: Callable[[], T], *, rounds: int) -> tuple[float, T]:
    """Median wall time, and what the last round gave."""
    seconds, result = [], None
    for _ in range(rounds):
        start = time.perf_counter()
        result = work()
        seconds.append(time.perf_counter() - start)
    assert result is not None
    return median(seconds), result


def report(what: str, ours: float, other: float, other_name: str) -> None:
    """One line: both times and their ratio, measured in this run."""
    print(f"\n{what}: {ours * 1e3:,.2f} ms; {other_name}: {other * 1e3:,.1f} ms; ratio {other / ours:,.1f}")
