"""A metric of several runs by how far down their rankings one reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from dashboard.figures.retrievers.shared import Row, axis_name, frame, log_ticks, looks, title_name
from dashboard.figures.theme import COLOURS, Theme
from dashboard.figures.upset import plain, say_why
from dashboard.figures.versions.look import Look

BY_K_PLOT = 290


@dataclass(frozen=True, slots=True)
class Curve:
    """One run."""

    name: str
    values: tuple[float | None, ...]
    """At each k; None: there is nothing to score."""


@dataclass(frozen=True, slots=True)
class PublishedDot:
    """What a paper prints for one retriever at one k."""

    name: str
    k: int
    value: float
    source: str


def by_k_rows(curves: Sequence[Curve], ks: Sequence[int], dots: Sequence[PublishedDot] = ()) -> list[Row]:
    """Everything that is drawn."""
    rows: list[Row] = [
        {"Run": curve.name, "k": k, "Value": value, "Origin": "measured"}
        for curve in curves
        for k, value in zip(ks, curve.values, strict=True)
    ]
    return rows + [{"Run": d.name, "k": d.k, "Value": d.value, "Origin": f"published: {d.source}"} for d in dots]


def by_k_figure(
    curves: Sequence[Curve],
    ks: Sequence[int],
    *,
    family: str,
    at: int,
    dots: Sequence[PublishedDot] = (),
    theme: Theme,
) -> go.Figure:
    """A line for each run, in its colour and dash. `at`: the k that the title speaks of."""
    title = _title(curves, ks, family, at)
    described = "; ".join(f"{c.name} {_at(c, ks, at)}" for c in curves)
    figure = go.Figure(
        layout=frame(
            title=title,
            subtitle="Up: better. To the right: more of each ranking is read",
            description=f"{family} by k, from {ks[0]} to {ks[-1]}, logarithmic. {title}. At {at}: {described}.",
            plot=BY_K_PLOT,
            theme=theme,
            legend=[curve.name for curve in curves] + (["published"] if dots else []),
        )
    )
    if not any(value is not None for curve in curves for value in curve.values):
        return say_why(figure, "No query has a relevant document, so there is nothing to score.", theme)
    by_name = looks([curve.name for curve in curves], theme)
    for curve in curves:
        figure.add_trace(go.Scatter(**_line(curve, ks, family, by_name[curve.name])))
    for trace in _dots(dots, theme):
        figure.add_trace(go.Scatter(**trace))
    figure.update_xaxes(
        type="log", title_text="k: documents read of each ranking (logarithmic)", tickvals=log_ticks(ks[0], ks[-1])
    )
    figure.update_yaxes(title_text=f"{family}@k, 0 to 1", rangemode="tozero")
    figure.update_layout(xaxis={"fixedrange": True}, yaxis={"fixedrange": True}, hovermode="x unified")
    return figure


def _line(curve: Curve, ks: Sequence[int], family: str, look: Look) -> dict[str, Any]:
    return {
        "x": list(ks),
        "y": list(curve.values),
        "mode": "lines+markers",
        "name": axis_name(curve.name),
        "line": {"color": look.colour, "dash": look.dash, "width": 2},
        "marker": {"symbol": look.symbol, "size": 6, "color": look.colour, "maxdisplayed": 8},
        "hovertext": [f"{plain(curve.name)}: {'–' if value is None else f'{value:.3f}'}" for value in curve.values],
        "hovertemplate": "%{hovertext}<extra></extra>",
    }


def _dots(dots: Sequence[PublishedDot], theme: Theme) -> list[dict[str, Any]]:
    """One hollow sign for all that is published: it is named on hover, and in the table."""
    if not dots:
        return []
    sign = {"size": 9, "symbol": "circle-open", "color": COLOURS[theme]["faint"], "line": {"width": 1.6}}
    return [
        {
            "x": [dot.k for dot in dots],
            "y": [dot.value for dot in dots],
            "mode": "markers",
            "name": "published",
            "marker": sign,
            "hovertext": [f"{plain(dot.name)}, published: {dot.value:.3f}" for dot in dots],
            "hovertemplate": "%{hovertext}<extra></extra>",
        }
    ]


def _at(curve: Curve, ks: Sequence[int], at: int) -> str:
    value = curve.values[ks.index(at)]
    return "–" if value is None else f"{value:.3f}"


def _title(curves: Sequence[Curve], ks: Sequence[int], family: str, at: int) -> str:
    place = ks.index(at)
    known = [(value, curve.name) for curve in curves if (value := curve.values[place]) is not None]
    if not known:
        return f"{family}@k"
    best = max(value for value, _ in known)
    leading = [name for value, name in known if value == best]
    if len(known) == 1:
        return f"{family}@{at} of {title_name(leading[0])}: {best:.3f}"
    if len(leading) > 1:
        return f"{family}@{at}: {len(leading)} of {len(known)} runs lead ({best:.3f})"
    return f"{family}@{at}: {title_name(leading[0])} leads ({best:.3f})"
