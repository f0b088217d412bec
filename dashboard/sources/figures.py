"""Figure of the drift of a search's total."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import plotly.graph_objects as go

from core.report import utc
from dashboard.kit.figure_frame import Row, framed, hover_texts, looks, marker
from dashboard.kit.figures import plain, say_why
from dashboard.kit.theme import COLOURS, Theme

PLOT = 250
TOTAL, FETCHED = "Hits in source", "Fetched"
LINES = (FETCHED, TOTAL)
"""In drawing order."""
ROOM = 0.12
"""Margin above and below the lines, as a share of the range."""


@dataclass(frozen=True, slots=True)
class Moment:
    """One run in a chain of repeats."""

    label: str
    """Name of the run."""
    at: str
    """Start time in ISO 8601."""
    total: int | None
    """None: the source reported none."""
    n_fetched: int
    is_whole: bool = True
    """True: it finished; otherwise the number fetched says nothing about the source."""

    @property
    def day(self) -> str:
        """The day of the run, for display.

        >>> Moment("a", "2031-05-06T12:00:09+00:00", 1, 1).day
        '6 May 2031'
        """
        at = utc(self.at).replace(tzinfo=None)
        return f"{at.day} {at:%b %Y}"


def drift_rows(moments: Sequence[Moment]) -> list[Row]:
    rows: list[Row] = []
    for before, now in zip((None, *moments), moments, strict=False):
        moved = None if before is None or before.total is None or now.total is None else now.total - before.total
        rows.append(
            {
                "Run": now.label,
                "When (UTC)": utc(now.at).replace(tzinfo=None).strftime("%Y-%m-%d %H:%M"),
                TOTAL: now.total,
                "Since the previous run": moved,
                FETCHED: now.n_fetched,
                "Finished": "yes" if now.is_whole else "no",
            }
        )
    return rows


def counts_fetched(moments: Sequence[Moment], point: Mapping[str, Any]) -> bool:
    """Return True if a marker counts the fetched records; the source's total only does if all were fetched."""
    moment = moments[point["point_index"]]
    return bool(point["curve_number"] == LINES.index(FETCHED)) or moment.total == moment.n_fetched


def drift_figure(moments: Sequence[Moment], *, source: str, theme: Theme) -> go.Figure:
    """Draw two lines over time, oldest run first. `source`: the source's label."""
    title = _title(moments, source)
    figure = framed(
        title=title,
        subtitle="Each marker is a run. Hollow: not finished",
        description=f"How the total of one search string in {source} changed. {title}. {_listed(moments)}",
        plot=PLOT,
        theme=theme,
        legend=[TOTAL, FETCHED],
    )
    if len(moments) < 2:
        return say_why(figure, "One run so far. Repeat it to see how the total changes.", theme)
    # where both are equal, the wider line and marker remain visible around the other
    figure.add_trace(go.Scatter(**_line(FETCHED, moments, [m.n_fetched for m in moments], theme, wide=True)))
    figure.add_trace(go.Scatter(**_line(TOTAL, moments, [m.total for m in moments], theme, wide=False)))
    days = [utc(m.at).replace(tzinfo=None) for m in moments]
    figure.update_xaxes(
        title_text="Date of the run (UTC)",
        type="date",
        range=_with_room(days),
        nticks=5,
        fixedrange=True,
    )
    figure.update_yaxes(title_text="Records", tickformat=",d", range=_heights(moments), fixedrange=True)
    return figure


def _line(
    name: str, moments: Sequence[Moment], values: Sequence[int | None], theme: Theme, *, wide: bool
) -> dict[str, Any]:
    look = looks((TOTAL, FETCHED), theme)[name]
    sign = marker(look, theme, size=16 if wide else 9)
    sign["color"] = [look.colour if m.is_whole else COLOURS[theme]["background"] for m in moments]
    sign["line"] = {"color": look.colour, "width": 1.8}
    return {
        "x": [utc(m.at).replace(tzinfo=None) for m in moments],
        "y": list(values),
        "mode": "lines+markers",
        "name": name,
        "line": {"color": look.colour, "dash": look.dash, "width": 5 if wide else 2},
        "legendrank": 1001 if wide else 1000,
        "marker": sign,
        "connectgaps": True,
        **hover_texts(
            f"{plain(m.label)}, {m.day}: {name.lower()} {'–' if value is None else f'{value:,}'}"
            for m, value in zip(moments, values, strict=True)
        ),
    }


def _title(moments: Sequence[Moment], source: str) -> str:
    known = [m for m in moments if m.total is not None]
    if len(known) < 2:
        return f"The total in {plain(source)}, run by run"
    first, last = known[0], known[-1]
    moved = (last.total or 0) - (first.total or 0)
    if not moved:
        return f"{last.total:,} as before: the total has not changed"
    direction = "more" if moved > 0 else "fewer"
    return f"{abs(moved):,} {direction} since {first.day}: {last.total:,} now"


def _listed(moments: Sequence[Moment]) -> str:
    return " ".join(
        f"{m.day}: total {'not given' if m.total is None else f'{m.total:,}'}, {m.n_fetched:,} fetched"
        f"{'' if m.is_whole else ', not finished'}."
        for m in moments
    )


def _with_room(days: Sequence[datetime]) -> list[datetime]:
    first, last = min(days), max(days)
    room = max((last - first) * ROOM / 2, timedelta(minutes=1))
    return [first - room, last + room]


def _heights(moments: Sequence[Moment]) -> tuple[float, float]:
    values = [m.total for m in moments if m.total is not None] + [m.n_fetched for m in moments]
    low, high = min(values), max(values)
    room = max((high - low) * ROOM, 1.0)
    return max(low - room, -0.02 * high - 0.5), high + room
