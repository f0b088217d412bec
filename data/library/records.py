"""Sources and their records in the store, with counts and full details."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Literal

from core.audit.searches import UNKNOWN_ORIGIN, SearchOrigin
from core.errors import InputError, NotFoundError
from core.library.identity import Identity
from core.library.labels import ListKind
from core.library.overlap import SourceYield, yields
from core.library.preprints import WorkVersions, published_first
from core.library.records import Record, combined
from core.library.retractions import RetractionNotice
from core.types import Ids
from data.files import WorkspacePaths, file_stamp
from data.library.retractions import notices_of
from data.store import AT_ONCE, Store, content_hash

# Sources and records in the store.

RoleKind = Literal["corpus", "core", "version", "screened", "included"]
BEFORE = "here before the first file"
"""The name of the source for a topic's publications from before its first file."""
ASKED = "asked"
"""The rule of a merge that a person decided."""


@dataclass(frozen=True, slots=True)
class SourceRole:
    kind: RoleKind
    label: str | None = None
    """For a version: its label."""

    @classmethod
    def named(cls, text: str) -> SourceRole:
        """Parse the value of `--as`: corpus, core, screened or included in any case, or the label of a version."""
        name = " ".join(text.split())
        if not name or not name.isprintable():
            raise InputError(
                "give the role of the files: corpus, core, screened, included, or the label of a query version"
            )
        plain = name.casefold()
        return cls(RESERVED[plain]) if plain in RESERVED else cls("version", name)

    def __str__(self) -> str:
        return self.label or ("core publications" if self.kind == "core" else self.kind)

    @property
    def is_search(self) -> bool:
        """True if a search brought the file; the others say what is known of publications."""
        return self.listed is None

    @property
    def listed(self) -> ListKind | None:
        """The list that a file is: of core, screened or included publications; None: a search brought it."""
        return _LISTS.get(self.kind)


_LISTS: Mapping[RoleKind, ListKind] = {"core": "core", "screened": "screened", "included": "included"}
RESERVED: Mapping[str, RoleKind] = {"corpus": "corpus", "core": "core", "screened": "screened", "included": "included"}
"""Roles that are not labels of versions."""


@dataclass(frozen=True, slots=True)
class SourceReport:
    rejected: tuple[tuple[int | None, int | None, str], ...] = ()
    """Record, line and reason of each part that was not imported."""
    notes: Ids = ()
    unused: tuple[tuple[str, int], ...] = ()
    """Tags or columns that were not imported, with the number of records that have them."""
    ambiguous: tuple[tuple[str, Ids], ...] = ()
    """Ambiguous core publications: the requested title, and the candidates."""
    waiting: tuple[tuple[int, int | None, str], ...] = ()
    """Number, line and document of the ambiguous records, which belong to no publication yet."""
    origin: SearchOrigin = UNKNOWN_ORIGIN
    """The database that the records come from, as far as the file tells."""


NOTHING_TO_REPORT = SourceReport()


@dataclass(frozen=True, slots=True)
class SourceRow:
    source_id: str
    topic_id: str
    number: int
    role: SourceRole
    name: str
    content_hash: str | None
    """None: it holds the publications from before the first file."""
    format_id: str | None
    encoding: str | None
    n_in_file: int
    n_rejected: int
    report: SourceReport
    n_records: int = 0
    n_publications: int = 0


@dataclass(frozen=True, slots=True)
class FiledRecord:
    record: Record
    identity: Identity
    publication_id: str
    rule: str | None
    """The reason for its match with an existing publication; None: it started a new one."""
    began_as: str | None = None


IDENTITY = tuple(part.name for part in fields(Identity))
TYPES = {"n_words": "INTEGER", "year": "INTEGER", "generic": "BOOLEAN"}
"""Columns of the identity that are not text."""
IDENTITY_COLUMNS = ", ".join(f"r.{name}" for name in IDENTITY)


def source_id_for(topic_id: str, role: SourceRole, content_hash_: str | None) -> str:
    """Return an id that is the same for the same file with the same role."""
    return content_hash([topic_id, role.kind, role.label or "", content_hash_ or BEFORE])


def save_source(store: Store, source: SourceRow) -> None:
    """Add a source to the list; the caller holds the transaction."""
    store.execute(
        "INSERT INTO sources VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)",
        [
            source.source_id,
            source.topic_id,
            source.number,
            source.role.kind,
            source.role.label,
            source.name,
            source.content_hash,
            source.format_id,
            source.encoding,
            source.n_in_file,
            source.n_rejected,
            json.dumps(asdict(source.report)),
        ],
    )


