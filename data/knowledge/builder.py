"""Build the file of a knowledge base from entities and relations."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import duckdb
import numpy as np
import numpy.typing as npt

from core.errors import FormatError, InputError, MisalignedError, StoreError
from core.knowledge.entities import Rows
from core.protocols import OnStage, silent
from core.types import Ids
from data.database import NO_ROOM
from data.files import disk_full
from data.importers.collection_parts import clean_text
from data.store import content_hash


@dataclass(frozen=True, eq=False)
class EntityPart:
    """A batch of entities, aligned. Positions are counted across all batches, from 0."""

    ids: Sequence[str]
    types: Sequence[str]
    titles: Sequence[str]
    texts: Sequence[str]
    attributes: Sequence[str]
    """Pairs of name and value as a JSON list; empty: none."""

    def __post_init__(self) -> None:
        lengths = {len(self.ids), len(self.types), len(self.titles), len(self.texts), len(self.attributes)}
        if len(lengths) != 1:
            raise MisalignedError(f"a part of entities has columns of {sorted(lengths)} rows")


@dataclass(frozen=True, eq=False)
class RelationPart:
    name: str
    sources: Rows
    targets: Rows

    def __post_init__(self) -> None:
        if len(self.sources) != len(self.targets):
            raise MisalignedError(f"{len(self.sources)} sources but {len(self.targets)} targets")


@dataclass(eq=False)
class KnowledgeBaseParts:
    """A knowledge base as a loader reads it. Entities are consumed first, then relations; each once."""

    entities: Iterable[EntityPart]
    relations: Iterable[RelationPart]
    answer_types: Ids = ()
    """Types that questions ask for; empty: all."""
    templates: str = ""
    """The set of templates for it: "mag", "amazon", "prime", "openalex", or empty."""
    made_up: bool = False
    notes: list[str] = field(default_factory=list)
    """Notes for users; a loader adds to them while it reads."""


def content_key(parts: KnowledgeBaseParts) -> str:
    """Return a key that is the same for the same content; for parts that can be consumed more than once."""
    columns = [
        column for part in parts.entities for column in (part.ids, part.types, part.titles, part.texts, part.attributes)
    ]
    ends = [(part.name, part.sources.tobytes().hex(), part.targets.tobytes().hex()) for part in parts.relations]
    texts = [*parts.answer_types, parts.templates, str(parts.made_up), *parts.notes]
    return content_hash(["\x1f".join(each) for each in (*columns, *ends, texts)])


# Read the next batch while the previous one is written.

T = TypeVar("T")


def ahead(parts: Iterable[T]) -> Iterator[T]:
    """Yield all items in order, each prepared in another thread in advance."""
    reading = iter(parts)
    with ThreadPoolExecutor(1, thread_name_prefix="reading ahead") as thread:
        waiting = thread.submit(lambda: next(reading, None))
        while (part := waiting.result()) is not None:
            waiting = thread.submit(lambda: next(reading, None))
            yield part


# Sorted relations: three numbers packed into one, so that sorting relations is sorting numbers.

Packed = npt.NDArray[np.uint64]
"""Relation (8 bits), one end (28 bits), other end (28 bits)."""
BITS = np.uint64(28)
_END = np.uint64(2**28 - 1)
_ENDS = np.uint64(2**56 - 1)
_BOTH = np.uint64(56)


def pack(relation: int, sources: Rows, targets: Rows) -> Packed:
    return (np.uint64(relation) << _BOTH) | (sources.astype(np.uint64) << BITS) | targets.astype(np.uint64)


def unpacked(packed: Packed) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Unpack relation, one end and the other."""
    ends = ((packed >> BITS) & _END).astype(np.int32), (packed & _END).astype(np.int32)
    return (packed >> _BOTH).astype(np.uint8), *ends


def forward_sorted(parts: Sequence[Packed]) -> Packed:
    """Sort by relation, source and target, and drop duplicates."""
    whole = np.concatenate([np.zeros(0, np.uint64), *parts])
    whole.sort()
    differs = np.ones(len(whole), dtype=bool)
    np.not_equal(whole[1:], whole[:-1], out=differs[1:])
    return whole[differs]


