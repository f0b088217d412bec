"""Figures of knowledge bases: neighbourhoods, paths, ratings and statistics."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, get_args

import numpy as np
import plotly.graph_objects as go

from core.knowledge.statistics import Counts, TypeStatistics
from core.knowledge.templates import type_words
from core.text import many, upper_first
from dashboard.kit.figure_frame import (
    Row,
    axis_name,
    framed,
    hover_texts,
    look_at,
    marker,
    name_plane,
    name_rows,
    title_name,
    wrap,
)
from dashboard.kit.figures import plain, say_why, short
from dashboard.kit.theme import COLOURS, ENTITIES, Role, Theme, even_ramp, lab_of

SIGNS = (
    *("circle", "square", "diamond", "triangle-up", "pentagon"),
    *("star", "cross", "hexagon", "triangle-down", "bowtie"),
)
LABEL = 34
"""Characters of a title that fit next to a node on a phone."""


@dataclass(frozen=True, slots=True)
class TypeSign:
    colour: str
    symbol: str


def sign_of(type: str, types: Sequence[str], theme: Theme) -> TypeSign:
    """Return the colour and symbol of a type, by its position in the knowledge base: the same in every figure."""
    place = list(types).index(type) if type in types else len(types)
    return TypeSign(ENTITIES[theme][place % len(ENTITIES[theme])], SIGNS[place % len(SIGNS)])


def cut(title: str, longest: int = LABEL) -> str:
    """Shorten a title to one line.

    >>> cut("Trees and\\n heat in the city", 12)
    'Trees and h…'
    """
    words = " ".join(title[: 4 * longest].split())
    return words if len(words) <= longest else f"{words[: longest - 1].rstrip()}…"


def nodes(
    xs: Sequence[float], ys: Sequence[float], labels: Sequence[str], hovers: Sequence[str], sign: TypeSign, theme: Theme
) -> dict[str, Any]:
    return {
        "x": list(xs),
        "y": list(ys),
        "mode": "markers+text",
        "marker": {
            "size": 11,
            "symbol": sign.symbol,
            "color": sign.colour,
            "line": {"color": COLOURS[theme]["background"], "width": 1},
        },
        "text": [f" {plain(label)}" for label in labels],
        "textposition": "middle right",
        "textfont": {"size": 12, "color": COLOURS[theme]["text"]},
        **hover_texts(plain(hover) for hover in hovers),
    }


def links(pairs: Sequence[tuple[tuple[float, float], tuple[float, float]]], theme: Theme) -> dict[str, Any]:
    xs: list[float | None] = []
    ys: list[float | None] = []
    for (x, y), (to_x, to_y) in pairs:
        xs += [x, to_x, None]
        ys += [y, to_y, None]
    line = {"color": COLOURS[theme]["border"], "width": 1.2}
    return {"x": xs, "y": ys, "mode": "lines", "line": line, "hoverinfo": "skip", "showlegend": False}


# An entity and its neighbours: a tree with one bunch for every relation. Every node has a row of its own.

MOST_NODES = 40
MOST_BUNCHES = 12
MOST_OF_A_BUNCH = 6
NEIGHBOUR_ROW_PX = 21
TRUNK, FORK, LEAF = 0.045, 0.09, 0.15
"""Horizontal positions of vertical lines, forks and nodes, as shares of the figure's width."""
NODE_LABEL, WHOLE_TITLE = 40, 150


