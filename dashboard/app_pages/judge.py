"""Judge: grades by a language model where there is no truth, and whether to believe them."""

from __future__ import annotations

import streamlit as st

from dashboard import state
from dashboard.components.mount import mount_code
from dashboard.messages import guarded, plain
from dashboard.sections.judge.choosing import choose_run

VIEWS = ("Run", "Results", "Queries", "Trust", "Rubric")


def render() -> None:
    """The page."""
    st.title("Judge")
    mount_code()
    with guarded():
        _draw()
    if note := state.take("judge"):
        st.toast(plain(note))


def _draw() -> None:
    state.settle("judge", VIEWS)
    view = st.segmented_control(
        "View", VIEWS, key="judge", required=True, label_visibility="collapsed", bind="query-params"
    )
    with guarded():
        _draw_view(str(view))


def _draw_view(view: str) -> None:
    opened = choose_run() if view in ("Results", "Queries", "Trust") else None
    st.info("Nothing has been judged yet." if opened is None else opened.row.name)


if __name__ == "__main__":
    render()
