"""The Entities view: find an entity, read it, and follow its relations."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import streamlit as st

from core.errors import NotFoundError
from core.knowledge.entities import Direction, Entity, Rows
from core.knowledge.templates import MOST_STEPS, Template, question_words, relation_words, type_words
from dashboard import cache, state
from dashboard.kit.components import choose_view
from dashboard.knowledge.entity_display import (
    EntityPlace,
    choose_page,
    draw_entities,
    draw_landscape,
    draw_neighbours,
    draw_text,
    find,
    found,
    keep_place,
    move_of,
    n_words,
    name_of,
    read_place,
    relation_label,
    text_of,
    visit,
    walk_on,
)
from dashboard.knowledge.queries import draw_query_making
from dashboard.knowledge.questions import ask_from
from dashboard.knowledge.templates import draw_keeping
from dashboard.messages import guarded
from dashboard.words import plain
from data.knowledge.base import SHOWN, KnowledgeBase
from data.knowledge.templates import SLOT, Walk, WalkStep, can_walk, moves_from, reached, template_of_walk, templates_of
from data.store import content_hash

# Walks by click: from here by a relation to all of a type, and from all of those again.

FIRST = 5
"""Entities listed for every step but the last."""


def draw_walk(base: KnowledgeBase, place: EntityPlace, entity: Entity) -> None:
    moves = place.moves
    if not can_walk(base, entity.type, moves):
        st.warning("Unknown walk in the link. The walk starts here again.")
        moves = ()
    walk = Walk((entity.row,), moves)
    rows: Rows | None = np.array([entity.row])
    for n in range(1, len(moves) + 1):
        rows = reached_by(base, walk.first(n))
        if rows is None:
            return
        _draw_step(base, walk.first(n), rows)
    _draw_next(base, place, walk, n_here=len(rows) if rows is not None else 0)
    if moves and rows is not None:
        _draw_making(base, entity, walk, rows)


def reached_by(base: KnowledgeBase, walk: Walk) -> Rows | None:
    """Return the end of a walk, cached; None while it is computed, with the progress drawn."""
    parts = ["walk", base.about.key, str(walk.rows), *map(text_of, walk.moves)]
    return found(parts, "Walking", lambda on_stage: reached(base, walk))


def words_of(move: WalkStep, n: int) -> str:
    return f"{relation_label(move.relation, move.direction)} {n_words(n, move.type)}"


def _draw_step(base: KnowledgeBase, walk: Walk, rows: Rows) -> None:
    n, move = len(walk.moves), walk.moves[-1]
    with st.container(border=True, key=f"step-{n}"):
        st.markdown(f"**{n}. {plain(words_of(move, len(rows)))}**")
        if len(rows) > FIRST:
            with st.expander(f"List all {len(rows):,}" if len(rows) <= SHOWN else f"List them, {SHOWN} at a time"):
                first = choose_page(
                    len(rows), key=f"step-page-{content_hash([str(walk.rows), *map(text_of, walk.moves)])}"
                )
                draw_entities(base, base.entities(rows[first : first + SHOWN]), key=f"step-{n}-all")
        else:
            draw_entities(base, base.entities(rows), key=f"step-{n}")
        if not len(rows):
            st.caption("Nothing reached. The start of the walk doesn't count.")


def _draw_next(base: KnowledgeBase, place: EntityPlace, walk: Walk, *, n_here: int) -> None:
    kind = walk.moves[-1].type if walk.moves else base.type_of(walk.rows[0])
    by_text = {text_of(move): move for move in moves_from(base, kind)}
    with st.container(horizontal=True, key="walk-row", vertical_alignment="bottom"):
        if walk.is_full:
            st.caption(f"A walk has at most {MOST_STEPS} steps.")
        elif not by_text:
            st.caption("No relation leads further from here.")
        elif n_here:
            chosen = st.selectbox(
                "From here" if not walk.moves else f"From all {n_words(n_here, kind)}",
                list(by_text),
                key=f"next-{len(walk.moves)}-{kind}",
                format_func=lambda text: _option(by_text.get(text)),
            )
            move = move_of(str(chosen))
            if move is not None:
                st.button("Go", key="walk-go", type="primary", on_click=walk_on, args=(place, (*walk.moves, move)))
        if walk.moves:
            st.button("One step back", key="walk-back", on_click=walk_on, args=(place, walk.moves[:-1]))


def _option(move: WalkStep | None) -> str:
    if move is None:
        return ""
    return f"{relation_label(move.relation, move.direction)} → {type_words(move.type, plural=True)}"


def question_of(walk: Walk, slot: str) -> str:
    """Phrase the walk as a question, from its end, with a blank for its start.

    >>> writes, cites = WalkStep("writes", "forward", "paper"), WalkStep("cites", "forward", "paper")
    >>> question_of(Walk((0,), (writes, cites)), "author")
    'Find every paper that is cited by a paper that is written by {author}.'
    """
    words = f"{{{slot}}}"
    for move in walk.moves:
        words = f"{_with_article(move.type)} that {_verb(move)} {words}"
    return f"Find every {words.split(' ', 1)[1]}."


def _with_article(kind: str) -> str:
    words = type_words(kind)
    return f"{'an' if words[:1].lower() in 'aeiou' else 'a'} {words}"


def _verb(move: WalkStep) -> str:
    opposite: dict[Direction, Direction] = {"forward": "back", "back": "forward", "either": "either"}
    words = relation_words(move.relation, opposite[move.direction])
    return words if words.split(" ")[0].endswith("s") else f"is {words}"


def template_from(base: KnowledgeBase, walk: Walk) -> Template:
    """Return the walk as a template; the same walk has the same id."""
    kind = base.type_of(walk.rows[0])
    template_id = f"walk-{content_hash([kind, *map(text_of, walk.moves)])[:8]}"
    return template_of_walk(walk.moves, kind, template_id=template_id, question=question_of(walk, SLOT))


def _draw_making(base: KnowledgeBase, entity: Entity, walk: Walk, rows: Rows) -> None:
    template = template_from(base, walk)
    draw_keeping(base, template)
    if len(rows):
        draw_query_making(base, template, {SLOT: (entity,)}, rows)


# Questions of the knowledge base that start at the open entity.


def draw_questions_from(base: KnowledgeBase, place: EntityPlace, entity: Entity) -> None:
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


# An open entity: its content, the entities before it, and links onward.

PARTS: dict[str, Callable[[KnowledgeBase, EntityPlace, Entity], None]] = {
    "Neighbours": draw_neighbours,
    "Walk": draw_walk,
    "Questions": draw_questions_from,
    "Landscape": draw_landscape,
}
LONGEST_HEAD, LONGEST_CRUMB, CRUMBS = 300, 28, 5


def draw_opened(base: KnowledgeBase, place: EntityPlace, entity: Entity) -> None:
    _draw_trail(base, place, entity)
    st.header(plain(name_of(entity, LONGEST_HEAD)), anchor=False)
    st.caption(plain(f"{type_words(entity.type).capitalize()} · id {entity.entity_id[:200]}"))
    draw_text(base.text(entity.row), key=str(entity.row))
    part = choose_view(list(PARTS), "look", "Look at")
    with guarded():
        PARTS[part](base, place, entity)


def _draw_trail(base: KnowledgeBase, place: EntityPlace, entity: Entity) -> None:
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


# The view "Entities": find one, read it, go from neighbour to neighbour.

MOST_FOUND = 20
EACH_TYPE = 4
"""Entities of every type that a first visit offers."""
ALL = "All types"


def draw_explorer(base: KnowledgeBase) -> None:
    place = read_place(base)
    entity, lost = None, None
    if place.entity_id is not None:
        try:
            entity = base.entity(place.entity_id)
        except NotFoundError as e:
            lost = str(e)
    is_searching = _draw_search(base)
    if lost:
        st.warning(plain(f"Unknown entity in the link: {lost}."), icon=":material/link_off:")
    if entity is not None:
        keep_place(place)
        draw_opened(base, place, entity)
    elif not is_searching:
        _draw_some(base)


def _draw_search(base: KnowledgeBase) -> bool:
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
            st.caption("No matches. Try fewer words or all types.")
        elif len(entities) == MOST_FOUND:
            st.caption(f"The best {MOST_FOUND} matches. Add words to find others.")
    return True


def _type(base: KnowledgeBase, name: str) -> str:
    return name if name not in base.types else f"{type_words(name, plural=True)} ({base.types[name].n:,})"


def _draw_some(base: KnowledgeBase) -> None:
    st.caption("Search above, or start with one of these.")
    columns = st.columns(min(len(base.types), 4) or 1)
    for place, kind in enumerate(base.types.values()):
        with columns[place % len(columns)]:
            st.markdown(f"**{plain(type_words(kind.name, plural=True).capitalize())}**")
            entities: tuple[Entity, ...] = base.entities(kind.rows[:EACH_TYPE])
            draw_entities(base, entities, key=f"some-{place}")
