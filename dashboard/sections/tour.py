"""Four steps that point at what matters."""

from __future__ import annotations

import streamlit as st

from dashboard import state
from dashboard.components.mount import mount_part

STEPS = (
    ("query", "The query", "Read it, change it, run it: every run makes a new version over this topic's publications."),
    (
        "landscape",
        "The landscape",
        "Each dot is a publication; near dots have similar text. Orange is the core: filled if the query found it.",
    ),
    (
        "min-similarity",
        "The similarity threshold",
        "Drag it. Blue dots count as relevant, and every number follows your hand.",
    ),
    (
        "core",
        "The core that was missed",
        "Known important publications that this query does not retrieve. Click one to see why.",
    ),
)


def draw_tour() -> None:
    """By itself on a first visit, later when asked for."""
    with st.sidebar:
        if st.button("Show me around", icon=":material/explore:", key="tour-button", type="tertiary"):
            state.raise_flag("tour")
    mount_part(
        "tour",
        {
            "steps": [{"anchor": anchor, "title": title, "text": text} for anchor, title, text in STEPS],
            "run": state.flag("tour"),
            "remember_key": "queryscape-tour",
        },
        key="tour",
    )
