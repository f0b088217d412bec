"""Figures of judged runs: grades, differences, ranks, confidence, agreement and stability."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import plotly.graph_objects as go

from core.judge.confidence import Calibration, ConfidenceBin, Finding
from core.judge.grades import SMALL, GradeCell
from core.judge.judgments import HIGHEST_CONFIDENCE, Rubric
from core.judge.reliability import RegionAgreement
from core.judge.scores import CLEAR, EngineScores, JudgeComparison, number
from core.stats import Estimate, Interval
from core.text import many, signed
from dashboard.kit.figure_frame import (
    LONGEST_TITLE,
    Row,
    axis_name,
    ends_of,
    framed,
    hover_texts,
    looks,
    marker,
    name_rows,
    title_name,
    whiskers,
)
from dashboard.kit.figures import HeatCell, HeatGroup, HeatWords, LineLook, heat_figure, plain, say_why, short
from dashboard.kit.theme import COLOURS, Theme, even_ramp, lab_of

_ENDS: Mapping[Theme, tuple[str, str]] = {"light": ("#dfe8f2", "#08467f"), "dark": ("#24405f", "#a9d2ff")}
NO_GRADE = "no grade"


def grade_colours(rubric: Rubric, theme: Theme) -> dict[int, str]:
    """Return a step of one ramp for each grade: the more relevant, the farther from the background."""
    return dict(zip(rubric.points, even_ramp(_ENDS[theme], len(rubric.points)), strict=True))


def ink_on(colour: str) -> str:
    """Return black or white, whichever contrasts more with a colour.

    >>> ink_on("#08467f"), ink_on("#dfe8f2")
    ('#ffffff', '#101418')
    """
    return max(("#ffffff", "#101418"), key=lambda ink: abs(lab_of(ink)[0] - lab_of(colour)[0]))


def levels_in_words(rubric: Rubric) -> str:
    """List the grades of a legend with their names, the highest first."""
    return ", ".join(f"{grade.points} {grade.name}" for grade in reversed(rubric.grades))


def scale_of(rubric: Rubric) -> tuple[float, float]:
    return rubric.shown(rubric.points[0]), float(rubric.shown_max)


def scale_name(rubric: Rubric) -> str:
    """Return the axis name of mean grades.

    >>> from core.judge.judgments import Grade
    >>> scale_name(Rubric("r", "R", "", (), (Grade(0, "no", ""), Grade(1, "yes", "")), 100))
    'Mean grade, 0 to 100'
    """
    low, high = scale_of(rubric)
    return f"Mean grade, {low:g} to {high:g}"


def score_axis(rubric: Rubric) -> dict[str, Any]:
    """Return an axis a little wider than the scale, with a tick at every grade."""
    low, high = scale_of(rubric)
    room = 0.02 * (high - low)
    ticks = [rubric.shown(points) for points in rubric.points]
    return {
        "range": (low - room, high + room),
        "tickvals": ticks if len(ticks) <= 11 else None,
        "title_text": scale_name(rubric),
        "fixedrange": True,
    }


def mean_words(mean: Estimate, rubric: Rubric) -> str:
    if mean.value is None:
        return f"– ({mean.reason})"
    value = number(mean.value, rubric.shown_max)
    return value if mean.interval is None else f"{value} ({range_words(mean.interval, rubric)})"


def range_words(interval: Interval, rubric: Rubric) -> str:
    return " to ".join(number(end, rubric.shown_max) for end in interval)


def cell_words(cell: GradeCell, rubric: Rubric) -> str:
    coverage = "" if cell.coverage is None else f", {percent(cell.coverage)} of publications have a grade"
    silent = cell.n_queries - cell.n_answered
    rest = (
        f"; {number(cell.mean_all.value, rubric.shown_max)} with 0 for {many(silent, 'query')} unanswered"
        if (silent and cell.mean_all.value is not None)
        else ""
    )
    return f"{mean_words(cell.mean, rubric)}, {many(cell.mean.n, 'query')}{rest}{coverage}"


def percent(share: float) -> str:
    """Format a share; only exactly 1 is shown as 100 %, and only exactly 0 %.

    >>> percent(0.999), percent(1), percent(0.004), percent(0.5)
    ('over 99 %', '100 %', 'under 1 %', '50 %')
    """
    if 0.99 < share < 1:
        return "over 99 %"
    if 0 < share < 0.01:
        return "under 1 %"
    return f"{100 * share:.0f} %"


# The share of each grade: a bar for each engine, with ungraded publications at its end.

BAR = 46
SHOWN_FROM = 0.07
"""Width from which a segment shows its number."""


def level_rows(engines: Sequence[EngineScores], rubric: Rubric) -> list[Row]:
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
    """Draw the segments of each bar: the highest grade first, ungraded last, hatched."""
    title = _title(engines, cut)
    names = [str(points) for points in reversed(rubric.points)]
    missing = any(each.n > each.n_valid for each in engines)
    figure = framed(
        title=title,
        subtitle="Highest grade on the left" + (". Hatched: no grade" if missing else ""),
        description=f"Share of each grade among all publications, by engine. {title}. {_listed(engines, rubric)}",
        plot=max(BAR * len(engines), 80),
        theme=theme,
        legend=[*names, *([NO_GRADE] if missing else [])],
    )
    if not any(each.n for each in engines):
        return say_why(figure, "No publications to judge.", theme)
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
    name_rows(figure, [axis_name(each.engine) for each in engines])
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


# Mean grades by rank: a good engine ranks relevant publications first.

RANKS_PLOT = 290
LITTLE = 0.01
"""Smallest fall of a grade that counts, as a share of the scale."""

Ranks = Mapping[str, Mapping[int, GradeCell]]
"""By engine and rank."""


def rank_rows(ranks: Ranks) -> list[Row]:
    return [
        {
            "Engine": engine,
            "Rank": rank,
            "Mean grade": cell.mean.value,
            **ends_of(cell.mean.interval),
            "Queries": cell.mean.n,
            "Graded": cell.coverage,
        }
        for engine, cells in ranks.items()
        for rank, cell in cells.items()
    ]


def ranks_figure(ranks: Ranks, *, rubric: Rubric, theme: Theme) -> go.Figure:
    title = _ranks_title(ranks, rubric)
    engines = list(ranks)
    figure = framed(
        title=title,
        subtitle="Higher is more relevant; a falling line means a good ranking",
        description=f"Mean grade by rank. {title}. {_ranks_listed(ranks, rubric)}",
        plot=RANKS_PLOT,
        theme=theme,
        legend=engines,
    )
    if not any(cell.mean.n for cells in ranks.values() for cell in cells.values()):
        return say_why(figure, "No rank has a valid grade.", theme)
    by_name = looks(engines, theme)
    for engine, cells in ranks.items():
        figure.add_trace(go.Scatter(**_line(engine, cells, rubric, by_name[engine])))
    last = max((rank for cells in ranks.values() for rank in cells), default=1)
    figure.update_xaxes(title_text="Rank (1 is first)", range=(0.5, last + 0.5), tickvals=_ticks(last), fixedrange=True)
    figure.update_yaxes(**score_axis(rubric))
    return figure


def _line(engine: str, cells: Mapping[int, GradeCell], rubric: Rubric, look: LineLook) -> dict[str, Any]:
    return {
        "x": list(cells),
        "y": [cell.mean.value for cell in cells.values()],
        "mode": "lines+markers",
        "name": axis_name(engine),
        "line": {"color": look.colour, "dash": look.dash, "width": 2},
        "marker": {"symbol": look.symbol, "size": 7, "color": look.colour},
        "hovertext": [f"{plain(engine)}, rank {rank}: {cell_words(cell, rubric)}" for rank, cell in cells.items()],
        "hovertemplate": "%{hovertext}<extra></extra>",
    }


def _ticks(last: int) -> list[int]:
    if last <= 10:
        return list(range(1, last + 1))
    return [1, *range(5 if last <= 25 else 10, last + 1, 5 if last <= 25 else 10)]


def _falls(ranks: Ranks) -> Sequence[tuple[float, str]]:
    found = []
    for engine, cells in ranks.items():
        known = [cell.mean.value for cell in cells.values() if cell.mean.value is not None and not cell.is_small]
        half = len(known) // 2
        if half:
            found.append((sum(known[:half]) / half - sum(known[-half:]) / half, engine))
    return found


def _ranks_title(ranks: Ranks, rubric: Rubric) -> str:
    falls = _falls(ranks)
    if not falls:
        return "Mean grade by rank"
    most, engine = max(falls, key=lambda each: each[0])
    low, high = scale_of(rubric)
    if most < LITTLE * (high - low):
        return "No ranking effect: grades don't fall"
    by = number(most, rubric.shown_max)
    return f"{title_name(engine)}: later ranks {by} lower"


def _ranks_listed(ranks: Ranks, rubric: Rubric) -> str:
    return "; ".join(
        f"{engine}: " + ", ".join(f"rank {rank} {cell_words(cell, rubric)}" for rank, cell in list(cells.items())[:10])
        for engine, cells in ranks.items()
    )


# Mean grades by kind of query: a symbol and an interval for each engine in each group.

ENGINE_ROW, BETWEEN = 15, 16
LONGEST_VALUE = 26
MOST_VALUES = 30

Groups = Mapping[str, Mapping[str, GradeCell]]
"""By value of the dimension, then engine."""


def dimension_rows(groups: Groups, dimension: str) -> list[Row]:
    return [
        {
            dimension: value,
            "Engine": engine,
            "Mean grade": cell.mean.value,
            **ends_of(cell.mean.interval),
            "Queries": cell.mean.n,
            "Mean, all queries": cell.mean_all.value,
            "Unanswered": cell.n_queries - cell.n_answered,
            "Without a grade": cell.n_answered - cell.mean.n,
            "Graded": cell.coverage,
            "Says little": f"under {SMALL} queries" if cell.is_small else "",
        }
        for value, cells in groups.items()
        for engine, cell in cells.items()
    ]


def dimension_figure(
    groups: Groups, engines: Sequence[str], *, dimension: str, rubric: Rubric, theme: Theme
) -> go.Figure:
    """Draw a block for each group, in the order given; a row in it for each engine. Hollow: too few queries."""
    drawn = dict(list(groups.items())[:MOST_VALUES])
    step = ENGINE_ROW * len(engines) + BETWEEN
    title = _dimension_title(drawn, rubric)
    figure = framed(
        title=title,
        subtitle=_subtitle(groups),
        description=f"{scale_name(rubric)}, by {dimension}, with 95 % ranges. {title}. "
        f"{_dimension_listed(drawn, rubric)}",
        plot=max(step * len(drawn), 80),
        theme=theme,
        legend=engines,
    )
    if not any(cell.mean.n for cells in drawn.values() for cell in cells.values()):
        return say_why(figure, "No group has a query with a valid grade.", theme)
    for place, engine in enumerate(engines):
        figure.add_trace(go.Scatter(**_dots(drawn, place, engine, engines, rubric, theme)))
    for row in range(1, len(drawn)):
        at = row * step - BETWEEN / 2
        figure.add_shape(
            type="line", xref="paper", x0=0, x1=1, y0=at, y1=at, line={"color": COLOURS[theme]["grid"], "width": 1}
        )
    figure.update_xaxes(**score_axis(rubric))
    figure.update_yaxes(
        range=(step * len(drawn) - BETWEEN / 2, -BETWEEN / 2 - ENGINE_ROW / 2),
        tickvals=[row * step + ENGINE_ROW * (len(engines) - 1) / 2 for row in range(len(drawn))],
        ticktext=[_tick(value, cells) for value, cells in drawn.items()],
        showgrid=False,
        fixedrange=True,
    )
    return figure


def _dots(
    groups: Groups, place: int, engine: str, engines: Sequence[str], rubric: Rubric, theme: Theme
) -> dict[str, Any]:
    look, step = looks(engines, theme)[engine], ENGINE_ROW * len(engines) + BETWEEN
    there = [
        (row, name, cell, cell.mean.value)
        for row, (name, cells) in enumerate(groups.items())
        if (cell := cells[engine]).mean.value is not None
    ]
    sign = marker(look, theme, size=10)
    sign["symbol"] = [f"{look.symbol}-open" if cell.is_small else look.symbol for _, _, cell, _ in there]
    # The edge separates overlapping symbols; a hollow symbol has nothing else.
    sign["line"] = {
        "color": [look.colour if cell.is_small else sign["line"]["color"] for _, _, cell, _ in there],
        "width": [1.8 if cell.is_small else 1.2 for _, _, cell, _ in there],
    }
    return {
        "x": [value for *_, value in there],
        "y": [row * step + ENGINE_ROW * place for row, *_ in there],
        "mode": "markers",
        "name": axis_name(engine),
        "marker": sign,
        **hover_texts([f"{plain(engine)}, {plain(name)}: {cell_words(cell, rubric)}" for _, name, cell, _ in there]),
        **whiskers([(value or 0.0, cell.mean.interval) for _, _, cell, value in there], look.colour, "x"),
    }


def _n(cells: Mapping[str, GradeCell]) -> int:
    return max((cell.n_queries for cell in cells.values()), default=0)


def _tick(value: str, cells: Mapping[str, GradeCell]) -> str:
    return f"{plain(short(value, LONGEST_VALUE))}<br>{many(_n(cells), 'query')}"


def _subtitle(groups: Groups) -> str:
    left_out = len(groups) - MOST_VALUES
    if left_out > 0:
        return f"Lines: 95 % ranges. {left_out:,} more groups are in the table"
    small = any(cell.is_small for cells in groups.values() for cell in cells.values())
    return "Lines: 95 % ranges" + (f". Hollow: under {SMALL} queries" if small else "")


def _dimension_title(groups: Groups, rubric: Rubric) -> str:
    apart: list[tuple[float, str]] = []
    single: list[tuple[float, str]] = []
    for name, cells in groups.items():
        known = [cell.mean.value for cell in cells.values() if cell.mean.value is not None and not cell.is_small]
        if len(known) > 1:
            apart.append((max(known) - min(known), name))
        elif known and len(cells) == 1:
            single.append((known[0], name))
    if apart and max(apart)[0] > 0:
        most, name = max(apart, key=lambda each: each[0])
        return f"Widest gap: {plain(short(name, 24))} ({number(most, rubric.shown_max)})"
    if len(single) > 1 and max(single)[0] > min(single)[0]:
        high, low = (plain(short(end(single)[1], 14)) for end in (max, min))
        return f"Highest: {high}, lowest: {low}"
    return "Mean grade by kind of query"


def _dimension_listed(groups: Groups, rubric: Rubric) -> str:
    return "; ".join(
        f"{name} ({many(_n(cells), 'query')}): "
        + ", ".join(f"{engine} {cell_words(cell, rubric)}" for engine, cell in cells.items())
        for name, cells in groups.items()
    )


# Differences between engines, or between two sets of queries: a symbol and an interval each, and a line at zero.

ROW = 34
LONGEST = 20
MOST = 45

Named = Mapping[str, JudgeComparison]
"""By name on the axis."""


def pair_names(comparisons: tuple[JudgeComparison, ...]) -> Named:
    """Name pairs of engines for an axis: the lower one subtracted from the higher, as sentences put it."""
    turned = [_turned(c) if (c.difference or 0.0) < 0 else c for c in comparisons]
    return {f"{short(c.b, LONGEST)} −\n{short(c.a, LONGEST)}" + " " * place: c for place, c in enumerate(turned)}


def _turned(c: JudgeComparison) -> JudgeComparison:
    difference = None if c.difference is None else -c.difference
    interval = None if c.interval is None else Interval(-c.interval.high, -c.interval.low)
    return replace(c, a=c.b, b=c.a, difference=difference, interval=interval)


def difference_rows(named: Named) -> list[Row]:
    return [
        {
            "Pair": " ".join(name.split()),
            "First": c.a,
            "Second": c.b,
            "Second − first": c.difference,
            **ends_of(c.interval),
            "p": c.p,
            "p (Holm)": c.p_holm,
            "Queries": c.n_queries,
            "Over": c.over,
            "Clear": "yes" if c.is_clear else "no",
        }
        for name, c in named.items()
    ]


def differences_figure(named: Named, *, rubric: Rubric, theme: Theme) -> go.Figure:
    """Draw a row for each comparison. Filled: clear; hollow: not clear."""
    drawn = {name: c for name, c in named.items() if c.difference is not None}
    drawn = dict(list(drawn.items())[:MOST])
    n_clear = sum(c.is_clear for c in drawn.values())
    title = _differences_title(n_clear, len(drawn))
    figure = framed(
        title=title,
        subtitle="Filled: clear. Hollow: not clear. Lines: 95 % ranges",
        description=f"Differences in mean grade. {title}. {' '.join(c.sentence for c in drawn.values())}",
        plot=max(ROW * len(drawn), 80),
        theme=theme,
    )
    if not drawn:
        return say_why(figure, "No two engines have valid grades for the same query.", theme)
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
            **hover_texts([_difference_label(c, rubric) for _, c in there]),
            **whiskers([(value, c.interval) for value, c in there], colours["relevant"], "x"),
        )
    )
    figure.add_vline(x=0, line={"color": colours["border"], "width": 1.5})
    figure.update_xaxes(title_text="Difference in mean grade (0: none)", fixedrange=True)
    name_rows(
        figure, ["<br>".join(plain(short(line.strip(), LONGEST + 4)) for line in name.split("\n")) for name in drawn]
    )
    return figure


def _differences_title(n_clear: int, n: int) -> str:
    if not n:
        return "No difference can be computed"
    if n == 1:
        return f"The difference is {CLEAR}" if n_clear else "The difference is not clear"
    return f"{n_clear:,} of {n:,} differences are {CLEAR}"


def _difference_label(c: JudgeComparison, rubric: Rubric) -> str:
    ends = "" if c.interval is None else f" ({range_words(c.interval, rubric)})"
    p = "" if c.p_holm is None else f", p {c.p_holm:.3f} after correction"
    return f"{plain(c.b)} − {plain(c.a)}: {number(c.difference or 0.0, rubric.shown_max)}{ends}{p}"


# A judge's stated confidence: agreement with people, or only the spread of grades over it.

CONFIDENCE_PLOT = 260
_TITLES: Mapping[Finding, str] = {
    "more": "More often right when confident",
    "less": "Less often right when confident",
    "unclear": "No clear link between confidence and accuracy",
    "none": "Meaning of confidence unknown",
}
CONFIDENCES = tuple(range(HIGHEST_CONFIDENCE + 1))


def confidence_rows(found: Calibration, rubric: Rubric) -> list[Row]:
    return [
        {
            "Confidence": each.confidence,
            "Triples": each.n,
            "Mean grade": each.mean,
            **{f"{grade.points} {grade.name}": each.levels[grade.points] for grade in rubric.grades},
            "Graded by people": each.n_both,
            "Same grade": each.share_same,
            **ends_of(each.interval),
            "Mean distance": each.mean_gap,
        }
        for each in found.bins
    ]


def agreement_figure(found: Calibration, *, theme: Theme) -> go.Figure:
    """Draw the share of grades that people agree with, by stated confidence. Hollow: too few."""
    bins = [each for each in found.bins if each.n_both]
    title = _TITLES[found.finding]
    small = any(each.is_small for each in bins)
    listed = "; ".join(f"{each.confidence}: {percent(each.share_same or 0)} of {each.n_both:,}" for each in bins)
    figure = framed(
        title=title,
        subtitle="Lines: 95 % ranges" + (f". Hollow: under {SMALL} triples" if small else ""),
        description=f"Share of triples with a person's grade that equals the judge's, by confidence. {listed}.",
        plot=CONFIDENCE_PLOT,
        theme=theme,
    )
    if not bins:
        return say_why(figure, "No human grades for these publications yet.", theme)
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
            **hover_texts([_bin_label(each) for each in bins]),
            **whiskers([_in_percent(each) for each in bins], colour, "y"),
        )
    )
    _confidence_axis(figure)
    figure.update_yaxes(title_text="Same grade as a person, %", range=(-2, 102), fixedrange=True)
    return figure


def _in_percent(each: ConfidenceBin) -> tuple[float, Interval | None]:
    interval = None if each.interval is None else Interval(100 * each.interval.low, 100 * each.interval.high)
    return 100 * (each.share_same or 0.0), interval


def _bin_label(each: ConfidenceBin) -> str:
    return f"Confidence {each.confidence}: same grade for {each.n_same:,} of {each.n_both:,}"


def _confidence_axis(figure: go.Figure) -> None:
    figure.update_xaxes(
        title_text="Stated confidence, 0 to 10",
        range=(-0.6, HIGHEST_CONFIDENCE + 0.6),
        tickvals=CONFIDENCES,
        fixedrange=True,
    )


def spread_figure(found: Calibration, rubric: Rubric, *, theme: Theme) -> go.Figure:
    """Draw the number of triples by stated confidence, in the colours of their grades."""
    names = [str(points) for points in reversed(rubric.points)]
    title = _confidence_title(found.bins)
    listed = "; ".join(f"{each.confidence}: {each.n:,}" for each in found.bins)
    figure = framed(
        title=title,
        subtitle="Highest grade at the bottom",
        description=f"Triples by stated confidence, in the colours of their grades. {title}. {listed}.",
        plot=CONFIDENCE_PLOT,
        theme=theme,
        legend=names,
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


def _confidence_title(bins: Sequence[ConfidenceBin]) -> str:
    if not bins:
        return "No confidence was stated"
    most = max(bins, key=lambda each: each.n)
    share = most.n / sum(each.n for each in bins)
    return f"Confidence {most.confidence} is stated most ({percent(share)})"


# A judge's grades against other grades of the same triples: a table of pairs, and shares of each grade.

BARS = 220
LONGEST_GRADE = 22


def table_rows(table: Mapping[tuple[int, int], int], judge: str, other: str) -> list[Row]:
    return [{judge: a, other: b, "Triples": n} for (a, b), n in sorted(table.items())]


def table_figure(
    table: Mapping[tuple[int, int], int], rubric: Rubric, *, judge: str, other: str, theme: Theme
) -> go.Figure:
    """Draw the table. Rows: the judge's grades; columns: the others'. On the diagonal both agree."""
    points = rubric.points
    n = sum(table.values())
    same = sum(table.get((value, value), 0) for value in points)
    share = f"{100 * same / n:.0f} %" if n else "–"
    names = {grade.points: f"{grade.points} {short(grade.name, LONGEST_GRADE)}" for grade in rubric.grades}
    words = HeatWords(
        f"Same grade for {share} of {n:,}",
        "Triples by grade; diagonal: same grade",
        f"How often {judge} (rows) and {other} (columns) gave each grade. Same grade for {share} of {n:,}. "
        + "; ".join(f"{a} and {b}: {count:,}" for (a, b), count in sorted(table.items())),
    )
    cells = [
        [_cell(table.get((value, given), 0), f"{judge} {value}, {other} {given}") for given in points]
        for value in points
    ]
    figure = heat_figure(
        words,
        [names[value] for value in points],
        [HeatGroup(plain(short(other, 30)), tuple(str(value) for value in points))],
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


def _cell(n: int, who: str) -> HeatCell:
    return HeatCell(float(n), f"{n:,}" if n else "", f"{who}: {n:,}")


Rates = Mapping[int, float]


def rate_rows(rates: Mapping[str, Rates], rubric: Rubric) -> list[Row]:
    return [
        {"Grader": who, "Grade": grade.points, "Meaning": grade.name, "Share": shares.get(grade.points, 0.0)}
        for who, shares in rates.items()
        for grade in rubric.grades
    ]


def rates_figure(rates: Mapping[str, Rates], rubric: Rubric, *, theme: Theme) -> go.Figure:
    names = list(rates)
    title = _widest(rates, rubric)
    figure = framed(
        title=title,
        subtitle="Share of each grade among the triples that all judges graded",
        description=f"How often each grade was given. {title}. "
        + " ".join(
            f"{who}: " + ", ".join(f"{value} {100 * share:.0f} %" for value, share in shares.items()) + "."
            for who, shares in rates.items()
        ),
        plot=BARS,
        theme=theme,
        legend=names,
    )
    if not any(rates.values()):
        return say_why(figure, "No triple was graded by both.", theme)
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
    if len(rates) < 2 or not all(rates.values()):
        return "How often each grade is given"
    apart = []
    for grade in rubric.grades:
        shares = sorted((each.get(grade.points, 0.0), who) for who, each in rates.items())
        apart.append((shares[-1][0] - shares[0][0], grade.points, shares))
    most, points, shares = max(apart, key=lambda each: each[0])
    if not most:
        return "All give each grade equally often"
    least, most_of = (f"{plain(short(who, 16))} {100 * share:.0f} %" for share, who in (shares[0], shares[-1]))
    both = f"Grade {points}: {most_of}, {least}"
    return both if len(rates) == 2 and len(html.unescape(both)) <= LONGEST_TITLE else f"Grade {points}: {most_of}"


# Shifts of a judge's grades: a symbol and an interval for each change of the texts, and a line at zero.


@dataclass(frozen=True, slots=True)
class GradeShift:
    label: str
    shift: Estimate
    """In points of the rubric."""
    share_changed: Estimate
    should_move: bool
    """A good judge lowers the grade; otherwise it should leave it unchanged."""
    n_without: int


def move_rows(moves: Sequence[GradeShift], rubric: Rubric) -> list[Row]:
    return [
        {
            "Change": move.label,
            "Mean shift": _shown(move.shift.value, rubric),
            **ends_of(_range(move.shift.interval, rubric)),
            "Share with another grade": move.share_changed.value,
            "Triples": move.shift.n,
            "Without a grade": move.n_without,
            "Expected of a good judge": "lower" if move.should_move else "no change",
        }
        for move in moves
    ]


def moves_figure(moves: Sequence[GradeShift], rubric: Rubric, theme: Theme) -> go.Figure:
    """Draw a row for each change. Round: the grade should stay; square: it should fall."""
    drawn = [(move, move.shift.value) for move in moves if move.shift.value is not None]
    title = _trust_moves_title(drawn, rubric)
    figure = framed(
        title=title,
        subtitle="Circles: should stay at 0. Squares: should be below 0. Lines: 95 %",
        description=f"Mean shift of grades after text changes. {title}. "
        + " ".join(f"{_move_label(move, rubric)}." for move, _ in drawn),
        plot=max(ROW * len(drawn), 80),
        theme=theme,
    )
    if not drawn:
        return say_why(figure, "No text changes tested yet.", theme)
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
            **hover_texts([plain(_move_label(move, rubric)) for move, _ in drawn]),
            **whiskers(values, colours["relevant"], "x"),
        )
    )
    figure.add_vline(x=0, line={"color": colours["border"], "width": 1.5})
    ends = [end for value, interval in values for end in (value, *(interval or ()))]
    reach = max(1.1 * max(abs(end) for end in ends), rubric.shown(1) / 4)
    figure.update_xaxes(
        title_text=f"Mean shift of the grade, of {rubric.shown_max:g}", range=(-reach, reach), fixedrange=True
    )
    name_rows(figure, [f"{plain(move.label)}<br>{move.shift.n:,} triples" for move, _ in drawn])
    return figure


def _shown(value: float | None, rubric: Rubric) -> float | None:
    return None if value is None else rubric.shown(value)


def _range(interval: Interval | None, rubric: Rubric) -> Interval | None:
    return None if interval is None else Interval(rubric.shown(interval.low), rubric.shown(interval.high))


def _trust_moves_title(drawn: Sequence[tuple[GradeShift, float]], rubric: Rubric) -> str:
    still = [(abs(value), move, value) for move, value in drawn if not move.should_move]
    if not still:
        return "Influences on its grades"
    _, move, value = max(still, key=lambda each: each[0])
    if not value:
        return "Not influenced by irrelevant changes"
    return f"{move.label}: {rubric.shown(value):+.1f} of {rubric.shown_max:g}"


def _move_label(move: GradeShift, rubric: Rubric) -> str:
    value = f"{rubric.shown(move.shift.value or 0.0):+.1f}"
    ends = _range(move.shift.interval, rubric)
    between = f" ({signed(ends.low, 1)} to {signed(ends.high, 1)})" if ends is not None else ""
    share = "" if move.share_changed.value is None else f", another grade in {100 * move.share_changed.value:.0f} %"
    return f"{move.label}: {value}{between}{share}, {move.shift.n:,} triples"


# The share of publications of each grade that the regions of semantic precision accept.

REGIONS_PLOT = 250
DODGE = 0.06
"""Distance between the symbols of two regions at one grade."""


def region_rows(regions: Mapping[str, RegionAgreement]) -> list[Row]:
    return [
        {
            "Region": name,
            "Grade": part.points,
            "Publications": part.n,
            "Accepted": part.n_accepted,
            "Share": part.share,
            **ends_of(part.interval),
        }
        for name, region in regions.items()
        for part in region.by_grade
    ]


def regions_figure(regions: Mapping[str, RegionAgreement], rubric: Rubric, *, theme: Theme) -> go.Figure:
    """Draw a line for each region over the grades: it rises where region and judge agree."""
    names = list(regions)
    title = _trust_regions_title(regions)
    figure = framed(
        title=title,
        subtitle="Share of each grade inside the region. Lines: 95 %",
        description=f"Share of publications that each region accepts, by grade. {title}. "
        + " ".join(
            f"{name}: " + ", ".join(f"grade {p.points} {100 * p.share:.0f} % of {p.n:,}" for p in region.by_grade) + "."
            for name, region in regions.items()
        ),
        plot=REGIONS_PLOT,
        theme=theme,
        legend=names,
    )
    if not any(region.n for region in regions.values()):
        return say_why(figure, "No graded publication has a region decision.", theme)
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
                **hover_texts(
                    [
                        f"{plain(name)}, grade {part.points}: {part.n_accepted:,} of {part.n:,} accepted"
                        for part in region.by_grade
                    ]
                ),
                **whiskers(shares, look.colour, "y"),
            )
        )


def _trust_regions_title(regions: Mapping[str, RegionAgreement]) -> str:
    known = [(region.kappa.value, name) for name, region in regions.items() if region.kappa.value is not None]
    if not known:
        return "Regions and grades"
    best, name = max(known)
    return f"{plain(name)} agrees most: kappa {best:.2f}"
