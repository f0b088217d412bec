"""Bringing files into a topic: every record is filed under the publication that it is taken to be.

    FileReading -> place each record -> source and records -> what publications say -> corpus, core set, versions

One transaction a file: a kill leaves all of it or nothing, and the same file is not brought in twice.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from unicodedata import normalize

from core.errors import InputError, NotFoundError, StoreInUseError
from core.records.core_matching import CoreMatch, match_core
from core.records.identity import Identity
from core.records.placing import Placer, suffices
from core.records.record import Record
from core.types import Ids
from data.cases import OnStage, silent
from data.importers.source import FileReading, Rejected
from data.library.membership import drop_orphans, keep_in_other_topics, keep_what_was_here, refresh, save_publications
from data.library.names import OwnNames
from data.library.tables import (
    ASKED,
    Filed,
    Report,
    Role,
    SourceRow,
    apart,
    identities,
    load_sources,
    next_number,
    records_of,
    save_records,
    save_report,
    save_source,
    source_id_for,
)
from data.store import Store
from data.workspace import Workspace

EVERY = 5_000
"""Records between two reports of progress."""


@dataclass(frozen=True, slots=True)
class FileReport:
    """What became of one file."""

    name: str
    format_id: str | None = None
    """None: it could not be read at all, and `rejected` says why."""
    encoding: str | None = None
    records_in_file: int = 0
    """Counted in the raw text."""
    parsed: int = 0
    n_included: int = 0
    """Records that the file labels as included."""
    rejected: tuple[Rejected, ...] = ()
    notes: Ids = ()
    unused: tuple[tuple[str, int], ...] = ()
    """Tags or columns that were not taken over, and in how many records."""
    source_id: str | None = None
    n_new: int = 0
    """Publications that the topic did not have."""
    n_merged: int = 0
    """Records of publications that it had."""
    was_here: bool = False
    """The same file was brought into the same place before: nothing was done."""
    matches: tuple[CoreMatch, ...] = ()
    """Of a core list: what became of each entry, `publication_id` None where the corpus does not have it."""

    @classmethod
    def of(cls, reading: FileReading) -> FileReport:
        """Before anything is done with it."""
        return cls(
            reading.name,
            reading.format_id,
            reading.encoding,
            reading.records_in_file,
            len(reading.records),
            reading.n_included,
            reading.rejected,
            reading.notes,
            tuple(reading.unused.items()),
        )


@dataclass(frozen=True, slots=True)
class BringReport:
    """What became of all of them."""

    topic_id: str
    role: Role
    files: tuple[FileReport, ...]
    n_publications: int
    """Of the topic, now."""

    @property
    def n_new(self) -> int:
        """Publications that the topic did not have."""
        return sum(file.n_new for file in self.files)

    @property
    def n_merged(self) -> int:
        """Records of publications that it had."""
        return sum(file.n_merged for file in self.files)

    @property
    def matches(self) -> tuple[CoreMatch, ...]:
        """Of core lists."""
        return tuple(match for file in self.files for match in file.matches)


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
    _check_name(store, topic_id)
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


def _check_name(store: Store, topic_id: str) -> None:
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
    for row in store.versions(topic_id):
        if role.kind == "version" and row.version.label == role.label and row.over_corpus:
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
    save_records(store, source_id, filed)
    touched: dict[str, list[Record]] = {}
    for f in filed:
        touched.setdefault(f.publication_id, []).append(f.record)
    known = store.known_ids(tuple(touched))
    touched |= records_of(store, known)
    save_publications(store, touched)
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


def asked_for(record: Record) -> str:
    """What a person called a core publication."""
    return record.title or record.doi or record.pmid or record.own_id or "an entry without a name"


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


@dataclass
class Filer:
    """Knows a topic's publications, and files records under them."""

    store: Store
    topic_id: str
    _placer: Placer = field(init=False)
    _known: set[str] = field(init=False)
    _names: OwnNames = field(init=False)

    def __post_init__(self) -> None:
        there = identities(self.store, self.topic_id)
        self._placer = Placer(there, apart(self.store, self.topic_id))
        self._known = {publication_id for publication_id, _ in there}
        self._names = OwnNames(self.store, self.topic_id)

    def file(self, records: Sequence[Record], on_record: object = None) -> list[Filed]:
        """Each record under the publication that it is of; a new one where there is none."""
        report = on_record if callable(on_record) else None
        filed = []
        for n, record in enumerate(records, start=1):
            filed.append(self._file(record))
            if report and n % EVERY == 0:
                report(n, len(records))
        return filed

    def _file(self, record: Record) -> Filed:
        identity = Identity.of(record)
        named = self._names.described(record)
        if len(named) == 1:
            return self._keep(record, identity, named[0], "own_id")
        own = new_id(record, identity)
        placed = self._placer.place(identity, own)
        if placed.publication_id is None and (waiting := self._names.waiting(record)):
            return self._keep(record, identity, waiting, "own_id")
        publication_id = placed.publication_id or free_id(own, self._known)
        return self._keep(record, identity, publication_id, placed.rule)

    def _keep(self, record: Record, identity: Identity, publication_id: str, rule: str | None) -> Filed:
        self._placer.add(publication_id, identity)
        self._known.add(publication_id)
        self._names.add(publication_id, record)
        return Filed(record, identity, publication_id, rule)

    def file_core(self, records: Sequence[Record]) -> tuple[list[Filed], tuple[CoreMatch, ...]]:
        """A person's list of known publications; what could be several of the corpus is left for the person."""
        matches = tuple(map(self._names.match, match_core(records, identities(self.store, self.topic_id))))
        filed = []
        for match in matches:
            if match.status == "ambiguous":
                continue
            if match.publication_id is not None:
                identity = Identity.of(match.record)
                filed.append(self._keep(match.record, identity, match.publication_id, match.by))
            else:
                filed.append(self._file(match.record))
        return filed, matches

    def rematch_core(self, store: Store) -> Ids:
        """Core publications that waited for the corpus to bring them; returns those that are others now."""
        waiting = waiting_core(store, self.topic_id)
        if not waiting:
            return ()
        gone = []
        others = [(i, identity) for i, identity in identities(store, self.topic_id) if i not in waiting]
        for publication_id, records in records_of(store, waiting, self.topic_id).items():
            found = {m.publication_id: m.by for m in match_core(records, others) if m.status == "matched"}
            if len(found) == 1:
                ((there, by),) = found.items()
                assert there is not None
                refile(store, self.topic_id, publication_id, there, by or "title")
                gone.append(publication_id)
                for record in records:
                    self._placer.add(there, Identity.of(record))
        return tuple(gone)


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


