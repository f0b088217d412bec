"""How far the landscape can be believed."""

from __future__ import annotations

import streamlit as st

from core.comparing.compare import REGION_LABELS
from core.projection import Honesty
from core.protocols import OnStage
from core.settings import EvaluationSettings
from dashboard import cache
from dashboard.sections.waiting import how_it_ended, watch
from dashboard.state import Selection
from data.views import View
from data.workspace import LandscapeEffect


def draw_honesty(view: View, selection: Selection, settings: EvaluationSettings) -> None:
    """What the picture keeps, and what a score owes to it."""
    st.markdown("**How honest is this landscape?**")
    if view.landscape.points is None:
        st.caption("There is no landscape.")
        return
    known = cache.workspace().known_honesty(selection.topic_id, selection.embedder)
    if known is None:
        st.caption("Being measured …")
    else:
        _draw_numbers(known)
    _draw_effect(view, selection, settings)


def _draw_numbers(honesty: Honesty) -> None:
    trust, continuity, variance = st.columns(3)
    trust.metric(
        "Trustworthiness",
        f"{honesty.trustworthiness:.3f}",
        help="1: whoever is near on the landscape is near in the vectors too; 0.5: by chance. 15 neighbours.",
    )
    continuity.metric(
        "Continuity",
        f"{honesty.continuity:.3f}",
        help="1: whoever is near in the vectors is near on the landscape too. 15 neighbours.",
    )
    variance.metric(
        "Variance explained",
        f"{honesty.variance_explained:.3f}",
        help="Share of the vectors' variance that is linear in the two coordinates. By its nature it ranks PCA above "
        "UMAP, so read it beside the other two.",
    )
    st.caption(
        f"Over {honesty.n_rows:,} publications. How to read this: the landscape keeps neighbours, not distances; "
        "cosine, nearest core and cluster do not depend on it."
    )


def _draw_effect(view: View, selection: Selection, settings: EvaluationSettings) -> None:
    """Six seeds of the layout: slow, so only when asked for."""
    workspace = cache.workspace()
    effect = workspace.known_landscape_effect(selection.topic_id, selection.label, selection.embedder, settings)
    if effect is not None:
        _draw_ranges(effect)
        return
    job = cache.jobs().find(f"effect:{view.case.state}")
    if job is not None and not job.is_over:
        watch(job)
    elif job is not None and not job.finished:
        how_it_ended(job)
    elif st.button(
        "Lay it out six times",
        key="effect",
        help="How much ellipse and hull owe to chance in the layout. Takes six times as long as the landscape did.",
    ):

        def work(on_stage: OnStage) -> None:
            workspace.landscape_effect(
                selection.topic_id,
                selection.label,
                embedder=selection.embedder,
                settings=settings,
                on_progress=on_stage("laying the landscape out six times"),
            )

        cache.jobs().start(f"effect:{view.case.state}", "Laying the landscape out", work, lane="long")
        st.rerun(scope="fragment")


def _draw_ranges(effect: LandscapeEffect) -> None:
    st.dataframe(
        [
            {
                "Region": REGION_LABELS[kind],
                "Semantic precision over six layouts": f"{ends.low:.3f} to {ends.high:.3f}",
                "Decisions that differ in the vectors": effect.changed_decisions.get(kind),
            }
            for kind, ends in effect.seed_ranges.items()
        ],
        hide_index=True,
    )
