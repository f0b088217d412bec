"""Import files and batches of records into a topic."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from unicodedata import normalize

from core.errors import FileError, FormatError, InputError, NotFoundError, QueryscapeError
from core.library.duplicates import CoreMatch
from core.library.identity import Identity
from core.library.labels import PHASES, ListKind, Phase, has_label, label_words, labelled_for
from core.library.records import Record
from core.protocols import OnProgress, OnStage, silent
from core.types import Ids, unique_ids
from data.explore.workspace import Workspace
from data.importers.reading import read_data, read_file
from data.importers.source import NOTHING_ASKED, FileReading, ImportRejection, ReadOptions, opened, plain_name
from data.importers.table_formats import ColumnProposal, proposed_columns, table_likeness
from data.library.filing import Filer, drop_orphans, keep_filed, keep_in_other_topics, keep_what_was_here, refresh
from data.library.records import (
    ASKED,
    NOTHING_TO_REPORT,
    FiledRecord,
    SourceReport,
    SourceRole,
    SourceRow,
    load_sources,
    next_number,
    publications_by_source,
    save_records,
    save_report,
    save_source,
    source_id_for,
)
from data.library.searches import add_search_of
from data.lookup import deleted_message
from data.store import Store


@dataclass(frozen=True, slots=True)
class FileReport:
    name: str
    format_id: str | None = None
    """None: the file could not be read; `rejected` holds the reason."""
    encoding: str | None = None
    records_in_file: int = 0
    """Number of records in the raw text."""
    parsed: int = 0
    n_included: int = 0
    """Number of records that the file labels as included."""
    labels: str = ""
    """The labels of a screening tool in words; empty: there are none."""
    rejected: tuple[ImportRejection, ...] = ()
    notes: Ids = ()
    unused: tuple[tuple[str, int], ...] = ()
    """Tags or columns that were not imported, with the number of records that have them."""
    source_id: str | None = None
    n_new: int = 0
    """Number of publications that are new to the topic."""
    n_merged: int = 0
    """Number of records of publications that the topic already had."""
    was_here: bool = False
    """The same file was imported with the same role before: nothing was done."""
    unfound: tuple[tuple[int, int | None, str], ...] = ()
    """Of a list of screened or included publications: record, line and title of each that no search found."""
    matches: tuple[CoreMatch, ...] = ()
    """For a core list: the match of each entry; `publication_id` is None if the corpus lacks it."""

    @classmethod
    def of(cls, reading: FileReading) -> FileReport:
        return cls(
            reading.name,
            reading.format_id,
            reading.encoding,
            reading.records_in_file,
            len(reading.records),
            reading.n_included,
            label_words(reading.records, reading.format_id),
            reading.rejected,
            reading.notes,
            tuple(reading.unused.items()),
        )


@dataclass(frozen=True, slots=True)
class ImportReport:
    topic_id: str
    role: SourceRole
    files: tuple[FileReport, ...]
    n_publications: int
    """The topic's number of publications after the import."""

    @property
    def n_new(self) -> int:
        return sum(file.n_new for file in self.files)

    @property
    def n_merged(self) -> int:
        """Number of records of publications that the topic already had."""
        return sum(file.n_merged for file in self.files)

    @property
    def matches(self) -> tuple[CoreMatch, ...]:
        return tuple(match for file in self.files for match in file.matches)


def asked_for(record: Record) -> str:
    return record.title or record.doi or record.pmid or record.own_id or "an entry without a name"


# Import of files into a topic: every record is filed under the publication that it matches.
#
#     FileReading -> place each record -> source and records -> publications -> corpus, core set, versions
#
# One transaction per file: an interruption leaves all of a file or nothing, and no file is imported twice.


def bring(
    workspace: Workspace,
    topic_id: str,
    role: SourceRole,
    readings: Iterable[FileReading],
    *,
    query_text: str | None = None,
    on_stage: OnStage = silent,
) -> ImportReport:
    """Import files that were read into a topic; create the topic if it is new."""
    store = workspace.store
    store.check_writable()
    check_name(store, topic_id)
    check_role(store, topic_id, role)
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
    return ImportReport(topic_id, role, tuple(reports), len(store.topic_publication_ids(topic_id)))


