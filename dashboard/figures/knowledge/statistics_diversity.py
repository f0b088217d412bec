"""How varied sets of queries are worded: Shannon entropy against the type-token ratio, at a common length."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from dashboard.figures.knowledge.statistics_frame import roomy_frame
from dashboard.figures.retrievers.shared import Row, axis_name, look_at, marker, title_name
from dashboard.figures.theme import COLOURS, Theme
from dashboard.figures.upset import plain, say_why

DIVERSITY_PLOT = 280


@dataclass(frozen=True, slots=True)
class Varied:
    """One set, or the reference."""

    name: str
    entropy: float | None
    """In nats."""
    ratio: float | None
    is_reference: bool = False


def diversity_rows(sets: Sequence[Varied], n: int | None) -> list[Row]:
    """Every set."""
    return [
        {"Set": one.name, "Words read": n, "Shannon entropy (nats)": one.entropy, "Type-token ratio": one.ratio}
        for one in sets
    ]


def diversity_figure(sets: Sequence[Varied], *, n: int | None, theme: Theme) -> go.Figure:
    """A sign for each set; the reference is hollow. `n`: words that are read of each."""
    known = [(place, one.entropy, one.ratio) for place, one in enumerate(sets)]
    there = [(place, nats, ratio) for place, nats, ratio in known if nats is not None and ratio is not None]
    told = "; ".join(f"{sets[place].name}: entropy {nats:.3f}, ratio {ratio:.3f}" for place, nats, ratio in there)
    figure = go.Figure(
        layout=roomy_frame(
            title=_title(sets, [(place, ratio) for place, _, ratio in there]),
            subtitle="Up, right: more varied" + (f". First {n:,} words of each" if n else ""),
            description=f"Shannon entropy against type-token ratio at a common length of {n or 0:,} words. "
            f"{told or 'No set has a word'}.",
            plot=DIVERSITY_PLOT,
            theme=theme,
            legend=[sets[place].name for place, _, _ in there],
        )
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


def _sign(one: Varied, place: int, nats: float, ratio: float, theme: Theme) -> dict[str, Any]:
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
        "hovertext": [f"{plain(one.name)}: entropy {nats:.3f} nats, type-token ratio {ratio:.3f}"],
        "hovertemplate": "%{hovertext}<extra></extra>",
        "cliponaxis": False,
    }


def _range(values: Sequence[float], least: float) -> tuple[float, float]:
    room = max(0.15 * (max(values) - min(values)), least)
    return min(values) - room, max(values) + room


def _title(sets: Sequence[Varied], ratios: Sequence[tuple[int, float]]) -> str:
    """The reference is what is held against, so it does not win."""
    own = [(ratio, sets[place].name) for place, ratio in ratios if not sets[place].is_reference]
    if not own:
        return "Variety of wording"
    if len(own) == 1:
        return f"{title_name(own[0][1])}: type-token ratio {own[0][0]:.2f}"
    return f"Most varied: {title_name(max(own)[1])} (type-token ratio {max(own)[0]:.2f})"
