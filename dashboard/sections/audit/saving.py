"""Writing down what a visitor says: a mistake is said on the page, and what was typed stays."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from core.errors import QueryscapeError
from dashboard import cache
from dashboard.messages import sentence
from dashboard.sections.audit.typed import ONE_AT_A_TIME, held, settle
from dashboard.words import plain


@contextmanager
def noted() -> Iterator[None]:
    """For what a button calls: what was typed counts, and what goes wrong is said by the next run.

    What it has to keep comes first in it, what it says in the session's state last: that may be broken off.
    """
    with ONE_AT_A_TIME:
        settle()
        try:
            yield
        except QueryscapeError as e:
            held().mistake = str(e)


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
        mistake, held().mistake = held().mistake, None
        if mistake:
            st.error(plain(sentence(mistake)), icon=":material/error:")
            st.toast(plain(sentence(mistake)), icon=":material/error:")  # whatever part of the page is in view
