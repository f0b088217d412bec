"""The landscape as a plotly figure: the picture of the browser part, for where that can't run."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from core.errors import MisalignedError
from core.projection import Landscape
from core.types import Mask, Points, RegionKind
from dashboard.figures.layers import EDGE_WIDTH, Layer, Outline, Picture, compose
from dashboard.figures.theme import COLOURS, DASHES, Theme, template
from dashboard.figures.upset import plain, say_why

MANY = 20_000
"""From here on WebGL draws; below it SVG does, which is sharper and prints."""
HEIGHT = 640
HOVER_WIDTH = 60
LONGEST_TITLE = 300


def landscape_figure(
    landscape: Landscape,
    relevant_mask: Mask | None,
    *,
    titles: Sequence[str],
    years: Sequence[int | None],
    outlines: Mapping[RegionKind, Points],
    kind: RegionKind,
    theme: Theme,
    made_up: bool,
    topic: str,
    version: str,
    n_found: int | None = None,
    no_landscape: str | None = None,
) -> go.Figure:
    """One query version on the landscape. `titles` and `years` have one entry per row of the landscape.

    The other arguments are those of `layers.compose`.
    """
    for name, given in (("titles", titles), ("years", years)):
        if len(given) != len(landscape):
            raise MisalignedError(f"{len(landscape)} publications but {len(given)} {name}")
    picture = compose(
        landscape,
        relevant_mask,
        outlines=outlines,
        kind=kind,
        made_up=made_up,
        topic=topic,
        version=version,
        n_found=n_found,
        no_landscape=no_landscape,
    )
    figure = go.Figure(layout=_layout(picture, theme))
    if picture.empty:
        return say_why(figure, picture.empty, theme)
    draw = go.Scattergl if len(landscape) >= MANY else go.Scatter
    for part in picture.parts:
        if isinstance(part, Layer):
            figure.add_trace(draw(**_points(part, picture, theme), hovertext=_hovers(part, landscape, titles, years)))
        else:
            figure.add_traces([draw(**line) for line in _lines(part, theme)])
    return figure


def _layout(picture: Picture, theme: Theme) -> dict[str, Any]:
    return {
        "template": template(theme),
        "title": {
            "text": "<br>".join(plain(line) for line in picture.title),
            "y": 0.975,
            "yanchor": "top",
            "subtitle": {"text": plain(picture.subtitle)},
        },
        "height": HEIGHT,
        "margin": {"l": 12, "r": 12, "t": 84, "b": 12},
        "xaxis": {"visible": False},
        # one unit is as long upwards as sideways, or the ellipsoid would not look like what was fitted
        "yaxis": {"visible": False, "scaleanchor": "x", "scaleratio": 1},
        "legend": {"orientation": "h", "x": 0, "y": 0, "yanchor": "top", "xanchor": "left", "traceorder": "normal"},
        "hovermode": "closest",
        "dragmode": "pan",
    }


def _points(layer: Layer, picture: Picture, theme: Theme) -> dict[str, Any]:
    colours = COLOURS[theme]
    places = picture.points[layer.rows].astype(np.float32)
    edge = colours[layer.edge] if layer.edge else colours["background"]
    return {
        "x": places[:, 0],
        "y": places[:, 1],
        "mode": "markers",
        "name": layer.label,
        "legendgroup": layer.role,
        "marker": {
            "size": layer.diameter,
            "symbol": "circle" if layer.fill else "circle-open",
            "color": colours[layer.fill] if layer.fill else edge,
            "opacity": layer.opacity,
            "line": {"color": edge, "width": _edge_width(layer)},
        },
        "hovertemplate": "%{hovertext}<extra></extra>",
    }


def _edge_width(layer: Layer) -> float:
    """The core is set off from the crowd; the crowd has no edges, which would be all that one sees."""
    return EDGE_WIDTH if layer.edge else 0.5 if layer.is_core else 0.0


def _hovers(layer: Layer, landscape: Landscape, titles: Sequence[str], years: Sequence[int | None]) -> list[str]:
    return [
        f"{wrapped(titles[row])}<br>{years[row] or 'no year'} · similarity {landscape.similarities[row]:.3f}"
        for row in layer.rows.tolist()
    ]


def wrapped(title: str) -> str:
    """A title in lines that fit a hover label."""
    lines = textwrap.wrap(textwrap.shorten(title, LONGEST_TITLE, placeholder="…"), HOVER_WIDTH)
    return "<br>".join(plain(line) for line in lines) or "no title"


def _lines(outline: Outline, theme: Theme) -> list[dict[str, Any]]:
    """The boundary, on a wider one in the colour of the background that lifts it off the points."""
    colours, width = COLOURS[theme], 2.5 if outline.is_current else 1.5
    common = {
        "x": outline.corners[:, 0],
        "y": outline.corners[:, 1],
        "mode": "lines",
        "hoverinfo": "skip",
        "name": outline.label,
        "legendgroup": outline.role,
        "legendrank": 2000,  # last, although drawn before the core
    }
    dash = DASHES[outline.role].plotly
    return [
        {**common, "showlegend": False, "opacity": 0.7, "line": {"color": colours["background"], "width": width + 2}},
        {**common, "line": {"color": colours[outline.role], "width": width, "dash": dash}},
    ]
