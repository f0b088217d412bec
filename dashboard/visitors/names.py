"""The name of the visitor: one field on every page, which the browser remembers.

The name is never in the link, so no link can make a visitor act under another name.
"""

from __future__ import annotations

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.errors import InputError
from dashboard import state
from dashboard.kit.components import mount_visitor_part
from dashboard.messages import sentence
from dashboard.words import plain
from data.changes import LONGEST_NAME, find_author_with, person_name

FIELD, KEPT = "your-name", "kept-name"
"""Keys of the field, and of the name as the session keeps it: None until one was entered or remembered."""
NEEDED = "Enter your name in the sidebar first."


def draw_name() -> None:
    """Draw the field. It is filled in only with what the browser remembered, so that no run replaces what is typed."""
    kept, now = state.value(KEPT), state.value(FIELD)
    if now is None:
        now = str(kept or "")
        state.set_value(FIELD, now)
    is_known = bool(now) or kept is not None
    document = {"name": "name", "text": now if is_known else None}
    remembered = mount_visitor_part("browser_memory", document, "browser-memory", "kept")
    if not is_known and (now := str(remembered or "")[:LONGEST_NAME]):
        state.set_value(FIELD, now)
        is_known = True
    if is_known:
        state.set_value(KEPT, now)
    st.text_input(
        "Your name",
        key=FIELD,
        max_chars=LONGEST_NAME,
        placeholder="Your name",
        help="Stored with everything you add or change, and shown to everyone who opens this workspace. Your browser "
        "remembers it.",
        icon=":material/person:",
        label_visibility="collapsed",
    )
    try:
        person_name(now)
    except InputError as e:
        st.warning(plain(sentence(str(e))))


def name() -> str:
    """Return the name as it stands in the field now, also in a callback; empty: none, or no valid one."""
    now = state.snapshot()  # reading one value could interrupt a change that is being saved
    try:
        return person_name(str(now.get(FIELD, now.get(KEPT)) or ""))
    except InputError:
        return ""


def _of_run() -> str | None:
    """Return the name of the visitor whose page runs in this thread; None: no page, or no name."""
    if get_script_run_ctx(suppress_warning=True) is None:
        return None
    return name() or None


find_author_with(_of_run)
