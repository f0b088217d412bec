"""One entity opened: what it says, where one came from, and what leads on."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from core.knowledge.spans import Entity
from core.knowledge.templates import type_words
from dashboard import state
from dashboard.messages import guarded
from dashboard.sections.knowledge.entities.landscape import draw_landscape
from dashboard.sections.knowledge.entities.neighbours import draw_neighbours
from dashboard.sections.knowledge.entities.place import Place, visit
from dashboard.sections.knowledge.entities.questions import draw_questions_from
from dashboard.sections.knowledge.entities.reading import draw_text
from dashboard.sections.knowledge.entities.showing import name_of
from dashboard.sections.knowledge.entities.walk import draw_walk
from dashboard.words import plain
from data.knowledge.base import KnowledgeBase

PARTS: dict[str, Callable[[KnowledgeBase, Place, Entity], None]] = {
    "Neighbours": draw_neighbours,
    "Walk": draw_walk,
    "Questions": draw_questions_from,
    "Landscape": draw_landscape,
}
LONGEST_HEAD, LONGEST_CRUMB, CRUMBS = 300, 28, 5


def draw_opened(base: KnowledgeBase, place: Place, entity: Entity) -> None:
    """Trail, title, text, and one of the parts."""
    _draw_trail(base, place, entity)
    st.subheader(plain(name_of(entity, LONGEST_HEAD)), anchor=False)
    st.caption(plain(f"{type_words(entity.type).capitalize()} · id {entity.entity_id[:200]}"))
    draw_text(base.text(entity.row), key=str(entity.row))
    state.settle("look", list(PARTS))
    part = st.segmented_control(
        "Look at", list(PARTS), key="look", required=True, label_visibility="collapsed", bind="query-params"
    )
    with guarded():
        PARTS[str(part)](base, place, entity)


def _draw_trail(base: KnowledgeBase, place: Place, entity: Entity) -> None:
    """The entities that were open before; each is gone back to."""
    rows = base.rows_of(place.trail)
    before = base.entities([rows[each] for each in place.trail if each in rows])[-CRUMBS:]
    if not before:
        return
    with st.container(horizontal=True, key="trail", gap="small", vertical_alignment="center"):
        last = before[-1]
        args = (base.about.name, last.entity_id)
        st.button("Back", key="trail-back", icon=":material/arrow_back:", on_click=visit, args=args)
        for step, each in enumerate(before):
            label = plain(name_of(each, LONGEST_CRUMB))
            args = (base.about.name, each.entity_id)
            st.button(f"{label} ›", key=f"trail-{step}", type="tertiary", on_click=visit, args=args)
        st.markdown(f"**{plain(name_of(entity, LONGEST_CRUMB))}**", width="content")
