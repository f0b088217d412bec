"""What the figures of judged runs have in common: the scale, the colours of grades, and how means are said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.judging.agreement import Interval
from core.judging.means import Cell, Mean
from core.judging.scores import number
from core.judging.types import Rubric
from dashboard.figures.ramps import even_ramp, lab_of
from dashboard.figures.theme import Theme

_ENDS: Mapping[Theme, tuple[str, str]] = {"light": ("#dfe8f2", "#08467f"), "dark": ("#24405f", "#a9d2ff")}
NO_GRADE = "no grade"


def grade_colours(rubric: Rubric, theme: Theme) -> dict[int, str]:
    """A step of one ramp for each grade: the more relevant, the farther from the background."""
    return dict(zip(rubric.points, even_ramp(_ENDS[theme], len(rubric.points)), strict=True))


def ink_on(colour: str) -> str:
    """Black or white letters, whichever are read better on a colour.

    >>> ink_on("#08467f"), ink_on("#dfe8f2")
    ('#ffffff', '#101418')
    """
    return max(("#ffffff", "#101418"), key=lambda ink: abs(lab_of(ink)[0] - lab_of(colour)[0]))


def levels_in_words(rubric: Rubric) -> str:
    """What the numbers of a legend mean, the highest first."""
    return ", ".join(f"{grade.points} {grade.name}" for grade in reversed(rubric.grades))


def scale_of(rubric: Rubric) -> tuple[float, float]:
    """The lowest and the highest score that are shown."""
    return rubric.shown(rubric.points[0]), float(rubric.shown_max)


def scale_name(rubric: Rubric) -> str:
    """An axis of mean grades.

    >>> from core.judging.types import Grade
    >>> scale_name(Rubric("r", "R", "", (), (Grade(0, "no", ""), Grade(1, "yes", "")), 100))
    'Mean grade, 0 to 100'
    """
    low, high = scale_of(rubric)
    return f"Mean grade, {low:g} to {high:g}"


def score_axis(rubric: Rubric) -> dict[str, Any]:
    """A little wider than the scale, with a tick at every grade."""
    low, high = scale_of(rubric)
    room = 0.02 * (high - low)
    ticks = [rubric.shown(points) for points in rubric.points]
    return {
        "range": (low - room, high + room),
        "tickvals": ticks if len(ticks) <= 11 else None,
        "title_text": scale_name(rubric),
        "fixedrange": True,
    }


def said_mean(mean: Mean, rubric: Rubric) -> str:
    """A mean with its range, in a sentence or on hover."""
    if mean.value is None:
        return f"– ({mean.reason})"
    value = number(mean.value, rubric.shown_max)
    return value if mean.interval is None else f"{value} ({said_range(mean.interval, rubric)})"


def said_range(interval: Interval, rubric: Rubric) -> str:
    """From where to where."""
    return " to ".join(number(end, rubric.shown_max) for end in interval)


def said_cell(cell: Cell, rubric: Rubric) -> str:
    """One engine on some queries: mean, what it rests on, coverage."""
    coverage = "" if cell.coverage is None else f", {percent(cell.coverage)} of publications have a grade"
    return f"{said_mean(cell.mean, rubric)}, {queries(cell.mean.n)}{coverage}"


def queries(n: int) -> str:
    """So many of them."""
    return f"{n:,} {'query' if n == 1 else 'queries'}"


def percent(share: float) -> str:
    """A share; one that is not whole is never shown as whole, nor one above 0 as 0.

    >>> percent(0.999), percent(1), percent(0.004), percent(0.5)
    ('over 99 %', '100 %', 'under 1 %', '50 %')
    """
    if 0.99 < share < 1:
        return "over 99 %"
    if 0 < share < 0.01:
        return "under 1 %"
    return f"{100 * share:.0f} %"


def whiskers(values: Sequence[tuple[float, Interval | None]], colour: str, axis: str) -> dict[str, Any]:
    """Ranges of a trace's values, along this axis."""
    return {
        f"error_{axis}": {
            "type": "data",
            "symmetric": False,
            "array": [0 if interval is None else interval.high - value for value, interval in values],
            "arrayminus": [0 if interval is None else value - interval.low for value, interval in values],
            "color": colour,
            "thickness": 1.4,
            "width": 0,
        }
    }