def check_name(store: Store, topic_id: str) -> None:
    """Raise an error if the name is not valid for a topic, or too close to another topic's name."""
    if not topic_id.strip() or topic_id != topic_id.strip() or not topic_id.isprintable() or len(topic_id) > 200:
        raise InputError("a topic's name must be one line of up to 200 characters: --topic NAME")
    there = [topic.topic_id for topic in store.topics()]
    alike = next((name for name in there if _plain(name) == _plain(topic_id)), None)
    if alike is not None and topic_id not in there:
        raise InputError(f'topic "{alike}" exists: use this spelling, or a name that differs by more than capitals')


def _plain(name: str) -> str:
    return normalize("NFKC", " ".join(name.split())).casefold()


def check_role(store: Store, topic_id: str, role: SourceRole) -> None:
    for row in store.versions(topic_id, deleted=True):
        if role.kind != "version" or row.version.label != role.label:
            continue
        if row.deleted_at is not None:
            raise InputError(deleted_message(str(role), topic_id))
        if row.over_corpus:
            raise InputError(f'version "{role}" was run in Queryscape: choose another label for the files')


def _bring_one(
    store: Store, filer: Filer, role: SourceRole, reading: FileReading, source_id: str, on_stage: OnStage
) -> FileReport:
    on_record = on_stage(f"recognising the publications of {reading.name}")
    matches: tuple[CoreMatch, ...] = ()
    if role.kind == "core":
        filed, matches = filer.file_core(reading.records)
    else:
        filed = filer.file(reading.records, on_record)
    on_stage(f"saving the records of {reading.name}")
    keep_in_other_topics(store, filer.topic_id, [f.publication_id for f in filed])
    source = _source_row(store, filer.topic_id, role, reading, source_id, matches)
    save_source(store, source)
    add_search_of(store, filer.topic_id, source, reading.origin)
    keep_filed(store, source_id, filed)
    gone = filer.rematch_core(store) if role.kind != "core" else ()
    refresh(store, filer.topic_id)
    drop_orphans(store, gone)
    return replace(
        FileReport.of(reading),
        source_id=source_id,
        n_new=len({f.publication_id for f in filed if f.rule is None}),
        n_merged=sum(f.rule is not None for f in filed),
        unfound=_unfound(store, filer.topic_id, filed) if role.kind in PHASES else (),
        matches=_seen_in(members(store, filer.topic_id), matches),
    )


def _unfound(store: Store, topic_id: str, filed: Sequence[FiledRecord]) -> tuple[tuple[int, int | None, str], ...]:
    found = {i for ids in publications_by_source(store, topic_id).values() for i in ids}
    some = (f.record for f in filed if f.publication_id not in found)
    return tuple((record.number, record.line, asked_for(record)) for record in some)


def _seen_in(there: frozenset[str], matches: Sequence[CoreMatch]) -> tuple[CoreMatch, ...]:
    return tuple(
        replace(m, status="not_in_corpus", publication_id=None, by=None)
        if m.status == "matched" and m.publication_id not in there
        else m
        for m in matches
    )


def _source_row(
    store: Store, topic_id: str, role: SourceRole, reading: FileReading, source_id: str, matches: Sequence[CoreMatch]
) -> SourceRow:
    report = SourceReport(
        tuple((r.record, r.line, r.reason) for r in reading.rejected),
        reading.notes,
        tuple(reading.unused.items()),
        origin=reading.origin,
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
        ambiguous_report(report, matches),
    )


def ambiguous_report(report: SourceReport, matches: Sequence[CoreMatch]) -> SourceReport:
    """Return the report with the ambiguous entries of a core list, which a person can decide."""
    open_ones = [match for match in matches if match.status == "ambiguous"]
    return replace(
        report,
        ambiguous=tuple((asked_for(match.record), match.candidates) for match in open_ones),
        waiting=tuple(
            (match.record.number, match.record.line, json.dumps(match.record.document(), ensure_ascii=False))
            for match in open_ones
        ),
    )


def members(store: Store, topic_id: str) -> frozenset[str]:
    """Return the publications that a topic's queries can find: its corpus, and those that its versions retrieved."""
    found = store.rows(
        """
        SELECT publication_id FROM corpus WHERE topic_id = $topic
        UNION SELECT publication_id FROM retrieved JOIN query_versions USING (query_id) WHERE topic_id = $topic
        """,
        {"topic": topic_id},
    )
    return frozenset(i for (i,) in found)


