"""Which knowledge base is looked at."""

from __future__ import annotations

import streamlit as st

from dashboard import cache, state
from dashboard.messages import plain
from data.knowledge.base import KnowledgeBase


def choose_base() -> KnowledgeBase | None:
    """The choice at the head of the page; None while there is nothing to choose."""
    names = cache.workspace().knowledge.names()
    if not names:
        st.info(
            "There is no knowledge base yet. Build the demo on the page Explore, or bring one in on the command line: "
            "`python -m dashboard get knowledge --from FOLDER`."
        )
        return None
    if wanted := state.wanted_by_link("knowledge", list(names)):
        st.warning(
            plain(f'The link asks for a knowledge base "{wanted[:80]}" that is not here (any more).'),
            icon=":material/link_off:",
        )
    state.settle("knowledge", list(names))
    left, right = st.columns([0.4, 0.6], vertical_alignment="bottom")
    name = left.selectbox("Knowledge base", names, key="knowledge", bind="query-params")
    base = cache.workspace().knowledge.open(str(name))
    about = base.about
    whence = "Made up" if about.made_up else f"From {about.origin}"
    right.caption(plain(f"{about.n_entities:,} entities, {about.n_relations:,} relations. {whence}."))
    return base
