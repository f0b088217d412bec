"""Scores over the similarity threshold, for a version, for several versions and for all topics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from core.explore.landscape import Rows
from core.explore.studies import ScoredCurve, StudyScore, ThresholdCost, ThresholdStudy
from core.metrics import METRICS, SIMILARITY_TOLERANCE, SimilaritySweep
from core.text import signed
from core.types import Floats
from dashboard.kit.figures import LineLook, layout, look_of, named, plain, say_why, short
from dashboard.kit.theme import CATEGORIES, COLOURS, DASHES, Role, Theme, template

# F-beta and its components over the similarity threshold, with the current threshold.

CURVE_HEIGHT = 260
CURVE_MOST_POINTS = 200
CURVE_BINS = 28
"""Each keeps its first, last, highest and lowest point."""
NARROWEST = 240
"""Minimum width of the plot in pixels: labels that don't overlap here never do."""
LABEL_ROW = 13
PARTS: tuple[tuple[str, Role], ...] = (
    ("core_accepted", "core"),
    ("semantic_precision", "relevant"),
    ("decay", "faint"),
)


@dataclass(frozen=True)
class ThresholdMark:
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
    """Draw F-beta over the similarity threshold, from `core.explore.landscape.split_curve`.

    `current`, `least_similar_core` and `best` are similarity thresholds; None omits the mark.
    """
    name = f"F{beta:g} (with decay)"
    figure = go.Figure(layout=_layout(theme))
    if not np.isfinite(curve.min_similarity).any():
        figure.update_layout(title={"text": name})
        return say_why(figure, "There is no curve: no retrieved publication has a vector.", theme)
    marks = [ThresholdMark(current, f"set {current:.3f}", "accent", "solid")]
    if best is not None:
        marks.append(ThresholdMark(best, f"best {best:.3f}", "text", "dot"))
    if least_similar_core is not None:
        marks.append(ThresholdMark(least_similar_core, f"least similar core {least_similar_core:.3f}", "core", "dash"))
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
    """Return the entry of a split curve for a similarity threshold: the first row that is relevant under it."""
    return int(np.searchsorted(curve.min_similarity, min_similarity - SIMILARITY_TOLERANCE, side="left"))


def _sampled(curve: SimilaritySweep, keep: list[float]) -> tuple[Floats, Rows]:
    """Return ascending thresholds to draw, with their entries: few, but with every extreme and all of `keep`."""
    distinct = np.unique(curve.min_similarity[np.isfinite(curve.min_similarity)])
    if len(distinct) > CURVE_MOST_POINTS - len(keep):
        rows = _rows_at(curve, distinct)
        distinct = distinct[_extremes(distinct, curve.f_beta[rows])]
    x = np.unique(np.concatenate([distinct, keep]))
    return x, _rows_at(curve, x)


def _rows_at(curve: SimilaritySweep, thresholds: Floats) -> Rows:
    return np.searchsorted(curve.min_similarity, thresholds - SIMILARITY_TOLERANCE, side="left")


def _extremes(x: Floats, y: Floats) -> npt.NDArray[np.intp]:
    """Return the positions of the first, last, highest and lowest point of each of `CURVE_BINS` bins."""
    stretch = np.floor((x - x[0]) / (x[-1] - x[0]) * (CURVE_BINS - 1)).astype(np.intp)
    first = np.flatnonzero(np.diff(stretch, prepend=-1))
    last = np.append(first[1:], len(x)) - 1
    by_height = np.lexsort((y, stretch))  # within a bin from low to high
    return np.unique(np.concatenate([first, last, by_height[first], by_height[last]]))


def _lines(curve: SimilaritySweep, x: Floats, rows: Rows, *, name: str, theme: Theme) -> list[dict[str, Any]]:
    colours = COLOURS[theme]
    # Single precision: half as much data for every message.
    common = {"x": x.astype(np.float32), "mode": "lines", "hovertemplate": "%{y:.3f}"}
    # Between two similarities the stricter one applies, so the line steps up first. Where points were omitted, steps
    # would be as wide as the gap.
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
        "zorder": 1,  # first in the legend, but drawn over the others
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


def _draw_marks(figure: go.Figure, marks: list[ThresholdMark], span: tuple[float, float], theme: Theme) -> None:
    colours = COLOURS[theme]
    places = zip(marks, _label_places(marks, span), strict=True)
    # from the top row down, so that a line to its label passes behind the labels of lower rows
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
            ay=-(level * LABEL_ROW + 1),  # the line continues up to its label
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


