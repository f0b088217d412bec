"""The view "Search"."""

from __future__ import annotations

import streamlit as st

from core.sources.sending.saying import SourceId
from dashboard.messages import guarded, sentence
from dashboard.sections.sources.search.answers import are_asked, count_answered, draw_answer, draw_asking
from dashboard.sections.sources.search.begun import draw_run, draw_unfinished, note_ended
from dashboard.sections.sources.search.choosing import Chosen, choose, what_is_wrong
from dashboard.sections.sources.search.sending import READING, draw_sent, until_prepared, what_is_sent
from dashboard.sections.sources.standing import why_not
from dashboard.sections.sources.work import preview_of, start_preview
from dashboard.words import plain
from data.sources.opening import ABOUT


def draw_search() -> None:
    """A form from top to bottom."""
    note_ended()
    unfinished = st.container()
    chosen = choose()
    shown: set[str] = set()
    if wrong := what_is_wrong(chosen):
        st.info(wrong)
    else:
        _draw_preview(chosen)
        for source in chosen.sources:
            with guarded(), st.container(border=True, key=f"live-card-{source}"):
                if run_id := _draw_card(chosen, source):
                    shown.add(run_id)
    with unfinished:
        draw_unfinished(shown)


def _draw_preview(chosen: Chosen) -> None:
    """Asks for the counts of those that can be asked."""
    sendings = {s: what_is_sent(chosen.wish, chosen.parsed, s) for s in chosen.sources}
    able = tuple(s for s, sending in sendings.items() if sending.prepared is not None and not why_not(s))
    coming = tuple(s for s, sending in sendings.items() if sending.is_coming)
    is_asking = are_asked(chosen.wish, able)
    with st.container(horizontal=True, vertical_alignment="center", key="live-preview"):
        st.button(
            "Preview",
            key="live-preview-button",
            icon=":material/calculate:",
            type="primary",
            disabled=is_asking or not able or bool(coming),
            help="Asks each source how many publications the string finds there. None is fetched.",
            on_click=start_preview,
            args=(chosen.wish, able),
        )
        if coming:
            until_prepared(chosen.wish, coming)
        elif is_asking:
            draw_asking(chosen.wish, able, count_answered(chosen.wish, able))
        else:
            st.caption(_said(chosen, able), width="content")


def _said(chosen: Chosen, able: tuple[SourceId, ...]) -> str:
    if any(preview_of(chosen.wish, source) is not None for source in chosen.sources):
        return "Only counts were asked for; nothing is fetched before a run."
    if able:
        return "Nothing was sent yet."
    is_away = any(why_not(source) for source in chosen.sources)
    return "None of these sources can be asked now." if is_away else "None of these sources can be asked this."


def _draw_card(chosen: Chosen, source: SourceId) -> str | None:
    """One source: what it is sent on the left, what it says of it and the run on the right; the run's id."""
    sending = what_is_sent(chosen.wish, chosen.parsed, source)
    left, right = st.columns([0.64, 0.36], gap="large")
    with left:
        st.markdown(f"##### {plain(ABOUT[source].label)}")
        if sending.is_coming:
            st.caption(READING)
            return None
        if sending.prepared is None:
            st.warning(plain(sentence(sending.problem)), icon=":material/block:")
            return None
        draw_sent(sending.prepared, chosen.wish.text, source)
    with right:
        draw_answer(chosen.wish, source)
        return draw_run(chosen, source, why_not(source))
