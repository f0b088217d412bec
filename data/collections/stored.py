"""Collections in the store: documents, queries and judgments under a name that people type."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from itertools import chain, islice
from typing import Any

from core.errors import InputError, NotFoundError
from core.ranking.check import Collection, Document, Judgment, Oddity, Query
from core.types import Ids
from data.clock import Clock, utc_now
from data.collections.runs import delete_runs_of
from data.store import AT_ONCE, Store, content_hash

MOST_CHARACTERS = 80
"""Of a name."""
TOPIC_PREFIX = "topic:"
"""Begins what is no name of a collection: a topic of the workspace."""
LARGEST = 2**63 - 1
TABLES = ("collection_documents", "collection_queries", "collection_judgments")


@dataclass(frozen=True, slots=True)
class CollectionRow:
    """A collection as a list shows it."""

    name: str
    made_up: bool
    n_documents: int
    n_queries: int
    n_judgments: int
    n_judged_queries: int
    """Queries of the collection with a judgment above 0."""
    splits: Ids
    labels: Ids
    """Names of what is said of its queries."""
    origin: str
    """Where it came from, in words."""
    notes: tuple[str, ...]
    key: str
    """Changes with its documents and queries."""


@dataclass(frozen=True, slots=True)
class Report:
    """What was noted when a collection was brought in."""

    notes: tuple[str, ...]
    oddities: tuple[Oddity, ...]
    key: str
    """Changes with its documents and queries."""


def run_key(collection: Collection) -> str:
    """Changes with what a run depends on: documents and queries. Judgments don't belong to it."""
    texts = chain.from_iterable((query.query_id, query.text) for query in collection.queries)
    return content_hash([documents_key(collection.documents), *texts])


def checked_name(name: str, of: str = "collection") -> str:
    """A name without spaces around it, if it is one that can be typed and found again. `of`: what bears it."""
    plain = name.strip()
    fits = plain.isprintable() and 0 < len(plain) <= MOST_CHARACTERS and not set(plain) & {"/", "\\"}
    if not fits or plain.startswith(TOPIC_PREFIX) or not plain.strip("."):
        raise InputError(
            f"\"{_visible(plain)}\" can't be a {of}'s name: give it one of up to {MOST_CHARACTERS} printable "
            f'characters, without a slash, and not beginning with "{TOPIC_PREFIX}"'
        )
    return plain


def _visible(name: str) -> str:
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in name[:MOST_CHARACTERS])


# Saving


def save_collection(
    store: Store,
    collection: Collection,
    *,
    origin: str,
    notes: Sequence[str] = (),
    oddities: Sequence[Oddity] = (),
    replace: bool = False,
    clock: Clock = utc_now,
) -> CollectionRow:
    """Keep a collection, all of it or nothing. `replace`: in the place of one of the same name, if there is one.

    Runs over the one before stay where documents and queries are the same; else they go with it.
    """
    name, sound = checked_name(collection.name), _sound_collection(collection)
    key = run_key(sound)
    labels = sorted({label for query in sound.queries for label, _ in query.labels})
    report = {"notes": list(notes), "oddities": [asdict(oddity) for oddity in oddities], "labels": labels}
    splits = {split: list(ids) for split, ids in sound.splits.items()}
    with store.transaction():
        before = store.rows("SELECT content_key FROM collections WHERE name = ?", [name])
        if before and not replace:
            raise InputError(
                f'there is a collection "{name}" already: give this one another name (--name), or '
                "replace that one (--replace)"
            )
        if before and before[0][0] != key:
            delete_runs_of(store, name)
        _clear(store, name)
        store.execute(
            "INSERT OR REPLACE INTO collections VALUES (?, ?, ?, ?, ?, ?, ?)",
            [name, sound.made_up, origin, key, json.dumps(splits), json.dumps(report), clock()],
        )
        _insert(store, name, sound)
    return find_collection(store, name)


def _clear(store: Store, name: str) -> None:
    for table in TABLES:
        store.execute(f"DELETE FROM {table} WHERE collection = ?", [name])


