"""Where a text is run, on the pages that have one: over the topic's publications, or in a live source."""

from __future__ import annotations

import streamlit as st

from core.sources.sending.saying import LABELS
from dashboard import cache
from dashboard.sections.sources.opened import ORDER, open_search

HELP = "What a live source is sent, what that loses and what it costs is shown first, on the page Sources."


def draw_elsewhere(text: str) -> None:
    """A small choice beside the button that runs the text over the topic's publications."""
    if cache.workspace().store.is_copy:
        return
    chosen = st.menu_button(
        "Run in …",
        list(ORDER),
        key="run-elsewhere",
        type="tertiary",
        format_func=lambda source: LABELS[source],
        help=HELP,
        width="stretch",
    )
    if chosen is not None:
        open_search(text, chosen)


def offered() -> list[dict[str, str]]:
    """The same for the browser part of the page Query."""
    return [] if cache.workspace().store.is_copy else [{"id": source, "label": LABELS[source]} for source in ORDER]
