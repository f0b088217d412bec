"""Strings of several origins over topics: a sign for each on one line per topic, and their means below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from core.studies.core_sets import ORIGIN_LABELS, SIZES, Column, TopicScores, column_label
from core.studies.strings import TopicStrings, mean_of
from core.types import Origin
from dashboard.figures.studies.scores import number
from dashboard.figures.theme import COLOURS, Role, Theme, template
from dashboard.figures.upset import plain, say_why, short

STRINGS_LANE = 30
STRINGS_ABOVE, STRINGS_BELOW = 84, 40
LONGEST_NAME = 32
LARGEST, SMALLER = 15, 3
"""Pixels of the first origin's sign, and how much smaller each next one is."""


@dataclass(frozen=True, slots=True)
class Sign:
    """How an origin is drawn: colour never tells alone."""

    role: Role
    symbol: str


SIGNS: Mapping[Origin, Sign] = {
    "baseline": Sign("relevant", "circle"),
    "generated": Sign("second", "diamond"),
    "review": Sign("third", "square"),
    "manual": Sign("not_relevant", "triangle-up"),
}
MARKS: Mapping[Origin, str] = {"baseline": "●", "generated": "◆", "review": "■", "manual": "▲"}


def strings_figure(
    rows: Sequence[TopicStrings], origins: Sequence[Origin], what: Column, *, beta: float, theme: Theme
) -> go.Figure:
    """A line for each topic, a sign for each origin; hollow where the number says nothing, none where there is none."""
    name = column_label(what, beta)
    mean = mean_of(rows, origins, what)
    said = [f"{row.topic_id}: {_listed(row, origins, what)}" for row in rows]
    if mean.values:
        of_mean = ", ".join(f"{ORIGIN_LABELS[o].lower()} {number(v, what.metric)}" for o, v in mean.values.items())
        said.append(f"mean over {mean.n_topics}: {of_mean}")
    n_lines = len(rows) + bool(mean.values)
    description = f"{name} of the strings of {len(rows)} topics. {'; '.join(said)}."
    figure = go.Figure(layout=_layout(name, _by_colour(origins, theme), description, n_lines, theme))
    if not any(row.scores[o].value(what) is not None for row in rows for o in origins if o in row.scores):
        return say_why(figure, f"No topic has this number: {_reasons(rows, what)}.", theme)
    lines = [[row.scores[o].value(what) for o in origins if o in row.scores] for row in rows]
    figure.add_trace(go.Scatter(**_between([*lines, list(mean.values.values())], theme)))
    for place, origin in enumerate(origins):
        size = LARGEST - SMALLER * min(place, 3)  # so that one sign does not hide another at the same place
        figure.add_trace(go.Scatter(**_signs(rows, origin, what, size, theme)))
        if mean.values:
            figure.add_trace(go.Scatter(**_mean_sign(len(rows), origin, mean.values[origin], what, size, theme)))
    names = [plain(short(row.topic_id, LONGEST_NAME)) for row in rows]
    names += [f"<b>Mean</b> ({mean.n_topics})"] if mean.values else []
    figure.update_yaxes(
        tickvals=list(range(n_lines)), ticktext=names, range=[n_lines - 0.5, -0.5], showgrid=False, zeroline=False
    )
    figure.update_xaxes(title_text="Publications" if what.metric in SIZES else f"{name} (0 to 1)", rangemode="tozero")
    if what.metric not in SIZES:
        figure.update_xaxes(range=[-0.03, 1.03])
    if mean.values:
        edge = {"color": COLOURS[theme]["border"], "width": 1.5}
        figure.add_shape(
            type="line", xref="paper", x0=0, x1=1, y0=len(rows) - 0.5, y1=len(rows) - 0.5, line=edge, layer="below"
        )
    return figure


def _listed(row: TopicStrings, origins: Sequence[Origin], what: Column) -> str:
    return ", ".join(
        f"{ORIGIN_LABELS[o].lower()} {number(row.scores[o].value(what), what.metric)}"
        for o in origins
        if o in row.scores
    )


