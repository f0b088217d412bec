"""Who the core publications of all topics are: kinds, years, citations."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from core.studies.core_sets import SURVEY_KINDS, Facts, TopicCore, facts_of, in_several
from dashboard import cache, state
from dashboard.components.mount import current_theme
from dashboard.figures.studies.core_sets import (
    citations_figure,
    cited_by_kind,
    core_counts_figure,
    spread_of,
    year_histogram_figure,
    years_figure,
)
from dashboard.figures.studies.kinds import KINDS, SIGNS, Kind
from dashboard.sections.figure import Row, draw_figure
from dashboard.sections.studies.chosen import choose_topics
from dashboard.words import plain
from data.studies.scores import core_sets, set_survey_kind

NOT_KNOWN = "not known"
COUNTED_FROM = ("Calendar", "Years before the survey")
BOX = "The box holds the middle half, the line in it is the median."


def draw_core_sets() -> None:
    """Facts, three figures, and the kind of each survey, which can be said by hand."""
    topics = core_sets(cache.workspace(), choose_topics())
    if not any(map(len, topics)):
        st.info("None of these topics has core publications yet: add some on the page Library.")
        return
    _draw_facts(topics)
    _draw_counts(topics)
    _draw_citations(topics)
    _draw_years(topics)


def _draw_facts(topics: Sequence[TopicCore]) -> None:
    columns = {"All": facts_of(topics)}
    for kind in KINDS:
        if of_kind := [topic for topic in topics if topic.survey_kind == kind]:
            columns[SIGNS[kind].label] = facts_of(of_kind)
    lines = [{"": name, **{label: value(f) for label, f in columns.items()}} for name, value in FACTS.items()]
    st.dataframe(lines, hide_index=True, key="core-facts")
    if shared := in_several(topics):
        names = "; ".join(f"{title} ({', '.join(of)})" for title, of in _titles(topics, shared).items())
        st.caption(plain(f"In several topics, counted once: {names}."))
    if any(topic.made_up for topic in topics):
        st.caption("Topics of the demo are made up: no survey named their core publications.")


FACTS: dict[str, Callable[[Facts], str]] = {
    "Topics": lambda f: f"{f.n_topics:,}",
    "Core publications, counted for each of their topics": lambda f: f"{f.n_entries:,}",
    "The same, each counted once": lambda f: f"{f.n_publications:,}",
    "In several of these topics": lambda f: f"{f.n_in_several:,}",
    "Without an abstract": lambda f: f"{f.n_without_abstract:,}",
    "Without year and citations": lambda f: f"{f.n_without_metadata:,}",
    "Never cited": lambda f: f"{f.n_never_cited:,}",
    "Median of citations, where known": lambda f: _number(f.median_times_cited),
    "Median age when the survey appeared, in years": lambda f: _number(f.median_years_before_survey),
}


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:,.1f}".removesuffix(".0")


def _titles(topics: Sequence[TopicCore], shared: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    title_of = {p.publication_id: p.title or p.publication_id for t in topics for p in t.publications}
    return {title_of[publication_id]: of for publication_id, of in shared.items()}


def _draw_counts(topics: Sequence[TopicCore]) -> None:
    rows: list[Row] = [
        {
            "Topic": t.topic_id,
            "Kind of survey": t.survey_kind or NOT_KNOWN,
            "Survey": t.survey_title or NOT_KNOWN,
            "Survey year": t.survey_year,
            "Core publications": len(t),
            "Without abstract": t.n_without_abstract,
            "Without year and citations": t.n_without_metadata,
        }
        for t in sorted(topics, key=lambda t: -len(t))
    ]
    draw_figure(
        core_counts_figure(topics, theme=current_theme()),
        key="core-counts",
        name="core-publications-per-topic",
        reading="longer is more to be found; a recall over few core publications moves in large steps.",
        rows=rows,
    )
    _draw_kinds(topics)


def _draw_kinds(topics: Sequence[TopicCore]) -> None:
    """Kinds are said by hand where no collection says them."""
    with st.expander("Kinds of surveys"):
        st.caption(
            "Bibliometric: core publications were named for their citations. Systematic review: people chose them from "
            "what a search found. Of LitQEval, topics that come with a review's search string are systematic reviews."
        )
        which, what = st.columns(2)
        topic_of = {topic.topic_id: topic for topic in topics}
        state.settle("kind_topic", list(topic_of))
        topic_id = which.selectbox("Topic of the survey", list(topic_of), key="kind_topic")
        kinds: list[Kind] = list(KINDS)
        now = topic_of[topic_id].survey_kind
        what.selectbox(
            "Kind of survey",
            kinds,
            index=kinds.index(now),
            key=f"kind-{topic_id}-{now}",
            format_func=lambda kind: SIGNS[kind].label,
            on_change=_keep_kind,
            args=(topic_id, f"kind-{topic_id}-{now}"),
        )
        if cache.workspace().store.is_copy:
            st.caption("Another process holds this workspace: what is chosen here is not kept.")


def _keep_kind(topic_id: str, key: str) -> None:
    kind = state.said(key)
    set_survey_kind(cache.workspace(), topic_id, kind if kind in SURVEY_KINDS else None)
    state.say_once("studies", f"{topic_id}: {SIGNS[kind].label.lower()}.")


def _draw_citations(topics: Sequence[TopicCore]) -> None:
    rows: list[Row] = [
        {
            "Topic": t.topic_id,
            "Kind of survey": t.survey_kind or NOT_KNOWN,
            "Title": p.title,
            "Times cited": p.times_cited,
        }
        for t in topics
        for p in t.publications
    ]
    by_topic, by_kind = [spread_of(t, t.times_cited) for t in topics if len(t)], cited_by_kind(topics)
    draw_figure(
        citations_figure(by_topic, title="How often core publications are cited, by topic", theme=current_theme()),
        key="core-citations",
        name="citations-of-core-publications",
        reading=f"further right is cited more often. {BOX}",
        rows=rows,
    )
    if len(by_kind) > 1:
        draw_figure(
            citations_figure(by_kind, title="The same by kind of survey", theme=current_theme()),
            key="core-citations-kind",
            name="citations-by-kind-of-survey",
            reading=f"bibliometric surveys choose by citations, so their box should lie further right. {BOX}",
            rows=[
                {"Kind of survey": s.name, "Title": title, "Times cited": value}
                for s in by_kind
                for value, title in zip(s.values, s.titles, strict=True)
            ],
        )


def _draw_years(topics: Sequence[TopicCore]) -> None:
    state.settle("years", COUNTED_FROM)
    how = st.segmented_control("Years counted by", COUNTED_FROM, key="years", required=True, bind="query-params")
    before = how == COUNTED_FROM[1]
    some = [topic for topic in topics if len(topic)]
    left_out = [t.topic_id for t in some if t.survey_year is None] if before else []
    rows: list[Row] = [
        {
            "Topic": t.topic_id,
            "Kind of survey": t.survey_kind or NOT_KNOWN,
            "Title": p.title,
            "Year": p.year,
            "Survey year": t.survey_year,
            "Years before the survey": age,
        }
        for t in topics
        for p, age in zip(t.publications, t.years_before_survey, strict=True)
    ]
    draw_figure(
        years_figure(some, before_survey=before, theme=current_theme()),
        key="core-years",
        name="years-of-core-publications",
        reading=f"a long gap between signs and survey: what a field agrees on is old. {BOX}",
        rows=rows,
        notes=[f"Left out, as the year of the survey is not known: {', '.join(left_out)}."] if left_out else [],
    )
    draw_figure(
        year_histogram_figure(topics, theme=current_theme()),
        key="core-histogram",
        name="core-publications-by-year",
        reading="higher is more core publications from that year, whichever topic they belong to.",
        rows=_by_year(topics),
    )


def _by_year(topics: Sequence[TopicCore]) -> list[Row]:
    years = sorted({year for t in topics for year in t.years if year is not None})
    return [
        {
            "Year": year,
            **{SIGNS[k].label: sum(t.years.count(year) for t in topics if t.survey_kind == k) for k in KINDS},
        }
        for year in years
    ]
