"""The query's text: read it, change it, run it."""

from __future__ import annotations

import streamlit as st

from core.errors import QueryscapeError
from dashboard import cache, state
from dashboard.messages import plain
from dashboard.state import Selection

HELP = (
    'Title and abstract are searched. All words must occur; OR, NOT, "exact phrases", brackets and a * at the end of a '
    "word are understood. A run makes a new version; the others stay as they are."
)


def draw_query(selection: Selection) -> None:
    """The text of the version, editable, and the button that runs it over the topic's publications."""
    row = cache.workspace().version(selection.topic_id, selection.label)
    key = f"text-{row.version.query_id}"
    with st.container(key="query-row"):
        text, button = st.columns([0.87, 0.13], gap="small", vertical_alignment="bottom")
        with text, st.container(key="query"):
            st.text_area("Query", row.version.text, key=key, height=68, help=HELP, placeholder="heat AND trees")
        button.button(
            "Run",
            key="run",
            type="primary",
            icon=":material/play_arrow:",
            width="stretch",
            on_click=_run,
            args=(selection.topic_id, key),
            help="Runs the text over this topic's publications, as a new version.",
        )
    if message := state.take("query"):
        st.error(plain(message), icon=":material/error:")
    if note := state.take("ran"):
        st.toast(plain(note))


def _run(topic_id: str, key: str) -> None:
    """Before the page is drawn anew, so that it shows the new version."""
    try:
        row = cache.workspace().run_query(topic_id, str(st.session_state.get(key, "")))
    except QueryscapeError as e:
        message = str(e)
        state.say_once("query", message[:1].upper() + message[1:] + ".")
        return
    state.choose_version(row.version.label)
    state.say_once("ran", f"Version {row.version.label} retrieves {row.n_retrieved or 0:,} publications.")
