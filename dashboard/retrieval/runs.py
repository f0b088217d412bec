"""Run retrievers in the background, and import runs from files."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from core.collections import Run
from core.errors import QueryscapeError
from core.protocols import OnProgress, OnStage
from core.text import many
from dashboard import cache, state
from dashboard.cache import ResultCache
from dashboard.jobs import JobCancelled
from dashboard.kit.link_controls import choose_many
from dashboard.messages import draw_problem, guarded, sentence
from dashboard.retrieval.collection import CollectionChoice
from dashboard.retrieval.retrievers import RetrieverChoice
from dashboard.status import JobFamily, watch
from dashboard.visits import upload_limit
from dashboard.words import plain
from data.collections import RunRow, SavedRun, delete_run, list_runs, load_run, save_run
from data.retrieval.runs import read_run, run_id_of, run_retriever
from data.store import content_hash, utc_now

# Run the chosen retrievers in the background: existing runs are reused, cancelled ones resumed.

MOST_FAILURES = 200


@dataclass(frozen=True, eq=False)
class NamedRun:
    """A complete run, with its name on the page."""

    name: str
    saved: SavedRun

    @property
    def run(self) -> Run:
        run = self.saved.run
        return Run(self.name, run.query_ids, run.doc_ids, run.starts, run.rows, run.scores)


@dataclass(frozen=True, eq=False)
class RunProgress:
    wish: RetrieverChoice
    run_id: str
    saved: SavedRun | None
    """None unless it is complete."""
    n_done: int = 0
    n_queries: int = 0


RETRIEVER_JOBS = JobFamily("retrievers", lane="long")


@dataclass(frozen=True, eq=False)
class RunRequest:
    chosen: CollectionChoice
    depth: int
    standings: tuple[RunProgress, ...]
    key: str
    """Key of the job: the whole request, not its unfinished part."""
    is_running: bool
    """Checked before existing runs were looked up: a run that ends in between is seen next time."""

    @property
    def waiting(self) -> tuple[RunProgress, ...]:
        """Retrievers that can run and are not complete."""
        return tuple(s for s in self.standings if s.saved is None and s.wish.lacks is None)

    @property
    def complete(self) -> tuple[NamedRun, ...]:
        """Complete runs, in the order of the choice."""
        return tuple(NamedRun(s.wish.name, s.saved) for s in self.standings if s.saved is not None)


def ask(chosen: CollectionChoice, wishes: Sequence[RetrieverChoice], depth: int) -> RunRequest:
    run_ids = {wish: run_id for wish in wishes if (run_id := _run_id(chosen, wish, depth))}
    key = content_hash(list(run_ids.values()))
    is_running = RETRIEVER_JOBS.is_running(key)
    rows = {row.run_id: row for row in list_runs(cache.workspace().store, chosen.collection.name, chosen.split)}
    standings = tuple(_standing(chosen, wish, run_id, rows) for wish, run_id in run_ids.items())
    return RunRequest(chosen, depth, standings, key, is_running)


def _run_id(chosen: CollectionChoice, wish: RetrieverChoice, depth: int) -> str | None:
    """Return the run's id; None: its spec is invalid, which was reported already."""
    try:
        return run_id_of(chosen.opened, wish.spec, chosen.split, depth)
    except QueryscapeError:
        return None


def draw_button(asked: RunRequest) -> None:
    """Draw the button to run or resume. It stays in place when there is nothing to run, so that nothing jumps."""
    waiting, is_running = asked.waiting, asked.is_running
    n = len(waiting)
    named = waiting[0].wish.name if n == 1 else f"{n} retrievers"
    verb = "Resume" if any(s.n_done for s in waiting) else "Run"
    label = "Running" if is_running else f"{verb} {named}" if n else "All complete"
    if st.button(
        plain(label),
        key="run-retrievers",
        type="primary",
        icon=":material/play_arrow:" if n else ":material/check:",
        disabled=is_running or not n,
    ):
        _start(asked, waiting)
        st.rerun()


def _start(asked: RunRequest, waiting: Sequence[RunProgress]) -> None:
    failures = _failures()[asked.key] = dict[str, str]()
    work = partial(_run, asked, waiting, failures)
    RETRIEVER_JOBS.start(asked.key, "Running retrievers", work)


def _failures() -> ResultCache:
    """Return the reasons why retrievers could not be run, by job and retriever, also of cancelled jobs."""
    return cache.kept("retriever failures", MOST_FAILURES)


def draw_progress(asked: RunRequest) -> None:
    job = RETRIEVER_JOBS.find(asked.key)
    if asked.is_running and job is not None:
        watch(job)
        return
    for s in asked.waiting:
        if s.n_done:
            st.caption(
                plain(f"{s.wish.name}: {s.n_done:,} of {s.n_queries:,} queries answered; resume to answer the rest.")
            )
    for s in asked.standings:
        if s.saved is not None and s.saved.n_failed:
            _draw_failed_candidates(asked, s, s.saved.n_failed)
    for name, why in _failures().get(asked.key, {}).items():
        draw_problem(f"{name}: {why}")
    if job is not None and job.error:
        draw_problem(job.error)


