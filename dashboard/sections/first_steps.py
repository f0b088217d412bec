"""A topic that is not complete: what it has, what it lacks, and the next thing to do."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from core.errors import QueryscapeError
from dashboard import cache, state
from dashboard.words import plain
from data.library.tables import n_publications
from data.workspace import TopicSummary

DONE, OPEN = ":material/check_circle:", ":material/radio_button_unchecked:"


def needs_first_steps(topic_id: str) -> bool:
    """Whether there is nothing to score yet."""
    topic = _topic(topic_id)
    return not topic.n_core or not any(row.n_retrieved is not None for row in topic.versions)


def draw_first_steps(topic_id: str) -> None:
    """Corpus, core publications, query: in this order."""
    topic = _topic(topic_id)
    n = n_publications(cache.workspace().store, topic_id)
    has_run = any(row.n_retrieved is not None for row in topic.versions)
    st.title(plain(topic_id))
    st.write("Three things make a topic: publications to search in, known core publications, and a query.")
    if not topic.n_core:
        st.info("This topic has no core publications. Recall needs at least one.", icon=":material/flag:")
    if message := state.take("first"):
        st.error(plain(message), icon=":material/error:")
    if note := state.take("ran"):
        st.toast(plain(note))
    has_corpus = n > topic.n_core or has_run
    _step(has_corpus, f"Corpus: {n:,} publications" if n else "Corpus", "Corpus", "Bring in a corpus")
    _step(
        bool(topic.n_core),
        f"Core publications: {topic.n_core:,}" if topic.n_core else "Core publications",
        "Core publications",
        "Bring in core publications",
    )
    _draw_query(topic, has_run, n)


def _topic(topic_id: str) -> TopicSummary:
    return next(t for t in cache.workspace().topics() if t.topic_id == topic_id)


def _step(is_done: bool, words: str, role: str, label: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"{DONE if is_done else OPEN} {words}", width="content")
        if not is_done:
            draw_import_button(label, role)


def draw_import_button(label: str, role: str = "Corpus", width: Literal["content", "stretch"] = "content") -> None:
    """To the page Library, where files come in."""
    if st.button(label, key=f"import-{role}", icon=":material/upload_file:", width=width):
        st.switch_page("app_pages/library.py", query_params={"part": "Import", "as": role})


def _draw_query(topic: TopicSummary, has_run: bool, n: int) -> None:
    run = [row.version.label for row in topic.versions if row.n_retrieved is not None]
    words = f"Query: {len(run):,} run" if has_run else "Query"
    st.markdown(f"{DONE if has_run else OPEN} {words}")
    if has_run or not n:
        return
    if cache.workspace().store.is_copy:
        st.caption("This is a copy to look at: queries are run where the workspace is open.")
        return
    waiting = [row for row in topic.versions if row.version.text]
    text = waiting[-1].version.text if waiting else ""
    key = f"first-query-{topic.topic_id}"
    st.text_area("Query", text, key=key, height=110, placeholder='heat AND ("street trees" OR shade*)')
    st.button(
        "Run",
        key="run-first",
        type="primary",
        icon=":material/play_arrow:",
        on_click=_run,
        args=(topic.topic_id, key),
        help="Runs the text over this topic's publications, as a first version.",
    )


def _run(topic_id: str, key: str) -> None:
    """Before the page is drawn anew, so that it shows the version."""
    try:
        row = cache.workspace().run_query(topic_id, str(state.said(key, "")))
    except QueryscapeError as e:
        state.say_once("first", str(e)[:1].upper() + str(e)[1:] + ".")
        return
    state.choose_version_next(row.version.label)
    state.say_once("ran", f"Version {row.version.label} retrieves {row.n_retrieved or 0:,} publications.")
