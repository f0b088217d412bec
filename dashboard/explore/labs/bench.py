"""The bench of a lab: controls and charts, computed without Streamlit, as a document for the browser."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any, Literal

import numpy as np

from core.errors import SettingsError
from dashboard.kit.theme import FONT, Role, browser_colours
from data.explore.labs import Start
from data.explore.workspace import Workspace

# What every lab has in common: controls go in, a bench comes out. Nothing here knows Streamlit.
#
# A bench is what the browser part `lab` draws: charts, numbers and a sentence. It is computed at every move, in at most
# 30 ms, so whatever is slow is computed before (see `Lab.material`).

Numbers = Sequence[float] | np.ndarray[Any, Any]
Values = Mapping[str, float | str]
"""By the name of a control. Moved points are `points`: "x,y;x,y;..."."""


@dataclass(frozen=True, slots=True)
class Slider:
    name: str
    label: str
    help: str
    min: float
    max: float
    step: float
    value: float
    """Where it stands at first."""
    scale: Literal["linear", "log"] = "linear"
    expert: bool = False
    """Folded under "For experts"."""


@dataclass(frozen=True, slots=True)
class Choice:
    name: str
    label: str
    help: str
    options: tuple[tuple[str, str], ...]
    """Value and label of each. Up to four stand side by side, more in a list."""
    value: str
    resets_points: bool = False
    """Moved points go back when another one is chosen."""
    expert: bool = False


@dataclass(frozen=True, slots=True)
class Axis:
    label: str
    """With its unit."""
    min: float
    max: float
    scale: Literal["linear", "log"] = "linear"
    digits: int = 2
    """Decimals of its tick labels."""
    names: tuple[str, ...] = ()
    """Categories in place of numbers: the first at 0, the next at 1, ..."""


@dataclass(frozen=True, slots=True)
class Series:
    """A line, an area under a line, dots, or bars, all in one colour."""

    kind: Literal["line", "area", "dots", "bars"]
    label: str
    """In the legend and the table; empty: not in the legend."""
    role: Role
    x: Numbers
    y: Numbers
    dash: tuple[int, ...] = ()
    width: float = 2.0
    """Of a line; the radius of dots."""
    hollow: bool = False
    cross: bool = False
    """Dots as crosses."""
    edge: Role | None = None
    hover: Sequence[str] = ()
    draggable: bool = False
    """Its dots can be moved: all of them come back as the value `points`."""
    numbers: Sequence[int] = ()
    """Which of the points each dot is (from 0), where several draggable series share them; empty: 0, 1, 2, ..."""
    names: Sequence[str] = ()
    """What each draggable dot is called, for those who do not see it; empty: "Point 1", "Point 2", ..."""
    expert: bool = False
    """Drawn only while "For experts" is open."""


@dataclass(frozen=True, slots=True)
class Shape:
    label: str
    role: Role
    x: Numbers
    y: Numbers
    dash: tuple[int, ...] = ()
    filled: bool = False


@dataclass(frozen=True, slots=True)
class Mark:
    axis: Literal["x", "y"]
    at: float
    label: str
    role: Role = "accent"
    control: str = ""
    """The slider that the line moves when it is dragged; empty: it can't be dragged."""


@dataclass(frozen=True, slots=True)
class Cells:
    """A heat map: `values[row][column]`, row 0 at the bottom. None: undefined, drawn hatched."""

    values: Sequence[Sequence[float | None]]
    label: str
    low: float
    high: float
    at: tuple[float, float] | None = None
    """Where the current setting lies, in columns and rows (0 to n): marked by a cross."""


@dataclass(frozen=True, slots=True)
class Chart:
    id: str
    title: str
    """Says what to see."""
    x: Axis
    y: Axis
    series: Sequence[Series] = ()
    shapes: Sequence[Shape] = ()
    marks: Sequence[Mark] = ()
    cells: Cells | None = None
    square: bool = False
    """One unit is as long on both axes."""
    wide: bool = False
    """Takes the whole width; others share it."""
    bars: Literal["over", "beside"] = "over"
    """Where several series have a bar at one place: a later one in front of an earlier one, or side by side."""
    height: int = 280
    legend: bool = True
    """Shown over it; a saved picture has it in any case. Off where the chart before it says the same."""
    description: str = ""
    """For those who do not see it."""


@dataclass(frozen=True, slots=True)
class Number:
    label: str
    value: str
    help: str = ""
    """A few words beneath; what does not fit two lines is read by pointing at it."""
    role: Role | None = None
    expert: bool = False


@dataclass(frozen=True, slots=True)
class Bench:
    """What a lab shows for these values."""

    charts: Sequence[Chart]
    numbers: Sequence[Number]
    sentence: str
    """What is to be seen right now, in one sentence."""
    columns: tuple[str, ...] = ()
    rows: Sequence[Sequence[float | int | str | None]] = ()
    """The table beneath, and the CSV."""