def _standing(chosen: CollectionChoice, wish: RetrieverChoice, run_id: str, rows: Mapping[str, RunRow]) -> RunProgress:
    store, doc_ids = cache.workspace().store, chosen.collection.doc_ids
    row = rows.get(run_id)
    if row is not None and not row.is_complete:
        return RunProgress(wish, run_id, None, row.n_done, row.n_queries)
    if row is not None:
        return RunProgress(wish, run_id, cache.saved_run(run_id, row.made_at, row.n_failed, doc_ids))
    # A collection of another name may hold the same documents and queries.
    saved = load_run(store, run_id, doc_ids)
    if saved is None or saved.is_complete:
        return RunProgress(wish, run_id, saved)
    return RunProgress(wish, run_id, None, len(saved.run), saved.n_queries)


def _draw_failed_candidates(asked: RunRequest, standing: RunProgress, n: int) -> None:
    candidates = many(n, "candidate")
    st.warning(
        plain(f"{standing.wish.name}: {candidates} could not be scored and kept their first-stage place."),
        icon=":material/warning:",
    )
    st.button(
        plain(f"Run {standing.wish.name} again"),
        key=f"again-{standing.run_id}",
        help="Answers are stored, so only failed candidates are retried.",
        on_click=_start,
        args=(asked, [standing]),
    )


def _run(asked: RunRequest, waiting: Sequence[RunProgress], failures: dict[str, str], on_stage: OnStage) -> None:
    """Run one after the other. A failure is reported with its name, and the others continue."""
    opened, split = asked.chosen.opened, asked.chosen.split
    for place, standing in enumerate(waiting, start=1):
        wish = standing.wish
        of = f" ({place} of {len(waiting)})" if len(waiting) > 1 else ""

        def staged(stage: str, prefix: str = f"{wish.name}{of}") -> OnProgress:
            return on_stage(f"{prefix}: {'answering queries' if stage.startswith('asking') else stage}")

        try:
            run_retriever(cache.workspace(), opened, wish.spec, split, depth=asked.depth, again=True, on_stage=staged)
        except JobCancelled:
            raise
        except QueryscapeError as e:
            failures[wish.name] = str(e)
        except Exception:
            logging.getLogger("queryscape").exception("%s failed", wish.name)
            failures[wish.name] = "failed unexpectedly; details are in the server log"


# Runs from files: the results of external retrievers, compared with those run here.

MOST_MB = 500
NAME = 60
"""Maximum length of a run's name."""


@dataclass(frozen=True, slots=True)
class _There:
    name: str
    row: RunRow


def choose_others(chosen: CollectionChoice, taken: Sequence[str]) -> tuple[NamedRun, ...]:
    """Choose runs from files to include; `taken` are the names that they must not have."""
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
            found.append(NamedRun(one.name, saved))
    return tuple(found)


def _there(chosen: CollectionChoice, taken: Sequence[str]) -> list[_There]:
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
    ids = choose_many(
        st,
        "Also compare",
        list(by_id),
        "files",
        most=len(by_id),
        format_func=lambda run_id: by_id[run_id].name if run_id in by_id else run_id,
        placeholder="None",
    )
    return [by_id[run_id] for run_id in ids if run_id in by_id]


def _draw_upload(chosen: CollectionChoice) -> None:
    file = st.file_uploader(
        "Add a run file (TREC)", key=f"run-file-{state.flag('run-file')}", max_upload_size=upload_limit(MOST_MB)
    )
    if file is not None and st.button("Add this run", key="add-run", type="primary"):
        with guarded():
            saved, notes = _read(chosen, file)
            save_run(cache.workspace().store, saved)
            state.set_value("files", [*state.asked_for("files"), saved.run_id])
            state.raise_flag("run-file")
            text = f"{saved.label}: {len(saved.run):,} queries read."
            state.say_once("run-file", " ".join([text, *(sentence(note) for note in notes)]))
            st.rerun()


def _read(chosen: CollectionChoice, file: UploadedFile) -> tuple[SavedRun, tuple[str, ...]]:
    content = file.getvalue()
    stem = re.sub(r"[^\w.-]+", "-", Path(file.name).name).strip("-.")[:NAME] or "run"
    with TemporaryDirectory() as folder:
        path = Path(folder) / stem
        path.write_bytes(content)
        run, notes = read_run(path, chosen.collection)
    return kept_run(chosen, run, content_hash([chosen.opened.key, file.name, str(hash_of(content))])), notes


def hash_of(content: bytes) -> str:
    return content_hash([content.decode("latin-1")])


def kept_run(chosen: CollectionChoice, run: Run, run_id: str) -> SavedRun:
    """Convert a run to its stored form. It counts as complete, even if its file does not answer every query."""
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
        notes=("from a file; its time is unknown",),
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
