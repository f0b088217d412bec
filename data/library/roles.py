"""Change the role of an imported file: the topic is then as if it had been imported with that role."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.audit.searches import Search
from core.errors import InputError, NotFoundError
from core.library.duplicates import CoreMatch
from core.library.identity import Identity
from core.library.labels import labelled_for, n_labelled
from core.library.records import Record
from core.text import many
from core.types import Ids, unique_ids
from data.changes import check_seen, last_change, record_change
from data.explore.workspace import Workspace
from data.library.filing import (
    Filer,
    drop_orphans,
    drop_version,
    empty_if_last,
    keep_filed,
    refresh,
    save_publications,
)
from data.library.imports import ambiguous_report, check_role
from data.library.records import (
    ASKED,
    BEFORE,
    FiledRecord,
    SourceRole,
    SourceRow,
    load_sources,
    records_of,
    save_report,
    source_id_for,
    source_names,
)
from data.library.searches import add_search_of, delete_search, drop_file, load_searches, save_search
from data.store import Clock, Store, utc_now


@dataclass(frozen=True, slots=True)
class RoleChange:
    """All that undoing the change needs."""

    topic_id: str
    source_id: str
    """Its id now: it depends on the role."""
    name: str
    before: SourceRole
    after: SourceRole
    search: Search | None
    """As it was; None: the file belonged to none."""
    version: tuple[tuple[str, Any], ...] = ()
    """The version that nothing is left of, by column."""


def source_named(store: Store, topic_id: str, name: str) -> SourceRow:
    """Return the file of this name, as `source_names` gives it, or of this id."""
    names = source_names(store, topic_id)
    found = [source for source in load_sources(store, topic_id) if name in (names[source.source_id], source.source_id)]
    if not found:
        found = [source for source in load_sources(store, topic_id) if source.name == name]
    if len(found) == 1:
        return found[0]
    if found:
        these = ", ".join(f'"{names[source.source_id]}"' for source in found)
        raise InputError(f'several files are called "{name[:80]}": write one of {these}')
    raise NotFoundError(f'no file "{name[:80]}" in this topic; there are: {", ".join(names.values()) or "none"}')


def _subject(source_id: str) -> str:
    return f"role of the file {source_id}"


def change_role(
    workspace: Workspace, topic_id: str, source_id: str, role: SourceRole, *, clock: Clock = utc_now
) -> RoleChange:
    """Give a file another role. Raise an error if that would lose something or needs the file itself.

    The id of a file depends on its role, so it tells which role the person saw.
    """
    store = workspace.store
    store.check_writable()
    source = next((s for s in load_sources(store, topic_id) if s.source_id == source_id), None)
    if source is None:
        if last_change(store, topic_id, _subject(source_id)) is not None:
            check_seen(store, topic_id, _subject(source_id), now=None, seen=source_id)
        raise NotFoundError("this file no longer exists: reload the list")
    search = next((s for s in load_searches(store, topic_id) if source_id in s.source_ids), None)
    if role == source.role:
        return RoleChange(topic_id, source_id, source.name, role, role, search)
    check_role(store, topic_id, role)
    _check_change(store, source, role)
    new_id = source_id_for(topic_id, role, source.content_hash)
    version = _version(store, topic_id, source.role)
    with store.transaction():
        record_change(store, topic_id, _subject(source_id), now=source.role, at=clock())
        touched = [
            i for (i,) in store.rows("SELECT DISTINCT publication_id FROM records WHERE source_id = ?", [source_id])
        ]
        _rename(store, source, new_id, role)
        moved = replace(source, source_id=new_id, role=role)
        filer = Filer(store, topic_id) if "core" not in (source.role.kind, role.kind) else None
        if filer is None:
            filer, filed = _file_again(store, moved)
            touched = list(unique_ids([*touched, *filed]))
        _change_search(store, moved, source.role, search)
        if source.role.kind in ("corpus", "core"):
            empty_if_last(workspace, topic_id, source.role.kind)
        is_gone = version and all(s.role != source.role for s in load_sources(store, topic_id))
        if is_gone:
            drop_version(workspace, topic_id, str(source.role))
        gone = filer.rematch_core(store) if role.kind != "core" else ()
        refresh(store, topic_id)
        drop_orphans(store, [*touched, *gone])
        workspace.corpora.forget()
    return RoleChange(topic_id, new_id, source.name, source.role, role, search, version if is_gone else ())


def undo_role(workspace: Workspace, change: RoleChange) -> None:
    """Give a file its former role, with what was known of its search and its version."""
    store = workspace.store
    back = change_role(workspace, change.topic_id, change.source_id, change.before)
    if change.search is not None:
        there = {source.source_id for source in load_sources(store, change.topic_id)}
        for search in load_searches(store, change.topic_id):
            if search.source_ids == (back.source_id,) and search.search_id != change.search.search_id:
                delete_search(store, change.topic_id, search.number)
        taken = {
            i for s in load_searches(store, change.topic_id) for i in s.source_ids if s.number != change.search.number
        }
        ids = (back.source_id if i not in there else i for i in change.search.source_ids)
        search = replace(change.search, source_ids=tuple(i for i in ids if i not in taken))
        save_search(store, change.topic_id, search)
    columns = [(name, value) for name, value in change.version if name in _OF_VERSION]
    if columns:
        query_id = dict(change.version)["query_id"]
        store.execute(
            f"UPDATE query_versions SET {', '.join(f'{name} = ?' for name, _ in columns)} WHERE query_id = ?",
            [*(value for _, value in columns), query_id],
        )


_OF_VERSION = frozenset({"number", "text", "origin", "name", "note", "made_at", "made_by", "parent_id"})
"""Columns of a version that its files don't give."""


