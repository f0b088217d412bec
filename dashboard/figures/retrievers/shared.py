"""What the figures of retrievers have in common: how a run is told apart, its name on an axis, and the frame."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from dashboard.figures.landscape import plain
from dashboard.figures.theme import COLOURS, Theme, template
from dashboard.figures.upset import short
from dashboard.figures.versions.look import Look, look_of

Row = dict[str, str | int | float | None]
LONGEST_NAME = 24
LEGEND = {"orientation": "h", "x": 0, "xanchor": "left", "y": 1, "yanchor": "bottom", "traceorder": "normal"}
LEGEND_ROW = 19
TITLE = 60
"""Pixels that title and subtitle take."""


def looks(names: Sequence[str], theme: Theme) -> Mapping[str, Look]:
    """Colour, dash and sign of each run, by its place among them all: the same in every figure."""
    return {name: look_of(place, theme) for place, name in enumerate(names)}


def axis_name(name: str) -> str:
    """A run on an axis or in a legend."""
    return plain(short(name, LONGEST_NAME))


def legend_room(names: Sequence[str], width: int = 330) -> int:
    """Pixels that a legend of these names takes above a plot where there is little room.

    >>> legend_room(["bm25", "dense"]), legend_room(["a long name of a retriever"] * 3)
    (19, 57)
    """
    lines, used = 1, 0
    for name in names:
        needs = 46 + 7 * len(short(name, LONGEST_NAME))
        if used and used + needs > width:
            lines, used = lines + 1, 0
        used += needs
    return lines * LEGEND_ROW


def frame(
    *, title: str, subtitle: str, description: str, height: int, above: int, theme: Theme, legend: bool
) -> dict[str, Any]:
    """The layout of every figure of this folder. `above`: pixels over the plot."""
    return {
        "template": template(theme),
        "title": {
            "text": title,
            "y": 1 - 10 / height,
            "yanchor": "top",
            "yref": "container",
            "subtitle": {"text": subtitle},
        },
        "height": height,
        "margin": {"l": 12, "r": 16, "t": above, "b": 50},
        "showlegend": legend,
        "legend": LEGEND,
        "dragmode": False,
        "hovermode": "closest",
        "meta": {"description": description},
    }


def marker(look: Look, theme: Theme, *, size: float = 11, hollow: bool = False) -> dict[str, Any]:
    """A run's sign; hollow for what is published and was not measured here."""
    if hollow:
        return {"size": size, "symbol": f"{look.symbol}-open", "color": look.colour, "line": {"width": 1.8}}
    edge = {"color": COLOURS[theme]["background"], "width": 1.2}
    return {"size": size, "symbol": look.symbol, "color": look.colour, "line": edge}


def log_ticks(low: float, high: float) -> list[float]:
    """Round numbers from low to high on a logarithmic axis, fewer of them the farther it goes.

    >>> log_ticks(0.8, 30)
    [1.0, 3.0, 10.0, 30.0]
    """
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    steps = (1, 2, 5) if last - first < 2 else (1, 3) if last - first < 4 else (1,)
    ticks = [round(step * 10.0**power, 12) for power in range(first, last + 1) for step in steps]
    return [tick for tick in ticks if low * (1 - 1e-9) <= tick <= high * (1 + 1e-9)]


def milliseconds(value: float | None) -> str:
    """As figures and sentences give a time.

    >>> milliseconds(0.42), milliseconds(31.4), milliseconds(2340.0), milliseconds(None)
    ('0.42 ms', '31 ms', '2.3 s', '–')
    """
    if value is None:
        return "–"
    if value >= 1_000:
        return f"{value / 1_000:,.1f} s" if value < 100_000 else f"{value / 1_000:,.0f} s"
    return f"{value:.2f} ms" if value < 10 else f"{value:.0f} ms"
