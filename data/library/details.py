"""Everything that is known of publications: what all their records say, and where they came from."""

from __future__ import annotations

from collections.abc import Sequence

from core.records.cleaning import Record, combined
from data.library.tables import records_of
from data.store import Store


def load_details(store: Store, ids: Sequence[str]) -> tuple[Record, ...]:
    """What is known of each publication, in this order; one that is not known has nothing but its id."""
    kept = records_of(store, ids)
    without = [publication_id for publication_id in ids if publication_id not in kept]
    known = {p.publication_id: Record.of_publication(p) for p in store.load_publications(without)}
    return tuple(combined(kept[i]) if i in kept else known.get(i, Record(1, own_id=i)) for i in ids)


def sources_of(store: Store, ids: Sequence[str], topic_id: str | None = None) -> dict[str, tuple[str, ...]]:
    """File and record number of every record of these publications."""
    found = store.rows(
        """
        SELECT r.publication_id, s.name, r.number
        FROM records AS r JOIN sources AS s USING (source_id)
        WHERE r.publication_id IN (SELECT unnest($ids::VARCHAR[])) AND ($topic IS NULL OR s.topic_id = $topic)
            AND s.content_hash IS NOT NULL
        ORDER BY s.number, r.number
        """,
        {"ids": list(ids), "topic": topic_id},
    )
    kept: dict[str, list[str]] = {}
    for publication_id, name, number in found:
        kept.setdefault(publication_id, []).append(f"{name} #{number}")
    return {publication_id: tuple(names) for publication_id, names in kept.items()}
