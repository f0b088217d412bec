"""Controls, topics and number formats shared by the labs."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any, Literal, Protocol

import numpy as np

from core.explore.labs import MADE_UP, LabTopic, made_up_topic
from core.metrics import Counts
from core.settings import EvaluationSettings
from core.types import Floats
from dashboard.controls import CONTROLS
from dashboard.explore.labs.bench import LabChoice, Slider, Values
from data.explore.labs import Start, WorkspaceTopics
from data.explore.workspace import Workspace

FORMULA = ("decay_limit", "decay_onset", "decay_steepness", "beta")
"""Settings that change the formula but not the relevant publications."""
DEFAULTS = EvaluationSettings()


def slider_of(name: str, *, expert: bool = False) -> Slider:
    control = CONTROLS[name]
    return Slider(
        name=name,
        label=control["label"],
        help=control["help"],
        min=float(control["min"]),
        max=float(control["max"]),
        step=float(control["step"]),
        value=float(getattr(DEFAULTS, name)),
        scale=control.get("scale", "linear"),
        expert=expert,
    )


def settings_from(values: Values) -> EvaluationSettings:
    """Return the settings of the sliders; settings without a slider have their defaults."""
    change: dict[str, Any] = {name: float(values[name]) for name in (*FORMULA, "min_similarity") if name in values}
    return replace(DEFAULTS, **change)


def spaced(low: float, high: float, n: int, scale: Literal["linear", "log"]) -> Floats:
    """Return evenly spaced values from low to high on this scale, with exact ends."""
    if scale == "linear":
        return np.linspace(low, high, n)
    values: Floats = np.geomspace(low, high, n)
    values[0], values[-1] = low, high
    return values


def whole(values: Floats) -> Counts:
    """Round values, in ascending order without duplicates."""
    return np.unique(np.rint(values).astype(np.int64))


def listed(values: Floats | Counts) -> list[float]:
    """Round values for the browser: six decimals are more than a picture can show."""
    return list(np.round(values, 6).tolist())


def score(value: float | None) -> str:
    """Format a score with three digits; a dash if it is undefined."""
    if value is None:
        return "–"
    return f"{value:.3f}" if abs(value) >= 0.001 or value == 0 else f"{value:.2g}"


def count(value: float) -> str:
    """Format a number of publications, with one decimal if it is not an integer.

    >>> count(7874.5), count(400)
    ('7,874.5', '400')
    """
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.1f}"


def similarity(value: float) -> str:
    """Format a similarity with three decimals and a true minus.

    >>> similarity(-0.0072)
    '−0.007'
    """
    return f"{value:.3f}".replace("-", "−")


def f_name(beta: float) -> str:
    """Return the name of F-beta for this beta.

    >>> f_name(2.0)
    'F2'
    """
    return f"F{beta:.3g}"


# The publications of a lab: the demo topic, or any version of the workspace.

MADE_UP_VALUE = "made-up"
TIMES = Slider(
    "times",
    "Synthetic: each stands for",
    "Number of publications that each synthetic publication stands for, so that the decay has an effect. Real topics "
    "are not scaled.",
    min=1,
    max=100,
    step=1,
    value=40,
    expert=True,
)


class LabTopics(Protocol):
    """Versions to choose from. The demo topic replaces a missing version."""

    def options(self) -> tuple[tuple[str, str], ...]:
        """Return value and label of each version of the workspace."""

    def topic(self, value: str) -> LabTopic | None:
        """Return the version of this value; None if it no longer exists."""


@cache
def made_up() -> LabTopic:
    """Return the demo topic; always the same."""
    return made_up_topic()


def topic_choice(material: LabTopics | None) -> LabChoice:
    """Return the choice of topics, the demo topic first, so that a lab works without loaded data."""
    return LabChoice(
        "topic",
        "Publications",
        "A synthetic topic, or the publications retrieved by a version in your workspace.",
        ((MADE_UP_VALUE, MADE_UP), *(material.options() if material else ())),
        MADE_UP_VALUE,
    )


def topic_from(material: LabTopics | None, values: Values) -> LabTopic:
    value = str(values.get("topic", MADE_UP_VALUE))
    found = material.topic(value) if material and value != MADE_UP_VALUE else None
    return found or made_up()


def times_from(topic: LabTopic, values: Values) -> int:
    return round(float(values.get("times", 1))) if topic.made_up else 1


def workspace_topics(workspace: Workspace, start: Start) -> LabTopics:
    return WorkspaceTopics(workspace)
