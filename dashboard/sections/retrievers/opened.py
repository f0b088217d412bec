"""One query opened: what each run answers to it."""

from __future__ import annotations

from dashboard.sections.retrievers.board import Board


def draw_opened(context: Board) -> None:
    """One query opened: what each run answers to it."""
