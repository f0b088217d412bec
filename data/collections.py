"""Store collections (documents, queries, judgments) and the runs of retrievers over them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from itertools import chain, islice
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from core.collections import Collection, Document, Judgment, Oddity, Query, Run
from core.errors import CorruptStoreError, InputError, MisalignedError, NotFoundError
from core.types import Floats, Ids
from data.access import check_allowed
from data.memory import Arrays, ids_bytes, ids_in, packed, unpacked
from data.store import AT_ONCE, Clock, Store, content_hash, sound, utc_now

# A stored run: the answers of one retriever, and their timing.

WHOLE = "all"
"""The stage for the whole answer."""


class Latency(NamedTuple):
    """Milliseconds per query."""

    p50: float
    """Median."""
    p95: float
    """95th percentile."""


def latency(ms: Floats) -> Latency | None:
    """Compute percentiles over the timed queries; None if none was timed.

    >>> latency(np.array([1.0, np.nan, 3.0]))
    Latency(p50=2.0, p95=2.9)
    """
    timed = ms[np.isfinite(ms)]
    return Latency(*map(float, np.percentile(timed, [50, 95]))) if len(timed) else None


@dataclass(frozen=True, eq=False)
class SavedRun:
    run_id: str
    """Identifies the documents, the queries, the retriever with its settings, and the depth."""
    collection: str
    split: str | None
    spec_text: str
    """In the syntax of `read_spec`; empty for a run from a file."""
    label: str
    run: Run
    """The answers to the finished queries."""
    n_queries: int
    """Number of queries in the split; a cancelled run has answered fewer."""
    stages_ms: Mapping[str, Floats]
    """Milliseconds per finished query, by stage, and "all" for the whole answer; NaN: not timed."""
    index_seconds: float | None
    index_bytes: int | None
    n_failed: int
    """Number of candidates that a stage could not score, over all queries."""
    notes: tuple[str, ...]
    made_at: str

    @property
    def is_complete(self) -> bool:
        return len(self.run) == self.n_queries

    def has_stage(self, stage: str, query_id: str) -> bool:
        place = self.run.place_of.get(query_id)
        return place is not None and stage in self.stages_ms and bool(np.isfinite(self.stages_ms[stage][place]))


# Runs of retrievers in the store. A run in progress is saved repeatedly, each time completely.


@dataclass(frozen=True, slots=True)
class RunRow:
    """A run in a list, without its rankings."""

    run_id: str
    collection: str
    split: str | None
    spec_text: str
    """Empty for a run from a file."""
    label: str
    n_queries: int
    n_done: int
    index_seconds: float | None
    index_bytes: int | None
    n_failed: int
    notes: tuple[str, ...]
    made_at: str

    @property
    def is_complete(self) -> bool:
        return self.n_done == self.n_queries


FIELDS = "run_id, collection, split, spec_text, label, n_queries, n_done, index_seconds, index_bytes, n_failed"


# Saving


def save_run(store: Store, saved: SavedRun, *, unless_longer: bool = False) -> None:
    """Save a run, replacing the one with its id; with `unless_longer`, not one that has more answered queries."""
    arrays = _pack(saved)
    with store.transaction():
        if unless_longer and store.rows(
            "SELECT 1 FROM runs WHERE run_id = ? AND n_done > ?", [saved.run_id, len(saved.run)]
        ):
            return
        store.execute(
            "INSERT OR REPLACE INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                saved.run_id,
                saved.collection,
                saved.split,
                saved.spec_text,
                saved.label,
                _save_doc_ids(store, saved),
                saved.n_queries,
                len(saved.run),
                saved.index_seconds,
                saved.index_bytes,
                saved.n_failed,
                json.dumps(list(saved.notes)),
                saved.made_at,
                arrays,
            ],
        )


def _save_doc_ids(store: Store, saved: SavedRun) -> str:
    """Store the ids of the run's documents once for all runs over them; return their key."""
    doc_ids = saved.run.doc_ids
    key = content_hash(doc_ids)
    if not store.rows("SELECT 1 FROM run_documents WHERE documents_key = ?", [key]):
        store.execute("INSERT INTO run_documents VALUES (?, ?, ?)", [key, len(doc_ids), ids_bytes(doc_ids)])
    return key


