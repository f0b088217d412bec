"""A judge's stated confidence: against what people say, or only how grades spread over it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from core.judging.agreement import Interval
from core.judging.calibration import Bin, Calibration, Finding
from core.judging.means import SMALL
from core.judging.types import HIGHEST_CONFIDENCE, Rubric
from dashboard.figures.judge.shared import grade_colours, percent, whiskers
from dashboard.figures.retrievers.shared import Row, frame
from dashboard.figures.theme import COLOURS, Theme
from dashboard.figures.upset import plain, say_why, short

CONFIDENCE_PLOT = 260
_TITLES: Mapping[Finding, str] = {
    "more": "Right more often where it is sure",
    "less": "Right less often where it is sure",
    "unclear": "Not clear if right where it is sure",
    "none": "What confidence means can't be said",
}
CONFIDENCES = tuple(range(HIGHEST_CONFIDENCE + 1))


def confidence_rows(found: Calibration, rubric: Rubric) -> list[Row]:
    """Every stated confidence."""
    return [
        {
            "Confidence": each.confidence,
            "Triples": each.n,
            "Mean grade": each.mean,
            **{f"{grade.points} {grade.name}": each.levels[grade.points] for grade in rubric.grades},
            "Graded by people": each.n_both,
            "Same grade": each.share_same,
            "From": None if each.interval is None else each.interval.low,
            "To": None if each.interval is None else each.interval.high,
            "Mean distance": each.mean_gap,
        }
        for each in found.bins
    ]


def agreement_figure(found: Calibration, *, theme: Theme) -> go.Figure:
    """How often people give the same grade, by stated confidence. Hollow: too few."""
    bins = [each for each in found.bins if each.n_both]
    title = _TITLES[found.finding]
    small = any(each.is_small for each in bins)
    listed = "; ".join(f"{each.confidence}: {percent(each.share_same or 0)} of {each.n_both:,}" for each in bins)
    figure = go.Figure(
        layout=frame(
            title=title,
            subtitle="Lines: 95 % ranges" + (f". Hollow: under {SMALL} triples" if small else ""),
            description=f"Share of triples with a person's grade that equals the judge's, by confidence. {listed}.",
            plot=CONFIDENCE_PLOT,
            theme=theme,
        )
    )
    if not bins:
        return say_why(figure, "No person has graded any of this.", theme)
    colour = COLOURS[theme]["relevant"]
    figure.add_trace(
        go.Scatter(
            x=[each.confidence for each in bins],
            y=[100 * (each.share_same or 0) for each in bins],
            mode="markers",
            marker={
                "size": 11,
                "color": colour,
                "symbol": ["circle-open" if each.is_small else "circle" for each in bins],
                "line": {"width": 1.8, "color": colour},
            },
            hovertext=[_bin_label(each) for each in bins],
            hovertemplate="%{hovertext}<extra></extra>",
            cliponaxis=False,
            **whiskers([_in_percent(each) for each in bins], colour, "y"),
        )
    )
    _confidence_axis(figure)
    figure.update_yaxes(title_text="Same grade as a person, %", range=(-2, 102), fixedrange=True)
    return figure


def _in_percent(each: Bin) -> tuple[float, Interval | None]:
    interval = None if each.interval is None else Interval(100 * each.interval.low, 100 * each.interval.high)
    return 100 * (each.share_same or 0.0), interval


def _bin_label(each: Bin) -> str:
    return f"Confidence {each.confidence}: same grade for {each.n_same:,} of {each.n_both:,}"


def _confidence_axis(figure: go.Figure) -> None:
    figure.update_xaxes(
        title_text="Stated confidence, 0 to 10",
        range=(-0.6, HIGHEST_CONFIDENCE + 0.6),
        tickvals=CONFIDENCES,
        fixedrange=True,
    )


def spread_figure(found: Calibration, rubric: Rubric, *, theme: Theme) -> go.Figure:
    """How many triples got each confidence, in the colours of their grades."""
    names = [str(points) for points in reversed(rubric.points)]
    title = _title(found.bins)
    listed = "; ".join(f"{each.confidence}: {each.n:,}" for each in found.bins)
    figure = go.Figure(
        layout=frame(
            title=title,
            subtitle="At the foot: the highest grade",
            description=f"Triples by stated confidence, in the colours of their grades. {title}. {listed}.",
            plot=CONFIDENCE_PLOT,
            theme=theme,
            legend=names,
        )
    )
    if not found.bins:
        return say_why(figure, "The judge stated no confidence.", theme)
    for grade in reversed(rubric.grades):
        counts = [each.levels[grade.points] for each in found.bins]
        figure.add_trace(
            go.Bar(
                x=[each.confidence for each in found.bins],
                y=counts,
                name=str(grade.points),
                marker={
                    "color": grade_colours(rubric, theme)[grade.points],
                    "line": {"color": COLOURS[theme]["background"], "width": 1},
                },
                hovertext=[
                    f"Confidence {each.confidence}, {grade.points} {plain(short(grade.name, 40))}: {n:,} of {each.n:,}"
                    for each, n in zip(found.bins, counts, strict=True)
                ],
                hovertemplate="%{hovertext}<extra></extra>",
            )
        )
    figure.update_layout(barmode="stack", bargap=0.2)
    _confidence_axis(figure)
    figure.update_yaxes(title_text="Triples", rangemode="tozero", tickformat=",d", fixedrange=True)
    return figure


def _title(bins: Sequence[Bin]) -> str:
    if not bins:
        return "No confidence was stated"
    most = max(bins, key=lambda each: each.n)
    share = most.n / sum(each.n for each in bins)
    return f"Confidence {most.confidence} is stated most ({percent(share)})"
