"""From a topic's sources to its corpus, core set and versions, and from records to what a publication says."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.errors import InputError
from core.records.cleaning import Record, combined
from core.records.identity import Identity
from core.types import Ids, Publication, QueryVersion, unique_ids
from data.clock import utc_now
from data.library.tables import (
    BEFORE,
    Filed,
    Report,
    Role,
    SourceRow,
    load_sources,
    next_number,
    records_of,
    save_records,
    save_source,
    source_id_for,
)
from data.store import Store, VersionRow, content_hash


def keep_what_was_here(store: Store, topic_id: str) -> None:
    """Before a topic's first file: what it has already becomes sources too, so that nothing is without one."""
    if not load_sources(store, topic_id):
        for role, ids in _listed(store, topic_id):
            if ids:
                _keep(store, topic_id, role, ids)


def keep_what_came(store: Store, topic_id: str) -> None:
    """After a collection was loaded over a topic that has files: what it brought stands beside what they brought."""
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
    """Before a file says more of these publications: what topics without files know of them is not lost to it."""
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


def _listed(store: Store, topic_id: str) -> list[tuple[Role, Ids]]:
    there: list[tuple[Role, Ids]] = [(Role("core"), _core_ids(store, topic_id))]
    there.append((Role("corpus"), store.corpus_ids(topic_id)))
    for row in store.versions(topic_id, deleted=True):
        if row.retrieved_hash is not None and not row.over_corpus:
            retrieved = store.load_retrieved_ids(row.version.query_id)
            there.append((Role("version", row.version.label), retrieved))
    return there


def _keep(store: Store, topic_id: str, role: Role, ids: Ids) -> None:
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
        save_source(store, SourceRow(source_id, topic_id, number, role, BEFORE, None, None, None, n, 0, Report()))
    records = [Record.of_publication(p, number) for number, p in enumerate(publications, start=first)]
    ids_of = (p.publication_id for p in publications)
    save_records(store, source_id, [Filed(r, Identity.of(r), i, None) for r, i in zip(records, ids_of, strict=True)])


def refresh(store: Store, topic_id: str) -> None:
    """Corpus, core set and versions from files as the records have them now; the caller holds the transaction."""
    members: dict[Role, dict[str, None]] = {source.role: {} for source in load_sources(store, topic_id)}
    found = store.rows(
        """
        SELECT s.role, s.label, r.publication_id
        FROM records AS r JOIN sources AS s USING (source_id) WHERE s.topic_id = ? ORDER BY s.number, r.number
        """,
        [topic_id],
    )
    for kind, label, publication_id in found:
        members[Role(kind, label)][publication_id] = None
    core_ids = tuple(members.get(Role("core"), ()))
    if core_ids != _core_ids(store, topic_id):
        topic = next(t for t in store.topics() if t.topic_id == topic_id)
        store.save_topic(topic_id, core_ids, survey_id=_survey_id(store, topic_id), made_up=topic.made_up)
    corpus_ids = tuple(members.get(Role("corpus"), ()))
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
        raise InputError(f'version "{label}" was run here: give what the files retrieved another label')
    elif there.retrieved_hash != content_hash(ids):
        store.replace_retrieved(there.version.query_id, ids)


def _core_ids(store: Store, topic_id: str) -> Ids:
    found = store.rows("SELECT publication_id FROM core_publications WHERE topic_id = ? ORDER BY position", [topic_id])
    return unique_ids(i for (i,) in found)


def _survey_id(store: Store, topic_id: str) -> str | None:
    found = store.rows(
        "SELECT survey_id FROM core_publications WHERE topic_id = ? AND survey_id IS NOT NULL LIMIT 1", [topic_id]
    )
    return str(found[0][0]) if found else None


def save_publications(store: Store, records: dict[str, list[Record]]) -> None:
    """What publications say, from their records; topics whose texts change by that are marked."""
    if not records:
        return
    said = [combined(parts).publication(i) for i, parts in records.items()]
    before = {p.publication_id: p for p in store.load_publications([p.publication_id for p in said])}
    changed = [p for p in said if before.get(p.publication_id) != p]
    store.replace_publications(changed)
    mark_changed(store, [p.publication_id for p in changed if _reads_otherwise(before.get(p.publication_id), p)])


def _reads_otherwise(before: Publication | None, now: Publication) -> bool:
    return before is not None and (before.title, before.abstract, before.keywords) != (
        now.title,
        now.abstract,
        now.keywords,
    )


def mark_changed(store: Store, ids: Sequence[str]) -> None:
    """Whoever keeps something for a topic that has one of these publications has to look again."""
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
    """What these publications say and who belongs where, after their records were filed otherwise."""
    save_publications(store, records_of(store, unique_ids(ids)))
    refresh(store, topic_id)


def drop_orphans(store: Store, ids: Sequence[str]) -> None:
    """Those of these publications that no topic has any more."""
    store.execute(
        """
        DELETE FROM publications WHERE publication_id IN (SELECT unnest($ids::VARCHAR[])) AND publication_id NOT IN (
            SELECT publication_id FROM core_publications UNION SELECT publication_id FROM corpus
            UNION SELECT publication_id FROM retrieved UNION SELECT publication_id FROM records
        )
        """,
        {"ids": list(ids)},
    )