def choose_core(workspace: Workspace, topic_id: str, source_id: str, wanted: str, publication_id: str) -> None:
    """Store a person's choice of the publication that an ambiguous core list entry means."""
    store = workspace.store
    source = next((s for s in load_sources(store, topic_id) if s.source_id == source_id), None)
    entry = next((e for e in source.report.ambiguous if e[0] == wanted), None) if source else None
    if source is None or entry is None or publication_id not in entry[1]:
        raise NotFoundError("this entry is already resolved: reload the list")
    (last,) = store.rows("SELECT coalesce(max(number), 0) FROM records WHERE source_id = ?", [source_id])[0]
    waiting = [Record.from_document(json.loads(text), number, line) for number, line, text in source.report.waiting]
    record = next((r for r in waiting if asked_for(r) == wanted), None) or Record(
        max(last, source.n_in_file) + 1, title=wanted
    )
    with store.transaction():
        save_records(store, source_id, [FiledRecord(record, Identity.of(record), publication_id, ASKED)])
        left = tuple(e for e in source.report.ambiguous if e != entry)
        still = tuple(entry for entry in source.report.waiting if entry[0] != record.number)
        save_report(store, source_id, replace(source.report, ambiguous=left, waiting=still))
        refresh(store, topic_id)
        workspace.corpora.forget()


# Records that arrive in batches, as from a live source: one source in the library, few records in memory.


@dataclass(frozen=True, slots=True)
class BatchOrigin:
    name: str
    """The name in a list of files: "PubMed, 2026-11-22"."""
    content_hash: str
    """Equal for the same records from the same place, so that they are imported once."""
    format_id: str
    n_in_file: int
    """Number of records there were, including those that were not imported."""
    n_rejected: int = 0
    report: SourceReport = NOTHING_TO_REPORT


@dataclass(frozen=True, slots=True)
class BatchReport:
    source_id: str
    role: SourceRole
    n_records: int
    n_new: int
    """Number of publications that are new to the topic."""


def bring_batches(
    workspace: Workspace,
    topic_id: str,
    role: SourceRole | Callable[[], SourceRole],
    origin: BatchOrigin,
    batches: Iterable[Sequence[Record]],
    *,
    on_record: OnProgress | None = None,
    and_then: Callable[[BatchReport], None] = lambda brought: None,
) -> BatchReport:
    """Import batches into an existing topic, all or none: an interruption leaves nothing of them.

    Records are numbered from 1 across all batches. `role` can be a function, and `and_then` runs dependent work; both
    run in the same transaction.
    """
    store = workspace.store
    with store.large_transaction():
        role = role if isinstance(role, SourceRole) else role()
        source_id = source_id_for(topic_id, role, origin.content_hash)
        if any(source.source_id == source_id for source in load_sources(store, topic_id)):
            raise InputError(f"{origin.name} is already in the library of {topic_id}")
        keep_what_was_here(store, topic_id)
        brought = _brought(store, Filer(store, topic_id), role, origin, source_id, batches, on_record)
        and_then(brought)
        workspace.corpora.forget()
    return brought


def _brought(
    store: Store,
    filer: Filer,
    role: SourceRole,
    origin: BatchOrigin,
    source_id: str,
    batches: Iterable[Sequence[Record]],
    on_record: OnProgress | None,
) -> BatchReport:
    row = SourceRow(source_id, filer.topic_id, next_number(store), role, *_origin_row(origin))
    save_source(store, row)
    done = BatchReport(source_id, role, 0, 0)
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


def _origin_row(origin: BatchOrigin) -> tuple[str, str, str, None, int, int, SourceReport]:
    return (
        *(origin.name, origin.content_hash, origin.format_id, None, origin.n_in_file, origin.n_rejected),
        origin.report,
    )


def _put_last(store: Store, source_id: str) -> None:
    """Move this source after the older sources of other topics."""
    store.execute(
        """
        UPDATE sources SET number = (SELECT max(number) + 1 FROM sources)
        WHERE source_id = $source AND number < (SELECT max(number) FROM sources)
        """,
        {"source": source_id},
    )


# Files from disk or a browser: each is read on its own, so that an unreadable one does not stop the others.