def save_report(store: Store, source_id: str, report: SourceReport) -> None:
    """Replace the report on a source."""
    store.execute("UPDATE sources SET report = ? WHERE source_id = ?", [json.dumps(asdict(report)), source_id])


def load_sources(store: Store, topic_id: str | None = None) -> tuple[SourceRow, ...]:
    """Return the sources of one topic, or of all, in the order they were added."""
    found = store.rows(
        """
        SELECT s.source_id, topic_id, s.number, role, label, name, content_hash, format_id, encoding, n_in_file,
               n_rejected, report::VARCHAR, count(r.source_id), count(DISTINCT r.publication_id)
        FROM sources AS s LEFT JOIN records AS r ON r.source_id = s.source_id
        WHERE $topic IS NULL OR topic_id = $topic
        GROUP BY ALL ORDER BY topic_id, s.number
        """,
        {"topic": topic_id},
    )
    return tuple(
        SourceRow(
            *(source_id, topic, number, SourceRole(kind, label), *about, _report(report), n_records, n_publications)
        )
        for source_id, topic, number, kind, label, *about, report, n_records, n_publications in found
    )


def _report(text: str) -> SourceReport:
    parts = json.loads(text)
    return SourceReport(
        tuple((r[0], r[1], r[2]) for r in parts.get("rejected", ())),
        tuple(parts.get("notes", ())),
        tuple((name, n) for name, n in parts.get("unused", ())),
        tuple((title, tuple(ids)) for title, ids in parts.get("ambiguous", ())),
        tuple((number, line, document) for number, line, document in parts.get("waiting", ())),
        SearchOrigin(**parts.get("origin", {})),
    )


def next_number(store: Store) -> int:
    """Return the position of the next source, after all others."""
    return int(store.rows("SELECT coalesce(max(number), 0) + 1 FROM sources")[0][0])


def save_records(store: Store, source_id: str, filed: Sequence[FiledRecord]) -> None:
    """Save the records of a source; the caller holds the transaction."""
    identity_values = ", ".join(f"unnest(${name}::{TYPES.get(name, 'VARCHAR')}[])" for name in IDENTITY)
    for start in range(0, len(filed), AT_ONCE):
        some = filed[start : start + AT_ONCE]
        columns = {name: [getattr(f.identity, name) for f in some] for name in IDENTITY}
        store.execute(
            f"""
            INSERT INTO records
                (source_id, number, line, publication_id, rule, began_as, document, {", ".join(IDENTITY)})
            SELECT $source, unnest($numbers::INTEGER[]), unnest($lines::INTEGER[]), unnest($ids::VARCHAR[]),
                   unnest($rules::VARCHAR[]), unnest($began::VARCHAR[]), unnest($documents::VARCHAR[]),
                   {identity_values}
            """,
            columns
            | {
                "source": source_id,
                "numbers": [f.record.number for f in some],
                "lines": [f.record.line for f in some],
                "ids": [f.publication_id for f in some],
                "rules": [f.rule for f in some],
                "began": [f.began_as for f in some],
                "documents": [json.dumps(f.record.document(), ensure_ascii=False) for f in some],
            },
        )


def identities(store: Store, topic_id: str) -> list[tuple[str, Identity]]:
    """Return the identity of every record of a topic, in the order of their import."""
    found = store.rows(
        f"""
        SELECT r.publication_id, {IDENTITY_COLUMNS}
        FROM records AS r JOIN sources AS s USING (source_id) WHERE s.topic_id = ? ORDER BY s.number, r.number
        """,
        [topic_id],
    )
    return [(row[0], Identity(*row[1:])) for row in found]


def records_of(store: Store, ids: Iterable[str], topic_id: str | None = None) -> dict[str, list[Record]]:
    """Return all records of these publications: first those of preferred files, then in the order of their import."""
    found = store.rows(
        """
        SELECT r.publication_id, r.number, r.line, r.document
        FROM records AS r JOIN sources AS s USING (source_id)
        WHERE r.publication_id IN (SELECT unnest($ids::VARCHAR[])) AND ($topic IS NULL OR s.topic_id = $topic)
        ORDER BY s.priority NULLS LAST, s.number, r.number
        """,
        {"ids": list(ids), "topic": topic_id},
    )
    kept: dict[str, list[Record]] = {}
    for publication_id, number, line, document in found:
        kept.setdefault(publication_id, []).append(Record.from_document(json.loads(document), number, line))
    return kept


