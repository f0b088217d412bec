"""Curves of all topics over the similarity threshold, and what one threshold for all of them costs each."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from core.studies.core_sets import Cost, ScoredCurve, StudyScore, ThresholdStudy
from dashboard.figures.theme import CATEGORIES, COLOURS, Theme, template
from dashboard.figures.upset import plain, say_why, short

TOPIC_CURVES_HEIGHT = 460
TOPIC_CURVES_MOST_POINTS = 320
"""Of each curve; its best is always among them."""
ROW = 22
ABOVE, BELOW = 84, 44
LONGEST_NAME = 32
SCORE_LABELS: dict[StudyScore, str] = {
    "source": "The source's score (0 to 1)",
    "ours": "F2 (with decay), 0 to 1",
}


def threshold_curves_figure(study: ThresholdStudy, *, theme: Theme) -> go.Figure:
    """A thin line for each topic with a dot at its best, their mean as a bold line, the single best as an upright."""
    counted = study.counted
    figure = go.Figure(layout=_layout(*_curve_words(study), TOPIC_CURVES_HEIGHT, theme))
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


def _sampled(n: int, keep: int) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    rows = np.unique(np.linspace(0, n - 1, min(n, TOPIC_CURVES_MOST_POINTS)).round().astype(np.intp))
    return np.unique(np.append(rows, keep)).astype(np.intp)


def _line(topic: ScoredCurve, theme: Theme) -> dict[str, Any]:
    rows = _sampled(len(topic.scores), topic.best or 0)
    return {
        "x": topic.curve.min_similarity[rows].astype(np.float32),
        "y": topic.scores[rows].astype(np.float32),
        "mode": "lines",
        "line": {"color": COLOURS[theme]["not_relevant"], "width": 1},
        "opacity": 0.75,
        "hovertemplate": f"<b>{plain(topic.topic_id)}</b><br>%{{y:.3f}} at %{{x:.3f}}<extra></extra>",
    }


def _mean(study: ThresholdStudy, theme: Theme) -> dict[str, Any]:
    rows = _sampled(len(study.thresholds), int(np.argmax(study.mean_scores)))
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
    """Where anything happens, with a little room."""
    low = min(float(topic.curve.min_similarity[0]) for topic in study.counted)
    high = max(float(topic.curve.min_similarity[-1]) for topic in study.counted)
    space = 0.02 * (high - low) or 0.05
    return low - space, high + space


def costs_figure(costs: tuple[Cost, ...], threshold: float, *, theme: Theme) -> go.Figure:
    """A bar for each topic, the dearest on top: its score at the threshold minus its best."""
    mean = float(np.mean([cost.cost for cost in costs])) if costs else 0.0
    said = "; ".join(f"{cost.topic_id} {cost.cost:+.3f}" for cost in costs)
    figure = go.Figure(
        layout=_layout(
            f"What {threshold:.3f} for all costs each topic: {abs(mean):.3f} on average",
            "Score there minus the topic's best; dearest on top.",
            f"Bars of what the threshold {threshold:.3f} costs each of {len(costs)} topics. {said}.",
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


def _cost_bars(costs: tuple[Cost, ...], theme: Theme) -> dict[str, Any]:
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


def _layout(title: str, subtitle: str, description: str, height: int, theme: Theme) -> dict[str, Any]:
    return {
        "template": template(theme),
        "title": {
            "text": title,
            "subtitle": {"text": subtitle},
            "y": 1,
            "yanchor": "top",
            "yref": "container",
            "pad": {"t": 12, "l": 12},
        },
        "height": height,
        "margin": {"l": 12, "r": 12, "t": ABOVE + 8, "b": BELOW},
        "showlegend": False,
        "dragmode": False,
        "hovermode": "closest",
        "meta": {"description": description},
    }
