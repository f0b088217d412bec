"""Confirming answers: candidates are proposed, and the writer ticks those that satisfy the query."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.knowledge.spans import Entity
from core.protocols import OnStage
from dashboard import cache, state
from dashboard.sections.knowledge.entities.showing import name_of
from dashboard.sections.knowledge.people.blanks import draw_template
from dashboard.sections.knowledge.people.keeping import noted, why_not_kept
from dashboard.sections.waiting import how_it_ended, watch
from dashboard.words import plain
from data.knowledge.base import KnowledgeBase
from data.knowledge.people.writing import HumanQuery, confirm, find_query, keep_draft
from data.retrieval.plane import MOST_BY_RELATIONS, Candidate, TextSearch, candidates_for

FIRST = 25
"""Candidates that are listed at first."""
BEGINNING = 220
"""Characters of a candidate's text."""


def draw_answers(base: KnowledgeBase, draft: HumanQuery) -> None:
    """Who satisfies it: the entity itself, what a text search finds, what relations give."""
    st.markdown("##### What answers it?")
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
        f"Confirm {n:,} {'answer' if n == 1 else 'answers'}",
        key=f"confirm-{draft.query_id}",
        type="primary",
        icon=":material/check:",
        on_click=_confirm,
        args=(base, draft),
        disabled=why_not_kept() is not None or draft.entity_id not in draft.answers,
    )
    if draft.entity_id not in draft.answers:
        st.caption("Tick at least the entity that you wrote it for, which is the first; else change the query.")


def text_search(base: KnowledgeBase) -> TextSearch | None:
    """The search over its texts; None while it is made, which is drawn."""
    kept, name = cache.knowledge_found(), f"text-search-{base.about.key}"
    if name in kept:
        return kept[name]  # type: ignore[no-any-return]
    paths = cache.workspace().paths

    def work(on_stage: OnStage) -> None:
        kept[name] = TextSearch.of(base, paths, on_stage)

    if (before := cache.jobs().find(name)) is not None and before.finished:
        cache.jobs().forget(name)
    job = cache.jobs().start(name, "Getting the text search ready", work, lane="long")
    if not job.is_over:
        watch(job)
    elif job.finished:
        return kept.get(name)
    else:
        how_it_ended(job)
    return None


def _ticked_before(base: KnowledgeBase, draft: HumanQuery, found: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """What was ticked while another wording found it."""
    listed = {one.entity.entity_id for one in found}
    row_of = base.rows_of([one for one in draft.answers if one not in listed])
    return tuple(Candidate(entity, ("ticked before",)) for entity in base.entities(list(row_of.values())))


def _draw_candidates(base: KnowledgeBase, draft: HumanQuery, found: Sequence[Candidate]) -> None:
    st.caption(
        "Tick what satisfies the whole query. Read before you tick: a text search also finds what only sounds alike."
    )
    listed = found
    if len(found) > FIRST and not st.toggle(f"List all {len(found):,}", key=f"all-{draft.query_id}"):
        listed = [one for place, one in enumerate(found) if place < FIRST or one.entity.entity_id in draft.answers]
    with st.container(key="candidates", gap="small"):
        for one in listed:
            with st.container(gap=None):
                _draw_candidate(base, draft, one)


def _draw_candidate(base: KnowledgeBase, draft: HumanQuery, candidate: Candidate) -> None:
    entity = candidate.entity
    key = f"tick-{draft.query_id}-{entity.row}"
    state.say(key, entity.entity_id in draft.answers)
    st.checkbox(
        plain(name_of(entity)),
        key=key,
        on_change=_tick,
        args=(draft, entity, key),
        disabled=why_not_kept() is not None,
    )
    text = base.text(entity.row).text
    beginning = " ".join(text[: 2 * BEGINNING].split())[:BEGINNING]
    more = " …" if len(text) > BEGINNING else ""
    st.caption(plain(f"{', '.join(candidate.why).capitalize()}. {beginning}{more}"))


def _tick(draft: HumanQuery, entity: Entity, key: str) -> None:
    with noted():
        store = cache.workspace().store
        others = [one for one in find_query(store, draft.query_id).answers if one != entity.entity_id]
        keep_draft(store, draft.query_id, answers=[*others, entity.entity_id] if state.said(key) else others)


def _confirm(base: KnowledgeBase, draft: HumanQuery) -> None:
    with noted():
        made = confirm(cache.workspace().store, base, draft.query_id, draft.answers)
        n = len(made.answers)
        state.say_once("knowledge", f"Confirmed, with {n:,} {'answer' if n == 1 else 'answers'}.")
