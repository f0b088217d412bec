"""The view: the knowledge base on top, sets of queries below it."""

from __future__ import annotations

import streamlit as st

from dashboard.messages import guarded
from dashboard.sections.knowledge.statistics.holdings import draw_holdings
from dashboard.sections.knowledge.statistics.sets import draw_sets
from data.knowledge.base import KnowledgeBase


def draw_statistics(base: KnowledgeBase) -> None:
    """Both; a mistake in one leaves the other."""
    st.subheader("The knowledge base", anchor=False)
    with guarded():
        draw_holdings(base)
    st.subheader("Sets of queries", anchor=False)
    with guarded():
        draw_sets(base)
