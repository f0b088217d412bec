"""Audit: what another person needs to check this search and to repeat it."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from dashboard import state
from dashboard.components.mount import mount_code
from dashboard.messages import guarded
from dashboard.sections.audit.bundle.view import draw_bundle
from dashboard.sections.audit.opened import NEXT_VIEW, VIEW
from dashboard.sections.audit.record.view import draw_record
from dashboard.sections.audit.report.view import draw_report
from dashboard.sections.audit.review.view import draw_reviews
from dashboard.words import plain

VIEWS: dict[str, Callable[[], None]] = {
    "Record": draw_record,
    "Peer review": draw_reviews,
    "Report": draw_report,
    "Bundle": draw_bundle,
}


def render() -> None:
    """The page."""
    st.title("Audit")
    mount_code()
    with guarded():
        _draw()
    if note := state.take("audit"):
        st.toast(plain(note))


def _draw() -> None:
    if (wanted := state.said(NEXT_VIEW)) in VIEWS:
        state.say(VIEW, wanted)
        state.say(NEXT_VIEW, None)
    state.settle_named(VIEW, list(VIEWS))
    view = str(st.segmented_control("View", list(VIEWS), key=VIEW, required=True, label_visibility="collapsed"))
    state.write_in_link(VIEW, [view])
    with guarded():
        VIEWS[view]()


if __name__ == "__main__":
    render()
