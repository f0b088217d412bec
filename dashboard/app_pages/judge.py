"""Judge: grades by a language model where there is no truth, and whether to believe them."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from dashboard import state
from dashboard.messages import guarded
from dashboard.sections.figure import mount_code
from dashboard.sections.judge.choosing import Opened, choose_run
from dashboard.sections.judge.queries.handing import draw_queries
from dashboard.sections.judge.results.against import draw_results
from dashboard.sections.judge.rubric.view import draw_rubric
from dashboard.sections.judge.run.listed import NEXT_VIEW
from dashboard.sections.judge.run.plan import draw_run, keep_choices
from dashboard.sections.judge.trust.regions import draw_trust
from dashboard.words import plain

OF_A_RUN: dict[str, Callable[[Opened], None]] = {
    "Results": draw_results,
    "Queries": draw_queries,
    "Trust": draw_trust,
}
VIEWS = ("Run", *OF_A_RUN, "Rubric")


def render() -> None:
    """The page."""
    st.title("Judge")
    mount_code()
    with guarded():
        _draw()
    if note := state.take("judge"):
        st.toast(plain(note))


def _draw() -> None:
    if (wanted := state.said(NEXT_VIEW)) in VIEWS:
        state.say("judge", wanted)
        state.say(NEXT_VIEW, None)
    state.settle_named("judge", VIEWS)
    view = str(st.segmented_control("View", VIEWS, key="judge", required=True, label_visibility="collapsed"))
    state.write_in_link("judge", [view])
    with guarded():
        _draw_view(view)


def _draw_view(view: str) -> None:
    if view == "Run":
        draw_run()
        return
    keep_choices()
    if view == "Rubric":
        draw_rubric()
    elif (opened := choose_run()) is None:
        st.info("Nothing has been judged yet. Begin in the view Run.")
    else:
        OF_A_RUN[view](opened)


if __name__ == "__main__":
    render()
