"""The version that a run became, as long as it is there: deleted, its label may soon name another one."""

from __future__ import annotations

from data.sources.fetching.runs import LiveRun
from data.store import VersionRow
from data.workspace import Workspace


def version_of(workspace: Workspace, run: LiveRun) -> VersionRow | None:
    """The version, also where it is hidden (`deleted_at`); None: the run is not done, or its version is gone."""
    store = workspace.store
    if run.label is None or not store.rows("SELECT 1 FROM sources WHERE source_id = ?", [run.file_id]):
        return None
    rows = store.versions(run.topic_id, deleted=True)
    return next((row for row in rows if row.version.label == run.label), None)


def brought_ids(workspace: Workspace, run: LiveRun) -> frozenset[str] | None:
    """The publications that a run brought; None: it is not done, or its version is gone."""
    row = version_of(workspace, run)
    return None if row is None else frozenset(workspace.store.load_retrieved_ids(row.version.query_id))
