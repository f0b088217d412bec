"""The query template that finds surveys of a field."""

from __future__ import annotations

import streamlit as st


def draw_surveys() -> None:
    """The query template that finds surveys of a field."""
    st.caption("Find surveys")
