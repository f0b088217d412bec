"""What the choice of parameters does to the scores and to the order of the versions."""

from __future__ import annotations

import streamlit as st

from dashboard.sections.versions.chosen import Chosen


def draw_robustness(chosen: Chosen) -> None:
    """What the choice of parameters does to the scores and to the order of the versions."""
    st.caption(", ".join(chosen.labels))
