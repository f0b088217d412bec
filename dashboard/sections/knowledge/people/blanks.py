"""A template whose blanks a writer fills, so that its relational answers are proposed too."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.knowledge.spans import Entity
from core.knowledge.templates import blank_words, question_words, type_words
from dashboard import cache, state
from dashboard.sections.knowledge.entities.neighbours import counts_of
from dashboard.sections.knowledge.entities.showing import name_of
from dashboard.sections.knowledge.people.keeping import noted
from dashboard.words import plain
from data.knowledge.base import KnowledgeBase
from data.knowledge.people.writing import HumanQuery, keep_draft
from data.knowledge.templates import templates_of
from data.knowledge.titles import find_entities
from data.retrieval.plane import Relational

NONE = ""
OFFERED = 8


def draw_template(base: KnowledgeBase, draft: HumanQuery) -> Relational | None:
    """The template that is filled, wholly; None: there is none."""
    templates = {
        each.template_id: each
        for each in templates_of(base, cache.workspace().store)
        if each.answer_type == draft.type and each.slots
    }
    if not templates:
        return None
    with st.expander("Your query asks for a relation", icon=":material/account_tree:", expanded=bool(draft.template)):
        st.caption("Fill one of these questions, if it is part of yours: what it gives is proposed as an answer too.")
        key = f"template-{draft.query_id}"
        if state.said(key) is None:
            state.say(key, draft.template if draft.template in templates else NONE)
        st.selectbox(
            "Question",
            [NONE, *templates],
            key=key,
            format_func=lambda one: question_words(templates[one], {}) if one in templates else "None of them",
            on_change=_choose,
            args=(draft, key),
        )
        template = templates.get(draft.template)
        if template is None:
            return None
        wanted = blank_words(template)
        for slot, kind in template.slots.items():
            _draw_blank(base, draft, slot, kind, wanted[slot])
    filled = {slot: draft.given[slot] for slot in template.slots if draft.given.get(slot)}
    return Relational(template, filled) if len(filled) == len(template.slots) else None


def _choose(draft: HumanQuery, key: str) -> None:
    _save_template(draft, str(state.said(key, NONE)), {})


def _draw_blank(base: KnowledgeBase, draft: HumanQuery, slot: str, kind: str, label: str) -> None:
    ids = list(draft.given.get(slot, ()))
    row_of = base.rows_of(ids)
    there = base.entities([row_of[one] for one in ids if one in row_of])
    text = st.text_input(
        plain(label[:1].upper() + label[1:]),
        key=f"find-{draft.query_id}-{slot}",
        placeholder="Find one by title, id or words",
        icon=":material/search:",
    )
    found = find_entities(base, text, type=kind, k=OFFERED) if text.strip() else _near(base, draft, kind)
    with st.container(gap=None):
        for entity in there:
            st.button(
                plain(name_of(entity, 70)),
                key=f"out-{draft.query_id}-{slot}-{entity.row}",
                icon=":material/close:",
                help="Take it out of the blank.",
                on_click=_fill,
                args=(draft, slot, [one for one in ids if one != entity.entity_id]),
            )
        for entity in found:
            if entity.entity_id not in ids:
                st.button(
                    plain(name_of(entity, 70)),
                    key=f"in-{draft.query_id}-{slot}-{entity.row}",
                    icon=":material/add:",
                    type="tertiary",
                    on_click=_fill,
                    args=(draft, slot, [*ids, entity.entity_id]),
                )
    if text.strip() and not found:
        st.caption(f"No {plain(type_words(kind))} is called like this.")


def _near(base: KnowledgeBase, draft: HumanQuery, kind: str) -> tuple[Entity, ...]:
    """The first of its own neighbours that fit: what its query most likely names."""
    row = base.entity(draft.entity_id).row
    near: dict[int, Entity] = {}
    for count in counts_of(base, row):
        if count.type == kind:
            found = base.neighbours(row, count.relation, count.direction, kind, limit=OFFERED)
            near.update({each.row: each for each in found})
    return tuple(near.values())[:OFFERED]


def _fill(draft: HumanQuery, slot: str, ids: Sequence[str]) -> None:
    _save_template(draft, draft.template, {**draft.given, slot: tuple(ids)})


def _save_template(draft: HumanQuery, template: str, given: dict[str, tuple[str, ...]]) -> None:
    with noted():
        keep_draft(cache.workspace().store, draft.query_id, template=template, given=given)