def _insert(store: Store, name: str, collection: Collection) -> None:
    documents = ((d.doc_id, d.title, d.text) for d in collection.documents)
    _insert_rows(store, "collection_documents", name, documents, ("VARCHAR", "VARCHAR", "VARCHAR"))
    queries = ((q.query_id, q.text, json.dumps(q.labels)) for q in collection.queries)
    _insert_rows(store, "collection_queries", name, queries, ("VARCHAR", "VARCHAR", "VARCHAR"))
    judgments = ((j.query_id, j.doc_id, j.relevance) for j in collection.judgments)
    _insert_rows(store, "collection_judgments", name, judgments, ("VARCHAR", "VARCHAR", "BIGINT"))


def _insert_rows(
    store: Store, table: str, name: str, rows: Iterable[tuple[Any, ...]], types: tuple[str, str, str]
) -> None:
    """In parts, so that the memory is bounded."""
    a, b, c = types
    statement = f"""
        INSERT INTO {table}
        SELECT $name, unnest(range($start::BIGINT, $stop::BIGINT)), unnest($a::{a}[]), unnest($b::{b}[]),
               unnest($c::{c}[])
    """
    for start, part in _parts(rows):
        columns = [list(column) for column in zip(*part, strict=True)]
        store.execute(
            statement,
            {"name": name, "start": start, "stop": start + len(part), **dict(zip("abc", columns, strict=True))},
        )


def _parts(rows: Iterable[tuple[Any, ...]]) -> Iterator[tuple[int, list[tuple[Any, ...]]]]:
    """Some rows at a time, with the number of the first."""
    left, start = iter(rows), 0
    while part := list(islice(left, AT_ONCE)):
        yield start, part
        start += len(part)


def _sound_collection(collection: Collection) -> Collection:
    """Every text in an encoding that the store knows: half a character becomes a visible sign."""
    odd = [j for j in collection.judgments if not -LARGEST <= j.relevance <= LARGEST]
    if odd:
        raise InputError(f"the relevance of {odd[0].doc_id} to {odd[0].query_id} is too large a number to keep")
    return Collection(
        collection.name,
        tuple(_sound_document(document) for document in collection.documents),
        tuple(
            Query(_sound(q.query_id), _sound(q.text), tuple((_sound(n), _sound(v)) for n, v in q.labels))
            for q in collection.queries
        ),
        tuple(
            Judgment(_sound(judgment.query_id), _sound(judgment.doc_id), judgment.relevance)
            for judgment in collection.judgments
        ),
        {_sound(split): tuple(map(_sound, ids)) for split, ids in collection.splits.items()},
        collection.made_up,
    )


def _sound_document(document: Document) -> Document:
    parts = (document.doc_id, document.title, document.text)
    whole = tuple(map(_sound, parts))
    return document if whole == parts else Document(*whole)


def _sound(text: str) -> str:
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


# Loading

ROWS = """
    SELECT c.name, c.made_up, d.n, q.n, j.n, j.n_judged, c.splits::VARCHAR, c.report::VARCHAR, c.origin, c.content_key
    FROM collections AS c,
        LATERAL (SELECT count(*) AS n FROM collection_documents WHERE collection = c.name) AS d,
        LATERAL (SELECT count(*) AS n FROM collection_queries WHERE collection = c.name) AS q,
        LATERAL (
            SELECT count(*) AS n, count(DISTINCT j.query_id) FILTER (
                relevance > 0 AND q.query_id IS NOT NULL
            ) AS n_judged
            FROM collection_judgments AS j
            LEFT JOIN collection_queries AS q ON q.collection = j.collection AND q.query_id = j.query_id
            WHERE j.collection = c.name
        ) AS j
    WHERE $name IS NULL OR c.name = $name
    ORDER BY c.name
"""


def list_collections(store: Store) -> tuple[CollectionRow, ...]:
    """Every collection that is kept, by name."""
    return _collection_rows(store, None)


def find_collection(store: Store, name: str) -> CollectionRow:
    """One collection as a list shows it."""
    found = _collection_rows(store, name)
    if not found:
        raise not_found(store, name)
    return found[0]


