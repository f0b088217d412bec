"""A run as it is kept: what one retriever answered, and how long it took."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.ranking.types import Run
from core.types import Floats


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
