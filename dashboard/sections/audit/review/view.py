"""The view "Peer review": a list, or the review that is opened."""

from __future__ import annotations

import streamlit as st

from core.errors import NotFoundError
from dashboard import cache, state
from dashboard.sections.audit.opened import REVIEW, close_one, opened
from dashboard.sections.audit.review.begin import draw_begin
from dashboard.sections.audit.review.bringing import draw_bring, draw_brought
from dashboard.sections.audit.review.listed import draw_list
from dashboard.sections.audit.review.one import draw_review
from dashboard.sections.audit.saving import draw_mistake
from data.audit.reviews import load_review, reviews

WHAT = (
    "Another person looks at a search string by the six domains of PRESS 2015. You exchange one file: it goes out with "
    "what Queryscape noticed, and comes back with verdicts and comments."
)


def draw_reviews() -> None:
    """Of the topic that the sidebar says."""
    draw_mistake()
    if (review_id := opened(REVIEW)) is not None:
        try:
            review = load_review(cache.workspace().store, review_id)
        except NotFoundError:
            close_one(REVIEW)
            st.info("The review that the link names is not here (any more).")
        else:
            state.write_in_link(REVIEW, [review_id])
            draw_brought(review_id)
            draw_review(review)
            return
    topic_id = state.read_topic()
    st.caption(WHAT)
    if topic_id is not None:
        draw_list(reviews(cache.workspace().store, topic_id))
    begin, bring = st.columns(2, gap="large")
    with begin:
        draw_begin(topic_id)
    with bring:
        draw_bring(topic_id)
