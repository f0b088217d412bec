"""The blanks of a question and the entities that fill them; any of several will do."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

import streamlit as st

from core.knowledge.spans import Entity
from core.knowledge.templates import Step, Template, blank_words, template_form, type_words
from core.types import Ids
from dashboard import cache, state
from dashboard.sections.knowledge.entities.showing import find, name_of
from dashboard.words import plain
from data.knowledge.base import KnowledgeBase
from data.store import content_hash

KEY = "given"
OFFERED = 6
EXAMPLES, LOOKED_AT = 3, 12
"""Entities that an empty blank offers, and how many of the first are looked at for them."""
MOST_GIVEN = 50
"""Entities in one blank."""
LONGEST_NAMES = 400


@dataclass(frozen=True, slots=True)
class Given:
    """Entities by blank, in one knowledge base."""

    base: str
    ids: Mapping[str, Ids] = field(default_factory=dict)

    def with_(self, slot: str, ids: Sequence[str]) -> Given:
        """With these in a blank."""
        return Given(self.base, {**self.ids, slot: tuple(dict.fromkeys(ids))[:MOST_GIVEN]})


def read_given(base: KnowledgeBase) -> Given:
    """What this visitor chose, else what the link says. Another knowledge base starts anew."""
    there = state.said(KEY)
    if isinstance(there, Given):
        return there if there.base == base.about.name else Given(base.about.name)
    found = Given(base.about.name)
    for text in state.asked_for(KEY)[: 8 * MOST_GIVEN]:
        if (pair := _pair(text)) is not None:
            found = found.with_(pair[0], [*found.ids.get(pair[0], ()), pair[1]])
    return found


def _pair(text: str) -> tuple[str, str] | None:
    """A blank and an entity from a link; None: it is neither."""
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(said, list) or len(said) != 2 or not all(isinstance(part, str) for part in said):
        return None
    return said[0], said[1]


def fill_blank(base_name: str, slot: str, ids: Sequence[str]) -> None:
    """Have these in a blank from the next run on; for buttons."""
    there = state.said(KEY)
    given = there if isinstance(there, Given) and there.base == base_name else Given(base_name)
    state.say(KEY, given.with_(slot, ids))
    state.say(f"blank-{slot}", "")


def draw_blanks(base: KnowledgeBase, template: Template) -> dict[str, tuple[Entity, ...]]:
    """A search for every blank, and what fills it. Blanks that nothing fills are left out."""
    given = read_given(base)
    state.say(KEY, given)
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
    """Those that the knowledge base has, of the type that the blank wants."""
    rows = base.rows_of(ids)
    return tuple(each for each in base.entities([rows[i] for i in ids if i in rows]) if each.type == kind)


def _draw_blank(base: KnowledgeBase, template: Template, slot: str, there: Sequence[Entity]) -> None:
    name, ids = base.about.name, [entity.entity_id for entity in there]
    kind, label = template.slots[slot], blank_words(template)[slot]
    text = st.text_input(
        plain(label[:1].upper() + label[1:]),
        key=f"blank-{slot}",
        placeholder=f"Find {'another' if there else 'one'} by title, id or words",
        icon=":material/search:",
    )
    for entity in there:
        st.button(
            plain(name_of(entity, 60)),
            key=f"given-{slot}-{entity.row}",
            icon=":material/close:",
            help="Take it out of the blank.",
            on_click=fill_blank,
            args=(name, slot, [each for each in ids if each != entity.entity_id]),
        )
    if not text.strip() and there:
        return
    entities = find(base, text, kind, OFFERED) if text.strip() else _examples(base, template, slot, kind)
    if entities is None:
        return
    if not text.strip() and entities:
        st.caption("Such as one of these:")
    offered = [entity for entity in entities if entity.entity_id not in ids]
    with st.container(gap=None):
        for entity in offered:
            st.button(
                plain(name_of(entity, 60)),
                key=f"offer-{slot}-{entity.row}",
                icon=":material/add:",
                type="tertiary",
                on_click=fill_blank,
                args=(name, slot, [*ids, entity.entity_id]),
            )
    if text.strip() and not offered:
        st.caption(f"No other {plain(type_words(kind))} is called like this.")


def _examples(base: KnowledgeBase, template: Template, slot: str, kind: str) -> tuple[Entity, ...]:
    """The first of a type from which the question's first step leads on, for a visitor who knows none."""
    key = content_hash(["examples", base.about.key, json.dumps(template_form(template)), slot])
    kept = cache.knowledge_found()
    if key not in kept:
        rows = base.types[kind].rows[:LOOKED_AT] if kind in base.types else ()
        steps = [leg.steps[0] for leg in template.legs if leg.slot == slot and leg.steps]
        fit = (int(row) for row in rows if all(_leads_on(base, int(row), step) for step in steps))
        kept[key] = base.entities(list(islice(fit, EXAMPLES)))
    found: tuple[Entity, ...] = kept[key]
    return found


def _leads_on(base: KnowledgeBase, row: int, step: Step) -> bool:
    there = [name for name in step.relations if name in base.relation_numbers]
    return any(base.neighbours(row, name, step.direction, step.type, limit=1) for name in there)


def titles_of(filled: Mapping[str, Sequence[Entity]]) -> dict[str, str]:
    """Each blank in words.

    >>> titles_of({"author": [Entity(0, "a", "author", "Ito"), Entity(1, "b", "author", "Roy")]})
    {'author': 'Ito or Roy'}
    """
    return {
        slot: " or ".join(name_of(entity, LONGEST_NAMES) for entity in entities[:5])
        + (f" or {len(entities) - 5} others" if len(entities) > 5 else "")
        for slot, entities in filled.items()
    }
