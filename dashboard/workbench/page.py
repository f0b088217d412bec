"""The Workbench: a search string, its core found and missed, its landscape and its scores, on one page."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from core.explore.evaluate import Evaluation, Truth, against_truth
from core.explore.regions import DEFAULT_REGIONS, REGION_LABELS
from core.metrics import METRICS, SimilaritySweep
from core.settings import EvaluationSettings
from core.types import Publication, RegionKind
from dashboard import cache, state
from dashboard.audit.fields import link_to_report
from dashboard.controls import Tuning, browser_values
from dashboard.explore import payloads
from dashboard.explore.figures.thresholds import f_beta_curve_figure
from dashboard.explore.landscape import draw_honesty, draw_html_export, draw_plain
from dashboard.explore.payloads import regions_payload, threshold_marks
from dashboard.explore.result_sentence import draw_result, parent_of
from dashboard.explore.version_scores import draw_strata
from dashboard.explore.versions import rerun_without
from dashboard.jobs import Job
from dashboard.kit.browser import SCAPE
from dashboard.kit.components import current_theme, draw_files_of_lines, draw_unseen_title, mount_part, mount_payload
from dashboard.messages import guarded
from dashboard.state import BrowserMessage, Selection
from dashboard.status import JobFamily, redraw_when_over, repeat_until_over
from dashboard.welcome import (
    draw_first_steps,
    draw_loading_news,
    draw_welcome,
    is_indexed,
    is_prepared,
    needs_first_steps,
    open_loaded,
)
from dashboard.words import plain
from dashboard.workbench.search_string import draw_place_of_search_string, draw_search_string
from dashboard.workbench.versions_strip import draw_versions
from dashboard.writer.sessions import link_to_sorting
from data.explore.scoring import VersionView
from data.explore.studies import strata_of
from data.library.records import load_details, load_versions
from data.library.retractions import notices_of

# Four hints for newcomers, each shown next to its subject until it is closed.

HINTS = (
    ("query", "Edit the search string and press Run: each run creates a version and compares it with the one before."),
    ("threshold", "Drag the similarity threshold: blue dots count as relevant, and every score updates."),
    (
        "landscape",
        "Each dot is a publication. Orange is the core: filled if found, a ring if missed.",
    ),
    ("core", "Click a missed core publication to see why it is missed and how to find it."),
)


def draw_hints() -> None:
    with st.sidebar:
        if st.button("Show hints", icon=":material/lightbulb:", key="hints-button", type="tertiary"):
            state.raise_flag("hints")
    mount_part(
        "hints",
        {
            "hints": [{"id": anchor, "text": text} for anchor, text in HINTS],
            "run": state.flag("hints"),
            "remember_key": "queryscape-hints",
        },
        key="hints",
    )


# The distance of the scores from the truth, where it is known: on demo topics.


def draw_truth(view: VersionView, evaluation: Evaluation) -> None:
    """Draw true precision and recall, and each region's estimate. Draw nothing without known truth."""
    relevant_ids = cache.true_relevance(view.case.state, view.case.core.topic_id)
    if not relevant_ids:
        return
    truth = against_truth(evaluation, view.retrieved_ids, relevant_ids)
    st.markdown("**Scores against the truth**")
    precision, recall, _ = st.columns(3)
    for column, name, value in (
        (precision, "true_precision", truth.true_precision),
        (recall, "true_recall", truth.true_recall),
    ):
        column.metric(METRICS[name].label, _number(value), help=METRICS[name].sentence)
    if truth.regions:
        st.dataframe(_rows(truth, evaluation), hide_index=True, column_config=_COLUMNS)
    st.caption(
        "How to read this: in demo data, the relevant publications are known. Semantic precision estimates true "
        "precision from the core alone; if it is higher, the region flatters the query."
    )


_COLUMNS = {
    "Error": st.column_config.NumberColumn(format="%+.3f", help="Semantic precision minus true precision."),
    "Semantic precision": st.column_config.NumberColumn(format="%.3f", help=METRICS["semantic_precision"].sentence),
    "Right": st.column_config.NumberColumn(
        format="%.3f", help="Share of the accepted publications that are truly relevant."
    ),
    "Caught": st.column_config.NumberColumn(
        format="%.3f", help="Share of the truly relevant retrieved publications that the region accepts."
    ),
}


