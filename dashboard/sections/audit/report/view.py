"""The view "Report": what is made, and the files that it comes as."""

from __future__ import annotations

import streamlit as st

from dashboard import state
from dashboard.messages import guarded
from dashboard.sections.audit.report.choosing import choose, choose_kind
from dashboard.sections.audit.report.made import draw_made
from dashboard.sections.audit.report.work import REPORT, found, job_of, make_report
from dashboard.sections.waiting import how_it_ended, watch
from data.audit.reports import Asked, Made


def draw_report() -> None:
    """The form, how far the work is, then what came."""
    topic_id = state.read_topic()
    if topic_id is None:
        st.info("There is no topic to report on yet.")
        return
    kind = choose_kind()
    with guarded():
        asked = choose(topic_id, kind)
        _draw_make(asked)
    made = found(REPORT)
    if isinstance(made, Made):
        with guarded():
            draw_made(made, is_asked=made.asked == asked)


def _draw_make(asked: Asked) -> None:
    job = job_of(REPORT)
    if job is not None and not job.is_over:
        watch(job)
        return
    st.button(
        "Make the report",
        key="audit-make",
        type="primary",
        icon=":material/description:",
        on_click=make_report,
        args=(asked,),
    )
    if job is not None and not job.finished:
        how_it_ended(job)
