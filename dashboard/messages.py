"""Errors on a page: the problem and one way out, never a traceback."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st
from streamlit.runtime.scriptrunner_utils.exceptions import RerunException, StopException

from core.errors import QueryscapeError
from dashboard.words import plain


@contextmanager
def guarded() -> Iterator[None]:
    """Show a user's mistake as a message. Log any other error and show that one occurred."""
    try:
        yield
    except QueryscapeError as e:
        st.error(plain(sentence(str(e))), icon=":material/error:")
    except (StopException, RerunException, KeyboardInterrupt):
        raise
    except MemoryError:
        st.error("There is not enough memory for this topic. Close other programs and reload the page.")
    except Exception:
        logging.getLogger("queryscape").exception("a page failed")
        st.error("Something went wrong. Reload the page; details are in the server log.")


def sentence(text: str) -> str:
    """Add a capital letter and a full stop.

    >>> sentence("there is no such file")
    'There is no such file.'
    """
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")
