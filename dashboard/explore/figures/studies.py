"""Scores of many topics: bars, differences, correlations, search string origins and published scores."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from core.explore.regions import REGION_LABELS, REGIONS
from core.explore.studies import (
    FEWEST_TOPICS,
    ORIGIN_LABELS,
    SIZES,
    Correlations,
    TopicScoreChange,
    TopicScoreColumn,
    TopicScores,
    change,
    column_label,
    metric_label,
)
from core.text import signed
from core.types import Origin, RegionKind
from core.writer.string_study import TopicStrings, mean_of
from dashboard.kit.figures import (
    HeatCell,
    HeatGroup,
    HeatWords,
    Scale,
    head_of,
    heat_figure,
    layout,
    plain,
    say_why,
    short,
)
from dashboard.kit.theme import COLOURS, Role, Theme

# Scores of many topics: bars of two origins, their differences, and the correlations of metrics.

ROLES: tuple[Role, Role] = ("relevant", "second")
BAR, SCORES_BETWEEN = 13, 12
SCORES_ABOVE, SCORES_BELOW = 92, 60
LONGEST_NAME = 32


@dataclass(frozen=True, slots=True)
class OriginScores:
    label: str
    scores: tuple[TopicScores, ...]


def number(value: float | None, metric: str) -> str:
    """Format a score with three decimals, or a count.

    >>> number(0.5, "recall"), number(1234.0, "n_retrieved"), number(None, "recall")
    ('0.500', '1,234', '–')
    """
    if value is None:
        return "–"
    return f"{value:,.0f}" if metric in SIZES else f"{value:.3f}"


def score_bars_figure(
    sides: Sequence[OriginScores], column: TopicScoreColumn, *, beta: float, theme: Theme
) -> go.Figure:
    """Draw a bar by topic and origin, topics by name. Degenerate values are hatched, undefined ones are "–"."""
    name = column_label(column, beta)
    topics = sorted({s.topic_id for side in sides for s in side.scores})
    values = {side.label: {s.topic_id: s.value(column) for s in side.scores} for side in sides}
    parts = [
        f"{topic}: " + ", ".join(f"{label} {number(of.get(topic), column.metric)}" for label, of in values.items())
        for topic in topics
    ]
    height = SCORES_ABOVE + SCORES_BELOW + len(topics) * (BAR * len(sides) + SCORES_BETWEEN)
    description = f"Bars of {name} for each topic. {'; '.join(parts)}."
    figure = go.Figure(
        layout=layout(
            plain(name),
            _by_colour(sides, theme),
            description,
            height=height,
            above=SCORES_ABOVE,
            below=SCORES_BELOW,
            right=40,
            theme=theme,
            barmode="overlay",
        )
    )
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


def _reasons(sides: Sequence[OriginScores], column: TopicScoreColumn) -> str:
    found = dict.fromkeys(s.reason(column) or "undefined" for side in sides for s in side.scores)
    return "; ".join(list(found)[:3]) or "nothing is compared"


def _by_colour(sides: Sequence[OriginScores], theme: Theme) -> str:
    return "   ".join(
        f'<span style="color:{COLOURS[theme][role]}">■</span> {plain(side.label)}'
        for side, role in zip(sides, ROLES, strict=False)
    )


def _bars(
    side: OriginScores,
    place: int,
    n_sides: int,
    topics: Sequence[str],
    column: TopicScoreColumn,
    colour: str,
    theme: Theme,
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


def _hover(scores: TopicScores, column: TopicScoreColumn, label: str) -> str:
    text = f"{scores.topic_id}, {label} ({scores.label}): {number(scores.value(column), column.metric)}"
    why = scores.reason(column) or scores.degenerate(column)
    return f"{text}; {why}" if why else text


def grouped(columns: Sequence[TopicScoreColumn], beta: float) -> tuple[HeatGroup, ...]:
    return tuple(
        HeatGroup(
            "" if all(c.region is None for c in of) else metric_label(metric, beta),
            tuple(metric_label(metric, beta) if c.region is None else head_of(c.region) for c in of),
        )
        for metric in dict.fromkeys(c.metric for c in columns)
        for of in [[c for c in columns if c.metric == metric]]
    )


def difference_cell(moved: TopicScoreChange, what: str) -> HeatCell:
    """Build the cell of a difference: in brackets if it is degenerate."""
    if moved.value is None:
        return HeatCell(None, "–", f"{what}: undefined, {moved.why}")
    text = signed(moved.value, 2)
    why = f"; meaningless, {moved.why}" if moved.why else ""
    return HeatCell(moved.value, f"({text})" if moved.degenerate else text, f"{what}: {signed(moved.value)}{why}")


def differences_figure(
    a: OriginScores, b: OriginScores, columns: Sequence[TopicScoreColumn], *, beta: float, theme: Theme
) -> go.Figure:
    """Draw the second origin's advantage over the first, topic by topic and metric by metric."""
    of_a, of_b = ({s.topic_id: s for s in side.scores} for side in (a, b))
    topics = sorted(set(of_a) & set(of_b))
    cells = [
        [difference_cell(change(of_a[topic], of_b[topic], c), f"{topic}, {column_label(c, beta)}") for c in columns]
        for topic in topics
    ]
    reach = [abs(cell.value) for line in cells for cell in line if cell.value is not None]
    words = HeatWords(
        f"{b.label} minus {a.label}",
        f"Blue: {b.label} is higher. Orange: {a.label} is higher. –: undefined. In brackets: meaningless.",
        f"Table of differences, {b.label} minus {a.label}, of {len(topics)} topics. "
        + " ".join(f"{topic}: {_listed(columns, line, beta)}." for topic, line in zip(topics, cells, strict=True)),
    )
    return heat_figure(
        words, topics, grouped(columns, beta), cells, scale="difference", end=max([*reach, 0.1]), theme=theme
    )


