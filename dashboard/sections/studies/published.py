"""What was published, beside what is computed here."""

from __future__ import annotations

import streamlit as st


def draw_published() -> None:
    """What was published, beside what is computed here."""
    st.caption("Published")
