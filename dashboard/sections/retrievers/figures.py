"""Metric by k, and query by query."""

from __future__ import annotations

from dashboard.sections.retrievers.board import Board


def draw_figures(context: Board) -> None:
    """Metric by k, and query by query."""
