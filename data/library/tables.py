"""Sources and records in the store."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Literal

from core.errors import InputError, NotFoundError
from core.records.cleaning import Record
from core.records.identity import Identity
from core.types import Ids
from data.store import AT_ONCE, Store, content_hash

RoleKind = Literal["corpus", "core", "version"]
BEFORE = "here before the first file"
"""The name of the source that stands for what a topic had already."""
ASKED = "asked"
"""The rule of a merge that a person decided."""


@dataclass(frozen=True, slots=True)
class Role:
    """What a file is taken as."""

    kind: RoleKind
    label: str | None = None
    """Of a version."""

    @classmethod
    def named(cls, text: str) -> Role:
        """From what `--as` takes: corpus, core, in capitals or not, or the label of a version."""
        name = " ".join(text.split())
        if not name or not name.isprintable():
            raise InputError("say what the files are: corpus, core, or the label of a query version")
        plain = name.casefold()
        return cls("corpus") if plain == "corpus" else cls("core") if plain == "core" else cls("version", name)

    def __str__(self) -> str:
        return self.label or {"corpus": "corpus", "core": "core publications"}[self.kind]


@dataclass(frozen=True, slots=True)
class Report:
    """What there is to say about a file that was read."""

    rejected: tuple[tuple[int | None, int | None, str], ...] = ()
    """Record, line and reason of each part that did not come in."""
    notes: Ids = ()
    unused: tuple[tuple[str, int], ...] = ()
    """Tags or columns that were not taken over, and in how many records."""
    ambiguous: tuple[tuple[str, Ids], ...] = ()
    """Core publications that could be several: what was asked for, and the candidates."""


NOTHING_TO_REPORT = Report()


@dataclass(frozen=True, slots=True)
class SourceRow:
    """A source as a list shows it."""

    source_id: str
    topic_id: str
    number: int
    role: Role
    name: str
    content_hash: str | None
    """None: it stands for what was there before any file."""
    format_id: str | None
    encoding: str | None
    n_in_file: int
    n_rejected: int
    report: Report
    n_records: int = 0
    n_publications: int = 0


@dataclass(frozen=True, slots=True)
class Filed:
    """A record and the publication that it is taken to be."""

    record: Record
    identity: Identity
    publication_id: str
    rule: str | None
    """Why it was taken to be one that was there; None: it began it."""
    began_as: str | None = None


IDENTITY = tuple(part.name for part in fields(Identity))
TYPES = {"n_words": "INTEGER", "year": "INTEGER", "generic": "BOOLEAN"}
"""Of the identity's columns that are no texts."""
IDENTITY_COLUMNS = ", ".join(f"r.{name}" for name in IDENTITY)


def source_id_for(topic_id: str, role: Role, content_hash_: str | None) -> str:
    """The same file brought into the same place twice is the same source."""
    return content_hash([topic_id, role.kind, role.label or "", content_hash_ or BEFORE])


def save_source(store: Store, source: SourceRow) -> None:
    """List a source; the caller holds the transaction."""
    store.execute(
        "INSERT INTO sources VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
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


def save_report(store: Store, source_id: str, report: Report) -> None:
    """Replace what there is to say about a source."""
    store.execute("UPDATE sources SET report = ? WHERE source_id = ?", [json.dumps(asdict(report)), source_id])


def load_sources(store: Store, topic_id: str | None = None) -> tuple[SourceRow, ...]:
    """The sources of one topic, or of all, in the order they came."""
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
    rows = []
    for source_id, topic, number, kind, label, *about, report, n_records, n_publications in found:
        name, content_hash_, format_id, encoding, n_in_file, n_rejected = about
        row = SourceRow(
            source_id,
            topic,
            number,
            Role(kind, label),
            name,
            content_hash_,
            format_id,
            encoding,
            n_in_file,
            n_rejected,
            _report(report),
            n_records,
            n_publications,
        )
        rows.append(row)
    return tuple(rows)


def _report(text: str) -> Report:
    parts = json.loads(text)
    return Report(
        tuple((r[0], r[1], r[2]) for r in parts.get("rejected", ())),
        tuple(parts.get("notes", ())),
        tuple((name, n) for name, n in parts.get("unused", ())),
        tuple((title, tuple(ids)) for title, ids in parts.get("ambiguous", ())),
    )


def next_number(store: Store) -> int:
    """The place of the next source: later than any other's."""
    return int(store.rows("SELECT coalesce(max(number), 0) + 1 FROM sources")[0][0])


def save_records(store: Store, source_id: str, filed: Sequence[Filed]) -> None:
    """Keep the records of a source; the caller holds the transaction."""
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
    """What every record of a topic is recognised by, in the order they came."""
    found = store.rows(
        f"""
        SELECT r.publication_id, {IDENTITY_COLUMNS}
        FROM records AS r JOIN sources AS s USING (source_id) WHERE s.topic_id = ? ORDER BY s.number, r.number
        """,
        [topic_id],
    )
    return [(row[0], Identity(*row[1:])) for row in found]


def records_of(store: Store, ids: Iterable[str], topic_id: str | None = None) -> dict[str, list[Record]]:
    """All records of these publications, in the order they came."""
    found = store.rows(
        """
        SELECT r.publication_id, r.number, r.line, r.document
        FROM records AS r JOIN sources AS s USING (source_id)
        WHERE r.publication_id IN (SELECT unnest($ids::VARCHAR[])) AND ($topic IS NULL OR s.topic_id = $topic)
        ORDER BY s.number, r.number
        """,
        {"ids": list(ids), "topic": topic_id},
    )
    kept: dict[str, list[Record]] = {}
    for publication_id, number, line, document in found:
        kept.setdefault(publication_id, []).append(Record.from_document(json.loads(document), number, line))
    return kept


def load_record(store: Store, source_id: str, number: int) -> Record:
    """One record by its place."""
    found = store.rows("SELECT document, line FROM records WHERE source_id = ? AND number = ?", [source_id, number])
    if not found:
        raise NotFoundError("that record is no longer there: reload the list")
    return Record.from_document(json.loads(found[0][0]), number, found[0][1])


def apart(store: Store, topic_id: str) -> list[tuple[str, str]]:
    """Pairs of publications that a person keeps apart."""
    return [(a, b) for a, b in store.rows("SELECT a, b FROM kept_apart WHERE topic_id = ?", [topic_id])]


def keep_apart(store: Store, topic_id: str, a: str, b: str) -> None:
    """Never take these two for one again."""
    store.execute("INSERT INTO kept_apart VALUES (?, ?, ?)", [topic_id, *sorted((a, b))])