def _pack(saved: SavedRun) -> bytes:
    """Pack rankings and times. Numbers use fewer bytes if that loses nothing."""
    run = saved.run
    names = list(saved.stages_ms)
    for name, times in saved.stages_ms.items():
        if len(times) != len(run):
            raise MisalignedError(f'{len(run)} queries are done but "{name}" was timed for {len(times)}')
    arrays: Arrays = {
        "query_ids": np.frombuffer(ids_bytes(run.query_ids), dtype=np.uint8),
        "name": np.frombuffer(ids_bytes((run.name,)), dtype=np.uint8),
        "stages": np.frombuffer(ids_bytes(tuple(names)), dtype=np.uint8),
        "starts": np.asarray(run.starts, dtype=np.int64),
        "rows": np.asarray(run.rows, dtype=np.int32 if len(run.doc_ids) < 2**31 else np.int64),
        "scores": _narrowed(run.scores),
    }
    for number, name in enumerate(names):
        arrays[f"stage_{number}"] = np.asarray(saved.stages_ms[name], dtype=np.float64)
    return packed(arrays)


def _narrowed(scores: npt.ArrayLike) -> npt.NDArray[Any]:
    """Convert scores to float32 if that is exact."""
    wide = np.asarray(scores, dtype=np.float64)
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        narrow = wide.astype(np.float32)
    return narrow if np.array_equal(narrow.astype(np.float64), wide, equal_nan=True) else wide


# Loading


def load_run(store: Store, run_id: str, doc_ids: Ids | None = None) -> SavedRun | None:
    """Load a run with its rankings; None if there is none.

    `doc_ids`: the ids of the collection, if already loaded. A run over the same documents reuses them, so that many
    runs share them in memory.
    """
    found = store.rows(f"SELECT {FIELDS}, notes::VARCHAR, made_at, arrays FROM runs WHERE run_id = ?", [run_id])
    if not found:
        return None
    row, arrays = _row(found[0][:-1]), unpacked(found[0][-1])
    over = _load_doc_ids(store, run_id, doc_ids)
    (name,), query_ids, stages = (ids_in(arrays[part].tobytes()) for part in ("name", "query_ids", "stages"))
    scores = arrays["scores"].astype(np.float64)
    run = Run(name, query_ids, over, arrays["starts"], arrays["rows"].astype(np.int64), scores)
    return SavedRun(
        run_id=row.run_id,
        collection=row.collection,
        split=row.split,
        spec_text=row.spec_text,
        label=row.label,
        run=run,
        n_queries=row.n_queries,
        stages_ms={name: arrays[f"stage_{number}"] for number, name in enumerate(stages)},
        index_seconds=row.index_seconds,
        index_bytes=row.index_bytes,
        n_failed=row.n_failed,
        notes=row.notes,
        made_at=row.made_at,
    )


def _load_doc_ids(store: Store, run_id: str, at_hand: Ids | None) -> Ids:
    (key,) = store.rows("SELECT documents_key FROM runs WHERE run_id = ?", [run_id])[0]
    if at_hand is not None and content_hash(at_hand) == key:
        return at_hand
    found = store.rows("SELECT ids FROM run_documents WHERE documents_key = ?", [key])
    if not found:
        raise CorruptStoreError(f"{store.path} no longer has the documents of a run: run it again")
    return ids_in(found[0][0])


def list_runs(store: Store, collection_name: str, split: str | None) -> tuple[RunRow, ...]:
    """Return the runs over a split, or over the whole collection without one; oldest first."""
    found = store.rows(
        f"""
        SELECT {FIELDS}, notes::VARCHAR, made_at FROM runs
        WHERE collection = $collection AND split IS NOT DISTINCT FROM $split ORDER BY made_at, run_id
        """,
        {"collection": collection_name, "split": split},
    )
    return tuple(_row(row) for row in found)


def _row(row: tuple[Any, ...]) -> RunRow:
    *front, notes, made_at = row
    return RunRow(*(*front, tuple(json.loads(notes)), made_at))


# Deleting


def delete_run(store: Store, run_id: str) -> None:
    """Delete a run, if it exists."""
    check_allowed("delete")
    with store.transaction():
        store.execute("DELETE FROM runs WHERE run_id = ?", [run_id])
        _forget_documents(store)


