"""Figures of runs: metrics by cut-off, time, groups of queries, and queries on the landscape."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import plotly.graph_objects as go

from core.retrieval.query_results import SAME
from core.stats import Interval
from core.text import many
from dashboard.kit.figure_frame import (
    Row,
    axis_name,
    ends_of,
    framed,
    hover_texts,
    log_ticks,
    looks,
    marker,
    milliseconds,
    name_plane,
    title_name,
    whiskers,
)
from dashboard.kit.figures import LineLook, plain, say_why, short
from dashboard.kit.theme import COLOURS, Theme

# A metric of several runs by the depth to which their rankings are read.

BY_K_PLOT = 290


@dataclass(frozen=True, slots=True)
class MetricCurve:
    name: str
    values: tuple[float | None, ...]
    """At each k; None: there is nothing to score."""


@dataclass(frozen=True, slots=True)
class PublishedDot:
    """A published value of one retriever at one k."""

    name: str
    k: int
    value: float
    source: str


def by_k_rows(curves: Sequence[MetricCurve], ks: Sequence[int], dots: Sequence[PublishedDot] = ()) -> list[Row]:
    rows: list[Row] = [
        {"Run": curve.name, "k": k, "Value": value, "Origin": "measured"}
        for curve in curves
        for k, value in zip(ks, curve.values, strict=True)
    ]
    return rows + [{"Run": d.name, "k": d.k, "Value": d.value, "Origin": f"published: {d.source}"} for d in dots]


def by_k_figure(
    curves: Sequence[MetricCurve],
    ks: Sequence[int],
    *,
    family: str,
    at: int,
    dots: Sequence[PublishedDot] = (),
    theme: Theme,
) -> go.Figure:
    """Draw a line for each run, in its colour and dash. `at`: the k in the title."""
    title = _title(curves, ks, family, at)
    described = "; ".join(f"{c.name} {_at(c, ks, at)}" for c in curves)
    figure = framed(
        title=title,
        subtitle="Up: better. Right: more of each ranking is read",
        description=f"{family} by k, from {ks[0]} to {ks[-1]}, logarithmic. {title}. At {at}: {described}.",
        plot=BY_K_PLOT,
        theme=theme,
        legend=[curve.name for curve in curves] + (["published"] if dots else []),
    )
    if not any(value is not None for curve in curves for value in curve.values):
        return say_why(figure, "No query has a relevant document, so there is nothing to score.", theme)
    by_name = looks([curve.name for curve in curves], theme)
    for curve in curves:
        figure.add_trace(go.Scatter(**_line(curve, ks, by_name[curve.name])))
    for trace in _dots(dots, theme):
        figure.add_trace(go.Scatter(**trace))
    figure.update_xaxes(
        type="log", title_text="k: documents read per ranking (logarithmic)", tickvals=log_ticks(ks[0], ks[-1])
    )
    figure.update_yaxes(title_text=f"{family}@k, 0 to 1", rangemode="tozero")
    figure.update_layout(xaxis={"fixedrange": True}, yaxis={"fixedrange": True}, hovermode="x unified")
    return figure


def _line(curve: MetricCurve, ks: Sequence[int], look: LineLook) -> dict[str, Any]:
    return {
        "x": list(ks),
        "y": list(curve.values),
        "mode": "lines+markers",
        "name": axis_name(curve.name),
        "line": {"color": look.colour, "dash": look.dash, "width": 2},
        "marker": {"symbol": look.symbol, "size": 6, "color": look.colour, "maxdisplayed": 8},
        "hovertext": [f"{plain(curve.name)}: {'–' if value is None else f'{value:.3f}'}" for value in curve.values],
        "hovertemplate": "%{hovertext}<extra></extra>",
    }


def _dots(dots: Sequence[PublishedDot], theme: Theme) -> list[dict[str, Any]]:
    if not dots:
        return []
    sign = {"size": 9, "symbol": "circle-open", "color": COLOURS[theme]["faint"], "line": {"width": 1.6}}
    return [
        {
            "x": [dot.k for dot in dots],
            "y": [dot.value for dot in dots],
            "mode": "markers",
            "name": "published",
            "marker": sign,
            "hovertext": [f"{plain(dot.name)}, published: {dot.value:.3f}" for dot in dots],
            "hovertemplate": "%{hovertext}<extra></extra>",
        }
    ]


def _at(curve: MetricCurve, ks: Sequence[int], at: int) -> str:
    value = curve.values[ks.index(at)]
    return "–" if value is None else f"{value:.3f}"


def _title(curves: Sequence[MetricCurve], ks: Sequence[int], family: str, at: int) -> str:
    place = ks.index(at)
    known = [(value, curve.name) for curve in curves if (value := curve.values[place]) is not None]
    if not known:
        return f"{family}@k"
    best = max(value for value, _ in known)
    leading = [name for value, name in known if value == best]
    if len(known) == 1:
        return f"{family}@{at} of {title_name(leading[0])}: {best:.3f}"
    if len(leading) > 1:
        return f"{family}@{at}: {len(leading)} of {len(known)} runs lead ({best:.3f})"
    return f"{family}@{at}: {title_name(leading[0])} leads ({best:.3f})"


# One run against another, query by query.

AGAINST_PLOT = 380
MOST_NAMED = 6
LONGEST_QUERY = 70
Outcome = Literal["a", "b", "tie"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)


@dataclass(frozen=True, slots=True)
class QueryPair:
    query_id: str
    text: str
    a: float
    b: float

    @property
    def outcome(self) -> Outcome:
        if abs(self.a - self.b) <= SAME:
            return "tie"
        return "a" if self.a > self.b else "b"


def outcomes(pairs: Sequence[QueryPair]) -> tuple[int, int, int]:
    """Count the queries on which b is better, both are equal, a is better.

    >>> outcomes([QueryPair("1", "", 0.2, 0.4), QueryPair("2", "", 0.3, 0.3)])
    (1, 1, 0)
    """
    found = [pair.outcome for pair in pairs]
    return found.count("b"), found.count("tie"), found.count("a")


def against_rows(pairs: Sequence[QueryPair], a: str, b: str) -> list[Row]:
    """Return every query, the largest difference first."""
    order = sorted(pairs, key=lambda pair: -abs(pair.b - pair.a))
    return [
        {"Query": pair.query_id, "Text": pair.text, a: pair.a, b: pair.b, "Difference": pair.b - pair.a}
        for pair in order
    ]


def against_figure(
    pairs: Sequence[QueryPair], *, a: str, b: str, metric: str, looks: tuple[LineLook, LineLook], theme: Theme
) -> go.Figure:
    """Draw a disc for each pair of values, sized by its number of queries; above the diagonal b is better."""
    better, same, worse = outcomes(pairs)
    title = f"{title_name(b)}: {better:,} better, {worse:,} worse, {many(same, 'tie')}"
    figure = framed(
        title=title,
        subtitle=f"Against {title_name(a)}. Above the diagonal: better",
        description=f"{metric} of {len(pairs):,} queries under {a} and {b}. {b} is better on {better:,}, "
        f"{a} on {worse:,}; {same:,} are ties.",
        plot=AGAINST_PLOT,
        theme=theme,
    )
    if not pairs:
        return say_why(figure, "No query has a relevant document, so there is nothing to score.", theme)
    figure.add_shape(
        type="line", x0=0, y0=0, x1=1, y1=1, layer="below", line={"color": COLOURS[theme]["faint"], "dash": "dot"}
    )
    for outcome, look in zip(OUTCOMES, (*looks, None), strict=True):
        if of_it := discs(pairs, outcome):
            figure.add_trace(go.Scatter(**_discs(of_it, outcome, look, (a, b), theme)))
    axis = {"range": (-0.04, 1.04), "tickvals": (0, 0.25, 0.5, 0.75, 1), "fixedrange": True}
    figure.update_xaxes(title_text=f"{metric} of {axis_name(a)}, 0 to 1", **axis)
    figure.update_yaxes(title_text=f"{metric} of {axis_name(b)}, 0 to 1", **axis)
    return figure


def discs(pairs: Sequence[QueryPair], outcome: Outcome) -> list[list[QueryPair]]:
    """Return the queries of each disc, in the order of the discs."""
    together: dict[tuple[float, float], list[QueryPair]] = defaultdict(list)
    for pair in pairs:
        if pair.outcome == outcome:
            together[_place(pair)].append(pair)
    return list(together.values())


def _place(pair: QueryPair) -> tuple[float, float]:
    return round(pair.a, 4), round(pair.b, 4)


def pairs_at(pairs: Sequence[QueryPair], point: Mapping[str, Any]) -> list[QueryPair]:
    """Return the queries of the disc that was clicked."""
    drawn = [each for outcome in OUTCOMES if (each := discs(pairs, outcome))]
    return drawn[int(point["curve_number"])][int(point["point_index"])]


def _discs(
    there_of: Sequence[Sequence[QueryPair]],
    outcome: Outcome,
    look: LineLook | None,
    names: tuple[str, str],
    theme: Theme,
) -> dict[str, Any]:
    colour = COLOURS[theme]["faint"] if look is None else look.colour
    winner = {"a": names[0], "b": names[1], "tie": "Ties"}[outcome]
    return {
        "x": [_place(there[0])[0] for there in there_of],
        "y": [_place(there[0])[1] for there in there_of],
        "mode": "markers",
        "name": plain(winner),
        "marker": {
            "size": [min(7 + 3 * math.sqrt(len(there) - 1), 34) for there in there_of],
            "symbol": "circle" if look is None else look.symbol,
            "color": colour,
            "opacity": 0.75,
            "line": {"color": COLOURS[theme]["background"], "width": 1},
        },
        "customdata": [[pair.query_id for pair in there][:MOST_NAMED] for there in there_of],
        **hover_texts(_hover(there, names) for there in there_of),
    }


def _hover(there: Sequence[QueryPair], names: tuple[str, str]) -> str:
    first = there[0]
    lines = [f"{axis_name(names[0])} {first.a:.3f}, {axis_name(names[1])} {first.b:.3f}"]
    lines += [f"{plain(p.query_id)}: {plain(short(p.text, LONGEST_QUERY))}" for p in there[:MOST_NAMED]]
    if len(there) > MOST_NAMED:
        lines.append(f"and {len(there) - MOST_NAMED:,} more")
    return "<br>".join(lines)


# Runs by groups of queries: a symbol and an interval for each run in each group.

RUN_ROW, GROUP_GAP = 15, 16
LONGEST_GROUP = 26
MOST_GROUPS = 30
FEW = 10
"""Number of queries below which a group is not meaningful."""


@dataclass(frozen=True, slots=True)
class QueryGroupScores:
    name: str
    n: int
    values: tuple[float | None, ...]
    """In the order of the runs; None: no query of the group was scored."""
    intervals: tuple[Interval | None, ...]


def slice_rows(groups: Sequence[QueryGroupScores], names: Sequence[str]) -> list[Row]:
    return [
        {
            "Group": group.name,
            "Queries": group.n,
            "Run": name,
            "Value": value,
            **ends_of(interval),
        }
        for group in groups
        for name, value, interval in zip(names, group.values, group.intervals, strict=True)
    ]


def slices_figure(
    groups: Sequence[QueryGroupScores], names: Sequence[str], *, metric: str, by: str, theme: Theme
) -> go.Figure:
    """Draw a block for each group, in the order given; a row in it for each run."""
    drawn = list(groups[:MOST_GROUPS])
    step = RUN_ROW * len(names) + GROUP_GAP
    title = _slices_title(drawn, metric)
    figure = framed(
        title=title,
        subtitle=_subtitle(groups),
        description=f"{metric} by {by}, with 95 % intervals. {title}. {_listed(drawn, names)}",
        plot=max(step * len(drawn), 80),
        theme=theme,
        legend=names,
    )
    if not any(value is not None for group in drawn for value in group.values):
        return say_why(figure, "No query that was scored falls into a group.", theme)
    for place, name in enumerate(names):
        figure.add_trace(go.Scatter(**_slices_dots(drawn, place, name, names, step, theme)))
    for row in range(1, len(drawn)):
        at = row * step - GROUP_GAP / 2
        figure.add_shape(
            type="line", xref="paper", x0=0, x1=1, y0=at, y1=at, line={"color": COLOURS[theme]["grid"], "width": 1}
        )
    middles = [row * step + RUN_ROW * (len(names) - 1) / 2 for row in range(len(drawn))]
    figure.update_xaxes(
        title_text=f"{metric}, 0 to 1", range=(-0.02, 1.02), tickvals=(0, 0.25, 0.5, 0.75, 1), fixedrange=True
    )
    figure.update_yaxes(
        range=(step * len(drawn) - GROUP_GAP / 2, -GROUP_GAP / 2 - RUN_ROW / 2),
        tickvals=middles,
        ticktext=[f"{plain(short(group.name, LONGEST_GROUP))}<br>{many(group.n, 'query')}" for group in drawn],
        showgrid=False,
        fixedrange=True,
    )
    return figure


def _slices_dots(
    groups: Sequence[QueryGroupScores], place: int, name: str, names: Sequence[str], step: float, theme: Theme
) -> dict[str, Any]:
    look = looks(names, theme)[name]
    there = [
        (row, value, group.intervals[place])
        for row, group in enumerate(groups)
        if (value := group.values[place]) is not None
    ]
    return {
        "x": [value for _, value, _ in there],
        "y": [row * step + RUN_ROW * place for row, _, _ in there],
        "mode": "markers",
        "name": axis_name(name),
        "marker": marker(look, theme, size=10),
        **whiskers([(value, i) for _, value, i in there], look.colour, "x"),
        **hover_texts(
            f"{plain(name)}, {plain(groups[row].name)}: {value:.3f}"
            + ("" if i is None else f" ({i.low:.3f} to {i.high:.3f})")
            + f", {many(groups[row].n, 'query')}"
            for row, value, i in there
        ),
    }


def _subtitle(groups: Sequence[QueryGroupScores]) -> str:
    left_out = len(groups) - MOST_GROUPS
    if left_out > 0:
        return f"Lines: 95 % intervals. {left_out:,} more groups are in the table"
    few = sum(group.n < FEW for group in groups)
    return "Lines: 95 % intervals" + (f". Groups under {FEW} queries: unreliable" if few else "")


def _slices_title(groups: Sequence[QueryGroupScores], metric: str) -> str:
    apart: list[tuple[float, str]] = []
    for group in groups:
        known = [value for value in group.values if value is not None]
        if len(known) > 1 and group.n >= FEW:
            apart.append((max(known) - min(known), group.name))
    if not apart or max(apart)[0] <= 0:
        return f"{metric} by group"
    most, name = max(apart, key=lambda each: each[0])
    return f"Widest gap: {plain(short(name, LONGEST_GROUP))} ({most:.2f})"


def _listed(groups: Sequence[QueryGroupScores], names: Sequence[str]) -> str:
    return "; ".join(
        f"{group.name} ({many(group.n, 'query')}): "
        + ", ".join(f"{n} {'–' if v is None else f'{v:.3f}'}" for n, v in zip(names, group.values, strict=True))
        for group in groups
    )


# The time of each run for a query: median and slow ones, as a whole and by stage.

STAGE_ROW = 19
STAGE_GAP = 12
LONGEST_STAGE = 22
WIDE = 20.0
"""Ratio of times above which the axis is logarithmic."""


@dataclass(frozen=True, slots=True)
class Stage:
    name: str
    p50: float
    """Milliseconds; half of the queries were faster."""
    p95: float
    """Milliseconds; 19 of 20 queries were faster."""


@dataclass(frozen=True, slots=True)
class RunTimes:
    name: str
    whole: Stage | None
    """The whole answer; None: nothing was measured."""
    stages: tuple[Stage, ...] = ()
    """Its parts in order; they need not add up, since each has a median of its own."""
    n: int = 0
    """Number of queries measured."""


def latency_rows(times: Sequence[RunTimes]) -> list[Row]:
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


def latency_figure(times: Sequence[RunTimes], *, theme: Theme) -> go.Figure:
    """Draw a block for each run: the whole answer at the top, its stages below. A symbol at p50, a line to p95."""
    timed = [run for run in times if run.whole is not None]
    places = _places(timed)
    bottom = max((y for block in places for y in block), default=60.0)
    title = _latency_title(timed)
    figure = framed(
        title=title,
        subtitle="Marker: p50, half are faster. End of the line: p95",
        description=f"Milliseconds per query. {title}. {_latency_listed(timed)}",
        plot=bottom + 2 * STAGE_ROW,
        theme=theme,
    )
    if not timed:
        return say_why(figure, "No run was timed. Runs from a file have no times.", theme)
    by_name = looks([run.name for run in times], theme)
    for run, block in zip(timed, places, strict=True):
        for trace in _traces(run, block, by_name[run.name], theme):
            figure.add_trace(go.Scatter(**trace))
    _axes(figure, timed, places, bottom)
    return figure


def _places(timed: Sequence[RunTimes]) -> list[list[float]]:
    """Return the positions of each run's rows, in pixels from the top."""
    places: list[list[float]] = []
    at = 0.0
    for run in timed:
        places.append([at + STAGE_ROW * row for row in range(1 + len(run.stages))])
        at = places[-1][-1] + STAGE_ROW + STAGE_GAP
    return places


