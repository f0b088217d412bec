"""How runs are spoken of, in the list and where one is opened."""

from __future__ import annotations

from datetime import UTC, datetime

from core.sources.types import SourceId
from data.sources.fetching.runs import LiveRun
from data.sources.opening import ABOUT

STATES = {
    "planned": "not begun",
    "running": "interrupted",
    "paused": "paused",
    "failed": "stopped",
    "done": "finished",
}
"""Of a run at which nobody is at work."""
SHORT = 150
"""Letters of a string that stand in a list."""


def source_label(source_id: SourceId) -> str:
    """What a source is called."""
    return ABOUT[source_id].label


def standing_words(run: LiveRun, *, at_work: bool) -> str:
    """How far a run is, in a word."""
    return "fetching" if at_work else STATES[run.state]


def how_many(run: LiveRun) -> str:
    """Publications that came, of the source's own total."""
    if run.total_last is None:
        return f"{run.n_records:,} publications"
    return f"{run.n_records:,} of {run.total_last:,} publications"


def short(text: str) -> str:
    """The beginning of a string.

    >>> short("heat   AND pump")
    'heat AND pump'
    """
    flat = " ".join(text.split())
    return flat if len(flat) <= SHORT else f"{flat[:SHORT].rstrip()} …"


def when(moment: str) -> str:
    """A moment for a person, to the second where seconds tell requests apart.

    >>> when("2031-05-06T14:00:09+02:00")
    '6 May 2031, 12:00 UTC'
    """
    at = utc(moment)
    return f"{at.day} {at:%b %Y, %H:%M} UTC"


def utc(moment: str) -> datetime:
    """A moment in UTC; one that names no zone is taken for that."""
    found = datetime.fromisoformat(moment)
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)


def run_name(run: LiveRun) -> str:
    """A run where several are listed in one line."""
    what = run.label or STATES[run.state]
    return f"{source_label(run.source)}, {when(run.made_at)}, {what}"
