"""Which knowledge base is looked at."""

from __future__ import annotations

import streamlit as st

from dashboard import cache, state
from dashboard.sections.knowledge.adding import (
    MORE,
    ask_if_wanted,
    choose_added,
    draw_came,
    draw_more,
    draw_nothing_here,
    is_just_deleted,
)
from dashboard.words import plain
from data.knowledge.base import About, KnowledgeBase


def choose_base() -> KnowledgeBase | None:
    """The choice at the head of the page; None while there is nothing to choose."""
    names = cache.workspace().knowledge.names()
    if not names:
        draw_nothing_here()
        return None
    wanted = state.wanted_by_link("knowledge", list(names))
    if wanted and not is_just_deleted(wanted):
        st.warning(
            plain(f'The link asks for a knowledge base "{wanted[:80]}" that is not here (any more).'),
            icon=":material/link_off:",
        )
    choose_added()
    state.settle("knowledge", list(names))
    which, what, more = st.columns([0.4, 0.35, 0.25], vertical_alignment="bottom")
    name = str(which.selectbox("Knowledge base", names, key="knowledge", bind="query-params"))
    with more.popover("Add or delete", icon=":material/add:", width="stretch", key=MORE, on_change="rerun"):
        draw_more(name)
    ask_if_wanted()
    base = cache.workspace().knowledge.open(name)
    what.caption(plain(_described(base.about)))
    draw_came(name)
    return base


def _described(about: About) -> str:
    whence = "Made up" if about.made_up else f"From {about.origin}"
    return f"{about.n_entities:,} entities, {about.n_relations:,} relations. {whence}."
