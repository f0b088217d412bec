"""Runs in a source that plays PubMed, in the store as real ones are: finished, repeated, cut, paused and failed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

from core.errors import BudgetSpentError
from core.protocols import silent
from data.explore.workspace import Workspace
from data.sources.fetch import go_on, plan_run, repeat
from data.sources.runs import LiveRun, find_live_run
from data.sources.types import FetchedRecord, OddRecord
from tests.data.listed_source import ListedSource, fetched, numbered

TOPIC = "Tea <b>"
TEXT = "green tea AND (cup OR *mug*)"
FIRST, LATER = "2031-01-05T09:30:00+00:00", "2031-03-06T10:00:00+00:00"
BROKEN = OddRecord('{"title": null, "note": "=1+1"}', "it has no title")


class Pause(Exception):
    """Whoever waited pauses the run."""


def clock(moment: str) -> Callable[[], str]:
    """Always the same time."""
    return lambda: moment


def run_of(workspace: Workspace, source: ListedSource, *, most: int = 10_000, at: str = FIRST) -> LiveRun:
    """Planned, fetched and frozen."""
    planned = plan_run(workspace, TOPIC, source, TEXT, most=most, clock=clock(at), fresh=True)
    return go_on(workspace, planned.run_id, source, clock=clock(at))


def odd_source() -> ListedSource:
    """25 records, one of them on two pages, one put aside, and a total that changes on the third page."""
    records = numbered(25)
    return ListedSource(
        [[*records[:15], records[3], *records[15:]]],
        total=lambda form, begin: 25 if begin < 20 else 27,
        aside={10: BROKEN},
    )


def finished(workspace: Workspace) -> LiveRun:
    """One that met everything that can be met without stopping."""
    return run_of(workspace, odd_source())


def later_records() -> Sequence[FetchedRecord]:
    """Of the same search, later: 1 is gone, 2 has another title, 26 and 27 are new."""
    return [fetched(2, title="Study number two, with another title"), *numbered(23, 3), *numbered(2, 26)]


def repeated(workspace: Workspace, run: LiveRun, *, records: Sequence[FetchedRecord] | None = None) -> LiveRun:
    """The same search two months later."""
    source = ListedSource([later_records() if records is None else records])
    planned = repeat(workspace, run.run_id, source, clock=clock(LATER))
    return go_on(workspace, planned.run_id, source, clock=clock(LATER))


def paused(workspace: Workspace) -> LiveRun:
    """After two of its pages."""
    source = ListedSource([numbered(25)])

    def on_stage(stage: str) -> Callable[[int, int], None]:
        def report(done: int, total: int) -> None:
            if done >= 20:
                raise Pause

        return report if stage.startswith("fetching") else silent(stage)

    planned = plan_run(workspace, TOPIC, source, TEXT, clock=clock(FIRST), fresh=True)
    with suppress(Pause):
        go_on(workspace, planned.run_id, source, on_stage=on_stage, clock=clock(FIRST))
    return find_live_run(workspace.store, planned.run_id)


def failed(workspace: Workspace) -> LiveRun:
    """Its budget ended after a page."""

    def before(form: int, begin: int) -> None:
        if begin:
            raise BudgetSpentError("the daily budget of PubMed is used up: resume after midnight UTC")

    source = ListedSource([numbered(25)], before=before)
    planned = plan_run(workspace, TOPIC, source, TEXT, clock=clock(FIRST), fresh=True)
    with suppress(BudgetSpentError):
        go_on(workspace, planned.run_id, source, clock=clock(FIRST))
    return find_live_run(workspace.store, planned.run_id)
