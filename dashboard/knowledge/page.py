"""The Knowledge page: knowledge bases of texts and relations."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from dashboard import state
from dashboard.kit.components import mount_code
from dashboard.knowledge.base_statistics import draw_statistics
from dashboard.knowledge.bases import choose_base
from dashboard.knowledge.entities import draw_explorer
from dashboard.knowledge.people import draw_people
from dashboard.knowledge.questions import draw_questions
from dashboard.knowledge.synthesis import draw_synthesis
from dashboard.messages import guarded
from dashboard.words import plain
from data.knowledge.base import KnowledgeBase

VIEWS: dict[str, Callable[[KnowledgeBase], None]] = {
    "Entities": draw_explorer,
    "Questions": draw_questions,
    "Statistics": draw_statistics,
    "Synthesis": draw_synthesis,
    "People": draw_people,
}


def render() -> None:
    st.title("Knowledge")
    mount_code()
    with guarded():
        _draw()
    if note := state.take("knowledge"):
        st.toast(plain(note))


def _draw() -> None:
    base = choose_base()
    if base is None:
        return
    state.settle("kb", list(VIEWS))
    view = st.segmented_control(
        "View", list(VIEWS), key="kb", required=True, label_visibility="collapsed", bind="query-params"
    )
    with guarded():
        VIEWS[str(view)](base)


if __name__ == "__main__":
    render()
