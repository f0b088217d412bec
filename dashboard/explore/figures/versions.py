"""Figures of versions: differences, recall against size, and robustness to settings."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from core.explore.compare import SHARED_AREAS, Difference, pareto_front
from core.explore.regions import REGION_LABELS
from core.explore.robustness import AS_SET, JOINT, ChoiceOutcome, Robustness, VersionRange, order_title, turns_order
from core.metrics import METRICS, read_per_core
from core.stats import wilson
from core.text import signed
from dashboard.kit.figures import LineLook, layout, look_of, named, plain, say_why, shade_rows
from dashboard.kit.theme import COLOURS, Theme

# All differences between two versions around 0, with their sensitivity to the core set.

ROW = 24
ABOVE, BELOW = 100, 50
SMALLEST_SPAN = 0.05
"""Differences smaller than this remain small in the figure."""
UNDEFINED = "there is no difference"


def difference_name(difference: Difference) -> str:
    """Return the row name of a difference.

    >>> difference_name(Difference("a", "b", "f_beta", "hull", None, None, ""))
    'Convex hull, F-beta *'
    """
    label = METRICS[difference.metric].label
    if difference.region is None:
        return label
    label = label if label.startswith("F-") else label.lower()
    return f"{REGION_LABELS[difference.region]}, {label}{' *' if difference.region in SHARED_AREAS else ''}"


def difference_rows(differences: Sequence[Difference]) -> list[dict[str, str | float | None]]:
    words = {True: "clear", False: "not clear", None: "–"}
    return [
        {
            "Score": difference_name(d),
            "Difference": d.difference,
            "Range from": d.interval.low if d.interval else None,
            "Range to": d.interval.high if d.interval else None,
            "Clear": words[d.is_clear],
            "In words": d.sentence,
        }
        for d in differences
    ]


def differences_figure(
    differences: Sequence[Difference],
    *,
    names: tuple[str, str],
    positions: tuple[int, int],
    theme: Theme,
    waiting: bool = False,
) -> go.Figure:
    """Draw one row for each difference of B minus A: a dot with a whisker, filled if the difference is clear.

    `names` and `positions` are those of A and B among the chosen versions. `waiting`: the intervals are still being
    computed. The figure has the same height with and without them.
    """
    a, b = (named(name, None) for name in names)
    figure = go.Figure(layout=_layout(differences, a, b, theme, waiting))
    if not differences:
        return say_why(figure, "There is no difference to draw.", theme)
    drawn = [(row, d) for row, d in enumerate(differences) if d.difference is not None]
    span = _span([d for _, d in drawn])
    shade_rows(figure, len(differences), theme)
    figure.add_shape(type="line", x0=0, x1=0, y0=0, y1=1, yref="paper", line=_zero(theme), layer="below")
    figure.add_trace(go.Scatter(**_whiskers(drawn, theme)))
    looks = tuple(look_of(position, theme) for position in positions)
    figure.add_trace(go.Scatter(**_dots(drawn, looks, theme)))
    for row, d in enumerate(differences):
        if d.difference is None:
            figure.add_annotation(**_reason(row, d, theme))
    _write_sides(figure, (a, b), looks, theme)
    figure.update_xaxes(range=(-span, span), **_ticks(span))
    return figure


def _zero(theme: Theme) -> dict[str, Any]:
    return {"color": COLOURS[theme]["faint"], "width": 1.2}


def _span(drawn: Sequence[Difference]) -> float:
    ends = [SMALLEST_SPAN]
    for d in drawn:
        ends.append(abs(d.difference or 0.0))
        ends.extend(abs(end) for end in d.interval or ())
    return 1.08 * max(ends)


def _ticks(span: float) -> dict[str, Any]:
    power = 10.0 ** math.floor(math.log10(span))
    end = max(step * power for step in (1, 2, 4, 5, 8) if step * power <= span)
    label = f"{end:.6g}"
    return {"tickvals": [-end, -end / 2, 0, end / 2, end], "ticktext": [f"−{label}", "", "0", "", f"+{label}"]}


def _whiskers(drawn: Sequence[tuple[int, Difference]], theme: Theme) -> dict[str, Any]:
    x: list[float | None] = []
    y: list[int | None] = []
    for row, d in drawn:
        if d.interval is not None:
            x += [d.interval.low, d.interval.high, None]
            y += [row, row, None]
    return {
        "x": x,
        "y": y,
        "mode": "lines",
        "hoverinfo": "skip",
        "line": {"color": COLOURS[theme]["text"], "width": 1.4},
        "name": "Range over core sets",
    }


def _dots(drawn: Sequence[tuple[int, Difference]], looks: Sequence[LineLook], theme: Theme) -> dict[str, Any]:
    colours = COLOURS[theme]
    fills, edges, symbols = [], [], []
    for _, d in drawn:
        side = looks[(d.difference or 0) > 0]
        fills.append(side.colour if d.is_clear else colours["background"])
        edges.append(side.colour if d.is_clear else colours["faint"])
        symbols.append(side.symbol if d.is_clear else "circle")
    return {
        "x": [d.difference for _, d in drawn],
        "y": [row for row, _ in drawn],
        "mode": "markers",
        "marker": {"size": 11, "color": fills, "symbol": symbols, "line": {"color": edges, "width": 1.8}, "opacity": 1},
        "customdata": [[plain(difference_name(d)), _range_words(d)] for _, d in drawn],
        "hovertemplate": "%{customdata[0]}<br>%{x:+.3f}%{customdata[1]}<extra></extra>",
        "cliponaxis": False,
        "name": "Difference",
    }


def _range_words(d: Difference) -> str:
    return f" ({signed(d.interval.low)} to {signed(d.interval.high)})" if d.interval else ", without a range"


def _reason(row: int, d: Difference, theme: Theme) -> dict[str, Any]:
    return {
        "x": 0,
        "y": row,
        "text": "–",
        "hovertext": plain(d.sentence),
        "showarrow": False,
        "bgcolor": COLOURS[theme]["background"],
        "font": {"size": 13, "color": COLOURS[theme]["faint"]},
    }


def _write_sides(figure: go.Figure, names: tuple[str, str], looks: Sequence[LineLook], theme: Theme) -> None:
    """Label both sides. Only the arrows have the versions' colours, some of which are too pale for text."""
    for name, look, x, anchor, text, up in (
        (names[0], looks[0], 0.0, "left", "{arrow} more in {name}", 18),
        (names[1], looks[1], 1.0, "right", "more in {name} {arrow}", 2),
    ):
        figure.add_annotation(
            text=text.format(name=plain(name), arrow=f"<span style='color:{look.colour}'>{'→' if x else '←'}</span>"),
            x=x,
            y=1,
            xref="paper",
            yref="paper",
            xanchor=anchor,
            yanchor="bottom",
            yshift=up,
            showarrow=False,
            font={"size": 12, "color": COLOURS[theme]["text"]},
        )