@dataclass(frozen=True, slots=True)
class FileUpload:
    """A file from a browser, or a list that a person pasted."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class ImportChoices:
    format_id: str | None = None
    """None: detected from the content."""
    asked: ReadOptions = NOTHING_ASKED
    query_id: str | None = None
    """Query ID, if a run or judgments cover several queries."""
    included_as_core: bool = False
    """Also add records that the file labels as included to the core set."""
    labels_as: tuple[Phase, ...] = ()
    """The phases that the file's labels tell: records that are labelled for them join their publications."""
    query_text: str | None = None
    """For a version: the query text that retrieved the records."""


NOTHING_CHOSEN = ImportChoices()


def bring_files(
    workspace: Workspace,
    topic_id: str,
    role: SourceRole,
    files: Sequence[Path | FileUpload],
    choices: ImportChoices = NOTHING_CHOSEN,
    on_stage: OnStage = silent,
) -> ImportReport:
    """Read files and import them one after another. Raise an error if none of them can be read."""
    if not files:
        raise InputError("give at least one file")
    unread: list[FileReport] = []
    labelled: list[tuple[FileReading, ImportChoices]] = []

    def readings() -> Iterator[FileReading]:
        for file in files:
            try:
                reading = meant(read_one(file, role, choices, on_stage), role, choices)
            except FileError as e:
                if len(files) == 1:
                    raise
                unread.append(FileReport(plain_name(file.name), rejected=(ImportRejection(None, str(e)),)))
                continue
            labelled.append((reading, choices))
            yield reading

    done = bring(workspace, topic_id, role, readings(), query_text=choices.query_text, on_stage=on_stage)
    if not done.files:
        raise FileError(f"none of the {len(files)} files can be read: {unread[0].rejected[0].reason}")
    done = with_labelled(workspace, done, labelled, on_stage)
    return replace(done, files=(*done.files, *unread))


def with_labelled(
    workspace: Workspace,
    done: ImportReport,
    files: Sequence[tuple[FileReading, ImportChoices]],
    on_stage: OnStage = silent,
) -> ImportReport:
    """Add labelled records to the core set and to phases, as the choices ask, after the import of the files."""
    if not done.role.is_search:
        return done
    core = [reading for reading, choices in files if choices.included_as_core]
    report = use_labels(workspace, done.topic_id, "core", core, on_stage)
    for phase in PHASES:
        readings = [reading for reading, choices in files if phase in choices.labels_as]
        report = use_labels(workspace, done.topic_id, phase, readings, on_stage) or report
    return done if report is None else replace(done, n_publications=report.n_publications)


def use_labels(
    workspace: Workspace,
    topic_id: str,
    kind: ListKind,
    readings: Sequence[FileReading],
    on_stage: OnStage = silent,
) -> ImportReport | None:
    """Import the records that are labelled for a phase, or as core, as a list of its own. None: no record is."""
    chosen = [
        (reading, tuple(r for r in reading.records if (r.included if kind == "core" else has_label(r, kind))))
        for reading in readings
    ]
    lists = [replace(reading, records=some, rejected=(), records_in_file=len(some)) for reading, some in chosen if some]
    return bring(workspace, topic_id, SourceRole(kind), lists, on_stage=on_stage) if lists else None


def labels_of_file(workspace: Workspace, topic_id: str, source_id: str, phase: Phase) -> ImportReport:
    """Use the labels of a file that was imported before. Raise an error if no record is labelled for the phase."""
    source = next((s for s in load_sources(workspace.store, topic_id) if s.source_id == source_id), None)
    if source is None or source.content_hash is None:
        raise NotFoundError("this file no longer exists: reload the list")
    rows = workspace.store.rows(
        "SELECT document, number, line FROM records WHERE source_id = ? ORDER BY number", [source_id]
    )
    records = tuple(Record.from_document(json.loads(document), number, line) for document, number, line in rows)
    reading = FileReading(
        *(source.name, source.content_hash, 0, source.format_id or "", source.encoding or "", len(records)),
        *(records, (), (), {}, source.report.origin),
    )
    if (report := use_labels(workspace, topic_id, phase, [reading])) is None:
        raise InputError(f"no record of {source.name} is labelled as {phase}")
    return report


