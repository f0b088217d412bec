"""List runs with their progress, and resume, pause and delete them."""

from __future__ import annotations

from functools import partial

import streamlit as st

from core.sources.runs import cap_effect
from core.text import many
from dashboard import cache, state
from dashboard.kit.components import draw_folded
from dashboard.kit.publication_lists import ListedRow, PublicationGroup
from dashboard.messages import draw_problem, guarded, is_deleted
from dashboard.sources.availability import why_not
from dashboard.sources.jobs import RUN_JOBS, start_run
from dashboard.sources.labels import how_many, run_name, source_label, standing_words
from dashboard.sources.navigation import NEXT_VIEW, close_run, open_run
from dashboard.status import is_watched, why_locked
from dashboard.words import plain, short, when
from data.sources.runs import LiveRun, delete_live_run, live_runs, records_of

# Confirmation before deleting a run, which shows exactly what will be deleted.


@st.dialog("Delete this run?")
def ask_before_deleting(run: LiveRun) -> None:
    st.markdown(plain(f"This deletes the run in {source_label(run.source)} of {when(run.made_at)}, with"))
    lines = [
        f"- {many(run.n_pages, 'page')} as received from the source",
        "- the list of requests, which documents the search",
    ]
    st.markdown("\n".join(lines))
    if run.label:
        st.caption(plain(f"Version {run.label} and its publications are kept. Delete it on the page Versions."))
    elif run.n_records:
        st.caption(
            plain(f"The run is unfinished: the {many(run.n_records, 'publication')} fetched so far are deleted, too.")
        )
    delete = partial(delete_live_run, cache.workspace(), run.run_id)
    if is_deleted(delete, key="live-delete", otherwise="Keep"):
        RUN_JOBS.forget(run.run_id)
        close_run()
        state.say_once("sources", "The run is deleted.")
        st.rerun()


# The publications behind the counts of a run.

MOST_KEPT = 8


def came_group(run: LiveRun, page: int | None = None) -> PublicationGroup:
    """Return the publications of a run, or those that a page was the first to bring."""
    kept, key = cache.kept("live-came", MOST_KEPT), f"{run.run_id}:{run.n_pages}:{page}"
    text = run_name(run) if page is None else f"New on page {page:,}"
    return PublicationGroup(text, rows=kept.of(key, lambda: _record_rows(run, page)))


def _record_rows(run: LiveRun, page: int | None) -> tuple[ListedRow, ...]:
    return tuple(
        {
            "Title": record.title or name,
            "Year": record.year,
            "DOI": f"https://doi.org/{record.doi}" if record.doi else None,
            "ID in source": name,
        }
        for name, record in records_of(cache.workspace(), run.run_id, page)
    )


# The list of runs: progress, problems, and actions.

NOTE = "live-runs"
SHOWN = 10
ALL_TOPICS = "live_all_topics"


def draw_list() -> None:
    """Draw a card for each run, running ones first, then the newest."""
    topic_id = state.read_topic()
    runs = live_runs(cache.workspace().store)
    if not runs:
        _draw_nothing("No runs yet.")
        return
    own = [run for run in runs if run.topic_id == topic_id]
    every = len(own) < len(runs) and st.toggle(
        f"Runs of every topic ({len(runs):,})", key=ALL_TOPICS, value=not topic_id
    )
    shown = list(runs) if every else own
    if not shown:
        _draw_nothing("No runs for this topic yet.")
        return
    shown.sort(key=lambda run: not RUN_JOBS.is_running(run.run_id))
    draw_folded(shown, lambda run: _draw_card(run, with_topic=every), most=SHOWN, more="older runs")


def _draw_nothing(text: str) -> None:
    st.info(f"{text} Start one in the view Search.")
    st.button("Search", key="runs-search", icon=":material/search:", type="primary", on_click=_to_search)


def _to_search() -> None:
    state.set_value(NEXT_VIEW, "Search")


def _draw_card(run: LiveRun, *, with_topic: bool) -> None:
    caption = f"{standing_words(run, at_work=RUN_JOBS.is_running(run.run_id))} · {how_many(run)}"
    with guarded(), st.container(border=True, key=f"live-run-{run.run_id}"):
        words, buttons = st.columns([0.62, 0.38], vertical_alignment="center")
        with words, st.container(gap="xxsmall"):
            st.markdown(f"**{plain(source_label(run.source))}** · {plain(caption)}")
            st.caption(plain(_facts(run, with_topic=with_topic)))
            st.caption(plain(short(run.text)))
        with buttons:
            _draw_buttons(run)
        draw_progress(run)


def _facts(run: LiveRun, *, with_topic: bool) -> str:
    parts = [run.topic_id] if with_topic else []
    parts.append(when(run.made_at))
    if run.label:
        parts.append(f"version {run.label}")
    if run.earlier_id:
        parts.append("repeats an earlier run")
    if run.is_capped and run.total_last is not None:
        share = cap_effect(run.total_last, run.total_last, run.most).share_most
        is_known = len(run.prepared.forms) == 1  # parts may overlap, and some may not have started
        parts.append(f"cut by the cap of {run.most:,}" + (f" ({100 * share:.0f} %)" if is_known else ""))
    return " · ".join(parts)


def _draw_buttons(run: LiveRun) -> None:
    with st.container(horizontal=True, horizontal_alignment="right", key=f"live-buttons-{run.run_id}"):
        draw_go_on(run)
        st.button(
            "Open", key=f"live-open-{run.run_id}", icon=":material/open_in_new:", on_click=open_run, args=(run.run_id,)
        )
        draw_delete(run)


def draw_go_on(run: LiveRun) -> None:
    """Draw the button that starts or resumes a run; nothing if it is running or finished."""
    if run.state == "done" or RUN_JOBS.is_running(run.run_id):
        return
    begun = run.state != "planned"
    reason = why_locked() or why_not(run.source)
    st.button(
        "Resume" if begun else "Start",
        key=f"live-go-on-{run.run_id}",
        icon=":material/play_arrow:",
        type="primary",
        disabled=bool(reason),
        help=reason or ("Publications fetched so far are kept and not fetched again." if begun else None),
        on_click=_start,
        args=(run.run_id,),
    )


def draw_delete(run: LiveRun) -> None:
    if st.button(
        "Delete",
        key=f"live-delete-{run.run_id}",
        icon=":material/delete:",
        type="tertiary",
        disabled=RUN_JOBS.is_running(run.run_id) or why_locked() is not None,
        help=why_locked() or ("Pause it first." if RUN_JOBS.is_running(run.run_id) else None),
    ):
        ask_before_deleting(run)


def _start(run_id: str) -> None:
    with state.noting(NOTE):
        start_run(run_id)


def draw_progress(run: LiveRun) -> None:
    job = RUN_JOBS.find(run.run_id)
    if is_watched(job, "Pause"):
        return
    if job is not None and job.finished:
        RUN_JOBS.forget(run.run_id)
    problem = run.problem if run.state == "failed" else None
    if problem or (job is not None and job.error):
        draw_problem(problem or str(job.error if job else ""))
        kept = "Publications fetched so far are kept." if run.n_pages else "Nothing was fetched yet."
        st.caption(f"{kept} Resume as soon as the problem is solved.")
    elif run.state == "running":
        st.warning("Interrupted (perhaps by a restart). Resume: finished requests are not repeated.")
    elif run.state == "paused":
        st.caption("Paused: publications fetched so far are kept. Resume at any time, also after a restart.")