def _listed(columns: Sequence[TopicScoreColumn], line: Sequence[HeatCell], beta: float) -> str:
    return ", ".join(f"{column_label(c, beta)} {cell.text}" for c, cell in zip(columns, line, strict=True))


def correlations_figure(found: Correlations, *, method: str, about: str, beta: float, theme: Theme) -> go.Figure:
    """Draw the correlations of metrics over topics: blue for positive, orange for negative."""
    values = found.spearman if method == "Spearman" else found.pearson
    names = [column_label(c, beta) for c in found.columns]
    cells = [
        [_correlation_cell(values[i, j], int(found.n[i, j]), f"{a} and {b}") for j, b in enumerate(names)]
        for i, a in enumerate(names)
    ]
    largest = int(found.n.max()) if found.n.size else 0
    words = HeatWords(
        f"Correlations of scores: {method}, {about}",
        f"Over at most {largest} topics. Blue: positive. Orange: negative. Blank: fewer than {FEWEST_TOPICS} topics, "
        "or no variation.",
        f"Table of {method} correlations between {len(names)} scores over at most {largest} topics, {about}.",
    )
    return heat_figure(words, names, grouped(found.columns, beta), cells, scale="difference", end=1.0, theme=theme)


def _correlation_cell(value: float, n: int, what: str) -> HeatCell:
    if not math.isfinite(value):
        why = f"only {n} topics have both" if n < FEWEST_TOPICS else "one of them does not vary"
        return HeatCell(None, "", f"{what}: {why}")
    rounded = float(np.round(value, 2)) + 0.0
    return HeatCell(value, f"{rounded:.2f}", f"{what}: {value:.3f} over {n} topics")


# Strings of several origins over topics: a symbol for each on one line per topic, and their means below.

STRINGS_LANE = 30
STRINGS_ABOVE, STRINGS_BELOW = 84, 40
LARGEST, SMALLER = 15, 3
"""Pixels of the first origin's symbol, and the decrease for each next one."""


