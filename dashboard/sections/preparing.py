"""What a topic needs the first time that it is opened: vectors and a landscape; an index to be searched."""

from __future__ import annotations

import streamlit as st

from core.protocols import OnStage
from dashboard import cache
from dashboard.jobs import Job
from dashboard.sections.waiting import how_it_ended, watch
from dashboard.state import Selection

LARGE = 8_000
"""Publications that take more than a moment to index."""


def is_indexed(selection: Selection) -> bool:
    """Whether the topic can be searched; if that takes a while, it is shown how far it is."""
    job = start_indexing(selection)
    if job is None or job.finished:
        return True
    st.subheader("Indexing this topic")
    st.write("Its publications are made searchable, word by word. That is done once and kept.")
    if job.is_over:
        how_it_ended(job)
    else:
        watch(job)
    return False


def start_indexing(selection: Selection) -> Job | None:
    """Make a large topic searchable in the background. None: it is, or takes no time."""
    corpora, topic_id = cache.workspace().corpora, selection.topic_id
    if corpora.is_open(topic_id) or len(cache.workspace().store.topic_publication_ids(topic_id)) < LARGE:
        return None
    key = f"index:{topic_id}:{cache.workspace().store.topic_state(topic_id)}"
    found = cache.jobs().find(key)
    if found is not None and found.finished:  # others were opened since
        cache.jobs().forget(key)

    def work(on_stage: OnStage) -> None:
        corpora.of(topic_id, on_stage("indexing the publications"))

    return cache.jobs().start(key, "Indexing the topic", work, lane="long")


def is_prepared(selection: Selection) -> bool:
    """Whether the topic can be looked at; if not, it is given vectors and a landscape, and that is shown."""
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
