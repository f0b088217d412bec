"""What a run left on the disk, for whoever looks at it: records put aside, and what changed from one run to another."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from core.errors import CorruptStoreError
from core.records.cleaning import Record
from core.sources.reporting import Changes, changed_fields
from core.types import Ids
from data.files import disk_errors
from data.sources.fetching.journal import ASIDE, documents_of, keys_of
from data.sources.fetching.runs import live_pages
from data.workspace import Workspace

Fate = Literal["new", "gone", "changed"]


@dataclass(frozen=True, slots=True)
class PutAside:
    """A record that was not as it should be, as it came."""

    page: int
    reason: str
    """Completes "a record was put aside: ..."."""
    raw: str


@dataclass(frozen=True, slots=True)
class ChangedRecord:
    """A record that only one of two runs brought, or that says something else in the later one."""

    key: str
    """The source's own name for it."""
    fate: Fate
    record: Record
    """As the later run has it; of one that is gone, as the earlier run had it."""
    fields: Ids = ()
    """What differs, of one that changed."""


def put_aside(workspace: Workspace, run_id: str) -> tuple[PutAside, ...]:
    """The records of a run that were put aside, in the order in which they came."""
    path = workspace.paths.pages(run_id) / ASIDE
    with disk_errors(path):
        lines = path.read_bytes().splitlines() if path.exists() else []
    n_pages = len(live_pages(workspace.store, run_id))
    found = []
    for line in lines:
        try:
            said = json.loads(line)
            found.append(PutAside(int(said["page"]), str(said["reason"]), str(said["raw"])))
        except (ValueError, KeyError, TypeError) as e:
            raise CorruptStoreError(f"{path} is damaged: put a copy back, or delete the run") from e
    return tuple(each for each in found if each.page <= n_pages)  # a kill may have left lines of a page without a row


def unread_answers(workspace: Workspace, run_id: str) -> tuple[Path, ...]:
    """Files with answers in a form that is not the documented one."""
    return tuple(sorted(workspace.paths.pages(run_id).glob("changed-*.bin")))


def changed_records(workspace: Workspace, earlier_id: str, later_id: str, found: Changes) -> tuple[ChangedRecord, ...]:
    """What is new, then what is gone, then what changed; only these records are read."""
    before = dict(_records(workspace, earlier_id, {*found.gone, *found.changed}))
    after = dict(_records(workspace, later_id, {*found.new, *found.changed}))
    return (
        *(ChangedRecord(key, "new", after[key]) for key in found.new),
        *(ChangedRecord(key, "gone", before[key]) for key in found.gone),
        *_changed(before, after, found.changed),
    )


def _changed(before: Mapping[str, Record], after: Mapping[str, Record], keys: Ids) -> Iterator[ChangedRecord]:
    for key in keys:
        yield ChangedRecord(key, "changed", after[key], changed_fields(before[key], after[key]))


def _records(workspace: Workspace, run_id: str, wanted: Collection[str]) -> Iterator[tuple[str, Record]]:
    if not wanted:
        return
    folder = workspace.paths.pages(run_id)
    for page in live_pages(workspace.store, run_id):
        keys = keys_of(folder / page.name)
        if any(key in wanted for key in keys):
            for key, document in zip(keys, documents_of(folder / page.name), strict=True):
                if key in wanted:
                    yield key, Record.from_document(json.loads(document))
