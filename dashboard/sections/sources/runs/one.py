"""A run that is opened: what was sent, what came, and what became of it since."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from dashboard import cache, state
from dashboard.messages import guarded
from dashboard.sections.audit.opened import open_report
from dashboard.sections.library.locked import why_locked
from dashboard.sections.sources.opened import close_run, open_run, open_version
from dashboard.sections.sources.runs.again import draw_again
from dashboard.sections.sources.runs.came import draw_came
from dashboard.sections.sources.runs.listed import draw_delete, draw_go_on, draw_progress
from dashboard.sections.sources.runs.requests import draw_requests
from dashboard.sections.sources.runs.searched import draw_searched
from dashboard.sections.sources.runs.words import how_many, source_label, standing_words
from dashboard.sections.sources.work import is_running
from dashboard.words import plain, when
from data.sources.fetching.journal import LiveRun, version_of

PARTS: dict[str, Callable[[LiveRun], None]] = {
    "The search": draw_searched,
    "Requests": draw_requests,
    "What came": draw_came,
    "Since then": draw_again,
}
PART = "live_part"


def draw_run(run: LiveRun) -> None:
    """Its head, then one part at a time."""
    st.button("All runs", key="live-close", icon=":material/arrow_back:", type="tertiary", on_click=close_run)
    said = standing_words(run, at_work=is_running(run.run_id))
    st.subheader(plain(f"{source_label(run.source)}: {how_many(run)}"), anchor=False)
    facts = [said.capitalize(), run.topic_id, f"planned {when(run.made_at)}"]
    facts += [f"ended {when(run.ended_at)}"] if run.ended_at else []
    st.caption(plain(" · ".join(facts)))
    draw_progress(run)
    with st.container(horizontal=True, key="live-ways"):
        draw_go_on(run)
        _draw_ways(run)
        draw_delete(run)
    state.settle_named(PART, list(PARTS))
    part = str(st.segmented_control("Part", list(PARTS), key=PART, required=True, label_visibility="collapsed"))
    state.write_in_link(PART, [part] if part != next(iter(PARTS)) else [])
    with guarded():
        PARTS[part](run)


def _draw_ways(run: LiveRun) -> None:
    """To the version that it became, and to the core publications."""
    row = version_of(cache.workspace(), run)
    if run.label is not None and (row is None or row.deleted_at is not None):
        st.caption(plain(f"Version {run.label} is deleted."))
    elif run.label is not None:
        known = f"Opens version {plain(run.label)} there."
        if st.button("Explore", key="live-to-explore", icon=":material/travel_explore:", help=known):
            open_version(run.topic_id, run.label)
        if st.button("Query", key="live-to-query", icon=":material/manage_search:", help=known):
            state.choose_topic_next(run.topic_id)
            state.choose_version_next(run.label)
            st.switch_page("app_pages/query.py", query_params={})
        if st.button("Library", key="live-to-library", icon=":material/library_books:"):
            state.choose_topic_next(run.topic_id)
            state.open_part("Files")
            st.switch_page("app_pages/library.py", query_params={})
        if st.button("Report", key="live-to-report", icon=":material/fact_check:", help="The audit of this version."):
            open_report(run.topic_id, run.label)
    st.button(
        "Core publications",
        key="live-to-core",
        icon=":material/target:",
        help=why_locked() or "Which of them the source has, and why the string misses some.",
        on_click=open_run,
        args=(run.run_id, "Core publications"),
    )
