"""The Sources page: run a search string in live sources, and follow its results."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from dashboard import cache, state
from dashboard.kit.components import mount_code
from dashboard.messages import guarded
from dashboard.sources.availability import draw_standing
from dashboard.sources.core_lookup import draw_core
from dashboard.sources.navigation import NEXT_VIEW
from dashboard.sources.runs import draw_runs
from dashboard.sources.search import draw_search, keep_search
from dashboard.words import plain

VIEWS: dict[str, Callable[[], None]] = {
    "Search": draw_search,
    "Runs": draw_runs,
    "Core publications": draw_core,
}


def render() -> None:
    st.title("Sources")
    mount_code()
    with guarded():
        _draw()
    if note := state.take("sources"):
        st.toast(plain(note))


def _draw() -> None:
    if (wanted := state.said(NEXT_VIEW)) in VIEWS:
        state.say("sources", wanted)
        state.say(NEXT_VIEW, None)
    state.settle_named("sources", list(VIEWS))
    view = str(st.segmented_control("View", list(VIEWS), key="sources", required=True, label_visibility="collapsed"))
    state.write_in_link("sources", [view])
    if view != "Search":
        keep_search()
    draw_standing()
    if cache.workspace().store.is_copy and view == "Search":
        st.info("Read-only: another Queryscape instance has this workspace open. Run searches there.")
        return
    with guarded():
        VIEWS[view]()


if __name__ == "__main__":
    render()
