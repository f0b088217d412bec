"""What a topic still needs, in one line with a way there."""

from __future__ import annotations

import streamlit as st

from dashboard import cache, state
from data.library.tables import n_publications


def draw_next(topic_id: str) -> None:
    """Core publications, then a query; then there is something to see."""
    topic = next((t for t in cache.workspace().topics() if t.topic_id == topic_id), None)
    if topic is None:
        return
    has_run = any(row.n_retrieved is not None for row in topic.versions)
    with st.container(horizontal=True, vertical_alignment="center"):
        if not topic.n_core:
            st.markdown("Next: core publications, so that recall has something to be measured against.")
            _button("Bring in core publications", "Core publications")
        elif n_publications(cache.workspace().store, topic_id) <= topic.n_core and not has_run:
            st.markdown("Next: a corpus to search in.")
            _button("Bring in a corpus", "Corpus")
        elif has_run:
            st.markdown("Next: see what the query finds.")
            if st.button("Explore", key="next-explore", type="primary", icon=":material/travel_explore:"):
                st.switch_page("app_pages/explore.py", query_params={})
        else:
            st.markdown("Next: type a first query.")
            if st.button("Type a query", key="next-query", type="primary", icon=":material/manage_search:"):
                st.switch_page("app_pages/explore.py", query_params={})


def _button(label: str, role: str) -> None:
    st.button(label, key=f"next-{role}", type="primary", icon=":material/upload_file:", on_click=_again, args=(role,))


def _again(role: str) -> None:
    state.raise_flag("import")
    state.open_part("Import", role)
