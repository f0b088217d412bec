"""Create, list and delete question templates, and fill in their blanks."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice

import streamlit as st

from core.errors import NotFoundError
from core.knowledge.entities import Entity
from core.knowledge.templates import (
    MOST_STEPS,
    Leg,
    Template,
    TemplateStep,
    blank_words,
    question_words,
    template_form,
    type_words,
)
from core.text import upper_first
from core.types import Ids
from dashboard import cache, state
from dashboard.knowledge.entity_display import draw_blank_button, find, move_of, name_of, relation_label, text_of
from dashboard.messages import guarded
from dashboard.words import plain
from data.knowledge.base import KnowledgeBase
from data.knowledge.templates import WalkStep, delete_template, moves_from, own_templates, save_template
from data.store import content_hash

# Custom templates: saved from a walk, written in a form, listed and deleted.

MOST_LEGS = 3
END = ""
LONGEST_ID = 60


def draw_keeping(base: KnowledgeBase, template: Template) -> None:
    with st.popover("Save this walk as a template", icon=":material/bookmark_add:"):
        name = st.text_input("Name", template.template_id, key=f"keep-{template.template_id}", max_chars=LONGEST_ID)
        question = st.text_area(
            "Question",
            template.question,
            key=f"keep-question-{template.template_id}",
            help="The blank, in braces, is the start of the walk.",
        )
        if st.button("Save", key="keep-walk", type="primary"):
            _keep(base, replace(template, template_id=name.strip(), question=question.strip()))


def _keep(base: KnowledgeBase, template: Template) -> None:
    with guarded():
        kept = save_template(cache.workspace().store, base, template)
        state.say_once("knowledge", f'Template "{kept.template_id}" is saved. Find it in the view Questions.')
        st.rerun()


def draw_own(base: KnowledgeBase) -> None:
    own = own_templates(cache.workspace().store, base.about.name)
    for template in own:
        left, right = st.columns([0.8, 0.2], vertical_alignment="center")
        left.markdown(f"**{plain(template.template_id)}**: {plain(question_words(template, {}))}")
        right.button(
            "Delete",
            key=f"delete-template-{template.template_id}",
            icon=":material/delete:",
            type="tertiary",
            on_click=_delete,
            args=(base.about.name, template.template_id),
        )
    if not own:
        st.caption("There is none yet.")


def _delete(base_name: str, template_id: str) -> None:
    with suppress(NotFoundError):  # another visitor was faster
        delete_template(cache.workspace().store, base_name, template_id)
    state.say_once("knowledge", f'Template "{template_id}" is deleted.')


def draw_form(base: KnowledgeBase) -> None:
    st.markdown("**Write a template**")
    n = int(st.number_input("Requirements that answers must meet", 1, MOST_LEGS, key="own-legs"))
    legs: list[Leg] = []
    for number in range(n):
        with st.container(border=True, key=f"own-leg-{number}"):
            if (leg := _draw_leg(base, number, legs)) is not None:
                legs.append(leg)
    blanks = list(dict.fromkeys(leg.slot for leg in legs if leg.slot is not None))
    question = st.text_area(
        "Question",
        key="own-question",
        placeholder=f"Which … are … {' and … '.join(f'{{{blank}}}' for blank in blanks)}?",
        help="With every blank in braces.",
    )
    if blanks:
        st.caption(plain(f"Its blanks: {', '.join(f'{{{blank}}}' for blank in blanks)}"))
    name = st.text_input("Name", key="own-name", max_chars=LONGEST_ID, placeholder="Such as papers-of-coauthors")
    if st.button("Save this template", key="keep-own", disabled=len(legs) < n or not name.strip()):
        _keep(base, Template(name.strip(), tuple(legs), question.strip()))


def _draw_leg(base: KnowledgeBase, number: int, before: list[Leg]) -> Leg | None:
    """Draw one requirement; None while it has no step yet."""
    types = [kind for kind in base.types if moves_from(base, kind)]
    if not types:
        st.caption("This knowledge base has no relations.")
        return None
    kind = str(
        st.selectbox(
            "From a given" if number == 0 else f"Requirement {number + 1}: from a given",
            types,
            key=f"own-from-{number}",
            format_func=type_words,
        )
    )
    moves = _draw_steps(base, number, kind)
    is_negated = number > 0 and st.checkbox("Exclude answers reached this way", key=f"own-negated-{number}")
    if not moves:
        return None
    taken = {leg.slot for leg in before}
    slot = next(name for n in range(1, MOST_LEGS + 2) if (name := kind if n == 1 else f"{kind}_{n}") not in taken)
    steps = tuple(TemplateStep((move.relation,), move.type, move.direction) for move in moves)
    return Leg(steps, kind, slot, is_negated)


def _draw_steps(base: KnowledgeBase, number: int, kind: str) -> list[WalkStep]:
    moves: list[WalkStep] = []
    while len(moves) < MOST_STEPS:
        options = [END, *map(text_of, moves_from(base, kind))]
        chosen = st.selectbox(
            f"Step {len(moves) + 1}",
            options,
            key=f"own-step-{number}-{len(moves)}-{kind}",
            format_func=_further if moves else _first,
        )
        move = move_of(str(chosen))
        if move is None:
            break
        moves.append(move)
        kind = move.type
    return moves


def _first(text: str) -> str:
    return _move_label(move_of(text), "Choose a relation")


def _further(text: str) -> str:
    return _move_label(move_of(text), "No further step")


def _move_label(move: WalkStep | None, otherwise: str) -> str:
    if move is None:
        return otherwise
    return f"{relation_label(move.relation, move.direction)} → {type_words(move.type, plural=True)}"


# The blanks of a question and the entities that fill them; several entities mean any of them.

KEY = "given"
OFFERED = 6
EXAMPLES, LOOKED_AT = 3, 12
"""Entities that an empty blank suggests, and the number of entities checked for them."""
MOST_GIVEN = 50
"""Maximum number of entities in one blank."""
LONGEST_NAMES = 400


@dataclass(frozen=True, slots=True)
class BlankEntities:
    """Entities by blank, in one knowledge base."""

    base: str
    ids: Mapping[str, Ids] = field(default_factory=dict)

    def with_(self, slot: str, ids: Sequence[str]) -> BlankEntities:
        return BlankEntities(self.base, {**self.ids, slot: tuple(dict.fromkeys(ids))[:MOST_GIVEN]})


def read_given(base: KnowledgeBase) -> BlankEntities:
    """Return this visitor's choice, else the link's. Another knowledge base starts with empty blanks."""
    there = state.value(KEY)
    if isinstance(there, BlankEntities):
        return there if there.base == base.about.name else BlankEntities(base.about.name)
    found = BlankEntities(base.about.name)
    for text in state.asked_for(KEY)[: 8 * MOST_GIVEN]:
        if (pair := _pair(text)) is not None:
            found = found.with_(pair[0], [*found.ids.get(pair[0], ()), pair[1]])
    return found


def _pair(text: str) -> tuple[str, str] | None:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(document, list) or len(document) != 2 or not all(isinstance(part, str) for part in document):
        return None
    return document[0], document[1]


def fill_blank(base_name: str, slot: str, ids: Sequence[str]) -> None:
    """Fill a blank with these entities from the next run on; for buttons."""
    there = state.value(KEY)
    given = there if isinstance(there, BlankEntities) and there.base == base_name else BlankEntities(base_name)
    state.set_value(KEY, given.with_(slot, ids))
    state.set_value(f"blank-{slot}", "")


def draw_blanks(base: KnowledgeBase, template: Template) -> dict[str, tuple[Entity, ...]]:
    """Draw a search for every blank, and its entities. Empty blanks are omitted from the result."""
    given = read_given(base)
    state.set_value(KEY, given)
    slots = template.slots
    filled: dict[str, tuple[Entity, ...]] = {}
    columns = st.columns(min(max(len(slots), 1), 3), gap="large")
    for place, (slot, kind) in enumerate(slots.items()):
        with columns[place % len(columns)]:
            there = _entities(base, given.ids.get(slot, ()), kind)
            _draw_blank(base, template, slot, there)
            if there:
                filled[slot] = there
    pairs = [json.dumps([slot, entity.entity_id]) for slot, entities in filled.items() for entity in entities]
    state.write_in_link(KEY, pairs)
    return filled


def _entities(base: KnowledgeBase, ids: Sequence[str], kind: str) -> tuple[Entity, ...]:
    rows = base.rows_of(ids)
    return tuple(each for each in base.entities([rows[i] for i in ids if i in rows]) if each.type == kind)


def _draw_blank(base: KnowledgeBase, template: Template, slot: str, there: Sequence[Entity]) -> None:
    ids, fill = [entity.entity_id for entity in there], partial(fill_blank, base.about.name, slot)
    kind, label = template.slots[slot], blank_words(template)[slot]
    text = st.text_input(
        plain(upper_first(label)),
        key=f"blank-{slot}",
        placeholder=f"Find {'another' if there else 'one'} by title, id or words",
        icon=":material/search:",
    )
    for entity in there:
        draw_blank_button(entity, ids, fill, key=f"given-{slot}-{entity.row}", longest=60)
    if not text.strip() and there:
        return
    entities = find(base, text, kind, OFFERED) if text.strip() else _examples(base, template, slot, kind)
    if entities is None:
        return
    if not text.strip() and entities:
        st.caption("For example:")
    offered = [entity for entity in entities if entity.entity_id not in ids]
    with st.container(gap=None):
        for entity in offered:
            draw_blank_button(entity, ids, fill, key=f"offer-{slot}-{entity.row}", longest=60)
    if text.strip() and not offered:
        st.caption(f"No other {plain(type_words(kind))} matches this.")


def _examples(base: KnowledgeBase, template: Template, slot: str, kind: str) -> tuple[Entity, ...]:
    key = content_hash(["examples", base.about.key, json.dumps(template_form(template)), slot])
    rows = base.types[kind].rows[:LOOKED_AT] if kind in base.types else ()
    steps = [leg.steps[0] for leg in template.legs if leg.slot == slot and leg.steps]
    fit = (int(row) for row in rows if all(_leads_on(base, int(row), step) for step in steps))
    return cache.knowledge_found().of(key, lambda: base.entities(list(islice(fit, EXAMPLES))))


def _leads_on(base: KnowledgeBase, row: int, step: TemplateStep) -> bool:
    there = [name for name in step.relations if name in base.relation_numbers]
    return any(base.neighbours(row, name, step.direction, step.type, limit=1) for name in there)


def titles_of(filled: Mapping[str, Sequence[Entity]]) -> dict[str, str]:
    """Describe the entities of each blank.

    >>> titles_of({"author": [Entity(0, "a", "author", "Ito"), Entity(1, "b", "author", "Roy")]})
    {'author': 'Ito or Roy'}
    """
    return {
        slot: " or ".join(name_of(entity, LONGEST_NAMES) for entity in entities[:5])
        + (f" or {len(entities) - 5} others" if len(entities) > 5 else "")
        for slot, entities in filled.items()
    }
