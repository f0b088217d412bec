"""How a number is spread over the queries of sets: a few over one another, many under one another."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from core.knowledge.statistics.query_sets import Counts
from dashboard.figures.knowledge.statistics_frame import roomy_frame
from dashboard.figures.retrievers.shared import Row, axis_name, look_at, title_name
from dashboard.figures.theme import Theme
from dashboard.figures.upset import plain, say_why

SPREADS_PLOT, STRIP = 240, 58
MOST_OVERLAID = 3
MOST_BINS = 24
SKEWED = 40
"""Times that the largest number is the median, from which on bins double."""


@dataclass(frozen=True, eq=False)
class Numbers:
    """One set: a number for each query."""

    name: str
    values: Counts


@dataclass(frozen=True, slots=True)
class Edges:
    """Bins that all sets share."""

    lows: tuple[int, ...]
    highs: tuple[int, ...]
    doubling: bool

    def shares(self, values: Counts) -> list[float]:
        """Of a set's queries in each bin."""
        found = np.searchsorted(np.array(self.lows), values, side="right") - 1
        return [n / max(len(values), 1) for n in np.bincount(found, minlength=len(self.lows)).tolist()]

    def label(self, place: int) -> str:
        low, high = self.lows[place], self.highs[place]
        return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def edges_of(sets: Sequence[Numbers]) -> Edges:
    """Of equal width where that shows enough, else doubling.

    >>> edges_of([Numbers("a", np.array([2, 3, 4]))]).lows
    (2, 3, 4)
    """
    every = np.concatenate([np.zeros(0, np.int64), *(one.values for one in sets)])
    if not len(every):
        return Edges((), (), False)
    least, most = int(every.min()), int(every.max())
    if most > SKEWED * max(float(np.median(every)), 1.0) or most - least > 100 * MOST_BINS:
        lows = [0] * (least == 0) + [2**k for k in range(max(least.bit_length() - 1, 0), most.bit_length())]
        return Edges(tuple(lows), tuple(0 if low == 0 else 2 * low - 1 for low in lows), True)
    width = max(math.ceil((most - least + 1) / MOST_BINS), 1)
    starts = range(least - least % width, most + 1, width)
    return Edges(tuple(starts), tuple(low + width - 1 for low in starts), False)


def spread_rows(sets: Sequence[Numbers], *, what: str) -> list[Row]:
    """Every bin of every set."""
    edges = edges_of(sets)
    return [
        {"Set": one.name, f"{what} from": low, f"{what} to": high, "Share of queries": share}
        for one in sets
        for low, high, share in zip(edges.lows, edges.highs, edges.shares(one.values), strict=True)
    ]


def spreads_figure(sets: Sequence[Numbers], *, what: str, nothing: str, theme: Theme) -> go.Figure:
    """`what`: the number, such as "Words of a query"; `nothing`: what is said where no set has any."""
    known = [one for one in sets if len(one.values)]
    overlaid = len(known) <= MOST_OVERLAID
    medians = {one.name: float(np.median(one.values)) for one in known}
    told = "; ".join(f"{name}: median {median:,g}" for name, median in medians.items())
    figure = go.Figure(
        layout=roomy_frame(
            title=_title(medians, what),
            subtitle="Each set adds up to 100 % of its queries" + (". Line: median" if overlaid else ""),
            description=f"{what} of {len(known):,} sets of queries, share of queries in each bin. {told or nothing}.",
            plot=SPREADS_PLOT if overlaid else STRIP * len(known) + 20,
            theme=theme,
            legend=[one.name for one in known] if overlaid and len(known) > 1 else (),
        )
    )
    if not known:
        return say_why(figure, nothing, theme)
    edges = edges_of(known)
    highest = max(max(edges.shares(one.values)) for one in known)
    for place, one in enumerate(sets):
        if len(one.values):
            base = 0.0 if overlaid else float(known.index(one))
            scale = 1.0 if overlaid else -0.86 / highest
            figure.add_trace(go.Scatter(**_steps(one, place, edges, base=base, scale=scale, theme=theme)))
    if overlaid:
        _mark_medians(figure, sets, medians, edges, theme)
    _axes(figure, known, edges, what=what, overlaid=overlaid)
    return figure


def _steps(one: Numbers, place: int, edges: Edges, *, base: float, scale: float, theme: Theme) -> dict[str, Any]:
    look, shares = look_at(place, theme), edges.shares(one.values)
    xs = [place + side for place in range(len(shares)) for side in (-0.5, 0.5)]
    ys = [base + scale * share for share in shares for _ in (0, 1)]
    hover = [
        f"{plain(one.name)}, {edges.label(bin)}: {share:.1%} of its queries"
        for bin, share in enumerate(shares)
        for _ in (0, 1)
    ]
    return {
        "x": [xs[0], *xs, xs[-1]],
        "y": [base, *ys, base],
        "mode": "lines",
        "name": axis_name(one.name),
        "line": {"color": look.colour, "dash": look.dash, "width": 2, "shape": "linear"},
        "fill": "toself",
        "fillcolor": _faint(look.colour),
        "hovertext": [hover[0], *hover, hover[-1]],
        "hovertemplate": "%{hovertext}<extra></extra>",
        "hoveron": "points",
        "cliponaxis": False,
    }


def _faint(colour: str) -> str:
    red, green, blue = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
    return f"rgba({red},{green},{blue},0.14)"


def _mark_medians(
    figure: go.Figure, sets: Sequence[Numbers], medians: dict[str, float], edges: Edges, theme: Theme
) -> None:
    for place, one in enumerate(sets):
        if one.name in medians:
            look = look_at(place, theme)
            at = _at(medians[one.name], edges)
            line = {"color": look.colour, "dash": look.dash, "width": 1.2}
            figure.add_shape(type="line", x0=at, x1=at, yref="paper", y0=0, y1=1, line=line, layer="below")


def _at(value: float, edges: Edges) -> float:
    """Where a number lies on an axis of bins."""
    place = max(int(np.searchsorted(np.array(edges.lows), value, side="right")) - 1, 0)
    low, high = edges.lows[place], edges.highs[place]
    return place - 0.5 + (value - low + 0.5) / (high - low + 1)


def _axes(figure: go.Figure, known: Sequence[Numbers], edges: Edges, *, what: str, overlaid: bool) -> None:
    step = max(-(-len(edges.lows) // 8), 1)
    figure.update_xaxes(
        title_text=what + (" (bins that double)" if edges.doubling else ""),
        tickvals=list(range(0, len(edges.lows), step)),
        ticktext=[
            f"{low:,}" if low == high else f"{low:,}+"
            for low, high in zip(edges.lows[::step], edges.highs[::step], strict=True)
        ],
        fixedrange=True,
    )
    if overlaid:
        figure.update_yaxes(title_text="Share of queries", tickformat=".0%", rangemode="tozero", fixedrange=True)
        return
    figure.update_yaxes(
        tickvals=list(range(len(known))),
        ticktext=[axis_name(one.name) for one in known],
        range=(len(known) - 0.9, -1.0),
        showgrid=False,
        fixedrange=True,
    )


def _title(medians: dict[str, float], what: str) -> str:
    if not medians:
        return what
    low, high = min(medians, key=medians.__getitem__), max(medians, key=medians.__getitem__)
    if medians[low] == medians[high]:
        return f"{what}: median {medians[low]:,g}" + (" in every set" if len(medians) > 1 else "")
    return f"{what}: median {medians[low]:,g} ({title_name(low)}) to {medians[high]:,g} ({title_name(high)})"
