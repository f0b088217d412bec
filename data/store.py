"""Save and load core types in the store, several together in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256

import numpy as np
import numpy.typing as npt

from core.types import CoreSet, Ids, Publication, QueryVersion, unique_ids
from data.changes import UNSEEN, Unseen, author, record_change
from data.database import Database

ONLY_LISTED = """
    SELECT r.publication_id FROM records AS r JOIN sources AS s USING (source_id) WHERE s.topic_id = $topic
    GROUP BY ALL HAVING bool_and(s.role IN ('core', 'screened', 'included') AND s.content_hash IS NOT NULL)
"""
"""Publications that no search brought, only a person's list of core, screened or included ones: no query finds them."""
_NAMES = f"""
    WITH listed AS ({ONLY_LISTED}), members AS (
        SELECT publication_id FROM core_publications WHERE topic_id = $topic
        UNION SELECT publication_id FROM corpus WHERE topic_id = $topic
        UNION SELECT publication_id FROM retrieved JOIN query_versions USING (query_id) WHERE topic_id = $topic
    ),
    named AS (
        SELECT md5(to_json({{
            'id': publication_id, 'title': title, 'abstract': coalesce(abstract, ''), 'year': year,
            'keywords': coalesce(keywords, [])
        }})::VARCHAR) AS name
        FROM publications SEMI JOIN members USING (publication_id) ANTI JOIN listed USING (publication_id)
    )
    SELECT sha256(coalesce(string_agg(name, '' ORDER BY name), ''))[:16], count(*) FROM named
"""


@dataclass(frozen=True, slots=True)
class CorpusState:
    state: str
    """Identifies these publications and all their searched texts, in any order."""
    n: int
    """Their number."""


def searched(database: Database, topic_id: str) -> CorpusState:
    """Return the publications that a query of this topic would search now. Reads every text: 0.5 s for 100,000."""
    return CorpusState(*database.rows(_NAMES, {"topic": topic_id})[0])


# The current time, in the format of the store.

Clock = Callable[[], str]
"""Passed in, so that no result depends on the time it runs."""


def utc_now() -> str:
    """Return the time as ISO 8601 in UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


# The store: saves and loads core types. Related rows are written in one transaction.

AFTER_VERSIONS = 2**31 - 1
"""Sorts after the number of every version."""


AT_ONCE = 20_000
"""Rows written by one statement, to limit memory."""


@dataclass(frozen=True, slots=True)
class TopicRow:
    topic_id: str
    made_up: bool
    n_core: int


@dataclass(frozen=True, slots=True)
class VersionRow:
    version: QueryVersion
    n_retrieved: int | None
    """None: its text is known, but it has not been run."""
    retrieved_hash: str | None
    over_corpus: bool = False
    """True: its text was run over the topic's own publications, so it added none."""
    corpus_state: str | None = None
    """Identifies the publications and texts that it was run over; None: not known."""
    n_searched: int | None = None
    """Number of publications that it was run over."""
    deleted_at: str | None = None
    """The time it was hidden; None: not hidden."""
    made_by: str | None = None
    """The name of the person who made it; None: unnamed."""


@dataclass(frozen=True, eq=False)
class Headlines:
    """Titles, years and DOIs of a list of publications, aligned with the requested ids."""

    titles: tuple[str, ...]
    years: npt.NDArray[np.int16]
    """0: not known."""
    dois: tuple[str, ...]
    """Empty: none."""


