"""What is typed on this page, kept until it is saved: through other items, other pages and a save that fails.

Streamlit forgets what a field says once it is not drawn, so a copy is kept beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

from streamlit.runtime.scriptrunner_utils.exceptions import RerunException

from dashboard import state
from data.store import content_hash

TYPED = "audit-typed"
NAME = "audit-name"
LONGEST_NAME = 120
LONGEST_TEXT = 20_000


def field_key(what: str, *about: str) -> str:
    """What the field for it is called, whatever the topic's name holds."""
    return f"audit-{what}-{content_hash(list(about))[:12]}"


def typed(key: str) -> Any:
    """What was typed and not saved yet; None: nothing."""
    return _all().get(key)


def fill_in(key: str, otherwise: Any) -> None:
    """Before the field is drawn: what was typed there, else what is kept. Gives a new value only where it has none."""
    if state.said(key) is None:
        state.say(key, _all().get(key, otherwise))


def unbroken(work: Callable[..., None]) -> Callable[..., None]:
    """For what a field calls: who goes on clicking while it runs breaks it off, and what was typed would be lost.

    Streamlit looks for the next click wherever the session's state is read. Done twice, it does the same.
    """

    @wraps(work)
    def done(*args: Any) -> None:
        try:
            work(*args)
        except RerunException:
            work(*args)
            raise

    return done


@unbroken
def keep(key: str) -> None:
    """What the field calls when it changes."""
    state.say(TYPED, {**_all(), key: state.said(key)})


def let_go(*keys: str) -> None:
    """It is saved: from now on the field shows what is kept."""
    state.say(TYPED, {key: value for key, value in _all().items() if key not in keys})
    for key in keys:
        state.say(key, None)


def name() -> str:
    """Who sits here, as far as they said."""
    return str(typed(NAME) or "").strip()


def _all() -> Mapping[str, Any]:
    found: Mapping[str, Any] = state.said(TYPED, {})
    return found