def delete_runs_of(store: Store, collection_name: str) -> None:
    """Delete every run over a collection; the caller holds the transaction."""
    check_allowed("delete")
    store.execute("DELETE FROM runs WHERE collection = ?", [collection_name])
    _forget_documents(store)


def _forget_documents(store: Store) -> None:
    store.execute("DELETE FROM run_documents WHERE documents_key NOT IN (SELECT documents_key FROM runs)")


# Collections in the store: documents, queries and judgments under a name that people type.

MOST_CHARACTERS = 80
"""Maximum length of a name."""
TOPIC_PREFIX = "topic:"
"""Prefix of a topic of the workspace; no collection's name may begin with it."""
LARGEST = 2**63 - 1
TABLES = ("collection_documents", "collection_queries", "collection_judgments")


@dataclass(frozen=True, slots=True)
class CollectionRow:
    name: str
    made_up: bool
    n_documents: int
    n_queries: int
    n_judgments: int
    n_judged_queries: int
    """Number of queries of the collection with a judgment above 0."""
    splits: Ids
    labels: Ids
    """Names of the labels of its queries."""
    origin: str
    """Origin, in words."""
    notes: tuple[str, ...]
    key: str
    """Changes with its documents and queries."""


@dataclass(frozen=True, slots=True)
class CollectionReport:
    notes: tuple[str, ...]
    oddities: tuple[Oddity, ...]
    key: str
    """Changes with its documents and queries."""


def run_key(collection: Collection) -> str:
    """Return a key of everything that a run depends on: documents and queries, but not judgments."""
    texts = chain.from_iterable((query.query_id, query.text) for query in collection.queries)
    return content_hash([documents_key(collection.documents), *texts])


def checked_name(name: str, of: str = "collection") -> str:
    """Strip a name and check that it can be typed and found again. `of`: the kind of thing that has the name."""
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
    """Save a collection, all of it or nothing. `replace`: overwrite one of the same name, if there is one.

    Runs over the previous collection stay if documents and queries are the same; otherwise they are deleted.
    """
    name, collection = checked_name(collection.name), _sound_collection(collection)
    key = run_key(collection)
    labels = sorted({label for query in collection.queries for label, _ in query.labels})
    report = {"notes": list(notes), "oddities": [asdict(oddity) for oddity in oddities], "labels": labels}
    splits = {split: list(ids) for split, ids in collection.splits.items()}
    with store.transaction():
        before = store.rows("SELECT content_key FROM collections WHERE name = ?", [name])
        if before and not replace:
            raise InputError(
                f'collection "{name}" already exists: choose another name (--name) or overwrite it (--replace)'
            )
        if before and before[0][0] != key:
            delete_runs_of(store, name)
        _clear(store, name)
        store.execute(
            "INSERT OR REPLACE INTO collections VALUES (?, ?, ?, ?, ?, ?, ?)",
            [name, collection.made_up, origin, key, json.dumps(splits), json.dumps(report), clock()],
        )
        _insert(store, name, collection)
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
    """Insert rows in batches, to limit memory."""
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
    left, start = iter(rows), 0
    while part := list(islice(left, AT_ONCE)):
        yield start, part
        start += len(part)


def _sound_collection(collection: Collection) -> Collection:
    """Make every text valid for the store's encoding: a lone surrogate becomes a visible character."""
    odd = [j for j in collection.judgments if not -LARGEST <= j.relevance <= LARGEST]
    if odd:
        raise InputError(f"the relevance of {odd[0].doc_id} to {odd[0].query_id} is too large")
    return Collection(
        collection.name,
        tuple(_sound_document(document) for document in collection.documents),
        tuple(
            Query(sound(q.query_id), sound(q.text), tuple((sound(n), sound(v)) for n, v in q.labels))
            for q in collection.queries
        ),
        tuple(
            Judgment(sound(judgment.query_id), sound(judgment.doc_id), judgment.relevance)
            for judgment in collection.judgments
        ),
        {sound(split): tuple(map(sound, ids)) for split, ids in collection.splits.items()},
        collection.made_up,
    )


def _sound_document(document: Document) -> Document:
    parts = (document.doc_id, document.title, document.text)
    whole = tuple(map(sound, parts))
    return document if whole == parts else Document(*whole)


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
    """Return all stored collections, by name."""
    return _collection_rows(store, None)


