"""What templates compile to gives the answers and the ways that walking plain sets gives."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

import duckdb
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.knowledge.templates import Leg, RelationPath, Template, TemplateStep
from data.knowledge import builder as building
from data.knowledge.base import KnowledgeBase

TYPES = ("paper", "author", "field")
NAMES = ("writes", "cites", "about")
UNKNOWN = "none of these"
DIRECTIONS = ("forward", "back", "either")


@dataclass(frozen=True)
class Scene:
    """A small knowledge base as plain values, a template and what fills its blanks."""

    sizes: tuple[int, ...]
    relations: frozenset[tuple[str, int, int]]
    template: Template
    given: Mapping[str, tuple[int, ...]]

    def rows(self, type: str) -> range:
        if type not in TYPES:
            return range(0)
        place = TYPES.index(type)
        first = sum(self.sizes[:place])
        return range(first, first + self.sizes[place])

    def steps(self, step: TemplateStep, row: int) -> set[tuple[int, str]]:
        """Where one step leads, by which relation."""
        found = set()
        for name, source, target in self.relations:
            if name in step.relations and step.direction != "back" and source == row:
                found.add((target, name))
            if name in step.relations and step.direction != "forward" and target == row:
                found.add((source, name))
        return {(row, name) for row, name in found if row in self.rows(step.type)}

    def walks(self, leg: Leg) -> set[tuple[int, ...]]:
        """All that follow a leg."""
        starts = self.rows(leg.type) if leg.slot is None else self.given[leg.slot]
        walks = {(row,) for row in starts if row in self.rows(leg.type)}
        for step in leg.steps:
            walks = {(*walk, row) for walk in walks for row, _ in self.steps(step, walk[-1])}
        return walks

    def answers(self) -> list[int]:
        found = set(self.rows(self.template.answer_type))
        for leg in self.template.legs:
            reached = {walk[-1] for walk in self.walks(leg)}
            found = found - reached if leg.is_negated else found & reached
        return sorted(found - {row for slot in self.template.slots for row in self.given[slot]})


@st.composite
def _legs(draw: st.DrawFn, answer_type: str) -> Leg:
    types = [*draw(st.lists(st.sampled_from(TYPES), min_size=1, max_size=2 if draw(st.booleans()) else 3)), answer_type]
    steps = tuple(
        TemplateStep(
            tuple(
                draw(st.lists(st.sampled_from((*NAMES, *NAMES, *NAMES, UNKNOWN)), min_size=1, max_size=2, unique=True))
            ),
            type,
            draw(st.sampled_from(DIRECTIONS)),
        )
        for type in types[1:]
    )
    slot = draw(st.sampled_from((types[0], types[0], f"{types[0]}_2", None)))
    return Leg(steps, types[0], slot, draw(st.integers(0, 2)) == 2)


@st.composite
def scenes(draw: st.DrawFn) -> Scene:
    sizes = tuple(draw(st.lists(st.integers(2, 6), min_size=3, max_size=3)))
    n = sum(sizes)
    places = np.random.default_rng(draw(st.integers(0, 999))).random((len(NAMES), n, n)) < draw(st.floats(0.05, 0.35))
    relations = frozenset((NAMES[number], int(here), int(there)) for number, here, there in np.argwhere(places))
    answer_type = UNKNOWN if draw(st.integers(0, 19)) == 19 else draw(st.sampled_from(TYPES))
    legs = draw(st.lists(_legs(answer_type), max_size=2))
    positive = draw(_legs(answer_type))
    legs.insert(draw(st.integers(0, len(legs))), Leg(positive.steps, positive.type, positive.slot))
    template = Template("drawn", tuple(legs), "")
    firsts = dict(zip(TYPES, accumulate((0, *sizes)), strict=False))
    chosen = {
        slot: tuple(
            draw(
                st.lists(st.integers(firsts[kind], firsts[kind] + sizes[TYPES.index(kind)] - 1), min_size=1, max_size=2)
            )
        )
        for slot, kind in template.slots.items()
    }
    return Scene(sizes, relations, template, chosen)


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as opened:
        opened.execute("SET threads = 1")
        opened.execute(building.SCHEMA.read_text(encoding="utf-8"))
        yield opened


def _filled(connection: duckdb.DuckDBPyConnection, scene: Scene) -> KnowledgeBase:
    """The same as a knowledge base, in memory."""
    fields = {"name": "", "origin": "", "templates": "", "made_up": True, "notes": [], "key": ""}
    counts = {"n_entities": sum(scene.sizes), "n_relations": len(scene.relations), "layout": building.LAYOUT}
    tables = {
        "about": [(json.dumps({**fields, **counts}),)],
        "types": [
            (place, name, scene.rows(name).start, len(scene.rows(name)), True) for place, name in enumerate(TYPES)
        ],
        "relation_names": list(enumerate(NAMES)),
        "forward": sorted((NAMES.index(name), source, target) for name, source, target in scene.relations),
        "reverse": sorted((NAMES.index(name), target, source) for name, source, target in scene.relations),
    }
    for table, rows in tables.items():
        said = ", ".join(f"({', '.join(repr(value) for value in row)})" for row in rows)
        connection.execute(f"DELETE FROM {table}" + (f"; INSERT INTO {table} VALUES {said}" if rows else ""))
    return KnowledgeBase(Path(), connection)


def _check_way(scene: Scene, way: RelationPath) -> None:
    for step, (here, there), name in zip(
        scene.template.legs[way.leg].steps, zip(way.rows, way.rows[1:], strict=False), way.relations, strict=True
    ):
        assert (there, name) in scene.steps(step, here)


@given(scene=scenes())
@settings(max_examples=50, deadline=None)
def test_answers_and_ways_are_those_of_walking_plain_sets(connection: duckdb.DuckDBPyConnection, scene: Scene) -> None:
    base = _filled(connection, scene)
    expected = scene.answers()
    found = base.answers(scene.template, scene.given).tolist()
    assert found == expected
    assert base.count_answers(scene.template, scene.given) == len(expected)
    assert not set(found) & {row for slot in scene.template.slots for row in scene.given[slot]}
    for answer in expected[:1]:
        _check_ways(base, scene, answer)


def _check_ways(base: KnowledgeBase, scene: Scene, answer: int) -> None:
    wanted = {
        number: {walk for walk in scene.walks(leg) if walk[-1] == answer}
        for number, leg in enumerate(scene.template.legs)
        if not leg.is_negated
    }
    few = base.ways(scene.template, scene.given, answer, most=2)
    assert sorted(way.leg for way in few) == sorted(n for n, walks in wanted.items() for _ in list(walks)[:2])
    every = base.ways(scene.template, scene.given, answer, most=20)
    assert set(few) <= set(every)
    for number, walks in wanted.items():
        found = [way.rows for way in every if way.leg == number]
        assert len(found) == len(set(found)) == min(len(walks), 20)
        assert set(found) <= walks
    for way in every:
        _check_way(scene, way)
