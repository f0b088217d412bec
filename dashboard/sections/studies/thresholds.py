"""Which similarity threshold fits all topics, and what it costs each of them."""

from __future__ import annotations

import streamlit as st


def draw_thresholds() -> None:
    """Which similarity threshold fits all topics, and what it costs each of them."""
    st.caption("Thresholds")
