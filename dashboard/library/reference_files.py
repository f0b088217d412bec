"""Upload of a file that all topics use: NLM's MeSH, or the CSV of Retraction Watch."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import streamlit as st

from core.protocols import OnProgress, OnStage
from dashboard import cache, state
from dashboard.jobs import Job
from dashboard.messages import draw_problem
from dashboard.status import JobFamily, watch, why_locked
from dashboard.visits import upload_limit
from dashboard.words import plain
from data.files import WorkspacePaths

MOST_MB = 500
KB = 1000
LONGEST_NAME = 100
REFERENCE_JOBS = JobFamily("reference-file", lane="long")


@dataclass(frozen=True, slots=True)
class ReferenceImport:
    message: str
    notes: tuple[str, ...]
    """Problems in the file, with their place."""


Bring = Callable[[WorkspacePaths, Path, bool, OnProgress], ReferenceImport]
"""Stores the file; True: in place of one that it would not replace by itself."""


@dataclass(frozen=True, slots=True)
class ReferenceFile:
    id: str
    title: str
    """Title of the expander."""
    label: str
    """Label of the upload."""
    about: str
    """The file to choose."""
    bring: Bring
    replace: str = ""
    """Label of the box that allows a replacement; empty: a newer file always replaces the one before."""


def draw_reference_upload(file: ReferenceFile, status: str = "") -> None:
    """Draw the upload, the progress and the result. `status`: a sentence on the file that is loaded."""
    job = REFERENCE_JOBS.find(file.id)
    is_own = state.flag(file.id) > 0  # others see that a file is read, but not the result
    is_begun = state.value(_key(file)) is not None
    with st.expander(file.title, icon=":material/upload_file:", expanded=is_own or is_begun):
        if job is not None and not job.is_over:
            watch(job)
            return
        if job is not None and is_own:
            _draw_result(job)
        if status:
            st.caption(status)
        _draw_form(file)


def _key(file: ReferenceFile) -> str:
    return f"{file.id}-file-{state.flag(file.id)}"


def _draw_result(job: Job) -> None:
    if job.error:
        draw_problem(job.error)
    elif job.cancelled:
        st.info("Stopped. Nothing was changed.", icon=":material/stop_circle:")
    else:
        message, *notes = job.outcome
        st.success(plain(message), icon=":material/check:")
        for note in notes:
            st.warning(plain(note), icon=":material/warning:")


def _draw_form(file: ReferenceFile) -> None:
    st.caption(file.about)
    locked = why_locked()
    uploaded = st.file_uploader(
        file.label, max_upload_size=upload_limit(MOST_MB), key=_key(file), disabled=bool(locked), help=locked
    )
    may_replace = bool(file.replace) and st.checkbox(file.replace, key=f"{_key(file)}-replace", disabled=bool(locked))
    if uploaded is not None and st.button("Load", key=f"load-{file.id}", type="primary", icon=":material/check:"):
        start_reference(file, uploaded, uploaded.name, may_replace=may_replace)
        state.raise_flag(file.id)
        st.rerun()


def start_reference(file: ReferenceFile, content: BinaryIO, name: str, *, may_replace: bool) -> Job:
    """Copy the upload to a temporary folder, and read it in the background."""
    folder = tempfile.TemporaryDirectory(prefix="queryscape-")
    path = Path(folder.name) / file_name(name)
    with path.open("wb") as copy:
        shutil.copyfileobj(content, copy)
    paths = cache.workspace().paths

    def work(on_stage: OnStage) -> tuple[str, ...]:
        report = on_stage(f"reading {path.name} (KB)")
        with folder:
            found = file.bring(paths, path, may_replace, lambda done, total: report(done // KB, max(total // KB, 1)))
        return found.message, *found.notes

    return REFERENCE_JOBS.start(file.id, f"Reading {path.name}", work)


def file_name(name: str) -> str:
    """Return the name of an uploaded file without folders and without signs that a file's name can't have.

    >>> file_name("C:\\\\files\\\\desc2025.gz"), file_name("../a:b.csv"), file_name("..")
    ('desc2025.gz', 'a_b.csv', 'file')
    """
    last = re.split(r"[\\\\/]", name)[-1]
    return re.sub(r"[^\w.() -]", "_", last)[-LONGEST_NAME:].strip(". ") or "file"
