"""Running a search again later, and what became of its publications meanwhile."""

from __future__ import annotations

from collections.abc import Mapping

from core.errors import InputError
from core.sources.reporting import Changes, changes, fingerprint
from data.clock import Clock, utc_now
from data.sources.fetching.journal import fetched_of
from data.sources.fetching.running import plan_prepared
from data.sources.fetching.runs import LiveRun, find_live_run, live_pages, live_runs
from data.sources.types import LiveSource
from data.workspace import Workspace


def repeat(
    workspace: Workspace,
    run_id: str,
    source: LiveSource,
    *,
    most: int | None = None,
    label: str | None = None,
    clock: Clock = utc_now,
) -> LiveRun:
    """A run that asks the same again, ready to begin. `most`: None: as many as before. Sends nothing."""
    earlier = find_live_run(workspace.store, run_id)
    if earlier.source != source.about.id:
        raise InputError(f"this run is a search in {earlier.source}, and {source.about.label} was opened")
    return plan_prepared(
        workspace,
        earlier.topic_id,
        source,
        earlier.text,
        earlier.prepared,
        most=earlier.most if most is None else most,
        label=label,
        earlier=earlier.run_id,
        fresh=True,
        clock=clock,
    )


def changes_between(workspace: Workspace, earlier_id: str, later_id: str) -> Changes:
    """What became of each record, by the source's own names: what the library takes for one does not matter.

    Both runs may be under way: it is said then what that means.
    """
    before, after = (find_live_run(workspace.store, run_id) for run_id in (earlier_id, later_id))
    if before.source != after.source:
        raise InputError(f"a search in {before.source} can't be compared with one in {after.source}")
    return changes(
        fingerprints(workspace, before.run_id),
        fingerprints(workspace, after.run_id),
        total_before=before.total_last,
        total_after=after.total_last,
        is_cut_before=before.is_capped,
        is_cut_after=after.is_capped,
        is_whole_before=before.state == "done",
        is_whole_after=after.state == "done",
    )


def fingerprints(workspace: Workspace, run_id: str) -> Mapping[str, str]:
    """Of every record that a run brought: its key, and a short name for all that it says."""
    folder = workspace.paths.pages(run_id)
    return {
        key: fingerprint(record)
        for page in live_pages(workspace.store, run_id)
        for key, record in fetched_of(folder / page.name)
    }


def history(workspace: Workspace, run_id: str) -> tuple[LiveRun, ...]:
    """A run with what it repeats and what repeats it, the oldest first."""
    there = {run.run_id: run for run in reversed(live_runs(workspace.store))}
    first = find_live_run(workspace.store, run_id)
    seen = {first.run_id}
    while first.earlier_id in there and first.earlier_id not in seen:
        first = there[first.earlier_id]
        seen.add(first.run_id)
    chain, n = {first.run_id: first}, 0
    while n < len(chain):  # by a clock that was put back, a repeat looks older than what it repeats
        n = len(chain)
        for run in there.values():
            if run.earlier_id in chain:
                chain.setdefault(run.run_id, run)
    return tuple(chain.values())
