"""Changes that meet: what a visitor saw before typing, and the choice when another person changed it meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import streamlit as st

from core.errors import ConflictError
from dashboard import state
from data.changes import UNSEEN


def keep_seen(key: str, value: object) -> None:
    """Note the stored value that a field starts from. Call it whenever it is drawn and nothing is typed in it."""
    state.set_value(f"seen-{key}", (value,))
    state.set_value(f"conflict-{key}", None)


def fill_once(key: str, stored: str) -> None:
    """Fill a field of a form with the stored value when it appears; later changes by others don't replace its text."""
    if state.value(key) is None:
        state.set_value(key, stored)
        keep_seen(key, stored or None)


def seen(key: str) -> Any:
    """Return the value that the visitor saw before typing."""
    noted = state.snapshot().get(f"seen-{key}")
    return noted[0] if noted else UNSEEN


@contextmanager
def saving(key: str) -> Iterator[None]:
    """Save a field. After a conflict the visitor has seen the other value, so saving again replaces it."""
    try:
        yield
    except ConflictError as e:
        state.set_value(f"seen-{key}", (e.theirs,))
        state.set_value(f"conflict-{key}", str(e))
        raise


def draw_conflict(key: str, take_theirs: Callable[[], None]) -> None:
    """Draw the way out of a conflict, next to the field: its own button saves the visitor's text after all."""
    if not state.value(f"conflict-{key}"):
        return

    def take() -> None:
        take_theirs()
        state.set_value(f"conflict-{key}", None)

    with st.container(horizontal=True, vertical_alignment="center", key=f"conflict-of-{key}"):
        st.caption("Changed by someone else meanwhile. Save again to keep yours.", width="content")
        st.button("Take theirs", key=f"take-{key}", icon=":material/call_merge:", type="tertiary", on_click=take)