def _title(differences: Sequence[Difference], waiting: bool) -> str:
    given = [d for d in differences if d.difference is not None]
    if waiting:
        return f"{len(given)} differences; their ranges are being computed"
    n_clear = sum(bool(d.is_clear) for d in given)
    return f"{n_clear} of {len(given)} differences {'is' if n_clear == 1 else 'are'} clear"


def _description(differences: Sequence[Difference], a: str, b: str, waiting: bool) -> str:
    parts = []
    for d in differences:
        value = UNDEFINED if d.difference is None else f"{signed(d.difference)}{_range_words(d)}"
        parts.append(f"{difference_name(d)} {value}")
    return f"Dot plot of {b} minus {a}. {_title(differences, waiting)}. {'; '.join(parts)}."


def _layout(differences: Sequence[Difference], a: str, b: str, theme: Theme, waiting: bool) -> dict[str, Any]:
    n = len(differences)
    return layout(
        _title(differences, waiting),
        "Filled: clear. Hollow: not clear. Scores run from 0 to 1.",
        _description(differences, a, b, waiting),
        height=ABOVE + max(n, 3) * ROW + BELOW,
        above=ABOVE,
        below=BELOW,
        right=16,
        y=0.985,
        theme=theme,
        xaxis={
            "title": {"text": "Difference of scores"},
            "fixedrange": True,
        },
        yaxis={
            "range": (max(n, 3) - 0.5, -0.5),
            "tickvals": list(range(n)),
            "ticktext": [plain(difference_name(d)) for d in differences],
            "tickfont": {"size": 12, "color": COLOURS[theme]["text"]},
            "showgrid": False,
            "fixedrange": True,
        },
    )


