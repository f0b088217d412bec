"""A relational question made a query: in words, asked of retrievers at once, and kept in a collection of one's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import streamlit as st

from core.knowledge.spans import Entity, Rows
from core.knowledge.templates import Template, question_words
from core.protocols import OnStage
from dashboard import cache, state
from dashboard.messages import guarded
from dashboard.sections.knowledge.entities.showing import name_of
from dashboard.sections.knowledge.questions.blanks import titles_of
from dashboard.sections.knowledge.questions.trying import draw_asked
from dashboard.sections.waiting import how_it_ended, watch
from dashboard.words import plain
from data.collections.stored import MOST_CHARACTERS
from data.knowledge.base import KnowledgeBase
from data.knowledge.people.writing import OwnQuery, keep_query, own_collections
from data.store import content_hash

ALL, TICKED = "all", "ticked"
NEW = ""
MOST_OFFERED = 500
"""Answers that can be ticked one by one."""


def with_text(question: str, about: str) -> str:
    """A question with what it is also about.

    >>> with_text("Which papers are written by Ito?", "night work")
    'Which papers are written by Ito, about night work?'
    """
    about, question = " ".join(about.split()), question.strip()
    if not about:
        return question
    end = question[-1:] if question.endswith(("?", ".")) else ""
    return f"{question.rstrip('?.').rstrip()}, about {about}{end}"


def draw_query_making(
    base: KnowledgeBase, template: Template, filled: Mapping[str, Sequence[Entity]], rows: Rows
) -> None:
    """Words, "Ask it", "Save as a query"."""
    with st.expander("Make this a query", icon=":material/edit:"):
        if template.answer_type not in base.answer_types:
            st.caption(
                "Retrievers search the texts of what questions ask for; answers of this type are not among them."
            )
            return
        key = content_hash([base.about.key, template.template_id, *_filling(filled)])
        question = st.text_area("In words", question_words(template, titles_of(filled)), key=f"words-{key}", height=68)
        about = st.text_input(
            "Also about", key=f"about-{key}", placeholder="Optional: what the text has to say", max_chars=300
        )
        text = with_text(question, about)
        if about.strip():
            st.caption(f"Asked: {plain(text)}")
        asked = content_hash([key, text])
        with st.container(horizontal=True, key="ask-row"):
            st.button("Ask it", key="ask-it", type="primary", on_click=state.say, args=("query-asked", asked))
        with guarded():
            if state.said("query-asked") == asked and text:
                draw_asked(base, text, rows)
        with guarded():
            _draw_saving(base, OwnQuery(text, template, _ids(filled), ()), rows, key, has_text=bool(about.strip()))


def _filling(filled: Mapping[str, Sequence[Entity]]) -> list[str]:
    return [f"{slot}={[entity.row for entity in entities]}" for slot, entities in filled.items()]


def _ids(filled: Mapping[str, Sequence[Entity]]) -> dict[str, tuple[str, ...]]:
    return {slot: tuple(entity.entity_id for entity in entities) for slot, entities in filled.items()}


def _draw_saving(base: KnowledgeBase, query: OwnQuery, rows: Rows, key: str, *, has_text: bool) -> None:
    st.markdown("**Save as a query**")
    relevant = _choose_answers(base, rows, key, has_text=has_text)
    name = _choose_collection(base)
    st.button(
        "Save",
        key="save-query",
        disabled=not name or not len(relevant) or not query.text,
        on_click=_start,
        args=(base, name, query, relevant),
    )
    _draw_saved(base)


def _choose_collection(base: KnowledgeBase) -> str:
    """One that was begun before, or the name of a new one."""
    there = own_collections(cache.workspace().store, base)
    chosen = NEW
    if there:
        chosen = str(
            st.selectbox(
                "Collection",
                [*there, NEW],
                key=f"own-collection-{len(there)}",
                format_func=lambda name: "A new one" if name == NEW else name,
            )
        )
    if chosen != NEW:
        return chosen
    return st.text_input(
        "Name of the new collection",
        key="new-collection",
        placeholder="Such as my-questions",
        help="Queries of your own over the documents of this knowledge base. The page Retrievers runs over it.",
        max_chars=MOST_CHARACTERS,
    ).strip()


def _choose_answers(base: KnowledgeBase, rows: Rows, key: str, *, has_text: bool) -> Sequence[int] | Rows:
    """Which answers count: all, or those that are ticked."""
    which = st.radio(
        "Relevant are",
        [ALL, TICKED],
        index=1 if has_text else 0,
        key=f"relevant-{key}-{has_text}",
        format_func=lambda each: f"all {len(rows):,} relational answers" if each == ALL else "only those that I choose",
        horizontal=True,
    )
    if which == ALL:
        return rows
    offered = {entity.row: entity for entity in base.entities(rows[:MOST_OFFERED])}
    chosen = st.multiselect(
        "Answers that fit the text too",
        list(offered),
        key=f"ticked-{key}",
        format_func=lambda each: name_of(offered[each]) if each in offered else str(each),
        placeholder="None yet",
    )
    if len(rows) > MOST_OFFERED:
        st.caption(f"The first {MOST_OFFERED:,} of {len(rows):,} are offered.")
    return chosen


def _start(base: KnowledgeBase, name: str, query: OwnQuery, relevant: Sequence[int] | Rows) -> None:
    job_name = _job(base)

    def work(on_stage: OnStage) -> None:
        answers = tuple(entity.entity_id for entity in base.entities(relevant))
        kept = keep_query(cache.workspace().store, base, name, replace(query, answers=answers), on_stage=on_stage)
        cache.collections_changed()
        begun = "which is new" if kept.is_new else f"which has {kept.n_queries:,} queries now"
        said = f'Query {kept.query_id} is in the collection "{kept.collection}", {begun}.'
        cache.knowledge_found()[job_name] = kept.collection, said

    cache.jobs().forget(job_name)
    cache.jobs().start(job_name, "Saving the query", work)


def _job(base: KnowledgeBase) -> str:
    return f"own-query:{state.visitor()}:{base.about.name}"


def _draw_saved(base: KnowledgeBase) -> None:
    """How far the last one is, or where it went."""
    job = cache.jobs().find(_job(base))
    if job is None:
        return
    if not job.is_over:
        watch(job)
    elif not job.finished:
        how_it_ended(job)
    elif (kept := cache.knowledge_found().get(_job(base))) is not None:
        collection, said = kept
        st.success(plain(said), icon=":material/check:")
        st.page_link(
            "app_pages/retrievers.py",
            label="Run retrievers over it",
            icon=":material/leaderboard:",
            query_params={"collection": collection},
        )
