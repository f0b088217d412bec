"""The frame of the figures of statistics."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dashboard.figures.retrievers.shared import frame
from dashboard.figures.theme import Theme

ROOM = 14
"""Pixels that a subtitle needs under a title of two lines."""


def roomy_frame(
    *, title: str, subtitle: str, description: str, plot: float, theme: Theme, legend: Sequence[str] = ()
) -> dict[str, Any]:
    """As figures of retrievers have it, with room where the title takes two lines."""
    found = frame(title=title, subtitle=subtitle, description=description, plot=plot, theme=theme, legend=legend)
    if "<br>" in found["title"]["text"]:
        found["margin"]["t"] += ROOM
        found["height"] += ROOM
    return found
