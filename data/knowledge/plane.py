"""Entities on a plane by their texts: a sample that is laid out once, and any others placed among them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.errors import InputError
from core.knowledge.spans import Rows
from core.protocols import OnStage, silent
from core.ranking.check import Document
from core.types import Points
from data.collections.stored import documents_key
from data.knowledge.base import KnowledgeBase
from data.knowledge.walking import Walk, moves_to, reached
from data.paths import WorkspacePaths
from data.retrieval.corpus import Corpus
from data.retrieval.opening import DEFAULT_EMBEDDER
from data.retrieval.plane import open_plane

MOST_ENTITIES_SAMPLED = 5_000
MOST_HIGHLIGHTED = 200
LONGEST_TEXT = 20_000
"""Characters of an entity's text that are read."""


@dataclass(frozen=True, eq=False)
class EntityPlane:
    """Where entities of one type lie."""

    type: str
    rows: Rows
    """Of the sample, then of those that are highlighted and not in it."""
    points: Points
    """Shape (n, 2); NaN for an entity whose text has no words."""
    n_all: int
    """Entities of the type."""
    kept_share: float
    """How much of the differences between the texts' vectors the plane keeps, 0 to 1."""


@dataclass(frozen=True, eq=False)
class Highlighted:
    """What stands for an entity among the texts of a type."""

    type: str
    own: Rows
    """Its own texts: itself where it is of the type, else what the shortest way leads to."""
    near: Rows
    """Of its own type's neighbours; only where it is itself of the type."""
    n_own: int
    n_near: int
    """How many there are; no more than 200 of each are highlighted."""


def highlighted(base: KnowledgeBase, row: int, types: Sequence[str] | None = None) -> Highlighted | None:
    """What is highlighted for an entity; None where no way of three steps leads to a type that questions ask for."""
    wanted = types or base.answer_types
    kind = base.type_of(row)
    if kind in wanted:
        near = _near(base, row, kind)
        return Highlighted(kind, np.array([row]), near[:MOST_HIGHLIGHTED], 1, len(near))
    moves = moves_to(base, kind, wanted)
    if moves is None:
        return None
    own = reached(base, Walk((row,), moves))
    return Highlighted(moves[-1].type, own[:MOST_HIGHLIGHTED], np.zeros(0, np.int64), len(own), 0)


def _near(base: KnowledgeBase, row: int, kind: str) -> Rows:
    """Neighbours of its own type, by any relation."""
    found: dict[int, None] = {}
    for count in base.neighbour_counts(row):
        if count.type == kind:
            limit = MOST_HIGHLIGHTED + 1
            near = base.neighbours(row, count.relation, count.direction, kind, limit=limit)
            found.update(dict.fromkeys(entity.row for entity in near if entity.row != row))
    return np.array(list(found), dtype=np.int64)


def sampled_rows(base: KnowledgeBase, type: str) -> Rows:
    """At most so many entities of a type, evenly spread and always the same."""
    kind = base.types[type]
    return np.unique(
        np.linspace(kind.first, kind.first + kind.n - 1, min(MOST_ENTITIES_SAMPLED, kind.n)).astype(np.int64)
    )


def lay_out(
    base: KnowledgeBase, paths: WorkspacePaths, type: str, more: Sequence[int] = (), on_stage: OnStage = silent
) -> EntityPlane:
    """A sample of the type, and `more` of it. The sample's vectors and places are made once and kept on disk."""
    if type not in base.types:
        raise InputError(f'knowledge base "{base.about.name}" has no entities of type "{type[:80]}"')
    on_stage("reading texts")
    sample = sampled_rows(base, type)
    documents = documents_of(base, sample)
    key = documents_key(documents)
    plane = open_plane(Corpus(documents, key, paths.retrieval(key)), DEFAULT_EMBEDDER, on_stage)
    there = set(sample.tolist())
    others = [row for row in dict.fromkeys(map(int, more)) if row not in there][: 2 * MOST_HIGHLIGHTED]
    on_stage("placing what is highlighted")
    placed = [plane.place(document.whole) for document in documents_of(base, others)]
    beyond = np.array([place or (np.nan, np.nan) for place in placed]).reshape(-1, 2)
    return EntityPlane(
        type,
        np.concatenate([sample, np.array(others, dtype=np.int64)]),
        np.concatenate([plane.points, beyond]),
        base.types[type].n,
        plane.kept_share,
    )


def documents_of(base: KnowledgeBase, rows: Sequence[int] | Rows) -> tuple[Document, ...]:
    """The texts of these entities; long ones are cut."""
    wanted = list(map(int, rows))
    texts = dict(
        base.rows(
            """
            SELECT row, left(text, $longest) FROM texts WHERE row IN (SELECT unnest($rows::INTEGER[]))
            """,
            {"rows": wanted, "longest": LONGEST_TEXT},
        )
    )
    return tuple(
        Document(entity.entity_id, entity.title[:LONGEST_TEXT], texts[entity.row]) for entity in base.entities(wanted)
    )
