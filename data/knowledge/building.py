"""Builds the file of a knowledge base: entities by type, relations sorted forward and reverse."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import numpy.typing as npt

from core.errors import FormatError
from core.knowledge.types import Rows
from data.cases import OnStage, silent
from data.knowledge.parts import EntityPart, Parts

LAYOUT = 1
SCHEMA = Path(__file__).with_name("layout.sql")
MOST_RELATION_NAMES = 255
Columns = dict[str, npt.NDArray[Any]]


@dataclass(frozen=True, slots=True)
class Built:
    """What was written, and what was left out."""

    n_entities: int
    n_relations: int
    n_dangling: int
    """Relations from or to nothing."""
    n_twice: int
    """Relations that were given more than once."""


def build(file: Path, name: str, parts: Parts, about: Mapping[str, Any], on_stage: OnStage = silent) -> Built:
    """Write a new file; the caller puts it in its place. What can't be kept is counted, not lost silently."""
    with duckdb.connect(str(file)) as connection:
        connection.execute(SCHEMA.read_text(encoding="utf-8"))
        on_stage("reading entities")
        type_of, n_by_type = _write_entities(connection, parts.entities)
        if not len(type_of):
            raise FormatError(f'"{name}" has no entities')
        on_stage("sorting entities")
        row_of = _sort_entities(connection, type_of, n_by_type, parts.answer_types)
        on_stage("reading relations")
        n_given, n_dangling = _write_relations(connection, parts, row_of)
        on_stage("sorting relations")
        n_kept = _sort_relations(connection)
        document = {
            **about,
            "layout": LAYOUT,
            "name": name,
            "templates": parts.templates,
            "made_up": parts.made_up,
            "notes": [*parts.notes, *_said(n_dangling, n_given - n_dangling - n_kept)],
            "n_entities": len(type_of),
            "n_relations": n_kept,
        }
        connection.execute("INSERT INTO about VALUES (?)", [json.dumps(document)])
        connection.execute("CHECKPOINT")
    return Built(len(type_of), n_kept, n_dangling, n_given - n_dangling - n_kept)


def _said(n_dangling: int, n_twice: int) -> list[str]:
    said = []
    if n_dangling:
        said.append(f"{n_dangling:,} relations lead to or from an entity that is not there, and were left out")
    if n_twice:
        said.append(f"{n_twice:,} relations were given more than once, and were kept once")
    return said


def _write_entities(
    connection: duckdb.DuckDBPyConnection, parts: Iterable[EntityPart]
) -> tuple[npt.NDArray[np.int32], dict[str, int]]:
    """The number of each entity's type, and how many there are of each."""
    connection.execute(
        "CREATE TEMP TABLE given (place INTEGER, entity_id VARCHAR, title VARCHAR, text VARCHAR, attributes VARCHAR)"
    )
    numbers: dict[str, int] = {}
    found: list[npt.NDArray[np.int32]] = []
    start = 0
    for part in parts:
        types = [numbers.setdefault(name, len(numbers)) for name in part.types]
        found.append(np.array(types, dtype=np.int32))
        columns: Columns = {
            "place": np.arange(start, start + len(types), dtype=np.int32),
            "entity_id": np.array(part.ids, dtype=object),
            "title": np.array(part.titles, dtype=object),
            "text": np.array(part.texts, dtype=object),
            "attributes": np.array(part.attributes, dtype=object),
        }
        _insert(connection, "given", columns)
        start += len(types)
    type_of = np.concatenate([np.zeros(0, np.int32), *found])
    return type_of, dict(zip(numbers, np.bincount(type_of, minlength=len(numbers)).tolist(), strict=True))


def _insert(connection: duckdb.DuckDBPyConnection, table: str, columns: Columns) -> None:
    connection.register("incoming", columns)
    connection.execute(f"INSERT INTO {table} SELECT * FROM incoming")
    connection.unregister("incoming")


def _sort_entities(
    connection: duckdb.DuckDBPyConnection,
    type_of: npt.NDArray[np.int32],
    n_by_type: Mapping[str, int],
    answer_types: Iterable[str],
) -> Rows:
    """The row of each place: by type, in the order of the source."""
    order = np.argsort(type_of, kind="stable")
    row_of = np.empty(len(order), dtype=np.int64)
    row_of[order] = np.arange(len(order))
    first, wanted = 0, set(answer_types)
    for position, (name, n) in enumerate(n_by_type.items()):
        is_answer = name in wanted or not wanted
        connection.execute("INSERT INTO types VALUES (?, ?, ?, ?, ?)", [position, name, first, n, is_answer])
        first += n
    connection.execute("CREATE TEMP TABLE placed (place INTEGER, row INTEGER)")
    _insert(connection, "placed", {"place": np.arange(len(order), dtype=np.int32), "row": row_of.astype(np.int32)})
    for table, columns in (("entities", "row, entity_id, title"), ("texts", "row, text, attributes")):
        connection.execute(f"INSERT INTO {table} SELECT {columns} FROM given JOIN placed USING (place) ORDER BY row")
    connection.execute("INSERT INTO ids SELECT entity_id, row FROM entities ORDER BY entity_id")
    connection.execute("DROP TABLE given; DROP TABLE placed")
    return row_of


def _write_relations(connection: duckdb.DuckDBPyConnection, parts: Parts, row_of: Rows) -> tuple[int, int]:
    """How many were given, and how many of these lead to or from nothing."""
    connection.execute("CREATE TEMP TABLE given (relation UTINYINT, source INTEGER, target INTEGER)")
    numbers: dict[str, int] = {}
    n_given = n_dangling = 0
    for part in parts.relations:
        number = numbers.setdefault(part.name, len(numbers))
        if number > MOST_RELATION_NAMES:
            raise FormatError(f"more than {MOST_RELATION_NAMES + 1} names of relations: is a column of them swapped?")
        inside = (np.minimum(part.sources, part.targets) >= 0) & (np.maximum(part.sources, part.targets) < len(row_of))
        sources, targets = row_of[part.sources[inside]], row_of[part.targets[inside]]
        n_given += len(inside)
        n_dangling += len(inside) - len(sources)
        columns: Columns = {
            "relation": np.full(len(sources), number, dtype=np.uint8),
            "source": sources.astype(np.int32),
            "target": targets.astype(np.int32),
        }
        _insert(connection, "given", columns)
    for name, number in numbers.items():
        connection.execute("INSERT INTO relation_names VALUES (?, ?)", [number, name])
    return n_given, n_dangling


def _sort_relations(connection: duckdb.DuckDBPyConnection) -> int:
    connection.execute("INSERT INTO forward SELECT DISTINCT * FROM given ORDER BY relation, source, target")
    connection.execute("DROP TABLE given")
    connection.execute(
        "INSERT INTO reverse SELECT relation, target, source FROM forward ORDER BY relation, target, source"
    )
    connection.execute(
        """
        INSERT INTO relation_types
        SELECT n.name, a.name, b.name, count(*)
        FROM forward AS f
        JOIN relation_names AS n ON n.relation = f.relation
        JOIN types AS a ON f.source >= a.first AND f.source < a.first + a.n
        JOIN types AS b ON f.target >= b.first AND f.target < b.first + b.n
        GROUP BY ALL ORDER BY min(f.relation), min(a.position), min(b.position)
        """
    )
    counted = connection.execute("SELECT count(*) FROM forward").fetchone()
    return int(counted[0]) if counted else 0
