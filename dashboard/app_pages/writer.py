"""Writer: from a topic to a scored search string."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from dashboard import cache, state
from dashboard.components.mount import mount_code
from dashboard.messages import guarded
from dashboard.sections.welcome import draw_welcome
from dashboard.sections.writer.asked import draw_asked
from dashboard.sections.writer.brief.view import draw_write
from dashboard.sections.writer.candidates.view import draw_candidates
from dashboard.sections.writer.opened import (
    ASKED,
    CANDIDATES,
    NOTE,
    REFINE,
    SORT,
    WRITE,
    WRITING,
    choose_view,
    choose_writing,
)
from dashboard.sections.writer.ready import read_embedder, what_is_missing
from dashboard.sections.writer.refine import draw_refine
from dashboard.sections.writer.run.listed import is_readable
from dashboard.sections.writer.run.work import job_of, open_what_came, refining_of
from dashboard.sections.writer.sort import draw_sort
from dashboard.words import plain

OF_A_WRITING: dict[str, Callable[[str | None], None]] = {
    SORT: draw_sort,
    CANDIDATES: draw_candidates,
    REFINE: draw_refine,
    ASKED: draw_asked,
}


def render() -> None:
    """The page."""
    if not cache.workspace().topics():
        draw_welcome()
        return
    st.title("Writer")
    mount_code()
    with guarded():
        _draw()
    if note := state.take(NOTE):
        st.toast(plain(note))


def _draw() -> None:
    topic_id = state.read_topic()
    if topic_id is None or what_is_missing(topic_id):
        return
    open_what_came(job_of(topic_id))
    open_what_came(refining_of(str(state.said(WRITING))))
    head, which = st.columns([0.58, 0.42], vertical_alignment="center")
    with head:
        view = choose_view()
    with which:
        writing_id = choose_writing(topic_id)
    with guarded():
        if view == WRITE:
            draw_write(topic_id, read_embedder(topic_id))
        elif writing_id is None or is_readable(writing_id):
            OF_A_WRITING[view](writing_id)


if __name__ == "__main__":
    render()
