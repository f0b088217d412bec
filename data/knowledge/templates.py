"""Query templates of a knowledge base, walks along its relations, and documents that meet a requirement."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, Literal

import numpy as np

from core.collections import Query
from core.errors import CorruptStoreError, InputError, NotFoundError, QueryscapeError
from core.knowledge.entities import Direction, NeighbourCount, Rows
from core.knowledge.proposals import propose
from core.knowledge.templates import (
    MOST_STEPS,
    Leg,
    Requirement,
    Template,
    TemplateStep,
    compose,
    lacking,
    question_words,
    read_template,
    requirement_of,
    template_form,
)
from core.text import first_of
from core.types import Ids
from data.access import check_allowed
from data.knowledge.base import KnowledgeBase
from data.knowledge.titles import mentions_in
from data.store import Store

# The templates of a knowledge base: those of its set, and those that users added.

SETS = Path(__file__).with_name("template_sets")
OURS = "Queryscape"
"""The reference of templates in a set that were not published with it."""
MOST_NAMED = 20


def set_names() -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in SETS.glob("*.toml")))


@cache
def template_set(name: str) -> tuple[Template, ...]:
    """Return a set in order: published templates, then ours; empty for an unknown name."""
    return tuple(read_template({"reference": reference, **form}) for reference, form in _forms(name))


@cache
def published(name: str) -> tuple[Template, ...]:
    """Return the published templates of a set, without ours."""
    return tuple(template for template in template_set(name) if template.reference != OURS)


@cache
def compositions(name: str) -> tuple[Template, ...]:
    by_id = {template.template_id: template for template in template_set(name)}
    listed = _document(name).get("composed", [])
    return tuple(compose([by_id[template_id] for template_id in ids]) for ids in listed)


def _forms(name: str) -> list[tuple[str, dict[str, object]]]:
    document = _document(name)
    return [(document["reference"], form) for form in document.get("templates", [])]


def _document(name: str) -> dict[str, Any]:
    if name not in set_names():
        return {}
    return tomllib.loads((SETS / f"{name}.toml").read_text(encoding="utf-8"))


def templates_of(base: KnowledgeBase, store: Store | None = None) -> tuple[Template, ...]:
    """Return the base's own set with compositions, then the user's templates; only those that the base supports."""
    name = base.about.templates
    own = own_templates(store, base.about.name) if store is not None else ()
    every = (*template_set(name), *compositions(name), *own)
    return tuple(template for template in every if not lacking(template, base.types, base.relation_numbers))


def template_of(templates: Sequence[Template], template_id: str) -> Template:
    for template in templates:
        if template.template_id == template_id:
            return template
    raise NotFoundError(f'there is no template "{template_id[:80]}" for this knowledge base')


# Users' own templates


def save_template(store: Store, base: KnowledgeBase, template: Template) -> Template:
    """Save a user's template and return it, if the knowledge base has its types and relations and its id is free."""
    template = read_template(template_form(template))
    name = base.about.name
    steps = [step for leg in template.legs for step in leg.steps]
    unknown = [each for step in steps for each in step.relations if each not in base.relation_numbers]
    missing = (
        *(each for each in lacking(template, base.types, base.relation_numbers) if each.startswith("the type")),
        *(f'the relation "{each}"' for each in dict.fromkeys(unknown)),
    )
    if missing:
        raise InputError(
            f'knowledge base "{name}" lacks {first_of(missing, MOST_NAMED)}. '
            f"Types: {first_of(list(base.types), MOST_NAMED)}. "
            f"Relations: {first_of(list(base.relation_numbers), MOST_NAMED)}"
        )
    given = (*template_set(base.about.templates), *compositions(base.about.templates))
    with store.transaction():
        taken = {each.template_id for each in (*given, *own_templates(store, name))}
        if template.template_id in taken:
            raise InputError(f'there is a template "{template.template_id}" already: give this one another id')
        store.execute(
            "INSERT INTO knowledge_templates VALUES (?, ?, ?)",
            [name, template.template_id, json.dumps(template_form(template))],
        )
    return template