def _reasons(rows: Sequence[TopicStrings], what: Column) -> str:
    found = dict.fromkeys(s.reason(what) or "undefined" for row in rows for s in row.scores.values())
    return "; ".join(list(found)[:3]) or "nothing is compared"


def _by_colour(origins: Sequence[Origin], theme: Theme) -> str:
    return "   ".join(
        f'<span style="color:{COLOURS[theme][SIGNS[o].role]}">{MARKS[o]}</span> {ORIGIN_LABELS[o]}' for o in origins
    )


def _between(lines: Sequence[Sequence[float | None]], theme: Theme) -> dict[str, Any]:
    """From the lowest to the highest of each line."""
    x: list[float | None] = []
    y: list[float | None] = []
    for place, values in enumerate(lines):
        known = [value for value in values if value is not None]
        if len(known) > 1:
            x += [min(known), max(known), None]
            y += [place, place, None]
    line = {"color": COLOURS[theme]["border"], "width": 3}
    return {"x": x, "y": y, "mode": "lines", "line": line, "hoverinfo": "skip", "showlegend": False}


def _signs(rows: Sequence[TopicStrings], origin: Origin, what: Column, size: int, theme: Theme) -> dict[str, Any]:
    sign, ground = SIGNS[origin], COLOURS[theme]["background"]
    colour = COLOURS[theme][sign.role]
    drawn: list[tuple[int, TopicScores, float]] = []
    for place, row in enumerate(rows):
        scores = row.scores.get(origin)
        value = None if scores is None else scores.value(what)
        if scores is not None and value is not None:
            drawn.append((place, scores, value))
    fills = [ground if scores.degenerate(what) else colour for _, scores, _ in drawn]
    return {
        "x": [value for _, _, value in drawn],
        "y": [place for place, _, _ in drawn],
        "mode": "markers",
        "name": ORIGIN_LABELS[origin],
        "marker": {"symbol": sign.symbol, "size": size, "color": fills, "line": {"color": colour, "width": 2}},
        "customdata": [plain(_hover(scores, origin, what)) for _, scores, _ in drawn],
        "hovertemplate": "%{customdata}<extra></extra>",
        "cliponaxis": False,
    }


def _hover(scores: TopicScores, origin: Origin, what: Column) -> str:
    value = number(scores.value(what), what.metric)
    said = f"{scores.topic_id}, {ORIGIN_LABELS[origin].lower()} ({scores.label}): {value}"
    why = scores.degenerate(what)
    return f"{said}; says nothing, {why}" if why else said


def _mean_sign(place: int, origin: Origin, value: float, what: Column, size: int, theme: Theme) -> dict[str, Any]:
    sign = SIGNS[origin]
    return {
        "x": [value],
        "y": [place],
        "mode": "markers",
        "marker": {"symbol": sign.symbol, "size": size + 2, "color": COLOURS[theme][sign.role]},
        "customdata": [f"Mean, {ORIGIN_LABELS[origin].lower()}: {number(value, what.metric)}"],
        "hovertemplate": "%{customdata}<extra></extra>",
        "showlegend": False,
        "cliponaxis": False,
    }


def _layout(title: str, subtitle: str, description: str, n_lines: int, theme: Theme) -> dict[str, Any]:
    return {
        "template": template(theme),
        "title": {
            "text": plain(title),
            "subtitle": {"text": subtitle},
            "y": 1,
            "yanchor": "top",
            "yref": "container",
            "pad": {"t": 12, "l": 12},
        },
        "height": STRINGS_ABOVE + STRINGS_BELOW + max(n_lines, 3) * STRINGS_LANE,
        "margin": {"l": 12, "r": 24, "t": STRINGS_ABOVE, "b": STRINGS_BELOW},
        "showlegend": False,
        "dragmode": False,
        "hovermode": "closest",
        "meta": {"description": description},
    }