def load_record(store: Store, source_id: str, number: int) -> Record:
    found = store.rows("SELECT document, line FROM records WHERE source_id = ? AND number = ?", [source_id, number])
    if not found:
        raise NotFoundError("this record no longer exists: reload the list")
    return Record.from_document(json.loads(found[0][0]), number, found[0][1])


def apart(store: Store, topic_id: str) -> list[tuple[str, str]]:
    """Return the pairs of publications that a person marked as different."""
    return [(a, b) for a, b in store.rows("SELECT a, b FROM kept_apart WHERE topic_id = ?", [topic_id])]


def keep_apart(store: Store, topic_id: str, a: str, b: str) -> None:
    """Mark two publications as different, so that they are never merged again."""
    store.execute("INSERT INTO kept_apart VALUES (?, ?, ?)", [topic_id, *sorted((a, b))])


# All details of publications, combined from their records, and their sources.


def load_details(store: Store, ids: Sequence[str]) -> tuple[Record, ...]:
    """Return all details of each publication, in this order; an unknown one has only its id."""
    kept = records_of(store, ids)
    without = [publication_id for publication_id in ids if publication_id not in kept]
    known = {p.publication_id: Record.of_publication(p) for p in store.load_publications(without)}
    retracted = {i for i, notice in notices_of(store, ids).items() if notice.nature == "retraction"}
    found = (combined(published_first(kept[i])) if i in kept else known.get(i, Record(1, own_id=i)) for i in ids)
    return tuple(
        replace(record, is_retracted=True) if i in retracted else record for i, record in zip(ids, found, strict=True)
    )


def load_versions(store: Store, publication_id: str) -> WorkVersions | None:
    """Return the identifiers of preprint and published version; None unless the publication has records of both."""
    return WorkVersions.of(records_of(store, [publication_id]).get(publication_id, ()))


@dataclass(frozen=True, slots=True)
class RetractionStatus:
    is_retracted: bool
    """False: an expression of concern."""
    in_record: bool
    """True: a record of the publication states that it was retracted."""
    notice: RetractionNotice | None = None
    """The notice of Retraction Watch."""

    @property
    def label(self) -> str:
        """One or two words for a list."""
        return "Retracted" if self.is_retracted or self.notice is None else self.notice.label


def retraction_statuses(store: Store, ids: Sequence[str]) -> dict[str, RetractionStatus]:
    """Return those publications that a record marks as retracted, or that Retraction Watch lists, in this order."""
    found = store.rows(
        """
        SELECT DISTINCT publication_id FROM records SEMI JOIN (SELECT unnest($ids::VARCHAR[]) AS publication_id)
        USING (publication_id) WHERE json_extract_string(document, '$.is_retracted') = 'true'
        """,
        {"ids": list(ids)},
    )
    recorded = frozenset(publication_id for (publication_id,) in found)
    notices = notices_of(store, ids)
    statuses = {}
    for publication_id in dict.fromkeys(ids):
        in_record, notice = publication_id in recorded, notices.get(publication_id)
        if in_record or notice:
            is_retracted = in_record or (notice is not None and notice.nature == "retraction")
            statuses[publication_id] = RetractionStatus(is_retracted, in_record, notice)
    return statuses


def retracted_ids(store: Store, ids: Sequence[str]) -> frozenset[str]:
    """Return those publications that were retracted, according to a record or to Retraction Watch."""
    return frozenset(i for i, status in retraction_statuses(store, ids).items() if status.is_retracted)


def sources_key(store: Store) -> str:
    """Return a key that changes whenever sources are added or removed, or another Retraction Watch file is loaded."""
    sources = [source_id for (source_id,) in store.rows("SELECT source_id FROM sources ORDER BY number")]
    return content_hash([*sources, file_stamp(WorkspacePaths(store.path.parent).retractions)])


def sources_of(
    store: Store, ids: Sequence[str], topic_id: str | None = None, *, of_searches: bool = False
) -> dict[str, tuple[str, ...]]:
    """Return file and record number of every record of these publications. `of_searches`: without lists."""
    found = store.rows(
        """
        SELECT r.publication_id, s.name, r.number
        FROM records AS r JOIN sources AS s USING (source_id)
        WHERE r.publication_id IN (SELECT unnest($ids::VARCHAR[])) AND ($topic IS NULL OR s.topic_id = $topic)
            AND s.content_hash IS NOT NULL AND (NOT $of_searches OR s.role IN ('corpus', 'version'))
        ORDER BY s.number, r.number
        """,
        {"ids": list(ids), "topic": topic_id, "of_searches": of_searches},
    )
    kept: dict[str, list[str]] = {}
    for publication_id, name, number in found:
        kept.setdefault(publication_id, []).append(f"{name} #{number}")
    return {publication_id: tuple(names) for publication_id, names in kept.items()}


