"""Versions: what a change of the query's text has done."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from core.regions import DEFAULT_REGIONS
from core.types import RegionKind
from dashboard import state
from dashboard.components.mount import mount_code
from dashboard.messages import guarded
from dashboard.sections.audit.opened import link_to_report
from dashboard.sections.preparing import is_prepared
from dashboard.sections.versions.changing import draw_deleted, draw_undo
from dashboard.sections.versions.chosen import Chosen, called, choose_versions
from dashboard.sections.versions.compared import Compared, compare_chosen
from dashboard.sections.versions.head import choose_pair, choose_region, draw_verdict, n_run
from dashboard.sections.versions.history import draw_history
from dashboard.sections.versions.overlay import draw_overlay
from dashboard.sections.versions.publications import draw_publications
from dashboard.sections.versions.robustness import draw_robustness
from dashboard.sections.versions.scores import draw_scores
from dashboard.sections.versions.settings import draw_settings
from dashboard.sections.versions.text import draw_text
from dashboard.sections.versions.waiting import fetch
from dashboard.sections.writer.opening import link_to_sorting
from dashboard.words import plain

SCORES, SENSITIVITY = "Scores", "Sensitivity"
# Those that need no more than the choice.
VIEWS: dict[str, Callable[[Chosen], None]] = {
    "Text": draw_text,
    "Publications": draw_publications,
    "Landscape": draw_overlay,
    "History": draw_history,
}
ALL_VIEWS = (SCORES, "Text", "Publications", "Landscape", SENSITIVITY, "History")
NEED_TWO = (SCORES, "Text", "Publications", "Landscape")


def render() -> None:
    """The page."""
    st.title("Versions")
    mount_code()
    with guarded():
        _draw()
    if note := state.take("versions"):
        st.toast(plain(note))


def _draw() -> None:
    selection = state.read_selection()
    if selection is None:
        st.info("There is no version to compare yet: run a query on the page Explore first.")
        if topic_id := state.read_topic():
            draw_undo(topic_id)
            draw_deleted(topic_id)
        return
    if not is_prepared(selection):
        return
    head = _draw_head(selection.topic_id, selection.embedder)
    state.settle("versions_view", ALL_VIEWS)
    view = st.segmented_control(
        "View", ALL_VIEWS, key="versions_view", required=True, label_visibility="collapsed", bind="query-params"
    )
    with guarded():
        _draw_view(str(view), *head)
    if (chosen := head[0]) is not None:
        label = "Report on these versions" if len(chosen.rows) > 1 else "Report on this version"
        link_to_report(chosen.topic_id, chosen.labels, label=label, embedder=chosen.embedder)
        for row in [row for row in chosen.rows if row.version.text.strip()]:
            words = f"Sort the keywords of {plain(called(row))}"
            link_to_sorting(chosen.topic_id, row.version.label, words=words)


def _draw_head(topic_id: str, embedder: str) -> tuple[Chosen | None, Compared | None, RegionKind]:
    """The choice, and once there are two what can be said of them, by a region."""
    which, against, by = st.columns([0.58, 0.22, 0.2], vertical_alignment="bottom")
    with which:
        chosen = choose_versions(topic_id, embedder)
    if chosen is None:
        return None, None, DEFAULT_REGIONS[0]
    with by:
        region = choose_region()
    if len(chosen.rows) < 2:
        draw_settings(embedder)
        return chosen, None, region
    with against:
        pair = choose_pair(chosen)
    settings = draw_settings(embedder)
    compared = None
    with guarded():
        compared = compare_chosen(chosen, settings, pair)
        draw_verdict(compared, region)
        fetch(compared.jobs, "compared")
    return chosen, compared, region


def _draw_view(view: str, chosen: Chosen | None, compared: Compared | None, region: RegionKind) -> None:
    if chosen is None:
        st.info("Choose the versions to compare.")
    elif view in NEED_TWO and len(chosen.rows) < 2:
        others = n_run(chosen.topic_id) > 1
        st.info("Choose one more version." if others else "This topic has one version. Run another wording on Explore.")
    elif view == SCORES:
        if compared is not None:
            draw_scores(compared)
    elif view == SENSITIVITY:
        draw_robustness(chosen, region, compared)
    else:
        VIEWS[view](chosen)


if __name__ == "__main__":
    render()
