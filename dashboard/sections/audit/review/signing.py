"""The reviewer signs with a name; then the requestor replies."""

from __future__ import annotations

import streamlit as st

from core.audit.press.domains import Review, edited_parts
from dashboard import cache, state
from dashboard.sections.audit.review.writing import draw_line, forget_fields
from dashboard.sections.audit.saving import noted, why_not_said
from dashboard.words import plain, when
from data.audit.reviews import reply, sign

REOPENED = "audit-reopened"


def why_settled(review: Review) -> str:
    """Why the reviewer's fields can't be written in; empty: they can."""
    if review.signature is None or state.said(REOPENED) == review.review_id:
        return ""
    return "Signed: what the reviewer says stays as it was signed, unless it is opened again below."


def draw_signing(review: Review) -> None:
    """Name and signature, then the reply."""
    with st.container(border=True, key="audit-signing"):
        if review.signature is None or state.said(REOPENED) == review.review_id:
            _draw_sign(review)
        else:
            _draw_signed(review)


def _draw_sign(review: Review) -> None:
    st.markdown("**The reviewer signs**")
    name_at, affiliation_at, email_at = st.columns(3)
    with name_at:
        draw_line(review, "reviewer.name", "The reviewer's name")
    with affiliation_at:
        draw_line(review, "reviewer.affiliation", "Affiliation")
    with email_at:
        draw_line(review, "reviewer.email", "Address")
    st.button(
        "Sign the review",
        key="audit-sign",
        type="primary",
        icon=":material/draw:",
        disabled=bool(why_not_said()),
        help=why_not_said() or "With the name and the date of now. Later changes are shown as such.",
        on_click=_sign,
        args=(review.review_id,),
    )
    st.caption("A signature shows later changes. It proves nothing about who signed.")


def _draw_signed(review: Review) -> None:
    signature = review.signature
    if signature is None:
        return
    st.markdown(f"**Signed by {plain(signature.name)}** on {plain(when(signature.signed_at))}")
    if changed := edited_parts(review):
        st.warning(plain(f"Changed since: {', '.join(changed)}."), icon=":material/warning:")
    if review.replied_at:
        st.caption(plain(f"The requestor was done replying on {when(review.replied_at)}."))
    with st.container(horizontal=True):
        st.button(
            "Done replying",
            key="audit-replied",
            icon=":material/mark_chat_read:",
            disabled=bool(why_not_said()),
            type="secondary" if review.replied_at else "primary",
            help=why_not_said() or "The requestor's word that every reply is given. The signature stays whole.",
            on_click=_reply,
            args=(review.review_id,),
        )
        st.button(
            "Open it again",
            key="audit-reopen",
            icon=":material/lock_open:",
            type="tertiary",
            disabled=bool(why_not_said()),
            help="For the reviewer to change something, and to sign again.",
            on_click=state.say,
            args=(REOPENED, review.review_id),
        )


def _sign(review_id: str) -> None:
    with noted():
        sign(cache.workspace().store, review_id)
        state.say(REOPENED, None)
        forget_fields(review_id)
        state.say_once("audit", "Signed.")


def _reply(review_id: str) -> None:
    with noted():
        reply(cache.workspace().store, review_id)
        state.say_once("audit", "The reply is done.")
