"""Mean grades by kind of query: a sign and a range for each engine in each group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import plotly.graph_objects as go

from core.judging.means import SMALL, Cell
from core.judging.scores import number
from core.judging.types import Rubric
from dashboard.figures.judge.shared import queries, said_cell, scale_name, score_axis, whiskers
from dashboard.figures.retrievers.shared import Row, axis_name, frame, looks, marker
from dashboard.figures.theme import COLOURS, Theme
from dashboard.figures.upset import plain, say_why, short

ENGINE_ROW, BETWEEN = 15, 16
LONGEST_VALUE = 26
MOST_VALUES = 30

Groups = Mapping[str, Mapping[str, Cell]]
"""By value of the dimension, then engine."""


def dimension_rows(groups: Groups, dimension: str) -> list[Row]:
    """Every engine in every group, with what it rests on."""
    return [
        {
            dimension: value,
            "Engine": engine,
            "Mean grade": cell.mean.value,
            "From": None if cell.mean.interval is None else cell.mean.interval.low,
            "To": None if cell.mean.interval is None else cell.mean.interval.high,
            "Queries": cell.mean.n,
            "Without a grade": cell.n_queries - cell.mean.n,
            "Coverage": cell.coverage,
            "Says little": f"under {SMALL} queries" if cell.is_small else "",
        }
        for value, cells in groups.items()
        for engine, cell in cells.items()
    ]


def dimension_figure(
    groups: Groups, engines: Sequence[str], *, dimension: str, rubric: Rubric, theme: Theme
) -> go.Figure:
    """A block for each group, in the order handed in; a row in it for each engine. Hollow: too few queries."""
    drawn = dict(list(groups.items())[:MOST_VALUES])
    step = ENGINE_ROW * len(engines) + BETWEEN
    title = _title(drawn, rubric)
    figure = go.Figure(
        layout=frame(
            title=title,
            subtitle=_subtitle(groups),
            description=f"{scale_name(rubric)}, by {dimension}, with 95 % ranges. {title}. {_listed(drawn, rubric)}",
            plot=max(step * len(drawn), 80),
            theme=theme,
            legend=engines,
        )
    )
    if not any(cell.mean.n for cells in drawn.values() for cell in cells.values()):
        return say_why(figure, "No query of any group has a valid grade.", theme)
    for place, engine in enumerate(engines):
        figure.add_trace(go.Scatter(**_dots(drawn, place, engine, engines, rubric, theme)))
    for row in range(1, len(drawn)):
        at = row * step - BETWEEN / 2
        figure.add_shape(
            type="line", xref="paper", x0=0, x1=1, y0=at, y1=at, line={"color": COLOURS[theme]["grid"], "width": 1}
        )
    figure.update_xaxes(**score_axis(rubric))
    figure.update_yaxes(
        range=(step * len(drawn) - BETWEEN / 2, -BETWEEN / 2 - ENGINE_ROW / 2),
        tickvals=[row * step + ENGINE_ROW * (len(engines) - 1) / 2 for row in range(len(drawn))],
        ticktext=[_tick(value, cells) for value, cells in drawn.items()],
        showgrid=False,
        fixedrange=True,
    )
    return figure


def _dots(
    groups: Groups, place: int, engine: str, engines: Sequence[str], rubric: Rubric, theme: Theme
) -> dict[str, Any]:
    look, step = looks(engines, theme)[engine], ENGINE_ROW * len(engines) + BETWEEN
    there = [
        (row, name, cell, cell.mean.value)
        for row, (name, cells) in enumerate(groups.items())
        if (cell := cells[engine]).mean.value is not None
    ]
    sign = marker(look, theme, size=10)
    sign["symbol"] = [f"{look.symbol}-open" if cell.is_small else look.symbol for _, _, cell, _ in there]
    # The edge parts signs that overlap; on a hollow one it is all there is.
    sign["line"] = {
        "color": [look.colour if cell.is_small else sign["line"]["color"] for _, _, cell, _ in there],
        "width": [1.8 if cell.is_small else 1.2 for _, _, cell, _ in there],
    }
    return {
        "x": [value for *_, value in there],
        "y": [row * step + ENGINE_ROW * place for row, *_ in there],
        "mode": "markers",
        "name": axis_name(engine),
        "marker": sign,
        "hovertext": [f"{plain(engine)}, {plain(name)}: {said_cell(cell, rubric)}" for _, name, cell, _ in there],
        "hovertemplate": "%{hovertext}<extra></extra>",
        "cliponaxis": False,
        **whiskers([(value or 0.0, cell.mean.interval) for _, _, cell, value in there], look.colour, "x"),
    }


def _n(cells: Mapping[str, Cell]) -> int:
    return max((cell.n_queries for cell in cells.values()), default=0)


def _tick(value: str, cells: Mapping[str, Cell]) -> str:
    return f"{plain(short(value, LONGEST_VALUE))}<br>{queries(_n(cells))}"


def _subtitle(groups: Groups) -> str:
    left_out = len(groups) - MOST_VALUES
    if left_out > 0:
        return f"Lines: 95 % ranges. {left_out:,} more groups are in the table"
    small = any(cell.is_small for cells in groups.values() for cell in cells.values())
    return "Lines: 95 % ranges" + (f". Hollow: under {SMALL} queries" if small else "")


def _title(groups: Groups, rubric: Rubric) -> str:
    """The group in which the engines are farthest apart, or with one engine the highest and lowest group."""
    apart: list[tuple[float, str]] = []
    single: list[tuple[float, str]] = []
    for name, cells in groups.items():
        known = [cell.mean.value for cell in cells.values() if cell.mean.value is not None and not cell.is_small]
        if len(known) > 1:
            apart.append((max(known) - min(known), name))
        elif known and len(cells) == 1:
            single.append((known[0], name))
    if apart and max(apart)[0] > 0:
        most, name = max(apart, key=lambda each: each[0])
        return f"Widest gap: {plain(short(name, 24))} ({number(most, rubric.shown_max)})"
    if len(single) > 1 and max(single)[0] > min(single)[0]:
        high, low = (plain(short(end(single)[1], 14)) for end in (max, min))
        return f"Highest: {high}, lowest: {low}"
    return "Mean grade by kind of query"


def _listed(groups: Groups, rubric: Rubric) -> str:
    return "; ".join(
        f"{name} ({queries(_n(cells))}): "
        + ", ".join(f"{engine} {said_cell(cell, rubric)}" for engine, cell in cells.items())
        for name, cells in groups.items()
    )
