"""Records that come many at a time, as from a live source: one source in the library, and few of them in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from core.errors import InputError
from core.protocols import OnProgress
from core.records.cleaning import Record
from data.library.filing import Filer, keep_filed
from data.library.membership import drop_orphans, keep_in_other_topics, keep_what_was_here, refresh
from data.library.tables import (
    NOTHING_TO_REPORT,
    Report,
    Role,
    SourceRow,
    load_sources,
    next_number,
    save_source,
    source_id_for,
)
from data.store import Store
from data.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Origin:
    """What the library says of where records came from."""

    name: str
    """As a list of files shows it: "PubMed, 2026-11-22"."""
    content_hash: str
    """The same records from the same place have the same one: they come in once."""
    format_id: str
    n_in_file: int
    """Records that there were, also those that did not become any here."""
    n_rejected: int = 0
    report: Report = NOTHING_TO_REPORT


@dataclass(frozen=True, slots=True)
class Brought:
    """What became of them."""

    source_id: str
    role: Role
    n_records: int
    n_new: int
    """Publications that the topic did not have."""


def bring_batches(
    workspace: Workspace,
    topic_id: str,
    role: Role | Callable[[], Role],
    origin: Origin,
    batches: Iterable[Sequence[Record]],
    *,
    on_record: OnProgress | None = None,
    and_then: Callable[[Brought], None] = lambda brought: None,
) -> Brought:
    """Bring them into a topic that is there, all or none: a kill leaves nothing of them.

    Their numbers go from 1 over all batches. `role` may be chosen, and `and_then` does what belongs to it, in the same
    transaction.
    """
    store = workspace.store
    with store.large_transaction():
        role = role if isinstance(role, Role) else role()
        source_id = source_id_for(topic_id, role, origin.content_hash)
        if any(source.source_id == source_id for source in load_sources(store, topic_id)):
            raise InputError(f"{origin.name} is in the library of {topic_id} already")
        keep_what_was_here(store, topic_id)
        brought = _brought(store, Filer(store, topic_id), role, origin, source_id, batches, on_record)
        and_then(brought)
        workspace.corpora.forget()
    return brought


def _brought(
    store: Store,
    filer: Filer,
    role: Role,
    origin: Origin,
    source_id: str,
    batches: Iterable[Sequence[Record]],
    on_record: OnProgress | None,
) -> Brought:
    row = SourceRow(source_id, filer.topic_id, next_number(store), role, *_said(origin))
    save_source(store, row)
    done = Brought(source_id, role, 0, 0)
    for batch in batches:
        filed = filer.file(batch)
        keep_in_other_topics(store, filer.topic_id, [f.publication_id for f in filed])
        _put_last(store, source_id)
        keep_filed(store, source_id, filed)
        n_new = sum(f.rule is None for f in filed)
        done = replace(done, n_records=done.n_records + len(filed), n_new=done.n_new + n_new)
        if on_record:
            on_record(done.n_records, origin.n_in_file - origin.n_rejected)
    gone = filer.rematch_core(store)
    refresh(store, filer.topic_id)
    drop_orphans(store, gone)
    return done


def _said(origin: Origin) -> tuple[str, str, str, None, int, int, Report]:
    return (
        *(origin.name, origin.content_hash, origin.format_id, None, origin.n_in_file, origin.n_rejected),
        origin.report,
    )


def _put_last(store: Store, source_id: str) -> None:
    """What other topics had before comes before these records, as it was there first."""
    store.execute(
        """
        UPDATE sources SET number = (SELECT max(number) + 1 FROM sources)
        WHERE source_id = $source AND number < (SELECT max(number) FROM sources)
        """,
        {"source": source_id},
    )
