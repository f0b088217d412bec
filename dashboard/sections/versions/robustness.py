"""What the choice of parameters does to the scores and to the order of the versions."""

from __future__ import annotations

import streamlit as st

from core.comparing.robustness import Robustness
from core.settings import EvaluationSettings
from dashboard import cache, state
from dashboard.figures.versions.robustness import (
    order_sentences,
    orders_figure,
    outcome_rows,
    span_rows,
    spans_figure,
    special_sentences,
)
from dashboard.jobs import Job
from dashboard.messages import plain
from dashboard.sections.figure import draw_figure
from dashboard.sections.plain import current_theme
from dashboard.sections.versions.chosen import Chosen
from dashboard.sections.waiting import how_it_ended, watch
from data.cases import OnStage
from data.versions.robustness import known_robustness, robustness_of


def draw_robustness(chosen: Chosen) -> None:
    """What the choice of parameters does to the scores and to the order of the versions."""
    settings = state.read_browser(chosen.embedder).tuning.settings
    found = _known(chosen, settings)
    if found is None:
        job = _start(chosen, settings)
        if job.finished:  # it came while this was drawn, or could not be kept
            found = _known(chosen, settings)
        if found is None and job.is_over:
            how_it_ended(job)
        elif found is None:
            watch(job)
    if found is not None:
        _draw_report(chosen, found, settings)


def _known(chosen: Chosen, settings: EvaluationSettings) -> Robustness | None:
    return known_robustness(
        cache.workspace(), chosen.topic_id, chosen.labels, embedder=chosen.embedder, settings=settings
    )


def _start(chosen: Chosen, settings: EvaluationSettings) -> Job:
    """Each version's report depends on what is known of it, so its states name the job."""

    def work(on_stage: OnStage) -> None:
        robustness_of(
            cache.workspace(),
            chosen.topic_id,
            chosen.labels,
            embedder=chosen.embedder,
            settings=settings,
            on_stage=on_stage,
        )

    states = cache.version_states(chosen.topic_id, chosen.labels, chosen.embedder)
    key = f"sensitivity:{'-'.join(states)}-{hash(settings)}"
    job = cache.jobs().find(key)
    if job is not None and job.finished:  # something that it depends on has come since
        cache.jobs().forget(key)
    return cache.jobs().start(key, "Going through other choices", work, lane="long")


def _draw_report(chosen: Chosen, found: Robustness, settings: EvaluationSettings) -> None:
    theme, topic = current_theme(), chosen.topic_id
    draw_figure(
        spans_figure(found, beta=settings.beta, theme=theme),
        key="versions-spans",
        name=f"{topic} range of F-beta over choices",
        reading="the longer a whisker, the more F-beta owes to choices that could have been others. The band is as "
        "far as decay and beta take it with all of them at an end of their range at once.",
        rows=span_rows(found),
    )
    if len(found.labels) > 1:
        st.markdown("**What turns the order**")
        st.markdown("\n".join(f"- {plain(sentence)}" for sentence in order_sentences(found)))
    draw_figure(
        orders_figure(found, theme=theme),
        key="versions-orders",
        name=f"{topic} order of versions under choices",
        reading="each row changes one thing; the number after the dot is the rank of the version under that choice.",
        rows=outcome_rows(found),
        notes=[*special_sentences(found), *(f"Left out: {what}." for what in found.left_out)],
    )
