"""Judgments that a person should look at, each one click away."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.judging.calibration import REASON_WORDS, Look
from core.judging.types import STATUS_WORDS, Judged
from dashboard import state
from dashboard.sections.judge.choosing import Opened
from dashboard.sections.judge.queries.choosing import open_judgment, plain_title
from dashboard.words import plain

MOST_LISTED = 12
LOOKS = "looks"


def draw_look(opened: Opened, looks: Sequence[Look]) -> None:
    """The gravest, under a line that says how many there are."""
    if not looks:
        return
    n = len(looks)
    with (
        st.expander(
            f"{n:,} {'judgment needs' if n == 1 else 'judgments need'} a look",
            icon=":material/visibility:",
            key=f"looks-{state.flag(LOOKS)}",
        ),
        st.container(gap="small", key="entities-looks"),
    ):
        st.caption(
            "Where the judge is least to be believed, the gravest first. What a person has graded is not listed any "
            "more: if the judge is right, give its own grade."
        )
        for look in looks[:MOST_LISTED]:
            _draw_one(opened, look)
        if n > MOST_LISTED:
            st.caption(f"The first {MOST_LISTED} are listed; grade them, and the next come up.")


def _draw_one(opened: Opened, look: Look) -> None:
    first = look.judged[0]
    why = "; ".join(REASON_WORDS[reason] for reason in look.reasons)
    said = _given(opened, first)
    with st.container(gap=None):
        st.button(
            plain_title(first),
            key=f"look-{look.triple_key}",
            type="tertiary",
            icon=":material/arrow_forward:",
            on_click=_open,
            args=(look,),
        )
        st.caption(plain(f"{why[:1].upper()}{why[1:]}. {said[:1].upper()}{said[1:]}. Query {look.query_id}."))


def _open(look: Look) -> None:
    """Show it, and fold the list: what was opened stands beneath."""
    open_judgment(look.query_id, look.triple_key)
    state.raise_flag(LOOKS)


def _given(opened: Opened, judged: Judged) -> str:
    """The grade and how sure the judge is of it."""
    verdict, rubric = judged.verdict, opened.judge.rubric
    if verdict is None or verdict.points is None:
        return "–" if verdict is None else STATUS_WORDS[verdict.status]
    sure = "" if verdict.confidence is None else f", confidence {verdict.confidence}"
    return f"{rubric.shown(verdict.points):g} of {rubric.shown_max:g}{sure}"
