"""The view "Runs"."""

from __future__ import annotations


def draw_runs() -> None:
    """A list, and the run that is opened."""
