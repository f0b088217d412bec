"""What a question demands of relations: a template with its blanks filled. Queries carry it in their labels."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from core.ranking.types import Query
from core.types import Ids

TEMPLATE, GIVEN = "template", "given"
"""Names of the labels."""


@dataclass(frozen=True, slots=True)
class Requirement:
    """A template and the ids of the entities that fill its blanks."""

    template_id: str
    given: Mapping[str, Ids]

    @property
    def labels(self) -> tuple[tuple[str, str], ...]:
        """As a query carries it."""
        given = {slot: list(ids) for slot, ids in self.given.items()}
        return (TEMPLATE, self.template_id), (GIVEN, json.dumps(given, ensure_ascii=False))


def requirement_of(query: Query) -> Requirement | None:
    """What a query's labels say; None where they say nothing that can be read.

    >>> made = Requirement("mag-author", {"author": ("a7",)})
    >>> requirement_of(Query("1", "papers by Ito", made.labels)) == made
    True
    """
    labels = dict(query.labels)
    if TEMPLATE not in labels or GIVEN not in labels:
        return None
    try:
        given = json.loads(labels[GIVEN])
    except (ValueError, RecursionError):
        return None
    if not isinstance(given, dict) or not all(isinstance(ids, list) for ids in given.values()):
        return None
    return Requirement(labels[TEMPLATE], {slot: tuple(map(str, ids)) for slot, ids in given.items()})
