"""The core publications of all topics on one landscape, and whether they fall apart by topic."""

from __future__ import annotations

import streamlit as st


def draw_together() -> None:
    """The core publications of all topics on one landscape, and whether they fall apart by topic."""
    st.caption("Together")
