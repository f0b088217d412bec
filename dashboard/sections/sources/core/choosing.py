"""Which string is looked at, in which source: that of a run, or another one that is not run for it."""

from __future__ import annotations

import streamlit as st

from core.errors import QueryscapeError
from core.sources.sending.saying import SourceId
from dashboard import cache, state
from dashboard.messages import sentence
from dashboard.sections.library.locked import why_locked
from dashboard.sections.sources.opened import NEXT_VIEW, OPENED, ORDER, open_run
from dashboard.sections.sources.runs.words import run_name, short, source_label
from dashboard.sections.sources.work import Wish, plan
from dashboard.words import plain
from data.sources.fetching.journal import LiveRun, live_runs

TEXT, SOURCE, CHOSEN = "core_text", "core_source", "core_run"
LONGEST = 100_000
NOTE = "live-core"


def choose_run() -> LiveRun | None:
    """The run that is opened, else the newest of the topic; None: there is none yet."""
    if message := state.take(NOTE):
        st.error(plain(sentence(message)), icon=":material/error:")
    topic_id = state.read_topic()
    runs = live_runs(cache.workspace().store)
    opened = next(iter(state.asked_for(OPENED)), None) if state.said(OPENED, "") is not None else None
    shown = {run.run_id: run for run in runs if run.topic_id == topic_id or run.run_id == opened}
    if shown:
        run = _chosen(shown, opened)
    else:
        run = None
        st.info("Nothing was run for this topic yet. Begin in the view Search, or have a string tried below.")
        st.button("Search", key="core-search", icon=":material/search:", type="primary", on_click=_to_search)
    with st.expander("Another string, without running it", icon=":material/edit:", expanded=run is None):
        _draw_another(topic_id)
    return run


def _chosen(shown: dict[str, LiveRun], opened: str | None) -> LiveRun:
    """The choice follows the run that is opened elsewhere on the page, and opens it there."""
    if opened in shown and state.said(CHOSEN) != opened:
        state.say(CHOSEN, opened)
    state.settle_named(CHOSEN, list(shown))
    run_id = str(
        st.selectbox(
            "Run",
            list(shown),
            key=CHOSEN,
            format_func=lambda each: run_name(shown[each]) if each in shown else each,
            on_change=_open_chosen,
        )
    )
    state.write_in_link(OPENED, [run_id])
    st.caption(plain(short(shown[run_id].text)))
    return shown[run_id]


def _open_chosen() -> None:
    state.say(OPENED, state.said(CHOSEN))


def _to_search() -> None:
    state.say(NEXT_VIEW, "Search")


def _draw_another(topic_id: str | None) -> None:
    """A run that is planned and not begun: it can be begun later."""
    st.caption("It is kept as a run that has not begun. Nothing is fetched; it can be begun in the view Runs.")
    st.text_area("String", key=TEXT, max_chars=LONGEST, height=100)
    where, button = st.columns([0.5, 0.5], vertical_alignment="bottom")
    where.selectbox("Source", ORDER, key=SOURCE, format_func=source_label)
    button.button(
        "Take this string",
        key="core-take",
        icon=":material/check:",
        disabled=why_locked() is not None or topic_id is None,
        help=why_locked() or (None if topic_id else "Choose a topic in the sidebar first."),
        on_click=_take,
        args=(topic_id,),
    )


def _take(topic_id: str) -> None:
    text, source = str(state.said(TEXT, "")), state.said(SOURCE)
    if not text.strip():
        state.say_once(NOTE, "type a string first")
        return
    try:
        source_id: SourceId = source
        open_run(plan(topic_id, Wish(text), source_id, fresh=True).run_id, "Core publications")
        state.say(TEXT, "")
    except QueryscapeError as e:
        state.say_once(NOTE, str(e))
