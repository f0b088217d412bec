"""The view "Write": a form from top to bottom, the dry run, one button, and the writings that there are."""

from __future__ import annotations

import streamlit as st

from core.errors import QueryscapeError
from dashboard import cache
from dashboard.messages import guarded, sentence
from dashboard.sections.library.locked import why_locked
from dashboard.sections.waiting import watch
from dashboard.sections.writer.brief.first import draw_first, what_it_is
from dashboard.sections.writer.brief.more import More, draw_more
from dashboard.sections.writer.brief.texts import Typed, draw_texts
from dashboard.sections.writer.brief.who import Who, draw_who
from dashboard.sections.writer.opened import rows_of
from dashboard.sections.writer.run.listed import draw_ended, draw_writings
from dashboard.sections.writer.run.plan import draw_dry_run, draw_plan
from dashboard.sections.writer.run.work import is_at_work, job_of, start_writing
from dashboard.words import many, plain
from data.writer.keeping import Wanted
from data.writer.writing import Plan

DRY_RUN_FIRST = "Do the dry run first: it says what this costs."


def draw_write(topic_id: str, embedder: str) -> None:
    """What a first visitor needs is above the form, what was written before below it."""
    if cache.workspace().store.is_copy:
        st.info("This is a copy to look at: strings are written where the workspace is open.")
        draw_writings(topic_id)
        return
    job = job_of(topic_id)
    if job is not None and not job.is_over:
        with st.container(border=True, key="writer-progress"):
            st.markdown(f"**Writing for {plain(topic_id)}**")
            watch(job, "Stop")
    else:
        draw_ended(topic_id, job)
        if rows_of(topic_id):
            st.caption(what_it_is(topic_id))
        else:
            draw_first(topic_id, embedder)
    with guarded():
        _draw_form(topic_id, embedder)
    with guarded():
        draw_writings(topic_id)


def _draw_form(topic_id: str, embedder: str) -> None:
    st.subheader("What is wanted", anchor=False)
    typed = draw_texts(topic_id)
    who = draw_who(topic_id)
    more = draw_more(topic_id)
    try:
        wanted = _wanted(topic_id, embedder, typed, who, more)
    except QueryscapeError as e:
        st.warning(plain(sentence(str(e))), icon=":material/edit:")
        _draw_button(None, why="Mend what is said above first.")
        return
    for problem in who.problems:
        st.error(plain(sentence(problem)), icon=":material/key:")
    buttons = st.container(horizontal=True, vertical_alignment="center", key="writer-buttons")
    found = draw_plan(wanted, is_paid=who.is_paid)
    with buttons:
        _draw_buttons(topic_id, wanted, who, found)


def _wanted(topic_id: str, embedder: str, typed: Typed, who: Who, more: More) -> Wanted:
    brief = typed.brief(seed=more.seed, hold_out=more.hold_out, semantics=more.semantics)
    recipes = who.recipes(typed.modes, more.n_seeds)
    return Wanted(topic_id, brief, more.budget, recipes, embedder, more.live, more.supporting)


def _draw_buttons(topic_id: str, wanted: Wanted, who: Who, found: Plan | None) -> None:
    why = why_locked() or ""
    if is_at_work(job_of(topic_id)):
        why = "Strings are being written for this topic."
    elif who.problems:
        why = "Mend what is said above first."
    elif who.is_paid and found is None:
        why = DRY_RUN_FIRST
    draw_dry_run(wanted, is_first=why == DRY_RUN_FIRST)
    _draw_button(wanted, why=why, is_first=why != DRY_RUN_FIRST)
    st.caption(_said(wanted, who, found), width="content")


def _said(wanted: Wanted, who: Who, found: Plan | None) -> str:
    """What a click on the button does."""
    n = len(wanted.recipes)
    strings = f"{many(n + (1 if n else 0) + 1, 'candidate')}, and the topic's name beside them."
    if not who.is_paid:
        return f"{strings} Nothing leaves this machine." if wanted.live is None else strings
    return f"{strings} Nothing was sent yet." if found is not None else DRY_RUN_FIRST


def _draw_button(wanted: Wanted | None, *, why: str = "", is_first: bool = True) -> None:
    st.button(
        "Write",
        key="writer-start",
        icon=":material/edit_note:",
        type="primary" if is_first else "secondary",
        disabled=bool(why) or wanted is None,
        help=why or None,
        on_click=start_writing if wanted is not None else None,
        args=(wanted,),
    )