def _traces(run: RunTimes, block: Sequence[float], look: LineLook, theme: Theme) -> list[dict[str, Any]]:
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
                **hover_texts([words, words]),
            }
        )
    return traces


def _axes(figure: go.Figure, timed: Sequence[RunTimes], places: Sequence[Sequence[float]], bottom: float) -> None:
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


def _latency_title(timed: Sequence[RunTimes]) -> str:
    known = sorted((run.whole.p50, run.name) for run in timed if run.whole)
    if not known:
        return "Time for a query"
    if len(known) == 1:
        return f"{title_name(known[0][1])}: {milliseconds(known[0][0])} for a query"
    return f"Fastest: {title_name(known[0][1])}, {milliseconds(known[0][0])} for a query"


def _latency_listed(timed: Sequence[RunTimes]) -> str:
    return "; ".join(
        f"{run.name}: p50 {milliseconds(run.whole.p50)}, p95 {milliseconds(run.whole.p95)}"
        for run in timed
        if run.whole
    )


# Ranking quality against time: a metric against the time for a query, with the frontier of runs.

QUALITY_PLOT = 310


@dataclass(frozen=True, slots=True)
class QualitySpot:
    name: str
    value: float
    interval: Interval | None
    p50: float
    """Milliseconds; for a published row the printed value."""
    p95: float | None
    source: str = ""
    """Source of a published row; empty: measured here."""

    @property
    def is_published(self) -> bool:
        """True if it was not measured here."""
        return bool(self.source)


