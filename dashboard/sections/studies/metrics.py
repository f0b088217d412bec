"""Every score of every topic, for two origins."""

from __future__ import annotations

import streamlit as st


def draw_metrics() -> None:
    """Every score of every topic, for two origins."""
    st.caption("Scores")
