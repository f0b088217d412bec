"""The landscape as a plotly figure: layers of publications, outlines of regions, and the legend."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from core.errors import MisalignedError
from core.explore.landscape import Landscape
from core.explore.regions import REGION_LABELS, REGIONS
from core.types import Mask, Points, RegionKind
from dashboard.kit.figures import plain, say_why
from dashboard.kit.theme import COLOURS, DASHES, Role, Theme, template

# The contents of a landscape: publications by role, their order, and their labels.
#
# Every picture of a landscape is drawn from here, so that the figure, the SVG and the PNG agree.

Rows = npt.NDArray[np.intp]

NOT_COSINES = "Distances are not cosines."
CORE_DIAMETER = 9.0
EDGE_WIDTH = 1.6
LONGEST_NAME = 48
"""Longer names of topics and versions are shortened, so that the line below the title fits."""


@dataclass(frozen=True, eq=False)
class Layer:
    role: str
    """A short name, for grouping in exports."""
    label: str
    """Label in the legend."""
    rows: Rows
    """Rows of the landscape."""
    fill: Role | None
    """None is hollow."""
    edge: Role | None
    diameter: float
    """In pixels."""
    opacity: float = 1.0

    @property
    def is_core(self) -> bool:
        """True for core publications, which are drawn above everything else, outlines too."""
        return self.role.startswith("core")


@dataclass(frozen=True, eq=False)
class RegionOutline:
    label: str
    role: Role
    corners: Points
    """Closed: the first corner is also the last."""
    is_current: bool
    """True if this region determines the relevant publications in the picture."""


@dataclass(frozen=True, eq=False)
class LandscapePicture:
    title: tuple[str, str]
    subtitle: str
    points: Points
    layers: tuple[Layer, ...]
    outlines: tuple[RegionOutline, ...]
    empty: str | None
    """The reason why there is nothing to draw."""

    @property
    def parts(self) -> tuple[Layer | RegionOutline, ...]:
        """Layers and outlines, back to front."""
        crowd = [layer for layer in self.layers if not layer.is_core]
        return (*crowd, *self.outlines, *(layer for layer in self.layers if layer.is_core))

    @property
    def description(self) -> str:
        """The alternative text."""
        shown = [layer.label for layer in self.layers if layer.is_core]
        bounds = [f"outline of the {outline.label}" for outline in self.outlines]
        return ". ".join([" ".join(self.title), self.empty or ", ".join(shown + bounds), self.subtitle])


def compose(
    landscape: Landscape,
    relevant_mask: Mask | None,
    *,
    outlines: Mapping[RegionKind, Points],
    kind: RegionKind,
    made_up: bool,
    topic: str,
    version: str,
    n_found: int | None = None,
    no_landscape: str | None = None,
) -> LandscapePicture:
    """Sort publications into layers and write the texts of the picture.

    `relevant_mask` follows the landscape's retrieved rows (`Landscape.in_order`); None if the region is undefined.
    `n_found` counts found core publications without a vector as well. `no_landscape`: the reason why there is none.
    """
    n = landscape.n_retrieved
    if relevant_mask is not None and len(relevant_mask) != n:
        raise MisalignedError(f"{n} retrieved publications but {len(relevant_mask)} decisions")
    empty = None
    if landscape.points is None:
        empty = no_landscape or "No landscape: too few of these publications have a vector."
    elif not len(landscape):
        empty = "Nothing to show: no publication has a vector."
    found = int(landscape.core_mask[:n].sum()) if n_found is None else n_found
    return LandscapePicture(
        title=_title(landscape, relevant_mask, kind, found),
        subtitle=_subtitle(topic, version, made_up=made_up),
        points=landscape.points if landscape.points is not None else np.zeros((0, 2)),
        layers=() if empty else _layers(landscape, relevant_mask, n_missed=landscape.n_core - found),
        outlines=() if empty else _outlines(outlines, kind),
        empty=empty,
    )


def _title(landscape: Landscape, relevant_mask: Mask | None, kind: RegionKind, n_found: int) -> tuple[str, str]:
    region = REGION_LABELS[kind].partition(" (")[0].lower()
    of_core = f"{n_found:,} of {landscape.n_core:,} core publications found"
    if relevant_mask is None:
        return f"{landscape.n_retrieved:,} retrieved; the {region} region is undefined;", of_core
    n_relevant = int(relevant_mask.sum())
    return f"{n_relevant:,} of {landscape.n_retrieved:,} retrieved are relevant ({region});", of_core


def _subtitle(topic: str, version: str, *, made_up: bool) -> str:
    names = [_cut(topic), _cut(version), *(["synthetic publications"] if made_up else [])]
    return " · ".join([*(name for name in names if name), NOT_COSINES])


def _cut(name: str) -> str:
    """Shorten a name, on one line, without unprintable characters.

    >>> _cut("Heat\\nin cities ")
    'Heat in cities'
    """
    name = "".join(letter for letter in " ".join(name.split()) if letter.isprintable())
    return name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1].rstrip() + "…"


def _layers(landscape: Landscape, relevant_mask: Mask | None, *, n_missed: int) -> tuple[Layer, ...]:
    n = landscape.n_retrieved
    relevant = np.zeros(n, dtype=np.bool_) if relevant_mask is None else relevant_mask
    others, left_out = ("Retrieved", "") if relevant_mask is None else ("Not relevant", ", not accepted")
    core = landscape.core_mask[:n]
    crowd = 3.0 if n > 10_000 else 4.0 if n > 2_000 else 5.0
    missed = np.arange(n, len(landscape))
    placed = f"{len(missed):,}" if len(missed) >= n_missed else f"{len(missed):,} of {n_missed:,} are placed"
    found, accepted = np.flatnonzero(core & ~relevant), np.flatnonzero(core & relevant)
    candidates = (
        Layer("not_relevant", others, np.flatnonzero(~core & ~relevant), "not_relevant", None, crowd, 0.6),
        Layer("relevant", "Relevant", np.flatnonzero(~core & relevant), "relevant", None, crowd, 0.8),
        Layer("core_missed", f"Core missed ({placed})", missed, None, "core", CORE_DIAMETER),
        Layer("core_found", f"Core found{left_out} ({len(found):,})", found, "core", None, CORE_DIAMETER),
        Layer("core_accepted", f"Core accepted ({len(accepted):,})", accepted, "core", "core_edge", CORE_DIAMETER),
    )
    return tuple(layer for layer in candidates if len(layer.rows))


def _outlines(outlines: Mapping[RegionKind, Points], kind: RegionKind) -> tuple[RegionOutline, ...]:
    return tuple(
        RegionOutline(
            label=REGION_LABELS[of],
            role=REGIONS[of].outline_role,
            corners=np.vstack([corners, corners[:1]]),
            is_current=of == kind,
        )
        for of, corners in outlines.items()
        if len(corners)
    )


# The landscape as a plotly figure: the picture of the browser part, for browsers that can't run it.

MANY = 20_000
"""Number of publications from which WebGL is used instead of SVG, which is sharper and prints."""
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
    """Draw one query version on the landscape. `titles` and `years` have one entry per row of the landscape.

    The other arguments are those of `compose`.
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


