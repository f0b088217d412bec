"""Runs by groups of queries: a sign and an interval for each run in each group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from core.judging.agreement import Interval
from dashboard.figures.retrievers.shared import Row, axis_name, frame, looks, marker
from dashboard.figures.theme import COLOURS, Theme
from dashboard.figures.upset import plain, say_why, short

RUN_ROW, GROUP_GAP = 15, 16
LONGEST_GROUP = 26
MOST_GROUPS = 30
FEW = 10
"""Queries below which a group says little."""


@dataclass(frozen=True, slots=True)
class Group:
    """Some of the queries, and what each run is worth on them."""

    name: str
    n: int
    values: tuple[float | None, ...]
    """In the order of the runs; None: no query of the group was scored."""
    intervals: tuple[Interval | None, ...]


def slice_rows(groups: Sequence[Group], names: Sequence[str]) -> list[Row]:
    """Every run in every group."""
    return [
        {
            "Group": group.name,
            "Queries": group.n,
            "Run": name,
            "Value": value,
            "From": None if interval is None else interval.low,
            "To": None if interval is None else interval.high,
        }
        for group in groups
        for name, value, interval in zip(names, group.values, group.intervals, strict=True)
    ]


def slices_figure(groups: Sequence[Group], names: Sequence[str], *, metric: str, by: str, theme: Theme) -> go.Figure:
    """A block for each group, in the order handed in; a row in it for each run."""
    drawn = list(groups[:MOST_GROUPS])
    step = RUN_ROW * len(names) + GROUP_GAP
    title = _title(drawn, names, metric)
    figure = go.Figure(
        layout=frame(
            title=title,
            subtitle=_subtitle(groups),
            description=f"{metric} by {by}, with 95 % intervals. {title}. {_listed(drawn, names)}",
            plot=max(step * len(drawn), 80),
            theme=theme,
            legend=names,
        )
    )
    if not any(value is not None for group in drawn for value in group.values):
        return say_why(figure, "No query that was scored falls into a group.", theme)
    for place, name in enumerate(names):
        figure.add_trace(go.Scatter(**_dots(drawn, place, name, names, step, theme)))
    for row in range(1, len(drawn)):
        at = row * step - GROUP_GAP / 2
        figure.add_shape(
            type="line", xref="paper", x0=0, x1=1, y0=at, y1=at, line={"color": COLOURS[theme]["grid"], "width": 1}
        )
    middles = [row * step + RUN_ROW * (len(names) - 1) / 2 for row in range(len(drawn))]
    figure.update_xaxes(
        title_text=f"{metric}, 0 to 1", range=(-0.02, 1.02), tickvals=(0, 0.25, 0.5, 0.75, 1), fixedrange=True
    )
    figure.update_yaxes(
        range=(step * len(drawn) - GROUP_GAP / 2, -GROUP_GAP / 2 - RUN_ROW / 2),
        tickvals=middles,
        ticktext=[f"{plain(short(group.name, LONGEST_GROUP))}<br>{_queries(group.n)}" for group in drawn],
        showgrid=False,
        fixedrange=True,
    )
    return figure


def _dots(
    groups: Sequence[Group], place: int, name: str, names: Sequence[str], step: float, theme: Theme
) -> dict[str, Any]:
    look = looks(names, theme)[name]
    there = [
        (row, value, group.intervals[place])
        for row, group in enumerate(groups)
        if (value := group.values[place]) is not None
    ]
    return {
        "x": [value for _, value, _ in there],
        "y": [row * step + RUN_ROW * place for row, _, _ in there],
        "mode": "markers",
        "name": axis_name(name),
        "marker": marker(look, theme, size=10),
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": [0 if i is None else i.high - value for _, value, i in there],
            "arrayminus": [0 if i is None else value - i.low for _, value, i in there],
            "color": look.colour,
            "thickness": 1.4,
            "width": 0,
        },
        "hovertext": [
            f"{plain(name)}, {plain(groups[row].name)}: {value:.3f}"
            + ("" if i is None else f" ({i.low:.3f} to {i.high:.3f})")
            + f", {_queries(groups[row].n)}"
            for row, value, i in there
        ],
        "hovertemplate": "%{hovertext}<extra></extra>",
        "cliponaxis": False,
    }


def _queries(n: int) -> str:
    return f"{n:,} {'query' if n == 1 else 'queries'}"


def _subtitle(groups: Sequence[Group]) -> str:
    left_out = len(groups) - MOST_GROUPS
    if left_out > 0:
        return f"Lines: 95 % intervals. {left_out:,} more groups are in the table"
    few = sum(group.n < FEW for group in groups)
    return "Lines: 95 % intervals" + (f". Under {FEW} queries say little" if few else "")


def _title(groups: Sequence[Group], names: Sequence[str], metric: str) -> str:
    """The group in which the runs are farthest apart, of those that are large enough to say something."""
    apart: list[tuple[float, str]] = []
    for group in groups:
        known = [value for value in group.values if value is not None]
        if len(known) > 1 and group.n >= FEW:
            apart.append((max(known) - min(known), group.name))
    if not apart or max(apart)[0] <= 0:
        return f"{metric} by group"
    most, name = max(apart, key=lambda each: each[0])
    return f"Widest gap: {plain(short(name, LONGEST_GROUP))} ({most:.2f})"


def _listed(groups: Sequence[Group], names: Sequence[str]) -> str:
    return "; ".join(
        f"{group.name} ({_queries(group.n)}): "
        + ", ".join(f"{n} {'–' if v is None else f'{v:.3f}'}" for n, v in zip(names, group.values, strict=True))
        for group in groups
    )
