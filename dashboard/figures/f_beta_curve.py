"""F-beta and what goes into it over the similarity threshold, with the threshold that is set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from core.metrics import METRICS, SIMILARITY_TOLERANCE, SimilaritySweep
from core.projection import Rows
from core.types import Floats
from dashboard.figures.theme import COLOURS, DASHES, Role, Theme, template
from dashboard.figures.upset import say_why

CURVE_HEIGHT = 260
CURVE_MOST_POINTS = 200
CURVE_BINS = 28
"""Each keeps its first, last, highest and lowest point."""
NARROWEST = 240
"""Pixels that the plot has at least: labels that don't meet here meet nowhere."""
LABEL_ROW = 13
PARTS: tuple[tuple[str, Role], ...] = (("recall", "core"), ("semantic_precision", "relevant"), ("decay", "faint"))


@dataclass(frozen=True)
class Mark:
    """A similarity threshold that is worth a line, and its words."""

    at: float
    label: str
    role: Role
    dash: str


def f_beta_curve_figure(
    curve: SimilaritySweep,
    *,
    current: float,
    least_similar_core: float | None,
    best: float | None,
    beta: float,
    theme: Theme,
) -> go.Figure:
    """F-beta over the similarity threshold, from `core.projection.split_curve`.

    `current`, `least_similar_core` and `best` are similarity thresholds; None leaves the mark out.
    """
    name = f"F{beta:g} (with decay)"
    figure = go.Figure(layout=_layout(theme))
    if not np.isfinite(curve.min_similarity).any():
        figure.update_layout(title={"text": name})
        return say_why(figure, "There is no curve: no retrieved publication has a vector.", theme)
    marks = [Mark(current, f"set {current:.3f}", "accent", "solid")]
    if best is not None:
        marks.append(Mark(best, f"best {best:.3f}", "text", "dot"))
    if least_similar_core is not None:
        marks.append(Mark(least_similar_core, f"least similar core {least_similar_core:.3f}", "core", "dash"))
    x, rows = _sampled(curve, [mark.at for mark in marks])
    for line in _lines(curve, x, rows, name=name, theme=theme):
        figure.add_trace(go.Scatter(**line))
    figure.update_layout(title={"text": _title(curve, name, current, best)})
    figure.update_xaxes(range=_padded(x))
    _draw_legend(figure, name, theme)
    _draw_marks(figure, marks, _padded(x), theme)
    if best is not None:
        figure.add_trace(go.Scatter(**_peak(curve, best, theme)))
    return figure


def row_at(curve: SimilaritySweep, min_similarity: float) -> int:
    """Which entry of a split curve a similarity threshold stands for: the first row that is relevant under it."""
    return int(np.searchsorted(curve.min_similarity, min_similarity - SIMILARITY_TOLERANCE, side="left"))


def _sampled(curve: SimilaritySweep, keep: list[float]) -> tuple[Floats, Rows]:
    """Thresholds to draw, rising, with the entries they stand for: few, but with every extreme and all of `keep`."""
    distinct = np.unique(curve.min_similarity[np.isfinite(curve.min_similarity)])
    if len(distinct) > CURVE_MOST_POINTS - len(keep):
        rows = _rows_at(curve, distinct)
        distinct = distinct[_extremes(distinct, curve.f_beta[rows])]
    x = np.unique(np.concatenate([distinct, keep]))
    return x, _rows_at(curve, x)


def _rows_at(curve: SimilaritySweep, thresholds: Floats) -> Rows:
    return np.searchsorted(curve.min_similarity, thresholds - SIMILARITY_TOLERANCE, side="left")


def _extremes(x: Floats, y: Floats) -> npt.NDArray[np.intp]:
    """Positions of the first, last, highest and lowest point of each of `N_BINS` stretches."""
    stretch = np.floor((x - x[0]) / (x[-1] - x[0]) * (CURVE_BINS - 1)).astype(np.intp)
    first = np.flatnonzero(np.diff(stretch, prepend=-1))
    last = np.append(first[1:], len(x)) - 1
    by_height = np.lexsort((y, stretch))  # within a stretch from low to high
    return np.unique(np.concatenate([first, last, by_height[first], by_height[last]]))


def _lines(curve: SimilaritySweep, x: Floats, rows: Rows, *, name: str, theme: Theme) -> list[dict[str, Any]]:
    colours = COLOURS[theme]
    # Single precision: half as much to send at every release.
    common = {"x": x.astype(np.float32), "mode": "lines", "hovertemplate": "%{y:.3f}"}
    # Between two similarities the stricter one decides, so the line steps up before it runs on. Where points were left
    # out, steps would be as wide as what was left out.
    n_distinct = len(np.unique(curve.min_similarity))
    shape = "vh" if n_distinct <= len(x) + 1 else "linear"
    lines = [
        {
            **common,
            "y": getattr(curve, metric)[rows].astype(np.float32),
            "name": METRICS[metric].label,
            "line": {"color": colours[role], "width": 1.3, "dash": _dash(role), "shape": shape},
        }
        for metric, role in PARTS
    ]
    main = {
        **common,
        "y": curve.f_beta[rows].astype(np.float32),
        "name": name,
        "line": {"color": colours["text"], "width": 2.6, "shape": shape},
        "zorder": 1,  # named first, yet drawn over the others
        "customdata": curve.n_relevant[rows],
        "hovertemplate": "%{y:.3f} · %{customdata:,} relevant",
    }
    return [main, *lines]