def _label_places(marks: list[ThresholdMark], span: tuple[float, float]) -> list[tuple[int, str]]:
    """Place each label in a row above the plot and on a side of its line, without overlap and within the figure."""
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
        "showlegend": False,  # the default legend would be cut off in a narrow column
        "dragmode": False,
    }


# F-beta over the similarity threshold for several versions, overlaid.

VERSION_CURVES_HEIGHT = 380
VERSION_CURVES_BINS = 90
"""Bins of a long curve; the first, last, highest and lowest point of each are drawn."""


@dataclass(frozen=True, eq=False)
class VersionCurve:
    label: str
    name: str | None
    min_similarity: Floats
    """Ascending; empty if the version has no curve."""
    f_beta: Floats
    current: tuple[float, float] | None
    """The current similarity threshold and its F-beta; None without a region."""
    best: tuple[float, float] | None
    """The similarity threshold with the highest F-beta, and its F-beta; None if it is 0 everywhere."""
    reason: str | None = None
    """The reason why there is no curve."""
    stepped: bool = False
    """True if the curve has every threshold: between two similarities the stricter one applies."""


def thin_out(
    sweep: SimilaritySweep, *, label: str, name: str | None, current: float | None, reason: str | None
) -> VersionCurve:
    """Reduce a curve of `core.explore.landscape.split_curve` to few points, including every extreme."""
    x = np.unique(sweep.min_similarity[np.isfinite(sweep.min_similarity)])
    y = sweep.f_beta[_curves_rows_at(sweep, x)]
    stepped = len(x) <= 4 * VERSION_CURVES_BINS
    if not stepped:
        kept = _curves_extremes(x, y)
        x, y = x[kept], y[kept]
    best, now = sweep.best, None
    if current is not None and len(x):
        now = current, float(sweep.f_beta[_curves_rows_at(sweep, np.array([current]))][0])
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


def _curves_rows_at(sweep: SimilaritySweep, thresholds: Floats) -> Any:
    """Return the entries for thresholds: the first row from which publications are relevant."""
    return np.searchsorted(sweep.min_similarity, thresholds - SIMILARITY_TOLERANCE, side="left")


def _curves_extremes(x: Floats, y: Floats) -> Any:
    stretch = np.floor((x - x[0]) / (x[-1] - x[0]) * (VERSION_CURVES_BINS - 1)).astype(np.intp)
    first = np.flatnonzero(np.diff(stretch, prepend=-1))
    last = np.append(first[1:], len(x)) - 1
    by_height = np.lexsort((y, stretch))
    return np.unique(np.concatenate([first, last, by_height[first], by_height[last]]))


def curve_rows(curves: Sequence[VersionCurve]) -> list[dict[str, str | float | None]]:
    """Return every drawn point as a row of a table, marked points first."""
    rows: list[dict[str, str | float | None]] = []
    for mark in ("current threshold", "best threshold"):
        for c in curves:
            at = c.current if mark == "current threshold" else c.best
            if at is not None:
                rows.append(_row(c, mark, *at))
    for c in curves:
        rows.extend(_row(c, "curve", x, y) for x, y in zip(c.min_similarity.tolist(), c.f_beta.tolist(), strict=True))
    return rows


def _row(c: VersionCurve, what: str, x: float, y: float) -> dict[str, str | float | None]:
    return {"Version": c.label, "What": what, "Similarity threshold": x, "F-beta": y}


def version_curves_figure(curves: Sequence[VersionCurve], *, beta: float, theme: Theme) -> go.Figure:
    """Draw a line for each version in the order of choice; a filled symbol at its threshold, a ring at its best."""
    score = f"F{beta:g} (with decay)"
    figure = go.Figure(layout=_curves_layout(curves, score, theme))
    if not any(len(c.min_similarity) for c in curves):
        reasons = "; ".join(f"{c.label}: {c.reason}" for c in curves if c.reason)
        return say_why(figure, f"There is no curve. {reasons}.", theme)
    for position, c in enumerate(curves):
        if len(c.min_similarity):
            look = look_of(position, theme)
            for trace in _traces(c, look, theme):
                figure.add_trace(go.Scatter(**trace))
    return figure


def _traces(c: VersionCurve, look: LineLook, theme: Theme) -> list[dict[str, Any]]:
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
        (c.current, "current", 10, look.colour, background, 1.2),
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


def _curves_title(curves: Sequence[VersionCurve]) -> str:
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
        now = f"{c.current[1]:.3f} at {c.current[0]:.3f}, current" if c.current else "no current threshold"
        best = f"at best {c.best[1]:.3f} at {c.best[0]:.3f}" if c.best else "0 everywhere"
        parts.append(f"{c.label}: {now}; {best}")
    return f"Lines of {score} over the similarity threshold. {'. '.join(parts)}."


