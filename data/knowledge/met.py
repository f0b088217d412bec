"""Which documents meet what a question demands of relations, whether its labels say so or it is read from its words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from core.errors import QueryscapeError
from core.knowledge.evidence import propose
from core.knowledge.spans import Rows
from core.knowledge.templates import Requirement, Template, compose, question_words, requirement_of
from core.ranking.check import Query
from core.types import Ids
from data.knowledge.base import KnowledgeBase
from data.knowledge.reading import mentions_in
from data.knowledge.templates import template_of, templates_of
from data.store import Store

Filled = Mapping[str, tuple[int, ...]]


@dataclass(frozen=True, eq=False)
class Met:
    """A relational requirement and all that meets it."""

    requirement: Requirement
    how: Literal["given", "proposed"]
    """By the query's labels, or read from its words, which may be wrong."""
    words: str
    """The requirement as a question."""
    answer_type: str
    """Of the entities that meet it."""
    rows: Rows
    """Of all of them, rising."""
    base: KnowledgeBase = field(repr=False)

    def among(self, doc_ids: Sequence[str]) -> Ids:
        """Those of these documents that meet it, in their order."""
        row_of = self.base.rows_of(list(dict.fromkeys(doc_ids)))
        held = [doc_id for doc_id in doc_ids if doc_id in row_of]
        meets = np.isin([row_of[doc_id] for doc_id in held], self.rows)
        return tuple(doc_id for doc_id, does in zip(held, meets.tolist(), strict=True) if does)

    def sentence(self, doc_ids: Sequence[str]) -> str:
        """How many of these meet it."""
        n = len(self.among(doc_ids))
        return f"The relational requirement was met by {n:,} of these {len(doc_ids):,}."

    def answers(self, most: int) -> Ids:
        """The ids of the first that meet it, by row."""
        return tuple(entity.entity_id for entity in self.base.entities(self.rows[:most]))


def requirement_met(base: KnowledgeBase, store: Store | None, query: Query) -> Met | None:
    """What a query demands of this knowledge base's relations, and what meets it; None: nothing that can be told."""
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
) -> Met:
    titles = {slot: base.entities(rows[:1])[0].title for slot, rows in filled.items()}
    return Met(
        requirement, how, question_words(template, titles), template.answer_type, base.answers(template, filled), base
    )


def _known(
    base: KnowledgeBase, templates: Sequence[Template], requirement: Requirement
) -> tuple[Template, Filled] | None:
    """A template and what fills it as this knowledge base has them; None: it lacks some of that."""
    template = _template(templates, requirement.template_id)
    if template is None or not template.slots.keys() <= requirement.given.keys():
        return None
    filled = {}
    for slot, kind in template.slots.items():
        rows = sorted(base.rows_of(requirement.given[slot]).values())
        filled[slot] = tuple(row for row in rows if base.type_of(row) == kind)
    return (template, filled) if all(filled.values()) else None


def _template(templates: Sequence[Template], template_id: str) -> Template | None:
    """One by its id, also one that was put together of others."""
    try:
        return template_of(templates, template_id)
    except QueryscapeError:
        pass
    try:
        return compose([template_of(templates, part) for part in template_id.split("+")], template_id=template_id)
    except QueryscapeError:
        return None
