"""F-beta over the similarity threshold for several versions, laid over each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from core.metrics import SIMILARITY_TOLERANCE, SimilaritySweep
from core.types import Floats
from dashboard.figures.theme import COLOURS, Theme, template
from dashboard.figures.upset import plain, say_why
from dashboard.figures.versions.look import Look, look_of, named

VERSION_CURVES_HEIGHT = 380
VERSION_CURVES_BINS = 90
"""Stretches of a long curve; of each the first, last, highest and lowest point are drawn."""


@dataclass(frozen=True, eq=False)
class VersionCurve:
    """One version's curve, as few points as show its shape, with what is marked on it."""

    label: str
    name: str | None
    min_similarity: Floats
    """Rising; empty where the version has no curve."""
    f_beta: Floats
    current: tuple[float, float] | None
    """The similarity threshold in force and the F-beta there; None where no region is."""
    best: tuple[float, float] | None
    """The same where F-beta is highest; None if it is 0 everywhere."""
    reason: str | None = None
    """Why there is no curve."""
    stepped: bool = False
    """Every threshold is there: between two similarities the stricter one decides."""


def thin_out(
    sweep: SimilaritySweep, *, label: str, name: str | None, current: float | None, reason: str | None
) -> VersionCurve:
    """A curve of `core.projection.split_curve` in few points, every extreme among them."""
    x = np.unique(sweep.min_similarity[np.isfinite(sweep.min_similarity)])
    y = sweep.f_beta[_rows_at(sweep, x)]
    stepped = len(x) <= 4 * VERSION_CURVES_BINS
    if not stepped:
        kept = _extremes(x, y)
        x, y = x[kept], y[kept]
    best, now = sweep.best, None
    if current is not None and len(x):
        now = current, float(sweep.f_beta[_rows_at(sweep, np.array([current]))][0])
    return VersionCurve(
        label,
        name,
        min_similarity=x,
        f_beta=y,
        current=now,
        best=(float(sweep.min_similarity[best]), float(sweep.f_beta[best])) if sweep.f_beta[best] > 0 else None,
        reason=reason if now is None else None,
        stepped=stepped,
    )


def _rows_at(sweep: SimilaritySweep, thresholds: Floats) -> Any:
    """The entries that thresholds stand for: from which row on publications are relevant."""
    return np.searchsorted(sweep.min_similarity, thresholds - SIMILARITY_TOLERANCE, side="left")


def _extremes(x: Floats, y: Floats) -> Any:
    """Positions of the first, last, highest and lowest point of each stretch."""
    stretch = np.floor((x - x[0]) / (x[-1] - x[0]) * (VERSION_CURVES_BINS - 1)).astype(np.intp)
    first = np.flatnonzero(np.diff(stretch, prepend=-1))
    last = np.append(first[1:], len(x)) - 1
    by_height = np.lexsort((y, stretch))
    return np.unique(np.concatenate([first, last, by_height[first], by_height[last]]))


def curve_rows(curves: Sequence[VersionCurve]) -> list[dict[str, str | float | None]]:
    """Every point that is drawn as a row of a table, what is marked first."""
    rows: list[dict[str, str | float | None]] = []
    for mark in ("threshold in force", "best threshold"):
        for c in curves:
            at = c.current if mark == "threshold in force" else c.best
            if at is not None:
                rows.append(_row(c, mark, *at))
    for c in curves:
        rows.extend(_row(c, "curve", x, y) for x, y in zip(c.min_similarity.tolist(), c.f_beta.tolist(), strict=True))
    return rows


def _row(c: VersionCurve, what: str, x: float, y: float) -> dict[str, str | float | None]:
    return {"Version": c.label, "What": what, "Similarity threshold": x, "F-beta": y}


