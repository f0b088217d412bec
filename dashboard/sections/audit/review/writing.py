"""Fields of a review: each is saved as soon as it is left, and what could not be saved stays in it."""

from __future__ import annotations

from functools import partial

import streamlit as st

from core.audit.press.domains import PARTS, VERDICTS, Review
from dashboard import cache
from dashboard.sections.audit.saving import why_not_said
from dashboard.sections.audit.typed import LONGEST_NAME, LONGEST_TEXT, field_key, fill_in, let_go
from data.audit.reviews import load_review, save_review

NO_VERDICT = ""


def part_key(review_id: str, part: str) -> str:
    """The field of one place in a review."""
    return field_key("part", review_id, part)


def draw_text(review: Review, part: str, label: str, *, height: int = 90, off: str = "", hint: str = "") -> None:
    """A text of several lines. `off`: why it can't be written in; empty: it can."""
    key = _filled(review, part)
    st.text_area(
        label,
        key=key,
        height=height,
        max_chars=LONGEST_TEXT,
        placeholder=hint,
        disabled=bool(off or why_not_said()),
        help=off or why_not_said(),
    )


def draw_line(review: Review, part: str, label: str, *, off: str = "") -> None:
    """A short text."""
    key = _filled(review, part)
    st.text_input(
        label,
        key=key,
        max_chars=LONGEST_NAME,
        disabled=bool(off or why_not_said()),
        help=off or why_not_said(),
    )


def draw_verdict(review: Review, part: str, label: str, *, off: str = "") -> None:
    """One of three, or none yet."""
    key = _filled(review, part)
    st.radio(
        label,
        [NO_VERDICT, *VERDICTS],
        key=key,
        horizontal=True,
        format_func=lambda at: VERDICTS.get(at, "Not decided yet"),
        disabled=bool(off or why_not_said()),
        help=off or why_not_said(),
    )


def _filled(review: Review, part: str) -> str:
    key = part_key(review.review_id, part)
    fill_in(key, PARTS[part].read(review), partial(_save, review.review_id, part))
    return key


def _save(review_id: str, part: str, said: object) -> None:
    """The review is read anew, so that what another page wrote meanwhile stays."""
    store, text = cache.workspace().store, str(said or "").strip()
    review = load_review(store, review_id)
    if PARTS[part].read(review) != text:
        save_review(store, PARTS[part].write(review, text))


def forget_fields(review_id: str) -> None:
    """What is kept has changed under the fields: they show it the next time they are drawn."""
    let_go(*(part_key(review_id, part) for part in PARTS))
