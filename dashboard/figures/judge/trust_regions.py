"""How many publications of each grade the regions of semantic precision accept."""

from __future__ import annotations

from collections.abc import Mapping

import plotly.graph_objects as go

from core.judging.agreement import Interval
from core.judging.trust.regions import RegionAgreement
from core.judging.types import Rubric
from dashboard.figures.judge.shared import whiskers
from dashboard.figures.retrievers.shared import Row, frame, looks, marker
from dashboard.figures.theme import Theme
from dashboard.figures.upset import plain, say_why

REGIONS_PLOT = 250
DODGE = 0.06
"""Between the signs of two regions over one grade."""


def region_rows(regions: Mapping[str, RegionAgreement]) -> list[Row]:
    """Every grade of every region."""
    return [
        {
            "Region": name,
            "Grade": part.points,
            "Publications": part.n,
            "Accepted": part.n_accepted,
            "Share": part.share,
            "From": part.interval.low,
            "To": part.interval.high,
        }
        for name, region in regions.items()
        for part in region.by_grade
    ]


def regions_figure(regions: Mapping[str, RegionAgreement], rubric: Rubric, *, theme: Theme) -> go.Figure:
    """A line for each region over the grades: it rises where region and judge agree."""
    names = list(regions)
    title = _title(regions)
    figure = go.Figure(
        layout=frame(
            title=title,
            subtitle="Share of each grade inside the region. Lines: 95 %",
            description=f"Share of publications that each region accepts, by grade. {title}. "
            + " ".join(
                f"{name}: "
                + ", ".join(f"grade {p.points} {100 * p.share:.0f} % of {p.n:,}" for p in region.by_grade)
                + "."
                for name, region in regions.items()
            ),
            plot=REGIONS_PLOT,
            theme=theme,
            legend=names,
        )
    )
    if not any(region.n for region in regions.values()):
        return say_why(figure, "No graded publication lies in reach of a region.", theme)
    _draw_lines(figure, regions, theme)
    figure.update_xaxes(
        title_text="Grade",
        tickvals=list(rubric.points),
        range=(rubric.points[0] - 0.3, rubric.points[-1] + 0.3),
        fixedrange=True,
    )
    figure.update_yaxes(title_text="Accepted, %", range=(-3, 103), tickvals=(0, 25, 50, 75, 100), fixedrange=True)
    return figure


def _draw_lines(figure: go.Figure, regions: Mapping[str, RegionAgreement], theme: Theme) -> None:
    """Side by side where they would cover each other."""
    names = list(regions)
    for place, (name, region) in enumerate(regions.items()):
        look = looks(names, theme)[name]
        at = DODGE * (place - (len(names) - 1) / 2)
        shares = [
            (100 * part.share, Interval(100 * part.interval.low, 100 * part.interval.high)) for part in region.by_grade
        ]
        figure.add_trace(
            go.Scatter(
                x=[part.points + at for part in region.by_grade],
                y=[share for share, _ in shares],
                mode="lines+markers",
                name=plain(name),
                line={"color": look.colour, "dash": look.dash, "width": 1.8},
                marker=marker(look, theme, size=9),
                hovertext=[
                    f"{plain(name)}, grade {part.points}: {part.n_accepted:,} of {part.n:,} accepted"
                    for part in region.by_grade
                ],
                hovertemplate="%{hovertext}<extra></extra>",
                cliponaxis=False,
                **whiskers(shares, look.colour, "y"),
            )
        )


def _title(regions: Mapping[str, RegionAgreement]) -> str:
    known = [(region.kappa.value, name) for name, region in regions.items() if region.kappa.value is not None]
    if not known:
        return "Regions beside grades"
    best, name = max(known)
    return f"{plain(name)} agrees most: kappa {best:.2f}"
