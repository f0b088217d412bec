"""An entity on the plane of texts: where its texts lie, and where those of its neighbours do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import plotly.graph_objects as go

from dashboard.figures.knowledge.look import cut
from dashboard.figures.retrievers.shared import Row, frame
from dashboard.figures.theme import COLOURS, Theme
from dashboard.figures.upset import plain, say_why

PLANE_PLOT = 380
Part = Literal["this", "near", "other"]
PARTS: tuple[Part, ...] = get_args(Part)


@dataclass(frozen=True, slots=True)
class Placed:
    """A text on the plane."""

    entity_id: str
    title: str
    x: float
    y: float
    part: Part
    """"this": the entity, or a text of it; "near": of a neighbour; "other": of the sample."""


def plane_rows(placed: Sequence[Placed], names: dict[Part, str]) -> list[Row]:
    """The highlighted first."""
    return [
        {"Text": names[part], "Id": spot.entity_id, "Title": spot.title, "x": round(spot.x, 5), "y": round(spot.y, 5)}
        for part in PARTS
        for spot in placed
        if spot.part == part
    ]


def plane_figure(placed: Sequence[Placed], *, title: str, names: dict[Part, str], theme: Theme) -> go.Figure:
    """`names`: what each part is called in the legend."""
    counts = {part: sum(spot.part == part for spot in placed) for part in PARTS}
    legend = [names[part] for part in PARTS if counts[part]]
    said = ", ".join(f"{counts[part]:,} {names[part].lower()}" for part in PARTS if counts[part])
    figure = go.Figure(
        layout=frame(
            title=plain(f"{cut(title or 'untitled', 26)} among the texts"),
            subtitle="Texts that lie near each other use similar words",
            description=f"Texts on a plane: {said or 'none'}.",
            plot=PLANE_PLOT,
            theme=theme,
            legend=legend,
        )
    )
    if not placed:
        return say_why(figure, "No text has a vector, so there is nothing to lay out.", theme)
    for part in reversed(PARTS):
        spots = [spot for spot in placed if spot.part == part]
        if spots:
            figure.add_trace(go.Scatter(**_trace(spots, part, names[part], theme)))
    axis = {"showticklabels": False, "zeroline": False, "fixedrange": True}
    figure.update_xaxes(title_text="First direction of the vectors (no unit)", **axis)
    figure.update_yaxes(title_text="Second direction (no unit)", **axis)
    return figure


def _trace(spots: Sequence[Placed], part: Part, name: str, theme: Theme) -> dict[str, Any]:
    colours = COLOURS[theme]
    edge = {"color": colours["background"], "width": 1}
    markers: dict[Part, dict[str, Any]] = {
        "this": {"size": 13, "symbol": "diamond", "color": colours["core"], "line": edge},
        "near": {"size": 9, "color": colours["relevant"], "line": edge},
        "other": {"size": 4, "color": colours["not_relevant"], "opacity": 0.5},
    }
    return {
        "x": [spot.x for spot in spots],
        "y": [spot.y for spot in spots],
        "mode": "markers",
        "name": plain(name),
        "marker": markers[part],
        "hovertext": [plain(cut(spot.title or spot.entity_id, 110)) for spot in spots],
        "hovertemplate": "%{hovertext}<extra></extra>",
        "cliponaxis": False,
    }
