"""What a judge's stated confidence is worth, where people can say; else how grades spread over it."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from core.judging.calibration import calibration
from core.judging.scores import JudgeScores
from dashboard import cache, state
from dashboard.components.mount import current_theme
from dashboard.figures.judge.confidence import agreement_figure, confidence_rows, spread_figure
from dashboard.figures.judge.shared import levels_in_words
from dashboard.sections.figure import draw_figure
from dashboard.sections.judge.choosing import Opened
from dashboard.sections.judge.trust.found import OVERRULED, SOURCE, scale_of
from dashboard.words import plain
from data.judging.trust.probes import PeopleSource, people_sources, values_of


def draw_confidence(opened: Opened, scores: JudgeScores) -> None:
    """A sentence, agreement with people where there is any, and the spread."""
    source = _choose_people(opened)
    found = calibration(opened.judged, scores.rubric, human=_grades(opened, source))
    st.markdown(plain(found.sentence))
    rows = confidence_rows(found, scores.rubric)
    if found.source == "people":
        draw_figure(
            agreement_figure(found, theme=current_theme()),
            key="judge-agreement",
            name=f"{opened.row.name} confidence against people",
            reading="each sign is the share of triples with this confidence on which a person gave the judge's grade.",
            rows=rows,
        )
    draw_figure(
        spread_figure(found, scores.rubric, theme=current_theme()),
        key="judge-confidence",
        name=f"{opened.row.name} confidence",
        reading="each bar holds the triples that were given a confidence, in the colours of their grades. "
        f"{levels_in_words(scores.rubric)}.",
        rows=rows,
        notes=[f"{found.n_silent:,} triples have a grade but no confidence."] if found.n_silent else [],
    )


def _choose_people(opened: Opened) -> PeopleSource | None:
    """Whose grades the judge is held against: the same choice as in the view Trust."""
    sources = {
        each.collection or OVERRULED: each
        for each in people_sources(cache.workspace().store, opened.row.run_id, opened.judged)
    }
    if not sources:
        return None
    labels = {key: f"{each.label} ({each.n:,})" for key, each in sources.items()}
    state.settle_named(SOURCE, list(labels))
    key = str(st.selectbox("Grades of people", list(labels), key=SOURCE, format_func=lambda key: labels.get(key, key)))
    state.write_in_link(SOURCE, [key])
    source = sources[key]
    if source.note:
        st.warning(plain(source.note), icon=":material/warning:")
    if not source.is_overruled:
        scale = scale_of(opened, source)
        said = ", ".join(f"{value} counts as {scale.get(value, 'left out')}" for value in source.values)
        st.caption(plain(f"People's values on the judge's scale: {said}. This is changed in the view Trust."))
    return source


def _grades(opened: Opened, source: PeopleSource | None) -> Mapping[str, int] | None:
    """By triple, on the judge's scale; None: what was overruled."""
    if source is None or source.collection is None:
        return None
    scale = scale_of(opened, source)
    values = values_of(cache.workspace().store, opened.row.run_id, source.collection)
    found = {}
    for each in opened.judged:
        value = values.get((each.candidate.query_id, each.candidate.doc_id))
        if value is not None and value in scale:
            found[each.triple_key] = scale[value]
    return found
