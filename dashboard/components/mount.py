"""Mounts the browser parts. The code is sent once; a part is mounted with a stub of a few lines and its data."""

from __future__ import annotations

from typing import Any, Literal

import streamlit as st

from dashboard.components.bundle import browser_code, stub_code
from dashboard.components.payload import finite
from dashboard.figures.theme import Theme

SCAPE = "explore"
"""Parts of the same name share their data in the browser."""


def _nothing() -> None:
    """Streamlit keeps a part's state only under a name that has a callback."""


# Registered when the module is loaded: a component that is registered anew would be mounted anew.
_code = st.components.v2.component("queryscape_code", js=browser_code())
_part = st.components.v2.component("queryscape_part", js=stub_code())


def mount_code() -> None:
    """For a page whose parts need no payload: the code alone."""
    with st.container(key="payloads-code"):
        _code(key="code", data={"scape": SCAPE}, height=1)


def mount_payload(payload: bytes, key: str, *, with_code: bool = False) -> None:
    """Hand a payload to the browser. One that has not changed is not sent again."""
    (_code if with_code else _part)(key=key, data=payload, height=1)


def mount_part(
    part: str,
    document: dict[str, Any],
    key: str,
    *,
    height: int | Literal["content"] = "content",
    states: tuple[str, ...] = (),
) -> dict[str, Any]:
    """Draw a part; gives back what it has sent so far, by the names in `states`."""
    listeners: dict[str, Any] = {f"on_{name}_change": _nothing for name in states}
    data = finite({**document, "part": part, "scape": SCAPE})
    return dict(_part(key=key, data=data, height=height, **listeners))


def current_theme() -> Theme:
    """Which of the two the visitor's browser shows."""
    return "dark" if st.context.theme.type == "dark" else "light"
