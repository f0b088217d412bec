"""The Updates view: scheduled searches, and what is new since a date."""

from __future__ import annotations

from datetime import date, timedelta

import streamlit as st

from core.text import many
from dashboard import cache, state
from dashboard.messages import guarded
from dashboard.sources.labels import draw_files, source_label
from dashboard.sources.navigation import open_run
from dashboard.sources.run_list import NOTE
from dashboard.status import why_locked
from dashboard.words import plain, short
from data.library.arrivals import arrivals, feed_of
from data.sources.fetch import history
from data.sources.runs import live_runs
from data.sources.schedule import NEVER, scheduled_searches, set_schedule
from data.store import utc_now

SINCE_DAYS = 30
MOST_SHOWN = 1_000
LABELS = {NEVER: "Not scheduled", "daily": "Every day", "weekly": "Every week", "monthly": "Every 30 days"}


def draw_updates() -> None:
    topic_id = state.read_topic()
    if not topic_id:
        st.info("Choose a topic first.")
        return
    _draw_schedule(topic_id)
    with guarded():
        _draw_new(topic_id)


def _draw_schedule(topic_id: str) -> None:
    st.markdown("**Scheduled searches**")
    workspace = cache.workspace()
    known = {each.first_id: each for each in scheduled_searches(workspace)}
    done = [run for run in live_runs(workspace.store, topic_id) if run.state == "done"]
    firsts = dict.fromkeys(history(workspace, run.run_id)[0].run_id for run in done)
    if not firsts:
        st.caption("Run a search first. It can then be repeated on a schedule while Queryscape is open.")
        return
    by_id = {run.run_id: run for run in live_runs(workspace.store, topic_id)}
    for first_id in firsts:
        run, search = by_id[first_id], known.get(first_id)
        with st.container(horizontal=True, vertical_alignment="center", key=f"schedule-row-{first_id}"):
            key = f"schedule-{first_id}"
            state.set_value(key, search.every if search else NEVER)
            st.selectbox(
                plain(f"{source_label(run.source)}: {short(run.text)}"),
                list(LABELS),
                key=key,
                format_func=LABELS.__getitem__,
                disabled=bool(why_locked()),
                help=why_locked() or "Cron can run what is due without the app: queryscape source update --due",
                on_change=_set,
                args=(first_id,),
                width=420,
            )
            if search:
                st.caption(f"Due: {search.due_words} (UTC)")
                st.button("Open", key=f"schedule-open-{first_id}", on_click=open_run, args=(search.latest.run_id,))


def _set(first_id: str) -> None:
    every = str(state.value(f"schedule-{first_id}"))
    with state.noting(NOTE):
        set_schedule(cache.workspace(), first_id, None if every == NEVER else every)  # type: ignore[arg-type]


def _draw_new(topic_id: str) -> None:
    first = date.fromisoformat(utc_now()[:10]) - timedelta(days=SINCE_DAYS)
    since = st.date_input("New since", first, key="new-since", width=220)
    if not isinstance(since, date):
        return
    found = arrivals(cache.workspace().store, topic_id, since.isoformat())
    st.markdown(f"{many(len(found), 'new publication')} from searches in live sources.")
    if not found:
        return
    st.dataframe(
        [
            {
                "Arrived": each.at[:10],
                "Title": each.publication.title,
                "Year": each.publication.year,
                "DOI": each.publication.doi or "–",
            }
            for each in found[:MOST_SHOWN]
        ],
        hide_index=True,
        column_config={
            "Title": st.column_config.Column(width="large"),
            "Year": st.column_config.NumberColumn(format="%d", width="small"),
        },
    )
    if len(found) > MOST_SHOWN:
        st.caption(f"The first {MOST_SHOWN:,} are listed; the feed contains all.")
    draw_files("new-publications", {"Atom": lambda: feed_of(topic_id, found)}, key="new-feed")
