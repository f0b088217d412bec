"""The People view: write a query for an entity, and confirm its answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import streamlit as st

from core.knowledge.entities import Entity, NeighbourCount
from core.knowledge.query_quality import Leak, parts
from core.knowledge.templates import blank_words, question_words, relation_words, type_words
from core.text import many, upper_first
from dashboard import cache, state
from dashboard.kit.components import choose_view
from dashboard.knowledge.contributions import NOTE, draw_own
from dashboard.knowledge.entity_display import counts_of, draw_blank_button, draw_text, name_of
from dashboard.knowledge.ratings import draw_rating, draw_results
from dashboard.messages import guarded, sentence
from dashboard.status import computed, why_locked
from dashboard.visitors.names import NEEDED, name
from dashboard.words import plain
from data.knowledge.base import KnowledgeBase
from data.knowledge.people import (
    MOST_QUERY_CHARACTERS,
    HumanQuery,
    confirm,
    find_query,
    give_entity,
    keep_draft,
    leaks_of,
    open_draft,
    skip,
    tidy,
)
from data.knowledge.templates import templates_of
from data.knowledge.titles import find_entities
from data.retrieval.plane import MOST_BY_RELATIONS, AnswerCandidate, FilledTemplate, TextSearch, candidates_for

# A template whose blanks a writer fills, so that its relational answers are proposed too.

NONE = ""
OFFERED = 8


def draw_template(base: KnowledgeBase, draft: HumanQuery) -> FilledTemplate | None:
    templates = {
        each.template_id: each
        for each in templates_of(base, cache.workspace().store)
        if each.answer_type == draft.type and each.slots
    }
    if not templates:
        return None
    with st.expander("Your query asks for a relation", icon=":material/account_tree:", expanded=bool(draft.template)):
        st.caption("If one of these questions is part of yours, fill it in: its results are suggested as answers too.")
        key = f"template-{draft.query_id}"
        if state.value(key) is None:
            state.set_value(key, draft.template if draft.template in templates else NONE)
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
    return FilledTemplate(template, filled) if len(filled) == len(template.slots) else None


def _choose(draft: HumanQuery, key: str) -> None:
    _save_template(draft, str(state.value(key, NONE)), {})


def _draw_blank(base: KnowledgeBase, draft: HumanQuery, slot: str, kind: str, label: str) -> None:
    ids, fill = list(draft.given.get(slot, ())), partial(_fill, draft, slot)
    row_of = base.rows_of(ids)
    there = base.entities([row_of[one] for one in ids if one in row_of])
    text = st.text_input(
        plain(upper_first(label)),
        key=f"find-{draft.query_id}-{slot}",
        placeholder="Find one by title, id or words",
        icon=":material/search:",
    )
    found = find_entities(base, text, type=kind, k=OFFERED) if text.strip() else _near(base, draft, kind)
    with st.container(gap=None):
        for entity in there:
            draw_blank_button(entity, ids, fill, key=f"out-{draft.query_id}-{slot}-{entity.row}", longest=70)
        for entity in found:
            if entity.entity_id not in ids:
                draw_blank_button(entity, ids, fill, key=f"in-{draft.query_id}-{slot}-{entity.row}", longest=70)
    if text.strip() and not found:
        st.caption(f"No {plain(type_words(kind))} matches this.")


def _near(base: KnowledgeBase, draft: HumanQuery, kind: str) -> tuple[Entity, ...]:
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
    with state.noting(NOTE):
        keep_draft(cache.workspace().store, draft.query_id, template=template, given=given)


# Confirming answers: candidates are proposed, and the writer ticks those that satisfy the query.

FIRST = 25
"""Candidates that are listed at first."""
BEGINNING = 220
"""Characters of a candidate's text."""


def draw_answers(base: KnowledgeBase, draft: HumanQuery) -> None:
    st.markdown("## Choose the answers")
    relational = draw_template(base, draft)
    search = text_search(base)
    if search is None:
        return
    found, n_related = candidates_for(base, draft.entity_id, search.find(draft.text), relational)
    if n_related > MOST_BY_RELATIONS:
        st.caption(f"The relations alone give {n_related:,}; the first {MOST_BY_RELATIONS} are listed.")
    _draw_candidates(base, draft, (*found, *_ticked_before(base, draft, found)))
    n = len(draft.answers)
    st.button(
        f"Confirm {many(n, 'answer')}",
        key=f"confirm-{draft.query_id}",
        type="primary",
        icon=":material/check:",
        on_click=_confirm,
        args=(base, draft),
        disabled=why_locked() is not None or draft.entity_id not in draft.answers,
    )
    if draft.entity_id not in draft.answers:
        st.caption("Select at least the first entity, the one you wrote the query for, or change the query.")