@dataclass(frozen=True, slots=True)
class OriginSign:
    """The look of an origin: never a colour alone."""

    role: Role
    symbol: str


SIGNS: Mapping[Origin, OriginSign] = {
    "baseline": OriginSign("relevant", "circle"),
    "generated": OriginSign("second", "diamond"),
    "review": OriginSign("third", "square"),
    "manual": OriginSign("not_relevant", "triangle-up"),
}
MARKS: Mapping[Origin, str] = {"baseline": "●", "generated": "◆", "review": "■", "manual": "▲"}


def strings_figure(
    rows: Sequence[TopicStrings], origins: Sequence[Origin], what: TopicScoreColumn, *, beta: float, theme: Theme
) -> go.Figure:
    """Draw a line for each topic, a symbol for each origin; hollow if degenerate, none without a value."""
    name = column_label(what, beta)
    mean = mean_of(rows, origins, what)
    parts = [f"{row.topic_id}: {_strings_listed(row, origins, what)}" for row in rows]
    if mean.values:
        of_mean = ", ".join(f"{ORIGIN_LABELS[o].lower()} {number(v, what.metric)}" for o, v in mean.values.items())
        parts.append(f"mean over {mean.n_topics}: {of_mean}")
    n_lines = len(rows) + bool(mean.values)
    description = f"{name} of the strings of {len(rows)} topics. {'; '.join(parts)}."
    figure = go.Figure(
        layout=layout(
            plain(name),
            _strings_by_colour(origins, theme),
            description,
            height=STRINGS_ABOVE + STRINGS_BELOW + max(n_lines, 3) * STRINGS_LANE,
            above=STRINGS_ABOVE,
            below=STRINGS_BELOW,
            right=24,
            theme=theme,
        )
    )
    if not any(row.scores[o].value(what) is not None for row in rows for o in origins if o in row.scores):
        return say_why(figure, f"No topic has this number: {_strings_reasons(rows, what)}.", theme)
    lines = [[row.scores[o].value(what) for o in origins if o in row.scores] for row in rows]
    figure.add_trace(go.Scatter(**_between([*lines, list(mean.values.values())], theme)))
    for place, origin in enumerate(origins):
        size = LARGEST - SMALLER * min(place, 3)  # so that one symbol does not hide another at the same position
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


def _strings_listed(row: TopicStrings, origins: Sequence[Origin], what: TopicScoreColumn) -> str:
    return ", ".join(
        f"{ORIGIN_LABELS[o].lower()} {number(row.scores[o].value(what), what.metric)}"
        for o in origins
        if o in row.scores
    )


def _strings_reasons(rows: Sequence[TopicStrings], what: TopicScoreColumn) -> str:
    found = dict.fromkeys(s.reason(what) or "undefined" for row in rows for s in row.scores.values())
    return "; ".join(list(found)[:3]) or "nothing is compared"


def _strings_by_colour(origins: Sequence[Origin], theme: Theme) -> str:
    return "   ".join(
        f'<span style="color:{COLOURS[theme][SIGNS[o].role]}">{MARKS[o]}</span> {ORIGIN_LABELS[o]}' for o in origins
    )


def _between(lines: Sequence[Sequence[float | None]], theme: Theme) -> dict[str, Any]:
    x: list[float | None] = []
    y: list[float | None] = []
    for place, values in enumerate(lines):
        known = [value for value in values if value is not None]
        if len(known) > 1:
            x += [min(known), max(known), None]
            y += [place, place, None]
    line = {"color": COLOURS[theme]["border"], "width": 3}
    return {"x": x, "y": y, "mode": "lines", "line": line, "hoverinfo": "skip", "showlegend": False}


def _signs(
    rows: Sequence[TopicStrings], origin: Origin, what: TopicScoreColumn, size: int, theme: Theme
) -> dict[str, Any]:
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
        "customdata": [plain(_strings_hover(scores, origin, what)) for _, scores, _ in drawn],
        "hovertemplate": "%{customdata}<extra></extra>",
        "cliponaxis": False,
    }


