"""File records under publications, keep core sets and versions up to date, and delete sources, versions and topics."""

from __future__ import annotations

import json
import shutil
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256

from core.errors import InputError, NotFoundError
from core.library.duplicates import MOST_CANDIDATES, CoreMatch, match_core
from core.library.identity import Identity, Placer, suffices
from core.library.preprints import published_first
from core.library.records import Record, combined
from core.protocols import OnProgress
from core.types import Ids, Publication, QueryVersion, unique_ids
from data.access import check_allowed
from data.explore.workspace import Workspace
from data.library.records import (
    BEFORE,
    FiledRecord,
    SourceReport,
    SourceRole,
    SourceRow,
    apart,
    identities,
    load_sources,
    next_number,
    records_of,
    save_records,
    save_source,
    source_id_for,
)
from data.library.searches import drop_file
from data.lookup import check_topic
from data.store import Store, VersionRow, content_hash, utc_now


def is_bare(record: Record) -> bool:
    """Return True if the record is an id and nothing else, as in a run."""
    return bool(record.own_id) and not (record.title or record.abstract or record.doi)


class OwnNames:
    def __init__(self, store: Store, topic_id: str) -> None:
        self._store, self._topic_id = store, topic_id
        self._described: dict[str, Ids] | None = None
        self._bare: dict[str, str] = {}
        self._read_bare()

    def add(self, publication_id: str, record: Record) -> None:
        name = record.own_id
        if not name:
            return
        if is_bare(record):
            if publication_id not in (self._described or {}).get(name, ()):
                self._bare.setdefault(name, publication_id)
        else:
            if self._bare.get(name) == publication_id:
                del self._bare[name]
            if self._described is not None and publication_id not in self._described.get(name, ()):
                self._described[name] = (*self._described.get(name, ()), publication_id)

    def described(self, record: Record) -> Ids:
        """Return the publications that the topic's files describe under the id of a bare record."""
        if not record.own_id or not is_bare(record):
            return ()
        if self._described is None:
            self._described = self._read_described()
        return self._described.get(record.own_id, ())

    def waiting(self, record: Record) -> str | None:
        """Return the publication that so far is known only by this record's id, from a run."""
        return None if is_bare(record) else self._bare.get(record.own_id or "")

    def match(self, match: CoreMatch) -> CoreMatch:
        found = self.described(match.record)
        if len(found) == 1:
            return replace(match, status="matched", publication_id=found[0], by="own_id", candidates=())
        if found:
            few = found[:MOST_CANDIDATES]
            return replace(match, status="ambiguous", publication_id=None, by="own_id", candidates=few)
        return match

    def _read_described(self) -> dict[str, Ids]:
        found = self._store.rows(
            """
            SELECT json_extract_string(r.document, '$.own_id') AS name, r.publication_id
            FROM records AS r JOIN sources AS s USING (source_id)
            WHERE s.topic_id = ? AND name IS NOT NULL AND
                (json_exists(r.document, '$.title') OR json_exists(r.document, '$.abstract') OR r.doi IS NOT NULL)
            GROUP BY ALL ORDER BY min(s.number), min(r.number)
            """,
            [self._topic_id],
        )
        names: dict[str, Ids] = {}
        for name, publication_id in found:
            names[name] = (*names.get(name, ()), publication_id)
        return names

    def _read_bare(self) -> None:
        found = self._store.rows(
            """
            SELECT r.publication_id, r.document FROM records AS r JOIN sources AS s USING (source_id)
            WHERE s.topic_id = $topic AND r.publication_id NOT IN (
                SELECT o.publication_id FROM records AS o JOIN sources AS t USING (source_id)
                WHERE t.topic_id = $topic AND (o.title_key <> '' OR o.doi IS NOT NULL)
            )
            ORDER BY s.number, r.number
            """,
            {"topic": self._topic_id},
        )
        records = [(publication_id, Record.from_document(json.loads(document))) for publication_id, document in found]
        told = {publication_id for publication_id, record in records if not is_bare(record)}
        for publication_id, record in records:
            if publication_id not in told:
                self.add(publication_id, record)


# From a topic's sources to its corpus, core set and versions, and from records to publications.


def keep_what_was_here(store: Store, topic_id: str) -> None:
    """Turn a topic's existing publications into sources before its first file, so that none is without a source."""
    if not load_sources(store, topic_id):
        for role, ids in _listed(store, topic_id):
            if ids:
                _keep(store, topic_id, role, ids)


