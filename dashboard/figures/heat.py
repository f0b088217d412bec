"""A table of numbers whose cells are coloured: differences from orange to blue, amounts from pale to blue."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

import plotly.graph_objects as go

from core.comparing.compare import REGION_LABELS
from core.types import RegionKind
from dashboard.figures.ramps import even_ramp
from dashboard.figures.theme import COLOURS, Theme, template
from dashboard.figures.upset import plain, say_why, short

Scale = Literal["difference", "amount"]
ROW = 26
HEAT_ABOVE, HEAT_BELOW = 104, 76
LONGEST_NAME = 30
N_COLOURS = 17


def _both_ways(low: str, middle: str, high: str) -> tuple[str, ...]:
    """A ramp whose middle step is the middle colour, however far the ends are from it."""
    return (*even_ramp([low, middle], N_COLOURS)[:-1], *even_ramp([middle, high], N_COLOURS))


RAMPS: Mapping[Scale, Mapping[Theme, tuple[str, ...]]] = MappingProxyType(
    {
        # The words in a cell keep their contrast on every step.
        "difference": MappingProxyType[Theme, tuple[str, ...]](
            {
                "light": _both_ways("#e8833a", "#f5f6f8", "#5b9fe0"),
                "dark": _both_ways("#a84a10", "#1a1d23", "#1f5ca8"),
            }
        ),
        "amount": MappingProxyType[Theme, tuple[str, ...]](
            {
                "light": even_ramp(["#f5f6f8", "#5b9fe0"], N_COLOURS),
                "dark": even_ramp(["#1a1d23", "#1f5ca8"], N_COLOURS),
            }
        ),
    }
)


HEADS: Mapping[RegionKind, str] = MappingProxyType(
    {
        "cosine": "Cosine",
        "nearest_core": "Nearest<br>core",
        "mvee": "Ellipsoid",
        "hull": "Hull",
        "cluster": "Cluster",
    }
)
"""Regions over narrow columns."""


def head_of(region: RegionKind) -> str:
    """Short, so that it need not be turned."""
    return HEADS.get(region, REGION_LABELS[region])


def signed(value: float) -> str:
    """Two digits after the point; nothing has no sign.

    >>> signed(0.25), signed(-0.001)
    ('+0.25', '0.00')
    """
    return f"{round(value, 2):+.2f}" if round(value, 2) else "0.00"


@dataclass(frozen=True, slots=True)
class Cell:
    """One number of the table."""

    value: float | None
    """None: undefined."""
    text: str
    """What stands in it."""
    hover: str
    """What it is, and why it is undefined or says nothing."""


@dataclass(frozen=True, slots=True)
class Group:
    """Neighbouring columns under one head."""

    label: str
    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HeatWords:
    """What the picture says, in words."""

    title: str
    subtitle: str
    description: str


def heat_figure(
    words: HeatWords,
    rows: Sequence[str],
    groups: Sequence[Group],
    cells: Sequence[Sequence[Cell]],
    *,
    scale: Scale,
    end: float,
    theme: Theme,
) -> go.Figure:
    """The first row on top. `end`: the value with the strongest colour; differences run from -end to end."""
    columns = [column for group in groups for column in group.columns]
    figure = go.Figure(layout=_layout(words, len(rows), theme))
    if not rows or not columns:
        return say_why(figure, words.description, theme)
    steps = RAMPS[scale][theme]
    figure.add_trace(
        go.Heatmap(
            z=[[float("nan") if cell.value is None else cell.value for cell in line] for line in cells],
            zmin=-end if scale == "difference" else 0,
            zmax=end,
            colorscale=[[i / (len(steps) - 1), colour] for i, colour in enumerate(steps)],
            showscale=False,
            xgap=2,
            ygap=2,
            hoverinfo="skip",
        )
    )
    places = [(x, y) for y in range(len(rows)) for x in range(len(columns))]
    figure.add_trace(
        go.Scatter(
            x=[x for x, _ in places],
            y=[y for _, y in places],
            mode="text",
            text=[plain(cells[y][x].text) for x, y in places],
            textfont={"size": 11, "color": COLOURS[theme]["text"]},
            customdata=[plain(cells[y][x].hover) for x, y in places],
            hovertemplate="%{customdata}<extra></extra>",
            showlegend=False,
        )
    )
    figure.update_xaxes(tickvals=list(range(len(columns))), ticktext=columns, range=[-0.5, len(columns) - 0.5])
    figure.update_yaxes(
        tickvals=list(range(len(rows))),
        ticktext=[plain(short(row, LONGEST_NAME)) for row in rows],
        range=[len(rows) - 0.5, -0.5],
    )
    figure.update_xaxes(showgrid=False)
    figure.update_yaxes(showgrid=False)
    _head(figure, groups, theme)
    return figure


def _head(figure: go.Figure, groups: Sequence[Group], theme: Theme) -> None:
    """The groups' names above their columns, and a line between neighbours."""
    start = 0
    for group in groups:
        stop = start + len(group.columns)
        figure.add_annotation(
            text=group.label,
            x=(start + stop - 1) / 2,
            y=1,
            yref="paper",
            yanchor="bottom",
            showarrow=False,
            font={"size": 12, "color": COLOURS[theme]["faint"]},
        )
        if start:
            figure.add_shape(
                type="line",
                x0=start - 0.5,
                x1=start - 0.5,
                y0=0,
                y1=1,
                yref="paper",
                line={"color": COLOURS[theme]["border"], "width": 1.5},
            )
        start = stop


def _layout(words: HeatWords, n_rows: int, theme: Theme) -> dict[str, Any]:
    return {
        "template": template(theme),
        "title": {
            "text": plain(words.title),
            "subtitle": {"text": plain(words.subtitle)},
            "y": 1,
            "yanchor": "top",
            "yref": "container",
            "pad": {"t": 12, "l": 12},
        },
        "height": HEAT_ABOVE + HEAT_BELOW + max(n_rows, 3) * ROW,
        "margin": {"l": 12, "r": 12, "t": HEAT_ABOVE, "b": 12},
        "dragmode": False,
        "hovermode": "closest",
        "meta": {"description": words.description, "is_wide": True},
    }
