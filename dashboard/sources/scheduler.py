"""Run scheduled updates while the app is open: one background thread that starts what is due as jobs of the page."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from threading import Event, Thread

from core.errors import QueryscapeError
from dashboard import cache
from dashboard.sources.jobs import RUN_JOBS, start_run, start_update
from data.http.client import is_offline
from data.sources.schedule import claim, scheduled_searches
from data.store import utc_now

LOOK_SECONDS = 300.0
"""Interval at which the thread looks for due updates."""


def start_due(now: str) -> int:
    """Start every update that is due, and return their number. A person can pause each like any other run."""
    if is_offline():  # the public demo is
        return 0
    workspace = cache.workspace()
    if workspace.store.is_read_only:
        return 0
    n = 0
    for search in scheduled_searches(workspace):
        latest = search.latest
        if not search.is_due(now) or RUN_JOBS.is_running(latest.run_id) or not claim(workspace.store, search, now):
            continue
        try:
            if latest.state == "done":
                start_update(latest.run_id)
            else:
                start_run(latest.run_id)
            n += 1
        except QueryscapeError as e:  # tried again in an hour
            logging.getLogger(__name__).warning("the update of %s did not start: %s", latest.run_id, e)
    return n


def _watch(ended: Event) -> None:
    while not ended.wait(LOOK_SECONDS):
        try:
            start_due(utc_now())
        except Exception:  # the thread must outlive a workspace that can't be opened for a while
            logging.getLogger(__name__).exception("scheduled updates could not be looked up")


@asynccontextmanager
async def scheduling() -> AsyncIterator[None]:
    """Watch the schedule as long as the server runs."""
    ended = Event()
    Thread(target=_watch, args=(ended,), name="schedule", daemon=True).start()
    try:
        yield
    finally:
        ended.set()
