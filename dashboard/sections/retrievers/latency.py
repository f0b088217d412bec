"""How long the runs took, and what their indexes take."""

from __future__ import annotations

from dashboard.sections.retrievers.board import Board


def draw_latency(context: Board) -> None:
    """How long the runs took, and what their indexes take."""
