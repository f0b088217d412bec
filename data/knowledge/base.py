"""A knowledge base that is open for reading. Threads may share one; processes may open one at the same time."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from threading import Condition
from types import TracebackType
from typing import Any

import duckdb
import numpy as np

from core.errors import CorruptStoreError, NotFoundError
from core.knowledge.spans import Direction, Entity, EntityText, EntityType, NeighbourCount, RelationType, Rows
from core.knowledge.templates import Template, Way
from core.ranking.check import Document
from core.types import Ids
from data.knowledge import asking
from data.knowledge.building.build import LAYOUT

FILE = "base.duckdb"
_DAMAGED = (
    *(duckdb.IOException, duckdb.InternalException, duckdb.FatalException),
    *(duckdb.SerializationException, duckdb.CatalogException),
)
SHOWN = 50
"""Neighbours that are read at a time."""


@dataclass(frozen=True, slots=True)
class About:
    """What a knowledge base says of itself."""

    name: str
    origin: str
    """Where it came from, in words."""
    templates: str
    """Which templates belong to it; empty: none but a user's."""
    made_up: bool
    notes: tuple[str, ...]
    n_entities: int
    n_relations: int
    key: str
    """Changes with anything in it."""


class KnowledgeBase(AbstractContextManager["KnowledgeBase"]):
    """Entities, their texts and their relations."""

    def __init__(self, folder: Path, connection: duckdb.DuckDBPyConnection) -> None:
        self.folder = folder
        self._connection = connection
        self._n_reading = 0
        self._is_closed = False
        self._change = Condition()
        document = json.loads(self.rows("SELECT document::VARCHAR FROM about")[0][0])
        if document["layout"] != LAYOUT:
            raise CorruptStoreError(f"{folder} was written by another Queryscape: bring the knowledge base in again")
        fields = ("name", "origin", "templates", "made_up", "notes", "n_entities", "n_relations", "key")
        said = {field: document[field] for field in fields}
        self.about = About(**{**said, "notes": tuple(said["notes"])})

    @classmethod
    def open(cls, folder: Path) -> KnowledgeBase:
        """Open the one in this folder."""
        try:
            connection = duckdb.connect(
                str(folder / FILE), read_only=True, config={"autoinstall_known_extensions": False}
            )
            connection.execute("SET enable_progress_bar = false")  # it would stand amid the results
            return cls(folder, connection)
        except (duckdb.Error, KeyError, IndexError, ValueError) as e:
            raise CorruptStoreError(f"{folder} is no knowledge base, or damaged: bring it in again") from e

    def close(self) -> None:
        """What other threads read at this moment is read to its end: DuckDB closes no connection that is in use."""
        with self._change:
            self._is_closed = True
            self._change.wait_for(lambda: not self._n_reading)
            self._connection.close()

    def __exit__(self, kind: type[BaseException] | None, e: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    @contextmanager
    def _cursor(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """One for every call, so that threads don't wait for one another."""
        with self._change:
            if self._is_closed:
                raise NotFoundError(f"{self.folder.name} was replaced or deleted meanwhile: load the page again")
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
        """A cursor, with what DuckDB says of a damaged file in our words: many a page is read long after opening."""
        with self._cursor() as cursor:
            try:
                yield cursor
            except _DAMAGED as e:
                raise CorruptStoreError(f"{self.folder} is damaged, or cut off: bring it in again") from e

    def rows(self, sql: str, parameters: Mapping[str, Any] | Sequence[Any] | None = None) -> list[tuple[Any, ...]]:
        """All rows of a query."""
        with self._reading() as cursor:
            return cursor.execute(sql, parameters).fetchall()

    def column(self, sql: str, parameters: Mapping[str, Any] | Sequence[Any] | None = None) -> Rows:
        """The only column of a query, of whole numbers."""
        with self._reading() as cursor:
            (found,) = cursor.execute(sql, parameters).fetchnumpy().values()
        return np.asarray(found, dtype=np.int64)

    # What it holds

    @cached_property
    def types(self) -> Mapping[str, EntityType]:
        """By name, in the order of their rows."""
        found = self.rows("SELECT name, first, n, is_answer FROM types ORDER BY position")
        return {row[0]: EntityType(*row) for row in found}

    @cached_property
    def relation_types(self) -> tuple[RelationType, ...]:
        return tuple(RelationType(*row) for row in self.rows("SELECT name, source, target, n FROM relation_types"))

    @cached_property
    def relation_numbers(self) -> Mapping[str, int]:
        """The number under which relations of a name are stored."""
        return dict(self.rows("SELECT name, relation FROM relation_names ORDER BY relation"))

    @cached_property
    def answer_types(self) -> Ids:
        """Types that questions ask for."""
        return tuple(name for name, kind in self.types.items() if kind.is_answer)

    def type_of(self, row: int) -> str:
        """The type of the entity in a row."""
        return next(name for name, kind in self.types.items() if row < kind.first + kind.n)

    # Entities

    def entities(self, rows: Sequence[int] | Rows) -> tuple[Entity, ...]:
        """These, in this order."""
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
        """The rows of those that it holds."""
        return dict(
            self.rows(
                "SELECT entity_id, row FROM ids WHERE entity_id IN (SELECT unnest($ids::VARCHAR[]))",
                {"ids": list(entity_ids)},
            )
        )

    def entity(self, entity_id: str) -> Entity:
        """One by its id."""
        row = self.rows_of([entity_id]).get(entity_id)
        if row is None:
            raise NotFoundError(f'knowledge base "{self.about.name}" has no entity "{entity_id[:80]}"')
        return self.entities([row])[0]

    def text(self, row: int) -> EntityText:
        """What an entity says of itself."""
        text, attributes = self.rows("SELECT text, attributes FROM texts WHERE row = ?", [row])[0]
        return EntityText(text, dict(json.loads(attributes)) if attributes else {})

    def documents(self, types: Sequence[str] | None = None) -> Iterator[Document]:
        """Entities as text retrievers read them, by row; without types those that questions ask for."""
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
        """How many neighbours it has, by relation, direction and type."""
        return asking.neighbour_counts(self, row)

    def neighbours(
        self, row: int, relation: str, direction: Direction, type: str, *, offset: int = 0, limit: int = SHOWN
    ) -> tuple[Entity, ...]:
        """Some of them, by row."""
        return self.entities(asking.neighbours(self, row, relation, direction, type, offset=offset, limit=limit))

    def answers(self, template: Template, given: Mapping[str, Sequence[int]]) -> Rows:
        """The rows of all answers, rising. `given`: for each blank, the entities that fill it: any of them."""
        return asking.answers(self, template, given)

    def count_answers(self, template: Template, given: Mapping[str, Sequence[int]]) -> int:
        """How many answers there are."""
        return asking.count_answers(self, template, given)

    def ways(
        self, template: Template, given: Mapping[str, Sequence[int]], answer: int, *, most: int = 3
    ) -> tuple[Way, ...]:
        """How each leg leads to this answer, a few ways each."""
        return asking.ways(self, template, given, answer, most=most)
