"""The button that runs a string in a source, how far the run is, and what it became."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress

import streamlit as st

from core.errors import NotFoundError, QueryscapeError
from core.sources.sending.saying import SourceId
from dashboard import cache, state
from dashboard.messages import guarded, sentence
from dashboard.sections.sources.opened import open_run, open_version
from dashboard.sections.sources.runs.listed import draw_go_on, draw_progress
from dashboard.sections.sources.runs.words import how_many, short, source_label, standing_words
from dashboard.sections.sources.search.choosing import Chosen, is_new
from dashboard.sections.sources.search.sending import what_is_sent
from dashboard.sections.sources.work import is_running, job_of, plan, start_run
from dashboard.words import plain, when
from data.sources.fetching.journal import LiveRun, find_live_run, live_runs

BEGUN, FOLLOWED, MISTAKE = "live-begun-", "live-followed", "live-mistake-"
SHOWN = 3


def draw_run(chosen: Chosen, source: SourceId, reason: str) -> str | None:
    """The button, or the run that it began; its id. `reason`: why the source can't be asked now; empty: it can."""
    key = BEGUN + _where(chosen, source)
    run = _found(state.said(key))
    if run is None:
        _draw_button(chosen, source, reason)
        return None
    _draw_state(run)
    if run.state == "done":
        draw_what_came(run)
        st.button(
            "Fetch it again",
            key=f"live-again-{source}",
            icon=":material/replay:",
            type="tertiary",
            disabled=bool(reason),
            help=reason or "Asks the source anew, and makes another version.",
            on_click=_begin,
            args=(chosen, source),
            kwargs={"fresh": True},
        )
    elif not is_running(run.run_id):
        draw_go_on(run)
    return run.run_id


def _where(chosen: Chosen, source: SourceId) -> str:
    return f"{chosen.wish.key(source)}-{chosen.topic_id}"


def _found(run_id: str | None) -> LiveRun | None:
    """None: there is none, or it was deleted since."""
    with suppress(NotFoundError):
        return find_live_run(cache.workspace().store, run_id) if run_id else None
    return None


def _draw_button(chosen: Chosen, source: SourceId, reason: str) -> None:
    label = source_label(source)
    reason = reason or ("" if chosen.topic_id else "Name a topic first: the publications go there.")
    st.button(
        f"Run in {label}",
        key=f"live-run-{source}",
        icon=":material/cloud_download:",
        disabled=bool(reason),
        help=reason or f"Fetches up to {chosen.wish.most:,} publications as a new version of the topic's query.",
        on_click=_begin,
        args=(chosen, source),
    )
    if reason:
        st.caption(plain(reason))
    elif is_new(chosen.topic_id):
        st.caption(plain(f"Makes a new topic: {chosen.topic_id}."))
    if mistake := state.take(MISTAKE + source):
        st.error(plain(sentence(mistake)), icon=":material/error:")


def _begin(chosen: Chosen, source: SourceId, *, fresh: bool = False) -> None:
    """Before the page is drawn anew. A run of today that asked the very same is shown as it is."""
    try:
        prepared = what_is_sent(chosen.wish, chosen.parsed, source).prepared
        run = plan(chosen.topic_id, chosen.wish, source, prepared=prepared, fresh=fresh)
    except QueryscapeError as e:
        state.say_once(MISTAKE + source, str(e))
        return
    state.say(BEGUN + _where(chosen, source), run.run_id)
    if run.state == "done":
        state.say_once("sources", "This was fetched today already: here it is.")
        return
    state.say(FOLLOWED, [*state.said(FOLLOWED, []), run.run_id])
    start_run(run.run_id)


def _draw_state(run: LiveRun) -> None:
    if not is_running(run.run_id):  # else the bar says it, and more lately
        words = sentence(standing_words(run, at_work=False))[:-1]
        st.markdown(f"**{plain(words)}** · {plain(how_many(run))}")
    draw_progress(run)


def draw_what_came(run: LiveRun) -> None:
    """Ways to the version that it became, and to the run itself."""
    st.caption(plain(f"Version {run.label}, {when(run.ended_at or run.made_at)}."))
    with st.container(horizontal=True):
        if run.label and st.button(
            "Explore it", key=f"live-explore-{run.run_id}", icon=":material/travel_explore:", type="primary"
        ):
            open_version(run.topic_id, run.label)
        st.button(
            "Open the run",
            key=f"live-open-{run.run_id}",
            icon=":material/receipt_long:",
            help="What exactly was sent, and what came.",
            on_click=open_run,
            args=(run.run_id,),
        )


def draw_unfinished(shown: Collection[str]) -> None:
    """Runs that are not finished, those that a closed server left behind too, but for those shown with the form."""
    runs = [r for r in live_runs(cache.workspace().store) if r.state != "done" and r.run_id not in shown]
    runs.sort(key=lambda run: not is_running(run.run_id))
    for run in runs[:SHOWN]:
        with guarded(), st.container(border=True, key=f"live-left-{run.run_id}"):
            words, button = st.columns([0.8, 0.2], vertical_alignment="center")
            at_work = is_running(run.run_id)
            said = [standing_words(run, at_work=at_work), *([] if at_work else [how_many(run)]), run.topic_id]
            words.markdown(f"**{plain(source_label(run.source))}** · {plain(' · '.join(said))}")
            words.caption(plain(short(run.text)))
            with button, st.container(horizontal_alignment="right"):
                draw_go_on(run)
            draw_progress(run)
    if len(runs) > SHOWN:
        st.caption(f"{len(runs) - SHOWN:,} more are not finished: see Runs.")


def note_ended() -> None:
    """Once, of each run that this visitor began: that it is done."""
    for run_id in list(state.said(FOLLOWED, [])):
        job, run = job_of(run_id), _found(run_id)
        if job is not None and not job.is_over:
            continue
        if run is not None and run.state == "done":
            label = source_label(run.source)
            state.say_once(
                "sources",
                f"{label}: {run.n_records:,} publications came. They are version {run.label} of {run.topic_id}.",
            )
        if run is None or run.state == "done":
            state.say(FOLLOWED, [each for each in state.said(FOLLOWED, []) if each != run_id])
