"""`knowledge entity`: what an entity says of itself, and how many neighbours it has."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from core.errors import NotFoundError
from core.knowledge.spans import Entity, EntityText, NeighbourCount
from core.knowledge.templates import relation_words, type_words
from dashboard.commands import options
from dashboard.commands.output import print_json, results, row, say, shown, table, waiting
from data.knowledge.base import KnowledgeBase
from data.knowledge.titles import find_entities
from data.workspace import Workspace

MOST_TEXT = 2_000
"""Characters of a text that are printed; --json has all."""
MOST_OTHERS = 4


@click.command()
@click.argument("base")
@click.argument("id_or_title")
@click.option("--type", "kind", default=None, help="Only entities of this type.")
@options.data_dir
@options.as_json
def entity(base: str, id_or_title: str, kind: str | None, data_dir: Path | None, as_json: bool) -> None:
    """Text, attributes and neighbour counts of an entity, by its id or its title."""
    with Workspace.open(data_dir) as workspace, waiting("Searching titles"):
        opened = workspace.knowledge.open(base)
        found, *others = find_named(opened, id_or_title, kind)
        text, counts = opened.text(found.row), opened.neighbour_counts(found.row)
    if as_json:
        print_json(_entity_document(found, text, counts, others))
    else:
        _print_entity(found, text, counts)
        if others:
            named = ", ".join(f"{each.title or 'untitled'} ({each.entity_id})" for each in others)
            say(f"Others that may be meant: {named}")


def find_named(base: KnowledgeBase, id_or_title: str, kind: str | None) -> tuple[Entity, ...]:
    """The entity that is meant, then a few others that are called like it."""
    if kind is not None and kind not in base.types:
        raise NotFoundError(f'knowledge base "{base.about.name}" has no type "{kind[:80]}": {", ".join(base.types)}')
    found = find_entities(base, id_or_title, type=kind, k=1 + MOST_OTHERS)
    if not found:
        raise NotFoundError(f'knowledge base "{base.about.name}" has no entity called "{id_or_title[:80]}"')
    return found


def _entity_document(
    found: Entity, text: EntityText, counts: tuple[NeighbourCount, ...], others: list[Entity]
) -> dict[str, Any]:
    return {
        **brief(found),
        "text": text.text,
        "attributes": dict(text.attributes),
        "neighbours": [
            {"relation": count.relation, "direction": count.direction, "type": count.type, "n": count.n}
            for count in counts
        ],
        "others": [brief(each) for each in others],
    }


def brief(found: Entity) -> dict[str, str]:
    """An entity as a list in a document gives it."""
    return {"entity_id": found.entity_id, "type": found.type, "title": found.title}


def _print_entity(found: Entity, text: EntityText, counts: tuple[NeighbourCount, ...]) -> None:
    out = results()
    out.print(shown(found.title or "Untitled", "bold"))
    out.print(shown(f"{type_words(found.type).capitalize()}, id {found.entity_id}"))
    if text.text:
        cut = f" … ({len(text.text):,} characters in all)" if len(text.text) > MOST_TEXT else ""
        out.print(shown(f"\n{text.text[:MOST_TEXT]}{cut}"))
    if text.attributes:
        grid = table("\nAttributes", "Name", "Value")
        for name, value in text.attributes.items():
            row(grid, name, str(value)[:200])
        out.print(grid)
    grid = table("\nNeighbours", "Relation", "Type", "Neighbours", right=(2,))
    for count in counts:
        row(grid, relation_words(count.relation, count.direction), type_words(count.type, plural=True), f"{count.n:,}")
    out.print(grid if counts else shown("\nIt has no relations."))
