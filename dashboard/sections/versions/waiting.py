"""What a view of the page still waits for: asked about until it is there, then the page is drawn anew."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from dashboard import cache, state
from dashboard.components.mount import mount_part
from dashboard.jobs import Job
from dashboard.messages import sentence
from dashboard.words import plain

AGAIN_AFTER_MS = 700


def fetch(jobs: Sequence[Job], key: str) -> None:
    """Draws nothing but what went wrong. The page is drawn anew with every job that ends."""
    # One that is over already is asked about once: its result came while this was drawn, or could not be kept.
    wanted = tuple(job.key for job in jobs if not job.is_over or state.is_first(job.key))
    _ask_again(wanted, key)
    for job in jobs:
        if job.error:
            st.warning(plain(sentence(job.error)), icon=":material/error:")


@st.fragment
def _ask_again(keys: tuple[str, ...], key: str) -> None:
    found = [cache.jobs().find(name) for name in keys]
    if any(job is None or job.is_over for job in found):
        st.rerun()
    elif keys:
        with st.container(key=f"later-{key}"):
            mount_part("later", {"again_in_ms": AGAIN_AFTER_MS}, key=f"fetch-{key}", states=("again",))
