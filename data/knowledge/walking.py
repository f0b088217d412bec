"""Walks: from given entities by one relation to a type, from all of those by another, and so on.

A walk is a template of one leg, so what it reaches is what `KnowledgeBase.answers` gives.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.errors import InputError
from core.knowledge.spans import Direction, NeighbourCount, Rows
from core.knowledge.templates import MOST_STEPS, Leg, Step, Template
from data.knowledge.base import KnowledgeBase

SLOT = "start"
"""The blank of a walk's template, unless it is kept under another name."""


@dataclass(frozen=True, slots=True)
class Move:
    """One step: by a relation, in a direction, to all entities of a type."""

    relation: str
    direction: Direction
    type: str


@dataclass(frozen=True, slots=True)
class Walk:
    """Where it starts, and its steps."""

    rows: tuple[int, ...]
    """Of the entities that it starts from, all of one type: from any of these."""
    moves: tuple[Move, ...] = ()

    def __post_init__(self) -> None:
        if not self.rows:
            raise InputError("a walk starts from at least one entity")
        if len(self.moves) > MOST_STEPS:
            raise InputError(f"a walk has at most {MOST_STEPS} steps, got {len(self.moves)}")

    @property
    def is_full(self) -> bool:
        """Whether it can't go on."""
        return len(self.moves) >= MOST_STEPS

    def then(self, move: Move) -> Walk:
        """One step further."""
        return replace(self, moves=(*self.moves, move))

    def first(self, n: int) -> Walk:
        """Its first n steps."""
        return replace(self, moves=self.moves[:n])


def moves_from(base: KnowledgeBase, type: str) -> tuple[Move, ...]:
    """The steps that lead on from a type, in the order of the knowledge base's relations.

    A relation between two types that is given both ways, as STaRK has them in Prime, is one step that goes either way.
    """
    n_of = {(kind.name, kind.source, kind.target): kind.n for kind in base.relation_types}
    found: dict[Move, None] = {}
    for kind in base.relation_types:
        is_double = kind.source != kind.target and n_of.get((kind.name, kind.target, kind.source)) == kind.n
        if kind.source == type:
            found[Move(kind.name, "either" if is_double else "forward", kind.target)] = None
        if kind.target == type:
            found[Move(kind.name, "either" if is_double else "back", kind.source)] = None
    return tuple(found)


def neighbour_groups(base: KnowledgeBase, row: int) -> tuple[NeighbourCount, ...]:
    """How many neighbours an entity has; those that a relation leads to forward and back alike are counted once."""
    counts = base.neighbour_counts(row)
    n_of = {(count.relation, count.direction, count.type): count.n for count in counts}
    found: dict[tuple[str, Direction, str], NeighbourCount] = {}
    for count in counts:
        other: Direction = "back" if count.direction == "forward" else "forward"
        if n_of.get((count.relation, other, count.type)) == count.n == _n_either(base, row, count):
            count = replace(count, direction="either")
        found.setdefault((count.relation, count.direction, count.type), count)
    return tuple(found.values())


def _n_either(base: KnowledgeBase, row: int, count: NeighbourCount) -> int:
    kind = base.types[count.type]
    ((n,),) = base.rows(
        """
        SELECT count(*) FROM (
            SELECT target FROM forward
            WHERE relation = $relation AND source = $row AND target BETWEEN $first AND $last
            UNION
            SELECT source FROM reverse
            WHERE relation = $relation AND target = $row AND source BETWEEN $first AND $last
        )
        """,
        {
            "relation": base.relation_numbers[count.relation],
            "row": row,
            "first": kind.first,
            "last": kind.first + kind.n - 1,
        },
    )
    return int(n)


def can_walk(base: KnowledgeBase, type: str, moves: Sequence[Move]) -> bool:
    """Whether the knowledge base has these steps, one after the other, from this type on."""
    for move in moves:
        if move not in moves_from(base, type):
            return False
        type = move.type
    return len(moves) <= MOST_STEPS


def template_of_walk(
    moves: Sequence[Move], type: str, *, template_id: str = "walk", question: str = "", slot: str = SLOT
) -> Template:
    """These steps as a template: a question about what they reach, with the start as its blank."""
    if not moves:
        raise InputError("take a step first: a question needs at least one relation")
    steps = tuple(Step((move.relation,), move.type, move.direction) for move in moves)
    return Template(template_id, (Leg(steps, type, slot),), question)


def reached(base: KnowledgeBase, walk: Walk) -> Rows:
    """The rows of all that its last step reaches, rising; where it starts is not among them."""
    template = template_of_walk(walk.moves, base.type_of(walk.rows[0]))
    return base.answers(template, {SLOT: walk.rows})


def moves_to(base: KnowledgeBase, type: str, wanted: Sequence[str], *, most: int = 3) -> tuple[Move, ...] | None:
    """The shortest way from a type to one of the types wanted; None: there is none of at most so many steps.

    It does not go back to a type where it was. The first of several as short.
    """
    ways: list[tuple[Move, ...]] = [()]
    seen = {type}
    for _ in range(most):
        longer = []
        for way in ways:
            for move in moves_from(base, way[-1].type if way else type):
                if move.type in wanted:
                    return (*way, move)
                if move.type not in seen:
                    seen.add(move.type)
                    longer.append((*way, move))
        ways = longer
    return None
