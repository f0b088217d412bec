"""What is asked of each source on each day, and what it costs: one row a day, counted as requests go out."""

from __future__ import annotations

from dataclasses import dataclass

from data.clock import Clock, utc_now
from data.sources.types import Sent
from data.store import Store


@dataclass(frozen=True, slots=True)
class Day:
    """What one source was asked on one day."""

    n_calls: int = 0
    dollars: float = 0.0
    left_dollars: float | None = None
    """What the source last said is left of the day; None: it says no such thing."""


@dataclass(frozen=True, eq=False)
class Meter:
    """Counts requests in a store. Threads may share it. A day is one of UTC, as the sources count it."""

    store: Store
    clock: Clock = utc_now

    def note(self, source: str, sent: Sent, left_dollars: float | None = None) -> None:
        """One request went out. It counts for the day on which it did."""
        self.store.execute(
            """
            INSERT INTO live_calls VALUES ($source, $day, 1, $dollars, $left)
            ON CONFLICT (source, day) DO UPDATE SET
                n_calls = n_calls + 1,
                dollars = dollars + excluded.dollars,
                left_dollars = coalesce(excluded.left_dollars, left_dollars)
            """,
            {"source": source, "day": sent.at[:10], "dollars": sent.dollars, "left": left_dollars},
        )

    def today(self, source: str) -> Day:
        """What it was asked so far today."""
        found = self.store.rows(
            "SELECT n_calls, dollars, left_dollars FROM live_calls WHERE source = ? AND day = ?",
            [source, self.clock()[:10]],
        )
        return Day(*found[0]) if found else Day()
