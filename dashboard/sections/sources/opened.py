"""Which run is looked at, and the way from one view to another."""

from __future__ import annotations

from dashboard import state

NEXT_VIEW = "sources_next"
"""The view that something on the page leads to."""
OPENED = "live_run"
"""The run that the views Runs and Core publications show; in the link."""


def open_run(run_id: str, view: str = "Runs") -> None:
    """Show this run as soon as the page is drawn again."""
    state.say(OPENED, run_id)
    state.say(NEXT_VIEW, view)
