"""How types of entity are told apart in the figures of a knowledge base: by colour and by sign."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dashboard.figures.theme import COLOURS, ENTITIES, Theme
from dashboard.figures.upset import plain

SIGNS = (
    *("circle", "square", "diamond", "triangle-up", "pentagon"),
    *("star", "cross", "hexagon", "triangle-down", "bowtie"),
)
LABEL = 34
"""Letters of a title that fit beside a node on a phone."""


@dataclass(frozen=True, slots=True)
class Sign:
    """How a type is drawn."""

    colour: str
    symbol: str


def sign_of(type: str, types: Sequence[str], theme: Theme) -> Sign:
    """By the place of the type among all of the knowledge base, so that it is the same in every figure."""
    place = list(types).index(type) if type in types else len(types)
    return Sign(ENTITIES[theme][place % len(ENTITIES[theme])], SIGNS[place % len(SIGNS)])


def cut(title: str, longest: int = LABEL) -> str:
    """A title on one line that loses its end where it is long.

    >>> cut("Trees and\\n heat in the city", 12)
    'Trees and h…'
    """
    words = " ".join(title[: 4 * longest].split())
    return words if len(words) <= longest else f"{words[: longest - 1].rstrip()}…"


def nodes(
    xs: Sequence[float], ys: Sequence[float], labels: Sequence[str], hovers: Sequence[str], sign: Sign, theme: Theme
) -> dict[str, Any]:
    """A trace of nodes with their labels on their right."""
    return {
        "x": list(xs),
        "y": list(ys),
        "mode": "markers+text",
        "marker": {
            "size": 11,
            "symbol": sign.symbol,
            "color": sign.colour,
            "line": {"color": COLOURS[theme]["background"], "width": 1},
        },
        "text": [f" {plain(label)}" for label in labels],
        "textposition": "middle right",
        "textfont": {"size": 12, "color": COLOURS[theme]["text"]},
        "hovertext": [plain(hover) for hover in hovers],
        "hovertemplate": "%{hovertext}<extra></extra>",
        "cliponaxis": False,
    }


def links(pairs: Sequence[tuple[tuple[float, float], tuple[float, float]]], theme: Theme) -> dict[str, Any]:
    """A trace of the lines between nodes."""
    xs: list[float | None] = []
    ys: list[float | None] = []
    for (x, y), (to_x, to_y) in pairs:
        xs += [x, to_x, None]
        ys += [y, to_y, None]
    line = {"color": COLOURS[theme]["border"], "width": 1.2}
    return {"x": xs, "y": ys, "mode": "lines", "line": line, "hoverinfo": "skip", "showlegend": False}
