"""All differences between two versions around 0, with how far each moves with the core set."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from core.comparing.compare import REGION_LABELS, SHARED_AREAS, Difference
from core.metrics import METRICS
from dashboard.figures.theme import COLOURS, Theme, template
from dashboard.figures.upset import plain, say_why, shade_rows
from dashboard.figures.versions.look import Look, look_of, named

ROW = 24
ABOVE, BELOW = 100, 50
SMALLEST_SPAN = 0.05
"""Differences smaller than this stay small in the picture."""
UNDEFINED = "no difference is given"


def difference_name(difference: Difference) -> str:
    """What it is the difference of, as a row is called.

    >>> difference_name(Difference("a", "b", "f_beta", "hull", None, None, ""))
    'Convex hull, F-beta *'
    """
    label = METRICS[difference.metric].label
    if difference.region is None:
        return label
    label = label if label.startswith("F-") else label.lower()
    return f"{REGION_LABELS[difference.region]}, {label}{' *' if difference.region in SHARED_AREAS else ''}"


def is_clear(difference: Difference) -> bool | None:
    """Whether the range, which the value belongs to, leaves 0 out; None without a range."""
    if difference.difference is None or difference.interval is None:
        return None
    low = min(difference.interval.low, difference.difference)
    high = max(difference.interval.high, difference.difference)
    return not low <= 0 <= high


def difference_rows(differences: Sequence[Difference]) -> list[dict[str, str | float | None]]:
    """Every difference as a row of a table."""
    words = {True: "clear", False: "not clear", None: "–"}
    return [
        {
            "Score": difference_name(d),
            "Difference": d.difference,
            "Range from": d.interval.low if d.interval else None,
            "Range to": d.interval.high if d.interval else None,
            "Is it clear?": words[is_clear(d)],
            "In words": d.sentence,
        }
        for d in differences
    ]


def differences_figure(
    differences: Sequence[Difference],
    *,
    names: tuple[str, str],
    positions: tuple[int, int],
    theme: Theme,
    waiting: bool = False,
) -> go.Figure:
    """One row for each difference of B minus A: a dot with a whisker, filled where the difference is clear.

    `names` and `positions` are those of A and B among the chosen versions. `waiting`: the ranges are still being
    computed. The figure is as high with them as without.
    """
    a, b = (named(name, None) for name in names)
    figure = go.Figure(layout=_layout(differences, a, b, theme, waiting))
    if not differences:
        return say_why(figure, "There is no difference to draw.", theme)
    drawn = [(row, d) for row, d in enumerate(differences) if d.difference is not None]
    span = _span([d for _, d in drawn])
    shade_rows(figure, len(differences), theme)
    figure.add_shape(type="line", x0=0, x1=0, y0=0, y1=1, yref="paper", line=_zero(theme), layer="below")
    figure.add_trace(go.Scatter(**_whiskers(drawn, theme)))
    looks = tuple(look_of(position, theme) for position in positions)
    figure.add_trace(go.Scatter(**_dots(drawn, looks, theme)))
    for row, d in enumerate(differences):
        if d.difference is None:
            figure.add_annotation(**_reason(row, d, theme))
    _write_sides(figure, (a, b), looks)
    figure.update_xaxes(range=(-span, span), **_ticks(span))
    return figure


def _zero(theme: Theme) -> dict[str, Any]:
    return {"color": COLOURS[theme]["faint"], "width": 1.2}


def _span(drawn: Sequence[Difference]) -> float:
    """As far on both sides, so that the eye compares; with a little air."""
    ends = [SMALLEST_SPAN]
    for d in drawn:
        ends.append(abs(d.difference or 0.0))
        ends.extend(abs(end) for end in d.interval or ())
    return 1.08 * max(ends)


def _ticks(span: float) -> dict[str, Any]:
    """A round number on both sides, and its half without a label."""
    power = 10.0 ** math.floor(math.log10(span))
    end = max(step * power for step in (1, 2, 4, 5, 8) if step * power <= span)
    label = f"{end:.6g}"
    return {"tickvals": [-end, -end / 2, 0, end / 2, end], "ticktext": [f"−{label}", "", "0", "", f"+{label}"]}


def _whiskers(drawn: Sequence[tuple[int, Difference]], theme: Theme) -> dict[str, Any]:
    x: list[float | None] = []
    y: list[int | None] = []
    for row, d in drawn:
        if d.interval is not None:
            x += [d.interval.low, d.interval.high, None]
            y += [row, row, None]
    return {
        "x": x,
        "y": y,
        "mode": "lines",
        "hoverinfo": "skip",
        "line": {"color": COLOURS[theme]["text"], "width": 1.4},
        "name": "Range over core sets",
    }


def _dots(drawn: Sequence[tuple[int, Difference]], looks: Sequence[Look], theme: Theme) -> dict[str, Any]:
    colours = COLOURS[theme]
    fills, edges, symbols = [], [], []
    for _, d in drawn:
        side = looks[(d.difference or 0) > 0]
        fills.append(side.colour if is_clear(d) else colours["background"])
        edges.append(side.colour if is_clear(d) else colours["faint"])
        symbols.append(side.symbol if is_clear(d) else "circle")
    return {
        "x": [d.difference for _, d in drawn],
        "y": [row for row, _ in drawn],
        "mode": "markers",
        "marker": {"size": 11, "color": fills, "symbol": symbols, "line": {"color": edges, "width": 1.8}, "opacity": 1},
        "customdata": [[plain(difference_name(d)), _range_words(d)] for _, d in drawn],
        "hovertemplate": "%{customdata[0]}<br>%{x:+.3f}%{customdata[1]}<extra></extra>",
        "cliponaxis": False,
        "name": "Difference",
    }


def _range_words(d: Difference) -> str:
    return f" ({d.interval.low:+.3f} to {d.interval.high:+.3f})" if d.interval else ", without a range"


def _reason(row: int, d: Difference, theme: Theme) -> dict[str, Any]:
    return {
        "x": 0,
        "y": row,
        "text": "–",
        "hovertext": plain(d.sentence),
        "showarrow": False,
        "bgcolor": COLOURS[theme]["background"],
        "font": {"size": 13, "color": COLOURS[theme]["faint"]},
    }


def _write_sides(figure: go.Figure, names: tuple[str, str], looks: Sequence[Look]) -> None:
    """Which way is more of which version, in two lines that fit a narrow picture."""
    for name, look, x, anchor, text, up in (
        (names[0], looks[0], 0.0, "left", "← more in {}", 18),
        (names[1], looks[1], 1.0, "right", "more in {} →", 2),
    ):
        figure.add_annotation(
            text=text.format(plain(name)),
            x=x,
            y=1,
            xref="paper",
            yref="paper",
            xanchor=anchor,
            yanchor="bottom",
            yshift=up,
            showarrow=False,
            font={"size": 12, "color": look.colour},
        )


def _title(differences: Sequence[Difference], waiting: bool) -> str:
    given = [d for d in differences if d.difference is not None]
    if waiting:
        return f"{len(given)} differences; their ranges are being computed"
    n_clear = sum(bool(is_clear(d)) for d in given)
    return f"{n_clear} of {len(given)} differences {'is' if n_clear == 1 else 'are'} clear"


def _description(differences: Sequence[Difference], a: str, b: str, waiting: bool) -> str:
    parts = []
    for d in differences:
        value = UNDEFINED if d.difference is None else f"{d.difference:+.3f}{_range_words(d)}"
        parts.append(f"{difference_name(d)} {value}")
    return f"Dot plot of {b} minus {a}. {_title(differences, waiting)}. {'; '.join(parts)}."


def _layout(differences: Sequence[Difference], a: str, b: str, theme: Theme, waiting: bool) -> dict[str, Any]:
    n = len(differences)
    return {
        "template": template(theme),
        "title": {
            "text": _title(differences, waiting),
            "y": 0.985,
            "yanchor": "top",
            "yref": "container",
            "subtitle": {"text": "Filled: clear. Hollow: may be none. Scores run from 0 to 1."},
        },
        "height": ABOVE + max(n, 3) * ROW + BELOW,
        "margin": {"l": 12, "r": 16, "t": ABOVE, "b": BELOW},
        "showlegend": False,
        "dragmode": False,
        "hovermode": "closest",
        "xaxis": {
            "title": {"text": "Difference of scores"},
            "fixedrange": True,
        },
        "yaxis": {
            "range": (max(n, 3) - 0.5, -0.5),
            "tickvals": list(range(n)),
            "ticktext": [plain(difference_name(d)) for d in differences],
            "tickfont": {"size": 12, "color": COLOURS[theme]["text"]},
            "showgrid": False,
            "fixedrange": True,
        },
        "meta": {"description": _description(differences, a, b, waiting)},
    }
