"""Knowledge: text and relations together."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from dashboard import state
from dashboard.messages import guarded
from dashboard.sections.figure import mount_code
from dashboard.sections.knowledge.adding import choose_base
from dashboard.sections.knowledge.entities.walk import draw_explorer
from dashboard.sections.knowledge.people.writing import draw_people
from dashboard.sections.knowledge.questions.view import draw_questions
from dashboard.sections.knowledge.statistics.sets import draw_statistics
from dashboard.sections.knowledge.synthesis.planning import draw_synthesis
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
    """The page."""
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
