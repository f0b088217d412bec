"""What the choice of parameters does to the scores and to the order of the versions."""

from __future__ import annotations

import streamlit as st

from core.comparing.compare import REGION_LABELS
from core.comparing.robustness import Robustness, order_sentences, special_sentences
from core.protocols import OnStage
from core.settings import EvaluationSettings
from core.types import RegionKind
from dashboard import cache, state
from dashboard.components.mount import current_theme
from dashboard.figures.versions.robustness import (
    orders_figure,
    outcome_rows,
    span_rows,
    spans_figure,
)
from dashboard.jobs import Job
from dashboard.sections.figure import draw_figure
from dashboard.sections.versions.chosen import Chosen
from dashboard.sections.versions.compared import Compared
from dashboard.sections.waiting import how_it_ended, watch
from dashboard.words import plain
from data.versions.comparing import known_robustness, robustness_of
from data.views import CLUSTERS


def draw_robustness(chosen: Chosen, region: RegionKind, compared: Compared | None) -> None:
    """What the choice of parameters does to F-beta by a region, and to the order of the versions.

    `compared` is what the head of the page knows: a cluster that it still searches is not searched a second time.
    """
    searching = compared.jobs[-1] if compared is not None and region in compared.waiting else None
    if searching is not None and not searching.finished:
        _wait(searching, region)
        return
    settings = state.read_browser(chosen.embedder).tuning.settings
    found = _known(chosen, settings, region)
    if found is None:
        job = _start(chosen, settings, region)
        if job.finished:  # it came while this was drawn, or could not be kept
            found = _known(chosen, settings, region)
        if found is None and job.is_over:
            how_it_ended(job)
        elif found is None:
            watch(job)
    if found is not None:
        _draw_report(chosen, found, settings)


def _wait(job: Job, region: RegionKind) -> None:
    if job.is_over:
        how_it_ended(job)
        return
    st.caption(f"{REGION_LABELS[region]} is being computed first; its sensitivity follows.")
    watch(job)


def _known(chosen: Chosen, settings: EvaluationSettings, region: RegionKind) -> Robustness | None:
    workspace, embedder = cache.workspace(), chosen.embedder
    return known_robustness(
        workspace, chosen.topic_id, chosen.labels, embedder=embedder, settings=settings, region=region
    )


def _start(chosen: Chosen, settings: EvaluationSettings, region: RegionKind) -> Job:
    """Each version's report depends on what is known of it, so its states name the job."""
    topic_id, labels, embedder = chosen.topic_id, chosen.labels, chosen.embedder

    def work(on_stage: OnStage) -> None:
        workspace = cache.workspace()
        for label in labels if region in CLUSTERS else ():
            workspace.evaluate(
                topic_id, label, embedder=embedder, settings=settings, regions=(region,), on_stage=on_stage
            )
        robustness_of(
            workspace, topic_id, labels, embedder=embedder, settings=settings, region=region, on_stage=on_stage
        )

    states = cache.version_states(topic_id, labels, embedder)
    key = f"sensitivity:{region}-{'-'.join(states)}-{hash(settings)}"
    job = cache.jobs().find(key)
    if job is not None and job.finished:  # something that it depends on has come since
        cache.jobs().forget(key)
    return cache.jobs().start(key, "Going through other choices", work, lane="long")


def _draw_report(chosen: Chosen, found: Robustness, settings: EvaluationSettings) -> None:
    theme, topic = current_theme(), chosen.topic_id
    draw_figure(
        spans_figure(found, beta=settings.beta, theme=theme),
        key="versions-spans",
        name=f"{topic} range of F-beta by {found.region} over choices",
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
        name=f"{topic} order of versions by {found.region} under choices",
        reading="each row changes one thing; the number after the dot is the rank of the version under that choice.",
        rows=outcome_rows(found),
        notes=[*special_sentences(found), *(f"Left out: {what}." for what in found.left_out)],
    )
