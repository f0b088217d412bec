"""Progress of background jobs on a page, and the reason for a locked control."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import streamlit as st

from core.protocols import OnStage, silent
from core.text import upper_first
from dashboard import cache, state
from dashboard.cache import ResultCache
from dashboard.jobs import Job, Lane, Work
from dashboard.kit.components import mount_part
from dashboard.messages import draw_problem
from dashboard.words import plain

T = TypeVar("T")
BETWEEN_LOOKS = 0.01
"""Seconds between two looks at a job that is waited for."""


def why_locked() -> str | None:
    """Return the reason for a disabled control, for its help text; None: everything can be changed."""
    if cache.workspace().store.is_read_only:
        return "Read-only: this workspace can't be changed. Copy its folder to a place that you may write to."
    return None


# Work in the background: long runs that can be resumed, and results that are kept for all visitors.


@dataclass(frozen=True, slots=True)
class JobFamily:
    """The background jobs of one kind, each named by what it works on, such as a run; no name if there is only one."""

    name: str
    lane: Lane = "page"
    most: int = 0
    """Maximum number of results kept; 0 if the work stores its results itself."""

    def key(self, of: str = "") -> str:
        return f"{self.name}:{of}" if of else self.name

    def of(self, job: Job) -> str:
        """Return the name by which the job is found."""
        return job.key.removeprefix(self.name).removeprefix(":")

    def find(self, of: str = "") -> Job | None:
        """Return the job, running or over; None after a restart, whatever it worked on."""
        return cache.jobs().find(self.key(of))

    def is_running(self, of: str = "") -> bool:
        job = self.find(of)
        return job is not None and not job.is_over

    def running(self, of: str = "") -> tuple[Job, ...]:
        """Return the jobs that are not over, the oldest first. `of`: the beginning of their names, up to a colon."""
        return cache.jobs().unfinished(self.key(of))

    def start(self, of: str, title: str, work: Work) -> Job:
        """Start a job unless it is running; an earlier one, with its error and its outcome, is dropped."""
        return cache.jobs().start(self.key(of), title, work, lane=self.lane, again=True)

    def replace(self, of: str, title: str, work: Work) -> Job:
        """Start a job in place of any earlier one, which may still run or wait for a service."""
        cache.jobs().forget(self.key(of))
        return self.start(of, title, work)

    def start_once(self, of: str, title: str, work: Work) -> Job:
        """Start a job for a missing result unless it is running, or ended early and says so."""
        cache.jobs().forget_finished(self.key(of))
        return cache.jobs().start(self.key(of), title, work, lane=self.lane)

    def start_latest(self, of: str, title: str, work: Work) -> Job:
        """Start a visitor's job on the page's lane, and cancel this visitor's earlier ones of the family."""
        return cache.jobs().start_latest(f"{self.name} of {state.visitor()}", of, title, work)

    def forget(self, of: str = "") -> None:
        """Drop a job that is over."""
        if not self.is_running(of):
            cache.jobs().forget(self.key(of))

    @property
    def results(self) -> ResultCache:
        return cache.kept(self.name, self.most)

    def make(self, of: str, title: str, make: Callable[[OnStage], object]) -> None:
        """Start making a result that is kept; the previous one stays until then."""
        results = self.results

        def work(on_stage: OnStage) -> None:
            results[of] = make(on_stage)

        self.start(of, title, work)


# Slow work as a visitor sees it: the current stage, the time left, and a way to stop it.


def watch(job: Job, stop: str = "Cancel") -> None:
    """Draw a bar until the job is over, then redraw the page. `stop`: label of the cancel button."""
    _bar(job.key, stop)


@st.fragment(run_every=0.5)
def _bar(key: str, stop: str) -> None:
    job = cache.jobs().find(key)
    if job is None or job.is_over:
        st.rerun()
        return
    st.progress(job.share, text=plain(how_far(job, time.monotonic())))
    if job.cancel.is_set():
        st.caption("Stopping …")
    else:
        st.button(stop, key=f"cancel-{key}", help="Finished work is saved.", on_click=job.cancel.set)


def is_watched(job: Job | None, stop: str = "Cancel") -> bool:
    """Draw the progress of a job; return True while it runs."""
    if job is None or job.is_over:
        return False
    watch(job, stop)
    return True