def keep_what_came(store: Store, topic_id: str) -> None:
    """Add sources for a collection that was loaded over a topic with files, next to those of the files."""
    if not load_sources(store, topic_id):
        return
    for role, ids in _listed(store, topic_id):
        found = store.rows(
            """
            SELECT r.publication_id, r.began_as FROM records AS r JOIN sources AS s USING (source_id)
            WHERE s.topic_id = ? AND s.role = ? AND s.label IS NOT DISTINCT FROM ?
            """,
            [topic_id, role.kind, role.label],
        )
        known = {i for pair in found for i in pair}
        if new := tuple(i for i in ids if i not in known):
            _keep(store, topic_id, role, new)
    renew(store, topic_id, store.topic_publication_ids(topic_id))


def keep_in_other_topics(store: Store, topic_id: str, ids: Sequence[str]) -> None:
    """Turn publications of other topics without files into sources, before a file changes the shared ones."""
    found = store.rows(
        """
        WITH wanted AS (SELECT unnest($ids::VARCHAR[]) AS publication_id)
        SELECT topic_id FROM (
            SELECT topic_id FROM core_publications SEMI JOIN wanted USING (publication_id)
            UNION SELECT topic_id FROM corpus SEMI JOIN wanted USING (publication_id)
            UNION
            SELECT topic_id FROM query_versions JOIN retrieved USING (query_id) SEMI JOIN wanted USING (publication_id)
        )
        WHERE topic_id <> $topic AND topic_id NOT IN (SELECT topic_id FROM sources) ORDER BY topic_id
        """,
        {"ids": list(ids), "topic": topic_id},
    )
    for (other,) in found:
        keep_what_was_here(store, other)


def _listed(store: Store, topic_id: str) -> list[tuple[SourceRole, Ids]]:
    there: list[tuple[SourceRole, Ids]] = [(SourceRole("core"), store.load_core_ids(topic_id))]
    there.append((SourceRole("corpus"), store.corpus_ids(topic_id)))
    for row in store.versions(topic_id, deleted=True):
        if row.retrieved_hash is not None and not row.over_corpus:
            retrieved = store.load_retrieved_ids(row.version.query_id)
            there.append((SourceRole("version", row.version.label), retrieved))
    return there


def _keep(store: Store, topic_id: str, role: SourceRole, ids: Ids) -> None:
    source_id = source_id_for(topic_id, role, None)
    publications = store.load_publications(ids)
    (there,) = store.rows("SELECT count(*), max(n_in_file) FROM sources WHERE source_id = ?", [source_id])
    first = 1 + (there[1] or 0)
    if there[0]:
        store.execute(
            "UPDATE sources SET n_in_file = n_in_file + ? WHERE source_id = ?", [len(publications), source_id]
        )
    else:
        number, n = next_number(store), len(publications)
        save_source(store, SourceRow(source_id, topic_id, number, role, BEFORE, None, None, None, n, 0, SourceReport()))
    records = [Record.of_publication(p, number) for number, p in enumerate(publications, start=first)]
    ids_of = (p.publication_id for p in publications)
    save_records(
        store, source_id, [FiledRecord(r, Identity.of(r), i, None) for r, i in zip(records, ids_of, strict=True)]
    )


def refresh(store: Store, topic_id: str) -> None:
    """Update corpus, core set and file-based versions from the records; the caller holds the transaction."""
    members: dict[SourceRole, dict[str, None]] = {source.role: {} for source in load_sources(store, topic_id)}
    found = store.rows(
        """
        SELECT s.role, s.label, r.publication_id
        FROM records AS r JOIN sources AS s USING (source_id) WHERE s.topic_id = ? ORDER BY s.number, r.number
        """,
        [topic_id],
    )
    for kind, label, publication_id in found:
        members[SourceRole(kind, label)][publication_id] = None
    core_ids = tuple(members.get(SourceRole("core"), ()))
    if core_ids != store.load_core_ids(topic_id):
        topic = next(t for t in store.topics() if t.topic_id == topic_id)
        store.save_topic(topic_id, core_ids, survey_id=_survey_id(store, topic_id), made_up=topic.made_up)
    corpus_ids = tuple(members.get(SourceRole("corpus"), ()))
    if corpus_ids != store.corpus_ids(topic_id):
        store.save_corpus(topic_id, corpus_ids)
    versions = {row.version.label: row for row in store.versions(topic_id, deleted=True)}
    for role, ids in members.items():
        if role.kind == "version" and role.label is not None:
            _save_version(store, topic_id, role.label, tuple(ids), versions)


