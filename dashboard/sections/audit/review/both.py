"""Where both sides wrote in the same place: both texts, and the choice."""

from __future__ import annotations

import streamlit as st

from core.audit.press.domains import PARTS, OtherText, Review, shown, words_of
from dashboard import cache
from dashboard.messages import sentence
from dashboard.sections.audit.blocks import draw_lines
from dashboard.sections.audit.review.writing import forget_fields
from dashboard.sections.audit.saving import noted, why_not_said
from dashboard.words import plain
from data.audit.reviews import choose


def draw_both(review: Review) -> None:
    """Nothing where there is nothing to choose."""
    if not review.others:
        return
    st.warning(
        "You both wrote in the same places. What stands and what does not are below.", icon=":material/call_split:"
    )
    for number, other in enumerate(review.others):
        with st.container(border=True, key=f"audit-both-{number}"):
            st.markdown(f"**{plain(sentence(words_of(other.part))[:-1])}**")
            left, right = st.columns(2, gap="large")
            with left:
                st.caption("What stands")
                draw_lines(_standing(review, other) or "Nothing.")
            with right:
                st.caption(plain(f"What the {other.side} wrote"))
                draw_lines(_words(other) or "Nothing.")
            _draw_choice(review, number, other)


def _standing(review: Review, other: OtherText) -> str:
    if other.part in PARTS:
        return shown(PARTS[other.part], PARTS[other.part].read(review))
    return review.text if other.part == "string" else ""


def _words(other: OtherText) -> str:
    return shown(PARTS[other.part], other.text) if other.part in PARTS else other.text


def _draw_choice(review: Review, number: int, other: OtherText) -> None:
    with st.container(horizontal=True):
        for take_it, label in ((False, "Keep what stands"), (True, "Take the other")):
            if take_it and other.part not in PARTS:
                continue
            st.button(
                label,
                key=f"audit-both-{number}-{take_it}",
                disabled=bool(why_not_said()),
                help=why_not_said(),
                on_click=_choose,
                args=(review.review_id, number, take_it),
            )


def _choose(review_id: str, number: int, take_it: bool) -> None:
    with noted():
        choose(cache.workspace().store, review_id, number, take_it=take_it)
        forget_fields(review_id)