def delete_template(store: Store, base_name: str, template_id: str) -> None:
    check_allowed("delete")
    with store.transaction():
        if template_id not in {each.template_id for each in own_templates(store, base_name)}:
            raise NotFoundError(f'you added no template "{template_id[:80]}" to knowledge base "{base_name[:80]}"')
        store.execute("DELETE FROM knowledge_templates WHERE base = ? AND template_id = ?", [base_name, template_id])


def own_templates(store: Store, base_name: str) -> tuple[Template, ...]:
    found = store.rows(
        "SELECT document::VARCHAR FROM knowledge_templates WHERE base = ? ORDER BY template_id", [base_name]
    )
    try:
        return tuple(read_template(json.loads(document)) for (document,) in found)
    except (ValueError, InputError) as e:
        raise CorruptStoreError(f"{store.path} holds a template that can't be read ({e}): restore a backup") from e


# Walks: from given entities along a relation to a type, from all of those along another, and so on.
#
# A walk is a template of one leg, so `KnowledgeBase.answers` returns the entities that it reaches.

SLOT = "start"
"""The blank of a walk's template, unless it is saved under another name."""


@dataclass(frozen=True, slots=True)
class WalkStep:
    relation: str
    direction: Direction
    type: str


@dataclass(frozen=True, slots=True)
class Walk:
    rows: tuple[int, ...]
    """Rows of the entities that it starts from, all of one type; any of them will do."""
    moves: tuple[WalkStep, ...] = ()

    def __post_init__(self) -> None:
        if not self.rows:
            raise InputError("a walk starts from at least one entity")
        if len(self.moves) > MOST_STEPS:
            raise InputError(f"a walk has at most {MOST_STEPS} steps, got {len(self.moves)}")

    @property
    def is_full(self) -> bool:
        return len(self.moves) >= MOST_STEPS

    def then(self, move: WalkStep) -> Walk:
        return replace(self, moves=(*self.moves, move))

    def first(self, n: int) -> Walk:
        return replace(self, moves=self.moves[:n])


def moves_from(base: KnowledgeBase, type: str) -> tuple[WalkStep, ...]:
    """Return the steps from a type, in the order of the knowledge base's relations.

    A relation stored in both directions between two types, as in STaRK's Prime, is one step in either direction.
    """
    n_of = {(kind.name, kind.source, kind.target): kind.n for kind in base.relation_types}
    found: dict[WalkStep, None] = {}
    for kind in base.relation_types:
        is_double = kind.source != kind.target and n_of.get((kind.name, kind.target, kind.source)) == kind.n
        if kind.source == type:
            found[WalkStep(kind.name, "either" if is_double else "forward", kind.target)] = None
        if kind.target == type:
            found[WalkStep(kind.name, "either" if is_double else "back", kind.source)] = None
    return tuple(found)


def neighbour_groups(base: KnowledgeBase, row: int) -> tuple[NeighbourCount, ...]:
    """Count an entity's neighbours; neighbours that a relation reaches in both directions are counted once."""
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


def can_walk(base: KnowledgeBase, type: str, moves: Sequence[WalkStep]) -> bool:
    for move in moves:
        if move not in moves_from(base, type):
            return False
        type = move.type
    return len(moves) <= MOST_STEPS


def template_of_walk(
    moves: Sequence[WalkStep], type: str, *, template_id: str = "walk", question: str = "", slot: str = SLOT
) -> Template:
    """Turn these steps into a template: a question about the entities they reach, with the start as its blank."""
    if not moves:
        raise InputError("take a step first: a question needs at least one relation")
    steps = tuple(TemplateStep((move.relation,), move.type, move.direction) for move in moves)
    return Template(template_id, (Leg(steps, type, slot),), question)


