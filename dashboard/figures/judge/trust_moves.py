"""What moves a judge's grades: a sign and a range for each change of the texts, beside no move at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from core.judging.agreement import Interval
from core.judging.trust.regions import Estimate
from core.judging.types import Rubric
from dashboard.figures.judge.shared import whiskers
from dashboard.figures.retrievers.shared import Row, frame
from dashboard.figures.theme import COLOURS, Theme
from dashboard.figures.upset import plain, say_why

ROW = 34


@dataclass(frozen=True, slots=True)
class Move:
    """One change of the texts."""

    label: str
    shift: Estimate
    """In points of the rubric."""
    share_changed: Estimate
    should_move: bool
    """A good judge lowers the grade, instead of leaving it."""
    n_without: int


def move_rows(moves: Sequence[Move], rubric: Rubric) -> list[Row]:
    """Every change, as scores are shown."""
    return [
        {
            "Change": move.label,
            "Mean shift": _shown(move.shift.value, rubric),
            "From": None if move.shift.interval is None else _shown(move.shift.interval.low, rubric),
            "To": None if move.shift.interval is None else _shown(move.shift.interval.high, rubric),
            "Share with another grade": move.share_changed.value,
            "Triples": move.shift.n,
            "Without a grade": move.n_without,
            "A good judge": "lowers it" if move.should_move else "leaves it",
        }
        for move in moves
    ]


def moves_figure(moves: Sequence[Move], rubric: Rubric, theme: Theme) -> go.Figure:
    """A row for each change. Round: the grade should stay; square: it should fall."""
    drawn = [(move, move.shift.value) for move in moves if move.shift.value is not None]
    title = _title(drawn, rubric)
    figure = go.Figure(
        layout=frame(
            title=title,
            subtitle="Round: should stay at 0. Square: should be below. Lines: 95 %",
            description=f"Mean shift of grades when texts are changed. {title}. "
            + " ".join(f"{_move_label(move, rubric)}." for move, _ in drawn),
            plot=max(ROW * len(drawn), 80),
            theme=theme,
        )
    )
    if not drawn:
        return say_why(figure, "Nothing was changed yet, so nothing is known.", theme)
    colours = COLOURS[theme]
    values = [(rubric.shown(value), _range(move.shift.interval, rubric)) for move, value in drawn]
    figure.add_trace(
        go.Scatter(
            x=[value for value, _ in values],
            y=list(range(len(drawn))),
            mode="markers",
            marker={
                "size": 11,
                "color": colours["relevant"],
                "symbol": ["square" if move.should_move else "circle" for move, _ in drawn],
                "line": {"width": 1.2, "color": colours["background"]},
            },
            hovertext=[plain(_move_label(move, rubric)) for move, _ in drawn],
            hovertemplate="%{hovertext}<extra></extra>",
            cliponaxis=False,
            **whiskers(values, colours["relevant"], "x"),
        )
    )
    figure.add_vline(x=0, line={"color": colours["border"], "width": 1.5})
    ends = [end for value, interval in values for end in (value, *(interval or ()))]
    reach = max(1.1 * max(abs(end) for end in ends), rubric.shown(1) / 4)
    figure.update_xaxes(
        title_text=f"Mean shift of the grade, of {rubric.shown_max:g}", range=(-reach, reach), fixedrange=True
    )
    figure.update_yaxes(
        tickvals=list(range(len(drawn))),
        ticktext=[f"{plain(move.label)}<br>{move.shift.n:,} triples" for move, _ in drawn],
        range=(len(drawn) - 0.5, -0.5),
        showgrid=False,
        fixedrange=True,
    )
    return figure


def _shown(value: float | None, rubric: Rubric) -> float | None:
    return None if value is None else rubric.shown(value)


def _range(interval: Interval | None, rubric: Rubric) -> Interval | None:
    return None if interval is None else Interval(rubric.shown(interval.low), rubric.shown(interval.high))


def _title(drawn: Sequence[tuple[Move, float]], rubric: Rubric) -> str:
    still = [(abs(value), move, value) for move, value in drawn if not move.should_move]
    if not still:
        return "What moves its grades"
    _, move, value = max(still, key=lambda each: each[0])
    if not value:
        return "Nothing moves it that should not"
    return f"{move.label}: {rubric.shown(value):+.1f} of {rubric.shown_max:g}"


def _move_label(move: Move, rubric: Rubric) -> str:
    value = f"{rubric.shown(move.shift.value or 0.0):+.1f}"
    ends = _range(move.shift.interval, rubric)
    between = f" ({ends.low:+.1f} to {ends.high:+.1f})" if ends is not None else ""
    share = "" if move.share_changed.value is None else f", another grade in {100 * move.share_changed.value:.0f} %"
    return f"{move.label}: {value}{between}{share}, {move.shift.n:,} triples"