def _strings_hover(scores: TopicScores, origin: Origin, what: TopicScoreColumn) -> str:
    value = number(scores.value(what), what.metric)
    text = f"{scores.topic_id}, {ORIGIN_LABELS[origin].lower()} ({scores.label}): {value}"
    why = scores.degenerate(what)
    return f"{text}; meaningless, {why}" if why else text


def _mean_sign(
    place: int, origin: Origin, value: float, what: TopicScoreColumn, size: int, theme: Theme
) -> dict[str, Any]:
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


# Published scores as a coloured table, and compared with our own as pairs of symbols.

SYMBOLS: Mapping[RegionKind, str] = {"cosine": "circle", "cluster": "diamond", "mvee": "square", "hull": "triangle-up"}
PUBLISHED_LANE = 16
"""Pixels for each region of a row."""
PUBLISHED_BETWEEN = 22
PUBLISHED_ABOVE, PUBLISHED_BELOW = 136, 44
"""Above: title, reading guide, and a legend with a line for each region in a narrow window."""
PUBLISHED_LONGEST_NAME = 34

Values = Mapping[tuple[str, RegionKind | None], float]
"""Numbers of one search by metric and region; recall has no region."""


def published_figure(
    rows: Mapping[str, Values], regions: Sequence[RegionKind], *, title: str, subtitle: str, scale: Scale, theme: Theme
) -> go.Figure:
    """Draw a row for each topic: recall, then semantic precision and F2 in each region."""
    keys: list[tuple[str, RegionKind | None]] = [("recall", None)]
    keys += [(metric, region) for metric in ("semantic_precision", "f_beta") for region in regions]
    names = {"recall": "Recall", "semantic_precision": "Semantic precision", "f_beta": "F2 (with decay)"}
    labels = tuple(head_of(region) for region in regions)
    groups = (
        HeatGroup("", ("Recall (cosine)",)),
        *(HeatGroup(names[metric], labels) for metric in ("semantic_precision", "f_beta")),
    )
    topics = list(rows)
    sign = "+" if scale == "difference" else ""
    cells = [[_cell(topic, names[key[0]], key[1], rows[topic].get(key), sign) for key in keys] for topic in topics]
    reach = [abs(cell.value) for line in cells for cell in line if cell.value is not None]
    words = HeatWords(
        title,
        subtitle,
        f"Table of published scores of {len(topics)} topics, {title}. "
        + " ".join(
            f"{topic}: {', '.join(cell.text for cell in line)}." for topic, line in zip(topics, cells, strict=True)
        ),
    )
    end = max([*reach, 0.1]) if scale == "difference" else 1.0
    return heat_figure(words, topics, groups, cells, scale=scale, end=end, theme=theme)


def _cell(topic: str, name: str, region: RegionKind | None, value: float | None, sign: str) -> HeatCell:
    what = f"{topic}, {name}" if region is None else f"{topic}, {name}, {REGION_LABELS[region].lower()}"
    if value is None:
        return HeatCell(None, "–", f"{what}: not published")
    return HeatCell(value, signed(value, 2) if sign else f"{value:.2f}", f"{what}: {value:{sign}.3f}")


@dataclass(frozen=True, slots=True)
class PublishedComparison:
    name: str
    """Topic and version."""
    region: RegionKind
    published: float
    ours: float | None
    remark: str | None = None
    """The reason why ours is undefined or degenerate."""


