"""Core recall against publications retrieved, for every string of a writing, within what was asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from core.writer.types import Budget, Step
from dashboard.figures.theme import COLOURS, Theme
from dashboard.figures.versions.pareto import ParetoPoint, on_front, pareto_figure, pareto_rows


def standings(steps: Sequence[Step], names: Mapping[int, str]) -> list[ParetoPoint]:
    """Each string by its name, against all core publications."""
    return [
        ParetoPoint(names[s.number], None, s.judged.n_retrieved, s.judged.whole.n_found, s.judged.whole.n_core)
        for s in steps
    ]


def pareto_of_steps(
    steps: Sequence[Step], names: Mapping[int, str], budget: Budget, *, chosen: int, theme: Theme
) -> go.Figure:
    """A stair through the strings that no other one beats, with the least recall and the most publications asked for.

    `chosen` is drawn first in colour, the topic's name (number 0) second.
    """
    points = standings(steps, names)
    coloured = [names[number] for number in dict.fromkeys((chosen, 0)) if number in names]
    figure = pareto_figure(points, chosen=coloured, theme=theme)
    title = _title(points)
    listed = "; ".join(f"{p.label} {p.n_retrieved:,} retrieved, recall {p.recall:.3f}" for p in points)
    figure.update_layout(
        title_text=title,
        meta={"description": f"Core recall against publications retrieved, on a logarithmic axis. {title}. {listed}."},
    )
    _draw_limits(figure, budget, theme)
    return figure


def pareto_step_rows(steps: Sequence[Step], names: Mapping[int, str]) -> list[dict[str, str | int | float | None]]:
    """Every string as a row of a table."""
    rows = pareto_rows(standings(steps, names))
    return [
        {"String": row.pop("Version"), **{name: value for name, value in row.items() if name != "Name"}} for row in rows
    ]


def _title(points: Sequence[ParetoPoint]) -> str:
    front = on_front(points)
    if not any(point.n_retrieved for point in points):
        return "No string retrieves anything"
    if len(points) == 1:
        return "One string: its recall and what there is to read"
    return f"{len(front)} of {len(points)} strings {'is' if len(front) == 1 else 'are'} beaten by no other"


def _draw_limits(figure: go.Figure, budget: Budget, theme: Theme) -> None:
    """Thin lines, named where they stand. They are of the core in use, so they are drawn as a guide."""
    colour = COLOURS[theme]["warning"]
    line = {"color": colour, "width": 1, "dash": "dash"}
    font = {"size": 11, "color": colour}
    if budget.min_recall > 0:
        figure.add_hline(
            budget.min_recall,
            line=line,
            annotation={"text": "least recall asked for", "font": font},
            annotation_position="bottom right",
        )
    if budget.most_publications is not None:
        figure.add_vline(
            budget.most_publications,
            line=line,
            annotation={"text": "most publications", "font": font},
            annotation_position="bottom right",
        )
