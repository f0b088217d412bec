"""How much there is of each kind: a bar for each, the most on top."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from dashboard.figures.knowledge.statistics_frame import roomy_frame
from dashboard.figures.retrievers.shared import Row, wrap
from dashboard.figures.theme import COLOURS, Theme
from dashboard.figures.upset import plain, say_why, short

COUNT_BAR, BAR_OF_TWO_LINES = 26, 34
BAR_NAME_LINE, LONGEST_BAR_NAME, LONGEST_IN_TITLE = 24, 44, 30
"""Letters of a line of a bar's name, of all of it, and of it in the title."""
MOST_BARS = 40
FEW = 5
"""Up to so many are counted one by one on the axis."""
BAR_ROOM = 1.32
"""How far the axis goes beyond the longest bar, so that its number fits."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One kind."""

    name: str
    n: int
    colour: str | None = None
    """None: that of all."""
    in_title: str | None = None
    """What it is called in the title; None: as on the axis."""


def bar_rows(bars: Sequence[Bar], *, what: str, unit: str) -> list[Row]:
    """Every kind. `what`: what the kinds are of; `unit`: what is counted."""
    return [{what: bar.name, unit: bar.n} for bar in bars]


def bars_figure(bars: Sequence[Bar], *, what: str, unit: str, theme: Theme) -> go.Figure:
    """Horizontal bars with their numbers."""
    drawn = sorted(bars, key=lambda bar: -bar.n)[:MOST_BARS]
    total = sum(bar.n for bar in bars)
    names = [_lines(bar.name) for bar in drawn]
    row = BAR_OF_TWO_LINES if any("<br>" in name for name in names) else COUNT_BAR
    more = f". {len(bars) - len(drawn):,} more are in the table" if len(bars) > len(drawn) else ""
    listed = ", ".join(f"{bar.name} {bar.n:,}" for bar in drawn)
    figure = go.Figure(
        layout=roomy_frame(
            title=_title(drawn, total, unit),
            subtitle=f"{unit} of {len(bars):,} {'type' if len(bars) == 1 else 'types'}, the most on top{more}",
            description=f"{unit} by {what.lower()}: {listed or 'none'}.",
            plot=max(row * len(drawn), 80),
            theme=theme,
        )
    )
    if not drawn:
        return say_why(figure, f"There are no {unit.lower()}.", theme)
    colours = COLOURS[theme]
    figure.add_trace(
        go.Bar(
            x=[bar.n for bar in drawn],
            y=list(range(len(drawn))),
            orientation="h",
            marker={"color": [bar.colour or colours["relevant"] for bar in drawn]},
            text=[f"{bar.n:,}" for bar in drawn],
            textposition="outside",
            cliponaxis=False,
            hovertext=[f"{plain(bar.name)}: {bar.n:,} ({bar.n / max(total, 1):.1%})" for bar in drawn],
            hovertemplate="%{hovertext}<extra></extra>",
            width=0.62,
        )
    )
    most = max(max(bar.n for bar in drawn), 1)
    ticks: dict[str, int | str] = {"nticks": 4, "tickformat": "~s"} if most > FEW else {"dtick": 1}
    figure.update_xaxes(title_text=unit, range=(0, BAR_ROOM * most), fixedrange=True, **ticks)
    figure.update_yaxes(
        tickvals=list(range(len(drawn))),
        ticktext=names,
        range=(len(drawn) - 0.5, -0.5),
        showgrid=False,
        fixedrange=True,
    )
    return figure


def _title(drawn: Sequence[Bar], total: int, unit: str) -> str:
    if not drawn or not total:
        return f"No {unit.lower()}"
    name = short(drawn[0].in_title or drawn[0].name, LONGEST_IN_TITLE)
    name = plain(name[:1].upper() + name[1:])
    if total == 1:
        return f"{name}: the only one"
    return f"{name}: {100 * drawn[0].n / total:.0f} % of {total:,} {unit.lower()}"


def _lines(name: str) -> str:
    """A name on one line or two."""
    lines = wrap(short(name, LONGEST_BAR_NAME), BAR_NAME_LINE)
    return "<br>".join(plain(short(line, LONGEST_BAR_NAME - 12)) for line in lines[:2])
