"""The view "People": who it is, then writing, rating, or what was rated."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from core.errors import InputError
from dashboard import state
from dashboard.messages import guarded, sentence
from dashboard.sections.knowledge.people.keeping import NOTE, why_not_kept
from dashboard.sections.knowledge.people.rating import draw_rating
from dashboard.sections.knowledge.people.results import draw_results
from dashboard.sections.knowledge.people.writing import draw_writing
from dashboard.words import plain
from data.knowledge.base import KnowledgeBase
from data.knowledge.people.writing import MOST_NAME_CHARACTERS, checked_person

Part = Callable[[KnowledgeBase, str | None], None]
PARTS: dict[str, Part] = {"Write": draw_writing, "Rate": draw_rating, "Results": draw_results}
PERSON = "person"


def draw_people(base: KnowledgeBase) -> None:
    """Write queries for entities, rate queries, or see how they were rated."""
    which, who = st.columns([0.6, 0.4], vertical_alignment="bottom")
    state.settle("people", list(PARTS))
    with which:
        part = st.segmented_control(
            "People", list(PARTS), key="people", required=True, label_visibility="collapsed", bind="query-params"
        )
    with who:
        person = _person()
    if note := state.take(NOTE):
        st.warning(plain(sentence(note)), icon=":material/error:")
    if reason := why_not_kept():
        st.info(reason)
    with guarded():
        PARTS[str(part)](base, person)


def _person() -> str | None:
    """A name that is typed once. It stands in no link, so that nobody writes under another's by a link."""
    state.hold(PERSON)
    name = st.text_input(
        "You are",
        key=PERSON,
        max_chars=MOST_NAME_CHARACTERS,
        placeholder="Your name or initials",
        help="Kept with what you write and rate. Under the same name you go on where you were.",
        icon=":material/person:",
    )
    if not name.strip():
        return None
    try:
        return checked_person(name)
    except InputError as e:
        st.warning(plain(sentence(str(e))))
        return None
