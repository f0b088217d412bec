"""A sentence above the scores that compares a version with its parent."""

from __future__ import annotations

import streamlit as st

from core.explore.compare import Comparison, result_sentence
from core.explore.uncertainty import RESAMPLERS
from core.settings import EvaluationSettings
from core.types import RegionKind
from dashboard import cache, state
from dashboard.explore.versions import rerun_without
from dashboard.jobs import Job
from dashboard.kit.components import mount_part
from dashboard.messages import guarded
from dashboard.state import Selection
from dashboard.status import JobFamily, repeat_until_over
from dashboard.words import plain
from data.explore.versions import compare_in_full

RANGES_AGAIN_AFTER_MS = 600
RANGE_JOBS = JobFamily("result")
HELP = (
    "Better and worse mean F-beta in the chosen region. Clear: resampled core sets agree on which version has the "
    "higher F-beta."
)


def parent_of(selection: Selection) -> str | None:
    """Return this version's parent, if it can still be opened."""
    rows = cache.workspace().store.versions(selection.topic_id)
    parent = next((row.version.parent_id for row in rows if row.version.label == selection.label), None)
    run = (row.version for row in rows if row.n_retrieved is not None and row.deleted_at is None)
    return next((version.label for version in run if version.query_id == parent), None)


@st.fragment
def draw_result(selection: Selection, parent: str, settings: EvaluationSettings, region: RegionKind) -> None:
    """Draw the sentence in a fragment of its own: the clarity of the change is computed in the background."""
    rerun_without(selection)
    with guarded(), st.container(key="result", horizontal=True, vertical_alignment="center"):
        labels = (parent, selection.label)
        states = cache.version_states(selection.topic_id, labels, selection.embedder)
        compared = cache.region_comparison(selection.topic_id, labels, selection.embedder, settings, states, region)
        with st.container(key="payloads-before"):
            before = _scores_of(compared, parent, region) if region in RESAMPLERS else None
            mount_part("scores_before", {"before": before}, key="scores-before")
        sentence = result_sentence(compared, *labels, region=region).sentence
        st.markdown(f"**{plain(sentence)}**", help=HELP, width="content")
        st.page_link(
            "explore/versions_page.py",
            label="Compare",
            icon=":material/compare_arrows:",
            query_params={
                "topic": selection.topic_id,
                "version": selection.label,
                "embedder": selection.embedder,
                "versions": list(labels),
            },
        )
        back = f"Back to {parent}"
        st.button(
            plain(back),
            key="back-to-parent",
            icon=":material/undo:",
            type="tertiary",
            on_click=_go_back,
            args=(selection, parent),
        )
        if compared.has_ranges or region not in RESAMPLERS:
            return
        job = _start_ranges(selection, labels, settings, region, states)
        repeat_until_over(job, "result-ranges", RANGES_AGAIN_AFTER_MS)
        if job.error:
            st.warning(plain(job.error), icon=":material/error:")


def _go_back(selection: Selection, parent: str) -> None:
    """Show the parent. Redo leads to this version again, as after undo."""
    state.keep_undone_version(selection.topic_id, selection.label)
    state.choose_version(parent)


def _scores_of(compared: Comparison, label: str, region: RegionKind) -> dict[str, str | float | None]:
    """Return the scores that the strip of scores compares with."""
    scores = compared.versions[compared.labels.index(label)].regions[region]
    return {
        "label": label,
        "region": region,
        "semantic_precision": scores.semantic_precision,
        "f_beta": scores.f_beta,
    }


def _start_ranges(
    selection: Selection,
    labels: tuple[str, str],
    settings: EvaluationSettings,
    region: RegionKind,
    states: tuple[str, ...],
) -> Job:
    def work(_: object) -> None:
        compare_in_full(
            cache.workspace(),
            selection.topic_id,
            labels,
            embedder=selection.embedder,
            settings=settings,
            regions=(region,),
        )

    key = f"{'-'.join(states)}-{hash(settings)}-{region}"
    return RANGE_JOBS.start_latest(key, "Comparing with the previous version", work)
