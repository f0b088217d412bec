"""How many relations entities have: a line for each type, over degrees that double."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from core.knowledge.statistics.query_sets import TypeStatistics
from core.knowledge.templates import type_words
from dashboard.figures.knowledge.look import sign_of
from dashboard.figures.knowledge.statistics_frame import roomy_frame
from dashboard.figures.retrievers.shared import Row, axis_name, title_name
from dashboard.figures.theme import COLOURS, Theme
from dashboard.figures.upset import plain, say_why

DEGREES_PLOT = 300


def degree_rows(kinds: Sequence[TypeStatistics]) -> list[Row]:
    """Every bin of every type."""
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
    """`types`: all of the knowledge base, whose place gives each its colour and sign."""
    spreads = [(type_words(kind.name, plural=True), kind.degrees) for kind in kinds if kind.degrees is not None]
    most = max(spreads, key=lambda each: each[1].mean, default=None)
    title = f"Most relations: {title_name(most[0])}, {most[1].mean:,.1f} on average" if most else "No degrees"
    told = "; ".join(f"{name} median {s.median:,g}, mean {s.mean:,.1f}, at most {s.most:,}" for name, s in spreads)
    figure = go.Figure(
        layout=roomy_frame(
            title=title,
            subtitle="Right: more relations. Each line adds up to 100 %",
            description=f"Share of entities by degree, in bins that double. {told or 'There are no entities'}.",
            plot=DEGREES_PLOT,
            theme=theme,
            legend=[name for name, _ in spreads],
        )
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
        "hovertext": [
            f"{plain(type_words(kind.name))}, {bin.label} {'relation' if bin.label == '1' else 'relations'}: "
            f"{bin.n:,} {'entity' if bin.n == 1 else 'entities'} ({bin.n / kind.n:.1%})"
            for bin in kind.degree_bins
        ],
        "hovertemplate": "%{hovertext}<extra></extra>",
        "cliponaxis": False,
    }
