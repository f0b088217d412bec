"""A judge's grades against other grades of the same: a table of how often two came together, and shares of each."""

from __future__ import annotations

import html
from collections.abc import Mapping

import plotly.graph_objects as go

from core.judging.types import Rubric
from dashboard.figures.heat import Cell, Group, HeatWords, heat_figure
from dashboard.figures.retrievers.shared import LONGEST_TITLE, Row, axis_name, frame, looks
from dashboard.figures.theme import COLOURS, Theme
from dashboard.figures.upset import plain, say_why, short

BARS = 220
LONGEST_GRADE = 22


def table_rows(table: Mapping[tuple[int, int], int], judge: str, other: str) -> list[Row]:
    """Every pair of grades."""
    return [{judge: a, other: b, "Triples": n} for (a, b), n in sorted(table.items())]


def table_figure(
    table: Mapping[tuple[int, int], int], rubric: Rubric, *, judge: str, other: str, theme: Theme
) -> go.Figure:
    """Rows: the judge's grades; columns: the others'. On the diagonal both gave the same."""
    points = rubric.points
    n = sum(table.values())
    same = sum(table.get((value, value), 0) for value in points)
    share = f"{100 * same / n:.0f} %" if n else "–"
    names = {grade.points: f"{grade.points} {short(grade.name, LONGEST_GRADE)}" for grade in rubric.grades}
    words = HeatWords(
        f"The same grade in {share} of {n:,}",
        "Triples by grade; diagonal: the same",
        f"How often {judge} (rows) and {other} (columns) gave which grades. The same in {share} of {n:,}. "
        + "; ".join(f"{a} and {b}: {count:,}" for (a, b), count in sorted(table.items())),
    )
    cells = [
        [_cell(table.get((value, given), 0), f"{judge} {value}, {other} {given}") for given in points]
        for value in points
    ]
    figure = heat_figure(
        words,
        [names[value] for value in points],
        [Group(plain(short(other, 30)), tuple(str(value) for value in points))],
        cells,
        scale="amount",
        end=max([*table.values(), 1]),
        theme=theme,
    )
    for place in range(len(points)):
        figure.add_shape(
            type="rect",
            x0=place - 0.48,
            x1=place + 0.48,
            y0=place - 0.46,
            y1=place + 0.46,
            line={"color": COLOURS[theme]["faint"], "width": 1.2},
        )
    return figure


def _cell(n: int, who: str) -> Cell:
    return Cell(float(n), f"{n:,}" if n else "", f"{who}: {n:,}")


Rates = Mapping[int, float]


def rate_rows(rates: Mapping[str, Rates], rubric: Rubric) -> list[Row]:
    """Every share."""
    return [
        {"Who": who, "Grade": grade.points, "Meaning": grade.name, "Share": shares.get(grade.points, 0.0)}
        for who, shares in rates.items()
        for grade in rubric.grades
    ]


def rates_figure(rates: Mapping[str, Rates], rubric: Rubric, *, theme: Theme) -> go.Figure:
    """How often each gave each grade: a bar for each of them over each grade."""
    names = list(rates)
    title = _widest(rates, rubric)
    figure = go.Figure(
        layout=frame(
            title=title,
            subtitle="Share of each grade among what all of them graded",
            description=f"How often each grade was given. {title}. "
            + " ".join(
                f"{who}: " + ", ".join(f"{value} {100 * share:.0f} %" for value, share in shares.items()) + "."
                for who, shares in rates.items()
            ),
            plot=BARS,
            theme=theme,
            legend=names,
        )
    )
    if not any(rates.values()):
        return say_why(figure, "Nothing was graded by both.", theme)
    styles = looks(names, theme)
    for who, shares in rates.items():
        values = [100 * shares.get(grade.points, 0.0) for grade in rubric.grades]
        figure.add_trace(
            go.Bar(
                x=[str(grade.points) for grade in rubric.grades],
                y=values,
                name=axis_name(who),
                marker={"color": styles[who].colour},
                hovertext=[
                    f"{plain(who)}: {value:.0f} % {grade.points} {plain(grade.name)}"
                    for value, grade in zip(values, rubric.grades, strict=True)
                ],
                hovertemplate="%{hovertext}<extra></extra>",
            )
        )
    figure.update_layout(barmode="group", bargap=0.3, bargroupgap=0.08)
    figure.update_xaxes(title_text="Grade", type="category", showgrid=False, fixedrange=True)
    figure.update_yaxes(title_text="Share, %", rangemode="tozero", fixedrange=True)
    return figure


def _widest(rates: Mapping[str, Rates], rubric: Rubric) -> str:
    """The grade of which the shares are farthest apart."""
    if len(rates) < 2 or not all(rates.values()):
        return "How often each grade is given"
    apart = []
    for grade in rubric.grades:
        shares = sorted((each.get(grade.points, 0.0), who) for who, each in rates.items())
        apart.append((shares[-1][0] - shares[0][0], grade.points, shares))
    most, points, shares = max(apart, key=lambda each: each[0])
    if not most:
        return "Each grade is given equally often"
    least, most_of = (f"{plain(short(who, 16))} {100 * share:.0f} %" for share, who in (shares[0], shares[-1]))
    both = f"Grade {points}: {most_of}, {least}"
    return both if len(rates) == 2 and len(html.unescape(both)) <= LONGEST_TITLE else f"Grade {points}: {most_of}"
