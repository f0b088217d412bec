"""Who the core publications of all topics are: kinds, years, citations."""

from __future__ import annotations

import streamlit as st


def draw_core_sets() -> None:
    """Who the core publications of all topics are: kinds, years, citations."""
    st.caption("Core publications")
