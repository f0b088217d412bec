"""What may be done with a version: call it something, comment it, go on from it, run it again, delete it."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from core.errors import QueryscapeError
from dashboard import cache, state
from dashboard.messages import sentence
from dashboard.sections.library.locked import why_locked
from dashboard.words import many, plain
from data.store import VersionRow
from data.versions.comparing import (
    LONGEST_NAME,
    LONGEST_NOTE,
    bring_back,
    comment,
    delete_version,
    deleted_versions,
    name_version,
    run_again,
)

NO_WORDING = "Its wording is not known, so there is nothing to change or to run."


def is_open(topic_id: str, label: str) -> bool:
    """Whether this one is laid open in the list."""
    return bool(state.said("history-open") == (topic_id, label))


def open_version(topic_id: str, label: str | None) -> None:
    """Lay it open; None: none."""
    state.say("history-open", (topic_id, label))


def draw_changing(topic_id: str, row: VersionRow) -> None:
    """Its name and note, and the buttons; nothing in a copy of the workspace."""
    if why_locked():
        return
    version = row.version
    with st.container(horizontal=True):
        _draw_buttons(topic_id, row)
    with st.form(f"say-{version.query_id}", border=False, enter_to_submit=True):
        name = st.text_input("Name", version.name or "", max_chars=LONGEST_NAME, placeholder="What you call it")
        note = st.text_area("Note", version.note or "", max_chars=LONGEST_NOTE, height=68, placeholder="Why it is so")
        if st.form_submit_button("Save", icon=":material/check:", key=f"save-{version.query_id}"):
            _attempt(lambda: _save(topic_id, row, name, note))
            st.rerun()


def _draw_buttons(topic_id: str, row: VersionRow) -> None:
    version = row.version
    wordless = not version.text.strip()
    if st.button(
        "Branch",
        key=f"branch-{version.query_id}",
        icon=":material/call_split:",
        disabled=wordless,
        help=NO_WORDING if wordless else "Opens its text on the page Query. A run there is remembered as made from it.",
    ):
        state.choose_version_next(version.label)
        st.switch_page("app_pages/query.py", query_params={})
    st.button(
        "Run again",
        key=f"again-{version.query_id}",
        icon=":material/replay:",
        disabled=wordless,
        help=NO_WORDING if wordless else "Runs its text over what the topic has today. This version stays as it is.",
        on_click=_attempt,
        args=(lambda: _run_again(topic_id, version.label),),
    )
    st.button(
        "Delete",
        key=f"delete-{version.query_id}",
        icon=":material/delete:",
        help="Takes it out of every list. It can be brought back, here, at any time.",
        on_click=_attempt,
        args=(lambda: _delete(topic_id, version.label),),
    )


def draw_undo(topic_id: str) -> None:
    """What was just done, with the way back beside it."""
    if mistake := state.take("history"):
        st.error(plain(sentence(mistake)), icon=":material/error:")
    gone = {row.version.label for row in deleted_versions(cache.workspace(), topic_id)}
    last = state.said("history-deleted")
    if isinstance(last, tuple) and last[0] == topic_id and last[1] in gone:
        with st.container(horizontal=True, vertical_alignment="center", key="history-undo"):
            st.markdown(f":material/delete: **{plain(last[1])}** is deleted.", width="content")
            _bring_back_button(topic_id, last[1], "Undo", "undo-delete")


def draw_deleted(topic_id: str) -> None:
    """Those that were deleted, to be brought back."""
    rows = deleted_versions(cache.workspace(), topic_id)
    if not rows:
        return
    with st.expander(f"Deleted ({len(rows):,})"):
        st.caption("Their publications stay in the topic. To be rid of one for good: Library, Topics.")
        for row in rows:
            with st.container(horizontal=True, vertical_alignment="center"):
                name = f" {plain(row.version.name)}" if row.version.name else ""
                n = "not run" if row.n_retrieved is None else f"{row.n_retrieved:,} retrieved"
                st.markdown(f"**{plain(row.version.label)}**{name} · {n}", width="content")
                if not why_locked():
                    _bring_back_button(topic_id, row.version.label, "Bring back", f"back-{row.version.query_id}")


def _bring_back_button(topic_id: str, label: str, words: str, key: str) -> None:
    st.button(
        words,
        key=key,
        icon=":material/undo:",
        type="tertiary",
        on_click=_attempt,
        args=(lambda: _bring_back(topic_id, label),),
    )


def _attempt(change: Callable[[], object]) -> None:
    """Before the page is drawn anew; a mistake is said there."""
    try:
        change()
    except QueryscapeError as e:
        state.say_once("history", str(e))


def _save(topic_id: str, row: VersionRow, name: str, note: str) -> None:
    workspace, label = cache.workspace(), row.version.label
    if name.strip() != (row.version.name or ""):
        name_version(workspace, topic_id, label, name)
    if note.strip() != (row.version.note or ""):
        comment(workspace, topic_id, label, note)
    state.say_once("versions", f"{label} is saved.")


def _run_again(topic_id: str, label: str) -> None:
    row = run_again(cache.workspace(), topic_id, label)
    new = row.version.label
    if new == label:
        state.say_once("versions", f"Nothing has changed since: a run gives what {label} has.")
        return
    open_version(topic_id, new)
    state.say_once("versions", f"Version {new} retrieves {many(row.n_retrieved or 0, 'publication')}.")


def _delete(topic_id: str, label: str) -> None:
    workspace = cache.workspace()
    delete_version(workspace, topic_id, label)
    state.say("history-deleted", (topic_id, label, state.said("version"), list(state.said("versions", ()))))
    left = [row.version.label for row in workspace.store.versions(topic_id) if row.n_retrieved is not None]
    if left and state.said("version") == label:
        state.choose_version(left[-1])


def _bring_back(topic_id: str, label: str) -> None:
    bring_back(cache.workspace(), topic_id, label)
    last = state.said("history-deleted")
    if isinstance(last, tuple) and last[:2] == (topic_id, label):  # the page looks as it did before
        state.say("version", last[2])
        state.say("versions", last[3])
    state.say("history-deleted", None)
    state.say_once("versions", f"{label} is back.")