Line = tuple[tuple[float, float], tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Bunch:
    relation: str
    """Its name, read from the entity."""
    type: str
    type_words: str
    """Name of the neighbours' type."""
    n: int
    titles: tuple[str, ...]
    """Titles of the neighbours drawn."""

    @property
    def n_more(self) -> int:
        return max(self.n - len(self.titles), 0)


@dataclass(frozen=True, slots=True)
class TreeSpot:
    x: float
    y: float


def shares(counts: Sequence[int]) -> tuple[int, ...]:
    """Return the number of neighbours drawn per bunch, 40 nodes in all: a few of each before many of one.

    >>> shares([1, 1203]), sum(shares([9] * 12))
    ((1, 6), 27)
    """
    drawn = [0] * min(len(counts), MOST_BUNCHES)
    room = MOST_NODES - 1 - len(drawn)  # without the entity, and "and 7 more" of each
    for _ in range(MOST_OF_A_BUNCH):
        for place, taken in enumerate(drawn):
            if room and taken < counts[place]:
                drawn[place] += 1
                room -= 1
    return tuple(drawn)


def neighbourhood_rows(bunches: Sequence[Bunch]) -> list[Row]:
    return [
        {"Relation": bunch.relation, "Type": bunch.type_words, "Title": title, "Neighbours": bunch.n}
        for bunch in bunches
        for title in bunch.titles
    ]


def neighbourhood_figure(
    title: str, type: str, bunches: Sequence[Bunch], *, types: Sequence[str], theme: Theme
) -> go.Figure:
    """Draw the tree. `types`: all types of the knowledge base, in its order, which determines their colours."""
    drawn = list(bunches[:MOST_BUNCHES])
    n_rows = sum(1 + len(bunch.titles) + (bunch.n_more > 0) for bunch in drawn)
    legend = list(dict.fromkeys(bunch.type_words for bunch in drawn))
    name = cut(title or "untitled")
    text = "; ".join(f"{bunch.relation}: {bunch.n:,} {bunch.type_words}" for bunch in bunches)
    figure = framed(
        title=plain(name),
        subtitle="Its neighbours, by relation",
        description=f"{name} and its neighbours by relation. {text or 'It has none'}.",
        plot=max(n_rows, 5) * NEIGHBOUR_ROW_PX,
        theme=theme,
        legend=legend,
    )
    if not drawn:
        return say_why(figure, "It has no relations, so it has no neighbours.", theme)
    placed = place_bunches(drawn)
    centre = TreeSpot(0.0, (placed[0][0].y + placed[-1][0].y) / 2)
    figure.add_trace(go.Scatter(**links(_lines(centre, placed), theme)))
    _draw_bunches(figure, drawn, placed, types, theme)
    figure.add_trace(go.Scatter(**_centre(centre, title, sign_of(type, types, theme), theme)))
    figure.update_xaxes(visible=False, range=[-0.03, 1], fixedrange=True)
    figure.update_yaxes(visible=False, range=[-n_rows + 0.4, 0.6], fixedrange=True)
    return figure


def place_bunches(bunches: Sequence[Bunch]) -> list[tuple[TreeSpot, list[TreeSpot]]]:
    """Return the fork and the nodes of every bunch; one row each, from the top down."""
    row = 0
    found = []
    for bunch in bunches:
        n_leaves = len(bunch.titles) + (bunch.n_more > 0)
        leaves = [TreeSpot(LEAF, -float(row + 1 + place)) for place in range(n_leaves)]
        found.append((TreeSpot(FORK, -float(row)), leaves))
        row += 1 + n_leaves
    return found


def _lines(centre: TreeSpot, placed: Sequence[tuple[TreeSpot, list[TreeSpot]]]) -> list[Line]:
    """Return horizontal and vertical lines left of all text, so that no line crosses a title."""
    forks = [fork for fork, _ in placed]
    ys = [centre.y, *(fork.y for fork in forks)]
    lines = [((centre.x, centre.y), (TRUNK, centre.y)), ((TRUNK, max(ys)), (TRUNK, min(ys)))]
    lines += [((TRUNK, fork.y), (fork.x, fork.y)) for fork in forks]
    lines += [((fork.x, fork.y), (fork.x, leaves[-1].y)) for fork, leaves in placed if leaves]
    lines += [((fork.x, leaf.y), (leaf.x, leaf.y)) for fork, leaves in placed for leaf in leaves]
    return lines


def _draw_bunches(
    figure: go.Figure,
    bunches: Sequence[Bunch],
    placed: Sequence[tuple[TreeSpot, list[TreeSpot]]],
    types: Sequence[str],
    theme: Theme,
) -> None:
    for kind, words in dict.fromkeys((bunch.type, bunch.type_words) for bunch in bunches):
        sign = sign_of(kind, types, theme)
        entries = [
            (leaf, bunch.relation, title)
            for bunch, (_, leaves) in zip(bunches, placed, strict=True)
            if bunch.type == kind
            for leaf, title in zip(leaves, bunch.titles, strict=False)
        ]
        trace = nodes(
            [leaf.x for leaf, _, _ in entries],
            [leaf.y for leaf, _, _ in entries],
            [cut(title or "untitled", NODE_LABEL) for _, _, title in entries],
            [f"{relation}: {cut(title or 'untitled', WHOLE_TITLE)}" for _, relation, title in entries],
            sign,
            theme,
        )
        figure.add_trace(go.Scatter(**trace, name=plain(words)))
    _draw_faint(figure, bunches, placed, theme)


def _draw_faint(
    figure: go.Figure, bunches: Sequence[Bunch], placed: Sequence[tuple[TreeSpot, list[TreeSpot]]], theme: Theme
) -> None:
    faint = COLOURS[theme]["faint"]
    heads = [
        (fork, f"{cut(bunch.relation, 26)} · {bunch.n:,}") for bunch, (fork, _) in zip(bunches, placed, strict=True)
    ]
    rest = [
        (leaves[-1], f"and {bunch.n_more:,} more")
        for bunch, (_, leaves) in zip(bunches, placed, strict=True)
        if bunch.n_more
    ]
    for entries, size, symbol in ((heads, 5, "circle"), (rest, 9, "circle-open")):
        trace = nodes(
            [spot.x for spot, _ in entries],
            [spot.y for spot, _ in entries],
            [words for _, words in entries],
            [words for _, words in entries],
            TypeSign(faint, symbol),
            theme,
        )
        trace["marker"]["size"], trace["textfont"]["color"] = size, faint
        if symbol.endswith("open"):
            trace["marker"]["line"] = {"width": 1.3}
        figure.add_trace(go.Scatter(**trace, showlegend=False))


def _centre(spot: TreeSpot, title: str, sign: TypeSign, theme: Theme) -> dict[str, object]:
    return {
        "x": [spot.x],
        "y": [spot.y],
        "mode": "markers",
        "marker": {
            "size": 19,
            "symbol": sign.symbol,
            "color": sign.colour,
            "line": {"color": COLOURS[theme]["selection"], "width": 2},
        },
        **hover_texts([plain(cut(title or "untitled", WHOLE_TITLE))]),
        "showlegend": False,
    }


# An entity on the plane of texts: the positions of its texts and of its neighbours' texts.

PLANE_PLOT = 380
Part = Literal["this", "near", "other"]
PARTS: tuple[Part, ...] = get_args(Part)


@dataclass(frozen=True, slots=True)
class TextSpot:
    entity_id: str
    title: str
    x: float
    y: float
    part: Part
    """"this": the entity, or a text of it; "near": of a neighbour; "other": of the sample."""


def plane_rows(placed: Sequence[TextSpot], names: dict[Part, str]) -> list[Row]:
    """Return the rows of a table, the highlighted texts first."""
    return [
        {"Text": names[part], "Id": spot.entity_id, "Title": spot.title, "x": round(spot.x, 5), "y": round(spot.y, 5)}
        for part in PARTS
        for spot in placed
        if spot.part == part
    ]


def plane_figure(placed: Sequence[TextSpot], *, title: str, names: dict[Part, str], theme: Theme) -> go.Figure:
    """Draw the plane. `names`: the name of each part in the legend."""
    counts = {part: sum(spot.part == part for spot in placed) for part in PARTS}
    legend = [names[part] for part in PARTS if counts[part]]
    text = ", ".join(f"{counts[part]:,} {names[part].lower()}" for part in PARTS if counts[part])
    figure = framed(
        title=plain(f"{cut(title or 'untitled', 26)} among the texts"),
        subtitle="Nearby texts use similar words",
        description=f"Texts on a plane: {text or 'none'}.",
        plot=PLANE_PLOT,
        theme=theme,
        legend=legend,
    )
    if not placed:
        return say_why(figure, "No text has a vector, so there is nothing to show.", theme)
    for part in reversed(PARTS):
        spots = [spot for spot in placed if spot.part == part]
        if spots:
            figure.add_trace(go.Scatter(**_trace(spots, part, names[part], theme)))
    name_plane(figure)
    return figure


def _trace(spots: Sequence[TextSpot], part: Part, name: str, theme: Theme) -> dict[str, Any]:
    colours = COLOURS[theme]
    edge = {"color": colours["background"], "width": 1}
    markers: dict[Part, dict[str, Any]] = {
        "this": {"size": 13, "symbol": "diamond", "color": colours["core"], "line": edge},
        "near": {"size": 9, "color": colours["relevant"], "line": edge},
        "other": {"size": 4, "color": colours["not_relevant"], "opacity": 0.5},
    }
    return {
        "x": [spot.x for spot in spots],
        "y": [spot.y for spot in spots],
        "mode": "markers",
        "name": plain(name),
        "marker": markers[part],
        **hover_texts(plain(cut(spot.title or spot.entity_id, 110)) for spot in spots),
    }


# The paths to an answer: the given entities at the top, the answer at the bottom, a row for every entity.

PATH_ROW_PX = 24
INDENT, STEP = 0.28, 0.07
"""Maximum indent of the answer, and indent per line, as shares of the figure's width."""


@dataclass(frozen=True, slots=True)
class PathStop:
    row: int
    title: str
    type: str
    relation: str
    """The relation from the previous entity, as words; empty at the start."""


EntityPath = tuple[PathStop, ...]
"""One path, from a given entity to the answer."""


def ways_rows(paths: Sequence[EntityPath]) -> list[Row]:
    return [
        {"Way": number, "Step": step, "Relation": stop.relation or None, "Type": stop.type, "Title": stop.title}
        for number, path in enumerate(paths, start=1)
        for step, stop in enumerate(path)
    ]


def way_in_words(path: EntityPath) -> str:
    """Format one path on one line.

    >>> way_in_words((PathStop(0, "Ito", "author", ""), PathStop(1, "Trees", "paper", "writes")))
    'Ito – writes – Trees'
    """
    return " – ".join(part for stop in path for part in (stop.relation, cut(stop.title or "untitled", 90)) if part)


def places(paths: Sequence[EntityPath]) -> dict[tuple[float, int], tuple[float, int]]:
    """Return the position of every entity, by its progress along the path and its row: share of the width, and line.

    Positions form stairs, so that a line down and then across meets no other entity and no text.
    """
    seen: dict[tuple[float, int], None] = {}
    for path in paths:
        for step, stop in enumerate(path):
            seen[step / max(len(path) - 1, 1), stop.row] = None
    width = min(STEP, INDENT / max(len(seen) - 1, 1))
    return {key: (width * line, line) for line, key in enumerate(sorted(seen, key=lambda key: key[0]))}


def ways_figure(paths: Sequence[EntityPath], *, types: Sequence[str], theme: Theme) -> go.Figure:
    """Draw the paths. `types`: names of all types of the knowledge base, in the order that determines their colours."""
    at = places(paths)
    stops = {(step / max(len(path) - 1, 1), stop.row): stop for path in paths for step, stop in enumerate(path)}
    reached = _reached_by(paths)
    legend = list(dict.fromkeys(stop.type for stop in stops.values()))
    answer = paths[0][-1].title if paths else ""
    figure = framed(
        title=plain(f"Paths to {cut(answer or 'untitled', 28)}"),
        subtitle="From the given entities (top) to the answer (bottom)",
        description=f"Paths to {cut(answer or 'untitled', 90)}: {'; '.join(map(way_in_words, paths))}.",
        plot=max(len(at), 3) * PATH_ROW_PX,
        theme=theme,
        legend=legend,
    )
    figure.add_trace(go.Scatter(**links(_ways_lines(paths, at), theme)))
    for kind in legend:
        here = [(key, stop) for key, stop in stops.items() if stop.type == kind]
        words = [
            f"{cut(reached[key], 20)}: {cut(stop.title or 'untitled', 24)}" if reached[key] else cut(stop.title)
            for key, stop in here
        ]
        trace = nodes(
            [at[key][0] for key, _ in here],
            [-float(at[key][1]) for key, _ in here],
            words,
            [f"{reached[key]} {cut(stop.title or 'untitled', 150)}".strip() for key, stop in here],
            sign_of(kind, types, theme),
            theme,
        )
        figure.add_trace(go.Scatter(**trace, name=plain(kind)))
    figure.update_xaxes(visible=False, range=[-0.03, 1], fixedrange=True)
    figure.update_yaxes(visible=False, range=[-len(at) + 0.4, 0.6], fixedrange=True)
    return figure


def _reached_by(paths: Sequence[EntityPath]) -> dict[tuple[float, int], str]:
    found: dict[tuple[float, int], dict[str, None]] = {}
    for path in paths:
        for step, stop in enumerate(path):
            found.setdefault((step / max(len(path) - 1, 1), stop.row), {})[stop.relation] = None
    return {key: ", ".join(filter(None, relations)) for key, relations in found.items()}


def _ways_lines(
    paths: Sequence[EntityPath], at: dict[tuple[float, int], tuple[float, int]]
) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    found: dict[tuple[tuple[float, float], tuple[float, float]], None] = {}
    for path in paths:
        spots = [at[step / max(len(path) - 1, 1), stop.row] for step, stop in enumerate(path)]
        for (x, line), (to_x, to_line) in pairwise(spots):
            found[(x, -float(line)), (x, -float(to_line))] = None
            found[(x, -float(to_line)), (to_x, -float(to_line))] = None
    return list(found)


# People's ratings of queries: a bar of five parts for each quality, those above the middle to the right.

RATING_BAR, SMALLEST_TEXT = 46, 10
"""Pixels of a row; the font size below which a part has no label."""


@dataclass(frozen=True, slots=True)
class RatedQuality:
    """The number of ratings of a quality by points."""

    label: str
    counts: tuple[int, ...]
    """Number of ratings with 1, 2, 3, 4 and 5 points."""
    lowest: str = ""
    """Meaning of 1 point."""
    highest: str = ""

    @property
    def n(self) -> int:
        return sum(self.counts)


def rating_colours(theme: Theme) -> tuple[str, ...]:
    """Return the colours for 1 to 5 points: two for bad, a colourless middle, two for good."""
    colours = COLOURS[theme]
    bad = even_ramp([colours["third"], colours["background"]], 5)
    good = even_ramp([colours["relevant"], colours["background"]], 5)
    middle = even_ramp([colours["not_relevant"], colours["background"]], 5)
    return bad[0], bad[2], middle[2], good[2], good[0]


def rating_rows(rated: Sequence[RatedQuality]) -> list[Row]:
    return [
        {
            "Quality": quality.label,
            "Points": points,
            "Ratings": n,
            "Share": n / quality.n if quality.n else None,
        }
        for quality in rated
        for points, n in enumerate(quality.counts, 1)
    ]


def ratings_figure(rated: Sequence[RatedQuality], *, title: str, theme: Theme) -> go.Figure:
    """Draw a row for each quality; half of the ratings with 3 points are on either side of the middle."""
    names = [f"{points} points" if points > 1 else "1 point" for points in range(1, 6)]
    figure = framed(
        title=plain(title),
        subtitle="Share of ratings by points; 3 is in the middle",
        description=f"{title}. {_ratings_words(rated)}",
        plot=RATING_BAR * max(len(rated), 1),
        theme=theme,
        legend=names,
    )
    if not any(quality.n for quality in rated):
        return say_why(figure, "No ratings yet.", theme)
    there = [quality for quality in rated if quality.n]
    for points, (name, colour) in enumerate(zip(names, rating_colours(theme), strict=True), 1):
        figure.add_trace(_part(there, points, name, colour, theme))
    figure.add_vline(x=0, line={"color": COLOURS[theme]["faint"], "width": 1}, layer="below")
    figure.update_layout(barmode="overlay", bargap=0.3, uniformtext={"mode": "hide", "minsize": SMALLEST_TEXT})
    figure.update_xaxes(
        title_text="Share of ratings, %",
        range=_reach(there),
        tickvals=[step / 4 for step in range(-4, 5)],
        ticktext=[f"{25 * abs(step)}" for step in range(-4, 5)],
        fixedrange=True,
    )
    figure.update_yaxes(autorange="reversed", showgrid=False, fixedrange=True)
    return figure


def _reach(rated: Sequence[RatedQuality]) -> tuple[float, float]:
    ends = [abs(end) for each in rated for end in (starts(each.counts)[0], starts(each.counts)[0] + 1)]
    reach = math.ceil(4 * max(ends) - 1e-9) / 4 + 0.02
    return -reach, reach


def starts(counts: Sequence[int]) -> tuple[float, ...]:
    """Return the start of each part of a bar, in shares, with the middle of the middle part at 0.

    >>> starts((1, 1, 2, 0, 0))
    (-0.75, -0.5, -0.25, 0.25, 0.25)
    """
    n = sum(counts)
    left = -(counts[0] + counts[1] + counts[2] / 2)
    return tuple((left + sum(counts[:part])) / n for part in range(len(counts)))


def _part(rated: Sequence[RatedQuality], points: int, name: str, colour: str, theme: Theme) -> go.Bar:
    shares = [quality.counts[points - 1] / quality.n for quality in rated]
    is_dark = lab_of(colour)[0] < 60
    return go.Bar(
        x=shares,
        y=[plain(f"{quality.label} ({quality.n:,})") for quality in rated],
        base=[starts(quality.counts)[points - 1] for quality in rated],
        orientation="h",
        name=name,
        text=[f"{share:.0%}" if share else "" for share in shares],
        textposition="inside",
        insidetextanchor="middle",
        textangle=0,
        textfont={"color": "#ffffff" if is_dark else "#111318", "size": 12},
        marker={"color": colour, "line": {"color": COLOURS[theme]["background"], "width": 1}},
        customdata=[[quality.counts[points - 1], quality.n] for quality in rated],
        hovertemplate=f"{name}: %{{customdata[0]:,}} of %{{customdata[1]:,}} ratings<extra></extra>",
        constraintext="inside",
    )


def _ratings_words(rated: Sequence[RatedQuality]) -> str:
    return " ".join(
        f"{quality.label}: "
        + ", ".join(f"{points} {n / quality.n:.0%}" for points, n in enumerate(quality.counts, 1))
        + f" of {quality.n:,} ratings."
        for quality in rated
        if quality.n
    )


# The frame of the figures of statistics.

TITLE_ROOM = 14
"""Pixels that a subtitle needs below a title of two lines."""


def roomy(**words: Any) -> go.Figure:
    """Return an empty figure in the common frame, with extra space if the title has two lines."""
    figure = framed(**words)
    if "<br>" in figure.layout.title.text:
        figure.layout.margin.t += TITLE_ROOM
        figure.layout.height += TITLE_ROOM
    return figure


def level(*figures: go.Figure) -> None:
    """Align figures that are side by side: the smaller ones grow."""
    for figure in figures:
        _grow(figure, top=max(each.layout.margin.t for each in figures) - figure.layout.margin.t)
    margin_below = max(each.layout.margin.b for each in figures)
    for figure in figures:
        _grow(figure, bottom=margin_below - figure.layout.margin.b)
    for figure in figures:
        _grow(figure, plot=max(each.layout.height for each in figures) - figure.layout.height)


def _grow(figure: go.Figure, *, top: float = 0, bottom: float = 0, plot: float = 0) -> None:
    layout = figure.layout
    before, of_plot = layout.height, layout.height - layout.margin.t - layout.margin.b
    layout.height = before + top + bottom + plot
    layout.title.y = 1 - (1 - layout.title.y) * before / layout.height
    layout.legend.y = layout.legend.y * of_plot / (of_plot + plot)
    layout.margin.t += top
    layout.margin.b += bottom


# Counts by kind: a bar for each, the largest at the top.

COUNT_BAR, BAR_OF_TWO_LINES = 26, 34
BAR_NAME_LINE, LONGEST_BAR_NAME, LONGEST_IN_TITLE = 24, 44, 30
"""Characters per line of a bar's name, of the whole name, and of the name in the title."""
MOST_BARS = 40
FEW = 5
"""Largest count whose axis has a tick for each integer."""
BAR_ROOM = 1.32
"""Length of the axis relative to the longest bar, so that its number fits."""


@dataclass(frozen=True, slots=True)
class Bar:
    name: str
    n: int
    colour: str | None = None
    """None: the common colour."""
    in_title: str | None = None
    """Its name in the title; None: as on the axis."""


def bar_rows(bars: Sequence[Bar], *, what: str, unit: str) -> list[Row]:
    """List every kind. `what`: column of the kinds; `unit`: column of the counts."""
    return [{what: bar.name, unit: bar.n} for bar in bars]


def bars_figure(bars: Sequence[Bar], *, what: str, unit: str, theme: Theme) -> go.Figure:
    drawn = sorted(bars, key=lambda bar: -bar.n)[:MOST_BARS]
    total = sum(bar.n for bar in bars)
    names = [_statistics_bars_lines(bar.name) for bar in drawn]
    row = BAR_OF_TWO_LINES if any("<br>" in name for name in names) else COUNT_BAR
    more = f". {len(bars) - len(drawn):,} more are in the table" if len(bars) > len(drawn) else ""
    listed = ", ".join(f"{bar.name} {bar.n:,}" for bar in drawn)
    figure = roomy(
        title=_title(drawn, total, unit),
        subtitle=f"{unit} of {many(len(bars), 'type')}, largest first{more}",
        description=f"{unit} by {what.lower()}: {listed or 'none'}.",
        plot=max(row * len(drawn), 80),
        theme=theme,
    )
    if not drawn:
        return say_why(figure, f"There are no {unit.lower()}.", theme)
    colours = COLOURS[theme]
    figure.add_trace(
        go.Bar(
            x=[bar.n for bar in drawn],
            y=list(range(len(drawn))),
            orientation="h",
            marker={"color": [bar.colour or colours["relevant"] for bar in drawn]},
            text=[f"{bar.n:,}" for bar in drawn],
            textposition="outside",
            **hover_texts(f"{plain(bar.name)}: {bar.n:,} ({bar.n / max(total, 1):.1%})" for bar in drawn),
            width=0.62,
        )
    )
    most = max(max(bar.n for bar in drawn), 1)
    ticks: dict[str, int | str] = {"nticks": 4, "tickformat": "~s"} if most > FEW else {"dtick": 1}
    figure.update_xaxes(title_text=unit, range=(0, BAR_ROOM * most), fixedrange=True, **ticks)
    name_rows(figure, names)
    return figure


def _title(drawn: Sequence[Bar], total: int, unit: str) -> str:
    if not drawn or not total:
        return f"No {unit.lower()}"
    name = short(drawn[0].in_title or drawn[0].name, LONGEST_IN_TITLE)
    name = plain(upper_first(name))
    if total == 1:
        return f"{name}: the only one"
    return f"{name}: {100 * drawn[0].n / total:.0f} % of {total:,} {unit.lower()}"


def _statistics_bars_lines(name: str) -> str:
    lines = wrap(short(name, LONGEST_BAR_NAME), BAR_NAME_LINE)
    return "<br>".join(plain(short(line, LONGEST_BAR_NAME - 12)) for line in lines[:2])


# The number of relations per entity: a line for each type, over degrees that double.

DEGREES_PLOT = 300


def degree_rows(kinds: Sequence[TypeStatistics]) -> list[Row]:
    return [
        {
            "Type": type_words(kind.name),
            "Degree from": bin.low,
            "Degree to": bin.high,
            "Entities": bin.n,
            "Share": bin.n / kind.n,
        }
        for kind in kinds
        for bin in kind.degree_bins
    ]


def degrees_figure(kinds: Sequence[TypeStatistics], *, types: Sequence[str], theme: Theme) -> go.Figure:
    """Draw the degrees. `types`: all types of the knowledge base, whose position determines colour and symbol."""
    spreads = [(type_words(kind.name, plural=True), kind.degrees) for kind in kinds if kind.degrees is not None]
    most = max(spreads, key=lambda each: each[1].mean, default=None)
    title = f"Most relations: {title_name(most[0])}, {most[1].mean:,.1f} on average" if most else "No degrees"
    told = "; ".join(f"{name} median {s.median:,g}, mean {s.mean:,.1f}, at most {s.most:,}" for name, s in spreads)
    figure = roomy(
        title=title,
        subtitle="Right: more relations. Each line adds up to 100 %",
        description=f"Share of entities by degree, in bins that double. {told or 'There are no entities'}.",
        plot=DEGREES_PLOT,
        theme=theme,
        legend=[name for name, _ in spreads],
    )
    if not spreads:
        return say_why(figure, "There are no entities.", theme)
    longest = max(kinds, key=lambda kind: len(kind.degree_bins)).degree_bins
    for kind in kinds:
        figure.add_trace(go.Scatter(**_line(kind, types, theme)))
    step = max(-(-len(longest) // 8), 1)
    figure.update_xaxes(
        title_text="Relations of an entity (bins that double)",
        tickvals=list(range(0, len(longest), step)),
        ticktext=[f"{bin.low:,}" if bin.low == bin.high else f"{bin.low:,}+" for bin in longest[::step]],
        fixedrange=True,
    )
    figure.update_yaxes(
        title_text="Share of the type's entities", tickformat=".0%", rangemode="tozero", fixedrange=True
    )
    return figure


def _line(kind: TypeStatistics, types: Sequence[str], theme: Theme) -> dict[str, Any]:
    sign = sign_of(kind.name, types, theme)
    return {
        "x": list(range(len(kind.degree_bins))),
        "y": [bin.n / kind.n for bin in kind.degree_bins],
        "mode": "lines+markers",
        "name": axis_name(type_words(kind.name, plural=True)),
        "line": {"color": sign.colour, "width": 2},
        "marker": {
            "symbol": sign.symbol,
            "size": 8,
            "color": sign.colour,
            "line": {"color": COLOURS[theme]["background"], "width": 1},
        },
        **hover_texts(
            f"{plain(type_words(kind.name))}, {bin.label} {'relation' if bin.label == '1' else 'relations'}: "
            f"{many(bin.n, 'entity')} ({bin.n / kind.n:.1%})"
            for bin in kind.degree_bins
        ),
    }


# The variety of wording in sets of queries: Shannon entropy against the type-token ratio, at a common length.

DIVERSITY_PLOT = 280


@dataclass(frozen=True, slots=True)
class SetDiversity:
    name: str
    entropy: float | None
    """In nats."""
    ratio: float | None
    is_reference: bool = False


def diversity_rows(sets: Sequence[SetDiversity], n: int | None) -> list[Row]:
    return [
        {"Set": one.name, "Words read": n, "Shannon entropy (nats)": one.entropy, "Type-token ratio": one.ratio}
        for one in sets
    ]


def diversity_figure(sets: Sequence[SetDiversity], *, n: int | None, theme: Theme) -> go.Figure:
    """Draw a symbol for each set; the reference is hollow. `n`: words read of each set."""
    known = [(place, one.entropy, one.ratio) for place, one in enumerate(sets)]
    there = [(place, nats, ratio) for place, nats, ratio in known if nats is not None and ratio is not None]
    told = "; ".join(f"{sets[place].name}: entropy {nats:.3f}, ratio {ratio:.3f}" for place, nats, ratio in there)
    figure = roomy(
        title=_statistics_diversity_title(sets, [(place, ratio) for place, _, ratio in there]),
        subtitle="Up, right: more varied" + (f". First {n:,} words of each" if n else ""),
        description=f"Shannon entropy against type-token ratio at a common length of {n or 0:,} words. "
        f"{told or 'No set has a word'}.",
        plot=DIVERSITY_PLOT,
        theme=theme,
        legend=[sets[place].name for place, _, _ in there],
    )
    if not there:
        return say_why(figure, "No set has a word.", theme)
    for place, nats, ratio in there:
        figure.add_trace(go.Scatter(**_sign(sets[place], place, nats, ratio, theme)))
    figure.update_xaxes(
        title_text="Type-token ratio", range=_range([ratio for *_, ratio in there], 0.02), fixedrange=True
    )
    figure.update_yaxes(
        title_text="Shannon entropy (nats)", range=_range([nats for _, nats, _ in there], 0.1), fixedrange=True
    )
    return figure


def _sign(one: SetDiversity, place: int, nats: float, ratio: float, theme: Theme) -> dict[str, Any]:
    if one.is_reference:
        sign: dict[str, Any] = {
            "size": 14,
            "symbol": "star-open",
            "color": COLOURS[theme]["faint"],
            "line": {"width": 1.8},
        }
    else:
        sign = marker(look_at(place, theme), theme, size=13)
    return {
        "x": [ratio],
        "y": [nats],
        "mode": "markers",
        "name": axis_name(one.name),
        "marker": sign,
        **hover_texts([f"{plain(one.name)}: entropy {nats:.3f} nats, type-token ratio {ratio:.3f}"]),
    }


def _range(values: Sequence[float], least: float) -> tuple[float, float]:
    room = max(0.15 * (max(values) - min(values)), least)
    return min(values) - room, max(values) + room


def _statistics_diversity_title(sets: Sequence[SetDiversity], ratios: Sequence[tuple[int, float]]) -> str:
    own = [(ratio, sets[place].name) for place, ratio in ratios if not sets[place].is_reference]
    if not own:
        return "Variety of wording"
    if len(own) == 1:
        return f"{title_name(own[0][1])}: type-token ratio {own[0][0]:.2f}"
    return f"Most varied: {title_name(max(own)[1])} (type-token ratio {max(own)[0]:.2f})"


# Kinds of words in sets of queries: relational, textual, or neither.

WORD_KIND_BAR = 34
KINDS: tuple[tuple[str, Role], ...] = (
    ("Relational", "relevant"),
    ("Textual", "second"),
    ("Stop words", "not_relevant"),
)


@dataclass(frozen=True, slots=True)
class WordShares:
    """One set, in shares of all its words that add up to 1."""

    name: str
    relational: float
    textual: float
    stop: float

    @property
    def shares(self) -> tuple[float, float, float]:
        return self.relational, self.textual, self.stop


def kind_rows(sets: Sequence[WordShares]) -> list[Row]:
    return [
        {"Set": one.name, "Words": kind, "Share of all words": share}
        for one in sets
        for (kind, _), share in zip(KINDS, one.shares, strict=True)
    ]


def kinds_figure(sets: Sequence[WordShares], *, theme: Theme) -> go.Figure:
    """Draw a bar for each set, which adds up to 100 %."""
    told = "; ".join(f"{one.name}: {one.relational:.0%} relational, {one.textual:.0%} textual" for one in sets)
    most = max(sets, key=lambda one: one.relational, default=None)
    figure = roomy(
        title=f"Most relational: {title_name(most.name)} ({100 * most.relational:.0f} %)" if most else "Kinds of words",
        subtitle="Of all words of a set; each bar adds up to 100 %",
        description=f"Words of {len(sets):,} sets of queries by kind. {told or 'None is classified'}.",
        plot=max(WORD_KIND_BAR * len(sets), 80),
        theme=theme,
        legend=[kind for kind, _ in KINDS],
    )
    if not sets:
        return say_why(figure, "No set has its words classified yet.", theme)
    for place, (kind, role) in enumerate(KINDS):
        shares = [one.shares[place] for one in sets]
        figure.add_trace(
            go.Bar(
                x=shares,
                y=list(range(len(sets))),
                orientation="h",
                name=kind,
                marker={"color": COLOURS[theme][role], "line": {"color": COLOURS[theme]["background"], "width": 1}},
                text=[f"{share:.0%}" if share >= 0.08 else "" for share in shares],
                textposition="inside",
                insidetextanchor="middle",
                textangle=0,
                textfont={"color": COLOURS[theme]["background"], "size": 12},
                hovertext=[f"{plain(one.name)}, {kind.lower()}: {one.shares[place]:.1%}" for one in sets],
                hovertemplate="%{hovertext}<extra></extra>",
                width=0.66,
            )
        )
    figure.update_layout(barmode="stack")
    figure.update_xaxes(title_text="Share of all words", range=(0, 1), tickformat=".0%", nticks=5, fixedrange=True)
    name_rows(figure, [axis_name(one.name) for one in sets])
    return figure


# The distribution of a number over the queries of sets: few sets overlaid, many stacked.

SPREADS_PLOT, STRIP = 240, 58
MOST_OVERLAID = 3
MOST_BINS = 24
SKEWED = 40
"""Ratio of the largest number to the median above which bin widths double."""


@dataclass(frozen=True, eq=False)
class SetNumbers:
    name: str
    values: Counts


@dataclass(frozen=True, slots=True)
class HistogramBins:
    lows: tuple[int, ...]
    highs: tuple[int, ...]
    doubling: bool

    def shares(self, values: Counts) -> list[float]:
        found = np.searchsorted(np.array(self.lows), values, side="right") - 1
        return [n / max(len(values), 1) for n in np.bincount(found, minlength=len(self.lows)).tolist()]

    def label(self, place: int) -> str:
        low, high = self.lows[place], self.highs[place]
        return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def edges_of(sets: Sequence[SetNumbers]) -> HistogramBins:
    """Return bins of equal width if that shows enough detail, else bins that double.

    >>> edges_of([SetNumbers("a", np.array([2, 3, 4]))]).lows
    (2, 3, 4)
    """
    every = np.concatenate([np.zeros(0, np.int64), *(one.values for one in sets)])
    if not len(every):
        return HistogramBins((), (), False)
    least, most = int(every.min()), int(every.max())
    if most > SKEWED * max(float(np.median(every)), 1.0) or most - least > 100 * MOST_BINS:
        lows = [0] * (least == 0) + [2**k for k in range(max(least.bit_length() - 1, 0), most.bit_length())]
        return HistogramBins(tuple(lows), tuple(0 if low == 0 else 2 * low - 1 for low in lows), True)
    width = max(math.ceil((most - least + 1) / MOST_BINS), 1)
    starts = range(least - least % width, most + 1, width)
    return HistogramBins(tuple(starts), tuple(low + width - 1 for low in starts), False)


def spread_rows(sets: Sequence[SetNumbers], *, what: str) -> list[Row]:
    edges = edges_of(sets)
    return [
        {"Set": one.name, f"{what} from": low, f"{what} to": high, "Share of queries": share}
        for one in sets
        for low, high, share in zip(edges.lows, edges.highs, edges.shares(one.values), strict=True)
    ]


def spreads_figure(sets: Sequence[SetNumbers], *, what: str, nothing: str, theme: Theme) -> go.Figure:
    """Draw the distributions. `what`: the number, such as "Words of a query"; `nothing`: the text if no set has any."""
    known = [one for one in sets if len(one.values)]
    overlaid = len(known) <= MOST_OVERLAID
    medians = {one.name: float(np.median(one.values)) for one in known}
    told = "; ".join(f"{name}: median {median:,g}" for name, median in medians.items())
    figure = roomy(
        title=_statistics_spreads_title(medians, what),
        subtitle="Each set adds up to 100 % of its queries" + (". Line: median" if overlaid else ""),
        description=f"{what} of {len(known):,} sets of queries, share of queries in each bin. {told or nothing}.",
        plot=SPREADS_PLOT if overlaid else STRIP * len(known) + 20,
        theme=theme,
        legend=[one.name for one in known] if overlaid and len(known) > 1 else (),
    )
    if not known:
        return say_why(figure, nothing, theme)
    edges = edges_of(known)
    highest = max(max(edges.shares(one.values)) for one in known)
    for place, one in enumerate(sets):
        if len(one.values):
            base = 0.0 if overlaid else float(known.index(one))
            scale = 1.0 if overlaid else -0.86 / highest
            figure.add_trace(go.Scatter(**_steps(one, place, edges, base=base, scale=scale, theme=theme)))
    if overlaid:
        _mark_medians(figure, sets, medians, edges, theme)
    _axes(figure, known, edges, what=what, overlaid=overlaid)
    return figure


def _steps(
    one: SetNumbers, place: int, edges: HistogramBins, *, base: float, scale: float, theme: Theme
) -> dict[str, Any]:
    look, shares = look_at(place, theme), edges.shares(one.values)
    xs = [place + side for place in range(len(shares)) for side in (-0.5, 0.5)]
    ys = [base + scale * share for share in shares for _ in (0, 1)]
    hover = [
        f"{plain(one.name)}, {edges.label(bin)}: {share:.1%} of its queries"
        for bin, share in enumerate(shares)
        for _ in (0, 1)
    ]
    return {
        "x": [xs[0], *xs, xs[-1]],
        "y": [base, *ys, base],
        "mode": "lines",
        "name": axis_name(one.name),
        "line": {"color": look.colour, "dash": look.dash, "width": 2, "shape": "linear"},
        "fill": "toself",
        "fillcolor": _faint(look.colour),
        **hover_texts([hover[0], *hover, hover[-1]]),
        "hoveron": "points",
    }


def _faint(colour: str) -> str:
    red, green, blue = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
    return f"rgba({red},{green},{blue},0.14)"


def _mark_medians(
    figure: go.Figure, sets: Sequence[SetNumbers], medians: dict[str, float], edges: HistogramBins, theme: Theme
) -> None:
    for place, one in enumerate(sets):
        if one.name in medians:
            look = look_at(place, theme)
            at = _at(medians[one.name], edges)
            line = {"color": look.colour, "dash": look.dash, "width": 1.2}
            figure.add_shape(type="line", x0=at, x1=at, yref="paper", y0=0, y1=1, line=line, layer="below")


def _at(value: float, edges: HistogramBins) -> float:
    place = max(int(np.searchsorted(np.array(edges.lows), value, side="right")) - 1, 0)
    low, high = edges.lows[place], edges.highs[place]
    return place - 0.5 + (value - low + 0.5) / (high - low + 1)


def _axes(figure: go.Figure, known: Sequence[SetNumbers], edges: HistogramBins, *, what: str, overlaid: bool) -> None:
    step = max(-(-len(edges.lows) // 8), 1)
    figure.update_xaxes(
        title_text=what + (" (bins that double)" if edges.doubling else ""),
        tickvals=list(range(0, len(edges.lows), step)),
        ticktext=[
            f"{low:,}" if low == high else f"{low:,}+"
            for low, high in zip(edges.lows[::step], edges.highs[::step], strict=True)
        ],
        fixedrange=True,
    )
    if overlaid:
        figure.update_yaxes(title_text="Share of queries", tickformat=".0%", rangemode="tozero", fixedrange=True)
        return
    figure.update_yaxes(
        tickvals=list(range(len(known))),
        ticktext=[axis_name(one.name) for one in known],
        range=(len(known) - 0.9, -1.0),
        showgrid=False,
        fixedrange=True,
    )


def _statistics_spreads_title(medians: dict[str, float], what: str) -> str:
    if not medians:
        return what
    low, high = min(medians, key=medians.__getitem__), max(medians, key=medians.__getitem__)
    if medians[low] == medians[high]:
        return f"{what}: median {medians[low]:,g}" + (" in every set" if len(medians) > 1 else "")
    return f"{what}: median {medians[low]:,g} ({title_name(low)}) to {medians[high]:,g} ({title_name(high)})"
