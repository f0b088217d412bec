"""The view "Queries": one query with every judgment of every engine, and a person's word beside the judge's."""

from __future__ import annotations

import streamlit as st

from core.judging.calibration import by_triple
from dashboard import state
from dashboard.components.mount import current_theme
from dashboard.messages import guarded
from dashboard.sections.figure import draw_files
from dashboard.sections.judge.choosing import Opened
from dashboard.sections.judge.queries.choosing import choose_query
from dashboard.sections.judge.queries.graded import Graded, graded_html, graded_rows
from dashboard.sections.judge.queries.handing import draw_handing
from dashboard.sections.judge.queries.judgment import TRIPLE, draw_judgment
from dashboard.sections.judge.queries.known import Known, known_of
from dashboard.sections.judge.queries.look import draw_look
from dashboard.sections.judge.queries.means import draw_means
from dashboard.words import plain

READING = (
    "How to read this: each column is an engine's answer, best first. The number is the grade that counts, of "
    "{most}; a dash means that there is none, and nothing stands for it. A blue bar is the judge's grade, an orange "
    "one a person's. Means are over what has a grade."
)


def draw_queries(opened: Opened) -> None:
    """Choose a query; its judgments side by side; one of them whole, to be overruled; files."""
    known = known_of(opened)
    with guarded():
        draw_means(opened, known.means)
    with guarded():
        draw_look(opened, known.looks)
    with guarded():
        _draw_query(opened, known)
    with guarded():
        draw_handing(opened)


def _draw_query(opened: Opened, known: Known) -> None:
    query = choose_query(opened, known.looks, known.summaries)
    if query is None:
        return
    st.markdown(f"**{plain(query.text) or '–'}**")
    if query.labels:
        st.caption(plain(" · ".join(f"{name}: {value}" for name, value in query.labels)))
    own = tuple(each for each in opened.judged if each.candidate.query_id == query.query_id)
    columns = [
        Graded(engine, tuple(each for each in own if each.candidate.engine == engine))
        for engine in opened.field.engines
    ]
    rubric = opened.judge.rubric
    several = by_triple(sorted(own, key=lambda each: each.candidate.rank))
    if several:
        state.settle_named(TRIPLE, list(several))
        state.show_anew(TRIPLE)
    st.html(graded_html(columns, rubric, current_theme(), chosen=state.said(TRIPLE)))
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
