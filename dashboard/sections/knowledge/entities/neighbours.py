"""The neighbours of an entity by relation, 50 at a time, and a picture of them."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.knowledge.spans import Entity, NeighbourCount
from core.knowledge.templates import type_words
from dashboard import cache, state
from dashboard.components.mount import current_theme
from dashboard.figures.knowledge.neighbourhood import (
    MOST_BUNCHES,
    Bunch,
    neighbourhood_figure,
    neighbourhood_rows,
    shares,
)
from dashboard.sections.figure import draw_figure
from dashboard.sections.knowledge.entities.place import Place, move_of, text_of
from dashboard.sections.knowledge.entities.showing import choose_page, draw_entities, name_of, relation_said
from dashboard.words import plain
from data.knowledge.base import KnowledgeBase
from data.knowledge.templates import Move, neighbour_groups
from data.store import content_hash

MOST_RADIO = 8
"""Relations that are listed; more of them are in a menu."""


def draw_neighbours(base: KnowledgeBase, place: Place, entity: Entity) -> None:
    """A relation, its neighbours in pages, and the picture of all relations."""
    counts = counts_of(base, entity.row)
    if not counts:
        st.info("It has no relations, so it has no neighbours.")
        return
    left, right = st.columns([0.5, 0.5], gap="large")
    with left:
        _draw_list(base, entity, counts)
    with right:
        _draw_picture(base, entity, counts)


def counts_of(base: KnowledgeBase, row: int) -> tuple[NeighbourCount, ...]:
    """How many neighbours an entity has by each relation; counted once."""
    key, kept = content_hash(["counts", base.about.key, str(row)]), cache.knowledge_found()
    if key not in kept:
        kept[key] = neighbour_groups(base, row)
    return tuple(kept[key])


def move_by(count: NeighbourCount) -> Move:
    """The step to these neighbours."""
    return Move(count.relation, count.direction, count.type)


def n_words(n: int, type: str) -> str:
    """A number of entities.

    >>> n_words(1, "paper"), n_words(1203, "field_of_study")
    ('1 paper', '1,203 fields of study')
    """
    return f"{n:,} {type_words(type, plural=n != 1)}"


def _draw_list(base: KnowledgeBase, entity: Entity, counts: Sequence[NeighbourCount]) -> None:
    by_text = {text_of(move_by(count)): count for count in counts}

    def said_plainly(text: str) -> str:
        count = by_text.get(text)
        if count is None:
            return text
        return f"{relation_said(count.relation, count.direction)}: {n_words(count.n, count.type)}"

    state.settle_named("rel", list(by_text))
    if len(by_text) > MOST_RADIO:
        text = str(st.selectbox(f"Relation (of {len(by_text)})", list(by_text), key="rel", format_func=said_plainly))
    else:
        text = str(st.radio("Relation", list(by_text), key="rel", format_func=lambda each: plain(said_plainly(each))))
    state.write_in_link("rel", [text])
    move, count = move_of(text), by_text[text]
    if move is None:
        return
    first = choose_page(count.n, key=f"page-{content_hash([base.about.key, str(entity.row), text])}")
    entities = base.neighbours(entity.row, move.relation, move.direction, move.type, offset=first)
    draw_entities(base, entities, key="neighbour")


def _draw_picture(base: KnowledgeBase, entity: Entity, counts: Sequence[NeighbourCount]) -> None:
    key, kept = content_hash(["picture", base.about.key, str(entity.row)]), cache.knowledge_found()
    if key not in kept:
        kept[key] = bunches_of(base, entity.row, counts)
    bunches: Sequence[Bunch] = kept[key]
    notes = []
    if len(counts) > MOST_BUNCHES:
        notes.append(f"{len(counts) - MOST_BUNCHES} further relations are in the list only.")
    draw_figure(
        neighbourhood_figure(name_of(entity), entity.type, bunches, types=list(base.types), theme=current_theme()),
        key="neighbourhood",
        name=f"{base.about.name} {name_of(entity, 60)} neighbours",
        reading="the large sign is the entity; every bunch is a relation, with how many neighbours it leads to. Only "
        "the first few of each are drawn.",
        rows=neighbourhood_rows(bunches),
        notes=notes,
    )


def bunches_of(base: KnowledgeBase, row: int, counts: Sequence[NeighbourCount]) -> tuple[Bunch, ...]:
    """The first few neighbours by each relation."""
    drawn = shares([count.n for count in counts])
    found = []
    for place, count in enumerate(counts):
        limit = drawn[place] if place < len(drawn) else 0
        near = base.neighbours(row, count.relation, count.direction, count.type, limit=limit) if limit else ()
        words = relation_said(count.relation, count.direction)
        kind = type_words(count.type, plural=True)
        found.append(Bunch(words, count.type, kind, count.n, tuple(name_of(each) for each in near)))
    return tuple(found)
