"""Errors on a page: the problem and one way out, never a traceback."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import streamlit as st
from streamlit.runtime.scriptrunner_utils.exceptions import RerunException, StopException

from core.errors import QueryscapeError
from dashboard import state
from dashboard.words import plain


@contextmanager
def guarded() -> Iterator[None]:
    """Show a user's mistake as a message. Log any other error and show that one occurred."""
    try:
        yield
    except QueryscapeError as e:
        draw_problem(str(e))
    except (StopException, RerunException, KeyboardInterrupt):
        raise
    except MemoryError:
        st.error("There is not enough memory for this topic. Close other programs and reload the page.")
    except Exception:
        logging.getLogger("queryscape").exception("a page failed")
        st.error("Something went wrong. Reload the page; details are in the server log.")


def draw_problem(text: str) -> None:
    st.error(plain(sentence(text)), icon=":material/error:")


def draw_noted(key: str) -> None:
    """Draw the mistake that `state.noting` stored under this key."""
    if mistake := state.take(key):
        draw_problem(mistake)


def is_deleted(delete: Callable[[], object], *, key: str = "delete", otherwise: str = "Cancel") -> bool:
    """Draw the two buttons of a deletion dialog; return True once it was confirmed and done."""
    with st.container(horizontal=True):
        wanted = st.button("Delete", type="primary", key=f"{key}-now", icon=":material/delete:")
        if st.button(otherwise, key=f"{key}-not"):
            st.rerun()
    if not wanted:
        return False
    try:
        delete()
    except QueryscapeError as e:
        st.error(plain(sentence(str(e))))
        return False
    return True


def sentence(text: str) -> str:
    """Add a capital letter and a full stop.

    >>> sentence("there is no such file")
    'There is no such file.'
    """
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")
