"""Grades as judgments of a collection, for the page Retrievers."""

from __future__ import annotations

import re

import streamlit as st

from core.judging.types import GradeMap
from core.protocols import OnStage
from dashboard import cache, state
from dashboard.sections.judge.choosing import Opened
from dashboard.sections.waiting import follow
from dashboard.words import plain
from data.collections.stored import MOST_CHARACTERS, checked_name, list_collections
from data.judging.export.qrels import is_replaceable, load_judged_run, save_judged_collection

JUDGED_ALONE = ""
COLLECTED = "judged-collected"
"""The name of the collection that was saved last."""


def draw_collecting(opened: Opened, engines: tuple[str, ...] | None, grade_map: GradeMap) -> None:
    """A name, the documents, and a button; it is a job, because a collection may be large."""
    store = cache.workspace().store
    if store.is_copy:
        return
    if state.said("judged-name") is None:
        state.say("judged-name", f"judged {file_stem(opened.row.name)}"[:MOST_CHARACTERS])
    texts = {JUDGED_ALONE: "What was judged alone"} | {row.name: row.name for row in list_collections(store)}
    state.settle_named("judged-documents", list(texts))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.text_input("Name of the collection", key="judged-name", max_chars=MOST_CHARACTERS, width=260)
        documents = st.selectbox(
            "Its documents",
            list(texts),
            key="judged-documents",
            format_func=lambda each: texts.get(each, each),
            help="Choose the collection that was searched, so that other retrievers have all of it to search.",
            width=260,
        )
        is_there = is_replaceable(store, name.strip())
        is_asked = st.button(
            "Replace the collection" if is_there else "Save as a collection",
            key="judged-collect",
            icon=":material/library_add:",
            help="Queries, publications and these judgments, for the page Retrievers. Its notes say whose grades they "
            "are.",
        )
    key = f"judged-collect:{opened.row.run_id}"
    if is_asked:
        _start(opened, engines, grade_map, checked_name(name), str(documents) or None, is_there, key)
        st.rerun()
    if (job := cache.jobs().find(key)) is not None:
        follow(job)
    elif state.said(COLLECTED) in texts:
        st.success(plain(f"{state.said(COLLECTED)} is among the collections of the page Retrievers."))


def _start(
    opened: Opened,
    engines: tuple[str, ...] | None,
    grade_map: GradeMap,
    name: str,
    documents: str | None,
    replace: bool,
    key: str,
) -> None:
    def work(on_stage: OnStage) -> None:
        on_stage("copying queries, texts and judgments")
        store = cache.workspace().store
        run = load_judged_run(store, opened.row)
        chosen = run if engines is None else run.of_engines(engines)
        save_judged_collection(store, chosen, name, grade_map, documents=documents, replace=replace)
        cache.collections_changed()

    state.say(COLLECTED, name)
    cache.jobs().forget(key)
    cache.jobs().start(key, "Saving the collection", work, lane="long")


def file_stem(name: str) -> str:
    """The beginning of a file's name.

    >>> file_stem("AI / top 5"), file_stem("...")
    ('ai-top-5', 'judged')
    """
    return re.sub(r"[^\w]+", "-", name.lower()).strip("-")[:80] or "judged"
