"""An open knowledge base: its entities, their neighbours, and the answers to templates."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from threading import Condition
from types import TracebackType
from typing import Any

import duckdb
import numpy as np

from core.collections import Document
from core.errors import CorruptStoreError, InputError, NotFoundError
from core.knowledge.entities import (
    TURNED,
    Direction,
    Entity,
    EntityText,
    EntityType,
    NeighbourCount,
    RelationType,
    Rows,
)
from core.knowledge.templates import Leg, RelationPath, Template, TemplateStep
from core.types import Ids
from data.knowledge.builder import LAYOUT

# Neighbours and templates as SQL over the sorted relations.
#
# Statements contain only numbers of the knowledge base: relations, and the first and last rows of types. Everything
# from outside is bound as a parameter.

TABLES: dict[Direction, tuple[tuple[str, str, str], ...]] = {
    "forward": (("forward", "source", "target"),),
    "back": (("reverse", "target", "source"),),
    "either": (("forward", "source", "target"), ("reverse", "target", "source")),
}
"""Lookup of a relation by the known entity: table, column of that entity, column of the other one."""
SqlCondition = Callable[[str], str]
"""Returns an SQL condition on the entities in a column."""
NOWHERE = "SELECT 0::INTEGER AS known, 0::INTEGER AS entity, 0::UTINYINT AS relation WHERE false"


# Conditions


def _bound(name: str) -> SqlCondition:
    return lambda column: f"{column} IN (SELECT unnest(${name}::INTEGER[]))"


def _among(sql: str) -> SqlCondition:
    return lambda column: f"{column} IN ({sql})"


def _of_type(kind: EntityType) -> SqlCondition:
    return lambda column: f"{column} BETWEEN {kind.first} AND {kind.first + kind.n - 1}"


def _start(leg: Leg, name: str, base: KnowledgeBase) -> SqlCondition:
    kind = base.types.get(leg.type)
    if kind is None:
        return lambda column: "false"
    return _of_type(kind) if leg.slot is None else _bound(name)


# Steps and legs


def _step(known: SqlCondition, step: TemplateStep, base: KnowledgeBase, landing: SqlCondition | None = None) -> str:
    kind = base.types.get(step.type)
    numbers = [base.relation_numbers[name] for name in step.relations if name in base.relation_numbers]
    if kind is None or not numbers:
        return NOWHERE
    among = ", ".join(map(str, numbers))
    return " UNION ALL ".join(
        f"""
        SELECT r.{here} AS known, r.{there} AS entity, r.relation AS relation FROM {table} AS r
        WHERE r.relation IN ({among}) AND {known(f"r.{here}")} AND {_of_type(kind)(f"r.{there}")}
            AND {landing(f"r.{there}") if landing else "true"}
        """
        for table, here, there in TABLES[step.direction]
    )


def _before(leg: Leg, number: int) -> TemplateStep:
    step = leg.steps[number]
    return TemplateStep(step.relations, leg.steps[number - 1].type if number else leg.type, TURNED[step.direction])


def _reached(leg: Leg, name: str, base: KnowledgeBase, n_steps: int) -> SqlCondition:
    condition = _start(leg, name, base)
    for step in leg.steps[:n_steps]:
        condition = _among(f"SELECT DISTINCT entity FROM ({_step(condition, step, base)})")
    return condition


def _leg(leg: Leg, name: str, base: KnowledgeBase) -> str:
    last = _step(_reached(leg, name, base, len(leg.steps) - 1), leg.steps[-1], base)
    return f"SELECT entity FROM ({last})"


def _led_to(leg: Leg, name: str, base: KnowledgeBase) -> str:
    landing = _reached(leg, name, base, len(leg.steps) - 1)
    last = _step(_among("SELECT entity FROM found"), _before(leg, len(leg.steps) - 1), base, landing)
    return f"SELECT known AS entity FROM ({last})"


def _met(base: KnowledgeBase, template: Template) -> str:
    legs = list(enumerate(template.legs))
    positive = [each for each in legs if not each[1].is_negated]
    first, *also = [each for each in positive if each[1].slot is not None] or positive[:1]
    others = [each for each in legs if each != first and each not in also]
    found = f"SELECT DISTINCT entity FROM ({_leg(first[1], f'leg{first[0]}', base)}) " + " ".join(
        f"SEMI JOIN ({_leg(leg, f'leg{number}', base)}) AS also{number} USING (entity)" for number, leg in also
    )
    joins = " ".join(
        f"{'ANTI' if leg.is_negated else 'SEMI'} JOIN "
        f"({(_led_to if leg.slot is None else _leg)(leg, f'leg{number}', base)}) AS other{number} USING (entity)"
        for number, leg in others
    )
    own = "SELECT unnest($own::INTEGER[]) AS entity"
    return (
        f"WITH found AS MATERIALIZED ({found}) SELECT entity FROM found {joins} ANTI JOIN ({own}) AS own USING (entity)"
    )


def _parameters(template: Template, filled: Mapping[str, list[int]], sql: str) -> dict[str, list[int]]:
    legs = {f"leg{number}": filled[leg.slot] for number, leg in enumerate(template.legs) if leg.slot is not None}
    return _named({**legs, "own": sorted({row for rows in filled.values() for row in rows})}, sql)


def _named(parameters: Mapping[str, Any], sql: str) -> dict[str, Any]:
    named = set(re.findall(r"\$(\w+)", sql))
    return {name: value for name, value in parameters.items() if name in named}


def _checked(base: KnowledgeBase, template: Template, given: Mapping[str, Sequence[int]]) -> dict[str, list[int]]:
    filled = {slot: list(map(int, given.get(slot, ()))) for slot in template.slots}
    if missing := sorted(slot for slot, rows in filled.items() if not rows):
        raise InputError(f'template "{template.template_id}" needs {", ".join(missing)}')
    for slot, wanted in template.slots.items():
        kind = base.types.get(wanted)
        if kind is None:
            filled[slot] = []
        elif other := [row for row in filled[slot] if row not in kind.rows]:
            raise InputError(
                f'template "{template.template_id}" takes entities of type {wanted} for {slot}, but '
                + _entity_text(base, other[0])
            )
    return filled


def _entity_text(base: KnowledgeBase, row: int) -> str:
    if not 0 <= row < base.about.n_entities:
        return f"there is no entity in row {row}"
    (entity,) = base.entities([row])
    return f'"{entity.title[:80]}" is of type {entity.type}'


# Paths to an answer


def _ways(
    base: KnowledgeBase, leg: Leg, number: int, start: list[int], answer: int, most: int
) -> Iterator[RelationPath]:
    if answer not in _rows_of(base, leg.steps[-1].type):
        return
    names = {number: name for name, number in base.relation_numbers.items()}
    walks: list[tuple[tuple[int, ...], tuple[str, ...]]] = [((answer,), ())]
    while walks:
        rows, relations = walks.pop()
        place = len(leg.steps) - len(rows)
        if place < 0:
            yield RelationPath(number, rows, relations)
            continue
        hop = _step(_bound("here"), _before(leg, place), base, _reached(leg, "start", base, place))
        sql = f"SELECT entity, min(relation) FROM ({hop}) GROUP BY entity ORDER BY entity LIMIT $most"
        found = base.rows(sql, _named({"start": start, "here": [rows[0]], "most": most}, sql))
        walks += [((row, *rows), (names[by], *relations)) for row, by in reversed(found)]


def _rows_of(base: KnowledgeBase, type: str) -> range:
    kind = base.types.get(type)
    return range(0) if kind is None else kind.rows


# A knowledge base that is open for reading. Threads may share one; several processes may open the same one.

FILE = "base.duckdb"
_DAMAGED = (
    *(duckdb.IOException, duckdb.InternalException, duckdb.FatalException),
    *(duckdb.SerializationException, duckdb.CatalogException),
)
SHOWN = 50
"""Number of neighbours that are read at a time."""


@dataclass(frozen=True, slots=True)
class KnowledgeBaseInfo:
    name: str
    origin: str
    """Origin, in words."""
    templates: str
    """The set of templates for it; empty: only a user's own."""
    made_up: bool
    notes: tuple[str, ...]
    n_entities: int
    n_relations: int
    key: str
    """Changes with any of its content."""


