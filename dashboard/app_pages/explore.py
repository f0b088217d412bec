"""Explore: one query version, its landscape and its scores."""

from __future__ import annotations

import streamlit as st

from dashboard import cache, state
from dashboard.components.mount import mount_payload
from dashboard.jobs import Job
from dashboard.messages import guarded
from dashboard.sections.query import draw_query
from dashboard.sections.tour import draw_tour
from dashboard.sections.tuned import draw_tuned
from dashboard.sections.waiting import how_it_ended, watch
from dashboard.sections.welcome import draw_welcome
from dashboard.state import Selection


def render() -> None:
    """The page."""
    with guarded():
        if not cache.workspace().topics():
            draw_welcome()
            return
        selection = state.read_selection()
        if selection is not None:
            _draw(selection)


def _draw(selection: Selection) -> None:
    workspace = cache.workspace()
    if not workspace.is_ready(selection.topic_id, selection.embedder):
        _draw_preparing(selection)
        return
    draw_query(selection)
    view = cache.view(selection.topic_id, selection.label, selection.embedder)
    made_up = any(t.made_up for t in workspace.topics() if t.topic_id == selection.topic_id)
    with st.container(key="payloads-once"):
        mount_payload(cache.points(view, made_up), key="points", with_code=True)
    draw_tuned(selection, made_up)
    draw_tour()


def _draw_preparing(selection: Selection) -> None:
    """Vectors and a landscape, the first time that a topic is opened."""
    st.subheader("Getting this topic ready")
    st.write("Its publications need vectors and a place on the landscape. That is done once and kept.")
    job = _prepare(selection)
    if job.is_over and not job.finished:
        how_it_ended(job)
    else:
        watch(job)


def _prepare(selection: Selection) -> Job:
    key = f"prepare:{selection.topic_id}:{selection.embedder}"
    found = cache.jobs().find(key)
    if found is not None and found.finished:  # something came to the topic since
        cache.jobs().forget(key)
    return cache.jobs().start(
        key,
        "Getting the topic ready",
        lambda on_stage: cache.workspace().prepare(selection.topic_id, selection.embedder, on_stage=on_stage),
        lane="long",
    )


if __name__ == "__main__":
    render()
