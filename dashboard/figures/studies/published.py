"""Published scores as a coloured table, and beside our own as pairs of signs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from core.comparing.compare import REGION_LABELS
from core.types import RegionKind
from dashboard.figures.heat import Cell, Group, HeatWords, Scale, head_of, heat_figure, signed
from dashboard.figures.theme import COLOURS, OUTLINE_ROLES, Theme, template
from dashboard.figures.upset import plain, say_why, short

SYMBOLS: Mapping[RegionKind, str] = {"cosine": "circle", "cluster": "diamond", "mvee": "square", "hull": "triangle-up"}
PUBLISHED_LANE = 16
"""Pixels for each region of a row."""
PUBLISHED_BETWEEN = 22
PUBLISHED_ABOVE, PUBLISHED_BELOW = 136, 44
"""Above: title, how to read it, and a legend of a line for each region where there is little room."""
PUBLISHED_LONGEST_NAME = 34

Values = Mapping[tuple[str, RegionKind | None], float]
"""Numbers of one search by metric and region; recall has no region."""


def published_figure(
    rows: Mapping[str, Values], regions: Sequence[RegionKind], *, title: str, subtitle: str, scale: Scale, theme: Theme
) -> go.Figure:
    """A row for each topic: recall, then semantic precision and F2 in each region."""
    keys: list[tuple[str, RegionKind | None]] = [("recall", None)]
    keys += [(metric, region) for metric in ("semantic_precision", "f_beta") for region in regions]
    names = {"recall": "Recall", "semantic_precision": "Semantic precision", "f_beta": "F2 (with decay)"}
    labels = tuple(head_of(region) for region in regions)
    groups = (
        Group("", ("Recall (cosine)",)),
        *(Group(names[metric], labels) for metric in ("semantic_precision", "f_beta")),
    )
    topics = list(rows)
    sign = "+" if scale == "difference" else ""
    cells = [[_cell(topic, names[key[0]], key[1], rows[topic].get(key), sign) for key in keys] for topic in topics]
    reach = [abs(cell.value) for line in cells for cell in line if cell.value is not None]
    words = HeatWords(
        title,
        subtitle,
        f"Table of published scores of {len(topics)} topics, {title}. "
        + " ".join(
            f"{topic}: {', '.join(cell.text for cell in line)}." for topic, line in zip(topics, cells, strict=True)
        ),
    )
    end = max([*reach, 0.1]) if scale == "difference" else 1.0
    return heat_figure(words, topics, groups, cells, scale=scale, end=end, theme=theme)


def _cell(topic: str, name: str, region: RegionKind | None, value: float | None, sign: str) -> Cell:
    what = f"{topic}, {name}" if region is None else f"{topic}, {name}, {REGION_LABELS[region].lower()}"
    if value is None:
        return Cell(None, "–", f"{what}: not published")
    return Cell(value, signed(value) if sign else f"{value:.2f}", f"{what}: {value:{sign}.3f}")


@dataclass(frozen=True, slots=True)
class Beside:
    """One number as it was published, and as it is here."""

    name: str
    """Topic and version."""
    region: RegionKind
    published: float
    ours: float | None
    remark: str | None = None
    """Why ours is undefined or says nothing."""


def beside_figure(pairs: Sequence[Beside], *, metric: str, theme: Theme) -> go.Figure:
    """For each topic and region a hollow sign for the published number, a filled one for ours, a line between them."""
    names = list(dict.fromkeys(pair.name for pair in pairs))
    regions = [region for region in SYMBOLS if any(pair.region == region for pair in pairs)]
    said = "; ".join(
        f"{p.name}, {REGION_LABELS[p.region].lower()}: {p.published:.3f}, ours "
        + ("undefined" if p.ours is None else f"{p.ours:.3f}")
        for p in pairs
    )
    height = (
        PUBLISHED_ABOVE
        + PUBLISHED_BELOW
        + max(len(names), 1) * (PUBLISHED_LANE * max(len(regions), 1) + PUBLISHED_BETWEEN)
    )
    figure = go.Figure(layout=_layout(metric, f"{metric}, published and ours. {said}.", height, theme))
    if not pairs:
        return say_why(figure, "Nothing that was published has a list and vectors here.", theme)
    lane = 0.78 / len(regions)
    for place, region in enumerate(regions):
        of_region = [pair for pair in pairs if pair.region == region]
        at = [names.index(pair.name) + (place - (len(regions) - 1) / 2) * lane for pair in of_region]
        for trace in _signs(region, of_region, at, theme):
            figure.add_trace(go.Scatter(**trace))
    for row in range(0, len(names), 2):
        band = {"y0": row - 0.5, "y1": row + 0.5, "fillcolor": COLOURS[theme]["panel"]}
        figure.add_shape(type="rect", layer="below", xref="paper", x0=0, x1=1, line={"width": 0}, **band)
    figure.update_yaxes(
        tickvals=list(range(len(names))),
        ticktext=[plain(short(name, PUBLISHED_LONGEST_NAME)) for name in names],
        range=[len(names) - 0.5, -0.5],
        showgrid=False,
    )
    figure.update_xaxes(title_text=f"{metric} (0 to 1)", range=[-0.03, 1.03])
    return figure


def _signs(region: RegionKind, pairs: Sequence[Beside], at: Sequence[float], theme: Theme) -> list[dict[str, Any]]:
    colour, label = COLOURS[theme][OUTLINE_ROLES[region]], REGION_LABELS[region]
    x: list[float | None] = []
    y: list[float | None] = []
    for pair, row in zip(pairs, at, strict=True):
        if pair.ours is not None:
            x += [pair.published, pair.ours, None]
            y += [row, row, None]
    own = [(pair, row) for pair, row in zip(pairs, at, strict=True) if pair.ours is not None]
    hollow = {"symbol": SYMBOLS[region], "size": 9, "color": COLOURS[theme]["background"]}
    return [
        {
            "x": x,
            "y": y,
            "mode": "lines",
            "line": {"color": colour, "width": 2},
            "hoverinfo": "skip",
            "showlegend": False,
        },
        {
            "x": [pair.published for pair in pairs],
            "y": list(at),
            "mode": "markers",
            "showlegend": False,
            "marker": hollow | {"line": {"color": colour, "width": 2}},
            "customdata": [_hover(pair) for pair in pairs],
            "hovertemplate": "%{customdata}<extra></extra>",
        },
        {
            "x": [pair.ours for pair, _ in own],
            "y": [row for _, row in own],
            "mode": "markers",
            "name": label,
            "marker": {"symbol": SYMBOLS[region], "size": 9, "color": colour},
            "customdata": [_hover(pair) for pair, _ in own],
            "hovertemplate": "%{customdata}<extra></extra>",
        },
    ]


def _hover(pair: Beside) -> str:
    ours = "–" if pair.ours is None else f"{pair.ours:.3f}"
    remark = f"<br>{plain(pair.remark)}" if pair.remark else ""
    region = REGION_LABELS[pair.region]
    return f"<b>{plain(pair.name)}</b><br>{region}: published {pair.published:.3f}, ours {ours}{remark}"


def _layout(metric: str, description: str, height: int, theme: Theme) -> dict[str, Any]:
    return {
        "template": template(theme),
        "title": {
            "text": f"{metric}: published and ours",
            "subtitle": {"text": "Hollow: published. Filled: ours. No filled sign: undefined here."},
            "y": 1,
            "yanchor": "top",
            "yref": "container",
            "pad": {"t": 12, "l": 12},
        },
        "height": height,
        "margin": {"l": 12, "r": 12, "t": PUBLISHED_ABOVE, "b": PUBLISHED_BELOW},
        "legend": {"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom"},
        "dragmode": False,
        "hovermode": "closest",
        "meta": {"description": description},
    }
