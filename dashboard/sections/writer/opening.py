"""What the view "Sort" has open: a step of a writing, a version taken apart, or the topic's name alone."""

from __future__ import annotations

import streamlit as st

from dashboard import state

PAGE = "app_pages/writer.py"
STEP = "writer_step"
"""Number of the step that "Sort" shows; in the link. None: the best of the writing."""
APART = "writer_apart"
"""Label of the version that "Sort" shows taken apart; in the link."""


def open_step(number: int) -> None:
    """Have "Sort" show this step of the writing that is open."""
    _say(step=str(number), apart=None)


def open_version_apart(label: str) -> None:
    """Have "Sort" show this version of the topic, taken apart into its lists."""
    _say(step=None, apart=label)


def open_again() -> None:
    """Another writing was opened: what was open of the one before is forgotten."""
    _say(step=None, apart=None)


def what_is_open() -> tuple[str | None, str | None]:
    """The step and the version that are asked for: by the link, which other pages lead here with, else as before."""
    step, apart = (state.wanted_by_link(key, ()) for key in (STEP, APART))
    if step is None and apart is None:
        step, apart = (state.said(key) for key in (STEP, APART))
    if apart is not None:
        step = None
    _say(step=step, apart=apart)
    return step, apart


def link_to_sorting(topic_id: str, label: str, *, words: str = "Sort its keywords in the Writer") -> None:
    """A link from another page to the view Sort with this version taken apart."""
    link = {"topic": topic_id, "version": label, "writer": "Sort", APART: label}
    st.page_link(PAGE, label=words, icon=":material/edit_note:", query_params=link)


def _say(*, step: str | None, apart: str | None) -> None:
    for key, value in ((STEP, step), (APART, apart)):
        state.say(key, value)
        state.write_in_link(key, [] if value is None else [value])