def reached(base: KnowledgeBase, walk: Walk) -> Rows:
    """Return the ascending rows of all entities that the last step reaches, without the start."""
    template = template_of_walk(walk.moves, base.type_of(walk.rows[0]))
    return base.answers(template, {SLOT: walk.rows})


def moves_to(base: KnowledgeBase, type: str, wanted: Sequence[str], *, most: int = 3) -> tuple[WalkStep, ...] | None:
    """Return the shortest path from a type to one of the wanted types; None: none has at most `most` steps.

    It does not return to a visited type. Of several shortest paths, the first is returned.
    """
    ways: list[tuple[WalkStep, ...]] = [()]
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


# Documents that meet a question's relational requirement, from its labels or read from its words.

Filled = Mapping[str, tuple[int, ...]]


@dataclass(frozen=True, eq=False)
class RequirementMatch:
    requirement: Requirement
    how: Literal["given", "proposed"]
    """From the query's labels, or read from its words, which may be wrong."""
    words: str
    """The requirement as a question."""
    answer_type: str
    """The type of the entities that meet it."""
    rows: Rows
    """The ascending rows of all of them."""
    base: KnowledgeBase = field(repr=False)

    def among(self, doc_ids: Sequence[str]) -> Ids:
        row_of = self.base.rows_of(list(dict.fromkeys(doc_ids)))
        held = [doc_id for doc_id in doc_ids if doc_id in row_of]
        meets = np.isin([row_of[doc_id] for doc_id in held], self.rows)
        return tuple(doc_id for doc_id, does in zip(held, meets.tolist(), strict=True) if does)

    def sentence(self, doc_ids: Sequence[str]) -> str:
        n = len(self.among(doc_ids))
        return f"The relational requirement was met by {n:,} of these {len(doc_ids):,}."

    def answers(self, most: int) -> Ids:
        return tuple(entity.entity_id for entity in self.base.entities(self.rows[:most]))


def requirement_met(base: KnowledgeBase, store: Store | None, query: Query) -> RequirementMatch | None:
    """Return a query's relational requirement and the entities that meet it; None: none was recognised."""
    templates = templates_of(base, store)
    if (requirement := requirement_of(query)) is not None and (known := _known(base, templates, requirement)):
        template, filled = known
        return _met(base, "given", requirement, template, filled)
    proposals = propose(query.text, mentions_in(base, templates)(query.text), templates)
    if not proposals:
        return None
    best = proposals[0]
    given = {slot: tuple(each.entity_id for each in base.entities(rows)) for slot, rows in best.given.items()}
    return _met(base, "proposed", Requirement(best.template.template_id, given), best.template, best.given)


def _met(
    base: KnowledgeBase,
    how: Literal["given", "proposed"],
    requirement: Requirement,
    template: Template,
    filled: Filled,
) -> RequirementMatch:
    titles = {slot: base.entities(rows[:1])[0].title for slot, rows in filled.items()}
    return RequirementMatch(
        requirement, how, question_words(template, titles), template.answer_type, base.answers(template, filled), base
    )


def _known(
    base: KnowledgeBase, templates: Sequence[Template], requirement: Requirement
) -> tuple[Template, Filled] | None:
    template = _template(templates, requirement.template_id)
    if template is None or not template.slots.keys() <= requirement.given.keys():
        return None
    filled = {}
    for slot, kind in template.slots.items():
        rows = sorted(base.rows_of(requirement.given[slot]).values())
        filled[slot] = tuple(row for row in rows if base.type_of(row) == kind)
    return (template, filled) if all(filled.values()) else None


def _template(templates: Sequence[Template], template_id: str) -> Template | None:
    try:
        return template_of(templates, template_id)
    except QueryscapeError:
        pass
    try:
        return compose([template_of(templates, part) for part in template_id.split("+")], template_id=template_id)
    except QueryscapeError:
        return None
