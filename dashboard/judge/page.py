"""The Judge page: graded relevance from a language model, with checks of the judge."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from dashboard import state
from dashboard.judge.queries import draw_queries
from dashboard.judge.results import draw_results
from dashboard.judge.rubric import draw_rubric
from dashboard.judge.run_form import draw_run, keep_choices
from dashboard.judge.runs import NEXT_VIEW
from dashboard.judge.selection import OpenedJudgeRun, choose_run
from dashboard.judge.trust import draw_trust
from dashboard.kit.components import draw_page
from dashboard.kit.link_controls import choose_one
from dashboard.messages import guarded

OF_A_RUN: dict[str, Callable[[OpenedJudgeRun], None]] = {
    "Results": draw_results,
    "Queries": draw_queries,
    "Trust": draw_trust,
}
VIEWS = ("Run", *OF_A_RUN, "Rubric")


def render() -> None:
    draw_page("Judge", _draw, notes="judge")


def _draw() -> None:
    if (wanted := state.value(NEXT_VIEW)) in VIEWS:
        state.set_value("judge", wanted)
        state.set_value(NEXT_VIEW, None)
    view = choose_one(st.segmented_control, "View", VIEWS, key="judge", required=True, label_visibility="collapsed")
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
