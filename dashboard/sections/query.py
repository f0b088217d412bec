"""The query's text: read it, change it, run it."""

from __future__ import annotations

import streamlit as st

from core.errors import QueryscapeError
from core.query.reading.parser import parse
from dashboard import cache, state
from dashboard.sections.sources.search.came import draw_came
from dashboard.sections.sources.search.elsewhere import draw_elsewhere
from dashboard.state import Selection
from dashboard.words import plain

HELP = (
    "Title, abstract and keywords are searched. PubMed, Ovid, Web of Science, Scopus, EBSCOhost, Dimensions, OpenAlex "
    "and plain Boolean are understood; a question in plain words is ranked. A run makes a new version; the others stay "
    "as they are. The page Query shows what each term brings and why a core publication is missed."
)


def draw_query(selection: Selection) -> None:
    """The text of the version, editable, and the button that runs it over the topic's publications."""
    row = cache.workspace().version(selection.topic_id, selection.label)
    key = f"text-{row.version.query_id}"
    with st.container(key="query-row"):
        text, button = st.columns([0.87, 0.13], gap="small", vertical_alignment="bottom")
        with text, st.container(key="query"):
            st.text_area("Query", row.version.text, key=key, height=68, help=HELP, placeholder="heat AND trees")
        with button:
            draw_elsewhere(str(state.said(key, "")))
            st.button(
                "Run",
                key="run",
                type="primary",
                icon=":material/play_arrow:",
                width="stretch",
                on_click=_run,
                args=(selection.topic_id, key, selection.label),
                help="Runs the text over this topic's publications, as a new version.",
            )
    with st.container(key="query-said"):  # its place is always there: what stands below stays where it is
        _draw_messages()
        draw_came(selection.topic_id, selection.label, str(state.said(key, "")))


def _draw_messages() -> None:
    if message := state.take("query"):
        st.error(plain(message), icon=":material/error:")
    if slip := state.take("slip"):
        st.warning(plain(slip), icon=":material/spellcheck:")
    if note := state.take("ran"):
        st.toast(plain(note))


def _run(topic_id: str, key: str, parent: str) -> None:
    """Before the page is drawn anew, so that it shows the new version."""
    try:
        row = cache.workspace().run_query(topic_id, str(st.session_state.get(key, "")), parent=parent)
    except QueryscapeError as e:
        message = str(e)
        state.say_once("query", message[:1].upper() + message[1:] + ".")
        return
    state.choose_version(row.version.label)
    state.say_once("ran", f"Version {row.version.label} retrieves {row.n_retrieved or 0:,} publications.")
    if slips := [found for found in parse(row.version.text).findings if found.severity == "error"]:
        more = f" There are {len(slips) - 1} more like it." if len(slips) > 1 else ""
        state.say_once("slip", f"{slips[0].message}{more} The page Query shows where, and mends it.")
