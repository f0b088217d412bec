"""The ways that led to an answer: what was given at the top, the answer at the bottom, a row for every entity."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import plotly.graph_objects as go

from dashboard.figures.knowledge.look import cut, links, nodes, sign_of
from dashboard.figures.retrievers.shared import Row, frame
from dashboard.figures.theme import Theme
from dashboard.figures.upset import plain

PATH_ROW_PX = 24
INDENT, STEP = 0.28, 0.07
"""How far to the right the answer may be and how far each line is from the one above, of the figure's width."""


@dataclass(frozen=True, slots=True)
class Stop:
    """An entity on a way."""

    row: int
    title: str
    type: str
    relation: str
    """By which it is reached from the one before, in words; empty at the start."""


EntityPath = tuple[Stop, ...]
"""One way: what was given first, the answer last."""


def ways_rows(paths: Sequence[EntityPath]) -> list[Row]:
    """Every step of every way."""
    return [
        {"Way": number, "Step": step, "Relation": stop.relation or None, "Type": stop.type, "Title": stop.title}
        for number, path in enumerate(paths, start=1)
        for step, stop in enumerate(path)
    ]


def way_in_words(path: EntityPath) -> str:
    """One way on one line.

    >>> way_in_words((Stop(0, "Ito", "author", ""), Stop(1, "Trees", "paper", "writes")))
    'Ito – writes – Trees'
    """
    return " – ".join(part for stop in path for part in (stop.relation, cut(stop.title or "untitled", 90)) if part)


def places(paths: Sequence[EntityPath]) -> dict[tuple[float, int], tuple[float, int]]:
    """Where every entity stands: by how far along its way it is and its row, the share of the width and the line.

    Stairs, so that a line down and then across meets no other entity and no words.
    """
    seen: dict[tuple[float, int], None] = {}
    for path in paths:
        for step, stop in enumerate(path):
            seen[step / max(len(path) - 1, 1), stop.row] = None
    width = min(STEP, INDENT / max(len(seen) - 1, 1))
    return {key: (width * line, line) for line, key in enumerate(sorted(seen, key=lambda key: key[0]))}


def ways_figure(paths: Sequence[EntityPath], *, types: Sequence[str], theme: Theme) -> go.Figure:
    """`types`: all of the knowledge base, in its order and in words, which their colours follow."""
    at = places(paths)
    stops = {(step / max(len(path) - 1, 1), stop.row): stop for path in paths for step, stop in enumerate(path)}
    reached = _reached_by(paths)
    legend = list(dict.fromkeys(stop.type for stop in stops.values()))
    answer = paths[0][-1].title if paths else ""
    figure = go.Figure(
        layout=frame(
            title=plain(f"What leads to {cut(answer or 'untitled', 28)}"),
            subtitle="From what is given, at the top, to the answer, at the bottom",
            description=f"Ways to {cut(answer or 'untitled', 90)}: {'; '.join(map(way_in_words, paths))}.",
            plot=max(len(at), 3) * PATH_ROW_PX,
            theme=theme,
            legend=legend,
        )
    )
    figure.add_trace(go.Scatter(**links(_lines(paths, at), theme)))
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
    """By which relations an entity is reached, where several ways meet."""
    found: dict[tuple[float, int], dict[str, None]] = {}
    for path in paths:
        for step, stop in enumerate(path):
            found.setdefault((step / max(len(path) - 1, 1), stop.row), {})[stop.relation] = None
    return {key: ", ".join(filter(None, relations)) for key, relations in found.items()}


def _lines(
    paths: Sequence[EntityPath], at: dict[tuple[float, int], tuple[float, int]]
) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    """Down and then across."""
    found: dict[tuple[tuple[float, float], tuple[float, float]], None] = {}
    for path in paths:
        spots = [at[step / max(len(path) - 1, 1), stop.row] for step, stop in enumerate(path)]
        for (x, line), (to_x, to_line) in pairwise(spots):
            found[(x, -float(line)), (x, -float(to_line))] = None
            found[(x, -float(to_line)), (to_x, -float(to_line))] = None
    return list(found)
