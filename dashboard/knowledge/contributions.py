"""Save, withdraw and export the queries and ratings that people contribute."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.protocols import OnStage
from dashboard import cache, state
from dashboard.kit.components import draw_download
from dashboard.kit.publication_lists import PublicationGroup, draw_table
from dashboard.knowledge.entity_display import entity_group
from dashboard.status import JobFamily, draw_end, is_watched, why_locked
from dashboard.words import plain
from data.collections import MOST_CHARACTERS, checked_name
from data.knowledge.base import KnowledgeBase
from data.knowledge.people import (
    HumanQuery,
    human_archive,
    human_questions,
    is_replaceable,
    queries_of,
    save_human_collection,
    take_back,
)

# Save a visitor's work immediately: an error is shown on the page, and the page continues.

NOTE = "people"
"""Key of the error message for the next run."""


# People's contributions to a knowledge base: withdrawing, a collection of them, and files.

MOST_LISTED = 200
LONGEST_LABEL = 90


def draw_own(base: KnowledgeBase, person: str | None) -> None:
    written = queries_of(cache.workspace().store, base.about.name)
    confirmed = [one for one in written if one.state == "confirmed"]
    n_skipped = sum(one.state == "skipped" for one in written)
    n_writers = len({one.writer for one in confirmed})
    st.markdown("## Queries written")
    if not confirmed:
        st.caption(
            f"Nothing is confirmed yet; {n_skipped:,} were skipped." if n_skipped else "Nothing is confirmed yet."
        )
    else:
        st.caption(
            f"{len(confirmed):,} confirmed by {n_writers:,} {'person' if n_writers == 1 else 'people'}, "
            f"{n_skipped:,} skipped."
        )
        _draw_list(base, confirmed)
    if person is not None:
        _draw_take_back([one for one in written if one.writer == person and one.state != "drafted"])
    if confirmed:
        _draw_collecting(base)


def _draw_list(base: KnowledgeBase, confirmed: Sequence[HumanQuery]) -> None:
    listed = confirmed[::-1][:MOST_LISTED]
    draw_table(
        [
            {
                "Query": one.text,
                "Answers": len(one.answers),
                "Entity": one.entity_id,
                "Written by": one.writer,
                "Written": one.made_at[:10],
            }
            for one in listed
        ],
        lambda row, column: answers_group(base, listed[row]) if column == "Answers" else None,
        key="people-written",
        hint="Click a number of answers to list them.",
    )
    if len(confirmed) > MOST_LISTED:
        st.caption(f"The last {MOST_LISTED} of {len(confirmed):,} are listed; the files hold all.")


def answers_group(base: KnowledgeBase, query: HumanQuery) -> PublicationGroup:
    return entity_group(base, query.text, list(base.rows_of(query.answers).values()))


def _draw_take_back(own: Sequence[HumanQuery]) -> None:
    if not own:
        return
    by_id = {one.query_id: one for one in own[::-1]}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        state.settle_named("taken-back", list(by_id))
        choice = st.selectbox(
            "Your query",
            list(by_id),
            key="taken-back",
            format_func=lambda one: _label(by_id[one]) if one in by_id else one,
        )
        st.button(
            "Withdraw",
            key="take-back",
            icon=":material/undo:",
            help="It becomes a draft again, to change or skip.",
            on_click=_take_back,
            args=(str(choice),),
            disabled=why_locked() is not None,
        )


def _label(query: HumanQuery) -> str:
    text = query.text or query.entity_id
    what = f"skipped: {query.entity_id}" if query.state == "skipped" else text
    return what if len(what) <= LONGEST_LABEL else f"{what[:LONGEST_LABEL]} …"


def _take_back(query_id: str) -> None:
    with state.noting(NOTE):
        take_back(cache.workspace().store, query_id)


def _draw_collecting(base: KnowledgeBase) -> None:
    store = cache.workspace().store
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if state.value("people-name") is None:
            state.set_value("people-name", f"{base.about.name}-human"[:MOST_CHARACTERS])
        name = st.text_input("Name of the collection", key="people-name", max_chars=MOST_CHARACTERS, width=260)
        is_there = is_replaceable(store, base, name.strip())
        asked = st.button(
            "Replace the collection" if is_there else "Save as a collection",
            key="people-collect",
            icon=":material/library_add:",
            help="Queries, confirmed answers and the texts of all answer types, for use on the page Retrievers.",
            disabled=why_locked() is not None,
        )
        draw_download(
            "STaRK files",
            lambda: human_archive(human_questions(store, base, base.about.name)),
            file_name=f"{file_name(base.about.name)}-human.zip",
            mime="application/zip",
            key="people-files",
            help="stark_qa_human_generated_eval.csv and split/human_generated_eval.index, as STaRK publishes them.",
        )
    _collect(base, name, asked=asked, replace=is_there)


def file_name(name: str) -> str:
    """Return a valid file name.

    >>> file_name("a b/c")
    'a-b-c'
    """
    return "".join(sign if sign.isalnum() or sign in "-_" else "-" for sign in name)


COLLECTION_JOBS = JobFamily("people-collect", lane="long")


def _collect(base: KnowledgeBase, name: str, *, asked: bool, replace: bool) -> None:
    if asked:
        chosen = checked_name(name)

        def work(on_stage: OnStage) -> None:
            on_stage("copying queries and texts")
            save_human_collection(cache.workspace().store, base, chosen, replace=replace)
            cache.collections_changed()

        COLLECTION_JOBS.replace(base.about.key, "Saving the collection", work)
        state.set_value("people-collected", chosen)
    job = COLLECTION_JOBS.find(base.about.key)
    if job is None or is_watched(job):
        return
    draw_end(job)
    if job.finished and (chosen := state.value("people-collected")):
        st.success(plain(f'Collection "{chosen}" is ready. Open it on the page Retrievers.'), icon=":material/check:")