def _rows(truth: Truth, evaluation: Evaluation) -> list[dict[str, str | float | None]]:
    return [
        {
            "Region": REGION_LABELS[kind],
            "Semantic precision": evaluation.regions[kind].semantic_precision,
            "Error": of_region.error,
            "Right": of_region.right,
            "Caught": of_region.caught,
        }
        for kind, of_region in truth.regions.items()
    ]


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


# The row of scores. Their sensitivity to the core set follows when it has been computed in the background.

SCORES_AGAIN_AFTER_MS = 400
RANGE_JOBS = JobFamily("ranges")


@st.fragment
def draw_scores(
    view: VersionView, evaluation: Evaluation, waiting: Sequence[RegionKind], settings: EvaluationSettings, seq: int
) -> None:
    """Draw the scores in their own fragment: when the intervals are ready, only the scores are sent again."""
    with guarded():
        kinds = tuple(evaluation.regions)
        ranges = cache.workspace().sensitivity(view, settings, kinds, only_known=True)
        document = payloads.scores_document(
            evaluation, DEFAULT_REGIONS, waiting=dict.fromkeys(waiting, "computing"), ranges=ranges
        )
        mount_part("scores", {**document, "echo": seq, "in_strip": True}, key="scores")
        missing = tuple(
            kind
            for kind, scores in evaluation.regions.items()
            if scores.status == "ok" and kind != "cluster" and kind not in ranges
        )
        job = _start_ranges(view, evaluation, settings, missing) if missing else None
        repeat_until_over(job, "ranges", SCORES_AGAIN_AFTER_MS)
        if job is not None and job.error:
            st.warning(plain(job.error), icon=":material/error:")


def _start_ranges(
    view: VersionView, evaluation: Evaluation, settings: EvaluationSettings, kinds: tuple[RegionKind, ...]
) -> Job:
    def work(_: object) -> None:
        cache.workspace().sensitivity(view, settings, kinds)

    key = f"{view.case.state}-{hash(evaluation.settings)}-{'-'.join(kinds)}"
    return RANGE_JOBS.start_latest(key, "Resampling the core", work)


# Content after the scores: clusters, charts, reliability. Slow parts run in the background and are fetched when done.
#
# A visitor who leaves cancels computations still running, but only their own.

CHARTS_AGAIN_AFTER_MS = 700
CLUSTER_JOBS, HONESTY_JOBS = JobFamily("clusters"), JobFamily("honesty")
READING = "where the line is highest, recall and decayed precision balance best."
SCORES_FIRST_SECONDS = 0.04
"""Results within 10 ms are drawn together, and a chart takes 100 ms to draw: scores must not wait for it."""


def draw_later(
    view: VersionView,
    selection: Selection,
    settings: EvaluationSettings,
    evaluation: Evaluation,
    waiting: Sequence[RegionKind],
    curve: SimilaritySweep,
) -> None:
    measuring = _start_honesty(view, selection)
    started = [*_start_clusters(view, settings, waiting), *measuring]
    redraw_when_over(started, "fetch", CHARTS_AGAIN_AFTER_MS)
    for job in started:
        if job.error:
            st.warning(plain(job.error), icon=":material/error:")
    time.sleep(SCORES_FIRST_SECONDS)
    shape, honesty = st.columns([0.55, 0.45], gap="large")
    with shape:
        _draw_curve(view, evaluation, curve)
        draw_strata({selection.label: strata_of(cache.workspace(), view.case.row, evaluation)})
        draw_truth(view, evaluation)
    with honesty:
        draw_honesty(view, selection, settings, is_measuring=any(not job.error for job in measuring))


def _start_clusters(view: VersionView, settings: EvaluationSettings, waiting: Sequence[RegionKind]) -> list[Job]:
    if not waiting:
        return []
    key = f"{view.case.state}-{settings.min_core_share}-{settings.seed}-{settings.max_k}"
    return [
        CLUSTER_JOBS.start_latest(
            key,
            "Finding clusters",
            lambda on_stage: cache.workspace().fit_clusters(view, settings, on_stage=on_stage),
        )
    ]


