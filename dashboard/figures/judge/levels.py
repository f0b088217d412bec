"""How often each grade was given: a bar for each engine, and what has no grade at its end."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from core.judging.scores import EngineScores
from core.judging.types import Rubric
from dashboard.figures.judge.shared import NO_GRADE, grade_colours, ink_on, percent
from dashboard.figures.retrievers.shared import Row, axis_name, frame, title_name
from dashboard.figures.theme import COLOURS, Theme
from dashboard.figures.upset import plain, say_why, short

BAR = 46
SHOWN_FROM = 0.07
"""A narrower piece has no number in it."""


def level_rows(engines: Sequence[EngineScores], rubric: Rubric) -> list[Row]:
    """Every grade of every engine, and what has none."""
    rows: list[Row] = []
    for each in engines:
        for grade in rubric.grades:
            rows.append(
                {
                    "Engine": each.engine,
                    "Grade": grade.points,
                    "Meaning": grade.name,
                    "Publications": each.levels[grade.points],
                    "Share of grades": each.levels[grade.points] / each.n_valid if each.n_valid else None,
                }
            )
        for reason, n in each.missing.items():
            without: Row = {"Engine": each.engine, "Grade": None, "Meaning": f"{NO_GRADE}: {reason}", "Publications": n}
            rows.append({**without, "Share of grades": None})
    return rows


def levels_figure(engines: Sequence[EngineScores], rubric: Rubric, *, cut: int, theme: Theme) -> go.Figure:
    """Pieces of each bar: the highest grade first, what has no grade last, hatched."""
    title = _title(engines, cut)
    names = [str(points) for points in reversed(rubric.points)]
    missing = any(each.n > each.n_valid for each in engines)
    figure = go.Figure(
        layout=frame(
            title=title,
            subtitle="On the left: the highest grade" + (". Hatched: no grade" if missing else ""),
            description=f"Share of each grade among all publications, by engine. {title}. {_listed(engines, rubric)}",
            plot=max(BAR * len(engines), 80),
            theme=theme,
            legend=[*names, *([NO_GRADE] if missing else [])],
        )
    )
    if not any(each.n for each in engines):
        return say_why(figure, "There is nothing to judge.", theme)
    for grade in reversed(rubric.grades):
        counts = [each.levels[grade.points] for each in engines]
        colour = grade_colours(rubric, theme)[grade.points]
        figure.add_trace(_piece(engines, counts, str(grade.points), plain(short(grade.name, 40)), colour, theme))
    if missing:
        figure.add_trace(_missing(engines, theme))
    figure.update_layout(barmode="stack", bargap=0.32)
    figure.update_xaxes(
        title_text="Share of all publications, %", range=(0, 100), tickvals=(0, 25, 50, 75, 100), fixedrange=True
    )
    figure.update_yaxes(
        tickvals=list(range(len(engines))),
        ticktext=[axis_name(each.engine) for each in engines],
        range=(len(engines) - 0.5, -0.5),
        showgrid=False,
        fixedrange=True,
    )
    return figure


def _piece(
    engines: Sequence[EngineScores], counts: Sequence[int], name: str, meaning: str, colour: str, theme: Theme
) -> go.Bar:
    shares = [100 * n / each.n if each.n else 0 for n, each in zip(counts, engines, strict=True)]
    return go.Bar(
        x=shares,
        y=list(range(len(engines))),
        orientation="h",
        name=name,
        marker={"color": colour, "line": {"color": COLOURS[theme]["background"], "width": 1}},
        text=[f"{share:.0f}" if share >= 100 * SHOWN_FROM else "" for share in shares],
        textposition="inside",
        insidetextanchor="middle",
        textangle=0,
        insidetextfont={"size": 11, "color": ink_on(colour)},
        constraintext="none",
        hovertext=[
            f"{plain(each.engine)}, {name} {meaning}: {n:,} of {each.n:,}"
            for n, each in zip(counts, engines, strict=True)
        ],
        hovertemplate="%{hovertext}<extra></extra>",
    )


def _missing(engines: Sequence[EngineScores], theme: Theme) -> go.Bar:
    bar = _piece(
        engines, [each.n - each.n_valid for each in engines], NO_GRADE, "", COLOURS[theme]["background"], theme
    )
    faint = COLOURS[theme]["faint"]
    bar.marker.line = {"color": faint, "width": 1}
    bar.marker.pattern = {"shape": "/", "fgcolor": faint, "size": 6, "solidity": 0.25}
    bar.text = None
    return bar


def _title(engines: Sequence[EngineScores], cut: int) -> str:
    known = [(each.share_at_cut.value, each.engine) for each in engines if each.share_at_cut.value is not None]
    if not known:
        return "No publication has a grade"
    share, engine = max(known, key=lambda each: each[0])
    return (
        f"Grade {cut} or more: {title_name(engine)}, {percent(share)}"
        if len(known) > 1
        else (f"Grade {cut} or more: {percent(share)}")
    )


def _listed(engines: Sequence[EngineScores], rubric: Rubric) -> str:
    return "; ".join(
        f"{each.engine}: "
        + ", ".join(f"{grade.name} {each.levels[grade.points]:,}" for grade in rubric.grades)
        + f", {NO_GRADE} {each.n - each.n_valid:,}"
        for each in engines
    )