def on_edge(spots: Sequence[QualitySpot]) -> list[QualitySpot]:
    """Return measured runs that no other one beats in value and in time at once, the fastest first.

    Published runs were timed on another machine: they are not on the edge, and don't exclude a run from it.
    """
    edge: list[QualitySpot] = []
    for spot in sorted((s for s in spots if not s.is_published), key=lambda s: (s.p50, -s.value)):
        last = edge[-1] if edge else None
        if last is None or spot.value > last.value or (spot.p50, spot.value) == (last.p50, last.value):
            edge.append(spot)
    return edge


def quality_rows(spots: Sequence[QualitySpot]) -> list[Row]:
    edge = {spot.name for spot in on_edge(spots)}
    return [
        {
            "Run": spot.name,
            "Value": spot.value,
            **ends_of(spot.interval),
            "p50 (ms)": spot.p50,
            "p95 (ms)": spot.p95,
            "Origin": f"published: {spot.source}" if spot.is_published else "measured",
            "On the frontier": None if spot.is_published else "yes" if spot.name in edge else "no",
        }
        for spot in spots
    ]


def quality_figure(spots: Sequence[QualitySpot], *, names: Sequence[str], metric: str, theme: Theme) -> go.Figure:
    """Draw a symbol for each run, whiskers for its interval and its p95, and steps through those on the edge.

    `names`: all runs in their order, so that each looks as it does elsewhere.
    """
    edge, measured = on_edge(spots), [spot for spot in spots if not spot.is_published]
    title = _quality_title(edge, measured, metric)
    figure = framed(
        title=title,
        subtitle="Up: better. Left: faster" + (". Hollow: published" if len(measured) < len(spots) else ""),
        description=f"{metric} against milliseconds per query, logarithmic. {title}. {_quality_listed(spots)}",
        plot=QUALITY_PLOT,
        theme=theme,
        legend=[spot.name + (" (published)" if spot.is_published else "") for spot in spots],
    )
    if not spots:
        return say_why(figure, "No run was timed and scored.", theme)
    low, high = _span(spots)
    if edge:
        figure.add_trace(go.Scatter(**_stair(edge, high, theme)))
    by_name = looks(names, theme)
    for spot in spots:
        figure.add_trace(go.Scatter(**_spot(spot, by_name.get(spot.name), theme)))
    ticks = log_ticks(low, high)
    figure.update_xaxes(
        type="log",
        range=(math.log10(low), math.log10(high)),
        tickvals=ticks,
        ticktext=[f"{tick:,g}" for tick in ticks],
        title_text="Milliseconds for a query, p50 (logarithmic)",
        fixedrange=True,
    )
    figure.update_yaxes(title_text=f"{metric}, 0 to 1", rangemode="tozero", fixedrange=True)
    return figure


