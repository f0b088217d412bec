"""Core publications of many topics in one picture, and how well clusters agree with topics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import plotly.graph_objects as go

from core.studies.core_sets import Purity
from core.types import Points
from dashboard.figures.studies.core_sets import LEGEND, kind_legend, wrapped
from dashboard.figures.studies.kinds import SIGNS, Kind
from dashboard.figures.theme import CATEGORIES, COLOURS, RAMPS, Theme, template
from dashboard.figures.upset import plain, short

ColourBy = Literal["topic", "cluster"]
HEIGHT = 640
CLUSTER_ROW = 22
CLUSTER_LONGEST_NAME = 26


@dataclass(frozen=True, eq=False)
class Crowd:
    """What is drawn: one entry for each publication."""

    points: Points
    topics: Sequence[str]
    kinds: Sequence[Kind]
    titles: Sequence[str]
    labels: Sequence[int] | None
    """Its cluster; None: not known yet."""


def together_figure(crowd: Crowd, *, found: Purity | None, colour_by: ColourBy, method: str, theme: Theme) -> go.Figure:
    """Every core publication at its place: the sign says the kind of survey, colour and number the topic or cluster."""
    by_cluster = colour_by == "cluster" and crowd.labels is not None and found is not None
    names = _cluster_names(found) if by_cluster and found else {topic: topic for topic in sorted(set(crowd.topics))}
    groups: Sequence[Any] = crowd.labels if by_cluster and crowd.labels is not None else crowd.topics
    what = "cluster" if by_cluster else "topic"
    figure = go.Figure(layout=_layout(crowd, what, len(names), method, theme))
    for number, (group, name) in enumerate(names.items(), 1):
        rows = [row for row, of in enumerate(groups) if of == group]
        figure.add_trace(_signs(crowd, rows, number, name, theme))
    for trace in kind_legend(set(crowd.kinds), theme):
        figure.add_trace(trace.update(marker={"color": COLOURS[theme]["faint"]}))
    _number_groups(figure, crowd.points, groups, list(names), theme)
    return figure


def _cluster_names(found: Purity) -> dict[int, str]:
    return {c.label: f"{c.majority} ({c.n_majority} of {c.n})" for c in found.clusters}


def _look(number: int, theme: Theme) -> dict[str, Any]:
    """The colours come round again after ten: then with an edge, so that no two groups look alike."""
    colours = CATEGORIES[theme]
    turn, place = divmod(number - 1, len(colours))
    edge = (colours[place], COLOURS[theme]["text"], COLOURS[theme]["core"])[turn % 3]
    return {"color": colours[place], "line": {"color": edge, "width": 1.2 if turn else 0}}


def _signs(crowd: Crowd, rows: Sequence[int], number: int, name: str, theme: Theme) -> go.Scatter:
    return go.Scatter(
        x=crowd.points[rows, 0].tolist(),
        y=crowd.points[rows, 1].tolist(),
        mode="markers",
        name=f"{number} {plain(short(name, CLUSTER_LONGEST_NAME + 12))}",
        marker={**_look(number, theme), "size": 8, "symbol": [SIGNS[crowd.kinds[row]].symbol for row in rows]},
        text=[f"{wrapped(crowd.titles[row])}<br>{plain(crowd.topics[row])}" for row in rows],
        hovertemplate="%{text}<extra></extra>",
    )


def _number_groups(
    figure: go.Figure, points: Points, groups: Sequence[Any], names: Sequence[Any], theme: Theme
) -> None:
    """The number of each group, at its upper edge."""
    of = np.array([names.index(group) for group in groups])
    for number in range(len(names)):
        inside = points[of == number]
        figure.add_annotation(
            x=float(np.median(inside[:, 0])),
            y=float(np.quantile(inside[:, 1], 0.9)),
            yanchor="bottom",
            yshift=3,
            text=f"<b>{number + 1}</b>",
            showarrow=False,
            font={"size": 12, "color": COLOURS[theme]["text"]},
            bgcolor=COLOURS[theme]["background"],
            opacity=0.85,
            borderpad=0,
        )


def _layout(crowd: Crowd, what: str, n: int, method: str, theme: Theme) -> dict[str, Any]:
    axis = {"visible": False}
    title = f"{len(crowd.topics):,} core publications of {len(set(crowd.topics))} topics by {what}"
    return {
        "template": template(theme),
        "title": {
            "text": title,
            "y": 0.99,
            "yanchor": "top",
            "yref": "container",
            "subtitle": {"text": f"{method}: near means alike, and far apart may mean nothing"},
        },
        "height": HEIGHT + 20 * (n // 3),
        "margin": {"l": 12, "r": 12, "t": 64, "b": 12},
        "xaxis": axis,
        "yaxis": {**axis, "scaleanchor": "x"},
        "legend": {
            "orientation": "h",
            "x": 0,
            "xanchor": "left",
            "y": -0.01,
            "yanchor": "top",
            "itemsizing": "constant",
        },
        "dragmode": False,
        "hovermode": "closest",
        "meta": {
            "description": f"{title}, laid out by {method}. Signs tell the kind of survey, numbers the {n} {what}s."
        },
    }


def _heading(title: str, reading: str) -> dict[str, Any]:
    place = {"y": 0.985, "yanchor": "top", "yref": "container"}
    return {"text": title, "subtitle": {"text": reading}, **place}


def confusion_figure(found: Purity, *, theme: Theme) -> go.Figure:
    """How many publications of each topic lie in each cluster; clusters in the order of their majority."""
    counts, numbers = found.counts, list(range(len(found.clusters)))
    ramp = RAMPS["decay"][theme]
    steps = [[i / 8, ramp[round(i / 8 * (len(ramp) - 1))]] for i in range(9)]
    names = [short(topic, CLUSTER_LONGEST_NAME) for topic in found.topics]
    figure = go.Figure(
        go.Heatmap(
            z=np.where(counts > 0, counts, np.nan).tolist(),
            x=numbers,
            y=list(range(len(names))),
            text=[[str(n) if n else "" for n in row] for row in counts.tolist()],
            texttemplate="%{text}",
            textfont={"size": 11},
            customdata=[[plain(f"{topic} in cluster {i + 1}") for i in numbers] for topic in found.topics],
            hovertemplate="%{customdata}: %{z}<extra></extra>",
            colorscale=steps,
            zmin=0,
            showscale=False,
            xgap=1,
            ygap=1,
        )
    )
    split = [topic for topic, share in found.of_topic.items() if share == 0]
    figure.update_layout(
        template=template(theme),
        title=_heading(
            "Topics against clusters", "Publications of each topic (row) in each cluster (column) of the vectors"
        ),
        height=110 + CLUSTER_ROW * len(names),
        margin={"l": 12, "r": 12, "t": 64, "b": 44},
        dragmode=False,
        meta={
            "description": f"Table of {len(names)} topics by {len(numbers)} clusters. Purity {found.overall:.3f}. "
            f"Topics with the majority of no cluster: {', '.join(split) or 'none'}.",
            "is_wide": True,
        },
    )
    figure.update_xaxes(
        title_text="Cluster",
        tickvals=numbers,
        ticktext=[str(i + 1) for i in numbers],
        showgrid=False,
    )
    figure.update_yaxes(
        tickvals=list(range(len(names))),
        ticktext=[plain(name) for name in names],
        autorange="reversed",
        showgrid=False,
        ticklabelstandoff=6,
    )
    return figure


def purity_figure(by_vectors: Mapping[str, float], in_picture: Mapping[str, float], *, theme: Theme) -> go.Figure:
    """Each topic's purity by the vectors (filled) and by the picture (hollow)."""
    order = sorted(by_vectors, key=lambda topic: (by_vectors[topic], in_picture[topic], topic))
    colours = COLOURS[theme]
    ends: list[float | None] = []
    for topic in order:
        ends += [by_vectors[topic], in_picture[topic], None]
    figure = go.Figure(
        go.Scatter(
            x=ends,
            y=[row for row in range(len(order)) for _ in range(3)],
            mode="lines",
            line={"color": colours["border"], "width": 2},
            hoverinfo="skip",
            showlegend=False,
        )
    )
    for name, shares, symbol in (("Vectors", by_vectors, "circle"), ("Picture", in_picture, "circle-open")):
        figure.add_trace(
            go.Scatter(
                x=[shares[topic] for topic in order],
                y=list(range(len(order))),
                mode="markers",
                name=name,
                marker={"symbol": symbol, "size": 10, "color": colours["relevant"], "line": {"width": 2}},
                hovertemplate="%{x:.3f}<extra>" + name + "</extra>",
                cliponaxis=False,
            )
        )
    listed = "; ".join(f"{topic} {by_vectors[topic]:.2f} and {in_picture[topic]:.2f}" for topic in reversed(order))
    figure.update_layout(
        template=template(theme),
        title=_heading("Purity of each topic", "Its share in clusters where it has the majority"),
        height=150 + CLUSTER_ROW * len(order),
        margin={"l": 12, "r": 20, "t": 104, "b": 44},
        legend=LEGEND,
        dragmode=False,
        meta={"description": f"Purity of each topic by the vectors and by the picture: {listed}."},
    )
    figure.update_xaxes(title_text="Purity", range=[-0.03, 1.03])
    figure.update_yaxes(
        tickvals=list(range(len(order))),
        ticktext=[plain(short(topic, CLUSTER_LONGEST_NAME)) for topic in order],
        range=[-0.6, len(order) - 0.4],
        showgrid=False,
    )
    return figure
