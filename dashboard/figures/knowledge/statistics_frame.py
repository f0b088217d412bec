"""The frame of the figures of statistics."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from dashboard.figures.retrievers.shared import frame
from dashboard.figures.theme import Theme

TITLE_ROOM = 14
"""Pixels that a subtitle needs under a title of two lines."""


def roomy_frame(
    *, title: str, subtitle: str, description: str, plot: float, theme: Theme, legend: Sequence[str] = ()
) -> dict[str, Any]:
    """As figures of retrievers have it, with room where the title takes two lines."""
    found = frame(title=title, subtitle=subtitle, description=description, plot=plot, theme=theme, legend=legend)
    if "<br>" in found["title"]["text"]:
        found["margin"]["t"] += TITLE_ROOM
        found["height"] += TITLE_ROOM
    return found


def level(*figures: go.Figure) -> None:
    """Figures that stand beside each other begin and end on the same lines: the lower ones grow."""
    for figure in figures:
        _grow(figure, top=max(each.layout.margin.t for each in figures) - figure.layout.margin.t)
    beneath = max(each.layout.margin.b for each in figures)
    for figure in figures:
        _grow(figure, bottom=beneath - figure.layout.margin.b)
    for figure in figures:
        _grow(figure, plot=max(each.layout.height for each in figures) - figure.layout.height)


def _grow(figure: go.Figure, *, top: float = 0, bottom: float = 0, plot: float = 0) -> None:
    """The title keeps its distance from the top, the legend its own from the plot."""
    layout = figure.layout
    before, of_plot = layout.height, layout.height - layout.margin.t - layout.margin.b
    layout.height = before + top + bottom + plot
    layout.title.y = 1 - (1 - layout.title.y) * before / layout.height
    layout.legend.y = layout.legend.y * of_plot / (of_plot + plot)
    layout.margin.t += top
    layout.margin.b += bottom
