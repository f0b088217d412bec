"""How people rated queries: for each quality a bar of five parts, those above the middle to the right."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from dashboard.figures.ramps import even_ramp, lab_of
from dashboard.figures.retrievers.shared import Row, frame
from dashboard.figures.theme import COLOURS, Theme
from dashboard.figures.upset import plain, say_why

RATING_BAR, SMALLEST_TEXT = 46, 10
"""Pixels of a row; the size below which a part goes without its words."""


@dataclass(frozen=True, slots=True)
class RatedQuality:
    """How often a quality was given each number of points."""

    label: str
    counts: tuple[int, ...]
    """Of 1, 2, 3, 4 and 5 points."""
    lowest: str = ""
    """What 1 means."""
    highest: str = ""

    @property
    def n(self) -> int:
        return sum(self.counts)


def rating_colours(theme: Theme) -> tuple[str, ...]:
    """For 1 to 5 points: two that are bad, a middle without colour, two that are good."""
    colours = COLOURS[theme]
    bad = even_ramp([colours["third"], colours["background"]], 5)
    good = even_ramp([colours["relevant"], colours["background"]], 5)
    middle = even_ramp([colours["not_relevant"], colours["background"]], 5)
    return bad[0], bad[2], middle[2], good[2], good[0]


def rating_rows(rated: Sequence[RatedQuality]) -> list[Row]:
    """Every part of every bar."""
    return [
        {
            "Quality": quality.label,
            "Points": points,
            "Ratings": n,
            "Share": n / quality.n if quality.n else None,
        }
        for quality in rated
        for points, n in enumerate(quality.counts, 1)
    ]


def ratings_figure(rated: Sequence[RatedQuality], *, title: str, theme: Theme) -> go.Figure:
    """A row for each quality; half of the ratings with 3 points are on either side of the middle."""
    names = [f"{points} points" if points > 1 else "1 point" for points in range(1, 6)]
    figure = go.Figure(
        layout=frame(
            title=plain(title),
            subtitle="Share of ratings by points; 3 stands in the middle",
            description=f"{title}. {_said(rated)}",
            plot=RATING_BAR * max(len(rated), 1),
            theme=theme,
            legend=names,
        )
    )
    if not any(quality.n for quality in rated):
        return say_why(figure, "Nothing was rated yet.", theme)
    there = [quality for quality in rated if quality.n]
    for points, (name, colour) in enumerate(zip(names, rating_colours(theme), strict=True), 1):
        figure.add_trace(_part(there, points, name, colour, theme))
    figure.add_vline(x=0, line={"color": COLOURS[theme]["faint"], "width": 1}, layer="below")
    figure.update_layout(barmode="overlay", bargap=0.3, uniformtext={"mode": "hide", "minsize": SMALLEST_TEXT})
    figure.update_xaxes(
        title_text="Share of ratings, %",
        range=_reach(there),
        tickvals=[step / 4 for step in range(-4, 5)],
        ticktext=[f"{25 * abs(step)}" for step in range(-4, 5)],
        fixedrange=True,
    )
    figure.update_yaxes(autorange="reversed", showgrid=False, fixedrange=True)
    return figure


def _reach(rated: Sequence[RatedQuality]) -> tuple[float, float]:
    """As far to both sides as the longest bar, in steps of a quarter, and a little more."""
    ends = [abs(end) for each in rated for end in (starts(each.counts)[0], starts(each.counts)[0] + 1)]
    reach = math.ceil(4 * max(ends) - 1e-9) / 4 + 0.02
    return -reach, reach


def starts(counts: Sequence[int]) -> tuple[float, ...]:
    """Where each part of a bar begins, in shares, so that the middle of the middle part is at 0.

    >>> starts((1, 1, 2, 0, 0))
    (-0.75, -0.5, -0.25, 0.25, 0.25)
    """
    n = sum(counts)
    left = -(counts[0] + counts[1] + counts[2] / 2)
    return tuple((left + sum(counts[:part])) / n for part in range(len(counts)))


def _part(rated: Sequence[RatedQuality], points: int, name: str, colour: str, theme: Theme) -> go.Bar:
    shares = [quality.counts[points - 1] / quality.n for quality in rated]
    is_dark = lab_of(colour)[0] < 60
    return go.Bar(
        x=shares,
        y=[plain(f"{quality.label} ({quality.n:,})") for quality in rated],
        base=[starts(quality.counts)[points - 1] for quality in rated],
        orientation="h",
        name=name,
        text=[f"{share:.0%}" if share else "" for share in shares],
        textposition="inside",
        insidetextanchor="middle",
        textangle=0,
        textfont={"color": "#ffffff" if is_dark else "#111318", "size": 12},
        marker={"color": colour, "line": {"color": COLOURS[theme]["background"], "width": 1}},
        customdata=[[quality.counts[points - 1], quality.n] for quality in rated],
        hovertemplate=f"{name}: %{{customdata[0]:,}} of %{{customdata[1]:,}} ratings<extra></extra>",
        constraintext="inside",
    )


def _said(rated: Sequence[RatedQuality]) -> str:
    """In words, for those who don't see it."""
    return " ".join(
        f"{quality.label}: "
        + ", ".join(f"{points} {n / quality.n:.0%}" for points, n in enumerate(quality.counts, 1))
        + f" of {quality.n:,} ratings."
        for quality in rated
        if quality.n
    )