def _save_version(store: Store, topic_id: str, label: str, ids: Ids, versions: dict[str, VersionRow]) -> None:
    there = versions.get(label)
    if there is None:
        number = max((row.version.number for row in versions.values()), default=0) + 1
        query_id = content_hash([topic_id, label])
        store.save_version(QueryVersion(query_id, topic_id, label, number, "", "manual", made_at=utc_now()), ids)
    elif there.over_corpus:
        raise InputError(f'version "{label}" was run in Queryscape: choose another label for the files')
    elif there.retrieved_hash != content_hash(ids):
        store.replace_retrieved(there.version.query_id, ids)


def _survey_id(store: Store, topic_id: str) -> str | None:
    found = store.rows(
        "SELECT survey_id FROM core_publications WHERE topic_id = ? AND survey_id IS NOT NULL LIMIT 1", [topic_id]
    )
    return str(found[0][0]) if found else None


def save_publications(store: Store, records: dict[str, list[Record]]) -> int:
    """Save publications derived from their records; mark topics whose texts change. Return how many changed."""
    if not records:
        return 0
    texts = [combined(published_first(parts)).publication(i) for i, parts in records.items()]
    before = {p.publication_id: p for p in store.load_publications([p.publication_id for p in texts])}
    changed = [p for p in texts if before.get(p.publication_id) != p]
    store.replace_publications(changed)
    mark_changed(store, [p.publication_id for p in changed if _reads_otherwise(before.get(p.publication_id), p)])
    return len(changed)


def _reads_otherwise(before: Publication | None, now: Publication) -> bool:
    return before is not None and (before.title, before.abstract, before.keywords) != (
        now.title,
        now.abstract,
        now.keywords,
    )


def mark_changed(store: Store, ids: Sequence[str]) -> None:
    """Mark the topics of these publications as changed, so that cached results are checked again."""
    if not ids:
        return
    store.execute(
        """
        UPDATE topics SET texts = coalesce(texts, 0) + 1 WHERE topic_id IN (
            WITH changed AS (SELECT unnest($ids::VARCHAR[]) AS publication_id)
            SELECT topic_id FROM core_publications SEMI JOIN changed USING (publication_id)
            UNION SELECT topic_id FROM corpus SEMI JOIN changed USING (publication_id)
            UNION
            SELECT topic_id FROM query_versions JOIN retrieved USING (query_id) SEMI JOIN changed USING (publication_id)
        )
        """,
        {"ids": list(ids)},
    )


def renew(store: Store, topic_id: str, ids: Iterable[str]) -> None:
    """Update these publications and the topic's sets after their records were filed differently."""
    save_publications(store, records_of(store, unique_ids(ids)))
    refresh(store, topic_id)


def drop_orphans(store: Store, ids: Sequence[str]) -> None:
    """Delete the publications that no topic uses any more."""
    store.execute(
        """
        DELETE FROM publications WHERE publication_id IN (SELECT unnest($ids::VARCHAR[])) AND publication_id NOT IN (
            SELECT publication_id FROM core_publications UNION SELECT publication_id FROM corpus
            UNION SELECT publication_id FROM retrieved UNION SELECT publication_id FROM records
        )
        """,
        {"ids": list(ids)},
    )


# Filing: each record goes under the existing publication that it matches, or under a new one.

EVERY = 5_000
"""Number of records between two progress reports."""


@dataclass
class Filer:
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

    def file(self, records: Sequence[Record], on_record: OnProgress | None = None) -> list[FiledRecord]:
        """File each record under its publication, or under a new one if none matches."""
        filed = []
        for n, record in enumerate(records, start=1):
            filed.append(self._file(record))
            if on_record and n % EVERY == 0:
                on_record(n, len(records))
        return filed

    def _file(self, record: Record) -> FiledRecord:
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

    def _keep(self, record: Record, identity: Identity, publication_id: str, rule: str | None) -> FiledRecord:
        self._placer.add(publication_id, identity)
        self._known.add(publication_id)
        self._names.add(publication_id, record)
        return FiledRecord(record, identity, publication_id, rule)

    def file_core(self, records: Sequence[Record]) -> tuple[list[FiledRecord], tuple[CoreMatch, ...]]:
        """File a person's list of known publications; ambiguous entries are left for the person to decide."""
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
        """Merge core publications known only from core lists with their matches elsewhere. Return the replaced ids."""
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
                refile(store, self.topic_id, {publication_id: there}, by or "title")
                gone.append(publication_id)
                for record in records:
                    self._placer.add(there, Identity.of(record))
        return tuple(gone)


