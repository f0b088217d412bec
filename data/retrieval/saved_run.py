"""A run as it is kept: what one retriever answered, and how long it took."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from core.ranking.check import Run
from core.types import Floats

WHOLE = "all"
"""The stage that is the whole answer."""


class Latency(NamedTuple):
    """Milliseconds for a query."""

    p50: float
    """Half of the queries were faster."""
    p95: float
    """19 of 20 were."""


def latency(ms: Floats) -> Latency | None:
    """Over the queries that were timed; None: none was.

    >>> latency(np.array([1.0, np.nan, 3.0]))
    Latency(p50=2.0, p95=2.9)
    """
    timed = ms[np.isfinite(ms)]
    return Latency(*map(float, np.percentile(timed, [50, 95]))) if len(timed) else None


@dataclass(frozen=True, eq=False)
class SavedRun:
    """What one retriever answered, and how long it took."""

    run_id: str
    """Names the documents, the queries, the retriever with its settings, and the depth."""
    collection: str
    split: str | None
    spec_text: str
    """As `read_spec` reads it; empty for a run from a file."""
    label: str
    run: Run
    """Of the queries that are done."""
    n_queries: int
    """Of the split; fewer are done where the run was cancelled."""
    stages_ms: Mapping[str, Floats]
    """Milliseconds per query that is done, by stage, and "all" for the whole answer; NaN where it was not timed."""
    index_seconds: float | None
    index_bytes: int | None
    n_failed: int
    """Candidates that a stage could not score, over all queries."""
    notes: tuple[str, ...]
    made_at: str

    @property
    def is_complete(self) -> bool:
        """Whether every query is answered."""
        return len(self.run) == self.n_queries

    def has_stage(self, stage: str, query_id: str) -> bool:
        """Whether the answer to a query came to a stage."""
        place = self.run.place_of.get(query_id)
        return place is not None and stage in self.stages_ms and bool(np.isfinite(self.stages_ms[stage][place]))