def _span(spots: Sequence[QualitySpot]) -> tuple[float, float]:
    low = max(min(spot.p50 for spot in spots), 1e-4)
    high = max(max(spot.p50, spot.p95 or 0.0) for spot in spots)
    return low / 1.6, max(high, low) * 1.6


def _stair(edge: Sequence[QualitySpot], end: float, theme: Theme) -> dict[str, Any]:
    return {
        "x": [*(spot.p50 for spot in edge), end],
        "y": [*(spot.value for spot in edge), edge[-1].value],
        "mode": "lines",
        "line": {"color": COLOURS[theme]["faint"], "width": 1.4, "dash": "dot", "shape": "hv"},
        "hoverinfo": "skip",
        "showlegend": False,
        "name": "On the frontier",
        "zorder": -1,
    }


def _spot(spot: QualitySpot, look: LineLook | None, theme: Theme) -> dict[str, Any]:
    seen = look or LineLook(COLOURS[theme]["faint"], "solid", "circle")
    words = [f"<b>{plain(spot.name)}</b>" + (", published" if spot.is_published else "")]
    words.append(f"{spot.value:.3f}" + ("" if spot.interval is None else f" ({_ends(spot.interval)})"))
    words.append(f"p50 {milliseconds(spot.p50)}" + ("" if spot.p95 is None else f", p95 {milliseconds(spot.p95)}"))
    if spot.is_published:
        words = [words[0], words[1], milliseconds(spot.p50), plain(spot.source)]
    slow = None if spot.p95 is None else Interval(spot.p50, spot.p95)
    return {
        "x": [spot.p50],
        "y": [spot.value],
        "mode": "markers",
        "name": axis_name(spot.name) + (" (published)" if spot.is_published else ""),
        "marker": marker(seen, theme, size=12, hollow=spot.is_published),
        **whiskers([(spot.value, spot.interval)], seen.colour, "y", thickness=1.2),
        **whiskers([(spot.p50, slow)], seen.colour, "x", thickness=1.2),
        **hover_texts(["<br>".join(words)]),
    }


