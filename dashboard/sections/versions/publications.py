"""Which publications were gained, lost and kept."""

from __future__ import annotations

import streamlit as st

from dashboard.sections.versions.chosen import Chosen


def draw_publications(chosen: Chosen) -> None:
    """Which publications were gained, lost and kept."""
    st.caption(", ".join(chosen.labels))
