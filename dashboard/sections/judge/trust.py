"""The view "Trust": whether a judge is to be believed, and what of that was measured."""

from __future__ import annotations

import streamlit as st

from dashboard.messages import plain
from dashboard.sections.judge.choosing import Opened


def draw_trust(opened: Opened) -> None:
    """What was measured, and what was not."""
    st.info(plain(f"{opened.row.name}: nothing was measured yet."))
