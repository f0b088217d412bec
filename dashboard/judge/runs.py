"""Run judges in the background, and list, rename, resume and delete judged runs."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from core.judge.judgments import STATUS_WORDS
from core.protocols import OnStage
from core.text import listed
from dashboard import cache, state
from dashboard.kit.components import draw_folded
from dashboard.messages import draw_noted, draw_problem, guarded, sentence
from dashboard.status import JobFamily, watch
from dashboard.words import plain
from data.judge.runner import JudgeRunSummary, judge_run
from data.judge.runs import (
    LONGEST_NAME,
    NOTHING,
    DeletedJudgeRun,
    JudgeRunRow,
    Progress,
    bring_back,
    failures_of,
    find_judge_run,
    list_judge_runs,
    progress_of,
    rename_judge_run,
    take_away,
)
from data.judge.services import open_judge_model

# Background work for a judged run: collecting the items, and judging them.

FIELD_JOBS = JobFamily("judge-field", lane="long", most=4)
"""Collecting items, of up to 50,000 candidates each."""
JUDGING_JOBS = JobFamily("judging", lane="judge")
"""Judging a run. Its outcome is a summary, then the notes."""
FIRST_JOBS = JobFamily("judging-demo", lane="long")


@dataclass(frozen=True, slots=True)
class Pace:
    """The rate of requests to a service; it changes no grade."""

    n_workers: int = 16
    per_minute: float | None = None
    """None: limited by the workers only."""

    @classmethod
    def of(cls, document: Any) -> Pace:
        n = document.get("n_workers")
        rate = document.get("per_minute")
        return cls(n if isinstance(n, int) else 16, float(rate) if isinstance(rate, int | float) else None)


def start_judging(row: JudgeRunRow, *, again: bool = False) -> None:
    """Start or resume. A model without an API key is an error before any request."""
    if JUDGING_JOBS.is_running(row.run_id):
        return
    model = open_judge_model(
        row.settings.model, preset=row.document.get("preset"), base_url=row.document.get("base_url")
    )
    work = partial(_judge, row.run_id, model, Pace.of(row.document), again)
    JUDGING_JOBS.start(row.run_id, f"Judging {row.name}", work)


def _judge(run_id: str, model: Any, pace: Pace, again: bool, on_stage: OnStage) -> tuple[str, ...]:
    store = cache.workspace().store
    row = find_judge_run(store, run_id)
    done = judge_run(
        store, row, model, n_workers=pace.n_workers, per_minute=pace.per_minute, on_stage=on_stage, again=again
    )
    notes = () if done.statuses.get("http_error") else done.notes  # failures are shown with the runs
    return (_summary(done), *notes)


def _summary(done: JudgeRunSummary) -> str:
    parts = [f"{done.n_asked:,} judged with {done.n_calls:,} calls"]
    if done.n_known:
        parts.append(f"{done.n_known:,} already known")
    return listed(parts)


# Existing runs: their progress, problems with solutions, renaming, and deleting.

SHOWN = 8
DELETED, RUN, NOTE = "judge-deleted", "judged", "judge-runs"
NEXT_VIEW, STARTED = "judge-next-view", "judge-first-started"
FAILURE_SHOWN = 200
STATES = {"planned": "not started", "running": "interrupted", "paused": "paused", "done": "finished"}


def draw_runs(followed: Collection[str] = ()) -> None:
    """Draw a card for each run, the running ones first, then the newest; nothing without runs.

    `followed`: runs whose progress is shown elsewhere on the page.
    """
    store = cache.workspace().store
    rows, progress = [row for row in list_judge_runs(store) if row.run_id not in followed], progress_of(store)
    _draw_deleted()
    draw_noted(NOTE)
    if not rows:
        return
    st.header("Runs", anchor=False)
    first = sorted(rows, key=lambda row: not JUDGING_JOBS.is_running(row.run_id))
    draw_folded(first, lambda row: _draw_run(row, progress.get(row.run_id, NOTHING)), most=SHOWN, more="older runs")


def _draw_run(row: JudgeRunRow, progress: Progress) -> None:
    with guarded(), st.container(border=True, key=f"judge-run-{row.run_id}"):
        words, buttons = st.columns([0.56, 0.44], vertical_alignment="center")
        with words:
            st.markdown(f"**{plain(row.name)}**")
            st.caption(plain(_status(row, progress)))
        with buttons:
            _draw_buttons(row, progress)
        job = JUDGING_JOBS.find(row.run_id)
        if job is not None and not job.is_over:
            watch(job, "Pause")
        elif job is not None and job.finished:
            summary, *notes = job.outcome
            st.caption(f":material/check: {plain(sentence(summary))}")
            for note in notes:
                st.caption(plain(sentence(note)))
        elif job is not None and job.error:
            draw_problem(job.error)
        if not JUDGING_JOBS.is_running(row.run_id):
            _draw_failures(row, progress)


def _status(row: JudgeRunRow, progress: Progress) -> str:
    state_words = "judging" if JUDGING_JOBS.is_running(row.run_id) else STATES[row.state]
    counts = f"{progress.n_valid:,} of {progress.n_triples:,} graded"
    model = "the demo judge, not a language model" if row.settings.model == "demo" else row.settings.model
    repeat = f", repeat {row.settings.repeat}" if row.settings.repeat else ""
    return f"{sentence(state_words)[:-1]} · {counts} · {model}{repeat} · {row.made_at[:16].replace('T', ' ')}"


def _draw_buttons(row: JudgeRunRow, progress: Progress) -> None:
    key = row.run_id
    with st.container(horizontal=True, horizontal_alignment="right", key=f"judge-buttons-{key}"):
        if not JUDGING_JOBS.is_running(key) and progress.n_waiting:
            st.button(
                "Start" if row.state == "planned" and not progress.n_answered else "Resume",
                key=f"judge-resume-{key}",
                icon=":material/play_arrow:",
                help=f"Requests the {progress.n_waiting:,} missing answers; existing answers cost nothing.",
                on_click=_start,
                args=(row,),
            )
        st.button(
            "Results",
            key=f"judge-open-{key}",
            icon=":material/bar_chart:",
            disabled=not progress.n_answered,
            on_click=open_results,
            args=(key,),
        )
        with st.popover("More", icon=":material/more_horiz:", key=f"judge-more-{key}"):
            _draw_more(row, progress)


def _start(row: JudgeRunRow, again: bool = False) -> None:
    with state.noting(NOTE):
        start_judging(row, again=again)


def open_results(run_id: str) -> None:
    state.set_value(RUN, run_id)
    state.set_value(NEXT_VIEW, "Results")


def _draw_more(row: JudgeRunRow, progress: Progress) -> None:
    key = f"judge-name-{row.run_id}"
    st.text_input("Name", row.name, key=key, max_chars=LONGEST_NAME, on_change=_rename, args=(row.run_id, key))
    for note in row.notes:
        st.caption(plain(sentence(note)))
    if n := progress.n_without_grade:
        st.button(
            f"Retry {n:,} without a grade",
            key=f"judge-again-{row.run_id}",
            icon=":material/replay:",
            disabled=JUDGING_JOBS.is_running(row.run_id),
            help="Their first answers stay on record. Each retry is a paid call.",
            on_click=_start,
            args=(row, True),
            width="stretch",
        )
    st.button(
        "Delete this run",
        key=f"judge-delete-{row.run_id}",
        icon=":material/delete:",
        disabled=JUDGING_JOBS.is_running(row.run_id),
        help="Removes the run from the list. The judge's answers are kept, so judging the same items again costs "
        "nothing.",
        on_click=_delete,
        args=(row,),
        width="stretch",
    )


def _rename(run_id: str, key: str) -> None:
    with state.noting(NOTE):
        rename_judge_run(cache.workspace().store, run_id, str(state.value(key, "")))


def _delete(row: JudgeRunRow) -> None:
    with state.noting(NOTE):
        state.set_value(DELETED, take_away(cache.workspace().store, row))
        JUDGING_JOBS.forget(row.run_id)


def _draw_deleted() -> None:
    deleted = state.value(DELETED)
    if not isinstance(deleted, DeletedJudgeRun):
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(plain(f"{deleted.row.name} was deleted."), width="content")
        st.button("Undo", key="judge-undo", icon=":material/undo:", type="tertiary", on_click=_undo, args=(deleted,))


def _undo(deleted: DeletedJudgeRun) -> None:
    with state.noting(NOTE):
        bring_back(cache.workspace().store, deleted)
        state.set_value(DELETED, None)


def _draw_failures(row: JudgeRunRow, progress: Progress) -> None:
    n_failed = progress.statuses.get("http_error", 0)
    if not n_failed and not progress.n_without_grade:
        return
    if n_failed:
        st.warning(
            f"{n_failed:,} have no answer because the service failed. They count as not judged. Resume to retry them.",
            icon=":material/warning:",
        )
    with st.expander(f"{n_failed + progress.n_without_grade:,} without a grade, by reason"):
        for status, reason, n in failures_of(cache.workspace().store, row):
            why = f": {reason[:FAILURE_SHOWN]}" if reason else ""
            st.caption(plain(f"{n:,} × {STATUS_WORDS[status]}{why}"))
        st.caption("No score includes them. The view Queries shows every raw answer.")
