"""An entity and its neighbours: a tree with one bunch for every relation. Every node has a row of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from dashboard.figures.knowledge.look import Sign, cut, links, nodes, sign_of
from dashboard.figures.retrievers.shared import Row, frame
from dashboard.figures.theme import COLOURS, Theme
from dashboard.figures.upset import plain, say_why

MOST_NODES = 40
MOST_BUNCHES = 12
MOST_OF_A_BUNCH = 6
NEIGHBOUR_ROW_PX = 21
TRUNK, FORK, LEAF = 0.045, 0.09, 0.15
"""Where lines turn up or down, where the bunches part, and where the nodes are; of the figure's width."""
NODE_LABEL, WHOLE_TITLE = 40, 150


Line = tuple[tuple[float, float], tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Bunch:
    """The neighbours by one relation."""

    relation: str
    """In words, as read from the entity."""
    type: str
    type_words: str
    """What the neighbours are called in words."""
    n: int
    titles: tuple[str, ...]
    """Of those that are drawn."""

    @property
    def n_more(self) -> int:
        return max(self.n - len(self.titles), 0)


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in the figure."""

    x: float
    y: float


def shares(counts: Sequence[int]) -> tuple[int, ...]:
    """How many neighbours are drawn of each bunch, so that no more than 40 nodes are: a few of each before many of one.

    >>> shares([1, 1203]), sum(shares([9] * 12))
    ((1, 6), 27)
    """
    drawn = [0] * min(len(counts), MOST_BUNCHES)
    room = MOST_NODES - 1 - len(drawn)  # the entity, and "and 7 more" of each
    for _ in range(MOST_OF_A_BUNCH):
        for place, taken in enumerate(drawn):
            if room and taken < counts[place]:
                drawn[place] += 1
                room -= 1
    return tuple(drawn)


def neighbourhood_rows(bunches: Sequence[Bunch]) -> list[Row]:
    """What is drawn."""
    return [
        {"Relation": bunch.relation, "Type": bunch.type_words, "Title": title, "Neighbours": bunch.n}
        for bunch in bunches
        for title in bunch.titles
    ]


def neighbourhood_figure(
    title: str, type: str, bunches: Sequence[Bunch], *, types: Sequence[str], theme: Theme
) -> go.Figure:
    """`types`: all of the knowledge base, in its order, which their colours follow."""
    drawn = list(bunches[:MOST_BUNCHES])
    n_rows = sum(1 + len(bunch.titles) + (bunch.n_more > 0) for bunch in drawn)
    legend = list(dict.fromkeys(bunch.type_words for bunch in drawn))
    name = cut(title or "untitled")
    said = "; ".join(f"{bunch.relation}: {bunch.n:,} {bunch.type_words}" for bunch in bunches)
    figure = go.Figure(
        layout=frame(
            title=plain(name),
            subtitle="Its neighbours, by relation",
            description=f"{name} and its neighbours by relation. {said or 'It has none'}.",
            plot=max(n_rows, 5) * NEIGHBOUR_ROW_PX,
            theme=theme,
            legend=legend,
        )
    )
    if not drawn:
        return say_why(figure, "It has no relations, so it has no neighbours.", theme)
    placed = place_bunches(drawn)
    centre = Spot(0.0, (placed[0][0].y + placed[-1][0].y) / 2)
    figure.add_trace(go.Scatter(**links(_lines(centre, placed), theme)))
    _draw_bunches(figure, drawn, placed, types, theme)
    figure.add_trace(go.Scatter(**_centre(centre, title, sign_of(type, types, theme), theme)))
    figure.update_xaxes(visible=False, range=[-0.03, 1], fixedrange=True)
    figure.update_yaxes(visible=False, range=[-n_rows + 0.4, 0.6], fixedrange=True)
    return figure


def place_bunches(bunches: Sequence[Bunch]) -> list[tuple[Spot, list[Spot]]]:
    """For every bunch where it parts, and its nodes; one row each, from the top down."""
    row = 0
    found = []
    for bunch in bunches:
        n_leaves = len(bunch.titles) + (bunch.n_more > 0)
        leaves = [Spot(LEAF, -float(row + 1 + place)) for place in range(n_leaves)]
        found.append((Spot(FORK, -float(row)), leaves))
        row += 1 + n_leaves
    return found


def _lines(centre: Spot, placed: Sequence[tuple[Spot, list[Spot]]]) -> list[Line]:
    """Only across and up or down, left of all words, so that no line runs through a title."""
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
    placed: Sequence[tuple[Spot, list[Spot]]],
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
    figure: go.Figure, bunches: Sequence[Bunch], placed: Sequence[tuple[Spot, list[Spot]]], theme: Theme
) -> None:
    """What the relations are called, and how many neighbours are not drawn."""
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
            Sign(faint, symbol),
            theme,
        )
        trace["marker"]["size"], trace["textfont"]["color"] = size, faint
        if symbol.endswith("open"):
            trace["marker"]["line"] = {"width": 1.3}
        figure.add_trace(go.Scatter(**trace, showlegend=False))


def _centre(spot: Spot, title: str, sign: Sign, theme: Theme) -> dict[str, object]:
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
        "hovertext": [plain(cut(title or "untitled", WHOLE_TITLE))],
        "hovertemplate": "%{hovertext}<extra></extra>",
        "showlegend": False,
        "cliponaxis": False,
    }
