"""The ways to answer: it is right, in own words, not done, and taking back what was said."""

from __future__ import annotations

import streamlit as st

from core.audit.reporting.about_strategies import Filled
from core.audit.types import Answer, AnswerState
from core.errors import InputError
from dashboard import cache, state
from dashboard.sections.audit.record.standing import DONE
from dashboard.sections.audit.saving import noted, why_not_said
from dashboard.sections.audit.typed import LONGEST_TEXT, field_key, fill_in, lately, let_go, name, typed
from dashboard.words import plain, when
from data.audit.gathering.here import say, unsay

WORDS: dict[AnswerState, str] = {"confirmed": "confirmed", "own": "in own words", "not done": "not done"}


def words_key(topic_id: str, item: str) -> str:
    """The field for one's own words."""
    return field_key("words", topic_id, item)


def is_typed(topic_id: str, item: str) -> bool:
    """Whether something stands in the field that was not saved yet."""
    return bool(str(typed(words_key(topic_id, item)) or "").strip())


def draw_saying(topic_id: str, filled: Filled) -> None:
    """What was said, then the ways to say something."""
    item, locked = filled.item.item, why_not_said()
    if filled.answer is not None:
        _draw_said(topic_id, filled.answer)
    key = words_key(topic_id, item)
    fill_in(key, filled.answer.text if filled.answer is not None and filled.answer.state == "own" else "")
    st.text_area(
        "In your own words",
        key=key,
        height=110,
        max_chars=LONGEST_TEXT,
        placeholder=filled.item.asks,
        help="Takes the place of what is recorded. As a reason it goes with Not done.",
        disabled=bool(locked),
    )
    with st.container(horizontal=True):
        can_confirm = bool(filled.recorded) and filled.state not in DONE
        if can_confirm:
            st.button(
                "This is right",
                key=f"audit-confirm-{item}",
                icon=":material/check:",
                type="primary",
                disabled=bool(locked),
                help=locked or "Confirms what Queryscape says above.",
                on_click=_confirm,
                args=(topic_id, filled),
            )
        st.button(
            "Save my words",
            key=f"audit-own-{item}",
            icon=":material/save:",
            disabled=bool(locked),
            help=locked,
            type="primary" if filled.state == "open" and not can_confirm else "secondary",
            on_click=_say_own,
            args=(topic_id, item),
        )
        if filled.item.may_be_left:
            st.button(
                "Not done",
                key=f"audit-not-{item}",
                icon=":material/block:",
                disabled=bool(locked),
                help=locked or "This was no part of the search. The report says so.",
                on_click=_say_not_done,
                args=(topic_id, item),
            )


def _draw_said(topic_id: str, answer: Answer) -> None:
    who = answer.said_by or "somebody unnamed"
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(
            f":material/how_to_reg: {plain(f'Said by {who} on {when(answer.said_at)}: {WORDS[answer.state]}.')}",
            width="content",
        )
        st.button(
            "Take back",
            key=f"audit-unsay-{answer.item}",
            icon=":material/undo:",
            type="tertiary",
            disabled=bool(why_not_said()),
            help=why_not_said() or "The item is again as it is recorded.",
            on_click=_take_back,
            args=(topic_id, answer.item),
        )


def _confirm(topic_id: str, filled: Filled) -> None:
    with noted():
        said(topic_id, filled.item.item, "confirmed", filled.recorded)
        state.say_once("audit", f"Confirmed: {filled.item.title}.")


def _say_own(topic_id: str, item: str) -> None:
    with noted():
        text = str(lately(words_key(topic_id, item)) or "").strip()
        if not text:
            raise InputError("there is nothing to save: write what was done, or choose one of the other answers")
        said(topic_id, item, "own", text)
        state.say_once("audit", "Saved.")


def _say_not_done(topic_id: str, item: str) -> None:
    with noted():
        said(topic_id, item, "not done", str(lately(words_key(topic_id, item)) or "").strip())
        state.say_once("audit", "Saved: this was no part of the search.")


def said(topic_id: str, item: str, how: AnswerState, text: str) -> None:
    """Keep it; once it is kept, the field shows what is."""
    say(cache.workspace().store, topic_id, item, state=how, text=text, said_by=name())
    let_go(words_key(topic_id, item))


def _take_back(topic_id: str, item: str) -> None:
    """Words that were typed by a person come back into the field, where they can be saved anew."""
    with noted():
        unsay(cache.workspace().store, topic_id, item)
        state.say_once("audit", "Taken back.")
