"""The view "Sort": keywords in their lists, the string that they make and what it is worth."""

from __future__ import annotations

import streamlit as st


def draw_sort(writing_id: str | None) -> None:
    """The whole view. `writing_id`: the writing that is open; None: none is, and the topic's name alone is sorted."""
    st.caption("Keywords in their lists stand here soon." if writing_id is None else "The keywords of this writing.")