def _collection_rows(store: Store, name: str | None) -> tuple[CollectionRow, ...]:
    rows = []
    for *front, splits, report, origin, key in store.rows(ROWS, {"name": name}):
        said = json.loads(report)
        parts = (tuple(json.loads(splits)), tuple(said["labels"]), origin, tuple(said["notes"]), key)
        rows.append(CollectionRow(*(*front, *parts)))
    return tuple(rows)


def is_stored(store: Store, name: str) -> bool:
    """Whether there is a collection of this name."""
    return bool(store.rows("SELECT 1 FROM collections WHERE name = ?", [name]))


NONE_YET = "there is none yet (python -m dashboard demo makes one up)"


def not_found(store: Store, name: str) -> NotFoundError:
    """Says what there is, and how more comes in."""
    there = [row for (row,) in store.rows("SELECT name FROM collections ORDER BY name")]
    has = f"there is {', '.join(there[:20])}{' and more' if len(there) > 20 else ''}" if there else NONE_YET
    return NotFoundError(
        f'no collection "{_visible(name)}"; {has}. Give a name, {TOPIC_PREFIX}TOPIC, or a folder, or bring one in: '
        "python -m dashboard get collection --from FOLDER"
    )


def load_collection(store: Store, name: str) -> Collection:
    """A collection with all its documents."""
    found = store.rows("SELECT name, made_up, splits::VARCHAR FROM collections WHERE name = ?", [name])
    if not found:
        raise not_found(store, name)
    _, made_up, splits = found[0]
    queries = _ordered(store, "query_id, text, labels::VARCHAR", "collection_queries", name)
    judgments = _ordered(store, "query_id, doc_id, relevance", "collection_judgments", name)
    return Collection(
        name,
        load_documents(store, name),
        tuple(Query(query_id, text, _labels(labels)) for query_id, text, labels in queries),
        tuple(Judgment(*row) for row in judgments),
        {split: tuple(ids) for split, ids in json.loads(splits).items()},
        made_up,
    )


def load_documents(store: Store, name: str) -> tuple[Document, ...]:
    """The documents of a collection in their order; none where there is no such collection."""
    return tuple(Document(*row) for row in _ordered(store, "doc_id, title, text", "collection_documents", name))


def load_report(store: Store, name: str) -> Report:
    """What was noted, and what the checker said, when the collection came."""
    found = store.rows("SELECT report::VARCHAR, content_key FROM collections WHERE name = ?", [name])
    if not found:
        raise not_found(store, name)
    said, key = json.loads(found[0][0]), found[0][1]
    oddities = (Oddity(**{**entry, "examples": tuple(entry["examples"])}) for entry in said["oddities"])
    return Report(tuple(said["notes"]), tuple(oddities), key)


def _labels(document: str) -> tuple[tuple[str, str], ...]:
    return tuple((name, value) for name, value in json.loads(document))


def _ordered(store: Store, columns: str, table: str, name: str) -> Iterator[tuple[Any, ...]]:
    """Rows in their order, some at a time: what is handed on is not held here too."""
    (n,) = store.rows(f"SELECT coalesce(max(position) + 1, 0) FROM {table} WHERE collection = ?", [name])[0]
    for start in range(0, n, AT_ONCE):
        yield from store.rows(
            f"SELECT {columns} FROM {table} WHERE collection = ? AND position >= ? AND position < ? ORDER BY position",
            [name, start, start + AT_ONCE],
        )


def delete_collection(store: Store, name: str) -> None:
    """The collection and all runs over it."""
    if not is_stored(store, name):
        raise not_found(store, name)
    with store.transaction():
        delete_runs_of(store, name)
        _clear(store, name)
        store.execute("DELETE FROM collections WHERE name = ?", [name])


def documents_key(documents: Sequence[Document]) -> str:
    """A short name for these documents in this order."""
    digest = sha256()
    for document in documents:
        parts = [part.encode(errors="surrogatepass") for part in (document.doc_id, document.title, document.text)]
        # With their lengths, so that a text moved from one part to the next is another document.
        digest.update(b"%d %d %d\0" % tuple(map(len, parts)))
        digest.update(b"".join(parts))
    return digest.hexdigest()[:20]
