"""Running what is chosen in the background: what is there already is taken, what was cancelled goes on."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import streamlit as st

from core.errors import QueryscapeError
from core.protocols import OnProgress, OnStage
from core.ranking.check import Run
from dashboard import cache
from dashboard.jobs import Cancelled
from dashboard.messages import sentence
from dashboard.sections.retrievers.choosing import Chosen
from dashboard.sections.retrievers.picking import Wish
from dashboard.sections.waiting import watch
from dashboard.words import plain
from data.collections.run_files import run_id_of, run_retriever
from data.collections.stored import RunRow, SavedRun, list_runs, load_run
from data.store import content_hash


@dataclass(frozen=True, eq=False)
class Named:
    """A run that is complete, and what the page calls it."""

    name: str
    saved: SavedRun

    @property
    def run(self) -> Run:
        """Under that name."""
        run = self.saved.run
        return Run(self.name, run.query_ids, run.doc_ids, run.starts, run.rows, run.scores)


@dataclass(frozen=True, eq=False)
class Standing:
    """How far a retriever is."""

    wish: Wish
    run_id: str
    saved: SavedRun | None
    """Only where it is complete."""
    n_done: int = 0
    n_queries: int = 0


@dataclass(frozen=True, eq=False)
class Asked:
    """Everything that is chosen, and how far it is."""

    chosen: Chosen
    depth: int
    standings: tuple[Standing, ...]
    key: str
    """Names the job: the whole question, not what is left of it."""
    is_running: bool
    """Asked before what is there was looked up: what ends meanwhile is seen in the next run."""

    @property
    def waiting(self) -> tuple[Standing, ...]:
        """What can be run and is not complete."""
        return tuple(s for s in self.standings if s.saved is None and s.wish.lacks is None)

    @property
    def complete(self) -> tuple[Named, ...]:
        """In the order of the choice."""
        return tuple(Named(s.wish.name, s.saved) for s in self.standings if s.saved is not None)


def ask(chosen: Chosen, wishes: Sequence[Wish], depth: int) -> Asked:
    """Looks up what is there."""
    run_ids = {wish: run_id for wish in wishes if (run_id := _run_id(chosen, wish, depth))}
    key = f"retrievers:{content_hash(list(run_ids.values()))}"
    job = cache.jobs().find(key)
    is_running = job is not None and not job.is_over
    rows = {row.run_id: row for row in list_runs(cache.workspace().store, chosen.collection.name, chosen.split)}
    standings = tuple(_standing(chosen, wish, run_id, rows) for wish, run_id in run_ids.items())
    return Asked(chosen, depth, standings, key, is_running)


def _run_id(chosen: Chosen, wish: Wish, depth: int) -> str | None:
    """None: what it is called by makes no sense, which was said already."""
    try:
        return run_id_of(chosen.opened, wish.spec, chosen.split, depth)
    except QueryscapeError:
        return None


def draw_button(asked: Asked) -> None:
    """Run, or go on. It stays where it is when there is nothing to run, so that nothing jumps."""
    waiting, is_running = asked.waiting, asked.is_running
    n = len(waiting)
    named = waiting[0].wish.name if n == 1 else f"{n} retrievers"
    verb = "Resume" if any(s.n_done for s in waiting) else "Run"
    label = "Running" if is_running else f"{verb} {named}" if n else "All are run"
    if st.button(
        plain(label),
        key="run-retrievers",
        type="primary",
        icon=":material/play_arrow:" if n else ":material/check:",
        disabled=is_running or not n,
    ):
        _start(asked, waiting)
        st.rerun()


def _start(asked: Asked, waiting: Sequence[Standing]) -> None:
    cache.jobs().forget(asked.key)
    cache.run_failures().pop(asked.key, None)
    cache.jobs().start(asked.key, "Running retrievers", partial(_run, asked, waiting), lane="long")


def draw_progress(asked: Asked) -> None:
    """How far it is, what is answered in part, and what went wrong."""
    job = cache.jobs().find(asked.key)
    if asked.is_running and job is not None:
        watch(job)
        return
    for s in asked.waiting:
        if s.n_done:
            st.caption(plain(f"{s.wish.name}: {s.n_done:,} of {s.n_queries:,} queries answered; the rest waits."))
    for s in asked.standings:
        if s.saved is not None and s.saved.n_failed:
            _draw_failed_candidates(asked, s, s.saved.n_failed)
    for name, why in cache.run_failures().get(asked.key, {}).items():
        st.error(plain(sentence(f"{name}: {why}")), icon=":material/error:")
    if job is not None and job.error:
        st.error(plain(sentence(job.error)), icon=":material/error:")


def _standing(chosen: Chosen, wish: Wish, run_id: str, rows: Mapping[str, RunRow]) -> Standing:
    store, doc_ids = cache.workspace().store, chosen.collection.doc_ids
    row = rows.get(run_id)
    if row is not None and not row.is_complete:
        return Standing(wish, run_id, None, row.n_done, row.n_queries)
    if row is not None:
        return Standing(wish, run_id, cache.saved_run(run_id, row.made_at, row.n_failed, doc_ids))
    # A collection of another name may hold the same documents and queries.
    saved = load_run(store, run_id, doc_ids)
    if saved is None or saved.is_complete:
        return Standing(wish, run_id, saved)
    return Standing(wish, run_id, None, len(saved.run), saved.n_queries)


def _draw_failed_candidates(asked: Asked, standing: Standing, n: int) -> None:
    """They keep their place of the first stage, which is worth another try."""
    candidates = "1 candidate" if n == 1 else f"{n:,} candidates"
    st.warning(
        plain(f"{standing.wish.name}: {candidates} could not be scored and kept their place of the first stage."),
        icon=":material/warning:",
    )
    st.button(
        plain(f"Run {standing.wish.name} again"),
        key=f"again-{standing.run_id}",
        help="What was answered is remembered, so only what failed is asked again.",
        on_click=_start,
        args=(asked, [standing]),
    )


def _run(asked: Asked, waiting: Sequence[Standing], on_stage: OnStage) -> None:
    """One after the other. What fails says so by its name, and the others go on."""
    failures = cache.run_failures().setdefault(asked.key, {})
    opened, split = asked.chosen.opened, asked.chosen.split
    for place, standing in enumerate(waiting, start=1):
        wish = standing.wish
        of = f" ({place} of {len(waiting)})" if len(waiting) > 1 else ""

        def staged(stage: str, prefix: str = f"{wish.name}{of}") -> OnProgress:
            return on_stage(f"{prefix}: {'answering queries' if stage.startswith('asking') else stage}")

        try:
            run_retriever(cache.workspace(), opened, wish.spec, split, depth=asked.depth, again=True, on_stage=staged)
        except Cancelled:
            raise
        except QueryscapeError as e:
            failures[wish.name] = str(e)
        except Exception:
            logging.getLogger("queryscape").exception("%s failed", wish.name)
            failures[wish.name] = "failed unexpectedly; the server's log says where"
