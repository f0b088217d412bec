"""Mean grades by rank: whether engines put what is relevant first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import plotly.graph_objects as go

from core.judging.means import Cell
from core.judging.scores import number
from core.judging.types import Rubric
from dashboard.figures.judge.shared import said_cell, scale_of, score_axis
from dashboard.figures.retrievers.shared import Row, axis_name, frame, looks, title_name
from dashboard.figures.theme import Theme
from dashboard.figures.upset import plain, say_why
from dashboard.figures.versions.look import Look

RANKS_PLOT = 290
LITTLE = 0.01
"""Of the scale: by less, a grade does not fall."""

Ranks = Mapping[str, Mapping[int, Cell]]
"""By engine and rank."""


def rank_rows(ranks: Ranks) -> list[Row]:
    """Every engine at every rank."""
    return [
        {
            "Engine": engine,
            "Rank": rank,
            "Mean grade": cell.mean.value,
            "From": None if cell.mean.interval is None else cell.mean.interval.low,
            "To": None if cell.mean.interval is None else cell.mean.interval.high,
            "Queries": cell.mean.n,
            "Coverage": cell.coverage,
        }
        for engine, cells in ranks.items()
        for rank, cell in cells.items()
    ]


def ranks_figure(ranks: Ranks, *, rubric: Rubric, theme: Theme) -> go.Figure:
    """A line for each engine, in its colour and dash."""
    title = _title(ranks, rubric)
    engines = list(ranks)
    figure = go.Figure(
        layout=frame(
            title=title,
            subtitle="Up: more relevant. Falling: its order is worth it",
            description=f"Mean grade by rank. {title}. {_listed(ranks, rubric)}",
            plot=RANKS_PLOT,
            theme=theme,
            legend=engines,
        )
    )
    if not any(cell.mean.n for cells in ranks.values() for cell in cells.values()):
        return say_why(figure, "Nothing at any rank has a valid grade.", theme)
    by_name = looks(engines, theme)
    for engine, cells in ranks.items():
        figure.add_trace(go.Scatter(**_line(engine, cells, rubric, by_name[engine])))
    last = max((rank for cells in ranks.values() for rank in cells), default=1)
    figure.update_xaxes(
        title_text="Rank, 1 is the first", range=(0.5, last + 0.5), tickvals=_ticks(last), fixedrange=True
    )
    figure.update_yaxes(**score_axis(rubric))
    return figure


def _line(engine: str, cells: Mapping[int, Cell], rubric: Rubric, look: Look) -> dict[str, Any]:
    return {
        "x": list(cells),
        "y": [cell.mean.value for cell in cells.values()],
        "mode": "lines+markers",
        "name": axis_name(engine),
        "line": {"color": look.colour, "dash": look.dash, "width": 2},
        "marker": {"symbol": look.symbol, "size": 7, "color": look.colour},
        "hovertext": [f"{plain(engine)}, rank {rank}: {said_cell(cell, rubric)}" for rank, cell in cells.items()],
        "hovertemplate": "%{hovertext}<extra></extra>",
    }


def _ticks(last: int) -> list[int]:
    if last <= 10:
        return list(range(1, last + 1))
    return [1, *range(5 if last <= 25 else 10, last + 1, 5 if last <= 25 else 10)]


def _falls(ranks: Ranks) -> Sequence[tuple[float, str]]:
    """How far each engine falls from its first half of the ranks to the second, where enough queries say so."""
    found = []
    for engine, cells in ranks.items():
        known = [cell.mean.value for cell in cells.values() if cell.mean.value is not None and not cell.is_small]
        half = len(known) // 2
        if half:
            found.append((sum(known[:half]) / half - sum(known[-half:]) / half, engine))
    return found


def _title(ranks: Ranks, rubric: Rubric) -> str:
    """Whose order is worth most."""
    falls = _falls(ranks)
    if not falls:
        return "Mean grade by rank"
    most, engine = max(falls, key=lambda each: each[0])
    low, high = scale_of(rubric)
    if most < LITTLE * (high - low):
        return "No order is worth much: grades don't fall"
    by = number(most, rubric.shown_max)
    return f"{title_name(engine)}: later ranks {by} lower"


def _listed(ranks: Ranks, rubric: Rubric) -> str:
    return "; ".join(
        f"{engine}: " + ", ".join(f"rank {rank} {said_cell(cell, rubric)}" for rank, cell in list(cells.items())[:10])
        for engine, cells in ranks.items()
    )
