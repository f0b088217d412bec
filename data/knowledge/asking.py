"""Neighbours and templates as SQL over the sorted relations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from core.errors import InputError
from core.knowledge.templates import Leg, Step, Template, Way
from core.knowledge.types import Direction, NeighbourCount, Rows

if TYPE_CHECKING:
    from data.knowledge.base import KnowledgeBase

TABLES: dict[Direction, tuple[tuple[str, str, str], ...]] = {
    "forward": (("forward", "source", "target"),),
    "back": (("reverse", "target", "source"),),
    "either": (("forward", "source", "target"), ("reverse", "target", "source")),
}
"""Where a relation is looked up by the entity that is known: table, column of that entity, column of the other."""


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
    sql = _step("SELECT $row::INTEGER AS entity", Step((relation,), type, direction), base)
    parameters = {"row": row, "offset": offset, "limit": limit}
    return base.column(f"{sql} ORDER BY entity LIMIT $limit OFFSET $offset", parameters)


def _step(before: str, step: Step, base: KnowledgeBase) -> str:
    """Where one step leads from the entities of a query. Only numbers of the knowledge base go into the text."""
    kind = base.types.get(step.type)
    numbers = [base.relation_numbers[name] for name in step.relations if name in base.relation_numbers]
    if kind is None or not numbers:
        return "SELECT 0::INTEGER AS entity WHERE false"
    among = ", ".join(map(str, numbers))
    parts = [
        f"""
        SELECT r.{there} AS entity FROM {table} AS r
        WHERE r.relation IN ({among}) AND r.{here} IN (SELECT entity FROM ({before}))
            AND r.{there} BETWEEN {kind.first} AND {kind.first + kind.n - 1}
        """
        for table, here, there in TABLES[step.direction]
    ]
    return f"SELECT DISTINCT entity FROM ({' UNION ALL '.join(parts)})"


def _leg(leg: Leg, number: int, base: KnowledgeBase) -> str:
    kind = base.types.get(leg.type)
    if leg.slot is not None:
        sql = f"SELECT unnest($leg{number}::INTEGER[]) AS entity"
    elif kind is None:
        sql = "SELECT 0::INTEGER AS entity WHERE false"
    else:
        sql = f"SELECT unnest(range({kind.first}, {kind.first + kind.n}))::INTEGER AS entity"
    for step in leg.steps:
        sql = _step(sql, step, base)
    return sql


def answers(base: KnowledgeBase, template: Template, given: Mapping[str, Sequence[int]]) -> Rows:
    """The rows of all answers, rising; what fills a blank is none."""
    if missing := template.slots.keys() - given.keys():
        raise InputError(f'template "{template.template_id}" needs {", ".join(sorted(missing))}')
    legs = sorted(enumerate(template.legs), key=lambda each: each[1].is_negated)
    sql = ""
    for number, leg in legs:
        joined = "" if not sql else " EXCEPT " if leg.is_negated else " INTERSECT "
        sql += f"{joined}({_leg(leg, number, base)})"
    filled = {f"leg{number}": list(map(int, given[leg.slot])) for number, leg in legs if leg.slot is not None}
    own = sorted({row for rows in filled.values() for row in rows})
    return base.column(
        f"SELECT entity FROM ({sql}) WHERE NOT list_contains($own::INTEGER[], entity) ORDER BY entity",
        {**filled, "own": own},
    )


def ways(
    base: KnowledgeBase, template: Template, given: Mapping[str, Sequence[int]], answer: int, *, most: int
) -> tuple[Way, ...]:
    """How each leg leads to this answer, a few ways each."""
    raise NotImplementedError
