"""The landscape as a plain figure with a table, and its reliability."""

from __future__ import annotations

import re

import plotly.graph_objects as go
import streamlit as st

from core.explore.evaluate import Evaluation
from core.explore.landscape import Honesty
from core.explore.regions import DEFAULT_REGIONS, REGION_LABELS
from core.protocols import OnStage
from core.settings import EvaluationSettings
from core.types import RegionKind
from dashboard import cache, state
from dashboard.controls import CONTROLS
from dashboard.explore.figures.landscape import landscape_figure
from dashboard.kit.components import current_theme
from dashboard.kit.theme import Theme
from dashboard.state import Selection
from dashboard.status import JobFamily, draw_job
from data.explore.scoring import VersionView
from data.explore.workspace import LandscapeEffect

# The landscape for a browser that can't draw on a canvas: a plain figure and a plain table.

MOST_LISTED = 5_000


def landscape_of(view: VersionView, evaluation: Evaluation, kind: RegionKind, made_up: bool, theme: Theme) -> go.Figure:
    landscape, headlines = view.landscape, cache.headlines(view.case.state, view)
    mask = evaluation.regions[kind].relevant_mask if kind in evaluation.regions else None
    return landscape_figure(
        landscape,
        None if mask is None else landscape.in_order(mask),
        titles=headlines.titles,
        years=[int(year) or None for year in headlines.years],
        outlines=view.outlines(),
        kind=kind,
        theme=theme,
        made_up=made_up,
        topic=view.case.core.topic_id,
        version=view.case.row.version.label,
        n_found=len(evaluation.found_core_ids),
    )


def draw_html_export(view: VersionView, evaluation: Evaluation, kind: RegionKind, made_up: bool) -> None:
    """Draw the download of the picture as one file that works without this app and offline. It is built on request."""
    theme = current_theme()

    def page() -> str:
        figure = landscape_of(view, evaluation, kind, made_up, theme)
        return str(figure.to_html(include_plotlyjs=True, full_html=True, config={"displaylogo": False}))

    words = re.findall(r"\w+", f"{view.case.core.topic_id} {view.case.row.version.label} landscape".lower())
    st.download_button(
        "Save as HTML",
        page,
        file_name=f"{'-'.join(words)}.html",
        mime="text/html",
        key="save-html",
        icon=":material/download:",
        type="tertiary",
        on_click="ignore",
        help=(
            "The landscape and its titles in one file that opens without this app. For PNG and SVG, use the "
            "buttons on the picture."
        ),
    )


def _draw_controls(evaluation: Evaluation, kind: RegionKind) -> None:
    which, threshold = st.columns([0.3, 0.7], gap="large")
    which.selectbox(
        "Region",
        DEFAULT_REGIONS,
        index=DEFAULT_REGIONS.index(kind),
        format_func=REGION_LABELS.__getitem__,
        key="plain-region",
        on_change=state.tune_by,
        args=("plain-region", "region"),
    )
    in_force = evaluation.regions["cosine"].defines.get("min_similarity")
    if kind == "cosine" and in_force is not None:
        threshold.slider(
            CONTROLS["min_similarity"]["label"],
            -1.0,
            1.0,
            float(in_force),
            0.001,
            format="%.3f",
            key="plain-threshold",
            help=CONTROLS["min_similarity"]["help"],
            on_change=state.tune_by,
            args=("plain-threshold", "min_similarity"),
            kwargs={"cosine_mode": "fixed"},
        )


def draw_plain(view: VersionView, evaluation: Evaluation, kind: RegionKind, made_up: bool) -> None:
    _draw_controls(evaluation, kind)
    st.plotly_chart(landscape_of(view, evaluation, kind, made_up, current_theme()), key="plain-landscape", theme=None)
    landscape, headlines = view.landscape, cache.headlines(view.case.state, view)
    mask = evaluation.regions[kind].relevant_mask if kind in evaluation.regions else None
    relevant_mask = None if mask is None else landscape.in_order(mask)
    n = landscape.n_retrieved
    rows = range(n - 1, max(n - 1 - MOST_LISTED, -1), -1)
    st.dataframe(
        [
            {
                "Rank": n - row,
                "Title": headlines.titles[row],
                "Year": int(headlines.years[row]) or None,
                "Similarity": round(float(landscape.similarities[row]), 3),
                "Relevant": bool(relevant_mask[row]) if relevant_mask is not None else None,
                "Core": bool(landscape.core_mask[row]),
            }
            for row in rows
        ],
        hide_index=True,
        key="plain-table",
    )
    if n > MOST_LISTED:
        st.caption(f"The first {MOST_LISTED:,} of {n:,} are listed.")


# The reliability of the landscape.


def draw_honesty(view: VersionView, selection: Selection, settings: EvaluationSettings, *, is_measuring: bool) -> None:
    st.markdown("**Landscape distortion**")
    if view.landscape.points is None:
        st.caption("There is no landscape.")
        return
    known = cache.workspace().known_honesty(selection.topic_id, selection.embedder)
    if known is None:
        st.caption("Measuring …" if is_measuring else "Not measured.")
    else:
        _draw_numbers(known)
    _draw_effect(view, selection, settings)


def _draw_numbers(honesty: Honesty) -> None:
    trust, continuity, variance = st.columns(3)
    trust.metric(
        "Trustworthiness",
        f"{honesty.trustworthiness:.3f}",
        help="1: neighbours on the landscape are neighbours in the vectors; 0.5: by chance. 15 neighbours.",
    )
    continuity.metric(
        "Continuity",
        f"{honesty.continuity:.3f}",
        help="1: neighbours in the vectors are neighbours on the landscape. 15 neighbours.",
    )
    variance.metric(
        "Variance explained",
        f"{honesty.variance_explained:.3f}",
        help="Share of the vectors' variance that is linear in the two coordinates. It favours PCA over UMAP by "
        "design, so read it with the other two.",
    )
    st.caption(
        f"Over {honesty.n_rows:,} publications. How to read this: only neighbourhoods are reliable, not distances; "
        "cosine, nearest core and cluster don't depend on the landscape."
    )


EFFECT_JOBS = JobFamily("landscape-effect", lane="long")


def _draw_effect(view: VersionView, selection: Selection, settings: EvaluationSettings) -> None:
    """Draw the effect of six seeds of the layout: slow, so only on request."""
    workspace = cache.workspace()
    effect = workspace.known_landscape_effect(selection.topic_id, selection.label, selection.embedder, settings)
    if effect is not None:
        _draw_ranges(effect)
        return
    job = EFFECT_JOBS.find(view.case.state)
    if job is not None and not job.finished:
        draw_job(job)
    elif st.button(
        "Compute six layouts",
        key="effect",
        help="How much ellipse and hull depend on chance in the layout. Takes six times as long as the landscape.",
    ):

        def work(on_stage: OnStage) -> None:
            workspace.landscape_effect(
                selection.topic_id,
                selection.label,
                embedder=selection.embedder,
                settings=settings,
                on_progress=on_stage("computing six layouts"),
            )

        EFFECT_JOBS.start(view.case.state, "Computing the layout", work)
        st.rerun(scope="fragment")


def _draw_ranges(effect: LandscapeEffect) -> None:
    st.dataframe(
        [
            {
                "Region": REGION_LABELS[kind],
                "Semantic precision over six layouts": f"{ends.low:.3f} to {ends.high:.3f}",
                "Decided differently by the vectors": effect.changed_decisions.get(kind),
            }
            for kind, ends in effect.seed_ranges.items()
        ],
        hide_index=True,
    )
