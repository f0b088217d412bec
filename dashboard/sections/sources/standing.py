"""What every view begins with: whether the sources can be reached, and what of the day's budget is left."""

from __future__ import annotations


def draw_standing() -> None:
    """One line for each source, short."""
