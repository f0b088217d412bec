"""An empty workspace: three ways to begin."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import streamlit as st

from core.protocols import OnStage
from dashboard import cache
from dashboard.jobs import Job
from dashboard.sections.first_steps import draw_import_button
from dashboard.sections.waiting import how_it_ended, watch
from data.intake import bring_demo, bring_litqeval
from data.transfer import DownloadProgress

DEMO, LITQEVAL = "demo", "litqeval"


def start_demo() -> Job:
    """Write the made-up topics, with vectors and landscapes, in the background."""

    def work(on_stage: OnStage) -> None:
        bring_demo(cache.workspace(), on_stage)

    return cache.jobs().start(DEMO, "Building the demo", work, lane="long")


def start_litqeval(where: str) -> Job:
    """Load LitQEval from a folder or an address in the background."""

    def work(on_stage: OnStage) -> None:
        download = on_stage("loading LitQEval")

        def on_download(progress: DownloadProgress) -> None:
            download(progress.file_number, progress.n_files)

        bring_litqeval(
            cache.workspace(), where, on_download=on_download, on_load=lambda done, total, _: download(done, total)
        )

    return cache.jobs().start(LITQEVAL, "Loading LitQEval", work, lane="long")


def draw_welcome() -> None:
    """The first thing that a new visitor sees."""
    st.title("How good is your literature search query?")
    st.write(
        "See what a query retrieves as a landscape, which known core publications it finds and misses, and what moves "
        "the scores. Everything stays on this machine."
    )
    demo, litqeval, own = st.columns(3, gap="medium")
    with (
        demo,
        _card(
            ":material/science: Look around",
            "Three made-up topics with four query versions each. Built once, in about a minute.",
        ),
    ):
        draw_demo_button()
    with (
        litqeval,
        _card(
            ":material/database: Real topics", "LitQEval: 21 research fields with their core publications and queries."
        ),
    ):
        draw_litqeval_form()
    with (
        own,
        _card(
            ":material/upload_file: Your own",
            "The result list of a search, as your database exports it: RIS, BibTeX, PubMed, Web of Science, CSV and "
            "more. Then your core publications, and a query.",
        ),
    ):
        draw_import_button("Bring in your files", width="stretch")


@contextmanager
def _card(title: str, words: str) -> Iterator[None]:
    """What it says above, what to do below: the buttons of all cards stand in one line."""
    with st.container(border=True, height="stretch", vertical_alignment="distribute"):
        with st.container():
            st.subheader(title)
            st.write(words)
        with st.container():
            yield


def draw_demo_button(*, is_first: bool = True) -> None:
    """Build the demo, or say how far that is."""
    job = cache.jobs().find(DEMO)
    if job is None or job.finished:
        kind: Literal["primary", "secondary"] = "primary" if is_first else "secondary"
        if st.button("Build the demo", type=kind, key="build-demo", width="stretch"):
            start_demo()
            st.rerun()
    elif job.is_over:
        how_it_ended(job)
    else:
        watch(job)


def draw_litqeval_form() -> None:
    """Load LitQEval, or say how far that is."""
    job = cache.jobs().find(LITQEVAL)
    if job is not None and not job.is_over:
        watch(job)
        return
    if job is not None and not job.finished:
        how_it_ended(job)
    with st.form("litqeval", border=False):
        where = st.text_input(
            "Folder or address", placeholder="LitQEval/", help="A copy of its repository, or an address of one."
        )
        if st.form_submit_button("Load LitQEval", width="stretch"):
            if not where.strip():
                st.error("Say where it is: a folder on this machine, or an address that begins with https://.")
            elif "://" not in where and not Path(where).expanduser().is_dir():
                st.error("There is no such folder on this machine.")
            else:
                cache.jobs().forget(LITQEVAL)
                start_litqeval(where.strip())
                st.rerun()
