"""The query template that finds surveys of a field."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

import streamlit as st

from core.query.dialects import DIALECTS
from core.query.reading.parser import parse
from core.query.tree import DialectId
from core.query.writing.printing import Translation, translate
from core.studies.core_sets import SURVEY_KINDS, SURVEY_WORDS, USABLE, SurveyKind, survey_query
from dashboard import cache, state
from dashboard.figures.studies.kinds import SIGNS
from dashboard.messages import guarded
from dashboard.sections.figure import Row, draw_files
from dashboard.sections.studies.chosen import choose_topics
from dashboard.words import plain
from data.studies.scores import core_sets
from data.studies.together import candidates

TYPED = "Words typed here"
DIALECT_IDS: tuple[DialectId, ...] = get_args(DialectId)


def draw_surveys() -> None:
    """A field goes in, the query comes out in every dialect; below, the surveys that are here already."""
    st.write("Core publications come from surveys. This query finds those of your field, in any of these databases.")
    state.settle("survey_kind", SURVEY_KINDS)
    said = st.segmented_control(
        "Kind of survey",
        SURVEY_KINDS,
        key="survey_kind",
        required=True,
        bind="query-params",
        format_func=lambda kind: SIGNS[kind].label,
    )
    kind: SurveyKind = "systematic review" if said == "systematic review" else "bibliometric"
    with guarded():
        _draw_query(_choose_field(), kind)
    with st.container(border=True):
        st.markdown("**What makes a survey usable as a source of core publications**")
        st.markdown("\n".join(f"- {plain(line)}" for line in USABLE))
    _draw_candidates(kind)


def _choose_field() -> str:
    """Typed, or what a topic's first version says."""
    topics = [row.topic_id for row in cache.workspace().store.topics()]
    options = [TYPED, *topics]
    where, what = st.columns([0.35, 0.65])
    state.settle("field_from", options)
    chosen = where.selectbox("Field", options, key="field_from", bind="query-params")
    if chosen == TYPED:
        return what.text_input(
            "Words or a search string",
            key="field",
            bind="query-params",
            placeholder='green AND (warehous* OR "distribution center")',
        )
    field = _baseline(chosen)
    what.text_input("What its baseline says", field, disabled=True, key=f"baseline-{chosen}")
    return field


def _baseline(topic_id: str) -> str:
    versions = cache.workspace().store.versions(topic_id)
    texts = [row.version.text for row in versions if row.version.origin == "baseline"]
    return next((text for text in texts if text.strip()), topic_id)


def _draw_query(field: str, kind: SurveyKind) -> None:
    if not field.strip():
        st.caption("Name a field above, and the query is written in every dialect. Its first half is always the same:")
        st.code(f"title:({SURVEY_WORDS[kind]}) AND …", language=None, wrap_lines=True)
        return
    parsed = parse(survey_query(field, kind), "plain")
    written = {dialect: translate(parsed, dialect) for dialect in DIALECT_IDS}
    columns = st.columns(2, gap="large")
    for number, (dialect, translation) in enumerate(written.items()):
        with columns[number % 2]:
            _draw_dialect(dialect, translation)


def _draw_dialect(dialect: DialectId, translation: Translation) -> None:
    st.markdown(f"**{plain(DIALECTS[dialect].label)}**")
    if translation.text:
        st.code(translation.text, language=None, wrap_lines=True)
    losses = list(dict.fromkeys(loss.message for loss in translation.losses))
    for message in losses:
        st.caption(plain(f"Not the same there: {message}"))


def _draw_candidates(kind: SurveyKind) -> None:
    if not cache.workspace().store.topics():
        return
    st.subheader("Surveys that are here already")
    chosen = choose_topics()
    found = candidates(cache.workspace(), chosen, kind)
    if not found:
        st.caption("No publication of these topics has the words of this template in its title.")
        return
    named_by = {t.survey_id for t in core_sets(cache.workspace(), chosen) if t.survey_kind == kind} - {None}
    n_named_by = sum(c.publication.publication_id in named_by for c in found)
    rows: list[Row] = [
        {
            "Title": c.publication.title,
            "Year": c.publication.year,
            "Times cited": c.publication.times_cited,
            "Found in": _listed(c.topics),
            "Its core publications are used by": _listed(c.survey_of),
            "DOI": c.publication.doi,
        }
        for c in found
    ]
    many = "title matches" if len(found) == 1 else "titles match"
    known = f" Of the {len(named_by)} that these topics' core publications come from, it finds {n_named_by}."
    st.caption(f"{len(found):,} {many} the words of the template.{known if named_by else ''}")
    draw_files(
        key="surveys",
        name="surveys-in-this-workspace",
        description="Publications whose titles say that they are a survey of this kind, the most cited first.",
        rows=rows,
        picture=False,
    )


def _listed(names: Sequence[str]) -> str | None:
    return ", ".join(names) or None
