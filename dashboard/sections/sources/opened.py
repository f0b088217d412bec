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


def close_run() -> None:
    """Show the list of runs again."""
    state.say(OPENED, None)
    state.write_in_link(OPENED, [])


def opened_run_id() -> str | None:
    """The run that was opened here, or by the link; None: none is."""
    if not state.is_chosen(OPENED):
        return None
    asked = state.asked_for(OPENED) if state.said(OPENED, "") is not None else ()
    return asked[0] if asked else None
