"""Neighbours and templates as SQL over the sorted relations.

Only numbers of the knowledge base stand in a statement: relations, and where the rows of a type begin and end. What is
given is bound.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from core.errors import InputError
from core.knowledge.spans import TURNED, Direction, EntityType, NeighbourCount, Rows
from core.knowledge.templates import Leg, Step, Template, Way

if TYPE_CHECKING:
    from data.knowledge.base import KnowledgeBase

TABLES: dict[Direction, tuple[tuple[str, str, str], ...]] = {
    "forward": (("forward", "source", "target"),),
    "back": (("reverse", "target", "source"),),
    "either": (("forward", "source", "target"), ("reverse", "target", "source")),
}
"""Where a relation is looked up by the entity that is known: table, column of that entity, column of the other."""
SqlCondition = Callable[[str], str]
"""What holds of the entities in a column, as SQL."""
NOWHERE = "SELECT 0::INTEGER AS known, 0::INTEGER AS entity, 0::UTINYINT AS relation WHERE false"


def neighbour_counts(base: KnowledgeBase, row: int) -> tuple[NeighbourCount, ...]:
    """How many neighbours it has, by relation, direction and type."""
    found: list[NeighbourCount] = []
    for direction in ("forward", "back"):
        ((table, here, there),) = TABLES[direction]
        counted = base.rows(
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
    base: KnowledgeBase, row: int, relation: str, direction: Direction, type: str, *, offset: int, limit: int
) -> Rows:
    """Some rows, rising."""
    sql = f"SELECT DISTINCT entity FROM ({_step(_bound('row'), Step((relation,), type, direction), base)})"
    sql = f"{sql} ORDER BY entity LIMIT $limit OFFSET $offset"
    return base.column(sql, _named({"row": [row], "offset": offset, "limit": limit}, sql))


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


def _step(known: SqlCondition, step: Step, base: KnowledgeBase, landing: SqlCondition | None = None) -> str:
    """Where one step leads (entity), from where (known) and by which relation; an entity as often as it is led to."""
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


def _before(leg: Leg, number: int) -> Step:
    """A step of a leg walked back: to what stands before it."""
    step = leg.steps[number]
    return Step(step.relations, leg.steps[number - 1].type if number else leg.type, TURNED[step.direction])


def _reached(leg: Leg, name: str, base: KnowledgeBase, n_steps: int) -> SqlCondition:
    """What is true of the entities that the first steps of a leg lead to."""
    condition = _start(leg, name, base)
    for step in leg.steps[:n_steps]:
        condition = _among(f"SELECT DISTINCT entity FROM ({_step(condition, step, base)})")
    return condition


def _leg(leg: Leg, name: str, base: KnowledgeBase) -> str:
    """All that a leg leads to, an entity as often as it does."""
    last = _step(_reached(leg, name, base, len(leg.steps) - 1), leg.steps[-1], base)
    return f"SELECT entity FROM ({last})"


def _led_to(leg: Leg, name: str, base: KnowledgeBase) -> str:
    """Those of the entities in `found` that a leg leads to: its last step is walked back from them."""
    landing = _reached(leg, name, base, len(leg.steps) - 1)
    last = _step(_among("SELECT entity FROM found"), _before(leg, len(leg.steps) - 1), base, landing)
    return f"SELECT known AS entity FROM ({last})"


# Answers


def answers(base: KnowledgeBase, template: Template, given: Mapping[str, Sequence[int]]) -> Rows:
    """The rows of all answers, rising; what fills a blank is none."""
    filled = _checked(base, template, given)
    sql = f"{_met(base, template)} ORDER BY entity"
    return base.column(sql, _parameters(template, filled, sql))


def count_answers(base: KnowledgeBase, template: Template, given: Mapping[str, Sequence[int]]) -> int:
    """How many answers there are."""
    filled = _checked(base, template, given)
    sql = f"SELECT count(*) FROM ({_met(base, template)})"
    return int(base.column(sql, _parameters(template, filled, sql))[0])


def _met(base: KnowledgeBase, template: Template) -> str:
    """What legs from something given all lead to; of that, the others keep or leave out what they lead to."""
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
    """Those that a statement names: a leg of an unknown relation names none, and DuckDB takes no others."""
    named = set(re.findall(r"\$(\w+)", sql))
    return {name: value for name, value in parameters.items() if name in named}


def _checked(base: KnowledgeBase, template: Template, given: Mapping[str, Sequence[int]]) -> dict[str, list[int]]:
    """The entities of each blank: at least one, and of its type. Nothing can be of a type that there is none of."""
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
                + _said(base, other[0])
            )
    return filled


def _said(base: KnowledgeBase, row: int) -> str:
    if not 0 <= row < base.about.n_entities:
        return f"there is no entity in row {row}"
    (entity,) = base.entities([row])
    return f'"{entity.title[:80]}" is of type {entity.type}'


# Ways


def ways(
    base: KnowledgeBase, template: Template, given: Mapping[str, Sequence[int]], answer: int, *, most: int
) -> tuple[Way, ...]:
    """How each leg leads to this answer, a few ways each; a negated leg leads nowhere."""
    filled = _checked(base, template, given)
    if any(answer in rows for rows in filled.values()):
        return ()
    return tuple(
        way
        for number, leg in enumerate(template.legs)
        if not leg.is_negated
        for way in islice(_ways(base, leg, number, filled.get(leg.slot or "", []), answer, most), max(most, 0))
    )


def _ways(base: KnowledgeBase, leg: Leg, number: int, start: list[int], answer: int, most: int) -> Iterator[Way]:
    """Back from the answer, by entities that the leg can reach alone: no turn is taken in vain."""
    if answer not in _rows_of(base, leg.steps[-1].type):
        return
    names = {number: name for name, number in base.relation_numbers.items()}
    walks: list[tuple[tuple[int, ...], tuple[str, ...]]] = [((answer,), ())]
    while walks:
        rows, relations = walks.pop()
        place = len(leg.steps) - len(rows)
        if place < 0:
            yield Way(number, rows, relations)
            continue
        hop = _step(_bound("here"), _before(leg, place), base, _reached(leg, "start", base, place))
        sql = f"SELECT entity, min(relation) FROM ({hop}) GROUP BY entity ORDER BY entity LIMIT $most"
        found = base.rows(sql, _named({"start": start, "here": [rows[0]], "most": most}, sql))
        walks += [((row, *rows), (names[by], *relations)) for row, by in reversed(found)]


def _rows_of(base: KnowledgeBase, type: str) -> range:
    kind = base.types.get(type)
    return range(0) if kind is None else kind.rows
