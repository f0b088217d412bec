"""How much a topic holds, what its sources share, and what would go if something were deleted."""

from __future__ import annotations

from dataclasses import dataclass

from core.types import Ids
from data.library.tables import BEFORE, load_sources
from data.store import Store

_MEMBERS = """
    SELECT topic_id, publication_id FROM core_publications
    UNION SELECT topic_id, publication_id FROM corpus
    UNION SELECT topic_id, publication_id FROM retrieved JOIN query_versions USING (query_id)
"""


@dataclass(frozen=True, slots=True)
class TopicSize:
    """What a topic holds."""

    n_publications: int
    """Core, corpus and everything that its versions retrieved, each once."""
    n_files: int


def topic_sizes(store: Store) -> dict[str, TopicSize]:
    """Of every topic."""
    publications = dict(store.rows(f"SELECT topic_id, count(*) FROM ({_MEMBERS}) GROUP BY topic_id"))
    files = dict(store.rows("SELECT topic_id, count(*) FROM sources WHERE content_hash IS NOT NULL GROUP BY topic_id"))
    return {t.topic_id: TopicSize(publications.get(t.topic_id, 0), files.get(t.topic_id, 0)) for t in store.topics()}


def n_publications(store: Store, topic_id: str) -> int:
    """Core, corpus and everything that the topic's versions retrieved, each once."""
    sql = f"SELECT count(DISTINCT publication_id) FROM ({_MEMBERS}) WHERE topic_id = ?"
    return int(store.rows(sql, [topic_id])[0][0])


def n_only_here(store: Store, topic_id: str) -> int:
    """Publications that no other topic has: they go with it."""
    sql = f"""
        WITH members AS ({_MEMBERS})
        SELECT count(DISTINCT publication_id) FROM members WHERE topic_id = $topic
            AND publication_id NOT IN (SELECT publication_id FROM members WHERE topic_id <> $topic)
        """
    return int(store.rows(sql, {"topic": topic_id})[0][0])


def n_only_in_source(store: Store, topic_id: str, source_id: str) -> int:
    """Publications of a topic that no other of its sources has."""
    sql = """
        WITH r AS (SELECT source_id, publication_id FROM records JOIN sources USING (source_id) WHERE topic_id = $topic)
        SELECT count(DISTINCT publication_id) FROM r WHERE source_id = $source
            AND publication_id NOT IN (SELECT publication_id FROM r WHERE source_id <> $source)
        """
    return int(store.rows(sql, {"topic": topic_id, "source": source_id})[0][0])


def publications_by_source(store: Store, topic_id: str) -> dict[str, Ids]:
    """The publications of each source of a topic, by a name that no other one has."""
    found = store.rows(
        """
        SELECT source_id, list(DISTINCT publication_id)
        FROM records JOIN sources USING (source_id) WHERE topic_id = ? GROUP BY source_id
        """,
        [topic_id],
    )
    ids = {source_id: tuple(some) for source_id, some in found}
    names = source_names(store, topic_id)
    return {name: ids.get(source_id, ()) for source_id, name in names.items()}


def source_names(store: Store, topic_id: str) -> dict[str, str]:
    """What to call each source of a topic, by its id: its file's name, with its role where that is not enough."""
    sources = load_sources(store, topic_id)
    names = ["here before" if s.name == BEFORE and s.content_hash is None else s.name for s in sources]
    told = [f"{name} ({s.role})" if names.count(name) > 1 else name for name, s in zip(names, sources, strict=True)]
    return {
        s.source_id: f"{name} #{s.number}" if told.count(name) > 1 else name
        for name, s in zip(told, sources, strict=True)
    }