def waiting_core(store: Store, topic_id: str) -> Collection[str]:
    """Core publications that only core lists know."""
    found = store.rows(
        """
        SELECT r.publication_id FROM records AS r JOIN sources AS s USING (source_id)
        WHERE s.topic_id = ? GROUP BY ALL HAVING bool_and(s.role = 'core')
        """,
        [topic_id],
    )
    return [i for (i,) in found]


def refile(store: Store, topic_id: str, publication_id: str, there: str, rule: str) -> None:
    """All of a topic's records of one publication become records of another."""
    store.execute(
        """
        UPDATE records SET publication_id = $there, rule = $rule, began_as = coalesce(began_as, $here)
        WHERE publication_id = $here AND source_id IN (SELECT source_id FROM sources WHERE topic_id = $topic)
        """,
        {"there": there, "here": publication_id, "rule": rule, "topic": topic_id},
    )
    save_publications(store, records_of(store, [there]))


def new_id(record: Record, identity: Identity) -> str:
    """A name for a publication that only depends on what its first record says."""
    if identity.own_id and record.own_id:
        return record.own_id.strip()
    if identity.doi:
        return f"doi:{identity.doi}"
    if identity.pmid:
        return f"pmid:{identity.pmid}"
    tells = suffices(identity, year=bool(identity.year) or None, author=bool(identity.first_author) or None)
    titled = [identity.title_key, str(identity.year), identity.first_author or ""]
    said = titled if record.title and tells else [identity.exact]
    return f"title:{sha256(chr(0).join(said).encode(errors='surrogatepass')).hexdigest()[:16]}"


def free_id(wanted: str, known: Collection[str]) -> str:
    """This name, or one like it that is not taken.

    >>> free_id("doi:10.1/x", {"doi:10.1/x"})
    'doi:10.1/x~2'
    """
    name, number = wanted, 1
    while name in known:
        number += 1
        name = f"{wanted}~{number}"
    return name
