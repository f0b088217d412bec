"""What was changed in the wording."""

from __future__ import annotations

import streamlit as st

from dashboard.sections.versions.chosen import Chosen


def draw_text(chosen: Chosen) -> None:
    """What was changed in the wording."""
    st.caption(", ".join(chosen.labels))
