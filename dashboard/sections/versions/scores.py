"""Scores side by side, their differences, curves and the Pareto picture."""

from __future__ import annotations

import streamlit as st

from dashboard.sections.versions.chosen import Chosen


def draw_scores(chosen: Chosen) -> None:
    """Scores side by side, their differences, curves and the Pareto picture."""
    st.caption(", ".join(chosen.labels))
