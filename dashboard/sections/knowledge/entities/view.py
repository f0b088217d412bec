"""The view "Entities": find one, read it, go from neighbour to neighbour."""

from __future__ import annotations

import streamlit as st

from core.errors import NotFoundError
from core.knowledge.spans import Entity
from core.knowledge.templates import type_words
from dashboard import state
from dashboard.sections.knowledge.entities.opened import draw_opened
from dashboard.sections.knowledge.entities.place import keep_place, read_place
from dashboard.sections.knowledge.entities.showing import draw_entities, find
from dashboard.words import plain
from data.knowledge.base import KnowledgeBase

MOST_FOUND = 20
EACH_TYPE = 4
"""Entities of every type that a first visit offers."""
ALL = "All types"


def draw_explorer(base: KnowledgeBase) -> None:
    """Search, what is found, and the entity that is open."""
    place = read_place(base)
    entity, lost = None, None
    if place.entity_id is not None:
        try:
            entity = base.entity(place.entity_id)
        except NotFoundError as e:
            lost = str(e)
    is_searching = _draw_search(base)
    if lost:
        st.warning(plain(f"The link leads to an entity that is not here: {lost}."), icon=":material/link_off:")
    if entity is not None:
        keep_place(place)
        draw_opened(base, place, entity)
    elif not is_searching:
        _draw_some(base)


def _draw_search(base: KnowledgeBase) -> bool:
    """Whether anything is searched for."""
    words, kind = st.columns([0.7, 0.3], vertical_alignment="bottom")
    text = words.text_input(
        "Find an entity", key="find-entity", placeholder="Title, id or words of a title", icon=":material/search:"
    )
    options = [ALL, *base.types]
    state.settle_named("entity_type", options)
    type = str(kind.selectbox("Type", options, key="entity_type", format_func=lambda name: _type(base, name)))
    if not text.strip():
        return False
    entities = find(base, text, None if type == ALL else type, MOST_FOUND)
    if entities is None:
        return True
    with st.container(border=True):
        draw_entities(base, entities, key="found", with_types=True)
        if not entities:
            st.caption("Nothing is called like this. Try fewer words, or all types.")
        elif len(entities) == MOST_FOUND:
            st.caption(f"The best {MOST_FOUND}; more words find others.")
    return True


def _type(base: KnowledgeBase, name: str) -> str:
    return name if name not in base.types else f"{type_words(name, plural=True)} ({base.types[name].n:,})"


def _draw_some(base: KnowledgeBase) -> None:
    """A first visit: a few of every type."""
    st.caption("Search above, or start with one of these.")
    columns = st.columns(min(len(base.types), 4) or 1)
    for place, kind in enumerate(base.types.values()):
        with columns[place % len(columns)]:
            st.markdown(f"**{plain(type_words(kind.name, plural=True).capitalize())}**")
            entities: tuple[Entity, ...] = base.entities(kind.rows[:EACH_TYPE])
            draw_entities(base, entities, key=f"some-{place}")
