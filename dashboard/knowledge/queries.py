"""Turn a relational question into a query, try it with several retrievers, and save it to a collection."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from html import escape

import streamlit as st

from core.knowledge.entities import Entity, Rows
from core.knowledge.templates import Template, question_words, with_text
from core.protocols import OnStage
from core.retrieval.specs import read_spec
from dashboard import cache, state
from dashboard.kit.components import current_theme, draw_files
from dashboard.kit.theme import COLOURS, Theme
from dashboard.knowledge.entity_display import found, name_of
from dashboard.knowledge.templates import titles_of
from dashboard.messages import guarded, sentence
from dashboard.retrieval.rankings import cut, score
from dashboard.retrieval.retrievers import called
from dashboard.status import JobFamily, draw_end, is_watched
from dashboard.words import plain
from data.collections import MOST_CHARACTERS
from data.knowledge.base import KnowledgeBase
from data.knowledge.people import OwnQuery, keep_query, own_collections
from data.retrieval.asking import Hit, RetrieverTrial, corpus_of_base, meeting, try_retriever
from data.retrieval.collections import RetrievalCorpus
from data.store import content_hash

# A query run by several retrievers at once over the texts of a knowledge base; relational answers are marked.

OFFERED = ("graph", "bm25", "dense:lsa", "hybrid:lsa")
MOST_ASKED = 3


def draw_asked(base: KnowledgeBase, text: str, rows: Rows) -> None:
    """Draw the first 20 results of each, side by side. `rows`: the answers that meet the relational requirement."""
    state.settle_many_named("asked-of", OFFERED, most=MOST_ASKED)
    chosen = st.multiselect(
        "Retrievers",
        OFFERED,
        key="asked-of",
        max_selections=MOST_ASKED,
        format_func=lambda each: called(read_spec(each)),
    )
    if not chosen:
        return
    tried = [_tried(base, text, each) for each in chosen]
    there = [each for each in tried if each is not None]
    if not there:
        return
    meets = meeting(base, there, rows)
    st.html(tried_html(there, meets, current_theme()))
    st.caption(f"● meets the relational requirement, as {len(rows):,} of {_n_texts(base):,} texts do.")
    for note in dict.fromkeys(note for each in there for note in each.notes):
        st.caption(plain(sentence(note)))
    draw_files(
        key="query-tried",
        name=f"{base.about.name} query",
        description=text,
        rows=tried_rows(there, meets),
        picture=False,
    )


def _n_texts(base: KnowledgeBase) -> int:
    return sum(base.types[kind].n for kind in base.answer_types)


def _tried(base: KnowledgeBase, text: str, spec_text: str) -> RetrieverTrial | None:
    """Run a retriever; None while it runs, with the progress drawn."""

    def make(on_stage: OnStage) -> RetrieverTrial:
        return try_retriever(_corpus_of(base, on_stage), base, text, spec_text, on_stage)

    return found(["tried", base.about.key, spec_text, text], f"Asking {_name(spec_text)}", make, "long")


def _name(spec_text: str) -> str:
    return called(read_spec(spec_text))


def _corpus_of(base: KnowledgeBase, on_stage: OnStage) -> RetrievalCorpus:
    """Return the texts of possible answers. Only one knowledge base's texts are cached at a time."""
    kept = cache.knowledge_found()
    held: tuple[str, RetrievalCorpus] | None = kept.get("corpus")
    if held is None or held[0] != base.about.key:
        on_stage("reading texts")
        held = base.about.key, corpus_of_base(cache.workspace(), base)
        kept["corpus"] = held
    return held[1]


def tried_rows(tried: Sequence[RetrieverTrial], meets: set[str]) -> list[dict[str, str | int | float | None]]:
    return [
        {
            "Retriever": _name(each.retriever),
            "Rank": rank,
            "Id": hit.doc_id,
            "Title": hit.title,
            "Score": hit.score,
            "Meets the relations": "yes" if hit.doc_id in meets else "no",
        }
        for each in tried
        for rank, hit in enumerate(each.hits, start=1)
    ]


def tried_html(tried: Sequence[RetrieverTrial], meets: set[str], theme: Theme) -> str:
    return f'{_style(theme)}<div class="qs-tried">{"".join(_column(each, meets) for each in tried)}</div>'


def _column(tried: RetrieverTrial, meets: set[str]) -> str:
    n = sum(hit.doc_id in meets for hit in tried.hits)
    text = tried.error or (f"met by {n:,} of these {len(tried.hits):,}" if tried.hits else "No results.")
    lines = "".join(_line(rank, hit, hit.doc_id in meets) for rank, hit in enumerate(tried.hits, start=1))
    name = escape(_name(tried.retriever), quote=True)
    return f'<section><h2>{name}</h2><p>{escape(text)}</p><ol aria-label="Ranking of {name}">{lines}</ol></section>'


