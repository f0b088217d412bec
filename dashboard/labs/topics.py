"""Which publications a lab looks at: the made-up topic, or any version of the workspace."""

from __future__ import annotations

from functools import cache
from typing import Protocol

from core.labs.layouts import MADE_UP, LabTopic, made_up_topic
from core.protocols import OnStage
from dashboard.labs.bench import Choice, Slider, Values

MADE_UP_VALUE = "made-up"
TIMES = Slider(
    "times",
    "Made-up: each stands for",
    "Publications that each one of the made-up topic stands for, so that the decay has something to do. Real topics "
    "are taken as they are.",
    min=1,
    max=100,
    step=1,
    value=40,
)


class Topics(Protocol):
    """Versions to choose from. What is asked for and not there is the made-up topic."""

    def options(self) -> tuple[tuple[str, str], ...]:
        """Value and label of each version of the workspace."""

    def topic(self, value: str) -> LabTopic | None:
        """The version of this value; None if it is not there any more."""


@cache
def made_up() -> LabTopic:
    """The made-up topic; always the same."""
    return made_up_topic()


def topic_choice(material: Topics | None) -> Choice:
    """The made-up topic first, so that a lab works with nothing loaded."""
    return Choice(
        "topic",
        "Publications",
        "A made-up topic, or what a version of your workspace retrieved.",
        ((MADE_UP_VALUE, MADE_UP), *(material.options() if material else ())),
        MADE_UP_VALUE,
    )


def topic_from(material: Topics | None, values: Values) -> LabTopic:
    """The topic that is chosen."""
    value = str(values.get("topic", MADE_UP_VALUE))
    found = material.topic(value) if material and value != MADE_UP_VALUE else None
    return found or made_up()


def times_from(topic: LabTopic, values: Values) -> int:
    """What each publication stands for."""
    return round(float(values.get("times", 1))) if topic.made_up else 1


def workspace_topics(on_stage: OnStage) -> Topics:
    """The versions of the workspace that this server shows."""
    from dashboard import cache as shared  # here, so that benches can be computed without Streamlit
    from data.labs import WorkspaceTopics

    return WorkspaceTopics(shared.workspace())
