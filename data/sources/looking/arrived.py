"""Which publications the records of a finished run are, and how many of them the topic did not have."""

from __future__ import annotations

from collections.abc import Mapping

from data.sources.fetching.journal import keys_of
from data.sources.fetching.runs import LiveRun, live_pages
from data.store import Store
from data.workspace import Workspace


def publications_of(workspace: Workspace, run: LiveRun) -> Mapping[str, str]:
    """The source's own name of each record -> the publication that it is taken to be now. Empty until it is done."""
    if run.file_id is None:
        return {}
    found = workspace.store.rows("SELECT number, publication_id FROM records WHERE source_id = ?", [run.file_id])
    by_number = dict(found)
    folder = workspace.paths.pages(run.run_id)
    keys = (key for page in live_pages(workspace.store, run.run_id) for key in keys_of(folder / page.name))
    return {key: by_number[number] for number, key in enumerate(keys, start=1) if number in by_number}


def n_new_of(store: Store, run: LiveRun) -> int | None:
    """Publications that came with this run first; None: it is not done."""
    if run.file_id is None:
        return None
    ((n,),) = store.rows("SELECT count(*) FROM records WHERE source_id = ? AND rule IS NULL", [run.file_id])
    return int(n)
