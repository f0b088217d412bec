"""Differences between engines, or between two sets of queries: a sign and a range each, beside no difference."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import plotly.graph_objects as go

from core.judging.agreement import Interval
from core.judging.scores import JudgeComparison, number
from core.judging.types import Rubric
from dashboard.figures.judge.shared import said_range, whiskers
from dashboard.figures.retrievers.shared import Row, frame
from dashboard.figures.theme import COLOURS, Theme
from dashboard.figures.upset import plain, say_why, short

ROW = 34
LONGEST = 20
MOST = 45

Named = Mapping[str, JudgeComparison]
"""By what each is called on the axis."""


def pair_names(comparisons: tuple[JudgeComparison, ...]) -> Named:
    """Pairs of engines as an axis calls them: the lower one taken from the higher, as sentences put it."""
    turned = [_turned(c) if (c.difference or 0.0) < 0 else c for c in comparisons]
    return {f"{short(c.b, LONGEST)} −\n{short(c.a, LONGEST)}" + " " * place: c for place, c in enumerate(turned)}


def _turned(c: JudgeComparison) -> JudgeComparison:
    """The same, seen from the other side."""
    difference = None if c.difference is None else -c.difference
    interval = None if c.interval is None else Interval(-c.interval.high, -c.interval.low)
    return replace(c, a=c.b, b=c.a, difference=difference, interval=interval)


def difference_rows(named: Named) -> list[Row]:
    """Every pair."""
    return [
        {
            "Pair": " ".join(name.split()),
            "First": c.a,
            "Second": c.b,
            "Second − first": c.difference,
            "From": None if c.interval is None else c.interval.low,
            "To": None if c.interval is None else c.interval.high,
            "p": c.p,
            "p (Holm)": c.p_holm,
            "Queries": c.n_queries,
            "Clear": "yes" if c.is_clear else "no",
        }
        for name, c in named.items()
    ]


def differences_figure(named: Named, *, rubric: Rubric, theme: Theme) -> go.Figure:
    """A row for each. Filled: clear; hollow: not."""
    drawn = {name: c for name, c in named.items() if c.difference is not None}
    drawn = dict(list(drawn.items())[:MOST])
    n_clear = sum(c.is_clear for c in drawn.values())
    title = _title(n_clear, len(drawn))
    figure = go.Figure(
        layout=frame(
            title=title,
            subtitle="Filled: clear. Hollow: not clear. Lines: 95 % ranges",
            description=f"Differences in mean grade. {title}. {' '.join(c.sentence for c in drawn.values())}",
            plot=max(ROW * len(drawn), 80),
            theme=theme,
        )
    )
    if not drawn:
        return say_why(figure, "No two have valid grades for the same query.", theme)
    colours = COLOURS[theme]
    there = [(c.difference or 0.0, c) for c in drawn.values()]
    figure.add_trace(
        go.Scatter(
            x=[value for value, _ in there],
            y=list(range(len(there))),
            mode="markers",
            marker={
                "size": 11,
                "color": colours["relevant"],
                "symbol": ["circle" if c.is_clear else "circle-open" for _, c in there],
                "line": {"width": 1.8, "color": colours["relevant"]},
            },
            hovertext=[_difference_label(c, rubric) for _, c in there],
            hovertemplate="%{hovertext}<extra></extra>",
            cliponaxis=False,
            **whiskers([(value, c.interval) for value, c in there], colours["relevant"], "x"),
        )
    )
    figure.add_vline(x=0, line={"color": colours["border"], "width": 1.5})
    figure.update_xaxes(title_text="Difference in mean grade, 0: none", fixedrange=True)
    figure.update_yaxes(
        tickvals=list(range(len(drawn))),
        ticktext=["<br>".join(plain(short(line.strip(), LONGEST + 4)) for line in name.split("\n")) for name in drawn],
        range=(len(drawn) - 0.5, -0.5),
        showgrid=False,
        fixedrange=True,
    )
    return figure


def _title(n_clear: int, n: int) -> str:
    if not n:
        return "No difference can be worked out"
    if n == 1:
        return "The difference is clear" if n_clear else "The difference is not clear"
    return f"{n_clear:,} of {n:,} differences are clear"


def _difference_label(c: JudgeComparison, rubric: Rubric) -> str:
    ends = "" if c.interval is None else f" ({said_range(c.interval, rubric)})"
    p = "" if c.p_holm is None else f", p {c.p_holm:.3f} after correction"
    return f"{plain(c.b)} − {plain(c.a)}: {number(c.difference or 0.0, rubric.shown_max)}{ends}{p}"
