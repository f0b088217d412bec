"""What a version remembers, and what may be done with it: call it something, comment it, hide it, run it again.

A version itself never changes. Deleting hides it: what it retrieved stays in the topic, so that no score of another
version moves, and bringing it back brings back exactly what it was.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace

from core.comparing.compare import Changes, changes
from core.errors import InputError, NoCoreError, NotFoundError, StoreInUseError
from core.types import Ids
from data.clock import Clock, utc_now
from data.lookup import check_topic, deleted_message, there_is, version_named
from data.running import dialect_of
from data.store import VersionRow
from data.workspace import Workspace

LONGEST_NAME = 80
LONGEST_NOTE = 2_000
_CONTROLS_OF_A_NOTE = str.maketrans("", "", "\n\t\u200d\ufe0f")
"""Lines, tabs and what joins signs to one: all that may stand in a note beside what can be seen."""


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """A version with what stands beside it in the history of its topic."""

    row: VersionRow
    made_from: str | None
    """The label of the version that it was made from, also if that is hidden now."""
    n_core_found: int
    n_core: int
    is_current: bool | None
    """Whether a run today would be over the same publications and texts; None: not known, or never run here."""


def history(workspace: Workspace, topic_id: str, *, deleted: bool = False) -> tuple[HistoryEntry, ...]:
    """Every version of a topic, the oldest first. `deleted`: also those that are hidden."""
    store = workspace.store
    check_topic(store, topic_id)
    every = store.versions(topic_id, deleted=True)
    label_of = {row.version.query_id: row.version.label for row in every}
    found = dict(
        store.rows(
            """
            SELECT query_id, count(*) FROM retrieved JOIN query_versions AS v USING (query_id)
            JOIN core_publications AS c ON c.topic_id = v.topic_id AND c.publication_id = retrieved.publication_id
            WHERE v.topic_id = ? GROUP BY query_id
            """,
            [topic_id],
        )
    )
    n_core = next(topic.n_core for topic in store.topics() if topic.topic_id == topic_id)
    now = workspace.corpora.searched(topic_id).state if any(row.corpus_state for row in every) else None
    return tuple(
        HistoryEntry(
            row,
            label_of.get(row.version.parent_id or ""),
            found.get(row.version.query_id, 0),
            n_core,
            None if row.corpus_state is None else row.corpus_state == now,
        )
        for row in every
        if deleted or row.deleted_at is None
    )


def _check_said(what: str, text: str, longest: int) -> None:
    if len(text) > longest:
        raise InputError(f"a {what} has up to {longest:,} characters of plain text, got {len(text):,}")
    if not text.translate(_CONTROLS_OF_A_NOTE).isprintable():
        raise InputError(f"a {what} is plain text: take out its control characters")


def name_version(workspace: Workspace, topic_id: str, label: str, name: str) -> VersionRow:
    """Call it something; its label stays. An empty name takes the name away."""
    kept = " ".join(name.split())
    _check_said("name", kept, LONGEST_NAME)
    row = _shown(workspace, topic_id, label)
    return _say(workspace, replace(row, version=replace(row.version, name=kept or None)))


def comment(workspace: Workspace, topic_id: str, label: str, note: str) -> VersionRow:
    """Say something of it; an empty note takes the note away."""
    kept = note.replace("\r\n", "\n").strip()
    _check_said("note", kept, LONGEST_NOTE)
    row = _shown(workspace, topic_id, label)
    return _say(workspace, replace(row, version=replace(row.version, note=kept or None)))


def delete_version(workspace: Workspace, topic_id: str, label: str, *, clock: Clock = utc_now) -> VersionRow:
    """Hide it. What it retrieved stays in the topic, and its label stays taken; `bring_back` undoes it."""
    return _say(workspace, replace(_shown(workspace, topic_id, label), deleted_at=clock()))


def bring_back(workspace: Workspace, topic_id: str, label: str) -> VersionRow:
    """Show a version again that was deleted, exactly as it was."""
    row = _row(workspace, topic_id, label)
    if row.deleted_at is None:
        raise InputError(f'version "{label}" of "{topic_id}" is not deleted: there is nothing to bring back')
    return _say(workspace, replace(row, deleted_at=None))


def deleted_versions(workspace: Workspace, topic_id: str) -> tuple[VersionRow, ...]:
    """Those that are hidden, the one that went last first."""
    rows = [row for row in workspace.store.versions(topic_id, deleted=True) if row.deleted_at is not None]
    return tuple(sorted(rows, key=lambda row: (row.deleted_at or "", row.version.number), reverse=True))


def run_again(workspace: Workspace, topic_id: str, label: str, *, clock: Clock = utc_now) -> VersionRow:
    """Its text, read and matched as it was, over what the topic has today; itself, if nothing changed since."""
    row = _shown(workspace, topic_id, label)
    version = row.version
    if not version.text.strip():
        raise InputError(f'the wording of version "{label}" is not known: there is nothing to run')
    return workspace.run_query(
        topic_id,
        version.text,
        dialect=dialect_of(version),
        semantics="stemmed" if version.semantics == "stemmed" else "literal",
        parent=label,
        clock=clock,
    )


def load_changes(workspace: Workspace, topic_id: str, labels: Ids) -> Changes:
    """What these versions retrieve in common; a topic may be without core publications."""
    ids_of = workspace.store.load_retrieved_ids
    retrieved = {label: ids_of(version_named(workspace.store, topic_id, label).version.query_id) for label in labels}
    with suppress(NoCoreError):
        return changes(retrieved, workspace.store.load_core(topic_id).ids)
    return changes(retrieved, ())


def _row(workspace: Workspace, topic_id: str, label: str) -> VersionRow:
    check_topic(workspace.store, topic_id)
    rows = {row.version.label: row for row in workspace.store.versions(topic_id, deleted=True)}
    if label not in rows:
        shown = (name for name, row in rows.items() if row.deleted_at is None)
        raise NotFoundError(f'topic "{topic_id}" has no version "{label}"; {there_is(shown)}')
    return rows[label]


def _shown(workspace: Workspace, topic_id: str, label: str) -> VersionRow:
    row = _row(workspace, topic_id, label)
    if row.deleted_at is not None:
        raise NotFoundError(deleted_message(label, topic_id))
    return row


def _say(workspace: Workspace, row: VersionRow) -> VersionRow:
    store, version = workspace.store, row.version
    if store.is_copy:
        raise StoreInUseError(f"{store.path} is open in another Queryscape, and versions change only there")
    with store.transaction():
        store.say_of_version(version.query_id, name=version.name, note=version.note, deleted_at=row.deleted_at)
    return row
