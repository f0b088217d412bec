"""The reviews of a topic, and how far each is."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.audit.press.domains import DOMAINS, VERDICTS, Review, ReviewState
from dashboard.sections.audit.opened import REVIEW, open_one
from dashboard.sections.audit.record.standing import Colour
from dashboard.words import plain, when

STATES: dict[ReviewState, tuple[str, str, Colour]] = {
    "requested": ("Asked for", ":material/outgoing_mail:", "gray"),
    "under review": ("Under review", ":material/rate_review:", "blue"),
    "signed": ("Signed", ":material/draw:", "green"),
    "replied": ("Signed and replied to", ":material/mark_chat_read:", "green"),
}
"""In words, with a sign and a colour."""


def draw_list(found: Sequence[Review]) -> None:
    """A card for each, the last changed first."""
    if not found:
        st.info("No review of this topic's strings was begun yet.")
    for review in found:
        with st.container(border=True, key=f"audit-review-{review.review_id}"):
            words, button = st.columns([0.8, 0.2], vertical_alignment="center")
            with words:
                with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                    st.markdown(f"**Version {plain(review.version)}**", width="content")
                    draw_state(review)
                st.caption(plain(facts_of(review)))
            with button, st.container(horizontal_alignment="right"):
                st.button(
                    "Open",
                    key=f"audit-open-review-{review.review_id}",
                    icon=":material/open_in_full:",
                    on_click=open_one,
                    args=(REVIEW, review.review_id),
                )


def draw_state(review: Review) -> None:
    """As a chip."""
    word, icon, colour = STATES[review.state]
    st.badge(word, icon=icon, color=colour)


def facts_of(review: Review) -> str:
    """Who asks whom, since when, and what was decided."""
    parts = [
        f"Asked for by {review.requestor.name or 'somebody unnamed'} on {when(review.requested_at)}",
        f"reviewer: {review.reviewer.name or 'not named yet'}",
        f"{review.n_decided} of {len(DOMAINS)} domains have a verdict",
    ]
    if review.overall is not None:
        parts.append(f"overall: {VERDICTS[review.overall].lower()}")
    if review.signature is not None:
        parts.append(f"signed on {when(review.signature.signed_at)}")
    return " · ".join(parts)