def _layout(picture: LandscapePicture, theme: Theme) -> dict[str, Any]:
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
        # equal units on both axes, else the ellipsoid would not look as it was fitted
        "yaxis": {"visible": False, "scaleanchor": "x", "scaleratio": 1},
        "legend": {"orientation": "h", "x": 0, "y": 0, "yanchor": "top", "xanchor": "left", "traceorder": "normal"},
        "hovermode": "closest",
        "dragmode": "pan",
    }


def _points(layer: Layer, picture: LandscapePicture, theme: Theme) -> dict[str, Any]:
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
    """Return the edge width. The core has an edge; other publications have none, as their edges would dominate."""
    return EDGE_WIDTH if layer.edge else 0.5 if layer.is_core else 0.0


def _hovers(layer: Layer, landscape: Landscape, titles: Sequence[str], years: Sequence[int | None]) -> list[str]:
    return [
        f"{wrapped(titles[row])}<br>{years[row] or 'no year'} · similarity {landscape.similarities[row]:.3f}"
        for row in layer.rows.tolist()
    ]


def wrapped(title: str) -> str:
    lines = textwrap.wrap(textwrap.shorten(title, LONGEST_TITLE, placeholder="…"), HOVER_WIDTH)
    return "<br>".join(plain(line) for line in lines) or "no title"


def _lines(outline: RegionOutline, theme: Theme) -> list[dict[str, Any]]:
    """Return the boundary, drawn over a wider line in the background colour that separates it from the points."""
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