def text_search(base: KnowledgeBase) -> TextSearch | None:
    """Return the search over its texts; None while it is built, with the progress drawn."""
    kept, key = cache.knowledge_found(), f"text-search-{base.about.key}"
    make = partial(TextSearch.of, base, cache.workspace().paths)
    return computed(kept, key, "Getting the text search ready", make, family="knowledge", lane="long")


def _ticked_before(
    base: KnowledgeBase, draft: HumanQuery, found: Sequence[AnswerCandidate]
) -> tuple[AnswerCandidate, ...]:
    listed = {one.entity.entity_id for one in found}
    row_of = base.rows_of([one for one in draft.answers if one not in listed])
    return tuple(AnswerCandidate(entity, ("selected before",)) for entity in base.entities(list(row_of.values())))


def _draw_candidates(base: KnowledgeBase, draft: HumanQuery, found: Sequence[AnswerCandidate]) -> None:
    st.caption(
        "Select items that satisfy the whole query. Read before you select: text search also returns near matches."
    )
    listed = found
    if len(found) > FIRST and not st.toggle(f"List all {len(found):,}", key=f"all-{draft.query_id}"):
        listed = [one for place, one in enumerate(found) if place < FIRST or one.entity.entity_id in draft.answers]
    with st.container(key="candidates", gap="small"):
        for one in listed:
            with st.container(gap=None):
                _draw_candidate(base, draft, one)


def _draw_candidate(base: KnowledgeBase, draft: HumanQuery, candidate: AnswerCandidate) -> None:
    entity = candidate.entity
    key = f"tick-{draft.query_id}-{entity.row}"
    state.set_value(key, entity.entity_id in draft.answers)
    st.checkbox(
        plain(name_of(entity)),
        key=key,
        on_change=_tick,
        args=(draft, entity, key),
        disabled=why_locked() is not None,
    )
    text = base.text(entity.row).text
    beginning = " ".join(text[: 2 * BEGINNING].split())[:BEGINNING]
    more = " …" if len(text) > BEGINNING else ""
    st.caption(plain(f"{', '.join(candidate.why).capitalize()}. {beginning}{more}"))


def _tick(draft: HumanQuery, entity: Entity, key: str) -> None:
    with state.noting(NOTE):
        store = cache.workspace().store
        others = [one for one in find_query(store, draft.query_id).answers if one != entity.entity_id]
        keep_draft(store, draft.query_id, answers=[*others, entity.entity_id] if state.value(key) else others)


def _confirm(base: KnowledgeBase, draft: HumanQuery) -> None:
    with state.noting(NOTE):
        made = confirm(cache.workspace().store, base, draft.query_id, draft.answers)
        n = len(made.answers)
        state.say_once("knowledge", f"Confirmed, with {many(n, 'answer')}.")


# The entity that a query is written for: its content, its neighbours by relation, and theirs.

SHOWN = 8
"""Neighbours listed for each relation."""
MOST_STEPS = 4
"""Maximum number of steps of a walk."""
NOWHERE = "No step"


def draw_entity(base: KnowledgeBase, entity: Entity) -> None:
    st.markdown(f"## {plain(name_of(entity))}")
    st.caption(plain(f"{type_words(entity.type).capitalize()}, id {entity.entity_id[:80]}"))
    draw_text(base.text(entity.row), key=f"people-{entity.row}")
    st.markdown("**Its relations**")
    _draw_walk(base, entity)


def _draw_walk(base: KnowledgeBase, start: Entity) -> None:
    here, way = start, [start.row]
    for step in range(MOST_STEPS):
        near = _draw_neighbours(base, here)
        options = {str(each.row): each for each in near if each.row not in way}
        if not options or step == MOST_STEPS - 1:
            return
        key = f"walk-{'-'.join(map(str, way))}"
        state.settle_named(key, [NOWHERE, *options])
        choice = st.selectbox(
            "Continue from",
            [NOWHERE, *options],
            key=key,
            format_func=partial(_option_label, options),
            help="Shows the neighbours of a neighbour.",
        )
        if choice not in options:
            return
        here = options[str(choice)]
        way.append(here.row)
        st.markdown(f"**{plain(name_of(here))}** ({plain(type_words(here.type))})")


def _option_label(options: Mapping[str, Entity], row: str) -> str:
    return f"{name_of(options[row])} ({type_words(options[row].type)})" if row in options else row


def _draw_neighbours(base: KnowledgeBase, entity: Entity) -> Sequence[Entity]:
    """Draw every relation with its count and the first neighbours; return the neighbours listed."""
    counts = counts_of(base, entity.row)
    if not counts:
        st.caption("It has no relations.")
        return ()
    named: dict[int, Entity] = {}
    lines = []
    for count in counts:
        near = base.neighbours(entity.row, count.relation, count.direction, count.type, limit=SHOWN)
        named.update({each.row: each for each in near})
        lines.append(f"- {_line(count, near)}")
    st.markdown("\n".join(lines))
    return tuple(named.values())


