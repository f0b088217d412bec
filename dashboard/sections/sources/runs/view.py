"""The view "Runs"."""

from __future__ import annotations

import streamlit as st

from core.errors import NotFoundError
from dashboard import cache, state
from dashboard.messages import sentence
from dashboard.sections.sources.opened import OPENED, close_run, opened_run_id
from dashboard.sections.sources.runs.listed import NOTE, draw_list
from dashboard.sections.sources.runs.one import draw_run
from dashboard.words import plain
from data.sources.fetching.journal import find_live_run


def draw_runs() -> None:
    """A list, or the run that is opened."""
    if message := state.take(NOTE):
        st.error(plain(sentence(message)), icon=":material/error:")
    run_id = opened_run_id()
    if run_id is None:
        draw_list()
        return
    try:
        run = find_live_run(cache.workspace().store, run_id)
    except NotFoundError:
        close_run()
        st.info("The run that the link names is not here (any more). These are:")
        draw_list()
        return
    state.write_in_link(OPENED, [run_id])
    draw_run(run)
