"""Audit: what another person needs to check this search and to repeat it."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from dashboard import state
from dashboard.components.mount import mount_code
from dashboard.messages import guarded
from dashboard.sections.audit.record.view import draw_record

VIEWS: dict[str, Callable[[], None]] = {"Record": draw_record}


def render() -> None:
    """The page."""
    st.title("Audit")
    mount_code()
    with guarded():
        state.settle_named("audit", list(VIEWS))
        view = st.segmented_control("View", list(VIEWS), key="audit", required=True, label_visibility="collapsed")
        state.write_in_link("audit", [str(view)])
        with guarded():
            VIEWS[str(view)]()


if __name__ == "__main__":
    render()
