"""Vectors and a landscape, the first time that a topic is opened."""

from __future__ import annotations

import streamlit as st

from dashboard import cache
from dashboard.jobs import Job
from dashboard.sections.waiting import how_it_ended, watch
from dashboard.state import Selection


def is_prepared(selection: Selection) -> bool:
    """Whether the topic can be looked at; if not, it is made ready and that is shown."""
    if cache.workspace().is_ready(selection.topic_id, selection.embedder):
        return True
    st.subheader("Getting this topic ready")
    st.write("Its publications need vectors and a place on the landscape. That is done once and kept.")
    job = _prepare(selection)
    if job.is_over and not job.finished:
        how_it_ended(job)
    else:
        watch(job)
    return False


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
