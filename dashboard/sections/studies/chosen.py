"""Which topics are studied together: the same choice in every part of the page."""

from __future__ import annotations

import streamlit as st

from dashboard import cache, state


def choose_topics() -> tuple[str, ...]:
    """The choice at the head of a part: the topics that are named, or all of them if none is. Sorted by name."""
    topics = [row.topic_id for row in cache.workspace().store.topics()]
    state.drop_missing("topics", topics)
    chosen = st.multiselect(
        "Topics",
        topics,
        key="topics",
        bind="query-params",
        placeholder=f"All {len(topics)} topics" if len(topics) > 1 else "The only topic",
        help="None chosen: all of them. The choice holds for every part of this page.",
    )
    return tuple(sorted(chosen)) or tuple(topics)
