"""A file that came back: what it changed, and where both sides wrote."""

from __future__ import annotations

import streamlit as st

from core.audit.press.reading import LARGEST_FILE
from dashboard import cache, state
from dashboard.messages import sentence
from dashboard.sections.audit.opened import REVIEW, open_one
from dashboard.sections.audit.review.writing import forget_fields
from dashboard.sections.audit.saving import noted, why_not_said
from dashboard.words import many, plain
from data.audit.reviews import Brought, bring_review

UPLOAD, BROUGHT = "audit-review-file", "audit-brought"


def draw_bring(topic_id: str | None) -> None:
    """Where a file comes in: the first time it makes a review, later it is joined with what is kept."""
    st.markdown("##### Bring a file in")
    st.caption("The file that the other person sent you. What you both wrote is kept, whoever wrote last.")
    number = state.flag(UPLOAD)  # a field that was emptied is another field
    file = st.file_uploader(
        "Review file",
        type=["json"],
        key=f"{UPLOAD}-{number}",
        label_visibility="collapsed",
        max_upload_size=LARGEST_FILE // 10**6,
        disabled=bool(why_not_said()),
    )
    if file is not None:
        st.button(
            "Bring it in",
            key="audit-bring",
            type="primary",
            icon=":material/move_to_inbox:",
            on_click=_bring,
            args=(topic_id, file.getvalue()),
        )


def _bring(topic_id: str | None, content: bytes) -> None:
    with noted():
        brought = bring_review(cache.workspace(), content, topic_id=topic_id)
        forget_fields(brought.review.review_id)
        state.say(BROUGHT, brought)
        state.raise_flag(UPLOAD)
        open_one(REVIEW, brought.review.review_id)


def draw_brought(review_id: str) -> None:
    """What the last file changed, until it is put away."""
    brought = state.said(BROUGHT)
    if not isinstance(brought, Brought) or brought.review.review_id != review_id:
        return
    with st.container(border=True, key="audit-brought-box"):
        st.markdown("**What the file brought**")
        st.markdown("\n".join(f"- {plain(line)}" for line in brought_lines(brought)))
        if brought.edited:
            st.warning(
                plain("Changed after it was signed: " + ", ".join(brought.edited) + "."), icon=":material/warning:"
            )
        st.button("Put away", key="audit-put-away", type="tertiary", on_click=state.say, args=(BROUGHT, None))


def brought_lines(brought: Brought) -> list[str]:
    """In sentences."""
    if brought.is_new:
        lines = ["The review was not known here; it is now."]
    else:
        n = len(brought.taken)
        lines = [f"{many(n, 'place')} changed: {', '.join(brought.taken)}." if n else "It changes nothing here."]
    if brought.both_kept:
        lines.append(f"You both wrote: {', '.join(brought.both_kept)}. Both texts are kept; choose below.")
    return [*lines, *map(sentence, brought.notes)]
