"""Writing a query for an entity: the entity on one side, the query and its answers on the other."""

from __future__ import annotations

import streamlit as st

from core.knowledge.people.ratings import Leak, parts
from core.knowledge.spans import Entity
from core.knowledge.templates import type_words
from dashboard import cache, state
from dashboard.messages import guarded, sentence
from dashboard.sections.knowledge.entities.showing import name_of
from dashboard.sections.knowledge.people.answers import draw_answers
from dashboard.sections.knowledge.people.entity import draw_entity
from dashboard.sections.knowledge.people.keeping import noted, why_not_kept
from dashboard.sections.knowledge.people.own import draw_own
from dashboard.words import plain
from data.knowledge.base import KnowledgeBase
from data.knowledge.people.writing import (
    MOST_QUERY_CHARACTERS,
    HumanQuery,
    give_entity,
    keep_draft,
    leaks_of,
    open_draft,
    skip,
    tidy,
)

ANY = "Any type"
HOW = (
    "You are given an entity by chance. Read it, follow its relations, and write a question that somebody could really "
    "ask and that this entity answers, without its name. Then tick everything that answers it."
)


def draw_writing(base: KnowledgeBase, person: str | None) -> None:
    """The draft that is open, or a way to begin one; then what was written so far."""
    if person is None:
        st.caption(HOW)
        st.info("Say who you are first, at the top.", icon=":material/person:")
    else:
        with guarded():
            draft = open_draft(cache.workspace().store, base, person)
            if draft is None:
                st.caption(HOW)
                _draw_start(base, person)
            else:
                _draw_draft(base, draft)
    st.divider()
    with guarded():
        draw_own(base, person)


def _draw_start(base: KnowledgeBase, person: str) -> None:
    types = list(base.answer_types)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen: str | None = None
        if len(types) > 1:
            options = [ANY, *types]
            state.settle_named("people-type", options)
            said = st.selectbox(
                "I would like",
                options,
                key="people-type",
                format_func=lambda name: name if name == ANY else type_words(name, plural=True).capitalize(),
                width=260,
            )
            chosen = None if said == ANY else str(said)
        st.button(
            "Give me an entity",
            key="give-entity",
            type="primary",
            icon=":material/casino:",
            on_click=_give,
            args=(base, person, chosen),
            disabled=why_not_kept() is not None,
        )


def _give(base: KnowledgeBase, person: str, type: str | None) -> None:
    with noted():
        give_entity(cache.workspace().store, base, person, type=type)


def _draw_draft(base: KnowledgeBase, draft: HumanQuery) -> None:
    entity = base.entity(draft.entity_id)
    left, right = st.columns(2, gap="large")
    with left:
        draw_entity(base, entity)
    with right:
        leaks = _draw_text(base, entity, draft)
        _draw_skip(base, draft)
    if draft.text and not leaks:
        st.divider()
        with guarded():
            draw_answers(base, draft)


def _draw_text(base: KnowledgeBase, entity: Entity, draft: HumanQuery) -> tuple[Leak, ...]:
    """The field for the query, which is kept as soon as it is left."""
    st.markdown("##### Your query")
    key, seen = f"written-{draft.query_id}", f"seen-{draft.query_id}"
    there = state.said(key)
    if there is None or (tidy(str(there)) != draft.text and state.said(seen) != draft.text):
        state.say(key, draft.text)  # another tab wrote it, or the page was opened anew
    state.say(seen, draft.text)
    st.text_area(
        f"What would somebody ask, so that this {plain(type_words(entity.type))} is an answer?",
        key=key,
        height=120,
        max_chars=MOST_QUERY_CHARACTERS,
        on_change=_save_text,
        args=(draft, key),
        disabled=why_not_kept() is not None,
        help="Kept as soon as you leave the field (or press Ctrl+Enter).",
    )
    leaks = leaks_of(base, draft.entity_id, draft.text) if draft.text else ()
    if leaks:
        st.error(" ".join(plain(sentence(leak.sentence)) for leak in leaks), icon=":material/block:")
        st.markdown(marked(draft.text, leaks))
        st.caption("Say it without the marked words.")
    elif draft.text:
        st.caption(":material/check: It gives nothing away. Kept as a draft.")
    return leaks


def marked(text: str, leaks: tuple[Leak, ...]) -> str:
    """The query in Markdown, with what leaks marked by colour and line.

    >>> from core.knowledge.people.ratings import find_leaks
    >>> marked("on Ito", find_leaks("on Ito", title="Ito"))
    'on :red-background[**Ito**]'
    """
    pieces = []
    for piece, is_leaking in parts(text, leaks):
        # Spaces stay outside of the marks, which Markdown would not see otherwise.
        front, back = piece[: len(piece) - len(piece.lstrip())], piece[len(piece.rstrip()) :]
        inner = plain(piece)
        pieces.append(f"{front}:red-background[**{inner}**]{back}" if is_leaking else f"{front}{inner}{back}")
    return "".join(pieces)


def _save_text(draft: HumanQuery, key: str) -> None:
    with noted():
        keep_draft(cache.workspace().store, draft.query_id, str(state.said(key, "")))


def _draw_skip(base: KnowledgeBase, draft: HumanQuery) -> None:
    with st.popover("Skip this one", icon=":material/skip_next:", disabled=why_not_kept() is not None):
        st.text_input("Why (if you like)", key=f"reason-{draft.query_id}", placeholder="I know nothing of this field")
        st.button("Skip", key=f"skip-{draft.query_id}", on_click=_skip, args=(base, draft))
    st.caption(f"{plain(name_of(base.entity(draft.entity_id)))} is yours: nobody else is given it while you write.")


def _skip(base: KnowledgeBase, draft: HumanQuery) -> None:
    with noted():
        store = cache.workspace().store
        skip(store, draft.query_id, str(state.said(f"reason-{draft.query_id}", "")))
        wish = str(state.said("people-type", ANY))
        give_entity(store, base, draft.writer, type=wish if wish in base.answer_types else None)