def _check_change(store: Store, source: SourceRow, role: SourceRole) -> None:
    if source.content_hash is None:
        raise InputError(f"{BEFORE}: these publications came from no file, so their role can't be changed")
    new_id = source_id_for(source.topic_id, role, source.content_hash)
    if any(other.source_id == new_id for other in load_sources(store, source.topic_id)):
        raise InputError(f"{source.name} is already in the topic as {role}: delete one of the two")
    records = [record for record, *_ in _documents(store, source)]
    n_left = source.n_in_file - source.n_rejected - len(records)
    was_whole = source.role.is_search or not n_left or not all(n_labelled([record]) for record in records)
    if was_whole and role.listed is not None:
        n_chosen = len(labelled_for(records, role.listed))
        if n_chosen < len(records):
            raise InputError(
                f"{source.name} has labels: {n_chosen:,} of {many(len(records), 'record')} would be {role}, and the "
                f"others would be lost. Use the labels instead, with `searches --labels FILE {role.kind}`"
            )
    elif not was_whole and (role.is_search or any(record.cite_label for record in records)):
        raise InputError(
            f"{many(n_left, 'record')} of {source.name} were not imported, because of their labels: import the file "
            f"again as {role}"
        )


_Stored = tuple[Record, str | None, str | None, str | None]
"""A record with its publication, rule and `began_as`; no publication: its entry is ambiguous."""


def _documents(store: Store, source: SourceRow) -> list[_Stored]:
    rows = store.rows(
        "SELECT document, number, line, publication_id, rule, began_as FROM records WHERE source_id = ?",
        [source.source_id],
    )
    rows += [(document, number, line, None, None, None) for number, line, document in source.report.waiting]
    found = [
        (Record.from_document(json.loads(document), number, line), *more) for document, number, line, *more in rows
    ]
    return sorted(found, key=lambda stored: stored[0].number)


def _version(store: Store, topic_id: str, role: SourceRole) -> tuple[tuple[str, Any], ...]:
    columns = ("query_id", *sorted(_OF_VERSION))
    found = store.rows(
        f"SELECT {', '.join(columns)} FROM query_versions WHERE topic_id = ? AND label = ?", [topic_id, role.label]
    )
    return tuple(zip(columns, found[0], strict=True)) if found and role.kind == "version" else ()


def _rename(store: Store, source: SourceRow, new_id: str, role: SourceRole) -> None:
    old = source.source_id
    store.execute(
        "UPDATE sources SET source_id = ?, role = ?, label = ? WHERE source_id = ?",
        [new_id, role.kind, role.label, old],
    )
    store.execute("UPDATE records SET source_id = ? WHERE source_id = ?", [new_id, old])
    store.execute("UPDATE search_files SET source_id = ? WHERE source_id = ?", [new_id, old])
    store.execute("UPDATE live_runs SET file_id = ?, label = ? WHERE file_id = ?", [new_id, role.label, old])


def _change_search(store: Store, source: SourceRow, before: SourceRole, search: Search | None) -> None:
    if not source.role.is_search:
        drop_file(store, source.source_id)
    elif not before.is_search:
        add_search_of(store, source.topic_id, source, source.report.origin)
    elif search is not None and len(search.source_ids) == 1 and search.label == before.label:
        store.execute("UPDATE searches SET label = ? WHERE search_id = ?", [source.role.label, search.search_id])


# A list of core publications is matched in another way than the records of a search, so its records are filed again.


def _file_again(store: Store, source: SourceRow) -> tuple[Filer, Ids]:
    stored = _documents(store, source)
    store.execute("DELETE FROM records WHERE source_id = ?", [source.source_id])
    filer = Filer(store, source.topic_id)
    decided = {record.number: (i, rule, began) for record, i, rule, began in stored if i and (began or rule == ASKED)}
    records = [record for record, *_ in stored if record.number not in decided]
    matches: tuple[CoreMatch, ...] = ()
    if source.role.kind == "core":
        filed, matches = filer.file_core(records)
    else:
        filed = filer.file(records)
    filed += [
        FiledRecord(record, Identity.of(record), *decided[record.number])
        for record, *_ in stored
        if record.number in decided
    ]
    keep_filed(store, source.source_id, filed)
    former = unique_ids(i for _, i, *_ in stored if i)
    save_publications(store, records_of(store, former))
    save_report(store, source.source_id, ambiguous_report(source.report, matches))
    now = unique_ids([*former, *(f.publication_id for f in filed)])
    _begin_with_first(store, source.topic_id, now)
    return filer, now


def _begin_with_first(store: Store, topic_id: str, ids: Sequence[str]) -> None:
    """Make the first record of each publication the one that began it; the one that did so far gets its rule."""
    rows = store.rows(
        """
        SELECT publication_id, r.source_id, r.number, rule FROM records AS r JOIN sources AS s USING (source_id)
        WHERE s.topic_id = $topic AND publication_id IN (SELECT unnest($ids::VARCHAR[])) ORDER BY s.number, r.number
        """,
        {"topic": topic_id, "ids": list(ids)},
    )
    first: dict[str, str | None] = {}
    for publication_id, source_id, number, rule in rows:
        is_first = publication_id not in first
        now = None if is_first else rule or first[publication_id]
        first.setdefault(publication_id, rule)
        if now != rule:
            store.execute("UPDATE records SET rule = ? WHERE source_id = ? AND number = ?", [now, source_id, number])
