"""What a topic's sources call their publications. Runs and judgments say nothing else: "1", "2", "3"."""

from __future__ import annotations

import json
from dataclasses import replace

from core.records.cleaning import Record
from core.records.core_matching import MOST_CANDIDATES, CoreMatch
from core.types import Ids
from data.store import Store


def is_bare(record: Record) -> bool:
    """Whether it is a name and nothing else, as in a run."""
    return bool(record.own_id) and not (record.title or record.abstract or record.doi)


class OwnNames:
    """Which publications have a name, as it is written in the topic's own files."""

    def __init__(self, store: Store, topic_id: str) -> None:
        self._store, self._topic_id = store, topic_id
        self._described: dict[str, Ids] | None = None
        self._bare: dict[str, str] = {}
        self._read_bare()

    def add(self, publication_id: str, record: Record) -> None:
        """The publication can from now on be found by this record's name."""
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
        """Publications that the topic's files describe under the name of a bare record."""
        if not record.own_id or not is_bare(record):
            return ()
        if self._described is None:
            self._described = self._read_described()
        return self._described.get(record.own_id, ())

    def waiting(self, record: Record) -> str | None:
        """The publication of which a run has named only this record's name so far."""
        return None if is_bare(record) else self._bare.get(record.own_id or "")

    def match(self, match: CoreMatch) -> CoreMatch:
        """An entry of a core list that is only a name is what the topic's files call so."""
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
