"""A review goes out: the file that the other person brings in, the review as a report, and deleting."""

from __future__ import annotations

from functools import partial

import streamlit as st

from core.audit.press.domains import Review
from core.audit.press.reading import as_json, file_name, press_document
from core.audit.whole import MADE_WITH
from core.errors import QueryscapeError
from dashboard import cache, state
from dashboard.messages import sentence
from dashboard.reports.files import REPORT_FORMATS, document_file
from dashboard.sections.audit.opened import REVIEW, close_one
from dashboard.sections.audit.review.bringing import draw_bring
from dashboard.sections.audit.saving import why_not_said
from dashboard.words import plain
from data.audit.reviews import delete_review
from data.store import utc_now

FORMATS = ("html", "docx", "md", "json")


def draw_handing(review: Review) -> None:
    """In one row."""
    with st.container(horizontal=True, key="audit-handing"):
        st.download_button(
            "Download the review file",
            lambda: as_json(review).encode(),
            file_name=file_name(review),
            mime="application/json",
            key="audit-review-out",
            icon=":material/outgoing_mail:",
            help="For the other person to bring in. It holds the string, the evidence and what was written.",
            on_click="ignore",
        )
        with st.popover("Bring a file in", icon=":material/move_to_inbox:", disabled=bool(why_not_said())):
            draw_bring(review.topic)
        with st.popover("As a report", icon=":material/description:"):
            _draw_formats(review)
        with st.popover("More", icon=":material/more_horiz:"):
            st.button(
                "Delete this review",
                key="audit-delete-review",
                icon=":material/delete:",
                disabled=bool(why_not_said()),
                on_click=_ask,
                args=(review.review_id,),
            )
    if state.said(ASKED) == review.review_id:
        state.say(ASKED, None)
        _ask_before_deleting(review)


ASKED = "audit-delete-asked"


def _ask(review_id: str) -> None:
    state.say(ASKED, review_id)


def _draw_formats(review: Review) -> None:
    def content(ending: str) -> bytes:
        document = press_document(review, made_at=utc_now(), made_with=MADE_WITH)
        return document_file(document, REPORT_FORMATS[ending])

    stem = file_name(review).split(".")[0]
    for ending in FORMATS:
        form = REPORT_FORMATS[ending]
        st.download_button(
            form.label,
            partial(content, ending),
            file_name=f"{stem}.{ending}",
            mime=form.mime,
            key=f"audit-review-{ending}",
            icon=":material/download:",
            on_click="ignore",
            width="stretch",
        )


@st.dialog("Delete this review?")
def _ask_before_deleting(review: Review) -> None:
    st.markdown(plain(f"The review of version {review.version} goes, with every verdict and comment in it."))
    st.caption("Files that were downloaded stay, and can be brought in again.")
    with st.container(horizontal=True):
        wanted = st.button("Delete", type="primary", key="audit-delete-now", icon=":material/delete:")
        if st.button("Keep", key="audit-delete-not"):
            st.rerun()
    if not wanted:
        return
    try:
        delete_review(cache.workspace().store, review.review_id)
    except QueryscapeError as e:
        st.error(plain(sentence(str(e))))
        return
    close_one(REVIEW)
    state.say_once("audit", "The review is deleted.")
    st.rerun()
