"""Which words of sets of queries speak of relations, which of texts, and which say nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from dashboard.figures.knowledge.statistics_frame import roomy_frame
from dashboard.figures.retrievers.shared import Row, axis_name, title_name
from dashboard.figures.theme import COLOURS, Role, Theme
from dashboard.figures.upset import plain, say_why

WORD_KIND_BAR = 34
KINDS: tuple[tuple[str, Role], ...] = (
    ("Relational", "relevant"),
    ("Textual", "second"),
    ("Stop words", "not_relevant"),
)


@dataclass(frozen=True, slots=True)
class Kinds:
    """One set, in shares of all its words that add up to 1."""

    name: str
    relational: float
    textual: float
    stop: float

    @property
    def shares(self) -> tuple[float, float, float]:
        return self.relational, self.textual, self.stop


def kind_rows(sets: Sequence[Kinds]) -> list[Row]:
    """Every kind of every set."""
    return [
        {"Set": one.name, "Words": kind, "Share of all words": share}
        for one in sets
        for (kind, _), share in zip(KINDS, one.shares, strict=True)
    ]


def kinds_figure(sets: Sequence[Kinds], *, theme: Theme) -> go.Figure:
    """A bar for each set, that adds up to 100 %."""
    told = "; ".join(f"{one.name}: {one.relational:.0%} relational, {one.textual:.0%} textual" for one in sets)
    most = max(sets, key=lambda one: one.relational, default=None)
    figure = go.Figure(
        layout=roomy_frame(
            title=f"Most relational: {title_name(most.name)} ({100 * most.relational:.0f} %)"
            if most
            else "Kinds of words",
            subtitle="Of all words of a set; each bar adds up to 100 %",
            description=f"Words of {len(sets):,} sets of queries by kind. {told or 'None is known'}.",
            plot=max(WORD_KIND_BAR * len(sets), 80),
            theme=theme,
            legend=[kind for kind, _ in KINDS],
        )
    )
    if not sets:
        return say_why(figure, "Of no set it is known which of its words are relational.", theme)
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
    figure.update_yaxes(
        tickvals=list(range(len(sets))),
        ticktext=[axis_name(one.name) for one in sets],
        range=(len(sets) - 0.5, -0.5),
        showgrid=False,
        fixedrange=True,
    )
    return figure
