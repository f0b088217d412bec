"""The entity that a query is written for: what it says, its neighbours by relation, and theirs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st

from core.knowledge.spans import Entity, NeighbourCount
from core.knowledge.templates import relation_words, type_words
from dashboard import state
from dashboard.sections.knowledge.entities.neighbours import counts_of
from dashboard.sections.knowledge.entities.reading import draw_text
from dashboard.sections.knowledge.entities.showing import name_of
from dashboard.words import plain
from data.knowledge.base import KnowledgeBase

SHOWN = 8
"""Neighbours that are named for each relation."""
MOST_STEPS = 4
"""Of a walk."""
NOWHERE = "Go nowhere"


def draw_entity(base: KnowledgeBase, entity: Entity) -> None:
    """Title, text, attributes, and a walk along its relations."""
    st.markdown(f"##### {plain(name_of(entity))}")
    st.caption(plain(f"{type_words(entity.type).capitalize()}, id {entity.entity_id[:80]}"))
    draw_text(base.text(entity.row), key=f"people-{entity.row}")
    st.markdown("**Its relations**")
    _draw_walk(base, entity)


def _draw_walk(base: KnowledgeBase, start: Entity) -> None:
    """From neighbour to neighbour, as far as the visitor likes."""
    here, way = start, [start.row]
    for step in range(MOST_STEPS):
        near = _draw_neighbours(base, here)
        options = {str(each.row): each for each in near if each.row not in way}
        if not options or step == MOST_STEPS - 1:
            return
        key = f"walk-{'-'.join(map(str, way))}"
        state.settle_named(key, [NOWHERE, *options])
        said = st.selectbox(
            "Walk on from",
            [NOWHERE, *options],
            key=key,
            format_func=partial(_said, options),
            help="Shows the neighbours of a neighbour.",
        )
        if said not in options:
            return
        here = options[str(said)]
        way.append(here.row)
        st.markdown(f"**{plain(name_of(here))}** ({plain(type_words(here.type))})")


def _said(options: Mapping[str, Entity], row: str) -> str:
    return f"{name_of(options[row])} ({type_words(options[row].type)})" if row in options else row


def _draw_neighbours(base: KnowledgeBase, entity: Entity) -> Sequence[Entity]:
    """Every relation with its count and the first neighbours; gives back those that are named."""
    counts = counts_of(base, entity.row)
    if not counts:
        st.caption("It has no relations.")
        return ()
    named: dict[int, Entity] = {}
    lines = []
    for count in counts:
        near = base.neighbours(entity.row, count.relation, count.direction, count.type, limit=SHOWN)
        named.update({each.row: each for each in near})
        lines.append(f"- {_line(count, near)}")
    st.markdown("\n".join(lines))
    return tuple(named.values())


def _line(count: NeighbourCount, near: Sequence[Entity]) -> str:
    words = f"{relation_words(count.relation, count.direction)} ({count.n:,})"
    names = "; ".join(name_of(each, 70) for each in near)
    more = f" and {count.n - len(near):,} more" if count.n > len(near) else ""
    return f"**{plain(words)}** {plain(names + more)}"
