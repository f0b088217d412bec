"""How long each run took for a query: middle and slow ones, as a whole and by stage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

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
from dashboard.figures.upset import plain, say_why, short
from dashboard.figures.versions.look import Look

STAGE_ROW = 19
STAGE_GAP = 12
LONGEST_STAGE = 22
WIDE = 20.0
"""Times that are this many times apart are drawn on a logarithmic axis."""


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage of one run, over all queries."""

    name: str
    p50: float
    """Milliseconds; half of the queries were faster."""
    p95: float
    """19 of 20 were faster."""


@dataclass(frozen=True, slots=True)
class Times:
    """One run."""

    name: str
    whole: Stage | None
    """The whole answer; None: nothing was timed."""
    stages: tuple[Stage, ...] = ()
    """Its parts in order; they need not add up, since every one has a middle of its own."""
    n: int = 0
    """Queries that were timed."""


def latency_rows(times: Sequence[Times]) -> list[Row]:
    """Every run, as a whole and by stage."""
    return [
        {
            "Run": run.name,
            "Stage": stage.name,
            "p50 (ms)": round(stage.p50, 4),
            "p95 (ms)": round(stage.p95, 4),
            "Queries": run.n,
        }
        for run in times
        for stage in ((run.whole,) if run.whole else ()) + run.stages
    ]


def latency_figure(times: Sequence[Times], *, theme: Theme) -> go.Figure:
    """A block for each run: the whole answer on top, its stages beneath. A sign for p50, a line on to p95."""
    timed = [run for run in times if run.whole is not None]
    places = _places(timed)
    bottom = max((y for block in places for y in block), default=60.0)
    title = _title(timed)
    figure = go.Figure(
        layout=frame(
            title=title,
            subtitle="Sign: p50, half are faster. End of the line: p95",
            description=f"Milliseconds per query. {title}. {_listed(timed)}",
            plot=bottom + 2 * STAGE_ROW,
            theme=theme,
        )
    )
    if not timed:
        return say_why(figure, "No run was timed: a run that is read from a file brings no times.", theme)
    by_name = looks([run.name for run in times], theme)
    for run, block in zip(timed, places, strict=True):
        for trace in _traces(run, block, by_name[run.name], theme):
            figure.add_trace(go.Scatter(**trace))
    _axes(figure, timed, places, bottom)
    return figure


def _places(timed: Sequence[Times]) -> list[list[float]]:
    """Where the rows of each run are, in pixels from the top."""
    places: list[list[float]] = []
    at = 0.0
    for run in timed:
        places.append([at + STAGE_ROW * row for row in range(1 + len(run.stages))])
        at = places[-1][-1] + STAGE_ROW + STAGE_GAP
    return places


def _traces(run: Times, block: Sequence[float], look: Look, theme: Theme) -> list[dict[str, Any]]:
    assert run.whole is not None
    traces: list[dict[str, Any]] = []
    for row, (stage, y) in enumerate(zip((run.whole, *run.stages), block, strict=True)):
        words = (
            f"{plain(run.name)}, {plain(stage.name)}: p50 {milliseconds(stage.p50)}, "
            f"p95 {milliseconds(stage.p95)}, {run.n:,} queries"
        )
        traces.append(
            {
                "x": [stage.p50, stage.p95],
                "y": [y, y],
                "mode": "lines+markers",
                "line": {"color": look.colour, "width": 2.4 if row == 0 else 1.3},
                "marker": {
                    **marker(look, theme),
                    "symbol": [look.symbol, "line-ns"],
                    "size": [12 if row == 0 else 8, 9],
                    "line": {"color": [COLOURS[theme]["background"], look.colour], "width": [1.2, 2]},
                },
                "name": axis_name(run.name),
                "hovertext": [words, words],
                "hovertemplate": "%{hovertext}<extra></extra>",
                "cliponaxis": False,
            }
        )
    return traces


def _axes(figure: go.Figure, timed: Sequence[Times], places: Sequence[Sequence[float]], bottom: float) -> None:
    stages = [stage for run in timed if run.whole for stage in (run.whole, *run.stages)]
    low, high = max(min(s.p50 for s in stages), 1e-4), max(max(s.p95 for s in stages), 1e-3)
    names = [
        words
        for run in timed
        for words in (f"<b>{axis_name(run.name)}</b>", *(plain(short(s.name, LONGEST_STAGE)) for s in run.stages))
    ]
    if high / low > WIDE:
        ticks = log_ticks(low / 2, high * 2)
        words = [f"{tick:,g}" for tick in ticks]
        figure.update_xaxes(type="log", tickvals=ticks, ticktext=words, title_text="Milliseconds, logarithmic")
    else:
        figure.update_xaxes(rangemode="tozero", title_text="Milliseconds")
    figure.update_xaxes(fixedrange=True)
    figure.update_yaxes(
        range=(bottom + STAGE_ROW, -STAGE_ROW),
        tickvals=[y for block in places for y in block],
        ticktext=names,
        showgrid=False,
        fixedrange=True,
    )


def _title(timed: Sequence[Times]) -> str:
    known = sorted((run.whole.p50, run.name) for run in timed if run.whole)
    if not known:
        return "Time for a query"
    if len(known) == 1:
        return f"{title_name(known[0][1])}: {milliseconds(known[0][0])} for a query"
    return f"Fastest: {title_name(known[0][1])}, {milliseconds(known[0][0])} for a query"


def _listed(timed: Sequence[Times]) -> str:
    return "; ".join(
        f"{run.name}: p50 {milliseconds(run.whole.p50)}, p95 {milliseconds(run.whole.p95)}"
        for run in timed
        if run.whole
    )
