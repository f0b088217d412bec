"""Runs of a listed source, all on one day."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from data.explore.workspace import Workspace
from data.sources.fetch import go_on, plan_run
from data.sources.runs import LiveRun
from tests.data.listed_source import ListedSource

TOPIC = "Tea"
DAY = "2026-11-22T10:00:00+00:00"


def clock() -> str:
    return DAY


def planned(workspace: Workspace, source: ListedSource, **choices: Any) -> LiveRun:
    return plan_run(workspace, TOPIC, source, "tea", fresh=True, clock=clock, **choices)


def gone_on(workspace: Workspace, run: LiveRun, source: ListedSource, **how: Any) -> LiveRun:
    return go_on(workspace, run.run_id, source, clock=clock, **how)


def done(workspace: Workspace, source: ListedSource, **choices: Any) -> LiveRun:
    return gone_on(workspace, planned(workspace, source, **choices), source)


def raising(error: BaseException, at: int = 0) -> Callable[[int, int], None]:
    """Before the page at this place."""

    def before(form: int, begin: int) -> None:
        if begin == at:
            raise error

    return before
