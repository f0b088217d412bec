"""The row of scores. How far they move with the core set follows when that has been computed in the background."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.evaluate import Evaluation
from core.regions import DEFAULT_REGIONS
from core.settings import EvaluationSettings
from core.types import RegionKind
from dashboard import cache, state
from dashboard.components import documents
from dashboard.components.mount import mount_part
from dashboard.jobs import Job
from dashboard.messages import guarded
from dashboard.words import plain
from data.views import View

SCORES_AGAIN_AFTER_MS = 400


@st.fragment
def draw_scores(
    view: View, evaluation: Evaluation, waiting: Sequence[RegionKind], settings: EvaluationSettings, seq: int
) -> None:
    """A fragment of its own: when the ranges are there, nothing else of the page is sent again."""
    with guarded():
        kinds = tuple(evaluation.regions)
        ranges = cache.workspace().sensitivity(view, settings, kinds, only_known=True)
        document = documents.scores_document(
            evaluation, DEFAULT_REGIONS, waiting=dict.fromkeys(waiting, "computing"), ranges=ranges
        )
        mount_part("scores", {**document, "echo": seq}, key="scores")
        missing = tuple(
            kind
            for kind, scores in evaluation.regions.items()
            if scores.status == "ok" and kind != "cluster" and kind not in ranges
        )
        job = _start_ranges(view, evaluation, settings, missing) if missing else None
        # One that is over already is asked about once: its result came while this was drawn, or could not be kept.
        is_waiting = job is not None and not job.error and (not job.is_over or state.is_first(job.key))
        if is_waiting:
            with st.container(key="later-ranges"):
                mount_part("later", {"again_in_ms": SCORES_AGAIN_AFTER_MS}, key="ranges", states=("again",))
        if job is not None and job.error:
            st.warning(plain(job.error), icon=":material/error:")


def _start_ranges(
    view: View, evaluation: Evaluation, settings: EvaluationSettings, kinds: tuple[RegionKind, ...]
) -> Job:
    def work(_: object) -> None:
        cache.workspace().sensitivity(view, settings, kinds)

    key = f"{view.case.state}-{hash(evaluation.settings)}-{'-'.join(kinds)}"
    return cache.jobs().start_latest(f"ranges of {state.visitor()}", key, "Resampling the core", work)
