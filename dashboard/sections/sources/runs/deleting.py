"""Before a run goes: what exactly, and a second click."""

from __future__ import annotations

import streamlit as st

from core.errors import QueryscapeError
from dashboard import cache, state
from dashboard.messages import sentence
from dashboard.sections.sources.opened import close_run
from dashboard.sections.sources.runs.words import source_label
from dashboard.sections.sources.work import forget
from dashboard.words import many, plain, when
from data.sources.fetching.journal import LiveRun, delete_live_run


@st.dialog("Delete this run?")
def ask_before_deleting(run: LiveRun) -> None:
    """What goes, what stays."""
    st.markdown(plain(f"The run in {source_label(run.source)} of {when(run.made_at)} goes, with"))
    lines = [
        f"- {many(run.n_pages, 'page')} as the source sent them",
        "- the list of requests, which proves the search",
    ]
    st.markdown("\n".join(lines))
    if run.label:
        st.caption(plain(f"Version {run.label} stays, with its publications. It is deleted on the page Versions."))
    elif run.n_records:
        st.caption(plain(f"It was not finished: the {many(run.n_records, 'publication')} that came go, too."))
    with st.container(horizontal=True):
        wanted = st.button("Delete", type="primary", key="live-delete-now", icon=":material/delete:")
        if st.button("Keep", key="live-delete-not"):
            st.rerun()
    if not wanted:
        return
    try:
        delete_live_run(cache.workspace(), run.run_id)
    except QueryscapeError as e:
        st.error(plain(sentence(str(e))))
        return
    forget(run.run_id)
    close_run()
    state.say_once("sources", "The run is deleted.")
    st.rerun()
