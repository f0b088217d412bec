"""What may follow the scores: clusters, charts, honesty. Slow parts run in the background and are fetched when done.

A visitor who moves on gives up what is still being computed, but only their own.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

import streamlit as st

from core.evaluate import Evaluation
from core.metrics import SimilaritySweep
from core.projection import MIN_PUBLICATIONS
from core.settings import EvaluationSettings
from core.types import RegionKind
from dashboard import cache, state
from dashboard.components.mount import current_theme, mount_part
from dashboard.figures.f_beta_curve import f_beta_curve_figure
from dashboard.jobs import Job
from dashboard.sections.figure import draw_files_of_lines
from dashboard.sections.honesty import draw_honesty
from dashboard.sections.truth import draw_truth
from dashboard.state import Selection
from dashboard.words import plain
from data.views import View

CHARTS_AGAIN_AFTER_MS = 700
READING = "where the line is highest, recall and decayed precision balance best."
SCORES_FIRST_SECONDS = 0.04
"""A page draws together what comes within 10 ms, and a chart takes it 100 ms: scores must not wait for that."""


def draw_later(
    view: View,
    selection: Selection,
    settings: EvaluationSettings,
    evaluation: Evaluation,
    waiting: Sequence[RegionKind],
    curve: SimilaritySweep,
) -> None:
    """Charts, honesty, and whatever is still being computed."""
    started = [
        *_start_clusters(view, settings, waiting),
        *_start_honesty(view, selection),
    ]
    # One that is over already is asked about once: its result came while this was drawn, or could not be kept.
    _fetch(tuple(job.key for job in started if not job.is_over or state.is_first(job.key)))
    time.sleep(SCORES_FIRST_SECONDS)
    shape, honesty = st.columns([0.55, 0.45], gap="large")
    with shape:
        _draw_curve(view, evaluation, curve)
        draw_truth(view, evaluation)
    with honesty:
        draw_honesty(view, selection, settings)


def _start_clusters(view: View, settings: EvaluationSettings, waiting: Sequence[RegionKind]) -> list[Job]:
    if not waiting:
        return []
    key = f"{view.case.state}-{settings.min_core_share}-{settings.seed}-{settings.max_k}"
    return [
        cache.jobs().start_latest(
            f"clusters of {state.visitor()}",
            key,
            "Splitting into clusters",
            lambda on_stage: cache.workspace().fit_clusters(view, settings, on_stage=on_stage),
        )
    ]


def _start_honesty(view: View, selection: Selection) -> list[Job]:
    workspace = cache.workspace()
    if len(view.landscape) < MIN_PUBLICATIONS or view.landscape.points is None:
        return []
    if workspace.known_honesty(selection.topic_id, selection.embedder) is not None:
        return []

    def work(_: object) -> None:
        workspace.honesty(selection.topic_id, selection.embedder)

    return [cache.jobs().start(f"honesty:{view.case.projection_id}", "Measuring the landscape", work)]


@st.fragment
def _fetch(keys: tuple[str, ...]) -> None:
    """Asks again until everything that runs in the background is over; then the page is drawn anew, once."""
    running = [job for key in keys if (job := cache.jobs().find(key)) and not job.is_over]
    if running:
        with st.container(key="later"):
            mount_part("later", {"again_in_ms": CHARTS_AGAIN_AFTER_MS}, key="fetch", states=("again",))
    elif keys:
        failed = [job for key in keys if (job := cache.jobs().find(key)) and job.error]
        for job in failed:
            st.warning(plain(job.error or ""), icon=":material/error:")
        if not failed:
            st.rerun()


def _draw_curve(view: View, evaluation: Evaluation, curve: SimilaritySweep) -> None:
    cosine = evaluation.regions["cosine"]
    at = cosine.defines.get("min_similarity")
    if at is None or not view.landscape.n_retrieved:
        st.caption(plain(f"No F-beta curve: {cosine.status}."))
        return
    core = view.landscape.similarities[view.landscape.core_mask]
    best = curve.best
    figure = f_beta_curve_figure(
        curve,
        current=float(at),
        least_similar_core=float(core.min()) if len(core) else None,
        best=float(curve.min_similarity[best]) if curve.f_beta[best] > 0 else None,
        beta=evaluation.settings.beta,
        theme=current_theme(),
    )
    with st.container(key="figure-curve"):
        st.plotly_chart(figure, key="curve-chart", theme=None, config={"displayModeBar": False})
        st.caption(f"How to read this: {READING} Drag above.")
        name = f"{view.case.core.topic_id} {view.case.row.version.label} F-beta curve"
        draw_files_of_lines(key="curve", name=name, description=READING)
