"""The view "Core publications"."""

from __future__ import annotations

import streamlit as st

from core.errors import NoCoreError
from dashboard import cache, state
from dashboard.messages import guarded
from dashboard.sections.sources.core.asking import draw_asking, is_idle
from dashboard.sections.sources.core.choosing import choose_run
from dashboard.sections.sources.core.table import draw_lookup
from dashboard.sections.sources.work import lookup_of
from dashboard.words import plain
from data.sources.looking.core_lookup import wanted_core

ABOUT_IT = (
    "A core publication that a search does not find is either not indexed by the source, so that no string can find it "
    "there, or indexed and missed by the string. The source itself is asked which it is."
)


def draw_core() -> None:
    """Choose a run, have its source asked, and see where each core publication stands."""
    st.caption(ABOUT_IT)
    run = choose_run()
    if run is None:
        return
    try:
        wanted = wanted_core(cache.workspace(), run.topic_id)
    except NoCoreError:
        st.info(plain(f"{run.topic_id} has no core publications yet: bring them in, and they can be looked for."))
        if st.button("Bring in core publications", icon=":material/upload_file:", type="primary", key="core-bring"):
            state.choose_topic_next(run.topic_id)
            state.open_part("Import", "Core publications")
            st.switch_page("app_pages/library.py", query_params={})
        return
    found, job = lookup_of(run.run_id)
    where = st.container()
    if found is not None:
        with guarded():
            draw_lookup(run, found)
        where = st.container() if is_idle(job) and not found.is_cut else where  # what is whole is seldom asked again
    with where:
        draw_asking(run, wanted, found, job)
