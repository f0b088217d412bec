"""One query on the landscape of its collection: its answers, and what each run puts first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from dashboard.figures.retrievers.shared import Row, axis_name, frame, looks
from dashboard.figures.theme import COLOURS, Theme
from dashboard.figures.upset import plain, say_why, short

PLANE_PLOT = 420
LONGEST_TITLE = 70
DOT, ANSWER, RING, WIDER = 5, 10, 14, 5
FOUND, MISSED, OTHER, QUERY = "Answers found", "Answers missed by all", "Other documents", "The query"


@dataclass(frozen=True, slots=True)
class DocumentSpot:
    """One document."""

    doc_id: str
    title: str
    x: float
    y: float
    grade: int
    """How relevant it is to the query; 0: it is no answer."""
    ranks: tuple[int | None, ...]
    """Its rank in each run, within what is looked at; None: not there."""

    @property
    def is_found(self) -> bool:
        """By any run."""
        return any(rank is not None for rank in self.ranks)


def plane_rows(spots: Sequence[DocumentSpot], names: Sequence[str]) -> list[Row]:
    """Answers and ranked documents first; then the sample of the rest."""
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
    """Grey: a sample of the collection. Filled: answers that a run has among its first. A ring for each run.

    `names`: of the runs, in the order of every spot's ranks; `first`: how far down each run is looked at.
    """
    answers = [spot for spot in spots if spot.grade]
    found = [spot for spot in answers if spot.is_found]
    title = _title(len(found), len(answers), first)
    described = "; ".join(
        f"{name} {sum(spot.ranks[place] is not None for spot in answers)} of {len(answers)}"
        for place, name in enumerate(names)
    )
    marks = [FOUND, MISSED, OTHER, QUERY]
    figure = go.Figure(
        layout=frame(
            title=title,
            subtitle=f"Filled: answers found. Rings: the first {first} of a run",
            description=f"Documents on a plane. {title}. Answers among the first {first}: {described}.",
            plot=PLANE_PLOT,
            theme=theme,
            legend=[*marks, *names],
        )
    )
    if not spots:
        return say_why(figure, "No document has a vector, so there is nothing to lay out.", theme)
    figure.add_trace(go.Scatter(**_dots([spot for spot in spots if not spot.grade], OTHER, names, theme)))
    for place, name in enumerate(names):
        figure.add_trace(go.Scatter(**_rings(spots, place, name, names, theme)))
    figure.add_trace(go.Scatter(**_dots([spot for spot in answers if not spot.is_found], MISSED, names, theme)))
    figure.add_trace(go.Scatter(**_dots(found, FOUND, names, theme)))
    if query is not None:
        figure.add_trace(go.Scatter(**_query(query, theme)))
    axis = {"showticklabels": False, "zeroline": False, "fixedrange": True}
    figure.update_xaxes(title_text="First direction of the vectors (no unit)", **axis)
    figure.update_yaxes(title_text="Second direction (no unit)", **axis)
    return figure


def _dots(spots: Sequence[DocumentSpot], what: str, names: Sequence[str], theme: Theme) -> dict[str, Any]:
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
        "hovertext": [_hover(spot, names) for spot in spots],
        "hovertemplate": "%{hovertext}<extra></extra>",
        "cliponaxis": False,
    }


def _rings(spots: Sequence[DocumentSpot], place: int, name: str, names: Sequence[str], theme: Theme) -> dict[str, Any]:
    """Each run's are wider than those of the one before, so that all are seen around the same document."""
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
        "hovertext": [_hover(spot, names) for spot in ringed],
        "hovertemplate": "%{hovertext}<extra></extra>",
        "cliponaxis": False,
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


def _hover(spot: DocumentSpot, names: Sequence[str]) -> str:
    lines = [f"<b>{plain(short(spot.title or spot.doc_id, LONGEST_TITLE))}</b>"]
    if spot.grade:
        lines.append(f"answer, grade {spot.grade}")
    lines += [
        f"{axis_name(name)}: rank {rank}" for name, rank in zip(names, spot.ranks, strict=True) if rank is not None
    ]
    return "<br>".join(lines)


def _title(n_found: int, n: int, first: int) -> str:
    if not n:
        return "A query without a known answer"
    if n == 1:
        return f"The one answer is {'in a' if n_found else 'in no'} first {first}"
    return f"{n_found} of {n} answers are in a first {first}"
