"""A judged run as files, and its grades as judgments for other programs."""

from __future__ import annotations

from functools import partial

import streamlit as st

from core.errors import QueryscapeError
from core.judging.types import GradeMap, Rubric, as_they_are, from_grade, relevances
from dashboard import cache, state
from dashboard.messages import sentence
from dashboard.sections.judge.choosing import Opened
from dashboard.sections.judge.queries.collecting import draw_collecting, file_stem
from dashboard.words import plain
from data.judging.export.qrels import FORMS, JudgedForm, counts_in_words, export_bytes, load_judged_run

AS_GRADES = "grades"
ALL_ENGINES = ""


def draw_handing(opened: Opened) -> None:
    """Buttons for every form, and a collection for the page Retrievers."""
    with st.expander("Files, and a collection of judgments", icon=":material/download:", key="judged-files"):
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


def _choose_engines(opened: Opened) -> tuple[str, ...] | None:
    names = {ALL_ENGINES: "All engines"} | {engine: engine for engine in opened.field.engines}
    state.settle_named("export-engine", list(names))
    chosen = st.selectbox(
        "Of", list(names), key="export-engine", format_func=lambda each: names.get(each, each), width=300
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
            help="What programs such as trec_eval are told. What has no grade has no line.",
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
    opened: Opened,
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


def _content(opened: Opened, engines: tuple[str, ...] | None, form: JudgedForm, grade_map: GradeMap) -> bytes:
    """Read anew when the button is pressed, so that the last overruling is in it."""
    run = load_judged_run(cache.workspace().store, opened.row)
    return export_bytes(run, form, grade_map=grade_map, engines=engines)
