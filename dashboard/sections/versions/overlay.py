"""Both versions on one landscape; nothing moves."""

from __future__ import annotations

import streamlit as st

from dashboard.sections.versions.chosen import Chosen


def draw_overlay(chosen: Chosen) -> None:
    """Both versions on one landscape; nothing moves."""
    st.caption(", ".join(chosen.labels))