def _start_honesty(view: VersionView, selection: Selection) -> list[Job]:
    workspace = cache.workspace()
    if view.landscape.points is None:
        return []
    if workspace.known_honesty(selection.topic_id, selection.embedder) is not None:
        return []

    def work(_: object) -> None:
        workspace.honesty(selection.topic_id, selection.embedder)

    projection_id = str(view.case.projection_id)
    layout = f"{projection_id}:{workspace.landscapes.covers(projection_id)}"
    return [HONESTY_JOBS.find(layout) or HONESTY_JOBS.start(layout, "Measuring the landscape", work)]


def _draw_curve(view: VersionView, evaluation: Evaluation, curve: SimilaritySweep) -> None:
    cosine = evaluation.regions["cosine"]
    at = cosine.defines.get("min_similarity")
    if at is None or not view.landscape.n_retrieved:
        st.caption(plain(f"No F{evaluation.settings.beta:g} curve: {cosine.status}."))
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


# Live content: scores, landscape, core, table. Scores come first, charts last.

HEIGHT = 700
"""Pixels of the landscape with its threshold: at 1440 x 900 the picture takes 65 % of the height."""


@st.fragment
def draw_tuned(selection: Selection, made_up: bool) -> None:
    with guarded():
        _draw(selection, made_up)


def _draw(selection: Selection, made_up: bool) -> None:
    rerun_without(selection)
    view = cache.view(selection.topic_id, selection.label, selection.embedder)
    browser = state.read_browser(selection.embedder)
    workspace = cache.workspace()
    settings = browser.tuning.settings
    evaluation, waiting = workspace.evaluate_view(view, settings)
    parent = parent_of(selection)
    result = st.container(key="result-place" if parent else "no-result")  # always drawn, so that no part below moves
    draw_scores(view, evaluation, waiting, settings, browser.seq)
    curve, ids = _payloads(view, evaluation, settings, made_up)
    if browser.mistake:
        st.warning(plain(f"Part of the link could not be opened: {browser.mistake}."), icon=":material/link_off:")
    if browser.plain_figure:
        draw_plain(view, evaluation, browser.tuning.region, made_up)
        if is_indexed(selection):
            draw_search_string(selection, threshold_in_force(evaluation), height=HEIGHT)
    else:
        _draw_live(selection, view, evaluation, curve, browser, ids)
    if parent:
        with result:
            draw_result(selection, parent, settings, browser.tuning.region)
    draw_later(view, selection, settings, evaluation, waiting, curve)
    draw_html_export(view, evaluation, browser.tuning.region, made_up)


def threshold_in_force(evaluation: Evaluation) -> EvaluationSettings:
    """Return the settings for a draft. The threshold of mode `best` fits one version, so a draft keeps its value."""
    settings = evaluation.settings
    if settings.cosine_mode != "best":
        return settings
    threshold = evaluation.regions["cosine"].defines.get("min_similarity")
    if threshold is None:
        return replace(settings, cosine_mode="leave_one_out")
    return replace(settings, cosine_mode="fixed", min_similarity=float(threshold))


def _draw_live(
    selection: Selection,
    view: VersionView,
    evaluation: Evaluation,
    curve: SimilaritySweep,
    browser: BrowserMessage,
    ids: dict[str, str],
) -> None:
    with st.container(key="hero"):
        left, right = st.columns([0.64, 0.36], gap="small")
        with left:
            mount_part(
                "landscape",
                _landscape_document(view, evaluation, curve, browser, ids),
                key=state.LANDSCAPE,
                height=HEIGHT,
                states=("tuning", "focus", "fallback"),
            )
        with right:
            with st.container(key="payloads-record"):  # drawn inside the panel
                _draw_record(view, evaluation, browser)
            if is_indexed(selection):
                draw_search_string(selection, threshold_in_force(evaluation), height=HEIGHT)
    draw_versions(selection)
    mount_part("table", {"n_without_vector": evaluation.n_unscorable}, key="landscape-table")


def _payloads(
    view: VersionView, evaluation: Evaluation, settings: EvaluationSettings, made_up: bool
) -> tuple[SimilaritySweep, dict[str, str]]:
    """Send the browser missing payloads; return the curve, and the ids that connect payloads."""
    view_id = view.case.state
    shape = (settings.decay_limit, settings.decay_onset, settings.decay_steepness, settings.beta)
    curve = cache.curve(view_id, *shape, view)
    curve_id = f"{view_id}-{'-'.join(map(str, shape))}"
    cluster = evaluation.regions.get("cluster")
    regions_id = f"{view_id}-{settings.min_core_share}-{'' if cluster is None else cluster.n_relevant}"
    points_id = cache.points_id(view)
    with st.container(key="payloads"):
        mount_payload(cache.curve_bytes(curve_id, curve), key="curve")
        inside = regions_payload(view.landscape, evaluation, view.outlines(), payload_id=regions_id, scape=SCAPE)
        mount_payload(inside, key="regions")
    return curve, {"points": points_id, "regions": regions_id, "curve": curve_id}