@dataclass(frozen=True, slots=True)
class Lab:
    id: str
    title: str
    """In the row of labs up to its colon, if it has one."""
    explanation: str
    """Two lines."""
    controls: Callable[[Any], Sequence[Slider | Choice]]
    """What can be moved, given the material (see `material`). The first slider must change some number."""
    bench: Callable[[Any, Values], Bench]
    """Pure and quick: material and values to a bench.

    `points` is in the values only if some were moved. A QueryscapeError is shown in place of the bench.
    """
    reference: str = ""
    pages: tuple[str, ...] = field(default=())
    material: Callable[[Workspace, Start], Any] | None = None
    """Opens what it takes from the workspace, once for each server; None: `controls` and `bench` are given None.

    It takes no time itself, and may start slow work in the background later.
    """


def read_values(controls: Sequence[Slider | Choice], sent: Mapping[str, Any]) -> dict[str, float | str]:
    """What the browser or a link says, kept within what the controls allow; the rest is as it was at first."""
    values: dict[str, float | str] = {}
    for control in controls:
        given = sent.get(control.name)
        if isinstance(control, Choice):
            values[control.name] = _one_of(control, given)
        else:
            values[control.name] = _within(control, given)
    if isinstance(sent.get("points"), str) and sent["points"]:
        values["points"] = sent["points"]
    return values


def mistakes_in(controls: Sequence[Slider | Choice], sent: Mapping[str, str]) -> list[str]:
    """What a link asks for that can't be had, and what is there instead; one sentence each."""
    known = {control.name: control for control in controls}
    mistakes = [f"There is no {name!r} in this lab." for name in sent if name not in known and name != "points"]
    for name, control in known.items():
        given = sent.get(name)
        if given is None:
            continue
        if isinstance(control, Choice):
            options = [value for value, _ in control.options]
            if given not in options:
                mistakes.append(f"{control.label} is one of {', '.join(options)}, not {given[:40]!r}.")
        elif not _fits(control, given):
            least, most = f"{control.min:g}", f"{control.max:g}"
            mistakes.append(f"{control.label} is a number from {least} to {most}, not {given[:40]!r}.")
    return mistakes


def _fits(control: Slider, given: str) -> bool:
    try:
        return control.min <= float(given) <= control.max
    except (ValueError, OverflowError):
        return False


def _one_of(control: Choice, given: Any) -> str:
    return next((value for value, _ in control.options if value == given), control.value)


def _within(control: Slider, given: Any) -> float:
    try:
        number = float(given)
    except (TypeError, ValueError, OverflowError):
        return control.value
    return _on_a_step(control, min(max(number, control.min), control.max)) if number == number else control.value


def _on_a_step(control: Slider, number: float) -> float:
    """Numbers that are counted are whole, as the browser writes them."""
    if control.scale == "log" or control.step < 1:
        return number
    steps = round((number - control.min) / control.step)
    return min(round(control.min + steps * control.step, 9), control.max)


def points_of(text: str, n: int) -> list[tuple[float, float]]:
    """The points that a value or a link holds; an error if these are not n points.

    >>> points_of("0.5,1;2,-3", 2)
    [(0.5, 1.0), (2.0, -3.0)]
    """
    try:
        points = [(float(x), float(y)) for x, y in (pair.split(",") for pair in text.split(";"))]
    except ValueError:
        points = []
    if len(points) != n or not all(abs(c) < 1e6 for point in points for c in point):
        raise SettingsError(f"this lab has {n} points to move, written as x,y;x,y, not {text[:40]!r}: reset it")
    return points


# A lab as the browser draws it: its bench, its controls and where they stand, ready for JSON.

DIGITS = 6
"""Of a number in a chart; more can't be seen, and would have to be sent."""


def lab_document(
    lab: Lab, controls: Sequence[Slider | Choice], values: Values, bench: Bench | None, mistakes: Sequence[str]
) -> dict[str, Any]:
    """All that the part `lab` shows of a lab. `bench` None: none for these values, and `mistakes` say why."""
    return {
        "lab": lab.id,
        "title": lab.title,
        "explanation": lab.explanation,
        "reference": lab.reference or None,
        "controls": [_control(control) for control in controls],
        "values": dict(values),
        "mistakes": list(mistakes),
        "bench": None if bench is None else _plain(bench),
    }


def lab_look() -> dict[str, Any]:
    """The colours of each theme and the font that every chart is drawn with."""
    shown = browser_colours()
    return {
        "colours": shown["colours"],
        "ramp": {theme: steps[:: max(len(steps) // 32, 1)] for theme, steps in shown["ramps"]["decay"].items()},
        "font": FONT,
    }


def _control(control: Slider | Choice) -> dict[str, Any]:
    return {"kind": type(control).__name__.lower(), **_plain(control)}


def _plain(value: Any) -> Any:
    """The same as dictionaries, lists, short numbers and texts."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, np.ndarray):
        return [_plain(each) for each in value.tolist()]
    if isinstance(value, np.generic):
        return _plain(value.item())
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}")
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return value