def read_one(
    file: Path | FileUpload, role: SourceRole, choices: ImportChoices, on_stage: OnStage = silent
) -> FileReading:
    """Read one file. In a list of core, screened or included publications, plain lines are titles."""
    on_record = on_stage(f"reading {file.name}")
    asked = replace(choices.asked, titles=choices.asked.titles or not role.is_search)
    if isinstance(file, FileUpload):
        return read_data(file.data, file.name, format_id=choices.format_id, asked=asked, on_progress=on_record)
    return read_file(file, format_id=choices.format_id, asked=asked, on_progress=on_record)


def meant(reading: FileReading, role: SourceRole, choices: ImportChoices) -> FileReading:
    """Return the records to import: of the chosen query and, in a list of publications, labelled as included."""
    reading = _of_query(reading, role, choices)
    if role.listed is None:
        return reading
    kept = labelled_for(reading.records, role.listed)
    if len(kept) == len(reading.records):
        return reading
    n, label = f"{len(kept):,} of {len(reading.records):,}", "screened" if role.kind == "screened" else "included"
    note = f"{n} records are labelled as {label}; only these imported as {role.kind}"
    return replace(reading, records=kept, notes=(*reading.notes, note))


def _of_query(reading: FileReading, role: SourceRole, choices: ImportChoices) -> FileReading:
    queries = unique_ids(record.query_id for record in reading.records if record.query_id)
    if choices.query_id is not None:
        kept = tuple(record for record in reading.records if record.query_id == choices.query_id)
        if not kept:
            some = ", ".join(queries[:8]) or "none"
            raise InputError(f'{reading.name} has nothing for query "{choices.query_id}"; queries in it: {some}')
        note = (
            f'{len(kept):,} of {len(reading.records):,} records are of query "{choices.query_id}"; only these imported'
        )
        # Another query of the same file counts as another source.
        digest = f"{reading.content_hash}#{choices.query_id}"
        return replace(reading, records=kept, content_hash=digest, notes=(*reading.notes, note))
    if len(queries) > 1 and role.kind != "corpus":
        raise InputError(
            f"{reading.name} has {len(queries):,} queries ({', '.join(queries[:5])} ...): choose one with --query-id"
        )
    return reading


# Files that a person previews before importing: read once, and imported as they were read.

ANYBODYS = ("csv", "xlsx", "parquet")
"""Formats whose columns a person may have to map."""


@dataclass(frozen=True, eq=False)
class ImportPreview:
    name: str
    reading: FileReading | None = None
    """None: the file can't be read; `mistake` holds the reason."""
    mistake: str = ""
    proposal: ColumnProposal | None = None
    """For a table whose columns no known provider writes."""

    @property
    def query_ids(self) -> Ids:
        records = self.reading.records if self.reading else ()
        return unique_ids(record.query_id for record in records if record.query_id)


def look_at(
    file: FileUpload, role: SourceRole, choices: ImportChoices = NOTHING_CHOSEN, on_stage: OnStage = silent
) -> ImportPreview:
    """Read a file for preview; store a read error in the result instead of raising it."""
    try:
        reading = read_one(file, role, choices, on_stage)
    except QueryscapeError as e:
        mistake = str(e).replace(f"{file.name} ", "this file ", 1)
        return ImportPreview(
            file.name, mistake=mistake, proposal=_proposal(file) if isinstance(e, FormatError) else None
        )
    proposal = _proposal(file) if reading.format_id in ANYBODYS else None
    return ImportPreview(file.name, reading, proposal=proposal)


def _proposal(file: FileUpload) -> ColumnProposal | None:
    """Propose columns if the file looks like a table."""
    try:
        source = opened(file.data, file.name)
        return proposed_columns(source) if table_likeness(source) > 0 else None
    except QueryscapeError:
        return None


def bring_prepared(
    workspace: Workspace,
    topic_id: str,
    role: SourceRole,
    files: Sequence[tuple[FileReading, ImportChoices]],
    *,
    query_text: str | None = None,
    on_stage: OnStage = silent,
) -> ImportReport:
    """Import previewed files. Records labelled as included join the core set if the choices ask for it."""
    if not files:
        raise FileError("none of the files can be read")
    readings = [meant(reading, role, choices) for reading, choices in files]
    done = bring(workspace, topic_id, role, readings, query_text=query_text, on_stage=on_stage)
    chosen = [(reading, choices) for reading, (_, choices) in zip(readings, files, strict=True)]
    return with_labelled(workspace, done, chosen, on_stage)
