"""Running retrievers over a collection: saved as it goes on, so that a run that was cancelled is resumed."""

from __future__ import annotations

from data.retrieval.saved_run import SavedRun

__all__ = ["DEPTH", "SavedRun"]

DEPTH = 100
"""Documents of each ranking that are kept."""
