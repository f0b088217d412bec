"""Rubrics of one's own: added from a file or a text, and deleted."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from core.errors import InputError, QueryscapeError
from core.judging.rubric import LONGEST_NAME
from core.judging.types import Rubric
from dashboard import cache, state
from dashboard.messages import guarded
from dashboard.words import plain
from data.judging.rubrics import (
    LONGEST_FILE,
    delete_rubric,
    is_ours,
    load_rubrics,
    read_rubric,
    rubric_text,
    save_rubric,
)

CHOSEN = "rubric"
NEXT = "rubric-next"
"""What is chosen the next time the view is drawn."""
MINE = ", my own"
"""Ends the name of a copy."""
MOST_MB = 1
ADDED = "rubric-added"
DELETED = "rubric-deleted"
FORM = """\
A rubric has a rubric_id, a name, a task, and grades with points, name and text; points rise by one. Besides, it may \
have rules to weigh, and a shown_factor. The easiest way is to change the one that is shown here."""


def draw_adding(shown: Rubric) -> None:
    """A file or a text; what is wrong with it is said, and nothing is kept then."""
    n = state.flag(ADDED)
    with st.popover("Add one of your own", icon=":material/add:", width="stretch", key=f"rubric-adding-{n}"):
        st.caption(plain(FORM))
        file = st.file_uploader("A rubric file (TOML or JSON)", key=f"rubric-upload-{n}", max_upload_size=MOST_MB)
        key = f"rubric-text-{n}"
        st.button(
            "Begin with the one that is shown",
            key="rubric-begin",
            icon=":material/content_copy:",
            type="tertiary",
            on_click=_begin,
            args=(key, shown),
        )
        typed = st.text_area("Or as text", key=key, height=260, max_chars=LONGEST_FILE)
        said = st.container()
        if st.button("Check and add", key="rubric-add", type="primary", disabled=file is None and not typed.strip()):
            with said, guarded():
                text = typed if file is None else _text_of(file.getvalue())
                _add(text)


def _begin(key: str, shown: Rubric) -> None:
    """Under an id and a name of its own, since those of the one that is shown are taken."""
    there = load_rubrics(cache.workspace().store)
    stem = shown.rubric_id.removeprefix("my-")[:50]
    ids = (f"my-{stem}" if n == 1 else f"my-{stem}-{n}" for n in range(1, len(there) + 2))
    rubric_id = next(each for each in ids if each not in there)
    name = f"{shown.name.removesuffix(MINE)[: LONGEST_NAME - len(MINE)]}{MINE}"
    state.say(key, rubric_text(replace(shown, rubric_id=rubric_id, name=name)))


def _text_of(content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as e:
        raise InputError("the rubric file is no text in UTF-8: save it as UTF-8 and add it again") from e


def _add(text: str) -> None:
    rubric = save_rubric(cache.workspace().store, read_rubric(text))
    state.raise_flag(ADDED)
    state.say(NEXT, rubric.rubric_id)
    state.say_once("judge", f'Rubric "{rubric.name}" is added. It can be chosen in the view Run.')
    st.rerun()


def draw_deleting(rubric: Rubric) -> None:
    """For those that users added."""
    if not is_ours(rubric.rubric_id):
        st.button(
            "Delete it",
            key="rubric-delete",
            icon=":material/delete:",
            type="tertiary",
            help="What was judged by it stays, with the rubric itself.",
            on_click=_delete,
            args=(rubric,),
        )


def _delete(rubric: Rubric) -> None:
    try:
        delete_rubric(cache.workspace().store, rubric.rubric_id)
    except QueryscapeError as e:
        state.say_once("judge", str(e))
    else:
        state.say(DELETED, rubric)


def draw_undo() -> None:
    """Once one was deleted, until another thing is done with it."""
    deleted = state.said(DELETED)
    if not isinstance(deleted, Rubric):
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(plain(f"{deleted.name} is deleted."), width="content")
        st.button("Undo", key="rubric-undo", icon=":material/undo:", type="tertiary", on_click=_undo, args=(deleted,))


def _undo(deleted: Rubric) -> None:
    state.say(DELETED, None)
    try:
        kept = save_rubric(cache.workspace().store, deleted)
    except QueryscapeError as e:
        state.say_once("judge", str(e))
    else:
        state.say(NEXT, kept.rubric_id)
