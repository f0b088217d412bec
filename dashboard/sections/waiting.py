"""Slow work as a visitor sees it: what is being done, how long it will take, and a way to stop it."""

from __future__ import annotations

import time

import streamlit as st

from dashboard import cache
from dashboard.jobs import Job
from dashboard.messages import plain


def watch(job: Job) -> None:
    """A bar until the job is over; then the page is drawn anew."""
    _bar(job.key)


@st.fragment(run_every=0.5)
def _bar(key: str) -> None:
    job = cache.jobs().find(key)
    if job is None or job.is_over:
        st.rerun()
        return
    left = job.seconds_left(time.monotonic())
    parts = [job.stage[:1].upper() + job.stage[1:] or "Waiting for another job to finish"]
    if job.total:
        parts.append(f"{job.done:,} of {job.total:,}")
    if left is not None:
        parts.append(f"about {left:.0f} s left")
    st.progress(job.share, text=plain(" · ".join(parts)))
    if st.button("Cancel", key=f"cancel-{key}", help="What is finished so far is kept."):
        job.cancel.set()


def how_it_ended(job: Job) -> None:
    """Why there is no result, and a way to try again."""
    if job.error:
        st.error(plain(job.error), icon=":material/error:")
    else:
        st.info("Stopped. What was finished so far is kept.", icon=":material/stop_circle:")
    if st.button("Start again", key=f"again-{job.key}", type="primary"):
        cache.jobs().forget(job.key)
        st.rerun()