def sound(text: str) -> str:
    """Replace lone surrogates, which no store accepts."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def content_hash(parts: Sequence[str]) -> str:
    """Return a short hash for a list of texts; it depends on their order."""
    digest = sha256()
    for part in parts:
        digest.update(part.encode(errors="surrogatepass"))  # the store later refuses a name with invalid encoding
        digest.update(b"\0")
    return digest.hexdigest()[:16]


class Store(Database):
    """Topics, publications and query versions; slow results under their keys."""

    # Publications and topics

    def save_publications(self, publications: Sequence[Publication]) -> None:
        """Add or update publications. A source without a value does not erase a known one."""
        fields = ("abstract", "year", "doi", "times_cited", "keywords")
        kept = ", ".join(f"{name} = coalesce(excluded.{name}, {name})" for name in fields)
        self._save_publications(publications, f"title = coalesce(nullif(excluded.title, ''), title), {kept}")

    def replace_publications(self, publications: Sequence[Publication]) -> None:
        """Add publications, or replace them completely."""
        fields = ("title", "abstract", "year", "doi", "times_cited", "keywords")
        self._save_publications(publications, ", ".join(f"{name} = excluded.{name}" for name in fields))

    def _save_publications(self, publications: Sequence[Publication], if_known: str) -> None:
        for start in range(0, len(publications), AT_ONCE):
            some = publications[start : start + AT_ONCE]
            self.execute(
                f"""
                INSERT INTO publications
                SELECT unnest($id::VARCHAR[]), unnest($title::VARCHAR[]), unnest($abstract::VARCHAR[]),
                       unnest($year::INTEGER[]), unnest($doi::VARCHAR[]), unnest($cited::INTEGER[]),
                       unnest($keywords::VARCHAR[][])
                ON CONFLICT (publication_id) DO UPDATE SET {if_known}
                """,
                {
                    "id": [p.publication_id for p in some],
                    "title": [p.title for p in some],
                    "abstract": [p.abstract for p in some],
                    "year": [p.year for p in some],
                    "doi": [p.doi for p in some],
                    "cited": [p.times_cited for p in some],
                    "keywords": [list(p.keywords) or None for p in some],
                },
            )

    def load_publications(self, ids: Sequence[str]) -> tuple[Publication, ...]:
        """Load these publications, in this order; unknown ones are left out."""
        found = self.rows(
            """
            SELECT p.publication_id, title, abstract, year, doi, times_cited, keywords
            FROM (SELECT unnest($ids::VARCHAR[]) AS id, unnest(range(len($ids::VARCHAR[]))) AS position) AS wanted
            JOIN publications AS p ON p.publication_id = wanted.id
            ORDER BY position
            """,
            {"ids": list(ids)},
        )
        return tuple(Publication(*(*row[:6], tuple(row[6] or ()))) for row in found)

    def known_ids(self, ids: Sequence[str]) -> Ids:
        found = self.rows(
            "SELECT publication_id FROM publications WHERE publication_id IN (SELECT unnest($ids::VARCHAR[]))",
            {"ids": list(ids)},
        )
        return tuple(i for (i,) in found)

    def headlines(self, ids: Sequence[str]) -> Headlines:
        """Load title, year and DOI, without abstracts; an unknown id has an empty title."""
        found = self.columns(
            """
            SELECT coalesce(title, '') AS title, coalesce(year, 0) AS year, coalesce(doi, '') AS doi
            FROM (SELECT unnest($ids::VARCHAR[]) AS id, unnest(range(len($ids::VARCHAR[]))) AS position) AS wanted
            LEFT JOIN publications AS p ON p.publication_id = wanted.id
            ORDER BY position
            """,
            {"ids": list(ids)},
        )
        years = np.clip(np.asarray(found["year"]), 0, 9999).astype(np.int16)
        return Headlines(tuple(found["title"].tolist()), years, tuple(found["doi"].tolist()))

    def found_by(self, topic_id: str, ids: Sequence[str]) -> tuple[Ids, npt.NDArray[np.uint8]]:
        """Return the labels of the first eight versions, and a bit mask per publication of those that retrieve it."""
        rows = [row for row in self.versions(topic_id) if row.retrieved_hash is not None][:8]
        bits = np.zeros(len(ids), dtype=np.uint8)
        for bit, row in enumerate(rows):
            retrieved = set(self.load_retrieved_ids(row.version.query_id))
            bits |= np.fromiter((i in retrieved for i in ids), dtype=np.uint8, count=len(ids)) << bit
        return tuple(row.version.label for row in rows), bits

    def save_topic(
        self,
        topic_id: str,
        core_ids: Ids,
        *,
        survey_id: str | None = None,
        made_up: bool = False,
        seen: Ids | Unseen = UNSEEN,
    ) -> None:
        """Add or replace a topic and its core publications. A topic may be saved before it has a core set.

        `seen`: the core publications before.
        """
        now = self.load_core_ids(topic_id)
        if seen is not UNSEEN or now != tuple(core_ids):
            record_change(self, topic_id, "core list", now=now, seen=seen, at=utc_now())
        core = CoreSet(topic_id, core_ids) if core_ids else None
        self.execute("DELETE FROM core_publications WHERE topic_id = ?", [topic_id])
        core_hash = content_hash(core.ids if core else ())
        self.execute(
            """
            INSERT INTO topics (topic_id, made_up, core_hash) VALUES (?, ?, ?)
            ON CONFLICT (topic_id) DO UPDATE SET made_up = excluded.made_up, core_hash = excluded.core_hash
            """,
            [topic_id, made_up, core_hash],
        )
        if core:
            self.execute(
                """
                INSERT INTO core_publications
                SELECT $topic, unnest(range(len($ids::VARCHAR[]))), unnest($ids::VARCHAR[]), $survey
                """,
                {"topic": topic_id, "ids": list(core.ids), "survey": survey_id},
            )

    def save_corpus(self, topic_id: str, ids: Sequence[str]) -> None:
        kept = unique_ids(ids)
        self.execute("DELETE FROM corpus WHERE topic_id = ?", [topic_id])
        self.execute("UPDATE topics SET corpus_hash = ? WHERE topic_id = ?", [content_hash(kept), topic_id])
        self.execute(
            "INSERT INTO corpus SELECT $topic, unnest(range(len($ids::VARCHAR[]))), unnest($ids::VARCHAR[])",
            {"topic": topic_id, "ids": list(kept)},
        )

    def corpus_ids(self, topic_id: str) -> Ids:
        """Return the topic's corpus: publications that its queries search besides the core and the retrieved ones."""
        found = self.columns("SELECT publication_id FROM corpus WHERE topic_id = ? ORDER BY position", [topic_id])
        return tuple(found["publication_id"].tolist())

    def save_true_relevance(self, topic_id: str, ids: Sequence[str]) -> None:
        self.execute("DELETE FROM true_relevance WHERE topic_id = ?", [topic_id])
        self.execute(
            "INSERT INTO true_relevance SELECT $topic, unnest($ids::VARCHAR[])",
            {"topic": topic_id, "ids": list(unique_ids(ids))},
        )

    def true_relevance(self, topic_id: str) -> frozenset[str]:
        """Return the publications that are truly relevant to a topic; empty if not known."""
        found = self.rows("SELECT publication_id FROM true_relevance WHERE topic_id = ?", [topic_id])
        return frozenset(publication_id for (publication_id,) in found)

    def topics(self) -> tuple[TopicRow, ...]:
        """Return all topics by name."""
        found = self.rows(
            """
            SELECT t.topic_id, t.made_up, count(c.publication_id)
            FROM topics AS t LEFT JOIN core_publications AS c ON c.topic_id = t.topic_id
            GROUP BY ALL ORDER BY t.topic_id
            """
        )
        return tuple(TopicRow(*row) for row in found)

    def load_core(self, topic_id: str) -> CoreSet:
        """Load the core publications of a topic; an error if it has none."""
        return CoreSet(topic_id, self.load_core_ids(topic_id))

    def load_core_ids(self, topic_id: str) -> Ids:
        """Load the ids of the core publications; empty if there are none."""
        found = self.rows(
            "SELECT publication_id FROM core_publications WHERE topic_id = ? ORDER BY position", [topic_id]
        )
        return tuple(row[0] for row in found)

    def core_hash(self, topic_id: str) -> str:
        found = self.rows("SELECT core_hash FROM topics WHERE topic_id = ?", [topic_id])
        return str(found[0][0]) if found else ""

    def topic_state(self, topic_id: str) -> str:
        """Return a key that changes whenever the topic may have a new publication or text."""
        hashes = self.rows(
            "SELECT core_hash, corpus_hash, nullif(texts, 0)::VARCHAR FROM topics WHERE topic_id = ?", [topic_id]
        )
        state = [part or "" for row in hashes for part in row if part is not None]
        return content_hash(
            [
                *state,
                *(row.retrieved_hash or "" for row in self.versions(topic_id, deleted=True) if not row.over_corpus),
            ]
        )

    # Query versions

    def save_version(
        self,
        version: QueryVersion,
        retrieved_ids: Sequence[str] | None,
        *,
        over_corpus: bool = False,
        searched: CorpusState | None = None,
    ) -> None:
        """Add a version, or replace the one with its label. None: the text is known but was not run.

        A replaced version passes on its name, date, parent and hidden state.
        """
        ids = None if retrieved_ids is None else unique_ids(retrieved_ids)
        there = {row.version.label: row for row in self.versions(version.topic_id, deleted=True)}
        before = there.get(version.label)
        if before is not None:
            self.execute("DELETE FROM retrieved WHERE query_id = ?", [before.version.query_id])
            self.execute("DELETE FROM query_versions WHERE query_id = ?", [before.version.query_id])
        kept = before.version if before is not None else version
        self.execute(
            "INSERT INTO query_versions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                version.query_id,
                version.topic_id,
                version.label,
                version.number,
                version.text,
                version.origin,
                None if ids is None else len(ids),
                None if ids is None else content_hash(ids),
                over_corpus,
                version.dialect,
                version.semantics,
                version.name or kept.name,
                version.note or kept.note,
                kept.made_at or version.made_at,
                version.parent_id or kept.parent_id,
                searched.state if searched else None,
                searched.n if searched else None,
                before.deleted_at if before is not None else None,
                before.made_by if before is not None else author() or None,
            ],
        )
        self._insert_retrieved(version.query_id, ids or ())

    def _insert_retrieved(self, query_id: str, ids: Ids) -> None:
        if ids:
            self.execute(
                """
                INSERT INTO retrieved
                SELECT $query, unnest(range(len($ids::VARCHAR[]))), unnest($ids::VARCHAR[])
                """,
                {"query": query_id, "ids": list(ids)},
            )

    def replace_retrieved(self, query_id: str, retrieved_ids: Sequence[str]) -> None:
        """Replace the publications of a version after they were filed differently; they no longer match any run."""
        ids = unique_ids(retrieved_ids)
        self.execute("DELETE FROM retrieved WHERE query_id = ?", [query_id])
        self.execute(
            "UPDATE query_versions SET n_retrieved = ?, retrieved_hash = ?, corpus_state = NULL WHERE query_id = ?",
            [len(ids), content_hash(ids), query_id],
        )
        self._insert_retrieved(query_id, ids)

    def set_version_text(self, topic_id: str, label: str, text: str) -> None:
        """Set the text of a version that was imported with its retrieved publications only."""
        self.execute(
            "UPDATE query_versions SET text = ? WHERE topic_id = ? AND label = ?", [text.strip(), topic_id, label]
        )

    def say_of_version(self, query_id: str, *, name: str | None, note: str | None, deleted_at: str | None) -> None:
        """Update the only mutable parts of a version: its author's name and note for it, and its hidden state."""
        self.execute(
            "UPDATE query_versions SET name = ?, note = ?, deleted_at = ? WHERE query_id = ?",
            [name, note, deleted_at, query_id],
        )

    def versions(self, topic_id: str | None = None, *, deleted: bool = False) -> tuple[VersionRow, ...]:
        """Return the versions of one topic, or of all, in order. `deleted`: include hidden ones."""
        found = self.rows(
            """
            SELECT query_id, topic_id, label, number, text, origin, dialect, semantics, name, note, made_at, parent_id,
                   n_retrieved, retrieved_hash, over_corpus, corpus_state, n_searched, deleted_at, made_by
            FROM query_versions WHERE ($topic IS NULL OR topic_id = $topic) AND ($deleted OR deleted_at IS NULL)
            ORDER BY topic_id, number
            """,
            {"topic": topic_id, "deleted": deleted},
        )
        return tuple(VersionRow(QueryVersion(*row[:12]), *row[12:]) for row in found)

    def load_retrieved_ids(self, query_id: str) -> Ids:
        """Load the publications that a version returned, in the given order."""
        found = self.columns("SELECT publication_id FROM retrieved WHERE query_id = ? ORDER BY position", [query_id])
        return tuple(found["publication_id"].tolist())

    def topic_publication_ids(self, topic_id: str) -> Ids:
        """Return the core publications, then all retrieved by any version, then the rest of the corpus, each once."""
        found = self.rows(
            """
            SELECT publication_id FROM (
                SELECT publication_id, 0 AS number, position FROM core_publications WHERE topic_id = $topic
                UNION ALL
                SELECT publication_id, v.number, position
                FROM retrieved JOIN query_versions AS v USING (query_id) WHERE v.topic_id = $topic
                UNION ALL
                SELECT publication_id, $last, position FROM corpus WHERE topic_id = $topic
            )
            GROUP BY publication_id ORDER BY min((number, position))
            """,
            {"topic": topic_id, "last": AFTER_VERSIONS},
        )
        return tuple(row[0] for row in found)

    def searchable_ids(self, topic_id: str) -> Ids:
        """Return the publications that a query can find: all except those that only a person's core list contains."""
        only_listed = {publication_id for (publication_id,) in self.rows(ONLY_LISTED, {"topic": topic_id})}
        return tuple(i for i in self.topic_publication_ids(topic_id) if i not in only_listed)

    # Slow results

    def remember(self, key: str, kind: str, document: str, arrays: bytes | None) -> None:
        """Cache a result under a key of everything it depends on. One statement: it needs no transaction."""
        self.execute("INSERT OR REPLACE INTO remembered VALUES (?, ?, ?, ?)", [key, kind, document, arrays])

    def recall(self, key: str) -> tuple[str, bytes | None] | None:
        found = self.rows("SELECT document::VARCHAR, arrays FROM remembered WHERE key = ?", [key])
        return (found[0][0], found[0][1]) if found else None
