"""Bringing files into a topic: every record is filed under the publication that it is taken to be.

    FileReading -> place each record -> source and records -> what publications say -> corpus, core set, versions

One transaction a file: a kill leaves all of it or nothing, and the same file is not brought in twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from unicodedata import normalize

from core.errors import InputError, NotFoundError, StoreInUseError
from core.protocols import OnStage, silent
from core.records.cleaning import Record
from core.records.core_matching import CoreMatch
from core.records.identity import Identity
from data.importers.source import FileReading
from data.library.filing import Filer, keep_filed
from data.library.membership import drop_orphans, keep_in_other_topics, keep_what_was_here, refresh
from data.library.reports import BringReport, FileReport, asked_for
from data.library.tables import (
    ASKED,
    Filed,
    Report,
    Role,
    SourceRow,
    load_sources,
    next_number,
    save_records,
    save_report,
    save_source,
    source_id_for,
)
from data.lookup import deleted_message
from data.store import Store
from data.workspace import Workspace


def bring(
    workspace: Workspace,
    topic_id: str,
    role: Role,
    readings: Iterable[FileReading],
    *,
    query_text: str | None = None,
    on_stage: OnStage = silent,
) -> BringReport:
    """Bring what was read into a topic, which is made if there is none of that name."""
    store = workspace.store
    if store.is_copy:
        raise StoreInUseError(f"{store.path} is open in another Queryscape, and files come in only there")
    check_name(store, topic_id)
    _check_role(store, topic_id, role)
    reports, filer = [], None
    for reading in readings:
        source_id = source_id_for(topic_id, role, reading.content_hash)
        if any(source.source_id == source_id for source in load_sources(store, topic_id)):
            reports.append(replace(FileReport.of(reading), source_id=source_id, was_here=True))
            continue
        with store.transaction():
            if all(topic.topic_id != topic_id for topic in store.topics()):
                store.save_topic(topic_id, ())
            keep_what_was_here(store, topic_id)
            filer = filer or Filer(store, topic_id)
            reports.append(_bring_one(store, filer, role, reading, source_id, on_stage))
            workspace.corpora.forget()
    if query_text is not None and role.kind == "version":
        store.set_version_text(topic_id, str(role), query_text)
    return BringReport(topic_id, role, tuple(reports), len(store.topic_publication_ids(topic_id)))


def check_name(store: Store, topic_id: str) -> None:
    """An error for what can't be a topic's name, or would be taken for another one's."""
    if not topic_id.strip() or topic_id != topic_id.strip() or not topic_id.isprintable() or len(topic_id) > 200:
        raise InputError("a topic needs a name of up to 200 characters, in one line: --topic NAME")
    there = [topic.topic_id for topic in store.topics()]
    alike = next((name for name in there if _plain(name) == _plain(topic_id)), None)
    if alike is not None and topic_id not in there:
        raise InputError(
            f'there is a topic "{alike}": write it so, or choose a name that differs by more than capitals'
        )


def _plain(name: str) -> str:
    return normalize("NFKC", " ".join(name.split())).casefold()


def _check_role(store: Store, topic_id: str, role: Role) -> None:
    for row in store.versions(topic_id, deleted=True):
        if role.kind != "version" or row.version.label != role.label:
            continue
        if row.deleted_at is not None:
            raise InputError(deleted_message(str(role), topic_id))
        if row.over_corpus:
            raise InputError(f'version "{role}" was run here: give what the files retrieved another label')


def _bring_one(
    store: Store, filer: Filer, role: Role, reading: FileReading, source_id: str, on_stage: OnStage
) -> FileReport:
    on_record = on_stage(f"recognising the publications of {reading.name}")
    matches: tuple[CoreMatch, ...] = ()
    if role.kind == "core":
        filed, matches = filer.file_core(reading.records)
    else:
        filed = filer.file(reading.records, on_record)
    on_stage(f"keeping the records of {reading.name}")
    keep_in_other_topics(store, filer.topic_id, [f.publication_id for f in filed])
    save_source(store, _source_row(store, filer.topic_id, role, reading, source_id, matches))
    keep_filed(store, source_id, filed)
    gone = filer.rematch_core(store) if role.kind != "core" else ()
    refresh(store, filer.topic_id)
    drop_orphans(store, gone)
    return replace(
        FileReport.of(reading),
        source_id=source_id,
        n_new=len({f.publication_id for f in filed if f.rule is None}),
        n_merged=sum(f.rule is not None for f in filed),
        matches=_seen_in(members(store, filer.topic_id), matches),
    )


def _seen_in(there: frozenset[str], matches: Sequence[CoreMatch]) -> tuple[CoreMatch, ...]:
    """What matches only another entry of a core list is not in the corpus."""
    return tuple(
        replace(m, status="not_in_corpus", publication_id=None, by=None)
        if m.status == "matched" and m.publication_id not in there
        else m
        for m in matches
    )


def _source_row(
    store: Store, topic_id: str, role: Role, reading: FileReading, source_id: str, matches: Sequence[CoreMatch]
) -> SourceRow:
    ambiguous = tuple((asked_for(m.record), m.candidates) for m in matches if m.status == "ambiguous")
    report = Report(
        tuple((r.record, r.line, r.reason) for r in reading.rejected),
        reading.notes,
        tuple(reading.unused.items()),
        ambiguous,
    )
    return SourceRow(
        source_id,
        topic_id,
        next_number(store),
        role,
        reading.name,
        reading.content_hash,
        reading.format_id,
        reading.encoding,
        reading.records_in_file,
        len(reading.rejected),
        report,
    )


def members(store: Store, topic_id: str) -> frozenset[str]:
    """What a topic's queries can find: its corpus, and what its versions retrieved."""
    found = store.rows(
        """
        SELECT publication_id FROM corpus WHERE topic_id = $topic
        UNION SELECT publication_id FROM retrieved JOIN query_versions USING (query_id) WHERE topic_id = $topic
        """,
        {"topic": topic_id},
    )
    return frozenset(i for (i,) in found)


def choose_core(workspace: Workspace, topic_id: str, source_id: str, wanted: str, publication_id: str) -> None:
    """A person says which publication an ambiguous entry of a core list means."""
    store = workspace.store
    source = next((s for s in load_sources(store, topic_id) if s.source_id == source_id), None)
    entry = next((e for e in source.report.ambiguous if e[0] == wanted), None) if source else None
    if source is None or entry is None or publication_id not in entry[1]:
        raise NotFoundError("that entry was decided already: reload the list")
    (last,) = store.rows("SELECT coalesce(max(number), 0) FROM records WHERE source_id = ?", [source_id])[0]
    record = Record(max(last, source.n_in_file) + 1, title=wanted)
    with store.transaction():
        save_records(store, source_id, [Filed(record, Identity.of(record), publication_id, ASKED)])
        left = tuple(e for e in source.report.ambiguous if e != entry)
        save_report(store, source_id, replace(source.report, ambiguous=left))
        refresh(store, topic_id)
        workspace.corpora.forget()
