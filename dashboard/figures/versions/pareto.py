"""Core recall against records to read, for every version of a topic, with the versions that no other one beats."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from core.comparing.compare import pareto_front
from core.judging.agreement import wilson
from core.metrics import read_per_core
from dashboard.figures.theme import COLOURS, Theme, template
from dashboard.figures.upset import plain, say_why
from dashboard.figures.versions.look import look_of, named

HEIGHT = 380
NOMINAL = (520.0, 250.0)
"""Pixels that the plot is taken to have when its labels are placed; a wider one leaves more room."""
LETTER, LINE = 6.6, 15.0
MOST_LABELS = 14


@dataclass(frozen=True, slots=True)
class ParetoPoint:
    """One version in the picture."""

    label: str
    name: str | None
    n_retrieved: int
    n_found: int
    n_core: int

    @property
    def recall(self) -> float:
        """Core recall."""
        return self.n_found / self.n_core


def on_front(versions: Sequence[ParetoPoint]) -> list[ParetoPoint]:
    """The versions that no other one beats in recall and in size at once, the shortest list first."""
    read = [v for v in versions if v.n_retrieved]
    return [read[i] for i in pareto_front([v.n_retrieved for v in read], [v.n_found for v in read])]


def pareto_rows(versions: Sequence[ParetoPoint]) -> list[dict[str, str | int | float | None]]:
    """Every version as a row of a table."""
    front = {v.label for v in on_front(versions)}
    rows: list[dict[str, str | int | float | None]] = []
    for v in versions:
        low, high = wilson(v.n_found, v.n_core)
        rows.append(
            {
                "Version": v.label,
                "Name": v.name,
                "Retrieved": v.n_retrieved,
                "Core found": v.n_found,
                "Core recall": v.recall,
                "Recall from": low,
                "Recall to": high,
                "To read per core found": read_per_core(n_retrieved=v.n_retrieved, n_found=v.n_found),
                "Beaten by none": "yes" if v.label in front else "no",
            }
        )
    return rows


def pareto_figure(versions: Sequence[ParetoPoint], *, chosen: Sequence[str], theme: Theme) -> go.Figure:
    """Every version as a point; those chosen in their colours, the others grey; a stair through those on the front.

    A version that retrieved nothing has no place on a logarithmic axis: it is named in the caption.
    """
    drawn = [v for v in versions if v.n_retrieved]
    front = on_front(versions)
    figure = go.Figure(layout=_layout(versions, front, theme))
    if not drawn:
        return say_why(figure, "No version has retrieved anything.", theme)
    span = _span(drawn)
    figure.add_trace(go.Scatter(**_stair(front, span, theme)))
    colours = _colours(drawn, chosen, theme)
    for v, (colour, symbol, is_chosen) in zip(drawn, colours, strict=True):
        figure.add_trace(go.Scatter(**_point(v, colour, symbol, is_chosen, theme)))
    for annotation in _labels(drawn, front, chosen, span, theme):
        figure.add_annotation(**annotation)
    figure.update_xaxes(range=span)
    return figure


def _colours(drawn: Sequence[ParetoPoint], chosen: Sequence[str], theme: Theme) -> list[tuple[str, str, bool]]:
    order = {label: i for i, label in enumerate(chosen)}
    out = []
    for v in drawn:
        if v.label in order:
            look = look_of(order[v.label], theme)
            out.append((look.colour, look.symbol, True))
        else:
            out.append((COLOURS[theme]["not_relevant"], "circle", False))
    return out


def _span(drawn: Sequence[ParetoPoint]) -> tuple[float, float]:
    """The ends of the axis as powers of ten."""
    logs = [math.log10(v.n_retrieved) for v in drawn]
    low, high = min(logs), max(logs)
    space = max(0.12 * (high - low), 0.15)
    return low - space, high + space


def _stair(front: Sequence[ParetoPoint], span: tuple[float, float], theme: Theme) -> dict[str, Any]:
    """From version to version: as much recall is had from this size on. It runs on to the end of the axis."""
    x = [float(v.n_retrieved) for v in front]
    y = [v.recall for v in front]
    return {
        "x": [*x, 10 ** span[1]],
        "y": [*y, y[-1]],
        "mode": "lines",
        "line": {"color": COLOURS[theme]["faint"], "width": 1.4, "dash": "dot", "shape": "hv"},
        "hoverinfo": "skip",
        "name": "Beaten by none",
        "zorder": -1,
    }


def _point(v: ParetoPoint, colour: str, symbol: str, is_chosen: bool, theme: Theme) -> dict[str, Any]:
    low, high = wilson(v.n_found, v.n_core)
    name = v.label if v.name is None else f"{v.label}: {v.name}"
    each = read_per_core(n_retrieved=v.n_retrieved, n_found=v.n_found)
    words = [
        f"<b>{plain(name)}</b>",
        f"{v.n_found} of {v.n_core} core publications ({low:.2f} to {high:.2f})",
        f"{v.n_retrieved:,} records to read",
        *([f"{each:,.1f} for each core publication"] if each else []),
    ]
    return {
        "x": [v.n_retrieved],
        "y": [v.recall],
        "mode": "markers",
        "name": plain(v.label),
        "marker": {
            "size": 12 if is_chosen else 8,
            "symbol": symbol,
            "color": colour,
            "line": {"color": COLOURS[theme]["background"], "width": 1.2},
        },
        "error_y": {
            "type": "data",
            "symmetric": False,
            "array": [high - v.recall],
            "arrayminus": [v.recall - low],
            "color": colour,
            "thickness": 1.2 if is_chosen else 0.8,
            "width": 0,
        },
        "hovertext": ["<br>".join(words)],
        "hovertemplate": "%{hovertext}<extra></extra>",
        "cliponaxis": False,
        "zorder": 2 if is_chosen else 1,
    }


Box = tuple[float, float, float, float]


def _labels(
    drawn: Sequence[ParetoPoint],
    front: Sequence[ParetoPoint],
    chosen: Sequence[str],
    span: tuple[float, float],
    theme: Theme,
) -> list[dict[str, Any]]:
    """A name beside each point, the chosen first, wherever it meets nothing; the rest have theirs on hover."""
    fronted = {v.label for v in front}
    places = {v.label: _place(v, span) for v in drawn}
    taken: list[Box] = [(x - 7, y - 7, x + 7, y + 7) for x, y in places.values()]
    order = sorted(drawn, key=lambda v: (v.label not in chosen, v.label not in fronted))
    out: list[dict[str, Any]] = []
    for v in order[:MOST_LABELS]:
        text = named(v.label, v.name)
        found = _free(places[v.label], LETTER * len(text), taken, must=v.label in chosen)
        if found is None:
            continue
        anchor, shift, box = found
        taken.append(box)
        is_chosen = v.label in chosen
        out.append(
            {
                "x": math.log10(v.n_retrieved),
                "y": v.recall,
                "text": f"<b>{plain(text)}</b>" if is_chosen else plain(text),
                "xanchor": anchor,
                "yanchor": "middle",
                "xshift": shift[0],
                "yshift": shift[1],
                "showarrow": False,
                "font": {"size": 12, "color": COLOURS[theme]["text" if is_chosen else "faint"]},
            }
        )
    return out


def _place(v: ParetoPoint, span: tuple[float, float]) -> tuple[float, float]:
    width, height = NOMINAL
    return (math.log10(v.n_retrieved) - span[0]) / (span[1] - span[0]) * width, v.recall * height


def _free(
    at: tuple[float, float], width: float, taken: Sequence[Box], *, must: bool
) -> tuple[str, tuple[int, int], Box] | None:
    """The first side of a point at which words of this width meet nothing. `must`: the one that meets least."""
    x, y = at
    best: tuple[int, tuple[str, tuple[int, int], Box]] | None = None
    for anchor, dx, dy in (
        ("left", 8, 14),
        ("right", -8, 14),
        ("left", 10, 0),
        ("right", -10, 0),
        ("left", 8, -14),
        ("right", -8, -14),
        ("left", 8, 28),
        ("left", 8, -28),
    ):
        left = x + dx if anchor == "left" else x + dx - width
        box = (left, y + dy - LINE / 2, left + width, y + dy + LINE / 2)
        meets = sum(_meet(box, other) for other in taken) + 2 * (left < 0) + 2 * (left + width > NOMINAL[0])
        if not meets:
            return anchor, (dx, dy), box
        if best is None or meets < best[0]:
            best = meets, (anchor, (dx, dy), box)
    return best[1] if must and best else None


def _meet(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _layout(versions: Sequence[ParetoPoint], front: Sequence[ParetoPoint], theme: Theme) -> dict[str, Any]:
    return {
        "template": template(theme),
        "title": {
            "text": _title(versions, front),
            "y": 0.985,
            "yanchor": "top",
            "subtitle": {"text": "Up: more of the core. To the left: less to read."},
        },
        "height": HEIGHT,
        "margin": {"l": 12, "r": 16, "t": 64, "b": 48},
        "showlegend": False,
        "dragmode": False,
        "hovermode": "closest",
        "xaxis": {
            "type": "log",
            "title": {"text": "Publications to read (retrieved, logarithmic)"},
            "tickvals": _ticks(versions),
            "tickformat": ",d",
            "fixedrange": True,
        },
        "yaxis": {
            "title": {"text": "Core recall, 0 to 1"},
            "range": (-0.03, 1.04),
            "tickvals": (0, 0.25, 0.5, 0.75, 1),
            "fixedrange": True,
        },
        "meta": {"description": _description(versions, front)},
    }


def _ticks(versions: Sequence[ParetoPoint]) -> list[float]:
    """Round numbers along the axis, fewer of them the farther it goes."""
    low, high = _span([v for v in versions if v.n_retrieved]) if any(v.n_retrieved for v in versions) else (0.0, 1.0)
    steps = (1, 1.5, 2, 3, 5, 7) if high - low < 1.2 else (1, 3) if high - low < 3 else (1,)
    ticks = [step * 10.0**power for power in range(math.floor(low), math.ceil(high) + 1) for step in steps]
    return [tick for tick in ticks if low <= math.log10(tick) <= high and tick == int(tick)]


def _title(versions: Sequence[ParetoPoint], front: Sequence[ParetoPoint]) -> str:
    n = len(versions)
    if n == 1:
        return "One version: its recall and what there is to read"
    are = "is" if len(front) == 1 else "are"
    return f"{len(front)} of {n} versions {are} beaten by no other"


def _description(versions: Sequence[ParetoPoint], front: Sequence[ParetoPoint]) -> str:
    listed = "; ".join(f"{v.label} {v.n_retrieved:,} retrieved, recall {v.recall:.3f}" for v in versions)
    return (
        f"Core recall against publications retrieved, on a logarithmic axis. {_title(versions, front)}: "
        f"{', '.join(v.label for v in front) or 'none'}. {listed}."
    )
