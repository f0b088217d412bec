"""Opens a collection by what a person calls it: a name, a topic, or a folder on disk."""

from __future__ import annotations

import os.path
from dataclasses import dataclass
from pathlib import Path

from core.knowledge.statistics.query_sets import QuerySet
from core.ranking.check import Collection, Oddity, check
from data.collections.reading import read_collection
from data.collections.stored import (
    TOPIC_PREFIX,
    is_stored,
    load_collection,
    load_report,
    not_found,
    run_key,
)
from data.collections.topics import topic_collection
from data.knowledge.holders import Holders
from data.knowledge.statistics.query_sets import Queries, splits_of, stored_set
from data.workspace import Workspace


@dataclass(frozen=True, eq=False)
class OpenedCollection:
    """A collection that is loaded, and what is to be known about it."""

    collection: Collection
    oddities: tuple[Oddity, ...]
    """What the checker says."""
    notes: tuple[str, ...]
    """What was noted when it was read."""
    key: str
    """Changes with everything that a run depends on: documents and queries. Judgments are not part of it."""
    stored: bool
    """It is kept in the workspace under its name."""
    holders: Holders | None = None
    """The knowledge bases that may hold its documents."""


def open_collection(workspace: Workspace, name_or_folder: str) -> OpenedCollection:
    """A name that the workspace knows, `topic:NAME`, or a folder or file; the first of these that there is."""
    name = name_or_folder.strip()
    if is_stored(workspace.store, name):
        report = load_report(workspace.store, name)
        collection = load_collection(workspace.store, name)
        holders = Holders.of(workspace.knowledge, workspace.store, collection)
        return OpenedCollection(collection, report.oddities, report.notes, report.key, stored=True, holders=holders)
    if name.startswith(TOPIC_PREFIX):
        collection = topic_collection(workspace, name.removeprefix(TOPIC_PREFIX).strip())
        return _opened(workspace, collection, TOPIC_NOTES)
    where = named_path(workspace, name_or_folder)
    if where is None:
        raise not_found(workspace.store, name)
    read = read_collection(where)
    return _opened(workspace, read.collection, read.notes)


def named_path(workspace: Workspace, name_or_folder: str) -> Path | None:
    """The folder or file that is meant, unless the workspace knows a collection or a topic by this name."""
    name = name_or_folder.strip()
    if not name or name.startswith(TOPIC_PREFIX) or is_stored(workspace.store, name):
        return None
    where = Path(os.path.expanduser(name_or_folder))
    return where if _is_there(where) else None


TOPIC_NOTES = (
    "only the topic's core publications count as relevant; what else is relevant is not known, so precision is a lower "
    "bound",
)


def _is_there(where: Path) -> bool:
    """Whether there is such a file or folder; what can't be the name of one is not there."""
    try:
        return where.exists()
    except (OSError, ValueError):  # too long, or a NUL in it
        return False


def _opened(workspace: Workspace, collection: Collection, notes: tuple[str, ...]) -> OpenedCollection:
    key, holders = run_key(collection), Holders.of(workspace.knowledge, workspace.store, collection)
    return OpenedCollection(collection, check(collection), tuple(notes), key, stored=False, holders=holders)


def load_queries(workspace: Workspace, collection: str) -> Queries:
    """Of a collection that is kept; else of one that is opened by folder or topic."""
    name = collection.strip()
    if is_stored(workspace.store, name):
        return Queries(name, stored_set(workspace.store, name), splits_of(workspace.store, name))
    found = open_collection(workspace, collection).collection
    return Queries(found.name, QuerySet.of(found), found.splits)