class KnowledgeBase(AbstractContextManager["KnowledgeBase"]):
    def __init__(self, folder: Path, connection: duckdb.DuckDBPyConnection) -> None:
        self.folder = folder
        self._connection = connection
        self._n_reading = 0
        self._is_closed = False
        self._change = Condition()
        document = json.loads(self.rows("SELECT document::VARCHAR FROM about")[0][0])
        if document["layout"] != LAYOUT:
            raise CorruptStoreError(
                f"{folder} was written by another version of Queryscape: import the knowledge base again"
            )
        fields = ("name", "origin", "templates", "made_up", "notes", "n_entities", "n_relations", "key")
        entries = {field: document[field] for field in fields}
        self.about = KnowledgeBaseInfo(**{**entries, "notes": tuple(entries["notes"])})

    @classmethod
    def open(cls, folder: Path) -> KnowledgeBase:
        try:
            connection = duckdb.connect(
                str(folder / FILE), read_only=True, config={"autoinstall_known_extensions": False}
            )
            connection.execute("SET enable_progress_bar = false")  # it would mix with the results
            return cls(folder, connection)
        except (duckdb.Error, KeyError, IndexError, ValueError) as e:
            raise CorruptStoreError(f"{folder} is not a knowledge base, or is damaged: import it again") from e

    def close(self) -> None:
        """Close the base after other threads finish reading: DuckDB closes no connection that is in use."""
        with self._change:
            self._is_closed = True
            self._change.wait_for(lambda: not self._n_reading)
            self._connection.close()

    def __exit__(self, kind: type[BaseException] | None, e: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def check(self) -> None:
        """Read every table, so that damage is found wherever it is."""
        with self._cursor() as cursor:
            try:
                for (name,) in cursor.execute("SELECT table_name FROM duckdb_tables()").fetchall():
                    cursor.execute(f'SELECT bit_xor(hash(t)) FROM "{name}" AS t').fetchone()
            except duckdb.Error as e:
                raise CorruptStoreError(f"{self.folder} is damaged: import it again") from e

    @contextmanager
    def _cursor(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """Open one cursor per call, so that threads don't wait for each other."""
        with self._change:
            if self._is_closed:
                raise NotFoundError(f"{self.folder.name} was replaced or deleted in the meantime: reload the page")
            cursor = self._connection.cursor()
            self._n_reading += 1
        try:
            with cursor:
                yield cursor
        finally:
            with self._change:
                self._n_reading -= 1
                self._change.notify_all()

    @contextmanager
    def _reading(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """Open a cursor that translates errors about damaged files: many pages are read long after opening."""
        with self._cursor() as cursor:
            try:
                yield cursor
            except (*_DAMAGED, duckdb.Error) as e:
                if not isinstance(e, _DAMAGED) and "corrupt" not in str(e).lower():
                    raise
                raise CorruptStoreError(f"{self.folder} is damaged or incomplete: import it again") from e

    def rows(self, sql: str, parameters: Mapping[str, Any] | Sequence[Any] | None = None) -> list[tuple[Any, ...]]:
        with self._reading() as cursor:
            return cursor.execute(sql, parameters).fetchall()

    def column(self, sql: str, parameters: Mapping[str, Any] | Sequence[Any] | None = None) -> Rows:
        with self._reading() as cursor:
            (found,) = cursor.execute(sql, parameters).fetchnumpy().values()
        return np.asarray(found, dtype=np.int64)

    # Contents

    @cached_property
    def types(self) -> Mapping[str, EntityType]:
        """The entity types by name, in the order of their rows."""
        found = self.rows("SELECT name, first, n, is_answer FROM types ORDER BY position")
        return {row[0]: EntityType(*row) for row in found}

    @cached_property
    def relation_types(self) -> tuple[RelationType, ...]:
        return tuple(RelationType(*row) for row in self.rows("SELECT name, source, target, n FROM relation_types"))

    @cached_property
    def relation_numbers(self) -> Mapping[str, int]:
        return dict(self.rows("SELECT name, relation FROM relation_names ORDER BY relation"))

    @cached_property
    def answer_types(self) -> Ids:
        return tuple(name for name, kind in self.types.items() if kind.is_answer)

    def type_of(self, row: int) -> str:
        return next(name for name, kind in self.types.items() if row < kind.first + kind.n)

    # Entities

    def entities(self, rows: Sequence[int] | Rows) -> tuple[Entity, ...]:
        wanted = list(map(int, rows))
        found = {
            row: (entity_id, title)
            for row, entity_id, title in self.rows(
                "SELECT row, entity_id, title FROM entities WHERE row IN (SELECT unnest($rows::INTEGER[]))",
                {"rows": wanted},
            )
        }
        return tuple(Entity(row, found[row][0], self.type_of(row), found[row][1]) for row in wanted)

    def rows_of(self, entity_ids: Sequence[str]) -> Mapping[str, int]:
        return dict(
            self.rows(
                "SELECT entity_id, row FROM ids WHERE entity_id IN (SELECT unnest($ids::VARCHAR[]))",
                {"ids": list(entity_ids)},
            )
        )

    def entity(self, entity_id: str) -> Entity:
        row = self.rows_of([entity_id]).get(entity_id)
        if row is None:
            raise NotFoundError(f'knowledge base "{self.about.name}" has no entity "{entity_id[:80]}"')
        return self.entities([row])[0]

    def text(self, row: int) -> EntityText:
        text, attributes = self.rows("SELECT text, attributes FROM texts WHERE row = ?", [row])[0]
        return EntityText(text, dict(json.loads(attributes)) if attributes else {})

    def documents(self, types: Sequence[str] | None = None) -> Iterator[Document]:
        """Yield entities as documents for text retrievers, by row; by default of the types that questions ask for."""
        for kind in (self.types[name] for name in (types or self.answer_types)):
            for first in range(kind.first, kind.first + kind.n, 20_000):
                last = min(first + 20_000, kind.first + kind.n) - 1
                found = self.rows(
                    """
                    SELECT entity_id, title, text FROM entities JOIN texts USING (row)
                    WHERE row BETWEEN $first AND $last ORDER BY row
                    """,
                    {"first": first, "last": last},
                )
                yield from (Document(*row) for row in found)

    # Relations

    def neighbour_counts(self, row: int) -> tuple[NeighbourCount, ...]:
        found: list[NeighbourCount] = []
        for direction in ("forward", "back"):
            ((table, here, there),) = TABLES[direction]
            counted = self.rows(
                f"""
                SELECT n.name, t.name, count(*)
                FROM {table} AS r
                JOIN relation_names AS n ON n.relation = r.relation
                JOIN types AS t ON r.{there} >= t.first AND r.{there} < t.first + t.n
                WHERE r.{here} = ?
                GROUP BY ALL ORDER BY min(n.relation), min(t.position)
                """,
                [row],
            )
            found += [NeighbourCount(name, direction, kind, n) for name, kind, n in counted]
        return tuple(found)

    def neighbours(
        self, row: int, relation: str, direction: Direction, type: str, *, offset: int = 0, limit: int = SHOWN
    ) -> tuple[Entity, ...]:
        """Return a page of neighbours by ascending row."""
        sql = f"SELECT DISTINCT entity FROM ({_step(_bound('row'), TemplateStep((relation,), type, direction), self)})"
        sql = f"{sql} ORDER BY entity LIMIT $limit OFFSET $offset"
        return self.entities(self.column(sql, _named({"row": [row], "offset": offset, "limit": limit}, sql)))

    def answers(self, template: Template, given: Mapping[str, Sequence[int]]) -> Rows:
        """Return the ascending rows of all answers, without the entities that fill a blank.

        `given`: for each blank, alternative entities that fill it.
        """
        filled = _checked(self, template, given)
        sql = f"{_met(self, template)} ORDER BY entity"
        return self.column(sql, _parameters(template, filled, sql))

    def count_answers(self, template: Template, given: Mapping[str, Sequence[int]]) -> int:
        filled = _checked(self, template, given)
        sql = f"SELECT count(*) FROM ({_met(self, template)})"
        return int(self.column(sql, _parameters(template, filled, sql))[0])

    def ways(
        self, template: Template, given: Mapping[str, Sequence[int]], answer: int, *, most: int = 3
    ) -> tuple[RelationPath, ...]:
        """Return a few paths per leg to this answer; a negated leg has none."""
        filled = _checked(self, template, given)
        if any(answer in rows for rows in filled.values()):
            return ()
        return tuple(
            way
            for number, leg in enumerate(template.legs)
            if not leg.is_negated
            for way in islice(_ways(self, leg, number, filled.get(leg.slot or "", []), answer, most), max(most, 0))
        )