def _curves_layout(curves: Sequence[VersionCurve], score: str, theme: Theme) -> dict[str, Any]:
    return layout(
        _curves_title(curves),
        "Filled: the current threshold. Ring: the best one.",
        _description(curves, score),
        height=VERSION_CURVES_HEIGHT,
        above=64,
        below=76,
        right=16,
        y=0.985,
        theme=theme,
        showlegend=None,
        hovermode="x unified",
        legend={"orientation": "h", "x": 0, "xanchor": "left", "y": -0.2, "yanchor": "top"},
        xaxis={
            "title": {"text": "Similarity threshold, cosine (stricter to the right)"},
            "tickformat": ".2f",
            "hoverformat": ".3f",
            "nticks": 7,
            "fixedrange": True,
            "unifiedhovertitle": {"text": "Similarity threshold %{x:.3f}"},
        },
        yaxis={
            "title": {"text": f"{score}, 0 to 1"},
            "range": (0, 1.03),
            "tickvals": (0, 0.25, 0.5, 0.75, 1),
            "fixedrange": True,
        },
    )


# Curves of all topics over the similarity threshold, and the cost of a common threshold for each.

TOPIC_CURVES_HEIGHT = 460
TOPIC_CURVES_MOST_POINTS = 320
"""Points of each curve; its best is always among them."""
ROW = 22
ABOVE, BELOW = 84, 44
LONGEST_NAME = 32
SCORE_LABELS: dict[StudyScore, str] = {
    "source": "The source's score (0 to 1)",
    "ours": "F2 (with decay), 0 to 1",
}


def threshold_curves_figure(study: ThresholdStudy, *, theme: Theme) -> go.Figure:
    """Draw a thin line per topic with a dot at its best, their mean in bold, and a vertical line at the single best."""
    counted = study.counted
    figure = go.Figure(layout=_thresholds_layout(*_curve_words(study), TOPIC_CURVES_HEIGHT, theme))
    if not counted or study.single is None or study.mean_of_best is None:
        return say_why(figure, "There is no curve: no topic has a core publication that a threshold accepts.", theme)
    for topic in counted:
        figure.add_trace(go.Scatter(**_line(topic, theme)))
    figure.add_trace(go.Scatter(**_mean(study, theme)))
    figure.add_trace(go.Scatter(**_bests(counted, theme)))
    _upright(figure, study.single, f"single best {study.single:.3f}", "solid", 14, theme)
    _upright(figure, study.mean_of_best, f"mean of the best {study.mean_of_best:.3f}", "dot", 0, theme)
    figure.update_xaxes(title_text="Similarity threshold (cosine to the core's centre)", range=_span(study))
    figure.update_yaxes(title_text=SCORE_LABELS[study.score], rangemode="tozero")
    return figure


def _curve_words(study: ThresholdStudy) -> tuple[str, str, str]:
    n = len(study.counted)
    if study.single is None or study.mean_of_best is None:
        return "Best thresholds", "", "No curve is drawn."
    best = "; ".join(f"{t.topic_id} {t.best_threshold:.3f}" for t in study.counted)
    return (
        f"Best thresholds: mean {study.mean_of_best:.5f}, one for all {study.single:.3f}",
        "Thin: a topic each. Dots: its best. Bold: the mean.",
        f"Curves of {n} topics over the similarity threshold. Best thresholds: {best}. Their mean is "
        f"{study.mean_of_best:.5f}; the threshold with the highest mean score is {study.single:.3f}.",
    )


def _thresholds_sampled(n: int, keep: int) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    rows = np.unique(np.linspace(0, n - 1, min(n, TOPIC_CURVES_MOST_POINTS)).round().astype(np.intp))
    return np.unique(np.append(rows, keep)).astype(np.intp)


def _line(topic: ScoredCurve, theme: Theme) -> dict[str, Any]:
    rows = _thresholds_sampled(len(topic.scores), topic.best or 0)
    return {
        "x": topic.curve.min_similarity[rows].astype(np.float32),
        "y": topic.scores[rows].astype(np.float32),
        "mode": "lines",
        "line": {"color": COLOURS[theme]["not_relevant"], "width": 1},
        "opacity": 0.75,
        "hovertemplate": f"<b>{plain(topic.topic_id)}</b><br>%{{y:.3f}} at %{{x:.3f}}<extra></extra>",
    }


