"""Templates of one's own: kept from a walk, written in a form, listed and deleted."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import streamlit as st

from core.errors import NotFoundError
from core.knowledge.templates import MOST_STEPS, Leg, Step, Template, question_words, type_words
from dashboard import cache, state
from dashboard.messages import guarded
from dashboard.sections.knowledge.entities.place import move_of, text_of
from dashboard.sections.knowledge.entities.showing import relation_said
from dashboard.words import plain
from data.knowledge.base import KnowledgeBase
from data.knowledge.templates import Move, delete_template, moves_from, own_templates, save_template

MOST_LEGS = 3
END = ""
LONGEST_ID = 60


def draw_keeping(base: KnowledgeBase, template: Template) -> None:
    """Name and question of a walk, and the button that keeps it."""
    with st.popover("Keep this walk as a template", icon=":material/bookmark_add:"):
        name = st.text_input("Name", template.template_id, key=f"keep-{template.template_id}", max_chars=LONGEST_ID)
        question = st.text_area(
            "Question",
            template.question,
            key=f"keep-question-{template.template_id}",
            help="The blank, in braces, is what a walk starts from.",
        )
        if st.button("Keep", key="keep-walk", type="primary"):
            _keep(base, replace(template, template_id=name.strip(), question=question.strip()))


def _keep(base: KnowledgeBase, template: Template) -> None:
    with guarded():
        kept = save_template(cache.workspace().store, base, template)
        state.say_once("knowledge", f'Template "{kept.template_id}" is kept; it is in the view Questions.')
        st.rerun()


def draw_own(base: KnowledgeBase) -> None:
    """Those that there are, each with its button."""
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
    with suppress(NotFoundError):  # somebody else was faster
        delete_template(cache.workspace().store, base_name, template_id)
    state.say_once("knowledge", f'Template "{template_id}" is deleted.')


def draw_form(base: KnowledgeBase) -> None:
    """Requirements step by step, the question in words, and a name."""
    st.markdown("**Write one**")
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
    if st.button("Keep this template", key="keep-own", disabled=len(legs) < n or not name.strip()):
        _keep(base, Template(name.strip(), tuple(legs), question.strip()))


def _draw_leg(base: KnowledgeBase, number: int, before: list[Leg]) -> Leg | None:
    """One requirement; None while it has no step yet."""
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
    is_negated = number > 0 and st.checkbox("Answers must not be reached so", key=f"own-negated-{number}")
    if not moves:
        return None
    taken = {leg.slot for leg in before}
    slot = next(name for n in range(1, MOST_LEGS + 2) if (name := kind if n == 1 else f"{kind}_{n}") not in taken)
    steps = tuple(Step((move.relation,), move.type, move.direction) for move in moves)
    return Leg(steps, kind, slot, is_negated)


def _draw_steps(base: KnowledgeBase, number: int, kind: str) -> list[Move]:
    """As many choices as there are steps, and one for the next."""
    moves: list[Move] = []
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
    return _said(move_of(text), "Choose a relation")


def _further(text: str) -> str:
    return _said(move_of(text), "No further step")


def _said(move: Move | None, otherwise: str) -> str:
    if move is None:
        return otherwise
    return f"{relation_said(move.relation, move.direction)} → {type_words(move.type, plural=True)}"
