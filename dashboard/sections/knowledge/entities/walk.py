"""Walks by click: from here by a relation to all of a type, and from all of those again."""

from __future__ import annotations

import numpy as np
import streamlit as st

from core.knowledge.spans import Direction, Entity, Rows
from core.knowledge.templates import MOST_STEPS, Template, relation_words, type_words
from dashboard.sections.knowledge.entities.neighbours import n_words
from dashboard.sections.knowledge.entities.place import Place, move_of, text_of, walk_on
from dashboard.sections.knowledge.entities.showing import choose_page, draw_entities, found, relation_said
from dashboard.sections.knowledge.questions.making import draw_query_making
from dashboard.sections.knowledge.questions.own import draw_keeping
from dashboard.words import plain
from data.knowledge.base import SHOWN, KnowledgeBase
from data.knowledge.templates import SLOT, Move, Walk, can_walk, moves_from, reached, template_of_walk
from data.store import content_hash

FIRST = 5
"""Entities that are named of every step but the last."""


def draw_walk(base: KnowledgeBase, place: Place, entity: Entity) -> None:
    """The steps with what each reaches, the next step, and what can be made of the walk."""
    moves = place.moves
    if not can_walk(base, entity.type, moves):
        st.warning("The link asks for a walk that this knowledge base does not have. It starts here anew.")
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
    """What a walk reaches, remembered; None while it is being walked, which is drawn."""
    parts = ["walk", base.about.key, str(walk.rows), *map(text_of, walk.moves)]
    return found(parts, "Walking", lambda on_stage: reached(base, walk))


def words_of(move: Move, n: int) -> str:
    """A step with what it reaches."""
    return f"{relation_said(move.relation, move.direction)} {n_words(n, move.type)}"


def _draw_step(base: KnowledgeBase, walk: Walk, rows: Rows) -> None:
    """The last step of this walk."""
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
            st.caption("Nothing is reached; what the walk starts from does not count.")


def _draw_next(base: KnowledgeBase, place: Place, walk: Walk, *, n_here: int) -> None:
    kind = walk.moves[-1].type if walk.moves else base.type_of(walk.rows[0])
    by_text = {text_of(move): move for move in moves_from(base, kind)}
    with st.container(horizontal=True, key="walk-row", vertical_alignment="bottom"):
        if walk.is_full:
            st.caption(f"A walk has at most {MOST_STEPS} steps.")
        elif not by_text:
            st.caption("No relation leads on from here.")
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


def _option(move: Move | None) -> str:
    if move is None:
        return ""
    return f"{relation_said(move.relation, move.direction)} → {type_words(move.type, plural=True)}"


def question_of(walk: Walk, kind: str, slot: str) -> str:
    """The walk in words, read from its end, with a blank for where it starts.

    >>> writes, cites = Move("writes", "forward", "paper"), Move("cites", "forward", "paper")
    >>> question_of(Walk((0,), (writes, cites)), "author", "author")
    'Find every paper that is cited by a paper that is written by {author}.'
    """
    words = f"{{{slot}}}"
    for move in walk.moves:
        words = f"{_with_article(move.type)} that {_verb(move)} {words}"
    return f"Find every {words.split(' ', 1)[1]}."


def _with_article(kind: str) -> str:
    words = type_words(kind)
    return f"{'an' if words[:1].lower() in 'aeiou' else 'a'} {words}"


def _verb(move: Move) -> str:
    """The relation as read from what the step reaches."""
    opposite: dict[Direction, Direction] = {"forward": "back", "back": "forward", "either": "either"}
    words = relation_words(move.relation, opposite[move.direction])
    return words if words.split(" ")[0].endswith("s") else f"is {words}"


def template_from(base: KnowledgeBase, walk: Walk) -> Template:
    """The walk as a template; the same walk has the same id."""
    kind = base.type_of(walk.rows[0])
    template_id = f"walk-{content_hash([kind, *map(text_of, walk.moves)])[:8]}"
    return template_of_walk(walk.moves, kind, template_id=template_id, question=question_of(walk, kind, SLOT))


def _draw_making(base: KnowledgeBase, entity: Entity, walk: Walk, rows: Rows) -> None:
    """The walk kept as a template, or made a query."""
    template = template_from(base, walk)
    draw_keeping(base, template)
    if len(rows):
        draw_query_making(base, template, {SLOT: (entity,)}, rows)
