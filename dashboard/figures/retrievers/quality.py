"""What a better ranking costs in time: a metric against the time for a query, with the runs that no other one beats."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from core.judging.agreement import Interval
from dashboard.figures.retrievers.shared import (
    Row,
    axis_name,
    frame,
    log_ticks,
    looks,
    marker,
    milliseconds,
    title_name,
)
from dashboard.figures.theme import COLOURS, Theme
from dashboard.figures.upset import plain, say_why
from dashboard.figures.versions.look import Look

QUALITY_PLOT = 310


@dataclass(frozen=True, slots=True)
class QualitySpot:
    """One run, or one published row."""

    name: str
    value: float
    interval: Interval | None
    p50: float
    """Milliseconds; for a published row what is printed."""
    p95: float | None
    source: str = ""
    """Where a published row stands; empty: measured here."""

    @property
    def is_published(self) -> bool:
        """It was not measured here."""
        return bool(self.source)


def on_edge(spots: Sequence[QualitySpot]) -> list[QualitySpot]:
    """Measured runs that no other one beats in value and in time at once, the fastest first.

    What is published was timed on another machine: it neither is on the edge nor pushes a run off it.
    """
    edge: list[QualitySpot] = []
    for spot in sorted((s for s in spots if not s.is_published), key=lambda s: (s.p50, -s.value)):
        last = edge[-1] if edge else None
        if last is None or spot.value > last.value or (spot.p50, spot.value) == (last.p50, last.value):
            edge.append(spot)
    return edge


def quality_rows(spots: Sequence[QualitySpot]) -> list[Row]:
    """Every run and row that is drawn."""
    edge = {spot.name for spot in on_edge(spots)}
    return [
        {
            "Run": spot.name,
            "Value": spot.value,
            "From": None if spot.interval is None else spot.interval.low,
            "To": None if spot.interval is None else spot.interval.high,
            "p50 (ms)": spot.p50,
            "p95 (ms)": spot.p95,
            "Origin": f"published: {spot.source}" if spot.is_published else "measured",
            "Beaten by none": None if spot.is_published else "yes" if spot.name in edge else "no",
        }
        for spot in spots
    ]


def quality_figure(spots: Sequence[QualitySpot], *, names: Sequence[str], metric: str, theme: Theme) -> go.Figure:
    """A sign for each run, whiskers for its interval and its p95, a stair through those on the edge.

    `names`: all runs in their order, so that each looks as it does elsewhere.
    """
    edge, measured = on_edge(spots), [spot for spot in spots if not spot.is_published]
    title = _title(edge, measured, metric)
    figure = go.Figure(
        layout=frame(
            title=title,
            subtitle="Up: better. Left: faster" + (". Hollow: published" if len(measured) < len(spots) else ""),
            description=f"{metric} against milliseconds per query, logarithmic. {title}. {_listed(spots)}",
            plot=QUALITY_PLOT,
            theme=theme,
            legend=[spot.name + (" (published)" if spot.is_published else "") for spot in spots],
        )
    )
    if not spots:
        return say_why(figure, "No run was timed and scored.", theme)
    low, high = _span(spots)
    if edge:
        figure.add_trace(go.Scatter(**_stair(edge, high, theme)))
    by_name = looks(names, theme)
    for spot in spots:
        figure.add_trace(go.Scatter(**_spot(spot, by_name.get(spot.name), theme)))
    ticks = log_ticks(low, high)
    figure.update_xaxes(
        type="log",
        range=(math.log10(low), math.log10(high)),
        tickvals=ticks,
        ticktext=[f"{tick:,g}" for tick in ticks],
        title_text="Milliseconds for a query, p50 (logarithmic)",
        fixedrange=True,
    )
    figure.update_yaxes(title_text=f"{metric}, 0 to 1", rangemode="tozero", fixedrange=True)
    return figure


def _span(spots: Sequence[QualitySpot]) -> tuple[float, float]:
    low = max(min(spot.p50 for spot in spots), 1e-4)
    high = max(max(spot.p50, spot.p95 or 0.0) for spot in spots)
    return low / 1.6, max(high, low) * 1.6


def _stair(edge: Sequence[QualitySpot], end: float, theme: Theme) -> dict[str, Any]:
    return {
        "x": [*(spot.p50 for spot in edge), end],
        "y": [*(spot.value for spot in edge), edge[-1].value],
        "mode": "lines",
        "line": {"color": COLOURS[theme]["faint"], "width": 1.4, "dash": "dot", "shape": "hv"},
        "hoverinfo": "skip",
        "showlegend": False,
        "name": "Beaten by none",
        "zorder": -1,
    }


def _spot(spot: QualitySpot, look: Look | None, theme: Theme) -> dict[str, Any]:
    seen = look or Look(COLOURS[theme]["faint"], "solid", "circle")
    words = [f"<b>{plain(spot.name)}</b>" + (", published" if spot.is_published else "")]
    words.append(f"{spot.value:.3f}" + ("" if spot.interval is None else f" ({_ends(spot.interval)})"))
    words.append(f"p50 {milliseconds(spot.p50)}" + ("" if spot.p95 is None else f", p95 {milliseconds(spot.p95)}"))
    if spot.is_published:
        words = [words[0], words[1], milliseconds(spot.p50), plain(spot.source)]
    low, high = spot.interval or (spot.value, spot.value)
    whisker = {"color": seen.colour, "thickness": 1.2, "width": 0, "type": "data", "symmetric": False}
    return {
        "x": [spot.p50],
        "y": [spot.value],
        "mode": "markers",
        "name": axis_name(spot.name) + (" (published)" if spot.is_published else ""),
        "marker": marker(seen, theme, size=12, hollow=spot.is_published),
        "error_y": {**whisker, "array": [high - spot.value], "arrayminus": [spot.value - low]},
        "error_x": {**whisker, "array": [(spot.p95 or spot.p50) - spot.p50], "arrayminus": [0]},
        "hovertext": ["<br>".join(words)],
        "hovertemplate": "%{hovertext}<extra></extra>",
        "cliponaxis": False,
    }


def _ends(interval: Interval) -> str:
    return f"{interval.low:.3f} to {interval.high:.3f}"


def _title(edge: Sequence[QualitySpot], measured: Sequence[QualitySpot], metric: str) -> str:
    if not measured:
        return f"{metric} against the time for a query"
    if len(measured) == 1:
        return f"{title_name(measured[0].name)}: {measured[0].value:.3f} in {milliseconds(measured[0].p50)}"
    if len(edge) == 1:
        return f"{title_name(edge[0].name)} is fastest and best"
    return f"{len(edge)} of {len(measured)} runs are beaten by no other"


def _listed(spots: Sequence[QualitySpot]) -> str:
    return "; ".join(
        f"{s.name}{' (published)' if s.is_published else ''} {s.value:.3f} in {milliseconds(s.p50)}" for s in spots
    )
