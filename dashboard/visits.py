"""Visits of the public demo: each visitor has a copy of the demo workspace, with jobs and cached results of its own."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from threading import BoundedSemaphore, Event, Lock, Thread
from typing import Any

import streamlit as st
from streamlit import config, runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.errors import QueryscapeError
from dashboard import state
from dashboard.jobs import Jobs
from data.access import for_owner_only, is_allowed
from data.demo.copies import DemoCopies, size_of
from data.explore.workspace import Workspace
from data.public_demo import (
    IDLE_SECONDS,
    JOB_SECONDS,
    JOBS_AT_ONCE,
    MOST_MB,
    MOST_VISITORS,
    UPLOAD_MB,
    forget_secrets,
    is_public_demo,
    switched_off,
)

SWEEP_SECONDS = 20.0
AWAY_SECONDS = 180.0
"""A browser that lost its connection may come back for two minutes; Streamlit keeps its session so long."""


class DemoFullError(QueryscapeError):
    """All copies of the public demo are in use."""


@dataclass
class Visit:
    session_id: str
    workspace: Workspace
    jobs: Jobs
    seen: float
    """Time of the last run of a page, while the browser is connected."""
    results: dict[str, Any] = field(default_factory=dict, repr=False)
    """Cached results by their kind; they end with the visit."""


_of_job: ContextVar[Visit | None] = ContextVar("visit", default=None)


class Visits:
    """All visits of one server. `is_connected`: tells by its session whether a browser is connected."""

    def __init__(
        self, copies: DemoCopies, is_connected: Callable[[str], bool], now: Callable[[], float] = time.monotonic
    ) -> None:
        self._copies, self._is_connected, self._now = copies, is_connected, now
        self._visits: dict[str, Visit] = {}
        self._ended: list[Visit] = []
        self._lock = Lock()
        self._slots = BoundedSemaphore(JOBS_AT_ONCE)

    def __len__(self) -> int:
        return len(self._visits)

    def of(self, visitor: str, session_id: str) -> Visit:
        """Return the visit of this visitor; a new visitor gets a copy."""
        visit = self._visits.get(visitor)
        if visit is None:
            with self._lock:
                if len(self._visits) + len(self._ended) >= MOST_VISITORS:
                    self._end_some()
                if len(self._visits) + len(self._ended) >= MOST_VISITORS:
                    raise DemoFullError(
                        f"all {MOST_VISITORS} places of this demo are taken: try again in a few minutes, or install "
                        "Queryscape on your own machine"
                    )
                visit = self._visits[visitor] = self._new(session_id)
        visit.seen, visit.session_id = self._now(), session_id
        return visit

    def _new(self, session_id: str) -> Visit:
        jobs = Jobs(most_seconds=JOB_SECONDS, around=lambda: self._at_work(visit))
        visit = Visit(session_id, self._copies.open_copy(), jobs, self._now())
        return visit

    @contextmanager
    def _at_work(self, visit: Visit) -> Iterator[None]:
        """Run a job for a visit when a slot is free."""
        with self._slots:
            token = _of_job.set(visit)
            try:
                yield
            finally:
                _of_job.reset(token)

    def sweep(self) -> None:
        """End visits whose browser has left, that are idle, or whose copy is too large; delete their copies."""
        with self._lock:
            self._end_some()

    def _end_some(self) -> None:
        for visitor, visit in list(self._visits.items()):
            idle = self._now() - visit.seen
            has_left = idle > AWAY_SECONDS and not self._is_connected(visit.session_id)
            if has_left or idle > IDLE_SECONDS or size_of(visit.workspace.paths.root) > MOST_MB * 1_000_000:
                visit.jobs.stop()
                self._ended.append(self._visits.pop(visitor))
        for visit in [visit for visit in self._ended if visit.jobs.is_idle]:
            self._ended.remove(visit)
            visit.results.clear()
            visit.jobs.close()
            visit.workspace.close()
            self._copies.delete(visit.workspace.paths.root)

    def close(self) -> None:
        """End all visits, and delete everything."""
        with self._lock:
            for visit in (*self._visits.values(), *self._ended):
                visit.jobs.stop()
                visit.jobs.wait()
                visit.jobs.close()
                visit.workspace.close()
            self._visits.clear()
            self._ended.clear()
        self._copies.close()


def running_server() -> runtime.Runtime | None:
    """Return the running server; None in a test of a page, which has only a stand-in that passes `isinstance`."""
    server = runtime.get_instance() if runtime.exists() else None
    return server if type(server) is runtime.Runtime else None


def _is_connected(session_id: str) -> bool:
    return runtime.exists() and runtime.get_instance().is_active_session(session_id)


_here: list[Visits] = []
_start_lock = Lock()


def all_visits() -> Visits:
    """Return the visits of this server. The first call builds the demo data."""
    with _start_lock:
        if not _here:
            forget_secrets()
            copies = DemoCopies()
            copies.build()
            _here.append(Visits(copies, _is_connected))
            Thread(target=_sweep_often, args=(_here[0],), name="queryscape-visits", daemon=True).start()
        return _here[0]


_stop = Event()


def _sweep_often(visits: Visits) -> None:
    while not _stop.wait(SWEEP_SECONDS) and visits in _here:
        try:
            visits.sweep()
        except Exception:
            logging.getLogger("queryscape").exception("visits could not be ended")


def close_all() -> None:
    """Delete all copies; called when the server stops."""
    while _here:
        _here.pop().close()


def current_visit() -> Visit | None:
    """Return the visit that a page or a background job belongs to; None: this is no public demo."""
    if not is_public_demo():
        return None
    run = get_script_run_ctx(suppress_warning=True)
    if run is not None:
        return all_visits().of(state.visitor(), run.session_id)
    visit = _of_job.get()
    if visit is None:
        raise QueryscapeError("this demo can't tell whose request this is: reload the page")
    return visit


def upload_limit(megabytes: int) -> int:
    """Return the largest upload: this size, or less in the public demo."""
    return min(megabytes, UPLOAD_MB) if is_public_demo() else megabytes


def is_switched_off(what: str) -> bool:
    """Check whether the public demo, or a visitor's page, leaves out a control, and say so in its place.

    `what` begins the sentence.
    """
    if is_public_demo():
        st.info(f"{switched_off(what)}.", icon=":material/block:")
    elif not is_allowed("server"):
        st.info(f"{for_owner_only(what)}.", icon=":material/block:")
    else:
        return False
    return True


def draw_banner() -> None:
    """Say that this is a demo; stop the page with a sentence when no copy is free."""
    if not is_public_demo():
        return
    if config.get_option("server.maxUploadSize") != UPLOAD_MB:  # the server reads it at every upload
        config.set_option("server.maxUploadSize", UPLOAD_MB)
    try:
        current_visit()
    except DemoFullError as e:
        st.title("Queryscape")
        st.info(f"Sorry, {e}.", icon=":material/hourglass_empty:")
        st.stop()
    st.caption(
        "This is your own demo copy. It is deleted when you leave or reload the page; nothing you do here is kept. "
        "Install Queryscape to work with your own searches."
    )