def keep_filed(store: Store, source_id: str, filed: Sequence[FiledRecord]) -> None:
    """Save records under their source and update their publications; the caller holds the transaction."""
    save_records(store, source_id, filed)
    touched: dict[str, list[Record]] = {}
    for f in filed:
        touched.setdefault(f.publication_id, []).append(f.record)
    known = store.known_ids(tuple(touched))
    touched |= records_of(store, known)
    save_publications(store, touched)


def waiting_core(store: Store, topic_id: str) -> Collection[str]:
    """Return the core publications that only core lists contain."""
    found = store.rows(
        """
        SELECT r.publication_id FROM records AS r JOIN sources AS s USING (source_id)
        WHERE s.topic_id = ? GROUP BY ALL HAVING bool_and(s.role = 'core')
        """,
        [topic_id],
    )
    return [i for (i,) in found]


def refile(store: Store, topic_id: str, new: Mapping[str, str], rule: str) -> None:
    """Move all of a topic's records of these publications to others."""
    store.execute(
        """
        UPDATE records
        SET publication_id = new.there, rule = $rule, began_as = coalesce(records.began_as, records.publication_id)
        FROM (SELECT unnest($here::VARCHAR[]) AS here, unnest($there::VARCHAR[]) AS there) AS new
        WHERE records.publication_id = new.here
            AND records.source_id IN (SELECT source_id FROM sources WHERE topic_id = $topic)
        """,
        {"here": list(new), "there": list(new.values()), "rule": rule, "topic": topic_id},
    )
    save_publications(store, records_of(store, unique_ids(new.values())))


def new_id(record: Record, identity: Identity) -> str:
    """Return an id for a publication that depends only on its first record."""
    if identity.own_id and record.own_id:
        return record.own_id.strip()
    if identity.doi:
        return f"doi:{identity.doi}"
    if identity.pmid:
        return f"pmid:{identity.pmid}"
    tells = suffices(identity, year=bool(identity.year) or None, author=bool(identity.first_author) or None)
    titled = [identity.title_key, str(identity.year), identity.first_author or ""]
    parts = titled if record.title and tells else [identity.exact]
    return f"title:{sha256(chr(0).join(parts).encode(errors='surrogatepass')).hexdigest()[:16]}"


def free_id(wanted: str, known: Collection[str]) -> str:
    """Return this id, or a numbered one if it is taken.

    >>> free_id("doi:10.1/x", {"doi:10.1/x"})
    'doi:10.1/x~2'
    """
    name, number = wanted, 1
    while name in known:
        number += 1
        name = f"{wanted}~{number}"
    return name


# Deletion of a source, a version or a topic, with everything that nothing else needs.


def delete_source(workspace: Workspace, topic_id: str, source_id: str) -> None:
    """Delete a file and its records; publications that came only from it leave the topic."""
    check_allowed("delete")
    store = workspace.store
    source = next((s for s in load_sources(store, topic_id) if s.source_id == source_id), None)
    if source is None:
        raise NotFoundError("this file no longer exists: reload the list")
    with store.transaction():
        touched = [
            i for (i,) in store.rows("SELECT DISTINCT publication_id FROM records WHERE source_id = ?", [source_id])
        ]
        store.execute("DELETE FROM records WHERE source_id = ?", [source_id])
        drop_file(store, source_id)
        store.execute("DELETE FROM sources WHERE source_id = ?", [source_id])
        # The first remaining record of a publication now starts it.
        store.execute(
            """
            UPDATE records SET rule = NULL FROM (
                SELECT publication_id, arg_min({'source': r.source_id, 'number': r.number}, (s.number, r.number)) AS f
                FROM records AS r JOIN sources AS s USING (source_id)
                WHERE s.topic_id = $topic AND publication_id IN (SELECT unnest($ids::VARCHAR[]))
                GROUP BY publication_id
            ) AS first
            WHERE records.source_id = first.f.source AND records.number = first.f.number
            """,
            {"topic": topic_id, "ids": touched},
        )
        save_publications(store, records_of(store, touched))
        if source.role.kind in ("corpus", "core"):
            empty_if_last(workspace, topic_id, source.role.kind)
        others = {s.role for s in load_sources(store, topic_id)}
        if source.role.kind == "version" and source.role not in others:
            drop_version(workspace, topic_id, str(source.role))
        refresh(store, topic_id)
        drop_orphans(store, touched)
        workspace.corpora.forget()


