"""How far F-beta hangs on choices: its range for every version, and the order of versions under every choice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from core.comparing.compare import REGION_LABELS
from core.comparing.robustness import AS_SET, JOINT, Outcome, Robustness, Span, order_title, turns_order
from dashboard.figures.theme import COLOURS, Theme, template
from dashboard.figures.upset import plain, say_why
from dashboard.figures.versions.look import look_of, named

SPAN_ROW, SPAN_ABOVE, SPAN_BELOW = 58, 68, 52
CELL_ROW, CELL_ABOVE, CELL_BELOW = 23, 92, 16
MOST_VERSIONS = 8
"""Columns that a page has room for."""
LONGEST_CHOICE = 34


def span_rows(found: Robustness) -> list[dict[str, str | float | None]]:
    """The range of every version as a row of a table."""
    return [
        {
            "Version": s.label,
            "F-beta as set": s.as_set,
            "Lowest": s.lowest,
            "Lowest with": s.lowest_under.label if s.lowest_under else None,
            "Highest": s.highest,
            "Highest with": s.highest_under.label if s.highest_under else None,
            "Lowest, all at once": s.joint_lowest,
            "Highest, all at once": s.joint_highest,
        }
        for s in found.spans
    ]


def outcome_rows(found: Robustness) -> list[dict[str, str | int | float | None]]:
    """Every version under every choice as a row of a table, also the extremes that are not drawn."""
    return [
        {"Choice": o.choice.label, "Version": label, "F-beta": value, "Rank": rank, "Why": problem}
        for o in found.outcomes
        for label, value, rank, problem in zip(found.labels, o.f_beta, o.rank, o.problem, strict=True)
    ]


def spans_figure(found: Robustness, *, beta: float, theme: Theme) -> go.Figure:
    """A row for each version: a dot for F-beta as set, a whisker from the lowest to the highest over all choices.

    The thin line behind reaches as far as decay and beta go when all of them are at an end of their range at once.
    """
    figure = go.Figure(layout=_spans_layout(found, beta, theme))
    drawn = [(row, span) for row, span in enumerate(found.spans) if span.lowest is not None]
    if not drawn:
        return say_why(figure, "No version has a value under any choice.", theme)
    for row, span in drawn:
        for trace in _span_traces(row, span, theme):
            figure.add_trace(go.Scatter(**trace))
        for annotation in _end_words(row, span, theme):
            figure.add_annotation(**annotation)
    for row, span in enumerate(found.spans):
        if span.lowest is None:
            figure.add_annotation(
                x=0,
                y=row,
                text="–  no choice gives it a value that says something",
                xanchor="left",
                showarrow=False,
                font={"size": 12, "color": COLOURS[theme]["faint"]},
            )
    return figure


def _span_traces(row: int, span: Span, theme: Theme) -> list[dict[str, Any]]:
    look, colours = look_of(row, theme), COLOURS[theme]
    traces: list[dict[str, Any]] = []
    if span.joint_lowest is not None and span.joint_highest is not None:
        traces.append(
            {
                "x": [span.joint_lowest, span.joint_highest],
                "y": [row, row],
                "mode": "lines",
                "line": {"color": colours["border"], "width": 5},
                "hoverinfo": "skip",
            }
        )
    traces.append(
        {
            "x": [span.lowest, span.highest],
            "y": [row, row],
            "mode": "lines+markers",
            "line": {"color": look.colour, "width": 2},
            "marker": {"symbol": "line-ns", "size": 11, "line": {"color": look.colour, "width": 2}},
            "customdata": [choice.label if choice else "" for choice in (span.lowest_under, span.highest_under)],
            "hovertemplate": "%{x:.3f} with %{customdata}<extra></extra>",
        }
    )
    if span.as_set is not None:
        traces.append(
            {
                "x": [span.as_set],
                "y": [row],
                "mode": "markers",
                "marker": {
                    "size": 13,
                    "symbol": look.symbol,
                    "color": look.colour,
                    "line": {"color": colours["background"], "width": 1.4},
                },
                "hovertemplate": "%{x:.3f} as set<extra></extra>",
                "cliponaxis": False,
            }
        )
    return traces


def _end_words(row: int, span: Span, theme: Theme) -> list[dict[str, Any]]:
    """Under each end: which choice leads there. Ends that are close have one line over, one under the whisker."""
    low, high = span.lowest or 0.0, span.highest or 0.0
    words: list[dict[str, Any]] = []
    for value, choice, above in ((low, span.lowest_under, False), (high, span.highest_under, True)):
        if choice is None:
            continue
        anchor = "left" if value < 0.35 else "right" if value > 0.65 else "center"
        words.append(
            {
                "x": value,
                "y": row,
                "text": f"{value:.3f} {plain(choice.label)}",
                "xanchor": anchor,
                "yanchor": "bottom" if above else "top",
                "yshift": 6 if above else -6,
                "showarrow": False,
                "font": {"size": 11, "color": COLOURS[theme]["faint"]},
            }
        )
    return words


def _spans_title(found: Robustness) -> str:
    wide = [(s.highest - s.lowest, s) for s in found.spans if s.lowest is not None and s.highest is not None]
    if not wide:
        return "F-beta over reasonable choices"
    width, span = max(wide, key=lambda each: each[0])
    whose = "" if len(found.spans) == 1 else f" of {plain(named(span.label, None))}"
    return f"Choices move F-beta{whose} by up to {width:.2f}"


def _spans_layout(found: Robustness, beta: float, theme: Theme) -> dict[str, Any]:
    n, by = len(found.spans), REGION_LABELS[found.region]
    described = "; ".join(
        f"{s.label}: "
        + (
            f"{s.lowest:.3f} with {s.lowest_under.label} to {s.highest:.3f} with {s.highest_under.label}"
            if s.lowest is not None and s.lowest_under and s.highest is not None and s.highest_under
            else "no value"
        )
        for s in found.spans
    )
    return {
        "template": template(theme),
        "title": {
            "text": _spans_title(found),
            "y": 0.985,
            "yanchor": "top",
            "yref": "container",
            "subtitle": {"text": "Sign: as set. Whisker: one change. Band: several at once."},
        },
        "height": SPAN_ABOVE + max(n, 2) * SPAN_ROW + SPAN_BELOW,
        "margin": {"l": 12, "r": 16, "t": SPAN_ABOVE, "b": SPAN_BELOW},
        "showlegend": False,
        "dragmode": False,
        "hovermode": "closest",
        "xaxis": {
            "title": {"text": f"F{beta:g} by {by} as set (0 to 1)"},
            "range": (-0.02, 1.02),
            "tickvals": (0, 0.25, 0.5, 0.75, 1),
            "fixedrange": True,
        },
        "yaxis": {
            "range": (max(n, 2) - 0.5, -0.5),
            "tickvals": list(range(n)),
            "ticktext": [plain(named(label, None)) for label in found.labels],
            "tickfont": {"size": 12, "color": COLOURS[theme]["text"]},
            "showgrid": False,
            "fixedrange": True,
        },
        "meta": {"description": f"Range of F-beta by {by} over reasonable choices. {described}."},
    }


def orders_figure(found: Robustness, *, theme: Theme) -> go.Figure:
    """A row for each choice, a column for each version: F-beta, and its rank. The best of a row is filled.

    A choice that turns the order of two versions is set in bold.
    """
    outcomes = [o for o in found.outcomes if o.choice.setting != JOINT]
    labels = found.labels[:MOST_VERSIONS]
    figure = go.Figure(layout=_orders_layout(found, outcomes, labels, theme))
    x: list[int] = []
    y: list[int] = []
    texts: list[str] = []
    hovers: list[str] = []
    for row, outcome in enumerate(outcomes):
        n_ranked = sum(rank is not None for rank in outcome.rank)
        for column, label in enumerate(labels):
            rank, problem = outcome.rank[column] if n_ranked > 1 else None, outcome.problem[column]
            if rank == 1:
                figure.add_shape(**_cell(row, column, theme))
            x.append(column)
            y.append(row)
            texts.append(_cell_text(outcome.f_beta[column], rank, problem))
            hovers.append(f"{plain(outcome.choice.label)}<br>{plain(label)}{': ' + plain(problem) if problem else ''}")
    figure.add_trace(
        go.Scatter(
            x=x,
            y=y,
            text=texts,
            mode="text",
            textfont={"size": 12, "color": COLOURS[theme]["text"]},
            hovertext=hovers,
            hovertemplate="%{hovertext}<extra></extra>",
            cliponaxis=False,
        )
    )
    return figure


def _cell_text(value: float | None, rank: int | None, problem: str | None) -> str:
    if value is None:
        return "–"
    number = f"<s>{value:.3f}</s>" if problem else f"{value:.3f}"
    return number if rank is None else f"{number}  · {rank}"


def _cell(row: int, column: int, theme: Theme) -> dict[str, Any]:
    return {
        "type": "rect",
        "layer": "below",
        "x0": column - 0.46,
        "x1": column + 0.46,
        "y0": row - 0.46,
        "y1": row + 0.46,
        "fillcolor": look_of(column, theme).colour,
        "opacity": 0.22,
        "line": {"width": 0},
    }


def _choice_name(found: Robustness, outcome: Outcome) -> str:
    label = outcome.choice.label if outcome.choice.setting != AS_SET else "As set"
    label = plain(label if len(label) <= LONGEST_CHOICE else label[: LONGEST_CHOICE - 1] + "…")
    return f"<b>{label}</b>" if turns_order(found, outcome.choice) or outcome.choice.setting == AS_SET else label


def _orders_layout(
    found: Robustness, outcomes: Sequence[Outcome], labels: Sequence[str], theme: Theme
) -> dict[str, Any]:
    n, colours = len(outcomes), COLOURS[theme]
    several = len(labels) > 1
    left_out = len(found.labels) - len(labels)
    subtitle = "Filled: best. Bold: turns the order. After the dot: the rank." if several else "One change at a time."
    if left_out:
        subtitle += f" {left_out} more versions are in the table."
    heads = [
        f'<span style="color:{look_of(i, theme).colour}">{plain(named(v, None))}</span>' for i, v in enumerate(labels)
    ]
    return {
        "template": template(theme),
        "title": {
            "text": order_title(found),
            "y": 0.99,
            "yanchor": "top",
            "yref": "container",
            "subtitle": {"text": subtitle},
        },
        "height": CELL_ABOVE + max(n, 3) * CELL_ROW + CELL_BELOW,
        "margin": {"l": 12, "r": 12, "t": CELL_ABOVE, "b": CELL_BELOW},
        "showlegend": False,
        "dragmode": False,
        "hovermode": "closest",
        "xaxis": {
            "range": (-0.5, len(labels) - 0.5),
            "side": "top",
            "tickvals": list(range(len(labels))),
            "ticktext": heads,
            "tickfont": {"size": 12},
            "showgrid": False,
            "fixedrange": True,
        },
        "yaxis": {
            "range": (max(n, 3) - 0.5, -0.5),
            "tickvals": list(range(n)),
            "ticktext": [_choice_name(found, o) for o in outcomes],
            "tickfont": {"size": 12, "color": colours["text"]},
            "showgrid": False,
            "fixedrange": True,
        },
        "meta": {"description": _orders_description(found, outcomes)},
    }


def _orders_description(found: Robustness, outcomes: Sequence[Outcome]) -> str:
    first = outcomes[0] if outcomes else None
    as_set = "; ".join(
        f"{label} {'no value' if value is None else f'{value:.3f}'}"
        for label, value in zip(found.labels, first.f_beta if first else (), strict=bool(first))
    )
    turning = ", ".join(o.choice.label for o in outcomes if turns_order(found, o.choice)) or "none"
    return (
        f"F-beta of each version under each choice. {order_title(found)}. As set: {as_set}. "
        f"Choices that turn the order: {turning}."
    )
