"""Taking things away: a source, a version, a topic. What nothing else needs goes with them."""

from __future__ import annotations

import shutil

from core.errors import NotFoundError
from data.library.membership import drop_orphans, refresh, save_publications
from data.library.tables import load_sources, records_of
from data.lookup import check_topic
from data.workspace import Workspace


def delete_source(workspace: Workspace, topic_id: str, source_id: str) -> None:
    """A file and its records; publications that only it knew leave the topic."""
    store = workspace.store
    source = next((s for s in load_sources(store, topic_id) if s.source_id == source_id), None)
    if source is None:
        raise NotFoundError("that file is no longer there: reload the list")
    with store.transaction():
        touched = [
            i for (i,) in store.rows("SELECT DISTINCT publication_id FROM records WHERE source_id = ?", [source_id])
        ]
        store.execute("DELETE FROM records WHERE source_id = ?", [source_id])
        store.execute("DELETE FROM sources WHERE source_id = ?", [source_id])
        # Whatever is left of a publication begins it now.
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
            _empty_if_last(workspace, topic_id, source.role.kind)
        others = {s.role for s in load_sources(store, topic_id)}
        if source.role.kind == "version" and source.role not in others:
            _drop_version(workspace, topic_id, str(source.role))
        refresh(store, topic_id)
        drop_orphans(store, touched)
        workspace.corpora.forget()


def _empty_if_last(workspace: Workspace, topic_id: str, kind: str) -> None:
    """`refresh` knows roles by their sources; without one left it would leave the last members standing."""
    store = workspace.store
    if any(s.role.kind == kind for s in load_sources(store, topic_id)):
        return
    if kind == "corpus":
        store.save_corpus(topic_id, ())
    else:
        topic = next(t for t in store.topics() if t.topic_id == topic_id)
        store.save_topic(topic_id, (), made_up=topic.made_up)


def delete_version(workspace: Workspace, topic_id: str, label: str) -> None:
    """A query version with what it retrieved, and the files that it came from."""
    store = workspace.store
    for source in load_sources(store, topic_id):
        if source.role.kind == "version" and source.role.label == label:
            delete_source(workspace, topic_id, source.source_id)
    there = {row.version.label: row.version.query_id for row in store.versions(topic_id, deleted=True)}
    retrieved = store.load_retrieved_ids(there[label]) if label in there else ()
    with store.transaction():
        _drop_version(workspace, topic_id, label)
        drop_orphans(store, retrieved)
        workspace.corpora.forget()


def _drop_version(workspace: Workspace, topic_id: str, label: str) -> None:
    store = workspace.store
    for row in store.versions(topic_id, deleted=True):
        if row.version.label == label:
            store.execute("DELETE FROM retrieved WHERE query_id = ?", [row.version.query_id])
            store.execute("DELETE FROM query_versions WHERE query_id = ?", [row.version.query_id])
            # The label is free again, so its name may soon mean another version.
            store.execute("UPDATE query_versions SET parent_id = NULL WHERE parent_id = ?", [row.version.query_id])
            store.execute(
                """
                UPDATE writer_steps SET label = NULL
                WHERE label = ? AND writing_id IN (SELECT writing_id FROM writings WHERE topic_id = ?)
                """,
                [label, topic_id],
            )


def delete_topic(workspace: Workspace, topic_id: str) -> None:
    """A topic with its versions, sources, landscapes, fitted vectors, audit and writings, and what only it has."""
    check_topic(workspace.store, topic_id)
    store = workspace.store
    of_topic = {"topic": topic_id}
    ids = store.topic_publication_ids(topic_id)
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
    "corpus",
    "true_relevance",
    "core_publications",
    "query_versions",
    "sources",
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