def _mean(study: ThresholdStudy, theme: Theme) -> dict[str, Any]:
    rows = _thresholds_sampled(len(study.thresholds), int(np.argmax(study.mean_scores)))
    return {
        "x": study.thresholds[rows].astype(np.float32),
        "y": study.mean_scores[rows].astype(np.float32),
        "mode": "lines",
        "line": {"color": COLOURS[theme]["text"], "width": 3},
        "hovertemplate": "<b>Mean of all topics</b><br>%{y:.3f} at %{x:.3f}<extra></extra>",
    }


def _bests(counted: tuple[ScoredCurve, ...], theme: Theme) -> dict[str, Any]:
    return {
        "x": [topic.best_threshold for topic in counted],
        "y": [topic.best_score for topic in counted],
        "mode": "markers",
        "marker": {
            "size": 9,
            "color": CATEGORIES[theme][0],
            "line": {"color": COLOURS[theme]["background"], "width": 1.5},
        },
        "customdata": [plain(topic.topic_id) for topic in counted],
        "hovertemplate": "<b>%{customdata}</b><br>best %{y:.3f} at %{x:.3f}<extra></extra>",
    }


def _upright(figure: go.Figure, at: float, label: str, dash: str, lift: int, theme: Theme) -> None:
    colour = CATEGORIES[theme][0] if dash == "solid" else COLOURS[theme]["faint"]
    figure.add_shape(type="line", x0=at, x1=at, y0=0, y1=1, yref="paper", line={"color": colour, "dash": dash})
    figure.add_annotation(
        text=label,
        x=at,
        y=1,
        yref="paper",
        yanchor="bottom",
        yshift=lift,
        showarrow=False,
        font={"size": 11, "color": COLOURS[theme]["text"]},
    )


def _span(study: ThresholdStudy) -> tuple[float, float]:
    low = min(float(topic.curve.min_similarity[0]) for topic in study.counted)
    high = max(float(topic.curve.min_similarity[-1]) for topic in study.counted)
    space = 0.02 * (high - low) or 0.05
    return low - space, high + space


def costs_figure(costs: tuple[ThresholdCost, ...], threshold: float, *, theme: Theme) -> go.Figure:
    """Draw a bar for each topic, the highest cost at the top: its score at the threshold minus its best."""
    mean = float(np.mean([cost.cost for cost in costs])) if costs else 0.0
    text = "; ".join(f"{cost.topic_id} {signed(cost.cost)}" for cost in costs)
    figure = go.Figure(
        layout=_thresholds_layout(
            f"Cost of {threshold:.3f} for each topic: {abs(mean):.3f} on average",
            "Score there minus the topic's best; largest loss on top.",
            f"Bars: cost of the threshold {threshold:.3f} for each of {len(costs)} topics. {text}.",
            ABOVE + BELOW + max(len(costs), 3) * ROW,
            theme,
        )
    )
    if not costs:
        return say_why(figure, "There is no topic with a best threshold.", theme)
    figure.add_trace(go.Bar(**_cost_bars(costs, theme)))
    figure.update_yaxes(
        tickvals=list(range(len(costs))),
        ticktext=[plain(short(cost.topic_id, LONGEST_NAME)) for cost in costs],
        range=[len(costs) - 0.5, -0.5],
        showgrid=False,
    )
    deepest = min(cost.cost for cost in costs)
    figure.update_xaxes(title_text="Score lost", range=[min(deepest * 1.3, -0.01), 0])
    return figure


def _cost_bars(costs: tuple[ThresholdCost, ...], theme: Theme) -> dict[str, Any]:
    return {
        "orientation": "h",
        "x": [cost.cost for cost in costs],
        "y": list(range(len(costs))),
        "width": 0.7,
        "marker": {"color": CATEGORIES[theme][0]},
        "text": [f"{round(cost.cost, 3) or 0.0:.3f}" for cost in costs],
        "textposition": "outside",
        "textfont": {"size": 10, "color": COLOURS[theme]["text"]},
        "cliponaxis": False,
        "constraintext": "none",
        "customdata": [[plain(c.topic_id), c.score, c.best_score, c.best_threshold] for c in costs],
        "hovertemplate": (
            "<b>%{customdata[0]}</b><br>%{customdata[1]:.3f} here, at best %{customdata[2]:.3f} at "
            "%{customdata[3]:.3f}<extra></extra>"
        ),
    }


def _thresholds_layout(title: str, subtitle: str, description: str, height: int, theme: Theme) -> dict[str, Any]:
    return layout(title, subtitle, description, height=height, above=ABOVE + 8, below=BELOW, theme=theme)