def empty_if_last(workspace: Workspace, topic_id: str, kind: str) -> None:
    """Empty a set without sources: `refresh` finds roles by their sources and would keep the last members."""
    store = workspace.store
    if any(s.role.kind == kind for s in load_sources(store, topic_id)):
        return
    if kind == "corpus":
        store.save_corpus(topic_id, ())
    else:
        topic = next(t for t in store.topics() if t.topic_id == topic_id)
        store.save_topic(topic_id, (), made_up=topic.made_up)


def delete_version(workspace: Workspace, topic_id: str, label: str) -> None:
    """Delete a query version with the publications it retrieved and its files."""
    check_allowed("delete")
    store = workspace.store
    for source in load_sources(store, topic_id):
        if source.role.kind == "version" and source.role.label == label:
            delete_source(workspace, topic_id, source.source_id)
    there = {row.version.label: row.version.query_id for row in store.versions(topic_id, deleted=True)}
    retrieved = store.load_retrieved_ids(there[label]) if label in there else ()
    with store.transaction():
        drop_version(workspace, topic_id, label)
        drop_orphans(store, retrieved)
        workspace.corpora.forget()


def drop_version(workspace: Workspace, topic_id: str, label: str) -> None:
    store = workspace.store
    for row in store.versions(topic_id, deleted=True):
        if row.version.label == label:
            store.execute("DELETE FROM retrieved WHERE query_id = ?", [row.version.query_id])
            store.execute("DELETE FROM query_versions WHERE query_id = ?", [row.version.query_id])
            # The label is free again and may soon belong to another version.
            store.execute("UPDATE query_versions SET parent_id = NULL WHERE parent_id = ?", [row.version.query_id])
            store.execute(
                """
                UPDATE writer_steps SET label = NULL
                WHERE label = ? AND writing_id IN (SELECT writing_id FROM writings WHERE topic_id = ?)
                """,
                [label, topic_id],
            )


def delete_topic(workspace: Workspace, topic_id: str) -> None:
    """Delete a topic with its versions, sources, landscapes, vectors, audit, sessions and everything only it has."""
    check_allowed("delete")
    check_topic(workspace.store, topic_id)
    store = workspace.store
    of_topic = {"topic": topic_id}
    ids = unique_ids((*store.topic_publication_ids(topic_id), *(i for i, _ in identities(store, topic_id))))
    with store.transaction():
        store.execute(
            "DELETE FROM retrieved WHERE query_id IN (SELECT query_id FROM query_versions WHERE topic_id = $topic)",
            of_topic,
        )
        store.execute(
            "DELETE FROM records WHERE source_id IN (SELECT source_id FROM sources WHERE topic_id = $topic)", of_topic
        )
        store.execute(
            """
            DELETE FROM projection_points WHERE projection_id IN
                (SELECT projection_id FROM projections WHERE topic_id = $topic)
            """,
            of_topic,
        )
        store.execute(
            "DELETE FROM search_files WHERE search_id IN (SELECT search_id FROM searches WHERE topic_id = $topic)",
            of_topic,
        )
        for table in ("writer_calls", "writer_steps"):
            store.execute(
                f"DELETE FROM {table} WHERE writing_id IN (SELECT writing_id FROM writings WHERE topic_id = $topic)",
                of_topic,
            )
        fitted = [e for (e,) in store.rows("SELECT embedding_id FROM embeddings WHERE topic_id = $topic", of_topic)]
        store.execute("DELETE FROM vector_rows WHERE embedding_id IN (SELECT unnest($ids::VARCHAR[]))", {"ids": fitted})
        store.execute(
            "DELETE FROM vector_files WHERE embedding_id IN (SELECT unnest($ids::VARCHAR[]))", {"ids": fitted}
        )
        for table in _TABLES_OF_A_TOPIC:
            store.execute(f"DELETE FROM {table} WHERE topic_id = $topic", of_topic)
        drop_orphans(store, ids)
        workspace.corpora.forget()
    for embedding_id in fitted:
        shutil.rmtree(workspace.paths.vectors / embedding_id, ignore_errors=True)
        (workspace.paths.models / f"{embedding_id}.npz").unlink(missing_ok=True)


_TABLES_OF_A_TOPIC = (
    "changes",
    "corpus",
    "true_relevance",
    "core_publications",
    "query_versions",
    "sources",
    "searches",
    "kept_apart",
    "projections",
    "published_scores",
    "published_curves",
    "embeddings",
    "audit_answers",
    "press_reviews",
    "writings",
    "topics",
)
