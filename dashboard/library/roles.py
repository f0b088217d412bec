"""The role of a file on the page Library: change it, undo that, and use the labels of a screening tool."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from core.errors import QueryscapeError
from core.library.labels import PHASES, Phase
from core.text import many
from dashboard import cache, state
from dashboard.messages import draw_problem
from dashboard.status import why_locked
from dashboard.words import plain
from data.library.imports import labels_of_file
from data.library.records import RESERVED, SourceRole, SourceRow, n_labelled_records
from data.library.roles import RoleChange, change_role, undo_role

CHANGE = "role-change"
"""The last change of this visitor, which can be undone."""


def draw_role(topic_id: str, source: SourceRow, and_then: Callable[[], None]) -> None:
    """Draw the role of a file. `and_then` runs after a change: a version may be gone."""
    locked, store = why_locked(), cache.workspace().store
    versions = [row.version.label for row in store.versions(topic_id) if not row.over_corpus]
    now = source.role.label or source.role.kind
    roles = list(dict.fromkeys((*RESERVED, *versions, now)))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.selectbox(
            "Role",
            roles,
            index=roles.index(now),
            accept_new_options=True,
            help="corpus, core, screened, included, or the label of a query version. A new label creates a version.",
            key=f"role-{source.source_id}",
            width=240,
        )
        if st.button(
            "Change the role",
            key="change-role",
            icon=":material/swap_horiz:",
            disabled=bool(locked) or not chosen or chosen == now,
            help=locked or "The topic is then as if the file had been imported with this role. You can undo it.",
        ):
            _change(topic_id, source, str(chosen), and_then)
    if source.role.is_search and not locked and (n := n_labelled_records(store, source.source_id)):
        with st.container(horizontal=True, vertical_alignment="center"):
            carry = "carries" if n == 1 else "carry"
            st.markdown(f"{many(n, 'record')} {carry} labels of a screening tool. Use them as:")
            for phase in PHASES:
                if st.button(phase.capitalize(), key=f"labels-as-{phase}"):
                    _attempt(partial(_use_labels, topic_id, source, phase))


def _change(topic_id: str, source: SourceRow, text: str, and_then: Callable[[], None]) -> None:
    def change() -> str:
        done = change_role(cache.workspace(), topic_id, source.source_id, SourceRole.named(text))
        state.set_value(CHANGE, done)
        and_then()
        return ""

    _attempt(change)


def _use_labels(topic_id: str, source: SourceRow, phase: Phase) -> str:
    done = labels_of_file(cache.workspace(), topic_id, source.source_id, phase)
    if all(file.was_here for file in done.files):
        return f"The labels of {source.name} are already used as {phase}."
    return f"The labels of {source.name} are now used as {phase}: they are a file of their own, which you can delete."


def draw_role_change(topic_id: str) -> None:
    """Draw the last change of a role, with a button that undoes it."""
    change: RoleChange | None = state.value(CHANGE)
    if change is None or change.topic_id != topic_id:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.success(f"{plain(change.name)} is now {plain(str(change.after))}.", icon=":material/check:")
        if st.button("Undo", key="undo-role", icon=":material/undo:", disabled=bool(why_locked())):

            def undo() -> str:
                state.set_value(CHANGE, None)
                undo_role(cache.workspace(), change)
                return f"{change.name} is {change.before} again."

            _attempt(undo)


def _attempt(work: Callable[[], str]) -> None:
    try:
        words = work()
    except QueryscapeError as e:
        draw_problem(str(e))
        return
    if words:
        state.say_once("library", words)
    st.rerun()
