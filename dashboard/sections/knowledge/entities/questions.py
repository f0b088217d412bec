"""Questions of the knowledge base that start at the entity that is open."""

from __future__ import annotations

import streamlit as st

from core.knowledge.spans import Entity
from core.knowledge.templates import question_words, type_words
from dashboard import cache
from dashboard.sections.knowledge.entities.place import Place
from dashboard.sections.knowledge.entities.showing import name_of
from dashboard.sections.knowledge.questions.view import ask_from
from dashboard.words import plain
from data.knowledge.base import KnowledgeBase
from data.knowledge.templates import templates_of


def draw_questions_from(base: KnowledgeBase, place: Place, entity: Entity) -> None:
    """A button each, which asks it with this entity in the blank."""
    offered = [
        (template, slot)
        for template in templates_of(base, cache.workspace().store)
        for slot, kind in template.slots.items()
        if kind == entity.type
    ]
    if not offered:
        st.info(f"No template starts from {plain(type_words(entity.type, plural=True))}. Walk from here instead.")
        return
    with st.container(key="entities-questions", gap=None):
        for template, slot in offered:
            st.button(
                plain(question_words(template, {slot: name_of(entity, 60)})),
                key=f"ask-{template.template_id}-{slot}",
                type="tertiary",
                icon=":material/arrow_forward:",
                on_click=ask_from,
                args=(base.about.name, template.template_id, slot, entity.entity_id),
            )
