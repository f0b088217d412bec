"""Asking no more often than a service allows, however many ask."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock

from core.errors import SettingsError

FASTEST = 1_000_000.0
"""Requests a minute, above which a limit is none."""


@dataclass(eq=False)
class Limiter:
    """Lets requests go at even distances. One is shared by all who ask; time that nobody used is not made up for."""

    per_minute: float
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    _next: float = field(default=float("-inf"), repr=False)
    """When the next request may go."""
    _lock: Lock = field(default_factory=Lock, repr=False)

    def __post_init__(self) -> None:
        if not 0 < self.per_minute <= FASTEST:
            raise SettingsError(
                f"requests per minute must be above 0 and at most {FASTEST:,.0f}, got {self.per_minute:g}"
            )

    def wait(self) -> None:
        """Come back when it is one's turn. Turns are given in the order in which they are asked for."""
        with self._lock:
            now = self.clock()
            turn = max(now, self._next)
            self._next = turn + 60.0 / self.per_minute
        if turn > now:
            self.sleep(turn - now)
