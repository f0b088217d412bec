"""The first visit: one click writes strings for the topic as it is, offline."""

from __future__ import annotations

import streamlit as st

from core.writer.gains import FEWEST
from core.writer.types import Brief
from dashboard import cache
from dashboard.sections.library.locked import why_locked
from dashboard.sections.writer.brief.texts import MADE_UP
from dashboard.sections.writer.run.work import start_writing
from dashboard.words import plain
from data.judging.demo_judge import DEMO_MODEL
from data.writer.keeping import Recipe, Wanted


def draw_first(topic_id: str, embedder: str) -> None:
    """A card with one button."""
    with st.container(border=True, key="writer-first"):
        st.subheader(":material/edit_note: From a topic to a scored string", anchor=False)
        st.write(what_it_is(topic_id))
        st.button(
            "Write with corpus statistics and the demo model",
            key="writer-first-button",
            type="primary",
            icon=":material/edit_note:",
            disabled=why_locked() is not None,
            help=why_locked(),
            on_click=start_writing,
            args=(first_wanted(topic_id, embedder),),
        )
        st.caption(
            plain(
                f"For {MADE_UP.sub('', topic_id)}, without a key and without the network. The demo is a script that "
                "counts words, not a language model."
            )
        )


def what_it_is(topic_id: str) -> str:
    """The Writer in two sentences."""
    n_core = next((t.n_core for t in cache.workspace().topics() if t.topic_id == topic_id), 0)
    tried = (
        "on the half of the core publications that it was made with, and on the other half, which it was not."
        if n_core >= FEWEST
        else f"with fewer than {FEWEST} core publications, nothing can tell whether it was fitted to them."
    )
    return (
        "The Writer turns a topic into search strings: keywords are proposed from the topic's publications, sorted "
        f"into specific and general ones, and joined by AND and OR. Each string comes with its score: {tried}"
    )


def first_wanted(topic_id: str, embedder: str) -> Wanted:
    """The topic's name and whatever is usual."""
    brief = Brief(MADE_UP.sub("", topic_id))
    return Wanted(topic_id, brief, recipes=(Recipe(DEMO_MODEL),), embedder=embedder)