def find_collection(store: Store, name: str) -> CollectionRow:
    found = _collection_rows(store, name)
    if not found:
        raise not_found(store, name)
    return found[0]


def _collection_rows(store: Store, name: str | None) -> tuple[CollectionRow, ...]:
    rows = []
    for *front, splits, report, origin, key in store.rows(ROWS, {"name": name}):
        document = json.loads(report)
        parts = (tuple(json.loads(splits)), tuple(document["labels"]), origin, tuple(document["notes"]), key)
        rows.append(CollectionRow(*(*front, *parts)))
    return tuple(rows)


def is_stored(store: Store, name: str) -> bool:
    return bool(store.rows("SELECT 1 FROM collections WHERE name = ?", [name]))


NONE_YET = "none yet (queryscape demo creates demo collections)"


def not_found(store: Store, name: str) -> NotFoundError:
    there = [row for (row,) in store.rows("SELECT name FROM collections ORDER BY name")]
    has = f"available: {', '.join(there[:20])}{' and more' if len(there) > 20 else ''}" if there else NONE_YET
    return NotFoundError(
        f'no collection "{_visible(name)}"; {has}. Give a name, {TOPIC_PREFIX}TOPIC or a folder, or import one: '
        "queryscape get collection --from FOLDER"
    )


def load_collection(store: Store, name: str) -> Collection:
    found = store.rows("SELECT name, made_up, splits::VARCHAR FROM collections WHERE name = ?", [name])
    if not found:
        raise not_found(store, name)
    _, made_up, splits = found[0]
    judgments = _ordered(store, "query_id, doc_id, relevance", "collection_judgments", name)
    return Collection(
        name,
        load_documents(store, name),
        load_queries(store, name),
        tuple(Judgment(*row) for row in judgments),
        {split: tuple(ids) for split, ids in json.loads(splits).items()},
        made_up,
    )


def load_queries(store: Store, name: str) -> tuple[Query, ...]:
    """Load the queries of a collection in their order; empty if there is no such collection."""
    rows = _ordered(store, "query_id, text, labels::VARCHAR", "collection_queries", name)
    return tuple(
        Query(query_id, text, tuple((label, value) for label, value in json.loads(labels)))
        for query_id, text, labels in rows
    )


def load_documents(store: Store, name: str) -> tuple[Document, ...]:
    """Load the documents of a collection in their order; empty if there is no such collection."""
    return tuple(Document(*row) for row in _ordered(store, "doc_id, title, text", "collection_documents", name))


def load_report(store: Store, name: str) -> CollectionReport:
    found = store.rows("SELECT report::VARCHAR, content_key FROM collections WHERE name = ?", [name])
    if not found:
        raise not_found(store, name)
    document, key = json.loads(found[0][0]), found[0][1]
    oddities = (Oddity(**{**entry, "examples": tuple(entry["examples"])}) for entry in document["oddities"])
    return CollectionReport(tuple(document["notes"]), tuple(oddities), key)


def _ordered(store: Store, columns: str, table: str, name: str) -> Iterator[tuple[Any, ...]]:
    (n,) = store.rows(f"SELECT coalesce(max(position) + 1, 0) FROM {table} WHERE collection = ?", [name])[0]
    for start in range(0, n, AT_ONCE):
        yield from store.rows(
            f"SELECT {columns} FROM {table} WHERE collection = ? AND position >= ? AND position < ? ORDER BY position",
            [name, start, start + AT_ONCE],
        )


def delete_collection(store: Store, name: str) -> None:
    """Delete a collection and all runs over it."""
    check_allowed("delete")
    if not is_stored(store, name):
        raise not_found(store, name)
    with store.transaction():
        delete_runs_of(store, name)
        _clear(store, name)
        store.execute("DELETE FROM collections WHERE name = ?", [name])


def documents_key(documents: Sequence[Document]) -> str:
    """Return a short key for these documents in this order."""
    digest = sha256()
    for document in documents:
        parts = [part.encode(errors="surrogatepass") for part in (document.doc_id, document.title, document.text)]
        # With lengths, so that text moved from one part to the next gives another key.
        digest.update(b"%d %d %d\0" % tuple(map(len, parts)))
        digest.update(b"".join(parts))
    return digest.hexdigest()[:20]
