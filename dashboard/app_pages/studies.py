"""Studies: many topics at once."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from dashboard import cache, state
from dashboard.components.mount import mount_code
from dashboard.messages import guarded
from dashboard.sections.studies.core_sets import draw_core_sets
from dashboard.sections.studies.metrics import draw_metrics
from dashboard.sections.studies.published import draw_published
from dashboard.sections.studies.strings import draw_strings
from dashboard.sections.studies.surveys import draw_surveys
from dashboard.sections.studies.thresholds import draw_thresholds
from dashboard.sections.studies.together import draw_together
from dashboard.words import plain

PARTS: dict[str, Callable[[], None]] = {
    "Core publications": draw_core_sets,
    "Together": draw_together,
    "Scores": draw_metrics,
    "Strings": draw_strings,
    "Thresholds": draw_thresholds,
    "Published": draw_published,
    "Find surveys": draw_surveys,
}
NEED_NO_TOPIC = ("Find surveys",)


def render() -> None:
    """The page."""
    st.title("Studies")
    mount_code()
    with guarded():
        _draw()
    if note := state.take("studies"):
        st.toast(plain(note))


def _draw() -> None:
    state.settle("study", list(PARTS))
    part = st.segmented_control(
        "Study", list(PARTS), key="study", required=True, label_visibility="collapsed", bind="query-params"
    )
    if part not in NEED_NO_TOPIC and not cache.workspace().topics():
        st.info("This workspace is empty. Build the demo, or load LitQEval, on the page Explore.")
        return
    PARTS[str(part)]()


if __name__ == "__main__":
    render()
