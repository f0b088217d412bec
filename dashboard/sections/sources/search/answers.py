"""What a source says of a string before it is run: its own count, calls, time, price, and what the cap means."""

from __future__ import annotations

import streamlit as st

from core.sources.sending.saying import LABELS, SourceId
from dashboard import cache
from dashboard.messages import sentence
from dashboard.sections.sources.standing import in_dollars, left_today
from dashboard.sections.sources.work import Answered, Wish, preview_job, preview_of, stop_previews
from dashboard.words import plain
from data.sources.fetching.running import Preview
from data.sources.opening import standing_of

NOT_ASKED = "Not asked yet"
LONGEST_NOTE = 240
"""Characters of what a source says that are always in sight."""
LONGEST_SHOWN = 20_000
WAITING = "Waiting for its answer"


def draw_answer(wish: Wish, source: SourceId) -> Answered | None:
    """Its place is always there, so that nothing moves when the answer comes."""
    answered = preview_of(wish, source)
    preview = answered.preview if answered else None
    is_waiting = answered is None and preview_job(wish, source) is not None
    st.metric("The source's own total", total_of(preview), help=None if preview is None else plain(preview.sentence))
    if answered is None:
        st.caption(WAITING if is_waiting else NOT_ASKED)
    elif preview is None:
        st.error(plain(sentence(answered.problem)), icon=":material/error:")
    else:
        _draw_takes(preview, source)
    return answered


def total_of(preview: Preview | None) -> str:
    """A number, or from where to where for several forms."""
    if preview is None:
        return "–"
    if preview.least == preview.most_found:
        return f"{preview.least:,}"
    return f"{preview.least:,} to {preview.most_found:,}"


def too_little(preview: Preview, source: SourceId) -> str:
    """That the day's budget ends before the run does; empty: it lasts."""
    left = left_today(standing_of(cache.workspace().store, source))
    if left is None or (preview.estimate.dollars or 0.0) <= left:
        return ""
    return (
        f"{in_dollars(left)} is left of the day, so the run stops before its end. What came is kept, and it goes on "
        "after midnight UTC."
    )


def _draw_takes(preview: Preview, source: SourceId) -> None:
    if preview.least != preview.most_found:
        st.caption(plain(preview.sentence))
    st.caption(plain(f"A run takes: {preview.estimate.sentence[:1].lower()}{preview.estimate.sentence[1:]}"))
    if short := too_little(preview, source):
        st.warning(plain(short), icon=":material/money_off:")
    if preview.cap.is_capped:
        st.warning(plain(f"{preview.cap.sentence} {preview.cap.advice}".strip()), icon=":material/filter_alt:")
    for note in preview.notes:
        if len(note) <= LONGEST_NOTE:
            st.caption(plain(sentence(note)))
    if long := [note for note in preview.notes if len(note) > LONGEST_NOTE]:
        with st.expander(f"What {LABELS[source]} says of it", key=f"live-notes-{source}"):
            for note in long:
                st.caption(plain(sentence(note[:LONGEST_SHOWN])))


def are_asked(wish: Wish, sources: tuple[SourceId, ...]) -> bool:
    """Whether an answer of one of them is waited for."""
    return any(preview_job(wish, source) is not None for source in sources)


@st.fragment(run_every=0.5)
def draw_asking(wish: Wish, sources: tuple[SourceId, ...], n_answered: int) -> None:
    """While the sources are asked: how far that is. The page is drawn anew with each answer that comes."""
    n_now = count_answered(wish, sources)
    if n_now != n_answered or not are_asked(wish, sources):
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(n_now / len(sources), text=f"{n_now:,} of {len(sources):,} sources have answered")
        st.button("Stop", key="live-preview-stop", on_click=stop_previews)


def count_answered(wish: Wish, sources: tuple[SourceId, ...]) -> int:
    """How many of them have."""
    return sum(preview_of(wish, source) is not None for source in sources)
