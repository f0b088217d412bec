"""Small knowledge bases, made by hand."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np

from data.knowledge.base import KnowledgeBase
from data.knowledge.bases import KnowledgeBases
from data.knowledge.builder import EntityPart, KnowledgeBaseParts, RelationPart

Entities = Mapping[str, tuple[str, str] | tuple[str, str, str]]
"""Type, title and perhaps text, by id."""


def parts_of(
    entities: Entities,
    relations: Iterable[tuple[str, str, str]],
    *,
    answer_types: tuple[str, ...] = (),
    templates: str = "",
) -> KnowledgeBaseParts:
    """`relations`: source id, name, target id."""
    place = {entity_id: place for place, entity_id in enumerate(entities)}
    described = [(*each, "")[:3] for each in entities.values()]
    part = EntityPart(
        list(entities),
        [kind for kind, _, _ in described],
        [title for _, title, _ in described],
        [text for _, _, text in described],
        [json.dumps([["name", title]]) for _, title, _ in described],
    )
    listed = list(relations)
    by_name = {
        name: [(place[source], place[target]) for source, given, target in listed if given == name]
        for name in dict.fromkeys(name for _, name, _ in listed)
    }
    return KnowledgeBaseParts(
        [part],
        [RelationPart(name, *np.array(pairs, dtype=np.int64).T) for name, pairs in by_name.items()],
        answer_types,
        templates,
    )


def base_of(root: Path, parts: KnowledgeBaseParts, name: str = "small") -> KnowledgeBase:
    """Built and open."""
    bases = KnowledgeBases(root)
    bases.save(name, parts, origin="by hand")
    return bases.open(name)
