"""Scores of many topics: bars of two origins, what one has more than the other, and how metrics go together."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from core.studies.core_sets import (
    FEWEST_TOPICS,
    SIZES,
    Change,
    Column,
    Correlations,
    TopicScores,
    change,
    column_label,
    metric_label,
)
from dashboard.figures.heat import Cell, Group, HeatWords, head_of, heat_figure, signed
from dashboard.figures.theme import COLOURS, Role, Theme, template
from dashboard.figures.upset import plain, say_why, short

ROLES: tuple[Role, Role] = ("relevant", "second")
BAR, SCORES_BETWEEN = 13, 12
SCORES_ABOVE, SCORES_BELOW = 92, 60
LONGEST_NAME = 32


@dataclass(frozen=True, slots=True)
class Side:
    """One origin's scores, topic by topic."""

    label: str
    scores: tuple[TopicScores, ...]


def number(value: float | None, metric: str) -> str:
    """Three digits after the point, or a count.

    >>> number(0.5, "recall"), number(1234.0, "n_retrieved"), number(None, "recall")
    ('0.500', '1,234', '–')
    """
    if value is None:
        return "–"
    return f"{value:,.0f}" if metric in SIZES else f"{value:.3f}"


def score_bars_figure(sides: Sequence[Side], column: Column, *, beta: float, theme: Theme) -> go.Figure:
    """A bar for each topic and origin, the topics by name. Degenerate values are hatched, undefined ones are "–"."""
    name = column_label(column, beta)
    topics = sorted({s.topic_id for side in sides for s in side.scores})
    values = {side.label: {s.topic_id: s.value(column) for s in side.scores} for side in sides}
    said = [
        f"{topic}: " + ", ".join(f"{label} {number(of.get(topic), column.metric)}" for label, of in values.items())
        for topic in topics
    ]
    height = SCORES_ABOVE + SCORES_BELOW + len(topics) * (BAR * len(sides) + SCORES_BETWEEN)
    description = f"Bars of {name} for each topic. {'; '.join(said)}."
    figure = go.Figure(layout=_layout(name, _by_colour(sides, theme), description, height, theme))
    if not any(value is not None for of in values.values() for value in of.values()):
        return say_why(figure, f"No topic has this number: {_reasons(sides, column)}.", theme)
    for place, (side, role) in enumerate(zip(sides, ROLES, strict=False)):
        figure.add_trace(go.Bar(**_bars(side, place, len(sides), topics, column, COLOURS[theme][role], theme)))
    figure.update_yaxes(
        tickvals=list(range(len(topics))),
        ticktext=[plain(short(topic, LONGEST_NAME)) for topic in topics],
        range=[len(topics) - 0.5, -0.5],
        showgrid=False,
    )
    title = "Publications" if column.metric in SIZES else f"{name} (0 to 1)"
    figure.update_xaxes(title_text=title, rangemode="tozero")
    if column.metric not in SIZES:
        figure.update_xaxes(range=[0, 1.08])
    return figure


def _reasons(sides: Sequence[Side], column: Column) -> str:
    found = dict.fromkeys(s.reason(column) or "undefined" for side in sides for s in side.scores)
    return "; ".join(list(found)[:3]) or "nothing is compared"


def _by_colour(sides: Sequence[Side], theme: Theme) -> str:
    return "   ".join(
        f'<span style="color:{COLOURS[theme][role]}">■</span> {plain(side.label)}'
        for side, role in zip(sides, ROLES, strict=False)
    )


def _bars(
    side: Side, place: int, n_sides: int, topics: Sequence[str], column: Column, colour: str, theme: Theme
) -> dict[str, Any]:
    share = 0.78 / n_sides
    row_of = {topic: row for row, topic in enumerate(topics)}
    values = [s.value(column) for s in side.scores]
    hatched = ["/" if s.degenerate(column) else "" for s in side.scores]
    return {
        "orientation": "h",
        "x": [value or 0 for value in values],
        "y": [row_of[s.topic_id] + (place - (n_sides - 1) / 2) * share for s in side.scores],
        "width": share * 0.92,
        "name": plain(side.label),
        "marker": {"color": colour, "pattern": {"shape": hatched, "fgcolor": COLOURS[theme]["background"], "size": 5}},
        "text": [number(value, column.metric) for value in values],
        "textposition": "outside",
        "textfont": {"size": 10, "color": COLOURS[theme]["text"]},
        "cliponaxis": False,
        "constraintext": "none",
        "customdata": [plain(_hover(s, column, side.label)) for s in side.scores],
        "hovertemplate": "%{customdata}<extra></extra>",
    }