def _ends(interval: Interval) -> str:
    return f"{interval.low:.3f} to {interval.high:.3f}"


def _quality_title(edge: Sequence[QualitySpot], measured: Sequence[QualitySpot], metric: str) -> str:
    if not measured:
        return f"{metric} against the time for a query"
    if len(measured) == 1:
        return f"{title_name(measured[0].name)}: {measured[0].value:.3f} in {milliseconds(measured[0].p50)}"
    if len(edge) == 1:
        return f"{title_name(edge[0].name)} is fastest and best"
    return f"{len(edge)} of {len(measured)} runs are on the frontier"


def _quality_listed(spots: Sequence[QualitySpot]) -> str:
    return "; ".join(
        f"{s.name}{' (published)' if s.is_published else ''} {s.value:.3f} in {milliseconds(s.p50)}" for s in spots
    )


# One query on the landscape of its collection: its answers, and the first documents of each run.

PLANE_PLOT = 420
LONGEST_TITLE = 70
DOT, ANSWER, RING, WIDER = 5, 10, 14, 5
FOUND, MISSED, OTHER, QUERY = "Answers found", "Answers missed by all", "Other documents", "The query"


@dataclass(frozen=True, slots=True)
class DocumentSpot:
    doc_id: str
    title: str
    x: float
    y: float
    grade: int
    """Relevance to the query; 0: it is no answer."""
    ranks: tuple[int | None, ...]
    """Its rank in each run, within the depth read; None: it is not there."""

    @property
    def is_found(self) -> bool:
        return any(rank is not None for rank in self.ranks)


