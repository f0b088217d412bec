"""Builds the file of a knowledge base: entities by type, relations sorted forward and reverse."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import numpy.typing as npt

from core.errors import FormatError, InputError
from core.knowledge.spans import Rows
from core.protocols import OnStage, silent
from data.knowledge.building.ahead import ahead
from data.knowledge.building.sorting import Packed, forward_sorted, pack, reverse_sorted, unpacked
from data.knowledge.building.writing import insert, texts, written
from data.knowledge.parts import EntityPart, Parts

LAYOUT = 1
SCHEMA = Path(__file__).with_name("layout.sql")
MOST_RELATION_NAMES = 255
MOST_TYPES = 1_000
MOST_ENTITIES = 2**28
AT_ONCE = 2_000_000
"""Relations that are handed to DuckDB at a time."""
SHOWN = 3
TABLES = {"forward": ("relation", "source", "target"), "reverse": ("relation", "target", "source")}


@dataclass(frozen=True, slots=True)
class Built:
    """What was written, and what was left out."""

    n_entities: int
    n_relations: int
    n_dangling: int
    """Relations from or to nothing."""
    n_twice: int
    """Relations that were given more than once."""
    n_same_id: int = 0
    """Entities whose id another one before them has."""


def build(file: Path, name: str, parts: Parts, about: Mapping[str, Any], on_stage: OnStage = silent) -> Built:
    """Write a new file; the caller puts it in its place. What can't be kept is counted, not lost silently."""
    with written(file) as connection:
        connection.begin()  # rows are packed once, not again with every part
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
        built = Built(n_entities, n_kept, n_given - n_inside, n_inside - n_kept, len(type_of) - n_entities)
        document = {
            **about,
            "layout": LAYOUT,
            "name": name,
            "templates": parts.templates,
            "made_up": parts.made_up,
            "notes": [*parts.notes, *_said(built, same)],
            "n_entities": n_entities,
            "n_relations": n_kept,
        }
        connection.execute("INSERT INTO about VALUES (?)", [json.dumps(document)])
        connection.commit()
        connection.execute("CHECKPOINT")
    return built


def _said(built: Built, same: list[str]) -> list[str]:
    listed = ", ".join(f'"{own_id[:60]}"' for own_id in same[:SHOWN])
    said = (
        (built.n_same_id, f"entities with the id of another, of which the first was kept ({listed})"),
        (built.n_dangling, "relations to or from an entity that is not there, which were left out"),
        (built.n_twice, "relations that were given more than once, and were kept once"),
    )
    return [f"{what}: {n:,}" for n, what in said if n]


def _write_entities(
    connection: duckdb.DuckDBPyConnection, parts: Iterable[EntityPart]
) -> tuple[npt.NDArray[np.int32], tuple[str, ...]]:
    """The number of each entity's type, and the names of types. Rows are places, until they are sorted."""
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
            raise FormatError(f"more than {MOST_ENTITIES:,} entities: bring in a part of them")
    return np.concatenate([np.zeros(0, np.int32), *found]), tuple(numbers)


def _same_ids(connection: duckdb.DuckDBPyConnection, n: int) -> tuple[Rows, list[str]]:
    """For each place -1, or the place of the first entity of that id; and some of these ids."""
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
    """The row of each place: by type, in the order of the source. Another of the same id has the row of the first."""
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
    """Where the entities of each type stand; how many there are of all."""
    first, wanted = 0, set(answer_types)
    if unknown := sorted(wanted - set(names)):
        raise InputError(f'no entity is of type "{unknown[0]}"; there are {", ".join(names)[:500]}')
    for position, (name, n) in enumerate(zip(names, np.bincount(type_of, minlength=len(names)).tolist(), strict=True)):
        if n:
            is_answer = name in wanted or not wanted
            connection.execute("INSERT INTO types VALUES (?, ?, ?, ?, ?)", [position, name, first, n, is_answer])
        first += n
    return first


def _relations(connection: duckdb.DuckDBPyConnection, parts: Parts, row_of: Rows) -> tuple[list[Packed], int]:
    """Those that lead from and to something; how many were given in all."""
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
    """Those that differ, in order, and how many there were."""
    n_inside = sum(map(len, packed))
    forward = forward_sorted(packed)
    packed.clear()
    for table, columns in TABLES.items():
        ordered = forward if table == "forward" else reverse_sorted(forward)
        for start in range(0, len(ordered), AT_ONCE):
            insert(connection, table, dict(zip(columns, unpacked(ordered[start : start + AT_ONCE]), strict=True)))
    return forward, n_inside


def _write_relation_types(connection: duckdb.DuckDBPyConnection, forward: Packed) -> None:
    """How many there are of each name between each two types."""
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