def _line(count: NeighbourCount, near: Sequence[Entity]) -> str:
    words = f"{relation_words(count.relation, count.direction)} ({count.n:,})"
    names = "; ".join(name_of(each, 70) for each in near)
    more = f" and {count.n - len(near):,} more" if count.n > len(near) else ""
    return f"**{plain(words)}** {plain(names + more)}"


# Writing a query for an entity: the entity on one side, the query and its answers on the other.

ANY = "Any type"
HOW = (
    "You get a random entity. Read it, follow its relations, and write a realistic question that this entity "
    "answers, without its name. Then select everything that answers it."
)


def draw_writing(base: KnowledgeBase, person: str | None) -> None:
    if person is None:
        st.caption(HOW)
        st.info(NEEDED, icon=":material/person:")
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
            choice = st.selectbox(
                "Entity type",
                options,
                key="people-type",
                format_func=lambda name: name if name == ANY else type_words(name, plural=True).capitalize(),
                width=260,
            )
            chosen = None if choice == ANY else str(choice)
        st.button(
            "Get an entity",
            key="give-entity",
            type="primary",
            icon=":material/casino:",
            on_click=_give,
            args=(base, person, chosen),
            disabled=why_locked() is not None,
        )


def _give(base: KnowledgeBase, person: str, type: str | None) -> None:
    with state.noting(NOTE):
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
    """Draw the field for the query, which is saved when it loses focus."""
    st.markdown("## Your query")
    key, seen = f"written-{draft.query_id}", f"seen-{draft.query_id}"
    there = state.value(key)
    if there is None or (tidy(str(there)) != draft.text and state.value(seen) != draft.text):
        state.set_value(key, draft.text)  # another tab wrote it, or the page was reloaded
    state.set_value(seen, draft.text)
    st.text_area(
        f"Write a question that this {plain(type_words(entity.type))} answers",
        key=key,
        height=120,
        max_chars=MOST_QUERY_CHARACTERS,
        on_change=_save_text,
        args=(draft, key),
        disabled=why_locked() is not None,
        help="Saved when you leave the field (or press Ctrl+Enter).",
    )
    leaks = leaks_of(base, draft.entity_id, draft.text) if draft.text else ()
    if leaks:
        st.error(" ".join(plain(sentence(leak.sentence)) for leak in leaks), icon=":material/block:")
        st.markdown(marked(draft.text, leaks))
        st.caption("Rephrase it without the marked words.")
    elif draft.text:
        st.caption(":material/check: It doesn't reveal the entity. Saved as a draft.")
    return leaks


def marked(text: str, leaks: tuple[Leak, ...]) -> str:
    """Render the query in Markdown, with leaked words in colour and bold.

    >>> from core.knowledge.query_quality import find_leaks
    >>> marked("on Ito", find_leaks("on Ito", title="Ito"))
    'on :red-background[**Ito**]'
    """
    pieces = []
    for piece, is_leaking in parts(text, leaks):
        # Spaces stay outside of the marks; Markdown would not recognise them otherwise.
        front, back = piece[: len(piece) - len(piece.lstrip())], piece[len(piece.rstrip()) :]
        inner = plain(piece)
        pieces.append(f"{front}:red-background[**{inner}**]{back}" if is_leaking else f"{front}{inner}{back}")
    return "".join(pieces)


def _save_text(draft: HumanQuery, key: str) -> None:
    with state.noting(NOTE):
        keep_draft(cache.workspace().store, draft.query_id, str(state.value(key, "")))


def _draw_skip(base: KnowledgeBase, draft: HumanQuery) -> None:
    with st.popover("Skip this entity", icon=":material/skip_next:", disabled=why_locked() is not None):
        st.text_input("Reason (optional)", key=f"reason-{draft.query_id}", placeholder="Not my field")
        st.button("Skip", key=f"skip-{draft.query_id}", on_click=_skip, args=(base, draft))
    st.caption(f"{plain(name_of(base.entity(draft.entity_id)))} is reserved for you while you write.")


def _skip(base: KnowledgeBase, draft: HumanQuery) -> None:
    with state.noting(NOTE):
        store = cache.workspace().store
        skip(store, draft.query_id, str(state.value(f"reason-{draft.query_id}", "")))
        wish = str(state.value("people-type", ANY))
        give_entity(store, base, draft.writer, type=wish if wish in base.answer_types else None)


# The view "People": the name, then writing, rating, or the results of rating.

Part = Callable[[KnowledgeBase, str | None], None]
PARTS: dict[str, Part] = {"Write": draw_writing, "Rate": draw_rating, "Results": draw_results}


def draw_people(base: KnowledgeBase) -> None:
    part = choose_view(list(PARTS), "people", "People")
    person = name() or None
    if note := state.take(NOTE):
        st.warning(plain(sentence(note)), icon=":material/error:")
    if reason := why_locked():
        st.info(reason)
    with guarded():
        PARTS[part](base, person)
