"""Versions: what a change of the query's text has done."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from dashboard import cache, state
from dashboard.components.mount import mount_code
from dashboard.messages import guarded, plain
from dashboard.sections.preparing import is_prepared
from dashboard.sections.versions.chosen import Chosen, choose_versions
from dashboard.sections.versions.history import draw_history
from dashboard.sections.versions.overlay import draw_overlay
from dashboard.sections.versions.publications import draw_publications
from dashboard.sections.versions.robustness import draw_robustness
from dashboard.sections.versions.scores import draw_scores
from dashboard.sections.versions.text import draw_text

VIEWS: dict[str, Callable[[Chosen], None]] = {
    "Scores": draw_scores,
    "Text": draw_text,
    "Publications": draw_publications,
    "Landscape": draw_overlay,
    "Sensitivity": draw_robustness,
    "History": draw_history,
}
NEED_TWO = ("Scores", "Text", "Publications", "Landscape")


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
        return
    if not is_prepared(selection):
        return
    chosen = choose_versions(selection.topic_id, selection.embedder)
    state.settle("versions_view", list(VIEWS))
    view = st.segmented_control(
        "View", list(VIEWS), key="versions_view", required=True, label_visibility="collapsed", bind="query-params"
    )
    if chosen is None:
        st.info("Choose the versions to compare.")
    elif view in NEED_TWO and len(chosen.rows) < 2:
        n = len([row for row in cache.workspace().store.versions(chosen.topic_id) if row.n_retrieved is not None])
        st.info("Choose one more version." if n > 1 else "This topic has one version. Run another wording on Explore.")
    else:
        VIEWS[str(view)](chosen)


if __name__ == "__main__":
    render()