def _landscape_document(
    view: VersionView, evaluation: Evaluation, curve: SimilaritySweep, browser: BrowserMessage, ids: dict[str, str]
) -> dict[str, Any]:
    tuning, cosine = browser.tuning, evaluation.regions["cosine"]
    threshold = cosine.defines.get("min_similarity")
    in_force = float(threshold) if threshold is not None else None
    shown = Tuning(tuning.region, evaluation.settings, tuning.colour_by)
    default = EvaluationSettings().resolved(view.case.embedding.embedder)
    return {
        "dataset": ids,
        "echo": browser.seq,
        "tuning": browser_values(shown, min_similarity=in_force),
        "defaults": browser_values(Tuning(settings=default), min_similarity=None),
        "marks": threshold_marks(view.landscape, curve),
        "height": HEIGHT,
        "in_sentence": True,
        "no_landscape": None
        if view.landscape.points is not None
        else "A landscape needs five publications with a vector. The scores above don't need it.",
    }


def _draw_record(view: VersionView, evaluation: Evaluation, browser: BrowserMessage) -> None:
    workspace = cache.workspace()
    row = browser.focused_row
    record = None
    if row is not None and row < len(view.landscape):
        publication_id = view.landscape.ids[row]
        near = view.nearest(publication_id)
        ids = [publication_id, *(n.publication_id for n in near)]
        known = {p.publication_id: p for p in workspace.publications(ids)}
        unknown = Publication(publication_id, publication_id)
        record = payloads.record_document(
            known.get(publication_id, unknown),
            view.landscape,
            evaluation,
            [(n, known.get(n.publication_id, Publication(n.publication_id, n.publication_id))) for n in near],
            details=load_details(workspace.store, [publication_id])[0],
            retracted=cache.retracted(view),
            versions=load_versions(workspace.store, publication_id),
            notice=notices_of(workspace.store, [publication_id]).get(publication_id),
        )
    mount_part("record", {"record": record, "echo_focus": browser.focus_seq}, key="record")


# The page as a whole.


def render() -> None:
    with guarded():
        open_loaded()
        if not cache.workspace().topics():
            draw_welcome()
            return
        topic_id, selection = state.read_topic(), state.read_selection()
        if topic_id is not None and needs_first_steps(topic_id):
            draw_first_steps(topic_id)
        elif selection is not None:
            draw_unseen_title("Workbench")
            _draw_page(selection)


def _draw_page(selection: Selection) -> None:
    if not is_prepared(selection):
        return
    draw_place_of_search_string()
    view = cache.view(selection.topic_id, selection.label, selection.embedder)
    made_up = any(t.made_up for t in cache.workspace().topics() if t.topic_id == selection.topic_id)
    with st.container(key="payloads-once"):
        mount_payload(cache.points(view, made_up), key="points", with_code=True)
    draw_tuned(selection, made_up)
    with st.container(horizontal=True):
        _draw_link(selection)
        link_to_report(
            selection.topic_id, [selection.label], label="Report on this version", embedder=selection.embedder
        )
        link_to_sorting(selection.topic_id, selection.label)
    draw_loading_news()
    draw_hints()


def _draw_link(selection: Selection) -> None:
    """Link to the page that compares this version with the previous one, or the first version with the next.

    A version with a parent has this link in its result sentence.
    """
    if parent_of(selection):
        return
    rows = cache.workspace().store.versions(selection.topic_id)
    labels = [row.version.label for row in rows if row.n_retrieved is not None]
    if len(labels) < 2 or selection.label not in labels:
        return
    at = max(labels.index(selection.label), 1)
    link = {"topic": selection.topic_id, "version": selection.label, "embedder": selection.embedder}
    st.page_link(
        "explore/versions_page.py",
        label="Compare with another version",
        icon=":material/compare_arrows:",
        query_params={**link, "versions": labels[at - 1 : at + 1]},
    )


if __name__ == "__main__":
    render()
