"""What the view "Sort" has open: a step of a writing, a version taken apart, or the topic's name alone."""

from __future__ import annotations

from dashboard import state

STEP = "writer_step"
"""Number of the step that "Sort" shows; in the link. None: the best of the writing."""
APART = "writer_apart"
"""Label of the version that "Sort" shows taken apart; in the link."""


def open_step(number: int) -> None:
    """Have "Sort" show this step of the writing that is open."""
    _say(STEP, str(number))
    _say(APART, None)


def open_version_apart(label: str) -> None:
    """Have "Sort" show this version of the topic, taken apart into its lists."""
    _say(APART, label)
    _say(STEP, None)


def open_again() -> None:
    """Another writing was opened: what was open of the one before is forgotten."""
    _say(STEP, None)
    _say(APART, None)


def _say(key: str, value: str | None) -> None:
    state.say(key, value)
    state.write_in_link(key, [] if value is None else [value])