# The size of a topic, the overlap of its sources, and the effect of a deletion.

_MEMBERS = """
    SELECT topic_id, publication_id FROM core_publications
    UNION SELECT topic_id, publication_id FROM corpus
    UNION SELECT topic_id, publication_id FROM retrieved JOIN query_versions USING (query_id)
"""


@dataclass(frozen=True, slots=True)
class TopicSize:
    n_publications: int
    """Core, corpus and all publications that its versions retrieved, each counted once."""
    n_files: int


def topic_sizes(store: Store) -> dict[str, TopicSize]:
    publications = dict(store.rows(f"SELECT topic_id, count(*) FROM ({_MEMBERS}) GROUP BY topic_id"))
    files = dict(store.rows("SELECT topic_id, count(*) FROM sources WHERE content_hash IS NOT NULL GROUP BY topic_id"))
    return {t.topic_id: TopicSize(publications.get(t.topic_id, 0), files.get(t.topic_id, 0)) for t in store.topics()}


def n_publications(store: Store, topic_id: str) -> int:
    """Count core, corpus and all publications that the topic's versions retrieved, each once."""
    sql = f"SELECT count(DISTINCT publication_id) FROM ({_MEMBERS}) WHERE topic_id = ?"
    return int(store.rows(sql, [topic_id])[0][0])


def n_only_here(store: Store, topic_id: str) -> int:
    """Count the publications that no other topic has: deleting the topic deletes them."""
    sql = f"""
        WITH members AS ({_MEMBERS})
        SELECT count(DISTINCT publication_id) FROM members WHERE topic_id = $topic
            AND publication_id NOT IN (SELECT publication_id FROM members WHERE topic_id <> $topic)
        """
    return int(store.rows(sql, {"topic": topic_id})[0][0])


def n_only_in_source(store: Store, topic_id: str, source_id: str) -> int:
    sql = """
        WITH r AS (SELECT source_id, publication_id FROM records JOIN sources USING (source_id) WHERE topic_id = $topic)
        SELECT count(DISTINCT publication_id) FROM r WHERE source_id = $source
            AND publication_id NOT IN (SELECT publication_id FROM r WHERE source_id <> $source)
        """
    return int(store.rows(sql, {"topic": topic_id, "source": source_id})[0][0])


def publications_by_source(store: Store, topic_id: str) -> dict[str, Ids]:
    """Return the publications of each source of a topic, by a unique name, of the files that searches brought."""
    ids, names = source_publications(store, topic_id), source_names(store, topic_id)
    searched = [source.source_id for source in load_sources(store, topic_id) if source.role.is_search]
    return {names[source_id]: ids[source_id] for source_id in searched}


def source_publications(store: Store, topic_id: str) -> dict[str, Ids]:
    """Return the publications of each source of a topic by source id, including the core file."""
    found = store.rows(
        """
        SELECT source_id, list(DISTINCT publication_id)
        FROM records JOIN sources USING (source_id) WHERE topic_id = ? GROUP BY source_id
        """,
        [topic_id],
    )
    ids = {source_id: tuple(some) for source_id, some in found}
    return {source.source_id: ids.get(source.source_id, ()) for source in load_sources(store, topic_id)}


def source_yields(store: Store, topic_id: str) -> tuple[SourceYield, ...]:
    """Return the core publications that each source of the topic contributes."""
    return yields(publications_by_source(store, topic_id), store.load_core_ids(topic_id))


def source_names(store: Store, topic_id: str) -> dict[str, str]:
    """Return a unique name for each source of a topic, by id: its file name, with its role and number if needed."""
    sources = load_sources(store, topic_id)
    names = ["earlier records" if s.name == BEFORE and s.content_hash is None else s.name for s in sources]
    told = [f"{name} ({s.role})" if names.count(name) > 1 else name for name, s in zip(names, sources, strict=True)]
    return {
        s.source_id: f"{name} #{s.number}" if told.count(name) > 1 else name
        for name, s in zip(told, sources, strict=True)
    }


def n_labelled_records(store: Store, source_id: str) -> int:
    """Count the records of a source that carry a label of a screening tool."""
    sql = """
        SELECT count(*) FROM records WHERE source_id = ?
            AND (json_exists(document, '$.included') OR json_exists(document, '$.cite_label'))
        """
    return int(store.rows(sql, [source_id])[0][0])