# Core recall against records to read, for every version of a topic, with the frontier.

HEIGHT = 380
NOMINAL = (520.0, 250.0)
"""Assumed pixels of the plot for placing its labels; a wider one leaves more room."""
LETTER, LINE = 6.6, 15.0
MOST_LABELS = 14


@dataclass(frozen=True, slots=True)
class ParetoPoint:
    label: str
    name: str | None
    n_retrieved: int
    n_found: int
    n_core: int

    @property
    def recall(self) -> float:
        return self.n_found / self.n_core


def on_front(versions: Sequence[ParetoPoint]) -> list[ParetoPoint]:
    """Return the versions that no other one beats in recall and in size at once, the shortest list first."""
    read = [v for v in versions if v.n_retrieved]
    return [read[i] for i in pareto_front([v.n_retrieved for v in read], [v.n_found for v in read])]


def pareto_rows(versions: Sequence[ParetoPoint]) -> list[dict[str, str | int | float | None]]:
    front = {v.label for v in on_front(versions)}
    rows: list[dict[str, str | int | float | None]] = []
    for v in versions:
        low, high = wilson(v.n_found, v.n_core)
        rows.append(
            {
                "Version": v.label,
                "Name": v.name,
                "Retrieved": v.n_retrieved,
                "Core found": v.n_found,
                "Core recall": v.recall,
                "Recall from": low,
                "Recall to": high,
                "To read per core found": read_per_core(n_retrieved=v.n_retrieved, n_found=v.n_found),
                "Beaten by none": "yes" if v.label in front else "no",
            }
        )
    return rows


def pareto_figure(versions: Sequence[ParetoPoint], *, chosen: Sequence[str], theme: Theme) -> go.Figure:
    """Draw every version as a point, chosen ones in their colours, others grey, and steps through the frontier.

    A version that retrieved nothing has no place on a logarithmic axis: the caption lists it.
    """
    drawn = [v for v in versions if v.n_retrieved]
    front = on_front(versions)
    figure = go.Figure(layout=_pareto_layout(versions, front, theme))
    if not drawn:
        return say_why(figure, "No version has retrieved anything.", theme)
    span = _pareto_span(drawn)
    figure.add_trace(go.Scatter(**_stair(front, span, theme)))
    colours = _colours(drawn, chosen, theme)
    for v, (colour, symbol, is_chosen) in zip(drawn, colours, strict=True):
        figure.add_trace(go.Scatter(**_point(v, colour, symbol, is_chosen, theme)))
    for annotation in _labels(drawn, front, chosen, span, theme):
        figure.add_annotation(**annotation)
    figure.update_xaxes(range=span)
    return figure


def _colours(drawn: Sequence[ParetoPoint], chosen: Sequence[str], theme: Theme) -> list[tuple[str, str, bool]]:
    order = {label: i for i, label in enumerate(chosen)}
    out = []
    for v in drawn:
        if v.label in order:
            look = look_of(order[v.label], theme)
            out.append((look.colour, look.symbol, True))
        else:
            out.append((COLOURS[theme]["not_relevant"], "circle", False))
    return out


def _pareto_span(drawn: Sequence[ParetoPoint]) -> tuple[float, float]:
    """Return the ends of the axis as powers of ten."""
    logs = [math.log10(v.n_retrieved) for v in drawn]
    low, high = min(logs), max(logs)
    space = max(0.12 * (high - low), 0.15)
    return low - space, high + space


def _stair(front: Sequence[ParetoPoint], span: tuple[float, float], theme: Theme) -> dict[str, Any]:
    x = [float(v.n_retrieved) for v in front]
    y = [v.recall for v in front]
    return {
        "x": [*x, 10 ** span[1]],
        "y": [*y, y[-1]],
        "mode": "lines",
        "line": {"color": COLOURS[theme]["faint"], "width": 1.4, "dash": "dot", "shape": "hv"},
        "hoverinfo": "skip",
        "name": "Beaten by none",
        "zorder": -1,
    }