def _dash(role: Role) -> str:
    return DASHES[role].plotly if role in DASHES else "solid"


def _title(curve: SimilaritySweep, name: str, current: float, best: float | None) -> str:
    now = f"{name}: {curve.f_beta[row_at(curve, current)]:.3f}"
    return now if best is None else f"{now} now, at best {curve.f_beta[row_at(curve, best)]:.3f}"


def _padded(x: Floats) -> tuple[float, float]:
    low, high = float(x[0]), float(x[-1])
    space = 0.02 * (high - low) or 0.05
    return low - space, high + space


def _peak(curve: SimilaritySweep, best: float, theme: Theme) -> dict[str, Any]:
    colours = COLOURS[theme]
    return {
        "x": [best],
        "y": [curve.f_beta[row_at(curve, best)]],
        "mode": "markers",
        "showlegend": False,
        "hoverinfo": "skip",
        "zorder": 2,
        "marker": {"size": 8, "color": colours["text"], "line": {"color": colours["background"], "width": 1.5}},
    }


def _draw_legend(figure: go.Figure, name: str, theme: Theme) -> None:
    """Two short lines under the plot, which fit a narrow column."""
    signs = {"solid": "──", "dash": "╌╌", "dot": "┈┈"}
    entries: list[tuple[Role, str, str]] = [
        ("text", "━━", name),
        *((role, signs[_dash(role)], METRICS[metric].label) for metric, role in PARTS),
    ]
    words = [f'<span style="color:{COLOURS[theme][role]}">{sign}</span> {label}' for role, sign, label in entries]
    figure.add_annotation(
        text="   ".join(words[:2]) + "<br>" + "   ".join(words[2:]),
        x=0,
        xref="paper",
        y=0,
        yref="paper",
        yshift=-36,
        xanchor="left",
        yanchor="top",
        align="left",
        showarrow=False,
        font={"size": 11},
    )


def _draw_marks(figure: go.Figure, marks: list[Mark], span: tuple[float, float], theme: Theme) -> None:
    colours = COLOURS[theme]
    places = zip(marks, _label_places(marks, span), strict=True)
    # from the top row down, so that a line on its way up to its label passes behind the labels of lower rows
    for mark, (level, anchor) in sorted(places, key=lambda place: -place[1][0]):
        figure.add_shape(
            type="line",
            x0=mark.at,
            x1=mark.at,
            y0=0,
            y1=1,
            yref="y domain",
            line={"color": colours[mark.role], "width": 2 if mark.role == "accent" else 1.2, "dash": mark.dash},
        )
        figure.add_annotation(
            text=mark.label,
            x=mark.at,
            y=1,
            yref="y domain",
            ax=0,
            ay=-(level * LABEL_ROW + 1),  # the line goes on up to its label
            xanchor=anchor,
            yanchor="bottom",
            showarrow=True,
            arrowhead=0,
            arrowwidth=1,
            arrowcolor=colours[mark.role],
            bgcolor=colours["background"],
            borderpad=1,
            font={"size": 11, "color": colours["accent" if mark.role == "accent" else "text"]},
        )


def _label_places(marks: list[Mark], span: tuple[float, float]) -> list[tuple[int, str]]:
    """A row above the plot and the side of its line for each label, so that none meets another or leaves the figure."""
    taken: list[list[tuple[float, float]]] = []
    places = []
    for mark in marks:
        at, width = (mark.at - span[0]) / (span[1] - span[0]) * NARROWEST, 6.2 * len(mark.label) + 6
        anchor = "left" if at + width <= NARROWEST else "right" if at - width >= 0 else "center"
        start = at - {"left": 0.0, "right": width, "center": width / 2}[anchor]
        free = (
            level
            for level, spans in enumerate(taken)
            if all(start >= end or start + width <= begin for begin, end in spans)
        )
        level = next(free, len(taken))
        if level == len(taken):
            taken.append([])
        taken[level].append((start, start + width))
        places.append((level, anchor))
    return places


def _layout(theme: Theme) -> dict[str, Any]:
    return {
        "template": template(theme),
        "title": {"font": {"size": 13}, "y": 0.985, "yanchor": "top"},
        "height": CURVE_HEIGHT,
        "margin": {"l": 12, "r": 12, "t": 66, "b": 68},
        "hovermode": "x unified",
        "xaxis": {
            "title": {"text": "Similarity threshold (stricter to the right)", "standoff": 2},
            "tickformat": ".2f",
            "hoverformat": ".3f",
            "nticks": 6,
            "showgrid": False,
            "spikecolor": COLOURS[theme]["faint"],
            "spikethickness": 1,
            "spikedash": "solid",
            "unifiedhovertitle": {"text": "Similarity threshold %{x:.3f}"},
        },
        "yaxis": {
            "title": {"text": "Score, 0 to 1", "standoff": 2},
            "range": (0, 1.03),
            "tickvals": (0, 0.5, 1),
            "fixedrange": True,
        },
        "showlegend": False,  # its own would be cut off in a narrow column
        "dragmode": False,
    }
