"""Figures of a session: recall against size of its candidates, and the rounds of a refinement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import plotly.graph_objects as go

from core.writer.sheets import CoreScores, SheetStep, WriterBudget
from dashboard.explore.figures.versions import ParetoPoint, on_front, pareto_figure, pareto_rows
from dashboard.kit.figure_frame import framed, hover_texts
from dashboard.kit.figures import plain
from dashboard.kit.theme import COLOURS, Role, Theme

# Core recall against publications retrieved, for every string of a session, with its targets.


def standings(steps: Sequence[SheetStep], names: Mapping[int, str]) -> list[ParetoPoint]:
    return [
        ParetoPoint(names[s.number], None, s.judged.n_retrieved, s.judged.whole.n_found, s.judged.whole.n_core)
        for s in steps
    ]


def pareto_of_steps(
    steps: Sequence[SheetStep], names: Mapping[int, str], budget: WriterBudget, *, chosen: int, theme: Theme
) -> go.Figure:
    """Draw the frontier of the strings, with the target recall and the maximum number of publications.

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


def pareto_step_rows(steps: Sequence[SheetStep], names: Mapping[int, str]) -> list[dict[str, str | int | float | None]]:
    rows = pareto_rows(standings(steps, names))
    return [
        {"String": row.pop("Version"), **{name: value for name, value in row.items() if name != "Name"}} for row in rows
    ]


def _title(points: Sequence[ParetoPoint]) -> str:
    front = on_front(points)
    if not any(point.n_retrieved for point in points):
        return "No string retrieves anything"
    if len(points) == 1:
        return "One string: its recall and size"
    return f"{len(front)} of {len(points)} strings {'is' if len(front) == 1 else 'are'} on the frontier"


def _draw_limits(figure: go.Figure, budget: WriterBudget, theme: Theme) -> None:
    colour = COLOURS[theme]["warning"]
    line = {"color": colour, "width": 1, "dash": "dash"}
    font = {"size": 11, "color": colour}
    if budget.min_recall > 0:
        figure.add_hline(
            budget.min_recall,
            line=line,
            annotation={"text": "minimum recall", "font": font},
            annotation_position="bottom right",
        )
    if budget.most_publications is not None:
        figure.add_vline(
            budget.most_publications,
            line=line,
            annotation={"text": "maximum publications", "font": font},
            annotation_position="bottom right",
        )


# F-beta change by change of a refinement: on the core publications in use, and on those held out.

PLOT = 240
USED, HELD_OUT = "used", "held out"
LINES: tuple[tuple[str, Role, str, str], ...] = (
    (USED, "relevant", "solid", "circle"),
    (HELD_OUT, "second", "dash", "square"),
)
"""Name, colour, dash and symbol: any one of them distinguishes the lines."""
Row = dict[str, str | int | float | None]


def side(step: SheetStep, name: str) -> CoreScores | None:
    return step.judged.used if name == USED else step.judged.held_out


def rounds_figure(chain: Sequence[SheetStep], *, score: str, theme: Theme) -> go.Figure:
    """Draw a line for each half, starting with the refined string (round 0)."""
    title = _rounds_title(chain, score)
    shown = [line for line in LINES if any(side(step, line[0]) is not None for step in chain)]
    figure = framed(
        title=title,
        subtitle="A rise on the used half alone is overfitting" if len(shown) > 1 else "",
        description=f"{score} change by change of a refinement. {title}. {_listed(chain, score)}",
        plot=PLOT,
        theme=theme,
        legend=[name for name, *_ in shown] if len(shown) > 1 else [],
    )
    for name, role, dash, symbol in shown:
        figure.add_trace(go.Scatter(**_line(chain, name, COLOURS[theme][role], dash, symbol, score)))
    figure.update_xaxes(
        title_text="Change (0: the string that was refined)",
        tickvals=list(range(len(chain))),
        range=(-0.3, max(len(chain) - 0.7, 0.7)),
        fixedrange=True,
    )
    figure.update_yaxes(title_text=f"{score}, 0 to 1", fixedrange=True)
    return figure


def round_rows(chain: Sequence[SheetStep]) -> list[Row]:
    rows: list[Row] = []
    for place, step in enumerate(chain):
        row: Row = {"Change": place, "Round": step.round, "What changed": step.made_by}
        row["Publications"] = step.judged.n_retrieved
        for name, *_ in LINES:
            found = side(step, name)
            row[f"F-beta, {name}"] = None if found is None else found.f_beta
        rows.append(row)
    return rows


def _line(chain: Sequence[SheetStep], name: str, colour: str, dash: str, symbol: str, score: str) -> dict[str, Any]:
    values = [None if (found := side(step, name)) is None else found.f_beta for step in chain]
    words = [
        f"<b>{plain(step.made_by)}</b><br>{score} {name}: {'–' if value is None else f'{value:.3f}'}"
        f"<br>{step.judged.n_retrieved:,} publications"
        for step, value in zip(chain, values, strict=True)
    ]
    return {
        "x": list(range(len(chain))),
        "y": values,
        "mode": "lines+markers",
        "name": name,
        "line": {"color": colour, "width": 2, "dash": dash},
        "marker": {"size": 8, "symbol": symbol, "color": colour},
        **hover_texts(words),
    }


def _rounds_title(chain: Sequence[SheetStep], score: str) -> str:
    last = chain[-1]
    parts = [
        f"{found.f_beta:.3f} {name}"
        for name, *_ in LINES
        if (found := side(last, name)) is not None and found.f_beta is not None
    ]
    return f"{score} ends at {', '.join(parts)}" if parts else f"{score} change by change"


def _listed(chain: Sequence[SheetStep], score: str) -> str:
    return "; ".join(
        f"change {place}, {step.made_by}: {score} "
        + ", ".join(
            f"{name} {found.f_beta:.3f}"
            for name, *_ in LINES
            if (found := side(step, name)) is not None and found.f_beta is not None
        )
        for place, step in enumerate(chain)
    )
