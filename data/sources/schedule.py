"""Searches in live sources that are repeated on a schedule."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, get_args

from core.errors import InputError, QueryscapeError
from core.protocols import OnStage, silent
from core.sources.source_forms import SourceId
from data.explore.workspace import Workspace
from data.sources.fetch import go_on, history, repeat
from data.sources.runs import LiveRun
from data.sources.types import LiveSource
from data.store import Clock, Store, utc_now

Every = Literal["daily", "weekly", "monthly"]
NEVER = "never"
EVERY: tuple[Every, ...] = get_args(Every)
INTERVALS = {"daily": timedelta(days=1), "weekly": timedelta(days=7), "monthly": timedelta(days=30)}
SLACK = timedelta(hours=1)
"""An update that a daily job starts some seconds earlier than the day before is due all the same."""
RETRY = timedelta(hours=1)
"""Time until a search is tried again that failed or was interrupted."""
OpenSource = Callable[[SourceId], LiveSource]


@dataclass(frozen=True, slots=True)
class ScheduledSearch:
    first_id: str
    """The run that is repeated."""
    every: Every
    latest: LiveRun
    """The newest run of the same search."""
    tried_at: str | None
    """When the last update was started by the schedule."""
    due_at: str
    """Empty: a person paused the last run, so it waits to be resumed."""

    @property
    def due_words(self) -> str:
        return self.due_at[:16].replace("T", " ") or "paused: resume it first"

    def is_due(self, now: str) -> bool:
        return bool(self.due_at) and datetime.fromisoformat(self.due_at) <= datetime.fromisoformat(now)


@dataclass(frozen=True, slots=True)
class ScheduledUpdate:
    search: ScheduledSearch
    run: LiveRun | None
    problem: str = ""
    """The reason for a failure; what was fetched is kept."""


def set_schedule(workspace: Workspace, run_id: str, every: Every | None) -> None:
    """Repeat this search so often; None: no longer."""
    first = history(workspace, run_id)[0].run_id
    if every is not None and every not in EVERY:
        raise InputError(f'"{every[:40]}" is no schedule: choose {", ".join(EVERY)} or never')
    if every is None:
        workspace.store.execute("DELETE FROM schedules WHERE run_id = ?", [first])
        return
    workspace.store.execute(
        "INSERT INTO schedules VALUES (?, ?, NULL) ON CONFLICT (run_id) DO UPDATE SET every = excluded.every",
        [first, every],
    )


def scheduled_searches(workspace: Workspace) -> tuple[ScheduledSearch, ...]:
    """Return all searches on a schedule whose first run still exists, the next one due first."""
    rows = workspace.store.rows(
        "SELECT run_id, every, tried_at FROM schedules JOIN live_runs USING (run_id) ORDER BY run_id"
    )
    found = [_scheduled(workspace, *row) for row in rows]
    return tuple(sorted(found, key=lambda each: (not each.due_at, each.due_at)))


def _scheduled(workspace: Workspace, first_id: str, every: Every, tried_at: str | None) -> ScheduledSearch:
    latest = max(history(workspace, first_id), key=lambda run: run.made_at)
    if latest.state == "done":
        due = datetime.fromisoformat(latest.made_at) + INTERVALS[every] - SLACK
    elif latest.state == "paused":
        return ScheduledSearch(first_id, every, latest, tried_at, "")
    else:
        due = datetime.fromisoformat(tried_at or latest.made_at) + RETRY
    if tried_at is not None:  # a repeat that could not begin leaves no run
        due = max(due, datetime.fromisoformat(tried_at) + RETRY)
    return ScheduledSearch(first_id, every, latest, tried_at, due.isoformat())


def claim(store: Store, search: ScheduledSearch, now: str) -> bool:
    """Note that an update starts; False: another process or thread has started it in the meantime."""
    with store.transaction():
        rows = store.rows("SELECT tried_at FROM schedules WHERE run_id = ?", [search.first_id])
        if rows != [(search.tried_at,)]:
            return False
        store.execute("UPDATE schedules SET tried_at = ? WHERE run_id = ?", [now, search.first_id])
    return True


def update_due(
    workspace: Workspace, opened: OpenSource, *, clock: Clock = utc_now, on_stage: OnStage = silent
) -> tuple[ScheduledUpdate, ...]:
    """Repeat every search that is due. The failure of one does not stop the others."""
    done = []
    for search in scheduled_searches(workspace):
        if not search.is_due(now := clock()) or not claim(workspace.store, search, now):
            continue
        try:
            source = opened(search.latest.source)
            latest = search.latest
            run = latest if latest.state != "done" else repeat(workspace, latest.run_id, source, clock=clock)
            done.append(ScheduledUpdate(search, go_on(workspace, run.run_id, source, on_stage=on_stage, clock=clock)))
        except QueryscapeError as e:
            done.append(ScheduledUpdate(search, None, str(e)))
    return tuple(done)