def _hover(scores: TopicScores, column: Column, label: str) -> str:
    said = f"{scores.topic_id}, {label} ({scores.label}): {number(scores.value(column), column.metric)}"
    why = scores.reason(column) or scores.degenerate(column)
    return f"{said}; {why}" if why else said


def grouped(columns: Sequence[Column], beta: float) -> tuple[Group, ...]:
    """Columns as heads of a table: metrics over regions."""
    return tuple(
        Group(
            "" if all(c.region is None for c in of) else metric_label(metric, beta),
            tuple(metric_label(metric, beta) if c.region is None else head_of(c.region) for c in of),
        )
        for metric in dict.fromkeys(c.metric for c in columns)
        for of in [[c for c in columns if c.metric == metric]]
    )


def difference_cell(moved: Change, what: str) -> Cell:
    """A difference as its cell shows it: in brackets where it says nothing."""
    if moved.value is None:
        return Cell(None, "–", f"{what}: undefined, {moved.why}")
    text = signed(moved.value)
    why = f"; says nothing, {moved.why}" if moved.why else ""
    return Cell(moved.value, f"({text})" if moved.degenerate else text, f"{what}: {moved.value:+.3f}{why}")


def differences_figure(a: Side, b: Side, columns: Sequence[Column], *, beta: float, theme: Theme) -> go.Figure:
    """What the second origin has more than the first, topic by topic and number by number."""
    of_a, of_b = ({s.topic_id: s for s in side.scores} for side in (a, b))
    topics = sorted(set(of_a) & set(of_b))
    cells = [
        [difference_cell(change(of_a[topic], of_b[topic], c), f"{topic}, {column_label(c, beta)}") for c in columns]
        for topic in topics
    ]
    reach = [abs(cell.value) for line in cells for cell in line if cell.value is not None]
    words = HeatWords(
        f"{b.label} minus {a.label}",
        f"Blue: {b.label} is higher. Orange: {a.label} is higher. –: undefined. In brackets: says nothing.",
        f"Table of differences, {b.label} minus {a.label}, of {len(topics)} topics. "
        + " ".join(f"{topic}: {_listed(columns, line, beta)}." for topic, line in zip(topics, cells, strict=True)),
    )
    return heat_figure(
        words, topics, grouped(columns, beta), cells, scale="difference", end=max([*reach, 0.1]), theme=theme
    )


def _listed(columns: Sequence[Column], line: Sequence[Cell], beta: float) -> str:
    return ", ".join(f"{column_label(c, beta)} {cell.text}" for c, cell in zip(columns, line, strict=True))


def correlations_figure(found: Correlations, *, method: str, about: str, beta: float, theme: Theme) -> go.Figure:
    """How numbers go together over topics: blue together, orange against each other."""
    values = found.spearman if method == "Spearman" else found.pearson
    names = [column_label(c, beta) for c in found.columns]
    cells = [
        [_correlation_cell(values[i, j], int(found.n[i, j]), f"{a} and {b}") for j, b in enumerate(names)]
        for i, a in enumerate(names)
    ]
    largest = int(found.n.max()) if found.n.size else 0
    words = HeatWords(
        f"How the scores go together: {method}, {about}",
        f"Over at most {largest} topics. Blue: together. Orange: against each other. Blank: fewer than "
        f"{FEWEST_TOPICS} topics, or no variation.",
        f"Table of {method} correlations between {len(names)} scores over at most {largest} topics, {about}.",
    )
    return heat_figure(words, names, grouped(found.columns, beta), cells, scale="difference", end=1.0, theme=theme)


def _correlation_cell(value: float, n: int, what: str) -> Cell:
    if not math.isfinite(value):
        why = f"only {n} topics have both" if n < FEWEST_TOPICS else "one of them does not vary"
        return Cell(None, "", f"{what}: {why}")
    rounded = float(np.round(value, 2)) + 0.0
    return Cell(value, f"{rounded:.2f}", f"{what}: {value:.3f} over {n} topics")


def _layout(title: str, subtitle: str, description: str, height: int, theme: Theme) -> dict[str, Any]:
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
        "height": height,
        "margin": {"l": 12, "r": 40, "t": SCORES_ABOVE, "b": SCORES_BELOW},
        "showlegend": False,
        "dragmode": False,
        "hovermode": "closest",
        "barmode": "overlay",
        "meta": {"description": description},
    }
