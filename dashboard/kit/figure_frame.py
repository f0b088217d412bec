"""The frame of every figure: title, legend, axis names, and the colour, dash and symbol of each run."""

from __future__ import annotations

import html
import math
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import plotly.graph_objects as go

from core.stats import Interval
from dashboard.kit.figures import ROLES, LineLook, look_of, plain, short
from dashboard.kit.theme import CATEGORIES, COLOURS, Theme, template

Row = dict[str, str | int | float | None]
LONGEST_NAME = 24
LONGEST_IN_TITLE = 18
LEGEND_ROW, MOST_LEGEND_ROWS = 19, 3
TITLE_ROW, LONGEST_TITLE = 19, 44
SUBTITLE_ROW, LONGEST_SUBTITLE = 16, 54
"""Characters that fit the width of a phone."""
AXIS = 50
"""Pixels for an axis with its title."""


_FURTHER = (1, 4, 6, 7, 9, 5, 8)
"""Colours for more than three runs: the categories that are not close to the first three."""


def look_at(place: int, theme: Theme) -> LineLook:
    """Return the look of the run at this position. Colour, dash and symbol alone each distinguish the first few."""
    look = look_of(place, theme)
    if place < len(ROLES):
        return look
    return replace(look, colour=CATEGORIES[theme][_FURTHER[(place - len(ROLES)) % len(_FURTHER)]])


def looks(names: Sequence[str], theme: Theme) -> Mapping[str, LineLook]:
    """Return colour, dash and symbol of each run, by its position among all runs: the same in every figure."""
    return {name: look_at(place, theme) for place, name in enumerate(names)}


def axis_name(name: str) -> str:
    return plain(short(name, LONGEST_NAME))


def title_name(name: str) -> str:
    return plain(short(name, LONGEST_IN_TITLE))


def legend_room(names: Sequence[str], width: int = 330) -> int:
    """Return the pixels reserved for a legend of these names on a phone; its columns are as wide as the longest name.

    Further rows of the legend shrink the plot.

    >>> legend_room(["bm25", "dense"]), legend_room(["a long name of a retriever"] * 3)
    (19, 57)
    """
    widest = max((46 + 7 * len(short(name, LONGEST_NAME)) for name in names), default=0)
    columns = max(width // widest, 1) if widest else 1
    return LEGEND_ROW * min(math.ceil(len(names) / columns), MOST_LEGEND_ROWS)


def frame(
    *, title: str, subtitle: str, description: str, plot: float, theme: Theme, legend: Sequence[str] = ()
) -> dict[str, Any]:
    """Return the layout of every figure of this folder. `plot`: its height in pixels; `legend`: the names below it."""
    titles, subtitles = wrap(title, LONGEST_TITLE), wrap(subtitle, LONGEST_SUBTITLE)
    above = 26 + TITLE_ROW * len(titles) + SUBTITLE_ROW * len(subtitles)
    below = AXIS + (legend_room(legend) + 8 if legend else 0)
    return {
        "template": template(theme),
        "title": {
            "text": "<br>".join(titles),
            # With several lines, a top anchor applies to the last one.
            "y": 1 - (10 + TITLE_ROW * (len(titles) - 1)) / (above + plot + below),
            "yanchor": "top",
            "yref": "container",
            "subtitle": {"text": "<br>".join(subtitles)},
        },
        "height": round(above + plot + below),
        "margin": {"l": 12, "r": 16, "t": above, "b": below},
        "showlegend": bool(legend),
        "legend": {
            "orientation": "h",
            "x": 0,
            "xanchor": "left",
            "y": -AXIS / plot,
            "yanchor": "top",
            "traceorder": "normal",
        },
        "dragmode": False,
        "hovermode": "closest",
        "meta": {"description": html.unescape(description)},
    }


def framed(**words: Any) -> go.Figure:
    """Return an empty figure in the frame; the arguments are those of `frame`."""
    return go.Figure(layout=frame(**words))


def hover_texts(texts: Iterable[str]) -> dict[str, Any]:
    """Return the hover texts of a trace, one for each point. Points on the edge of the plot are drawn whole."""
    return {"hovertext": list(texts), "hovertemplate": "%{hovertext}<extra></extra>", "cliponaxis": False}


def whiskers(
    values: Sequence[tuple[float, Interval | None]], colour: str, axis: str, thickness: float = 1.4
) -> dict[str, Any]:
    """Return the error bars of a trace along an axis, x or y: a line from end to end of each interval."""
    return {
        f"error_{axis}": {
            "type": "data",
            "symmetric": False,
            "array": [0 if interval is None else interval.high - value for value, interval in values],
            "arrayminus": [0 if interval is None else value - interval.low for value, interval in values],
            "color": colour,
            "thickness": thickness,
            "width": 0,
        }
    }


def ends_of(interval: Interval | None) -> Row:
    """Return the ends of an interval as columns of a table."""
    low, high = (None, None) if interval is None else interval
    return {"From": low, "To": high}


def name_rows(figure: go.Figure, names: Sequence[str]) -> None:
    """Make the vertical axis a list of names, the first one at the top."""
    figure.update_yaxes(
        tickvals=list(range(len(names))),
        ticktext=names,
        range=(len(names) - 0.5, -0.5),
        showgrid=False,
        fixedrange=True,
    )


def name_plane(figure: go.Figure) -> None:
    """Name the axes of a plane of vectors, whose numbers mean nothing."""
    axis = {"showticklabels": False, "zeroline": False, "fixedrange": True}
    figure.update_xaxes(title_text="First direction of the vectors (no unit)", **axis)
    figure.update_yaxes(title_text="Second direction (no unit)", **axis)


def wrap(text: str, longest: int) -> list[str]:
    """Wrap marked-up text into lines no longer than this, if words allow.

    >>> wrap("one two three", 8)
    ['one two', 'three']
    """
    return textwrap.wrap(text, longest, break_long_words=False, break_on_hyphens=False) or [""]


def marker(look: LineLook, theme: Theme, *, size: float = 11, hollow: bool = False) -> dict[str, Any]:
    """Return a run's symbol; hollow for published values that were not measured here."""
    if hollow:
        return {"size": size, "symbol": f"{look.symbol}-open", "color": look.colour, "line": {"width": 1.8}}
    edge = {"color": COLOURS[theme]["background"], "width": 1.2}
    return {"size": size, "symbol": look.symbol, "color": look.colour, "line": edge}


def log_ticks(low: float, high: float) -> list[float]:
    """Return round numbers from low to high on a logarithmic axis; the wider the range, the fewer per decade.

    >>> log_ticks(0.8, 30)
    [1.0, 3.0, 10.0, 30.0]
    """
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    steps = (1, 2, 5) if last - first < 2 else (1, 3) if last - first < 4 else (1,)
    ticks = [round(step * 10.0**power, 12) for power in range(first, last + 1) for step in steps]
    return [tick for tick in ticks if low * (1 - 1e-9) <= tick <= high * (1 + 1e-9)]


def milliseconds(value: float | None) -> str:
    """Format a time for figures and sentences.

    >>> milliseconds(0.42), milliseconds(31.4), milliseconds(2340.0), milliseconds(None)
    ('0.42 ms', '31 ms', '2.3 s', '–')
    """
    if value is None:
        return "–"
    if value >= 1_000:
        return f"{value / 1_000:,.1f} s" if value < 100_000 else f"{value / 1_000:,.0f} s"
    return f"{value:.2f} ms" if value < 10 else f"{value:.0f} ms"
