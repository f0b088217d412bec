"""Explore: one query version, its landscape and its scores."""

from __future__ import annotations

import streamlit as st

from dashboard import cache, state
from dashboard.components.mount import mount_payload
from dashboard.messages import guarded
from dashboard.sections.audit.opened import link_to_report
from dashboard.sections.first_steps import draw_first_steps, needs_first_steps
from dashboard.sections.preparing import is_prepared, start_indexing
from dashboard.sections.query import draw_query
from dashboard.sections.tour import draw_tour
from dashboard.sections.tuned import draw_tuned
from dashboard.sections.welcome import draw_welcome
from dashboard.state import Selection


def render() -> None:
    """The page."""
    with guarded():
        if not cache.workspace().topics():
            draw_welcome()
            return
        topic_id, selection = state.read_topic(), state.read_selection()
        if topic_id is not None and needs_first_steps(topic_id):
            draw_first_steps(topic_id)
        elif selection is not None:
            _draw(selection)


def _draw(selection: Selection) -> None:
    if not is_prepared(selection):
        return
    start_indexing(selection)  # so that a run does not wait for it
    draw_query(selection)
    view = cache.view(selection.topic_id, selection.label, selection.embedder)
    made_up = any(t.made_up for t in cache.workspace().topics() if t.topic_id == selection.topic_id)
    with st.container(key="payloads-once"):
        mount_payload(cache.points(view, made_up), key="points", with_code=True)
    draw_tuned(selection, made_up)
    with st.container(horizontal=True):
        _draw_link(selection)
        link_to_report(
            selection.topic_id, [selection.label], label="Report on this version", embedder=selection.embedder
        )
    draw_tour()


def _draw_link(selection: Selection) -> None:
    """To the page that sets this version beside the one before it, or the one after it if it is the first."""
    rows = cache.workspace().store.versions(selection.topic_id)
    labels = [row.version.label for row in rows if row.n_retrieved is not None]
    if len(labels) < 2 or selection.label not in labels:
        return
    at = max(labels.index(selection.label), 1)
    link = {"topic": selection.topic_id, "version": selection.label, "embedder": selection.embedder}
    st.page_link(
        "app_pages/versions.py",
        label="Compare with another version",
        icon=":material/compare_arrows:",
        query_params={**link, "versions": labels[at - 1 : at + 1]},
    )


if __name__ == "__main__":
    render()
