"""One run against another, query by query."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import plotly.graph_objects as go

from core.ranking.slices import SAME
from dashboard.figures.retrievers.shared import Row, axis_name, frame, title_name
from dashboard.figures.theme import COLOURS, Theme
from dashboard.figures.upset import plain, say_why, short
from dashboard.figures.versions.look import Look

AGAINST_PLOT = 380
MOST_NAMED = 6
LONGEST_QUERY = 70
Outcome = Literal["a", "b", "tie"]


@dataclass(frozen=True, slots=True)
class Pair:
    """One query's value under both runs."""

    query_id: str
    text: str
    a: float
    b: float

    @property
    def outcome(self) -> Outcome:
        """Which of the two is better."""
        if abs(self.a - self.b) <= SAME:
            return "tie"
        return "a" if self.a > self.b else "b"


def outcomes(pairs: Sequence[Pair]) -> tuple[int, int, int]:
    """On how many queries b is better, both are the same, a is better.

    >>> outcomes([Pair("1", "", 0.2, 0.4), Pair("2", "", 0.3, 0.3)])
    (1, 1, 0)
    """
    found = [pair.outcome for pair in pairs]
    return found.count("b"), found.count("tie"), found.count("a")


def against_rows(pairs: Sequence[Pair], a: str, b: str) -> list[Row]:
    """Every query, the largest difference first."""
    order = sorted(pairs, key=lambda pair: -abs(pair.b - pair.a))
    return [
        {"Query": pair.query_id, "Text": pair.text, a: pair.a, b: pair.b, "Difference": pair.b - pair.a}
        for pair in order
    ]


def against_figure(
    pairs: Sequence[Pair], *, a: str, b: str, metric: str, looks: tuple[Look, Look], theme: Theme
) -> go.Figure:
    """A disc for each pair of values, as large as it has queries; over the diagonal b is better."""
    better, same, worse = outcomes(pairs)
    title = f"{title_name(b)}: {better:,} better, {worse:,} worse, {same:,} {'tie' if same == 1 else 'ties'}"
    figure = go.Figure(
        layout=frame(
            title=title,
            subtitle=f"Against {title_name(a)}. Over the diagonal: better",
            description=f"{metric} of {len(pairs):,} queries under {a} and {b}. {b} is better on {better:,}, "
            f"{a} on {worse:,}; {same:,} are ties.",
            plot=AGAINST_PLOT,
            theme=theme,
        )
    )
    if not pairs:
        return say_why(figure, "No query has a relevant document, so there is nothing to score.", theme)
    figure.add_shape(
        type="line", x0=0, y0=0, x1=1, y1=1, layer="below", line={"color": COLOURS[theme]["faint"], "dash": "dot"}
    )
    colours: dict[Outcome, Look | None] = {"a": looks[0], "b": looks[1], "tie": None}
    for outcome, look in colours.items():
        of_it = [pair for pair in pairs if pair.outcome == outcome]
        if of_it:
            figure.add_trace(go.Scatter(**_discs(of_it, outcome, look, (a, b), theme)))
    axis = {"range": (-0.04, 1.04), "tickvals": (0, 0.25, 0.5, 0.75, 1), "fixedrange": True}
    figure.update_xaxes(title_text=f"{metric} of {axis_name(a)}, 0 to 1", **axis)
    figure.update_yaxes(title_text=f"{metric} of {axis_name(b)}, 0 to 1", **axis)
    return figure


def _discs(
    pairs: Sequence[Pair], outcome: Outcome, look: Look | None, names: tuple[str, str], theme: Theme
) -> dict[str, Any]:
    """Queries with the same two values are one disc."""
    together: dict[tuple[float, float], list[Pair]] = defaultdict(list)
    for pair in pairs:
        together[round(pair.a, 4), round(pair.b, 4)].append(pair)
    colour = COLOURS[theme]["faint"] if look is None else look.colour
    winner = {"a": names[0], "b": names[1], "tie": "Ties"}[outcome]
    return {
        "x": [at[0] for at in together],
        "y": [at[1] for at in together],
        "mode": "markers",
        "name": plain(winner),
        "marker": {
            "size": [min(7 + 3 * math.sqrt(len(there) - 1), 34) for there in together.values()],
            "symbol": "circle" if look is None else look.symbol,
            "color": colour,
            "opacity": 0.75,
            "line": {"color": COLOURS[theme]["background"], "width": 1},
        },
        "customdata": [[pair.query_id for pair in there][:MOST_NAMED] for there in together.values()],
        "hovertext": [_hover(there, names) for there in together.values()],
        "hovertemplate": "%{hovertext}<extra></extra>",
        "cliponaxis": False,
    }


def _hover(there: Sequence[Pair], names: tuple[str, str]) -> str:
    first = there[0]
    lines = [f"{axis_name(names[0])} {first.a:.3f}, {axis_name(names[1])} {first.b:.3f}"]
    lines += [f"{plain(p.query_id)}: {plain(short(p.text, LONGEST_QUERY))}" for p in there[:MOST_NAMED]]
    if len(there) > MOST_NAMED:
        lines.append(f"and {len(there) - MOST_NAMED:,} more")
    return "<br>".join(lines)