def _line(rank: int, hit: Hit, meets: bool) -> str:
    mark = '<i aria-hidden="true">●</i>' if meets else ""
    word = "<b>meets the relations</b> · " if meets else ""
    title = escape(cut(hit.title or hit.doc_id))
    return (
        f'<li{" class=meets" if meets else ""}><span class="rank">{rank}{mark}</span>'
        f"<span>{title}<small>{word}{escape(hit.doc_id)} · {score(hit.score)}</small></span></li>"
    )


def _style(theme: Theme) -> str:
    """Return static rules; they never contain user text."""
    c = COLOURS[theme]
    return f"""<style>
.qs-tried {{
  display: grid; grid-template-columns: repeat(auto-fit, minmax(min(270px, 100%), 1fr)); gap: 14px 22px;
}}
.qs-tried section {{ border-top: 3px solid {c["grid"]}; padding-top: 6px; min-width: 0; }}
.qs-tried h2 {{ margin: 0; padding: 0; font-size: 0.98rem; overflow-wrap: anywhere; }}
.qs-tried p {{ margin: 0 0 6px; color: {c["faint"]}; font-size: 0.82rem; }}
.qs-tried ol {{ list-style: none; margin: 0; padding: 0; }}
.qs-tried li {{
  display: grid; grid-template-columns: 3.1em 1fr; margin: 0; padding: 3px 4px 3px 0; font-size: 0.88rem;
  line-height: 1.25; border-left: 3px solid transparent; border-bottom: 1px solid {c["grid"]};
  overflow-wrap: anywhere;
}}
.qs-tried li.meets {{ border-left-color: {c["core"]}; background: {c["panel"]}; }}
.qs-tried .rank {{ color: {c["faint"]}; font-variant-numeric: tabular-nums; padding-left: 5px; white-space: nowrap; }}
.qs-tried .rank i {{ color: {c["core"]}; font-style: normal; padding-left: 4px; }}
.qs-tried small {{ display: block; color: {c["faint"]}; font-size: 0.78rem; }}
.qs-tried small b {{ color: {c["text"]}; }}
</style>"""


# A relational question turned into a query: as text, run by several retrievers, and saved in a custom collection.

ALL, TICKED = "all", "ticked"
NEW = ""
MOST_OFFERED = 500
"""Answers that can be ticked individually."""


def draw_query_making(
    base: KnowledgeBase, template: Template, filled: Mapping[str, Sequence[Entity]], rows: Rows
) -> None:
    with st.expander("Make this a query", icon=":material/edit:"):
        if template.answer_type not in base.answer_types:
            st.caption("Retrievers search only the texts of answer types; this type is not one of them.")
            return
        key = content_hash([base.about.key, template.template_id, *_filling(filled)])
        question = st.text_area("Query", question_words(template, titles_of(filled)), key=f"words-{key}", height=68)
        about = st.text_input(
            "Also about", key=f"about-{key}", placeholder="Optional: a condition on the text", max_chars=300
        )
        text = with_text(question, about)
        if about.strip():
            st.caption(f"Query: {plain(text)}")
        asked = content_hash([key, text])
        with st.container(horizontal=True, key="ask-row"):
            if st.button("Search", key="ask-it", type="primary"):
                state.set_value("query-asked", asked)
        with guarded():
            if state.value("query-asked") == asked and text:
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
    there = own_collections(cache.workspace().store, base)
    chosen = NEW
    if there:
        chosen = str(
            st.selectbox(
                "Collection",
                [*there, NEW],
                key=f"own-collection-{len(there)}",
                format_func=lambda name: "New collection" if name == NEW else name,
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
    which = st.radio(
        "Relevant answers",
        [ALL, TICKED],
        index=1 if has_text else 0,
        key=f"relevant-{key}-{has_text}",
        format_func=lambda each: f"all {len(rows):,} relational answers" if each == ALL else "only those you select",
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
        st.caption(f"The first {MOST_OFFERED:,} of {len(rows):,} are listed.")
    return chosen


QUERY_JOBS = JobFamily("own-query")


def _start(base: KnowledgeBase, name: str, query: OwnQuery, relevant: Sequence[int] | Rows) -> None:
    def work(on_stage: OnStage) -> tuple[str, str]:
        answers = tuple(entity.entity_id for entity in base.entities(relevant))
        kept = keep_query(cache.workspace().store, base, name, replace(query, answers=answers), on_stage=on_stage)
        cache.collections_changed()
        begun = "which is new" if kept.is_new else f"which has {kept.n_queries:,} queries now"
        text = f'Query {kept.query_id} is in the collection "{kept.collection}", {begun}.'
        return kept.collection, text

    QUERY_JOBS.replace(_job_name(base), "Saving the query", work)


def _job_name(base: KnowledgeBase) -> str:
    return f"{state.visitor()}:{base.about.name}"


def _draw_saved(base: KnowledgeBase) -> None:
    job = QUERY_JOBS.find(_job_name(base))
    if job is None or is_watched(job):
        return
    draw_end(job)
    if job.finished:
        collection, outcome = job.outcome
        st.success(plain(outcome), icon=":material/check:")
        st.page_link(
            "retrieval/page.py",
            label="Run retrievers over it",
            icon=":material/leaderboard:",
            query_params={"collection": collection},
        )
