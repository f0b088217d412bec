"""The Queries view: all judgments of a query, and export of a judged run."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import streamlit as st

from core.errors import QueryscapeError
from core.judge.confidence import FlaggedTriple, by_triple, needs_a_look, speaking
from core.judge.judgments import GradeMap, JudgedCandidate, Rubric, as_they_are, from_grade, relevances
from core.protocols import OnStage
from dashboard import cache, state
from dashboard.judge.judgments import (
    TRIPLE,
    EngineAnswer,
    draw_judgment,
    draw_means,
    graded_html,
    graded_rows,
    run_means,
)
from dashboard.judge.query_list import QueryGrades, choose_query, draw_look, summaries_of
from dashboard.judge.selection import OpenedJudgeRun
from dashboard.kit.components import current_theme, draw_files
from dashboard.messages import guarded, sentence
from dashboard.status import JobFamily, follow
from dashboard.words import plain
from data.collections import MOST_CHARACTERS, checked_name, list_collections
from data.judge.export import (
    FORMS,
    JudgedForm,
    counts_in_words,
    export_bytes,
    is_replaceable,
    load_judged_run,
    save_judged_collection,
)


@dataclass(frozen=True, eq=False)
class QueryOverview:
    judged: tuple[JudgedCandidate, ...]
    """The judgments that it was computed from."""
    looks: tuple[FlaggedTriple, ...]
    summaries: Mapping[str, QueryGrades]
    means: Mapping[str, float | None]


def known_of(opened: OpenedJudgeRun) -> QueryOverview:
    """Compute again if the judgments have changed. Texts are read once for each run: they stay the same."""
    kept, rubric = cache.opened_queries(), opened.judge.rubric
    name, texts = f"judged-{opened.row.run_id}", f"speaking-{opened.row.run_id}"
    known: QueryOverview | None = kept.get(name)
    if known is not None and known.judged is opened.judged:
        return known
    orders = kept.get(texts)
    if orders is None:
        orders = kept[texts] = speaking(opened.judged)
    known = QueryOverview(
        opened.judged,
        needs_a_look(opened.judged, rubric, orders=orders),
        summaries_of(opened),
        run_means(opened.field, opened.judged, rubric),
    )
    kept[name] = known
    return known


# Grades as judgments of a collection, for the page Retrievers.

JUDGED_ALONE = ""
COLLECTED = "judged-collected"
"""The name of the collection that was saved last."""


def draw_collecting(opened: OpenedJudgeRun, engines: tuple[str, ...] | None, grade_map: GradeMap) -> None:
    """Draw a name, the documents, and a button; it starts a job, because a collection may be large."""
    store = cache.workspace().store
    if store.is_read_only:
        return
    if state.value("judged-name") is None:
        state.set_value("judged-name", f"judged {file_stem(opened.row.name)}"[:MOST_CHARACTERS])
    texts = {JUDGED_ALONE: "Only the judged documents"} | {row.name: row.name for row in list_collections(store)}
    state.settle_named("judged-documents", list(texts))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.text_input("Name of the collection", key="judged-name", max_chars=MOST_CHARACTERS, width=260)
        documents = st.selectbox(
            "Documents",
            list(texts),
            key="judged-documents",
            format_func=lambda each: texts.get(each, each),
            help="Choose the searched collection to give other retrievers all of its documents.",
            width=260,
        )
        is_there = is_replaceable(store, name.strip())
        is_asked = st.button(
            "Replace the collection" if is_there else "Save as a collection",
            key="judged-collect",
            icon=":material/library_add:",
            help="Saves queries, publications and these judgments for the page Retrievers. The notes name the judge.",
        )
    if is_asked:
        _start(opened, engines, grade_map, checked_name(name), str(documents) or None, is_there)
        st.rerun()
    if (job := COLLECTION_JOBS.find(opened.row.run_id)) is not None:
        follow(job)
    elif state.value(COLLECTED) in texts:
        st.success(plain(f"{state.value(COLLECTED)} was added to the collections on the page Retrievers."))


COLLECTION_JOBS = JobFamily("judged-collect", lane="long")


def _start(
    opened: OpenedJudgeRun,
    engines: tuple[str, ...] | None,
    grade_map: GradeMap,
    name: str,
    documents: str | None,
    replace: bool,
) -> None:
    def work(on_stage: OnStage) -> None:
        on_stage("copying queries, texts and judgments")
        store = cache.workspace().store
        run = load_judged_run(store, opened.row)
        chosen = run if engines is None else run.of_engines(engines)
        save_judged_collection(store, chosen, name, grade_map, documents=documents, replace=replace)
        cache.collections_changed()

    state.set_value(COLLECTED, name)
    COLLECTION_JOBS.replace(opened.row.run_id, "Saving the collection", work)


def file_stem(name: str) -> str:
    """Return the start of a file name.

    >>> file_stem("AI / top 5"), file_stem("...")
    ('ai-top-5', 'judged')
    """
    return re.sub(r"[^\w]+", "-", name.lower()).strip("-")[:80] or "judged"


# A judged run as files, and its grades as judgments for other programs.

AS_GRADES = "grades"
ALL_ENGINES = ""


def draw_handing(opened: OpenedJudgeRun) -> None:
    with st.expander("Export judgments", icon=":material/download:", key="judged-files"):
        engines = _choose_engines(opened)
        whole = [form for form in FORMS.values() if not form.maps_grades]
        _draw_forms(opened, engines, whole, as_they_are(opened.judge.rubric))
        st.divider()
        grade_map = _choose_map(opened.judge.rubric)
        found = None
        try:
            found = relevances(opened.judged, grade_map, engines=engines)
        except QueryscapeError as e:
            st.warning(plain(sentence(str(e))))
        if found is None:
            return
        st.caption(plain(f"{sentence(grade_map.sentence)} {sentence(counts_in_words(found))}"))
        chosen = [form for form in FORMS.values() if form.maps_grades]
        _draw_forms(opened, engines, chosen, grade_map, f"-{grade_map.name}")
        draw_collecting(opened, engines, grade_map)


def _choose_engines(opened: OpenedJudgeRun) -> tuple[str, ...] | None:
    names = {ALL_ENGINES: "All engines"} | {engine: engine for engine in opened.field.engines}
    state.settle_named("export-engine", list(names))
    chosen = st.selectbox(
        "Engines", list(names), key="export-engine", format_func=lambda each: names.get(each, each), width=300
    )
    return None if chosen == ALL_ENGINES else (str(chosen),)


def _choose_map(rubric: Rubric) -> GradeMap:
    cuts = {str(points): points for points in rubric.points[1:]}
    options = [AS_GRADES, *cuts]
    state.settle_named("export-map", options)
    chosen = str(
        st.selectbox(
            "Relevance in judgments",
            options,
            key="export-map",
            format_func=lambda each: _map_words(rubric, cuts.get(each)),
            help="The relevance for programs such as trec_eval. Publications without a grade are omitted.",
            width=420,
        )
    )
    return from_grade(rubric, cuts[chosen]) if chosen in cuts else as_they_are(rubric)


def _map_words(rubric: Rubric, cut: int | None) -> str:
    if cut is None:
        return f"The grade, {rubric.points[0]} to {rubric.points[-1]}"
    name = next(grade.name for grade in rubric.grades if grade.points == cut)
    return f"1 from grade {cut} ({rubric.shown(cut):g}, {name}) up, else 0"


def _draw_forms(
    opened: OpenedJudgeRun,
    engines: tuple[str, ...] | None,
    forms: list[JudgedForm],
    grade_map: GradeMap,
    more: str = "",
) -> None:
    with st.container(horizontal=True):
        for form in forms:
            st.download_button(
                form.label,
                partial(_content, opened, engines, form, grade_map),
                file_name=f"{file_stem(opened.row.name)}{more}{form.suffix}",
                mime=form.mime,
                key=f"export-judged-{form.form_id}",
                icon=":material/download:",
                on_click="ignore",
                help=form.sentence,
            )


def _content(opened: OpenedJudgeRun, engines: tuple[str, ...] | None, form: JudgedForm, grade_map: GradeMap) -> bytes:
    """Read the run again when the button is pressed, so that the last overruling is included."""
    run = load_judged_run(cache.workspace().store, opened.row)
    return export_bytes(run, form, grade_map=grade_map, engines=engines)


# The view "Queries": one query with every judgment of every engine, and people's grades next to the judge's.

READING = (
    "How to read this: each column is an engine's answer, best first. The number is the valid grade, of {most}; "
    "a dash means no grade. A blue bar is the judge's grade, an orange one a person's. Means are "
    "over graded publications."
)


def draw_queries(opened: OpenedJudgeRun) -> None:
    known = known_of(opened)
    with guarded():
        draw_means(opened, known.means)
    with guarded():
        draw_look(opened, known.looks)
    with guarded():
        _draw_query(opened, known)
    with guarded():
        draw_handing(opened)


def _draw_query(opened: OpenedJudgeRun, known: QueryOverview) -> None:
    query = choose_query(opened, known.looks, known.summaries)
    if query is None:
        return
    st.markdown(f"**{plain(query.text) or '–'}**")
    if query.labels:
        st.caption(plain(" · ".join(f"{name}: {value}" for name, value in query.labels)))
    own = tuple(each for each in opened.judged if each.candidate.query_id == query.query_id)
    columns = [
        EngineAnswer(engine, tuple(each for each in own if each.candidate.engine == engine))
        for engine in opened.field.engines
    ]
    rubric = opened.judge.rubric
    several = by_triple(sorted(own, key=lambda each: each.candidate.rank))
    if several:
        state.settle_named(TRIPLE, list(several))
        state.show_again(TRIPLE)
    st.html(graded_html(columns, rubric, current_theme(), chosen=state.value(TRIPLE)))
    st.caption(plain(READING.format(most=rubric.shown_max)))
    draw_files(
        key="judged-query",
        name=f"{opened.row.name} query {query.query_id}",
        description="The judgments of one query, engine by engine.",
        rows=graded_rows(columns, rubric),
        picture=False,
    )
    with guarded():
        draw_judgment(opened, query, several)
