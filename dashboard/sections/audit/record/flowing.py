"""The PRISMA 2020 flow: numbers that are recorded, fields for those that somebody has to say, and the picture."""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st

from core.audit.pictures.svg import svg
from core.audit.reporting.numbers import Flow, FlowNumber, flow_alternative, flow_of, flow_picture
from core.audit.types import AnswerState, AuditFacts
from core.audit.whole import Figure
from dashboard import cache
from dashboard.sections.audit.blocks import draw_picture
from dashboard.sections.audit.record.standing import STANDINGS
from dashboard.sections.audit.saving import noted, why_not_said
from dashboard.sections.audit.typed import LONGEST_TEXT, field_key, fill_in, let_go, name
from dashboard.words import plain
from data.audit.gathering.here import say, unsay

MOST = 1_000_000_000
IN_A_ROW = 3
RECORDED_ONLY = "flow:topic"
"""Nobody can say it otherwise."""
WITH_REASONS = "flow:reports-excluded"
"""Said as one line for each reason."""


def draw_flow(facts: AuditFacts) -> None:
    """The picture, then its numbers: those that can't be said stand beside it."""
    flow = flow_of(facts)
    st.markdown("##### PRISMA 2020 flow")
    picture, sources = st.columns([0.66, 0.34], gap="large")
    with picture:
        _draw_picture(flow)
    with sources:
        _draw_sources(flow)
        for each in (*flow.disagreements, *flow.warnings):
            st.warning(plain(each), icon=":material/warning:")
        for each in flow.notes:
            st.caption(plain(each))
    numbers = [number for number in flow.numbers if number.item != RECORDED_ONLY]
    for place in range(0, len(numbers), IN_A_ROW):
        for column, number in zip(st.columns(IN_A_ROW, gap="large"), numbers[place : place + IN_A_ROW], strict=False):
            with column:
                _draw_number(facts, number)


def _draw_picture(flow: Flow) -> None:
    figure = Figure("flow", "", flow_alternative(flow), flow_picture(flow))
    draw_picture(figure)
    st.download_button(
        "SVG",
        lambda: svg(figure.picture, alternative=figure.alternative).encode(),
        file_name="prisma-2020-flow.svg",
        mime="image/svg+xml",
        key="audit-flow-svg",
        icon=":material/download:",
        on_click="ignore",
    )


def _draw_sources(flow: Flow) -> None:
    lines = [
        plain(
            f"{each.name}: {'not known' if each.n is None else f'{each.n:,}'}"
            + (f" ({each.version})" if each.version else "")
        )
        for each in flow.sources
    ]
    st.caption("Records of each source")
    st.markdown("\n".join(f"- {line}" for line in lines) if lines else "None yet.")


def _draw_number(facts: AuditFacts, number: FlowNumber) -> None:
    """A number that is recorded can be overruled as well: more may have come from elsewhere."""
    topic_id = facts.topic_id
    key, locked = field_key("flow", topic_id, number.item), why_not_said()
    more: dict[str, Any] = {
        "key": key,
        "placeholder": "Nobody has said yet",
        "disabled": bool(locked),
    }
    more |= {"help": locked or "Saved as soon as you leave the field. Empty it to take it back."}
    save = partial(_say_number, topic_id, number)
    if number.item == WITH_REASONS:
        answer = facts.answers.get(number.item)
        fill_in(key, answer.text if answer is not None else "", save)
        st.text_area(plain(number.label), height=80, max_chars=LONGEST_TEXT, **more)
    else:
        fill_in(key, number.n, save)
        st.number_input(plain(number.label), min_value=0, max_value=MOST, step=1, **more)
    standing = STANDINGS[number.state]
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(plain(f"{standing.word}. {number.sentence}".strip()), width="content")
        if number.state in ("likely", "changed") and number.recorded is not None:
            st.button(
                f"{number.recorded:,} is right",
                key=f"audit-flow-confirm-{number.item}",
                icon=":material/check:",
                type="tertiary",
                disabled=bool(locked),
                on_click=_confirm_number,
                args=(topic_id, number, key),
            )


def _say_number(topic_id: str, number: FlowNumber, n: object) -> None:
    if n is None or n == "":
        unsay(cache.workspace().store, topic_id, number.item)
    else:
        how: AnswerState = "confirmed" if n == number.recorded else "own"
        say(cache.workspace().store, topic_id, number.item, state=how, text=str(n), said_by=name())


def _confirm_number(topic_id: str, number: FlowNumber, key: str) -> None:
    with noted():
        say(
            cache.workspace().store, topic_id, number.item, state="confirmed", text=str(number.recorded), said_by=name()
        )
        let_go(key)
