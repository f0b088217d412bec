"""Runs from files: what others' retrievers answered stands beside what is run here."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from core.ranking.check import Run
from dashboard import cache, state
from dashboard.messages import guarded, sentence
from dashboard.sections.retrievers.choosing import Chosen
from dashboard.sections.retrievers.running import Named
from dashboard.words import plain
from data.collections.run_files import read_run
from data.collections.stored import RunRow, SavedRun, delete_run, list_runs, save_run
from data.store import content_hash, utc_now

MOST_MB = 500
NAME = 60
"""Characters of a run's name that are kept."""


@dataclass(frozen=True, slots=True)
class _There:
    """A run from a file, by what it is called here."""

    name: str
    row: RunRow


def choose_others(chosen: Chosen, taken: Sequence[str]) -> tuple[Named, ...]:
    """Runs from files that take part; `taken` are the names that they must not have."""
    there = _there(chosen, taken)
    with st.popover(f"Runs from files{f' ({len(there)})' if there else ''}", icon=":material/upload_file:"):
        picked = _choose(there)
        _draw_upload(chosen)
        _draw_removing(picked)
    if message := state.take("run-file"):
        st.toast(plain(message))
    found = []
    for one in picked:
        saved = cache.saved_run(one.row.run_id, one.row.made_at, one.row.n_failed, chosen.collection.doc_ids)
        if saved is not None:
            found.append(Named(one.name, saved))
    return tuple(found)


def _there(chosen: Chosen, taken: Sequence[str]) -> list[_There]:
    """Those of the collection that were made on documents and queries as they are now."""
    names, found = set(taken), []
    for row in list_runs(cache.workspace().store, chosen.collection.name, None):
        if row.spec_text:
            continue
        name = next(n for i in range(1, 10_000) if (n := row.label if i == 1 else f"{row.label} ({i})") not in names)
        names.add(name)
        found.append(_There(name, row))
    return found


def _choose(there: Sequence[_There]) -> list[_There]:
    if not there:
        st.caption("Runs that other programs wrote, in TREC's form: query, Q0, document, rank, score, name.")
        return []
    by_id = {one.row.run_id: one for one in there}
    state.settle_many_named("files", list(by_id), most=len(by_id))
    ids = st.multiselect(
        "Beside the retrievers",
        list(by_id),
        key="files",
        format_func=lambda run_id: by_id[run_id].name if run_id in by_id else run_id,
        placeholder="None of them",
    )
    state.write_in_link("files", ids)
    return [by_id[run_id] for run_id in ids if run_id in by_id]


def _draw_upload(chosen: Chosen) -> None:
    file = st.file_uploader("Add a run file (TREC)", key=f"run-file-{state.flag('run-file')}", max_upload_size=MOST_MB)
    if file is not None and st.button("Add this run", key="add-run", type="primary"):
        with guarded():
            saved, notes = _read(chosen, file)
            save_run(cache.workspace().store, saved)
            state.say("files", [*state.asked_for("files"), saved.run_id])
            state.raise_flag("run-file")
            said = f"{saved.label}: {len(saved.run):,} queries read."
            state.say_once("run-file", " ".join([said, *(sentence(note) for note in notes)]))
            st.rerun()


def _read(chosen: Chosen, file: UploadedFile) -> tuple[SavedRun, tuple[str, ...]]:
    content = file.getvalue()
    stem = re.sub(r"[^\w.-]+", "-", Path(file.name).name).strip("-.")[:NAME] or "run"
    with TemporaryDirectory() as folder:
        path = Path(folder) / stem
        path.write_bytes(content)
        run, notes = read_run(path, chosen.collection)
    return kept_run(chosen, run, content_hash([chosen.opened.key, file.name, str(hash_of(content))])), notes


def hash_of(content: bytes) -> str:
    """Names what is in a file."""
    return content_hash([content.decode("latin-1")])


def kept_run(chosen: Chosen, run: Run, run_id: str) -> SavedRun:
    """As the store keeps it. What a file does not answer is not waited for: those queries count as they are."""
    label = " ".join(run.name.split())[:NAME] or "run"
    return SavedRun(
        run_id=run_id,
        collection=chosen.collection.name,
        split=None,
        spec_text="",
        label=label,
        run=run,
        n_queries=len(run),
        stages_ms={},
        index_seconds=None,
        index_bytes=None,
        n_failed=0,
        notes=("from a file; how long it took is not known",),
        made_at=utc_now(),
    )


def _draw_removing(picked: Sequence[_There]) -> None:
    for one in picked:
        st.button(
            plain(f"Remove {one.name}"),
            key=f"remove-{one.row.run_id}",
            icon=":material/delete:",
            type="tertiary",
            on_click=_remove,
            args=(one.row.run_id,),
        )


def _remove(run_id: str) -> None:
    delete_run(cache.workspace().store, run_id)