def plane_rows(spots: Sequence[DocumentSpot], names: Sequence[str]) -> list[Row]:
    """Return answers and ranked documents first; then the sample of the rest."""
    order = sorted(spots, key=lambda spot: (not spot.grade, not spot.is_found))
    return [
        {
            "Document": spot.doc_id,
            "Title": spot.title,
            "Relevance": spot.grade or None,
            **{f"Rank in {name}": rank for name, rank in zip(names, spot.ranks, strict=True)},
            "x": round(spot.x, 5),
            "y": round(spot.y, 5),
        }
        for spot in order
    ]


def plane_figure(
    spots: Sequence[DocumentSpot], *, names: Sequence[str], query: tuple[float, float] | None, first: int, theme: Theme
) -> go.Figure:
    """Draw a sample of the collection in grey, answers found filled, and a ring for each run.

    `names`: of the runs, in the order of every spot's ranks; `first`: the depth to which each run is read.
    """
    answers = [spot for spot in spots if spot.grade]
    found = [spot for spot in answers if spot.is_found]
    title = _plane_title(len(found), len(answers), first)
    described = "; ".join(
        f"{name} {sum(spot.ranks[place] is not None for spot in answers)} of {len(answers)}"
        for place, name in enumerate(names)
    )
    marks = [FOUND, MISSED, OTHER, QUERY]
    figure = framed(
        title=title,
        subtitle=f"Filled: answers found. Rings: the first {first} of a run",
        description=f"Documents on a plane. {title}. Answers among the first {first}: {described}.",
        plot=PLANE_PLOT,
        theme=theme,
        legend=[*marks, *names],
    )
    if not spots:
        return say_why(figure, "No document has a vector, so there is nothing to show.", theme)
    figure.add_trace(go.Scatter(**_plane_dots([spot for spot in spots if not spot.grade], OTHER, names, theme)))
    for place, name in enumerate(names):
        figure.add_trace(go.Scatter(**_rings(spots, place, name, names, theme)))
    figure.add_trace(go.Scatter(**_plane_dots([spot for spot in answers if not spot.is_found], MISSED, names, theme)))
    figure.add_trace(go.Scatter(**_plane_dots(found, FOUND, names, theme)))
    if query is not None:
        figure.add_trace(go.Scatter(**_query(query, theme)))
    name_plane(figure)
    return figure