def version_curves_figure(curves: Sequence[VersionCurve], *, beta: float, theme: Theme) -> go.Figure:
    """A line for each version in the order of choice; a filled sign at its threshold, a ring at its best."""
    score = f"F{beta:g} (with decay)"
    figure = go.Figure(layout=_layout(curves, score, theme))
    if not any(len(c.min_similarity) for c in curves):
        reasons = "; ".join(f"{c.label}: {c.reason}" for c in curves if c.reason)
        return say_why(figure, f"There is no curve. {reasons}.", theme)
    for position, c in enumerate(curves):
        if len(c.min_similarity):
            look = look_of(position, theme)
            for trace in _traces(c, look, theme):
                figure.add_trace(go.Scatter(**trace))
    return figure


def _traces(c: VersionCurve, look: Look, theme: Theme) -> list[dict[str, Any]]:
    name = plain(named(c.label, c.name))
    background = COLOURS[theme]["background"]
    traces: list[dict[str, Any]] = [
        {
            "x": c.min_similarity,
            "y": c.f_beta,
            "mode": "lines",
            "name": name,
            "legendgroup": c.label,
            "line": {
                "color": look.colour,
                "width": 2.2,
                "dash": look.dash,
                "shape": "vh" if c.stepped else "linear",
            },
            "hovertemplate": "%{y:.3f}",
        }
    ]
    marks = (
        (c.best, "at best", 12, background, look.colour, 2.2),
        (c.current, "in force", 10, look.colour, background, 1.2),
    )
    for at, words, size, fill, edge, width in marks:
        if at is not None:
            marker = {"size": size, "symbol": look.symbol, "color": fill, "line": {"color": edge, "width": width}}
            traces.append(
                {
                    "x": [at[0]],
                    "y": [at[1]],
                    "mode": "markers",
                    "name": f"{name}, {words}",
                    "legendgroup": c.label,
                    "showlegend": False,
                    "marker": marker,
                    "cliponaxis": False,
                    "zorder": 2,
                    "hovertemplate": "%{y:.3f} at %{x:.3f}",
                }
            )
    return traces


def _title(curves: Sequence[VersionCurve]) -> str:
    best = [(c.best, named(c.label, c.name)) for c in curves if c.best is not None]
    if not best:
        return "F-beta over the similarity threshold"
    (at, height), name = max(best, key=lambda found: found[0][1])
    return f"Highest: {plain(name)}, {height:.3f} at {at:.3f}"


def _description(curves: Sequence[VersionCurve], score: str) -> str:
    parts = []
    for c in curves:
        if not len(c.min_similarity):
            parts.append(f"{c.label}: no curve, {c.reason}")
            continue
        now = f"{c.current[1]:.3f} at {c.current[0]:.3f}, in force" if c.current else "no threshold in force"
        best = f"at best {c.best[1]:.3f} at {c.best[0]:.3f}" if c.best else "0 everywhere"
        parts.append(f"{c.label}: {now}; {best}")
    return f"Lines of {score} over the similarity threshold. {'. '.join(parts)}."


def _layout(curves: Sequence[VersionCurve], score: str, theme: Theme) -> dict[str, Any]:
    return {
        "template": template(theme),
        "title": {
            "text": _title(curves),
            "y": 0.985,
            "yanchor": "top",
            "subtitle": {"text": "Filled: the threshold in force. Ring: the best one."},
        },
        "height": VERSION_CURVES_HEIGHT,
        "margin": {"l": 12, "r": 16, "t": 64, "b": 76},
        "hovermode": "x unified",
        "dragmode": False,
        "legend": {"orientation": "h", "x": 0, "xanchor": "left", "y": -0.2, "yanchor": "top"},
        "xaxis": {
            "title": {"text": "Similarity threshold, cosine (stricter to the right)"},
            "tickformat": ".2f",
            "hoverformat": ".3f",
            "nticks": 7,
            "fixedrange": True,
            "unifiedhovertitle": {"text": "Similarity threshold %{x:.3f}"},
        },
        "yaxis": {
            "title": {"text": f"{score}, 0 to 1"},
            "range": (0, 1.03),
            "tickvals": (0, 0.25, 0.5, 0.75, 1),
            "fixedrange": True,
        },
        "meta": {"description": _description(curves, score)},
    }
