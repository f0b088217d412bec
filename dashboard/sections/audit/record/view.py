"""The view Record."""

from __future__ import annotations

import streamlit as st


def draw_record() -> None:
    """The sixteen items."""
    st.caption("Nothing here yet.")