def _point(v: ParetoPoint, colour: str, symbol: str, is_chosen: bool, theme: Theme) -> dict[str, Any]:
    low, high = wilson(v.n_found, v.n_core)
    name = v.label if v.name is None else f"{v.label}: {v.name}"
    each = read_per_core(n_retrieved=v.n_retrieved, n_found=v.n_found)
    words = [
        f"<b>{plain(name)}</b>",
        f"{v.n_found} of {v.n_core} core publications ({low:.2f} to {high:.2f})",
        f"{v.n_retrieved:,} records to read",
        *([f"{each:,.1f} for each core publication"] if each else []),
    ]
    return {
        "x": [v.n_retrieved],
        "y": [v.recall],
        "mode": "markers",
        "name": plain(v.label),
        "marker": {
            "size": 12 if is_chosen else 8,
            "symbol": symbol,
            "color": colour,
            "line": {"color": COLOURS[theme]["background"], "width": 1.2},
        },
        "error_y": {
            "type": "data",
            "symmetric": False,
            "array": [high - v.recall],
            "arrayminus": [v.recall - low],
            "color": colour,
            "thickness": 1.2 if is_chosen else 0.8,
            "width": 0,
        },
        "hovertext": ["<br>".join(words)],
        "hovertemplate": "%{hovertext}<extra></extra>",
        "cliponaxis": False,
        "zorder": 2 if is_chosen else 1,
    }


Box = tuple[float, float, float, float]


def _labels(
    drawn: Sequence[ParetoPoint],
    front: Sequence[ParetoPoint],
    chosen: Sequence[str],
    span: tuple[float, float],
    theme: Theme,
) -> list[dict[str, Any]]:
    """Return a name next to each point, chosen ones first, if it overlaps nothing; the rest have theirs on hover."""
    fronted = {v.label for v in front}
    places = {v.label: _place(v, span) for v in drawn}
    taken: list[Box] = [(x - 7, y - 7, x + 7, y + 7) for x, y in places.values()]
    order = sorted(drawn, key=lambda v: (v.label not in chosen, v.label not in fronted))
    out: list[dict[str, Any]] = []
    for v in order[:MOST_LABELS]:
        text = named(v.label, v.name)
        found = _free(places[v.label], LETTER * len(text), taken, must=v.label in chosen)
        if found is None:
            continue
        anchor, shift, box = found
        taken.append(box)
        is_chosen = v.label in chosen
        out.append(
            {
                "x": math.log10(v.n_retrieved),
                "y": v.recall,
                "text": f"<b>{plain(text)}</b>" if is_chosen else plain(text),
                "xanchor": anchor,
                "yanchor": "middle",
                "xshift": shift[0],
                "yshift": shift[1],
                "showarrow": False,
                "font": {"size": 12, "color": COLOURS[theme]["text" if is_chosen else "faint"]},
            }
        )
    return out


def _place(v: ParetoPoint, span: tuple[float, float]) -> tuple[float, float]:
    width, height = NOMINAL
    return (math.log10(v.n_retrieved) - span[0]) / (span[1] - span[0]) * width, v.recall * height


def _free(
    at: tuple[float, float], width: float, taken: Sequence[Box], *, must: bool
) -> tuple[str, tuple[int, int], Box] | None:
    """Return the first side of a point with room for a text of this width. `must`: else the side with least overlap."""
    x, y = at
    best: tuple[int, tuple[str, tuple[int, int], Box]] | None = None
    for anchor, dx, dy in (
        ("left", 8, 14),
        ("right", -8, 14),
        ("left", 10, 0),
        ("right", -10, 0),
        ("left", 8, -14),
        ("right", -8, -14),
        ("left", 8, 28),
        ("left", 8, -28),
    ):
        left = x + dx if anchor == "left" else x + dx - width
        box = (left, y + dy - LINE / 2, left + width, y + dy + LINE / 2)
        meets = sum(_meet(box, other) for other in taken) + 2 * (left < 0) + 2 * (left + width > NOMINAL[0])
        if not meets:
            return anchor, (dx, dy), box
        if best is None or meets < best[0]:
            best = meets, (anchor, (dx, dy), box)
    return best[1] if must and best else None


