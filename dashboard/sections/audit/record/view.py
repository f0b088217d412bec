"""The view "Record": how complete the record of a search is, item by item, and what to do next."""

from __future__ import annotations

import streamlit as st

from core.audit.reporting.about_strategies import fill
from dashboard import state
from dashboard.messages import guarded
from dashboard.sections.audit.record.flowing import draw_flow
from dashboard.sections.audit.record.head import draw_head
from dashboard.sections.audit.record.items import draw_items
from dashboard.sections.audit.record.known import known_of


def draw_record() -> None:
    """The head, the sixteen items, then the numbers of the flow."""
    topic_id = state.read_topic()
    if topic_id is None:
        st.info("There is no topic yet: build the demo on Explore, or bring files on Library.")
        return
    facts = known_of(topic_id)
    if not facts.searches:
        st.info("No version of this topic's query was run or brought in yet, so most of the record is still empty.")
    filled = fill(facts)
    draw_head(filled)
    draw_items(topic_id, filled)
    with guarded():
        draw_flow(facts)
