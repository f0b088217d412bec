"""An item that is opened: what a report will say there, what that rests on, and the ways to answer."""

from __future__ import annotations

import streamlit as st

from core.audit.reporting.about_strategies import Filled
from dashboard.sections.audit.blocks import draw_blocks, draw_lines
from dashboard.sections.audit.opened import open_view
from dashboard.sections.audit.record.saying import draw_saying
from dashboard.words import plain

PEER_REVIEW = "prisma-s:14"


def draw_item(topic_id: str, filled: Filled) -> None:
    """From what is asked to what can be said."""
    item = filled.item
    st.caption(plain(item.asks))
    if filled.text:
        draw_lines(filled.text)
    elif filled.recorded:
        draw_lines(filled.recorded)
    else:
        st.markdown("*Nothing is recorded, and nobody has said anything yet.*")
    for warning in filled.warnings:
        st.warning(plain(warning), icon=":material/warning:")
    if filled.change:
        st.warning(plain(filled.change), icon=":material/sync_problem:")
    if filled.answer is not None and filled.recorded and filled.recorded != filled.text:
        with st.expander("What Queryscape recorded"):
            draw_lines(filled.recorded)
    if filled.evidence:
        st.caption(plain(filled.evidence))
    draw_blocks(filled.blocks, key=f"audit-block-{item.number}")
    if filled.next_step:
        st.caption(f":material/arrow_forward: {plain(filled.next_step)}")
    if item.item == PEER_REVIEW:
        st.button(
            "Peer review",
            key="audit-to-review",
            icon=":material/rate_review:",
            on_click=open_view,
            args=("Peer review",),
        )
    draw_saying(topic_id, filled)
