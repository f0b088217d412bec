"""How runs are spoken of, in the list and where one is opened."""

from __future__ import annotations

from core.sources.sending.saying import SourceId
from dashboard.words import when
from data.sources.fetching.journal import LiveRun
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


def run_name(run: LiveRun) -> str:
    """A run where several are listed in one line."""
    what = run.label or STATES[run.state]
    return f"{source_label(run.source)}, {when(run.made_at)}, {what}"