def _meet(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _pareto_layout(versions: Sequence[ParetoPoint], front: Sequence[ParetoPoint], theme: Theme) -> dict[str, Any]:
    return layout(
        _pareto_title(versions, front),
        "Higher: more core found. Further left: less to read.",
        _pareto_description(versions, front),
        height=HEIGHT,
        above=64,
        below=48,
        right=16,
        y=0.985,
        theme=theme,
        xaxis={
            "type": "log",
            "title": {"text": "Publications to read (retrieved, logarithmic)"},
            "tickvals": _pareto_ticks(versions),
            "tickformat": ",d",
            "fixedrange": True,
        },
        yaxis={
            "title": {"text": "Core recall, 0 to 1"},
            "range": (-0.03, 1.04),
            "tickvals": (0, 0.25, 0.5, 0.75, 1),
            "fixedrange": True,
        },
    )


def _pareto_ticks(versions: Sequence[ParetoPoint]) -> list[float]:
    low, high = (
        _pareto_span([v for v in versions if v.n_retrieved]) if any(v.n_retrieved for v in versions) else (0.0, 1.0)
    )
    steps = (1, 1.5, 2, 3, 5, 7) if high - low < 1.2 else (1, 3) if high - low < 3 else (1,)
    ticks = [step * 10.0**power for power in range(math.floor(low), math.ceil(high) + 1) for step in steps]
    return [tick for tick in ticks if low <= math.log10(tick) <= high and tick == int(tick)]


def _pareto_title(versions: Sequence[ParetoPoint], front: Sequence[ParetoPoint]) -> str:
    n = len(versions)
    if n == 1:
        return "One version: recall and publications to read"
    are = "is" if len(front) == 1 else "are"
    return f"{len(front)} of {n} versions {are} on the frontier"


def _pareto_description(versions: Sequence[ParetoPoint], front: Sequence[ParetoPoint]) -> str:
    listed = "; ".join(f"{v.label} {v.n_retrieved:,} retrieved, recall {v.recall:.3f}" for v in versions)
    return (
        f"Core recall against publications retrieved, on a logarithmic axis. {_pareto_title(versions, front)}: "
        f"{', '.join(v.label for v in front) or 'none'}. {listed}."
    )


# The sensitivity of F-beta to choices: its range for every version, and the order of versions under every choice.

SPAN_ROW, SPAN_ABOVE, SPAN_BELOW = 58, 68, 52
CELL_ROW, CELL_ABOVE, CELL_BELOW = 23, 92, 16
MOST_VERSIONS = 8
"""Maximum number of columns on a page."""
LONGEST_CHOICE = 34


def span_rows(found: Robustness) -> list[dict[str, str | float | None]]:
    return [
        {
            "Version": s.label,
            "F-beta as set": s.as_set,
            "Lowest": s.lowest,
            "Lowest with": s.lowest_under.label if s.lowest_under else None,
            "Highest": s.highest,
            "Highest with": s.highest_under.label if s.highest_under else None,
            "Lowest, all at once": s.joint_lowest,
            "Highest, all at once": s.joint_highest,
        }
        for s in found.spans
    ]


def outcome_rows(found: Robustness) -> list[dict[str, str | int | float | None]]:
    """Return every version under every choice as a row of a table, including extremes that are not drawn."""
    return [
        {"Choice": o.choice.label, "Version": label, "F-beta": value, "Rank": rank, "Why": problem}
        for o in found.outcomes
        for label, value, rank, problem in zip(found.labels, o.f_beta, o.rank, o.problem, strict=True)
    ]


def spans_figure(found: Robustness, *, beta: float, theme: Theme) -> go.Figure:
    """Draw a row for each version: a dot for F-beta as set, a whisker from the lowest to the highest over all choices.

    The thin line behind shows the range when all decay settings and beta are at an end of their ranges at once.
    """
    figure = go.Figure(layout=_spans_layout(found, beta, theme))
    drawn = [(row, span) for row, span in enumerate(found.spans) if span.lowest is not None]
    if not drawn:
        return say_why(figure, "No version has a value under any choice.", theme)
    for row, span in drawn:
        for trace in _span_traces(row, span, theme):
            figure.add_trace(go.Scatter(**trace))
        for annotation in _end_words(row, span, theme):
            figure.add_annotation(**annotation)
    for row, span in enumerate(found.spans):
        if span.lowest is None:
            figure.add_annotation(
                x=0,
                y=row,
                text="–  no meaningful value under any choice",
                xanchor="left",
                showarrow=False,
                font={"size": 12, "color": COLOURS[theme]["faint"]},
            )
    return figure


def _span_traces(row: int, span: VersionRange, theme: Theme) -> list[dict[str, Any]]:
    look, colours = look_of(row, theme), COLOURS[theme]
    traces: list[dict[str, Any]] = []
    if span.joint_lowest is not None and span.joint_highest is not None:
        traces.append(
            {
                "x": [span.joint_lowest, span.joint_highest],
                "y": [row, row],
                "mode": "lines",
                "line": {"color": colours["border"], "width": 5},
                "hoverinfo": "skip",
            }
        )
    traces.append(
        {
            "x": [span.lowest, span.highest],
            "y": [row, row],
            "mode": "lines+markers",
            "line": {"color": look.colour, "width": 2},
            "marker": {"symbol": "line-ns", "size": 11, "line": {"color": look.colour, "width": 2}},
            "customdata": [choice.label if choice else "" for choice in (span.lowest_under, span.highest_under)],
            "hovertemplate": "%{x:.3f} with %{customdata}<extra></extra>",
        }
    )
    if span.as_set is not None:
        traces.append(
            {
                "x": [span.as_set],
                "y": [row],
                "mode": "markers",
                "marker": {
                    "size": 13,
                    "symbol": look.symbol,
                    "color": look.colour,
                    "line": {"color": colours["background"], "width": 1.4},
                },
                "hovertemplate": "%{x:.3f} as set<extra></extra>",
                "cliponaxis": False,
            }
        )
    return traces


def _end_words(row: int, span: VersionRange, theme: Theme) -> list[dict[str, Any]]:
    """Label the choice that leads to each end: the lower one below the whisker, the upper one above."""
    low, high = span.lowest or 0.0, span.highest or 0.0
    words: list[dict[str, Any]] = []
    for value, choice, above in ((low, span.lowest_under, False), (high, span.highest_under, True)):
        if choice is None:
            continue
        anchor = "left" if value < 0.35 else "right" if value > 0.65 else "center"
        words.append(
            {
                "x": value,
                "y": row,
                "text": f"{value:.3f} {plain(choice.label)}",
                "xanchor": anchor,
                "yanchor": "bottom" if above else "top",
                "yshift": 6 if above else -6,
                "showarrow": False,
                "font": {"size": 11, "color": COLOURS[theme]["faint"]},
            }
        )
    return words


def _spans_title(found: Robustness) -> str:
    wide = [(s.highest - s.lowest, s) for s in found.spans if s.lowest is not None and s.highest is not None]
    if not wide:
        return "F-beta over reasonable choices"
    width, span = max(wide, key=lambda each: each[0])
    whose = "" if len(found.spans) == 1 else f" of {plain(named(span.label, None))}"
    return f"Choices move F-beta{whose} by up to {width:.2f}"


def _spans_layout(found: Robustness, beta: float, theme: Theme) -> dict[str, Any]:
    n, by = len(found.spans), REGION_LABELS[found.region]
    described = "; ".join(
        f"{s.label}: "
        + (
            f"{s.lowest:.3f} with {s.lowest_under.label} to {s.highest:.3f} with {s.highest_under.label}"
            if s.lowest is not None and s.lowest_under and s.highest is not None and s.highest_under
            else "no value"
        )
        for s in found.spans
    )
    return layout(
        _spans_title(found),
        "Sign: as set. Whisker: one change. Band: several at once.",
        f"Range of F-beta by {by} over reasonable choices. {described}.",
        height=SPAN_ABOVE + max(n, 2) * SPAN_ROW + SPAN_BELOW,
        above=SPAN_ABOVE,
        below=SPAN_BELOW,
        right=16,
        y=0.985,
        theme=theme,
        xaxis={
            "title": {"text": f"F{beta:g} by {by} as set (0 to 1)"},
            "range": (-0.02, 1.02),
            "tickvals": (0, 0.25, 0.5, 0.75, 1),
            "fixedrange": True,
        },
        yaxis={
            "range": (max(n, 2) - 0.5, -0.5),
            "tickvals": list(range(n)),
            "ticktext": [plain(named(label, None)) for label in found.labels],
            "tickfont": {"size": 12, "color": COLOURS[theme]["text"]},
            "showgrid": False,
            "fixedrange": True,
        },
    )


def orders_figure(found: Robustness, *, theme: Theme) -> go.Figure:
    """Draw a row for each choice, a column for each version: F-beta, and its rank. The best of a row is filled.

    A choice that reverses the order of two versions is in bold.
    """
    outcomes = [o for o in found.outcomes if o.choice.setting != JOINT]
    labels = found.labels[:MOST_VERSIONS]
    figure = go.Figure(layout=_orders_layout(found, outcomes, labels, theme))
    x: list[int] = []
    y: list[int] = []
    texts: list[str] = []
    hovers: list[str] = []
    for row, outcome in enumerate(outcomes):
        n_ranked = sum(rank is not None for rank in outcome.rank)
        for column, label in enumerate(labels):
            rank, problem = outcome.rank[column] if n_ranked > 1 else None, outcome.problem[column]
            if rank == 1:
                figure.add_shape(**_cell(row, column, theme))
            x.append(column)
            y.append(row)
            texts.append(_cell_text(outcome.f_beta[column], rank, problem))
            hovers.append(f"{plain(outcome.choice.label)}<br>{plain(label)}{': ' + plain(problem) if problem else ''}")
    figure.add_trace(
        go.Scatter(
            x=x,
            y=y,
            text=texts,
            mode="text",
            textfont={"size": 12, "color": COLOURS[theme]["text"]},
            hovertext=hovers,
            hovertemplate="%{hovertext}<extra></extra>",
            cliponaxis=False,
        )
    )
    return figure


def _cell_text(value: float | None, rank: int | None, problem: str | None) -> str:
    if value is None:
        return "–"
    number = f"<s>{value:.3f}</s>" if problem else f"{value:.3f}"
    return number if rank is None else f"{number}  · {rank}"


def _cell(row: int, column: int, theme: Theme) -> dict[str, Any]:
    return {
        "type": "rect",
        "layer": "below",
        "x0": column - 0.46,
        "x1": column + 0.46,
        "y0": row - 0.46,
        "y1": row + 0.46,
        "fillcolor": look_of(column, theme).colour,
        "opacity": 0.22,
        "line": {"width": 0},
    }


def _choice_name(found: Robustness, outcome: ChoiceOutcome) -> str:
    label = outcome.choice.label if outcome.choice.setting != AS_SET else "As set"
    label = plain(label if len(label) <= LONGEST_CHOICE else label[: LONGEST_CHOICE - 1] + "…")
    return f"<b>{label}</b>" if turns_order(found, outcome.choice) or outcome.choice.setting == AS_SET else label


def _orders_layout(
    found: Robustness, outcomes: Sequence[ChoiceOutcome], labels: Sequence[str], theme: Theme
) -> dict[str, Any]:
    n, colours = len(outcomes), COLOURS[theme]
    several = len(labels) > 1
    left_out = len(found.labels) - len(labels)
    subtitle = "Filled: best. Bold: changes the order. After the dot: the rank." if several else "One change at a time."
    if left_out:
        subtitle += f" {left_out} more versions are in the table."
    heads = [
        f'<span style="color:{look_of(i, theme).colour}">{plain(named(v, None))}</span>' for i, v in enumerate(labels)
    ]
    return layout(
        order_title(found),
        subtitle,
        _orders_description(found, outcomes),
        height=CELL_ABOVE + max(n, 3) * CELL_ROW + CELL_BELOW,
        above=CELL_ABOVE,
        below=CELL_BELOW,
        y=0.99,
        theme=theme,
        xaxis={
            "range": (-0.5, len(labels) - 0.5),
            "side": "top",
            "tickvals": list(range(len(labels))),
            "ticktext": heads,
            "tickfont": {"size": 12},
            "showgrid": False,
            "fixedrange": True,
        },
        yaxis={
            "range": (max(n, 3) - 0.5, -0.5),
            "tickvals": list(range(n)),
            "ticktext": [_choice_name(found, o) for o in outcomes],
            "tickfont": {"size": 12, "color": colours["text"]},
            "showgrid": False,
            "fixedrange": True,
        },
    )


def _orders_description(found: Robustness, outcomes: Sequence[ChoiceOutcome]) -> str:
    first = outcomes[0] if outcomes else None
    as_set = "; ".join(
        f"{label} {'no value' if value is None else f'{value:.3f}'}"
        for label, value in zip(found.labels, first.f_beta if first else (), strict=bool(first))
    )
    turning = ", ".join(o.choice.label for o in outcomes if turns_order(found, o.choice)) or "none"
    return (
        f"F-beta of each version under each choice. {order_title(found)}. As set: {as_set}. Choices that change the "
        f"order: {turning}."
    )