def _plane_dots(spots: Sequence[DocumentSpot], what: str, names: Sequence[str], theme: Theme) -> dict[str, Any]:
    colours = COLOURS[theme]
    markers: Mapping[str, dict[str, Any]] = {
        OTHER: {"size": DOT, "color": colours["not_relevant"], "opacity": 0.55},
        FOUND: {"size": ANSWER, "color": colours["core"], "line": {"color": colours["background"], "width": 1}},
        MISSED: {"size": ANSWER, "symbol": "circle-open", "color": colours["core"], "line": {"width": 2}},
    }
    return {
        "x": [spot.x for spot in spots],
        "y": [spot.y for spot in spots],
        "mode": "markers",
        "name": what,
        "marker": markers[what],
        **hover_texts(_plane_hover(spot, names) for spot in spots),
    }


def _rings(spots: Sequence[DocumentSpot], place: int, name: str, names: Sequence[str], theme: Theme) -> dict[str, Any]:
    ringed = [spot for spot in spots if spot.ranks[place] is not None]
    look = looks(names, theme)[name]
    return {
        "x": [spot.x for spot in ringed],
        "y": [spot.y for spot in ringed],
        "mode": "markers",
        "name": axis_name(name),
        "marker": {
            "size": RING + WIDER * place,
            "symbol": f"{look.symbol}-open",
            "color": look.colour,
            "line": {"width": 1.5},
        },
        **hover_texts(_plane_hover(spot, names) for spot in ringed),
    }


def _query(at: tuple[float, float], theme: Theme) -> dict[str, Any]:
    sign = {"size": 15, "symbol": "x", "color": COLOURS[theme]["text"]}
    return {
        "x": [at[0]],
        "y": [at[1]],
        "mode": "markers",
        "name": QUERY,
        "marker": {**sign, "line": {"color": COLOURS[theme]["background"], "width": 1.5}},
        "hovertemplate": "The query<extra></extra>",
        "cliponaxis": False,
    }


def _plane_hover(spot: DocumentSpot, names: Sequence[str]) -> str:
    lines = [f"<b>{plain(short(spot.title or spot.doc_id, LONGEST_TITLE))}</b>"]
    if spot.grade:
        lines.append(f"answer, grade {spot.grade}")
    lines += [
        f"{axis_name(name)}: rank {rank}" for name, rank in zip(names, spot.ranks, strict=True) if rank is not None
    ]
    return "<br>".join(lines)


def _plane_title(n_found: int, n: int, first: int) -> str:
    if not n:
        return "A query without a known answer"
    if n == 1:
        return f"The one answer is {'in a' if n_found else 'in no'} first {first}"
    return f"{n_found} of {n} answers are in a first {first}"
