"""The plain layout for one's own knowledge bases: tables of entities and of relations, and perhaps about.json."""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from core.errors import FileError, FormatError
from core.types import Ids
from data.knowledge.loading.plain_tables import TABLE_SUFFIXES, read_table
from data.knowledge.loading.rejecting import LeftOut
from data.knowledge.loading.saying import encoded
from data.knowledge.parts import EntityPart, Parts, RelationPart

ENTITY_COLUMNS: Mapping[str, Ids] = {
    "id": ("id", "entity_id", "node_id", "identifier", "key"),
    "type": ("type", "entity_type", "node_type", "kind", "label"),
    "title": ("title", "name", "entity", "display_name"),
    "text": ("text", "abstract", "description"),
}
RELATION_COLUMNS: Mapping[str, Ids] = {
    "source": ("source", "source_id", "from", "head", "subject", "start_id", "start"),
    "relation": ("relation", "relation_type", "type", "predicate", "edge_type", "label", "name"),
    "target": ("target", "target_id", "to", "tail", "object", "end_id", "end"),
}
NO_TYPE, NO_RELATION = "entity", "related to"
"""What entities and relations are called whose table does not say."""
PLAIN_PART = 50_000
MOST_ABOUT = 1_000_000
_ENTITIES = re.compile(r"(?:entities|entity|nodes)(?:[-_. ].{0,60})?", re.IGNORECASE)
_RELATIONS = re.compile(r"(?:relations|relation|edges)(?:[-_. ].{0,60})?", re.IGNORECASE)


@dataclass(frozen=True, eq=False)
class Layout:
    """The files of a folder."""

    root: Path
    entities: tuple[Path, ...]
    relations: tuple[Path, ...]


def plain_layout(where: Path) -> Layout | None:
    """The tables in a folder, or in folders of it that are named like them; None where there are none of entities."""
    root = where if where.is_dir() else where.parent
    try:
        paths = sorted(path for pattern in ("*", "*/*") for path in root.glob(pattern) if path.is_file())
    except OSError as e:
        raise FileError(f"can't read {root} ({e.strerror or e}): check that it is yours") from e
    tables = [path for path in paths if path.suffix.lower() in TABLE_SUFFIXES]

    def named(pattern: re.Pattern[str]) -> tuple[Path, ...]:
        return tuple(
            path for path in tables if pattern.fullmatch(path.parent.name if path.parent != root else path.stem)
        )

    layout = Layout(root, named(_ENTITIES), named(_RELATIONS))
    if not layout.entities or (not where.is_dir() and where not in (*layout.entities, *layout.relations)):
        return None
    return layout


def read_plain(layout: Layout, left_out: LeftOut, notes: list[str]) -> Parts:
    """All of it. Relations are read when they are taken."""
    about = _about(layout.root)
    reading = _Reading(layout, left_out, notes)
    return Parts(
        reading.entities(),
        reading.relations(),
        tuple(_listed(about, "answers")),
        str(about.get("templates") or ""),
        about.get("made_up") is True,
        notes,
    )


def _about(root: Path) -> Mapping[str, Any]:
    path = root / "about.json"
    if not path.is_file():
        return {}
    try:
        if path.stat().st_size > MOST_ABOUT:
            raise FormatError(f"{path.name} is too large to say what a knowledge base is")
        found = json.loads(path.read_text("utf-8-sig"))
    except OSError as e:
        raise FileError(f"can't read {path} ({e.strerror or e}): check that it is yours") from e
    except (ValueError, RecursionError) as e:
        raise FormatError(f"{path.name} is no valid JSON: mend it, or take it away") from e
    if not isinstance(found, dict):
        raise FormatError(f'{path.name} holds no object such as {{"answers": ["paper"]}}: mend it, or take it away')
    return found


def _listed(about: Mapping[str, Any], key: str) -> list[str]:
    value = about.get(key, [])
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise FormatError(f'"{key}" in about.json is no list of types')
    return names


@dataclass(eq=False)
class _Reading:
    layout: Layout
    left_out: LeftOut
    notes: list[str]
    place_of: dict[str, int] = field(default_factory=dict)

    def entities(self) -> Iterator[EntityPart]:
        """In the order of the files. The first of an id counts."""
        for path in self.layout.entities:
            table = read_table(path, self.layout.root, self.left_out, self.notes)
            places = table.places(ENTITY_COLUMNS, ("id",))
            used = set(places.values())
            others = [(place, name) for place, name in enumerate(table.header) if place not in used and name]
            if "type" not in places:
                self.notes.append(f'{table.name} has no column "type": its entities are of type "{NO_TYPE}"')
            rows: list[tuple[str, str, str, str, str]] = []
            for line, cells in table.rows:
                if row := self._entity(table.name, line, cells, places, others):
                    rows.append(row)
                if len(rows) == PLAIN_PART:
                    yield _part(rows)
                    rows = []
            if rows:
                yield _part(rows)
        if not self.place_of:
            raise FormatError(f"{self.layout.entities[0].name} has no entities: are its first line the column names?")

    def _entity(
        self,
        file: str,
        line: int,
        cells: Sequence[str],
        places: Mapping[str, int],
        others: Sequence[tuple[int, str]],
    ) -> tuple[str, str, str, str, str] | None:
        said = {what: cells[place] for what, place in places.items()}
        own_id = said["id"]
        if not own_id:
            self.left_out.reject(file, line, "an entity without an id")
            return None
        if own_id in self.place_of:
            self.left_out.count(f"ids that stand in {file} again, and of which the first was kept", own_id, line)
            return None
        self.place_of[own_id] = len(self.place_of)
        if "type" in places and not said["type"]:
            self.left_out.count(f'entities without a type in {file}, which are of type "{NO_TYPE}" now', own_id, line)
        if not said.get("title"):
            self.left_out.count(f"entities without a title in {file}, which go by their id", own_id, line)
        attributes = encoded((name, cells[place]) for place, name in others)
        return own_id, said.get("type") or NO_TYPE, said.get("title") or own_id, said.get("text", ""), attributes

    def relations(self) -> Iterator[RelationPart]:
        """By name, as the files come. One that leads nowhere has no place."""
        if not self.layout.relations:
            self.notes.append("there is no table of relations (relations.csv)")
        ends: dict[str, tuple[array[int], array[int]]] = {}
        for path in self.layout.relations:
            table = read_table(path, self.layout.root, self.left_out, self.notes)
            places = table.places(RELATION_COLUMNS, ("source", "target"))
            if "relation" not in places:
                self.notes.append(f'{table.name} has no column "relation": its relations are called "{NO_RELATION}"')
            for line, cells in table.rows:
                name = (cells[places["relation"]] if "relation" in places else "") or NO_RELATION
                source, target = (self._place(table.name, line, cells[places[end]]) for end in ("source", "target"))
                both = ends.setdefault(name, (array("q"), array("q")))
                both[0].append(source)
                both[1].append(target)
        self.left_out.say()
        for name, (sources, targets) in ends.items():
            yield RelationPart(name, np.array(sources, dtype=np.int64), np.array(targets, dtype=np.int64))

    def _place(self, file: str, line: int, own_id: str) -> int:
        place = self.place_of.get(own_id, -1)
        if place < 0:
            self.left_out.count(f"ends of relations in {file} that name no entity", own_id, line)
        return place


def _part(rows: list[tuple[str, str, str, str, str]]) -> EntityPart:
    return EntityPart(*map(list, zip(*rows, strict=True)))
