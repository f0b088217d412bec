"""Every version of the topic, oldest first: what it is called, where it comes from, what it found."""

from __future__ import annotations

import streamlit as st

from dashboard.sections.versions.chosen import Chosen


def draw_history(chosen: Chosen) -> None:
    """Every version of the topic, oldest first: what it is called, where it comes from, what it found."""
    st.caption(", ".join(chosen.labels))
