"""All topics: what each holds, how to delete one, and how ready-made ones get in."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from dashboard import cache, state
from dashboard.sections.library.deleting import ask_before_deleting
from dashboard.sections.library.locked import why_locked
from dashboard.sections.welcome import draw_demo_button, draw_litqeval_form
from dashboard.words import plain
from data.library.tables import topic_sizes
from data.store import VersionRow
from data.workspace import TopicSummary

WHOLE = "The whole topic"


def draw_topics(topics: Sequence[TopicSummary]) -> None:
    """The part of the page."""
    if topics:
        _draw_table(topics)
        _draw_deleting(topics)
    else:
        st.info("This workspace is empty. Bring in files of your own, build the demo or load LitQEval to begin.")
        st.button("Bring in files", icon=":material/upload_file:", on_click=state.open_part, args=("Import",))
    litqeval, demo = st.columns(2, gap="large")
    with litqeval:
        st.subheader("LitQEval")
        st.write("21 research fields with their core publications and queries.")
        draw_litqeval_form()
    if not any(topic.made_up for topic in topics):
        with demo:
            st.subheader("Demo")
            st.write("Three made-up topics with four query versions each.")
            draw_demo_button(is_first=not topics)


def _draw_table(topics: Sequence[TopicSummary]) -> None:
    """`st.table` wraps, so that nothing is cut off on a narrow screen; it reads Markdown."""
    sizes = topic_sizes(cache.workspace().store)
    any_made_up = any(topic.made_up for topic in topics)
    rows = [
        {
            "Topic": plain(topic.topic_id),
            "Publications": f"{sizes[topic.topic_id].n_publications:,}",
            "Core": f"{topic.n_core:,}",
            "Query versions (retrieved)": _versions(topic) or "–",
            "Files": f"{sizes[topic.topic_id].n_files:,}",
            "Embedders": plain(", ".join(topic.embedders)) or "–",
        }
        | ({"Made up": "yes" if topic.made_up else "no"} if any_made_up else {})
        for topic in topics
        if topic.topic_id in sizes
    ]
    st.table(rows, hide_index=True)


def _versions(topic: TopicSummary) -> str:
    run = [v for v in topic.versions if v.n_retrieved is not None]
    return ", ".join(f"{plain(v.version.label)} ({v.n_retrieved:,})" for v in run)


def _called(row: VersionRow) -> str:
    return f"Version {row.version.label}" + (" (deleted, can be had back)" if row.deleted_at is not None else "")


def _draw_deleting(topics: Sequence[TopicSummary]) -> None:
    by_id = {topic.topic_id: topic for topic in topics}
    locked = why_locked()
    with st.expander("Delete a topic or a version"), st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = state.read_topic()
        names = list(by_id)
        place = names.index(chosen) if chosen in by_id else 0
        topic_id = st.selectbox("Topic to delete from", names, index=place)
        rows = cache.workspace().store.versions(topic_id, deleted=True)
        labels = [row.version.label for row in rows]
        place = st.selectbox(
            "What to delete",
            range(len(labels) + 1),
            format_func=lambda i: _called(rows[i - 1]) if i else WHOLE,
            help="What goes here is gone for good. On the page Versions, under History, a version can be had back.",
            key=f"delete-what-{topic_id}",
        )
        if st.button("Delete …", key="delete", disabled=bool(locked), help=locked, icon=":material/delete:"):
            ask_before_deleting(topic_id, labels[place - 1] if place else None)
