"""Writings that there are: how far each came, going on with one, its brief once more, and deleting."""

from __future__ import annotations

import streamlit as st

from core.errors import CorruptStoreError, QueryscapeError
from dashboard import cache, state
from dashboard.jobs import Job
from dashboard.messages import guarded, sentence
from dashboard.sections.library.locked import why_locked
from dashboard.sections.writer.brief.texts import take_over
from dashboard.sections.writer.opened import STATES, WRITE, load, open_view, open_writing, rows_of
from dashboard.sections.writer.run.work import forget, is_at_work, job_of, refining_of, start_again
from dashboard.words import many, plain, when
from data.writer.keeping import Writing, WritingRow, delete_writing

SHOWN = 6
LIST_NOTE = "writer-list"


def draw_ended(topic_id: str, job: Job | None) -> None:
    """How the last work for this topic ended, if it did so early."""
    if job is None or not job.is_over or job.finished:
        return
    kept = next((row for row in rows_of(topic_id).values() if row.state != "done"), None)
    if job.error:
        st.error(plain(sentence(job.error)), icon=":material/error:")
    else:
        st.info("Stopped. What was answered so far is kept.", icon=":material/stop_circle:")
    with st.container(horizontal=True, vertical_alignment="center"):
        if kept is not None:
            st.button(
                "Go on",
                key="writer-go-on",
                icon=":material/play_arrow:",
                type="primary",
                help="Nothing that was answered is asked again.",
                on_click=start_again,
                args=(topic_id, kept.writing_id),
            )
        st.button("Close", key="writer-ended", type="tertiary", on_click=forget, args=(job,))


def draw_writings(topic_id: str) -> None:
    """A card for each, the newest first; where there is none, nothing."""
    rows = list(rows_of(topic_id).values())
    if message := state.take(LIST_NOTE):
        st.error(plain(sentence(message)), icon=":material/error:")
    if not rows:
        return
    st.subheader("Written before", anchor=False)
    for row in rows[:SHOWN]:
        _draw_one(row)
    if len(rows) > SHOWN:
        with st.expander(f"{len(rows) - SHOWN:,} older"):
            for row in rows[SHOWN:]:
                _draw_one(row)


def _draw_one(row: WritingRow) -> None:
    with guarded(), st.container(border=True, key=f"writer-writing-{row.writing_id}"):
        words, buttons = st.columns([0.6, 0.4], vertical_alignment="center")
        with words:
            st.markdown(f"**{plain(row.topic)}**")
            st.caption(plain(said(row, is_at_work=_is_at_work(row))))
        with buttons, st.container(horizontal=True, horizontal_alignment="right"):
            _draw_buttons(row)


def _is_at_work(row: WritingRow) -> bool:
    return is_at_work(job_of(row.topic_id)) or is_at_work(refining_of(row.writing_id))


def said(row: WritingRow, *, is_at_work: bool) -> str:
    """How far it came, in one line."""
    state_said = "being written" if is_at_work and row.state in ("planned", "running") else STATES[row.state]
    parts = [state_said.capitalize(), many(max(row.n_steps - 1, 0), "string"), many(row.n_calls, "question")]
    parts.append(when(row.made_at))
    return " · ".join(parts) + (f" · {sentence(row.problem)}" if row.problem else "")


def _draw_buttons(row: WritingRow) -> None:
    key, locked = row.writing_id, why_locked()
    at_work = _is_at_work(row)
    if row.state != "done" and not at_work:
        st.button(
            "Go on",
            key=f"writer-resume-{key}",
            icon=":material/play_arrow:",
            disabled=locked is not None,
            help=locked or "Nothing that was answered is asked again.",
            on_click=start_again,
            args=(row.topic_id, key),
        )
    st.button(
        "Open",
        key=f"writer-open-{key}",
        icon=":material/open_in_full:",
        disabled=not row.n_steps,
        on_click=open_writing,
        args=(key,),
    )
    with st.popover("More", icon=":material/more_horiz:", key=f"writer-more-{key}"):
        st.button(
            "Use this brief again",
            key=f"writer-brief-{key}",
            icon=":material/content_copy:",
            help="The form above says what this one was begun with.",
            on_click=_use_brief,
            args=(row,),
            width="stretch",
        )
        st.button(
            "Delete for good",
            key=f"writer-delete-{key}",
            icon=":material/delete:",
            disabled=at_work or locked is not None,
            help=locked or "Its questions, answers and strings go. Versions that were saved from it stay.",
            on_click=_delete,
            args=(key,),
            width="stretch",
        )


def is_readable(writing_id: str) -> bool:
    """Whether a writing can be shown; if not, why is said, with a way out; and so is an early end."""
    try:
        _draw_early_end(load(writing_id))
    except CorruptStoreError as e:
        st.error(plain(sentence(str(e))), icon=":material/error:")
    else:
        return True
    with st.container(horizontal=True):
        st.button(
            "Delete for good",
            key="writer-delete-unreadable",
            icon=":material/delete:",
            disabled=why_locked() is not None,
            help=why_locked() or "Versions that were saved from it stay.",
            on_click=_delete,
            args=(writing_id,),
        )
        st.button("Write", key="writer-begin", icon=":material/edit_note:", on_click=open_view, args=(WRITE,))
    return False


def _draw_early_end(writing: Writing) -> None:
    at_work = is_at_work(job_of(writing.topic_id)) or is_at_work(refining_of(writing.writing_id))
    if not writing.problem or at_work:
        return
    st.warning(plain(sentence(f"It ended early: {writing.problem}")), icon=":material/warning:")
    if writing.state != "done":
        st.button(
            "Go on",
            key="writer-go-on-here",
            icon=":material/play_arrow:",
            disabled=why_locked() is not None,
            help=why_locked() or "Nothing that was answered is asked again.",
            on_click=_go_on,
            args=(writing,),
        )


def _go_on(writing: Writing) -> None:
    start_again(writing.topic_id, writing.writing_id)
    open_view(WRITE)


def _use_brief(row: WritingRow) -> None:
    try:
        take_over(row.topic_id, load(row.writing_id).brief)
    except QueryscapeError as e:
        state.say_once(LIST_NOTE, str(e))


def _delete(writing_id: str) -> None:
    try:
        delete_writing(cache.workspace().store, writing_id)
    except QueryscapeError as e:
        state.say_once(LIST_NOTE, str(e))