def beside_figure(pairs: Sequence[PublishedComparison], *, metric: str, theme: Theme) -> go.Figure:
    """Draw by topic and region a hollow symbol for the published number, a filled one for ours, and a line between."""
    names = list(dict.fromkeys(pair.name for pair in pairs))
    regions = [region for region in SYMBOLS if any(pair.region == region for pair in pairs)]
    text = "; ".join(
        f"{p.name}, {REGION_LABELS[p.region].lower()}: {p.published:.3f}, ours "
        + ("undefined" if p.ours is None else f"{p.ours:.3f}")
        for p in pairs
    )
    height = (
        PUBLISHED_ABOVE
        + PUBLISHED_BELOW
        + max(len(names), 1) * (PUBLISHED_LANE * max(len(regions), 1) + PUBLISHED_BETWEEN)
    )
    figure = go.Figure(
        layout=layout(
            f"{metric}: published and ours",
            "Hollow: published. Filled: ours. No filled sign: undefined here.",
            f"{metric}, published and ours. {text}.",
            height=height,
            above=PUBLISHED_ABOVE,
            below=PUBLISHED_BELOW,
            theme=theme,
            showlegend=None,
            legend={"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom"},
        )
    )
    if not pairs:
        return say_why(figure, "No published search has a list and vectors here.", theme)
    lane = 0.78 / len(regions)
    for place, region in enumerate(regions):
        of_region = [pair for pair in pairs if pair.region == region]
        at = [names.index(pair.name) + (place - (len(regions) - 1) / 2) * lane for pair in of_region]
        for trace in _published_signs(region, of_region, at, theme):
            figure.add_trace(go.Scatter(**trace))
    for row in range(0, len(names), 2):
        band = {"y0": row - 0.5, "y1": row + 0.5, "fillcolor": COLOURS[theme]["panel"]}
        figure.add_shape(type="rect", layer="below", xref="paper", x0=0, x1=1, line={"width": 0}, **band)
    figure.update_yaxes(
        tickvals=list(range(len(names))),
        ticktext=[plain(short(name, PUBLISHED_LONGEST_NAME)) for name in names],
        range=[len(names) - 0.5, -0.5],
        showgrid=False,
    )
    figure.update_xaxes(title_text=f"{metric} (0 to 1)", range=[-0.03, 1.03])
    return figure


def _published_signs(
    region: RegionKind, pairs: Sequence[PublishedComparison], at: Sequence[float], theme: Theme
) -> list[dict[str, Any]]:
    colour, label = COLOURS[theme][REGIONS[region].outline_role], REGION_LABELS[region]
    x: list[float | None] = []
    y: list[float | None] = []
    for pair, row in zip(pairs, at, strict=True):
        if pair.ours is not None:
            x += [pair.published, pair.ours, None]
            y += [row, row, None]
    own = [(pair, row) for pair, row in zip(pairs, at, strict=True) if pair.ours is not None]
    hollow = {"symbol": SYMBOLS[region], "size": 9, "color": COLOURS[theme]["background"]}
    return [
        {
            "x": x,
            "y": y,
            "mode": "lines",
            "line": {"color": colour, "width": 2},
            "hoverinfo": "skip",
            "showlegend": False,
        },
        {
            "x": [pair.published for pair in pairs],
            "y": list(at),
            "mode": "markers",
            "showlegend": False,
            "marker": hollow | {"line": {"color": colour, "width": 2}},
            "customdata": [_published_hover(pair) for pair in pairs],
            "hovertemplate": "%{customdata}<extra></extra>",
        },
        {
            "x": [pair.ours for pair, _ in own],
            "y": [row for _, row in own],
            "mode": "markers",
            "name": label,
            "marker": {"symbol": SYMBOLS[region], "size": 9, "color": colour},
            "customdata": [_published_hover(pair) for pair, _ in own],
            "hovertemplate": "%{customdata}<extra></extra>",
        },
    ]


def _published_hover(pair: PublishedComparison) -> str:
    ours = "–" if pair.ours is None else f"{pair.ours:.3f}"
    remark = f"<br>{plain(pair.remark)}" if pair.remark else ""
    region = REGION_LABELS[pair.region]
    return f"<b>{plain(pair.name)}</b><br>{region}: published {pair.published:.3f}, ours {ours}{remark}"
