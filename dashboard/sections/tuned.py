"""What follows the hand on the Explore page: scores, landscape, core, table. Scores come first, charts last."""

from __future__ import annotations

from typing import Any

import streamlit as st

from core.evaluate import Evaluation
from core.metrics import SimilaritySweep
from core.settings import EvaluationSettings
from core.types import Publication
from dashboard import cache, state
from dashboard.components import documents
from dashboard.components.mount import SCAPE, mount_part, mount_payload
from dashboard.components.points import regions_payload, threshold_marks
from dashboard.messages import guarded
from dashboard.sections.later import draw_later
from dashboard.sections.plain import draw_html_export, draw_plain
from dashboard.sections.scores import draw_scores
from dashboard.state import FromBrowser, Selection
from dashboard.tuning import Tuning, browser_values
from dashboard.words import plain
from data.views import View

HEIGHT = 612


@st.fragment
def draw_tuned(selection: Selection, made_up: bool) -> None:
    """Everything that depends on what is tuned."""
    with guarded():
        _draw(selection, made_up)


def _draw(selection: Selection, made_up: bool) -> None:
    view = cache.view(selection.topic_id, selection.label, selection.embedder)
    browser = state.read_browser(selection.embedder)
    workspace = cache.workspace()
    settings = browser.tuning.settings
    evaluation, waiting = workspace.evaluate_view(view, settings)
    draw_scores(view, evaluation, waiting, settings, browser.seq)
    curve, ids = _payloads(view, evaluation, settings, made_up)
    if browser.mistake:
        st.warning(plain(f"The link could not be followed in full: {browser.mistake}."), icon=":material/link_off:")
    if browser.plain_figure:
        draw_plain(view, evaluation, browser.tuning.region, made_up)
    else:
        _draw_live(view, evaluation, curve, browser, ids)
    draw_later(view, selection, settings, evaluation, waiting, curve)
    draw_html_export(view, evaluation, browser.tuning.region, made_up)


def _draw_live(
    view: View, evaluation: Evaluation, curve: SimilaritySweep, browser: FromBrowser, ids: dict[str, str]
) -> None:
    with st.container(key="hero"):
        left, right = st.columns([0.76, 0.24], gap="small")
        with left:
            mount_part(
                "landscape",
                _landscape_document(view, evaluation, curve, browser, ids),
                key=state.LANDSCAPE,
                height=HEIGHT,
                states=("tuning", "focus", "fallback"),
            )
        with right:
            _draw_record(view, evaluation, browser)
    mount_part("table", {"n_without_vector": evaluation.n_unscorable}, key="table")


def _payloads(
    view: View, evaluation: Evaluation, settings: EvaluationSettings, made_up: bool
) -> tuple[SimilaritySweep, dict[str, str]]:
    """Hand the browser what it lacks; gives back the curve, and the names of what belongs together."""
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
    view: View, evaluation: Evaluation, curve: SimilaritySweep, browser: FromBrowser, ids: dict[str, str]
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
        "no_landscape": None
        if view.landscape.points is not None
        else "A landscape needs five publications with a vector. The scores above hold without it.",
    }


def _draw_record(view: View, evaluation: Evaluation, browser: FromBrowser) -> None:
    workspace = cache.workspace()
    row = browser.focused_row
    record = None
    if row is not None and row < len(view.landscape):
        publication_id = view.landscape.ids[row]
        near = view.nearest(publication_id)
        ids = [publication_id, *(n.publication_id for n in near)]
        known = {p.publication_id: p for p in workspace.publications(ids)}
        unknown = Publication(publication_id, publication_id)
        record = documents.record_document(
            known.get(publication_id, unknown),
            view.landscape,
            evaluation,
            [(n, known.get(n.publication_id, Publication(n.publication_id, n.publication_id))) for n in near],
        )
    mount_part("record", {"record": record, "echo_focus": browser.focus_seq}, key="record")