def reverse_sorted(forward: Packed) -> Packed:
    """Sort the same relations by relation, target and source."""
    turned = np.bitwise_and(forward, _END) << BITS
    turned |= np.bitwise_and(forward >> BITS, _END)
    turned |= np.bitwise_and(forward, ~_ENDS)
    turned.sort()
    return turned


# The connection for writing a knowledge base: limited memory, and foreign errors translated to ours.

MEMORY = "1500MB"
"""DuckDB's memory limit; beyond it, DuckDB writes temporary files."""
Columns = dict[str, npt.NDArray[Any]]


@contextmanager
def written(file: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    try:
        with duckdb.connect(str(file), config={"autoinstall_known_extensions": False}) as connection:
            connection.execute("SET enable_progress_bar = false")
            connection.execute(f"SET memory_limit = '{MEMORY}'")
            connection.execute("SET temp_directory = $1", [str(file.with_suffix(".tmp"))])
            with suppress(duckdb.Error):  # half the size of the default, and faster; not in every version of DuckDB
                connection.execute("SET force_compression = 'zstd'")
            yield connection
    except duckdb.Error as e:
        text = str(e).lower()
        if any(sign in text for sign in NO_ROOM):
            raise disk_full(file.parent) from e
        line = (str(e).strip().splitlines() or [type(e).__name__])[0][:200]
        raise StoreError(f"can't write {file.parent} ({line}): check its permissions and free space") from e


def insert(connection: duckdb.DuckDBPyConnection, table: str, columns: Columns) -> None:
    connection.register("incoming", columns)
    try:
        connection.execute(f"INSERT INTO {table} SELECT * FROM incoming")
    finally:
        with suppress(duckdb.Error):  # after an error the transaction is over
            connection.unregister("incoming")


def texts(values: Sequence[str]) -> npt.NDArray[Any]:
    """Convert texts for DuckDB: without lone surrogates."""
    try:
        "".join(values).encode()
    except UnicodeEncodeError:
        values = [clean_text(text) for text in values]
    column = np.empty(len(values), dtype=object)
    column[:] = values
    return column


# Build the file of a knowledge base: entities by type, relations sorted forward and reverse.

LAYOUT = 1
SCHEMA = Path(__file__).with_name("layout.sql")
MOST_RELATION_NAMES = 255
MOST_TYPES = 1_000
MOST_ENTITIES = 2**28
AT_ONCE = 2_000_000
"""Number of relations that are passed to DuckDB at a time."""
SHOWN = 3
TABLES = {"forward": ("relation", "source", "target"), "reverse": ("relation", "target", "source")}


@dataclass(frozen=True, slots=True)
class BuildReport:
    n_entities: int
    n_relations: int
    n_dangling: int
    """Number of relations from or to a missing entity."""
    n_twice: int
    """Number of repeated relations."""
    n_same_id: int = 0
    """Number of entities with the id of an earlier one."""


def build(
    file: Path, name: str, parts: KnowledgeBaseParts, about: Mapping[str, Any], on_stage: OnStage = silent
) -> BuildReport:
    """Write a new file; the caller moves it into place. Everything left out is counted."""
    with written(file) as connection:
        connection.begin()  # rows are compressed once, not again with every batch
        connection.execute(SCHEMA.read_text(encoding="utf-8"))
        on_stage("reading entities")
        type_of, types = _write_entities(connection, parts.entities)
        if not len(type_of):
            raise FormatError(f'"{name}" has no entities')
        connection.commit()
        connection.begin()
        on_stage("sorting entities")
        first_of, same = _same_ids(connection, len(type_of))
        row_of = _sort_entities(connection, type_of, first_of)
        n_entities = _write_types(connection, types, type_of[first_of < 0], parts.answer_types)
        on_stage("reading relations")
        packed, n_given = _relations(connection, parts, row_of)
        on_stage("sorting relations")
        forward, n_inside = _write_relations(connection, packed)
        _write_relation_types(connection, forward)
        n_kept = len(forward)
        built = BuildReport(n_entities, n_kept, n_given - n_inside, n_inside - n_kept, len(type_of) - n_entities)
        document = {
            **about,
            "layout": LAYOUT,
            "name": name,
            "templates": parts.templates,
            "made_up": parts.made_up,
            "notes": [*parts.notes, *_build_notes(built, same)],
            "n_entities": n_entities,
            "n_relations": n_kept,
        }
        connection.execute("INSERT INTO about VALUES (?)", [json.dumps(document)])
        connection.commit()
        connection.execute("CHECKPOINT")
    return built


def _build_notes(built: BuildReport, same: list[str]) -> list[str]:
    listed = ", ".join(f'"{own_id[:60]}"' for own_id in same[:SHOWN])
    notes = (
        (built.n_same_id, f"entities with a repeated id, of which the first was kept ({listed})"),
        (built.n_dangling, "relations to or from a missing entity, left out"),
        (built.n_twice, "repeated relations, kept once"),
    )
    return [f"{what}: {n:,}" for n, what in notes if n]


def _write_entities(
    connection: duckdb.DuckDBPyConnection, parts: Iterable[EntityPart]
) -> tuple[npt.NDArray[np.int32], tuple[str, ...]]:
    """Return the number of each entity's type, and the names of types. Rows are positions until they are sorted."""
    numbers: dict[str, int] = {}
    found: list[npt.NDArray[np.int32]] = []
    start = 0
    for part in ahead(parts):
        found.append(np.array([numbers.setdefault(name, len(numbers)) for name in part.types], dtype=np.int32))
        rows = np.arange(start, start + len(part.types), dtype=np.int32)
        insert(connection, "entities", {"row": rows, "entity_id": texts(part.ids), "title": texts(part.titles)})
        insert(connection, "texts", {"row": rows, "text": texts(part.texts), "attributes": texts(part.attributes)})
        start += len(part.types)
        if len(numbers) > MOST_TYPES:
            raise FormatError(f"more than {MOST_TYPES:,} types of entities: is a column of them swapped?")
        if start > MOST_ENTITIES:
            raise FormatError(f"more than {MOST_ENTITIES:,} entities: import a part of them")
    return np.concatenate([np.zeros(0, np.int32), *found]), tuple(numbers)


def _same_ids(connection: duckdb.DuckDBPyConnection, n: int) -> tuple[Rows, list[str]]:
    """Return for each position -1, or the position of the first entity of that id; and some of these ids."""
    first_of = np.full(n, -1, dtype=np.int64)
    found = connection.execute(
        """
        SELECT e.row, s.first, e.entity_id
        FROM entities AS e
        JOIN (SELECT entity_id, min(row) AS first FROM entities GROUP BY entity_id HAVING count(*) > 1) AS s
            ON e.entity_id = s.entity_id AND e.row > s.first
        ORDER BY e.row
        """
    ).fetchall()
    for place, first, _ in found:
        first_of[place] = first
    return first_of, list(dict.fromkeys(own_id for _, _, own_id in found))


def _sort_entities(connection: duckdb.DuckDBPyConnection, type_of: npt.NDArray[np.int32], first_of: Rows) -> Rows:
    """Return the row of each position: by type, in source order. A repeated id has the row of its first entity."""
    kept = np.flatnonzero(first_of < 0)
    order = kept[np.argsort(type_of[kept], kind="stable")]
    row_of = np.empty(len(type_of), dtype=np.int64)
    row_of[order] = np.arange(len(order))
    if len(order) < len(type_of) or np.any(order[1:] < order[:-1]):
        placed = {"place": order.astype(np.int32), "row": np.arange(len(order), dtype=np.int32)}
        connection.execute("CREATE TEMP TABLE placed (place INTEGER, row INTEGER)")
        insert(connection, "placed", placed)
        for table, columns in (("entities", "entity_id, title"), ("texts", "text, attributes")):
            connection.execute(f"CREATE TEMP TABLE aside AS SELECT * FROM {table}")
            connection.execute(f"TRUNCATE {table}")
            connection.execute(
                f"""
                INSERT INTO {table} SELECT p.row, {columns} FROM aside JOIN placed AS p ON aside.row = p.place
                ORDER BY p.row
                """
            )
            connection.execute("DROP TABLE aside")
        connection.execute("DROP TABLE placed")
        doubles = np.flatnonzero(first_of >= 0)
        row_of[doubles] = row_of[first_of[doubles]]
    connection.execute("INSERT INTO ids SELECT entity_id, row FROM entities ORDER BY entity_id")
    return row_of


def _write_types(
    connection: duckdb.DuckDBPyConnection,
    names: tuple[str, ...],
    type_of: npt.NDArray[np.int32],
    answer_types: Iterable[str],
) -> int:
    first, wanted = 0, set(answer_types)
    if unknown := sorted(wanted - set(names)):
        raise InputError(f'no entity is of type "{unknown[0]}"; there are {", ".join(names)[:500]}')
    for position, (name, n) in enumerate(zip(names, np.bincount(type_of, minlength=len(names)).tolist(), strict=True)):
        if n:
            is_answer = name in wanted or not wanted
            connection.execute("INSERT INTO types VALUES (?, ?, ?, ?, ?)", [position, name, first, n, is_answer])
        first += n
    return first


def _relations(
    connection: duckdb.DuckDBPyConnection, parts: KnowledgeBaseParts, row_of: Rows
) -> tuple[list[Packed], int]:
    numbers: dict[str, int] = {}
    packed: list[Packed] = []
    n_given = 0
    for part in parts.relations:
        number = numbers.setdefault(part.name, len(numbers))
        if number > MOST_RELATION_NAMES:
            raise FormatError(f"more than {MOST_RELATION_NAMES + 1} names of relations: is a column of them swapped?")
        inside = (np.minimum(part.sources, part.targets) >= 0) & (np.maximum(part.sources, part.targets) < len(row_of))
        packed.append(pack(number, row_of[part.sources[inside]], row_of[part.targets[inside]]))
        n_given += len(inside)
    for name, number in numbers.items():
        connection.execute("INSERT INTO relation_names VALUES (?, ?)", [number, name])
    return packed, n_given


def _write_relations(connection: duckdb.DuckDBPyConnection, packed: list[Packed]) -> tuple[Packed, int]:
    n_inside = sum(map(len, packed))
    forward = forward_sorted(packed)
    packed.clear()
    for table, columns in TABLES.items():
        ordered = forward if table == "forward" else reverse_sorted(forward)
        for start in range(0, len(ordered), AT_ONCE):
            insert(connection, table, dict(zip(columns, unpacked(ordered[start : start + AT_ONCE]), strict=True)))
    return forward, n_inside


def _write_relation_types(connection: duckdb.DuckDBPyConnection, forward: Packed) -> None:
    types = connection.execute("SELECT name, n FROM types ORDER BY position").fetchall()
    names = dict(connection.execute("SELECT relation, name FROM relation_names").fetchall())
    type_of = np.repeat(np.arange(len(types), dtype=np.int32), [n for _, n in types])
    counted: Counter[tuple[int, int, int]] = Counter()
    for start in range(0, len(forward), AT_ONCE):
        relations, sources, targets = unpacked(forward[start : start + AT_ONCE])
        of_all = (relations.astype(np.int64) * len(types) + type_of[sources]) * len(types) + type_of[targets]
        for combined, n in zip(*np.unique(of_all, return_counts=True), strict=True):
            rest, target = divmod(int(combined), len(types))
            counted[(*divmod(rest, len(types)), target)] += int(n)
    for (relation, source, target), n in sorted(counted.items()):
        row = [names[relation], types[source][0], types[target][0], n]
        connection.execute("INSERT INTO relation_types VALUES (?, ?, ?, ?)", row)
