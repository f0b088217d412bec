"""A lab as the browser draws it: its bench, its controls and where they stand, ready for JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from dashboard.figures.theme import FONT, browser_colours
from dashboard.labs.bench import Bench, Choice, Lab, Slider, Values, values_in_link

DIGITS = 6
"""Of a number in a chart; more can't be seen, and would have to be sent."""


def lab_document(
    lab: Lab, controls: Sequence[Slider | Choice], values: Values, bench: Bench | None, mistakes: Sequence[str]
) -> dict[str, Any]:
    """All that the part `lab` shows. `bench` None: there is none for these values, and `mistakes` say why."""
    shown = browser_colours()
    return {
        "lab": lab.id,
        "title": lab.title,
        "controls": [_control(control) for control in controls],
        "values": dict(values),
        "link": values_in_link(controls, values),
        "mistakes": list(mistakes),
        "colours": shown["colours"],
        "ramp": {theme: steps[:: max(len(steps) // 32, 1)] for theme, steps in shown["ramps"]["decay"].items()},
        "font": FONT,
        "bench": None if bench is None else _plain(bench),
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
