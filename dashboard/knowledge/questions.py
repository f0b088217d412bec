"""The Questions view: choose a template, and see the answers with the paths to them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import streamlit as st

from core.knowledge.entities import Entity, Rows
from core.knowledge.templates import (
    RelationPath,
    Template,
    compose,
    question_words,
    relation_words,
    template_form,
    type_words,
)
from dashboard import cache, state
from dashboard.kit.components import current_theme, draw_figure
from dashboard.kit.link_controls import choose_many, choose_one
from dashboard.knowledge.entity_display import choose_page, draw_entities, found, n_words, name_of
from dashboard.knowledge.figures import EntityPath, PathStop, way_in_words, ways_figure, ways_rows
from dashboard.knowledge.queries import draw_query_making
from dashboard.knowledge.templates import draw_blanks, draw_form, draw_own, fill_blank, titles_of
from dashboard.messages import guarded
from dashboard.words import plain
from data.knowledge.base import SHOWN, KnowledgeBase
from data.knowledge.templates import templates_of
from data.store import content_hash

# The answers to a question, and the paths to one of them.

MOST_WAYS = 3
"""Maximum number of paths per requirement."""


def draw_answers(base: KnowledgeBase, template: Template, filled: Mapping[str, Sequence[Entity]], rows: Rows) -> None:
    if not len(rows):
        st.info(f"No {plain(type_words(template.answer_type))} answers this. Change the blanks or remove a condition.")
        return
    text = f"{n_words(len(rows), template.answer_type)} {'answers' if len(rows) == 1 else 'answer'} it"
    st.markdown(f"{plain(text)}.")
    left, right = st.columns([0.5, 0.5], gap="large")
    with left:
        asked = [f"{slot}={[entity.row for entity in each]}" for slot, each in filled.items()]
        first = choose_page(len(rows), key=f"answers-page-{content_hash([template.template_id, *asked])}")
        shown = base.entities(rows[first : first + SHOWN])
        draw_entities(base, shown, key="answer")
    with right, guarded():
        _draw_ways(base, template, filled, shown)


def _draw_ways(
    base: KnowledgeBase, template: Template, filled: Mapping[str, Sequence[Entity]], shown: Sequence[Entity]
) -> None:
    by_row = {entity.row: entity for entity in shown}
    row = st.selectbox(
        "Paths to",
        list(by_row),
        format_func=lambda each: name_of(by_row[each]) if each in by_row else "",
        key="why",
    )
    given = {slot: [entity.row for entity in entities] for slot, entities in filled.items()}
    parts = ["ways", base.about.key, repr(template), repr(given), str(row)]
    ways = found(parts, "Finding paths", lambda on_stage: base.ways(template, given, int(row), most=MOST_WAYS))
    if not ways:
        return
    paths = paths_of(base, template, ways)
    draw_figure(
        ways_figure(paths, types=list(map(type_words, base.types)), theme=current_theme()),
        key="ways",
        name=f"{base.about.name} paths to {name_of(by_row[row], 60)}",
        reading="each line is a relation, labelled next to the entity it leads to. Negated requirements are not drawn.",
        rows=ways_rows(paths),
        notes=[f"At most {MOST_WAYS} paths of each requirement are drawn."],
    )
    st.markdown("\n".join(f"- {plain(way_in_words(path))}" for path in paths))


def paths_of(base: KnowledgeBase, template: Template, ways: Sequence[RelationPath]) -> list[EntityPath]:
    rows = sorted({row for way in ways for row in way.rows})
    by_row = dict(zip(rows, base.entities(rows), strict=True))
    paths = []
    for way in ways:
        steps = template.legs[way.leg].steps
        words = ["", *(relation_words(n, step.direction) for n, step in zip(way.relations, steps, strict=True))]
        paths.append(
            tuple(
                PathStop(row, name_of(by_row[row]), type_words(by_row[row].type), text)
                for row, text in zip(way.rows, words, strict=True)
            )
        )
    return paths


# The view "Questions": choose a template, fill its blanks, and see the answers with their paths.

MOST_TOGETHER = 3
TEMPLATE, ALSO = "template", "also"


def draw_questions(base: KnowledgeBase) -> None:
    templates = templates_of(base, cache.workspace().store)
    if templates:
        with guarded():
            _draw_question(base, templates)
    else:
        st.info("This knowledge base has no templates. Write one, or save a walk in the view Entities.")
    with st.expander("Templates of your own", icon=":material/edit_note:", expanded=not templates):
        draw_own(base)
        with guarded():
            draw_form(base)


def ask_from(base_name: str, template_id: str, slot: str, entity_id: str) -> None:
    """Open this question about this entity in the next run; for buttons in other views."""
    state.set_value("kb", "Questions")
    state.set_value(TEMPLATE, template_id)
    state.set_value(ALSO, [])
    fill_blank(base_name, slot, [entity_id])


def template_label(template: Template) -> str:
    return question_words(template, {}) or template.template_id


def _draw_question(base: KnowledgeBase, templates: Sequence[Template]) -> None:
    template = _choose(templates)
    filled = draw_blanks(base, template)
    st.markdown(f"**{plain(question_words(template, titles_of(filled)))}**")
    if template.note:
        st.caption(plain(template.note))
    missing = [type_words(kind) for slot, kind in template.slots.items() if slot not in filled]
    if missing:
        wanted = " and ".join(f"one {name}" for name in missing)
        st.caption(plain(f"To see the answers, find at least {wanted} above."))
        return
    rows = answers_of(base, template, filled)
    if rows is None:
        return
    draw_answers(base, template, filled, rows)
    if len(rows):
        draw_query_making(base, template, filled, rows)


def _choose(templates: Sequence[Template]) -> Template:
    by_id = {template.template_id: template for template in templates}
    left, right = st.columns([0.6, 0.4], vertical_alignment="bottom")
    template_id = choose_one(
        left.selectbox, "Question", list(by_id), TEMPLATE, format_func=lambda each: _label(by_id, each)
    )
    first = by_id[template_id]
    others = [
        each.template_id
        for each in templates
        if each.answer_type == first.answer_type and each.template_id != template_id
    ]
    also = choose_many(
        right,
        "And also",
        others,
        ALSO,
        format_func=lambda each: _label(by_id, each),
        max_selections=MOST_TOGETHER - 1,
        placeholder="No other question",
        help="Answers must meet all of them.",
    )
    return compose([first, *(by_id[each] for each in also)]) if also else first


def _label(by_id: Mapping[str, Template], template_id: str) -> str:
    template = by_id.get(template_id)
    if template is None:
        return template_id
    return template_label(template) if template.reference else f"{template_label(template)} (your own: {template_id})"


def answers_of(base: KnowledgeBase, template: Template, filled: Mapping[str, Sequence[Entity]]) -> Rows | None:
    """Return the rows of all answers, cached; None while they are searched, with the progress drawn."""
    given = {slot: [entity.row for entity in entities] for slot, entities in filled.items()}
    parts = ["answers", base.about.key, json.dumps(template_form(template)), json.dumps(given)]
    return found(parts, "Looking for answers", lambda on_stage: base.answers(template, given))