def pending(jobs: Iterable[Job]) -> tuple[Job, ...]:
    """Return the jobs whose results are still to be drawn.

    A job that is over already is among them once: its result came while the page was drawn, or could not be stored.
    """
    return tuple(job for job in jobs if not job.is_over or state.is_first(job.key))


def repeat_until_over(job: Job | None, key: str, after_ms: int) -> None:
    """Repeat the part of the page that draws this while the job runs. `key`: unique on the page."""
    if job is not None and not job.error and pending([job]):
        _repeat(key, after_ms)


def redraw_when_over(jobs: Iterable[Job], key: str, after_ms: int, *, at_each_end: bool = False) -> None:
    """Redraw the page once all of the jobs are over, or `at_each_end`. `key`: unique on the page."""
    _redraw_when_over(pending(jobs), key, after_ms, any if at_each_end else all)


@st.fragment
def _redraw_when_over(jobs: Sequence[Job], key: str, after_ms: int, is_due: Callable[[Iterable[bool]], bool]) -> None:
    if not jobs:
        return
    if is_due(job.is_over for job in jobs):
        st.rerun()
    _repeat(key, after_ms)


def _repeat(key: str, after_ms: int) -> None:
    with st.container(key=f"later-{key}"):
        mount_part("later", {"again_in_ms": after_ms}, key=key, states=("again",))


def draw_end(job: Job | None) -> None:
    """Draw why a job ended early; nothing for any other."""
    if job is not None and job.is_over and not job.finished:
        how_it_ended(job)


def forget(job: Job) -> None:
    """Drop a job that is over."""
    if job.is_over:
        cache.jobs().forget(job.key)


def draw_job(job: Job) -> None:
    """Draw the progress of a job, or why it ended early; once it has finished, redraw the page."""
    if job.is_over and not job.finished:
        how_it_ended(job)
    else:
        watch(job)


def how_far(job: Job, now: float) -> str:
    parts = [upper_first(job.stage) or "Waiting for another job to finish"]
    if job.total:
        parts.append(f"{job.done:,} of {job.total:,}")
    rate, left = job.per_second(now), job.seconds_left(now)
    if rate is not None and job.total > 1:
        parts.append(f"{rate:,.0f} a second" if rate >= 1 else f"{60 * rate:,.1f} a minute")
    if left is not None:
        parts.append(f"about {left:.0f} s left" if left < 120 else f"about {left / 60:,.0f} min left")
    return " · ".join(parts)


def draw_early_end(job: Job, stopped: str, icon: str | None = ":material/stop_circle:") -> None:
    """Draw why a job ended early: an error, or the text `stopped`; nothing for any other."""
    if job.error:
        draw_problem(job.error)
    elif job.cancelled:
        st.info(stopped, icon=icon)


def how_it_ended(job: Job) -> None:
    if job.error:
        draw_problem(job.error)
    else:
        st.info("Stopped. Finished work is saved.", icon=":material/stop_circle:")
    if st.button("Restart", key=f"again-{job.key}", type="primary"):
        forget(job)
        st.rerun()


def computed(
    kept: ResultCache,
    key: str,
    title: str,
    make: Callable[[OnStage], T],
    *,
    family: str,
    lane: Lane = "page",
    is_quick: bool = False,
    is_latest: bool = False,
    patience: float = 0.0,
) -> T | None:
    """Return the result of this key; None while it is made in the background, with the progress drawn.

    `is_quick`: it is made here and now. `is_latest`: earlier jobs of the family are cancelled. `patience`: the seconds
    to wait for a result, so that the page does not flicker.
    """
    if is_quick:
        return kept.of(key, lambda: make(silent))
    if key in kept:
        there: T = kept[key]
        return there

    def work(on_stage: OnStage) -> None:
        kept[key] = make(on_stage)

    jobs, name = cache.jobs(), f"{family}:{key}"
    jobs.forget_finished(name)
    job = jobs.start_latest(family, key, title, work) if is_latest else jobs.start(name, title, work, lane)
    until = time.monotonic() + patience
    while not job.is_over and time.monotonic() < until:
        time.sleep(BETWEEN_LOOKS)
    if job.finished:
        return kept.get(key)
    draw_job(job)
    return None


def follow(job: Job) -> None:
    """Draw the progress or the outcome of a job; once it has finished, redraw the page without it."""
    if not job.is_over:
        watch(job)
    elif job.finished:
        forget(job)
        st.rerun()
    else:
        how_it_ended(job)
