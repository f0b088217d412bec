"""The Sources page: run a search string in live sources, and follow its results."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from dashboard import state
from dashboard.kit.components import draw_page
from dashboard.kit.link_controls import choose_one
from dashboard.messages import guarded
from dashboard.sources.availability import draw_standing
from dashboard.sources.core_lookup import draw_core
from dashboard.sources.navigation import NEXT_VIEW
from dashboard.sources.runs import draw_runs
from dashboard.sources.schedule import draw_updates
from dashboard.sources.search import draw_search, keep_search
from dashboard.status import why_locked

VIEWS: dict[str, Callable[[], None]] = {
    "Search": draw_search,
    "Runs": draw_runs,
    "Core publications": draw_core,
    "Updates": draw_updates,
}


def render() -> None:
    draw_page("Sources", _draw, notes="sources")


def _draw() -> None:
    if (wanted := state.value(NEXT_VIEW)) in VIEWS:
        state.set_value("sources", wanted)
        state.set_value(NEXT_VIEW, None)
    view = choose_one(st.segmented_control, "View", list(VIEWS), "sources", required=True, label_visibility="collapsed")
    if view != "Search":
        keep_search()
    draw_standing()
    if view == "Search" and (locked := why_locked()):
        st.info(locked, icon=":material/lock:")
        return
    with guarded():
        VIEWS[view]()


if __name__ == "__main__":
    render()
