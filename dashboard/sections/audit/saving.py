"""Writing down what a visitor says: a mistake is said on the page, and what was typed stays."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from core.errors import QueryscapeError
from dashboard import cache, state
from dashboard.messages import plain, sentence

MISTAKE = "audit-mistake"


@contextmanager
def noted() -> Iterator[None]:
    """For what a button calls: what goes wrong in it is said by the next run, and nothing typed is let go of."""
    try:
        yield
    except QueryscapeError as e:
        state.say_once(MISTAKE, str(e))


def why_not_said() -> str | None:
    """Why nothing can be said here; None: it can."""
    if cache.workspace().store.is_copy:
        return "This is a copy to look at: what is said about a search is kept where the workspace is open."
    return None


def draw_mistake() -> None:
    """What went wrong, and why nothing can be said. Always one place on the page, so that no field beneath it moves."""
    with st.container(key="audit-said"):
        if reason := why_not_said():
            st.info(reason, icon=":material/lock:")
        if mistake := state.take(MISTAKE):
            st.error(plain(sentence(mistake)), icon=":material/error:")
            st.toast(plain(sentence(mistake)), icon=":material/error:")  # whatever part of the page is in view
