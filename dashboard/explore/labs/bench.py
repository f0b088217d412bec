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

# The common structure of labs: controls go in, a bench comes out. Nothing here knows Streamlit.
#
# A bench is the content of the browser part `lab`: charts, numbers and a sentence. It is computed at every movement, in
# at most 30 ms, so slow work is done before (see `Lab.material`).

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
    """Initial value."""
    scale: Literal["linear", "log"] = "linear"
    expert: bool = False
    """Collapsed under "For experts"."""


@dataclass(frozen=True, slots=True)
class LabChoice:
    name: str
    label: str
    help: str
    options: tuple[tuple[str, str], ...]
    """Value and label of each. Up to four are side by side, more in a list."""
    value: str
    resets_points: bool = False
    """True if moved points return when another option is chosen."""
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
    """Categories instead of numbers: the first at 0, the next at 1, ..."""


@dataclass(frozen=True, slots=True)
class Series:
    """A line, an area below a line, dots, or bars, all in one colour."""

    kind: Literal["line", "area", "dots", "bars"]
    label: str
    """Name in the legend and the table; empty: not in the legend."""
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
    """True if its dots can be moved: all of them are sent back as the value `points`."""
    numbers: Sequence[int] = ()
    """Numbers of the points (from 0), if several draggable series share them; empty: 0, 1, 2, ..."""
    names: Sequence[str] = ()
    """Alternative text of each draggable dot; empty: "Point 1", "Point 2", ..."""
    expert: bool = False
    """Drawn only while "For experts" is open."""


@dataclass(frozen=True, slots=True)
class LabShape:
    label: str
    role: Role
    x: Numbers
    y: Numbers
    dash: tuple[int, ...] = ()
    filled: bool = False


@dataclass(frozen=True, slots=True)
class LabMark:
    axis: Literal["x", "y"]
    at: float
    label: str
    role: Role = "accent"
    control: str = ""
    """The slider that dragging the line changes; empty: it can't be dragged."""


@dataclass(frozen=True, slots=True)
class LabHeatMap:
    """A heat map: `values[row][column]`, row 0 at the bottom. None: undefined, drawn hatched."""

    values: Sequence[Sequence[float | None]]
    label: str
    low: float
    high: float
    at: tuple[float, float] | None = None
    """Position of the current setting, in columns and rows (0 to n): marked by a cross."""


@dataclass(frozen=True, slots=True)
class Chart:
    id: str
    title: str
    """States the main point of the chart."""
    x: Axis
    y: Axis
    series: Sequence[Series] = ()
    shapes: Sequence[LabShape] = ()
    marks: Sequence[LabMark] = ()
    cells: LabHeatMap | None = None
    square: bool = False
    """One unit has the same length on both axes."""
    wide: bool = False
    """Takes the whole width; others share it."""
    bars: Literal["over", "beside"] = "over"
    """Layout of several series' bars at one position: a later one in front of an earlier one, or side by side."""
    height: int = 280
    legend: bool = True
    """Shown above the chart; saved pictures always have it. False if the previous chart has the same legend."""
    description: str = ""
    """Alternative text."""


@dataclass(frozen=True, slots=True)
class LabNumber:
    label: str
    value: str
    help: str = ""
    """A few words below; text longer than two lines is shown on hover."""
    role: Role | None = None
    expert: bool = False


@dataclass(frozen=True, slots=True)
class LabBench:
    """The content of a lab for the current values."""

    charts: Sequence[Chart]
    numbers: Sequence[LabNumber]
    sentence: str
    """The current main point, in one sentence."""
    columns: tuple[str, ...] = ()
    rows: Sequence[Sequence[float | int | str | None]] = ()
    """The table below, and the CSV."""


@dataclass(frozen=True, slots=True)
class Lab:
    id: str
    title: str
    """In the row of labs up to its colon, if it has one."""
    explanation: str
    """Two lines."""
    controls: Callable[[Any], Sequence[Slider | LabChoice]]
    """The controls, given the material (see `material`). The first slider must change some number."""
    bench: Callable[[Any, Values], LabBench]
    """Maps material and values to a bench; pure and quick.

    `points` is in the values only if some were moved. A QueryscapeError is shown instead of the bench.
    """
    reference: str = ""
    pages: tuple[str, ...] = field(default=())
    material: Callable[[Workspace, Start], Any] | None = None
    """Opens the data it needs from the workspace, once for each server; None: `controls` and `bench` get None.

    It takes no time itself, and may start slow work in the background later.
    """


def read_values(controls: Sequence[Slider | LabChoice], sent: Mapping[str, Any]) -> dict[str, float | str]:
    """Read the values of the browser or a link, limited to the controls' ranges; the rest has its initial value."""
    values: dict[str, float | str] = {}
    for control in controls:
        given = sent.get(control.name)
        if isinstance(control, LabChoice):
            values[control.name] = _one_of(control, given)
        else:
            values[control.name] = _within(control, given)
    if isinstance(sent.get("points"), str) and sent["points"]:
        values["points"] = sent["points"]
    return values


def mistakes_in(controls: Sequence[Slider | LabChoice], sent: Mapping[str, str]) -> list[str]:
    """List invalid values of a link, each in one sentence with the value used instead."""
    known = {control.name: control for control in controls}
    mistakes = [f"There is no {name!r} in this lab." for name in sent if name not in known and name != "points"]
    for name, control in known.items():
        given = sent.get(name)
        if given is None:
            continue
        if isinstance(control, LabChoice):
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


def _one_of(control: LabChoice, given: Any) -> str:
    return next((value for value, _ in control.options if value == given), control.value)


def _within(control: Slider, given: Any) -> float:
    try:
        number = float(given)
    except (TypeError, ValueError, OverflowError):
        return control.value
    return _on_a_step(control, min(max(number, control.min), control.max)) if number == number else control.value


def _on_a_step(control: Slider, number: float) -> float:
    """Round a number to the slider's step, as the browser writes it."""
    if control.scale == "log" or control.step < 1:
        return number
    steps = round((number - control.min) / control.step)
    return min(round(control.min + steps * control.step, 9), control.max)


def points_of(text: str, n: int) -> list[tuple[float, float]]:
    """Read the points of a value or a link; an error if these are not n points.

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


# A lab as the browser draws it: its bench, its controls and their values, ready for JSON.

DIGITS = 6
"""Significant digits of a number in a chart; more are invisible, and would have to be sent."""


def lab_document(
    lab: Lab, controls: Sequence[Slider | LabChoice], values: Values, bench: LabBench | None, mistakes: Sequence[str]
) -> dict[str, Any]:
    """Build the document of a lab for the part `lab`. `bench` None: there is none, for the reasons in `mistakes`."""
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
    """Return the colours of each theme and the font of every chart."""
    shown = browser_colours()
    return {
        "colours": shown["colours"],
        "ramp": {theme: steps[:: max(len(steps) // 32, 1)] for theme, steps in shown["ramps"]["decay"].items()},
        "font": FONT,
    }


def _control(control: Slider | LabChoice) -> dict[str, Any]:
    return {"kind": "slider" if isinstance(control, Slider) else "choice", **_plain(control)}


def _plain(value: Any) -> Any:
    """Convert a value to dictionaries, lists, short numbers and texts."""
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
