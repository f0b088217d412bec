"""Running retrievers over a collection: saved as it goes on, so that a run that was cancelled is resumed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from core.errors import InputError
from core.protocols import OnProgress, OnStage, silent
from core.ranking.check import Query, Rows, Run
from core.retrieval.base import Hits, Retriever
from core.retrieval.graph import STAGE as FOLLOWED
from core.retrieval.spec import Spec
from core.types import Floats
from data.clock import Clock, utc_now
from data.collections.opening import OpenedCollection
from data.collections.runs import load_run, save_run
from data.retrieval.corpus import Corpus, Opened
from data.retrieval.llm_reranker import REMEMBERED
from data.retrieval.opening import identity, open_retriever, settled
from data.retrieval.saved_run import WHOLE, SavedRun
from data.store import Store, content_hash
from data.workspace import Workspace

VERSION = 1
"""Rises whenever a retriever would answer differently today."""
DEPTH = 100
"""Documents of each ranking that are kept."""
SECONDS_BETWEEN_SAVES = 5.0
SAVING_SHARE = 0.05
"""Of the time, at most, that goes into saving what a long run has so far."""
MOST_TIMED = 1_000
"""Queries that are asked one by one, so that each is timed; beyond them in batches, where that is faster."""
BATCH = 256
MOST_NOTES = 8
TEXT_ALONE = "name nothing that relations lead from and were answered by text alone"
IN_BATCHES = ("dense", "multi_vector")
Timer = Callable[[], float]


class Beat:
    """Progress that is told once more while an answer is waited for: there a cancel is noticed."""

    def __init__(self) -> None:
        self._tell: Callable[[], None] = lambda: None

    def follow(self, report: OnProgress, done: int, total: int) -> None:
        """Tell it, and remember it."""
        self._tell = partial(report, done, total)
        self._tell()

    def again(self) -> None:
        """Tell it once more."""
        self._tell()


class Stopwatch:
    """How long each stage of one answer takes, in milliseconds."""

    def __init__(self, timer: Timer = time.perf_counter) -> None:
        self._timer = timer
        self.ms: dict[str, float] = {}

    @contextmanager
    def __call__(self, stage: str) -> Iterator[None]:
        start = self._timer()
        try:
            yield
        finally:
            self.ms[stage] = self.ms.get(stage, 0.0) + 1000.0 * (self._timer() - start)


@dataclass
class _Growing:
    """A run while it goes on."""

    doc_ids: tuple[str, ...]
    answers: list[tuple[str, Rows, Floats]] = field(default_factory=list)
    stages: list[dict[str, float]] = field(default_factory=list)
    n_failed: int = 0
    notes: dict[str, None] = field(default_factory=dict)

    def take_over(self, before: SavedRun) -> None:
        """What was answered before it was cancelled."""
        for place, query_id in enumerate(before.run.query_ids):
            self.answers.append((query_id, *before.run.answer(query_id)))
            self.stages.append({stage: float(ms[place]) for stage, ms in before.stages_ms.items()})
        self.n_failed = before.n_failed
        self.notes |= dict.fromkeys(before.notes)

    def add(self, query: Query, hits: Hits, ms: Mapping[str, float]) -> None:
        self.answers.append((query.query_id, hits.rows, hits.scores))
        is_timed = REMEMBERED not in hits.notes
        self.stages.append({stage: took if is_timed else np.nan for stage, took in ms.items()})
        self.n_failed += hits.n_failed
        if hits.n_failed and len(self.notes) < MOST_NOTES:
            self.notes |= dict.fromkeys(note for note in hits.notes if note != REMEMBERED)

    @property
    def done(self) -> set[str]:
        return {query_id for query_id, _, _ in self.answers}

    def n_without(self, stage: str) -> int:
        """Queries whose answer did not come to a stage."""
        return sum(not np.isfinite(ms.get(stage, np.nan)) for ms in self.stages)

    def stages_ms(self) -> dict[str, Floats]:
        """One array per stage; NaN where a query did not come to it."""
        names = dict.fromkeys(name for ms in self.stages for name in ms)
        return {name: np.array([ms.get(name, np.nan) for ms in self.stages]) for name in names}


@dataclass(frozen=True, slots=True)
class _Named:
    """What one run is called and about."""

    run_id: str
    collection: str
    split: str | None
    spec: Spec
    n_queries: int
    made_at: str

    def saved(self, growing: _Growing, opened: Opened) -> SavedRun:
        stages = growing.stages_ms()
        notes = [note for note in (*opened.notes, *growing.notes) if not note.endswith(TEXT_ALONE)]
        if self.spec.kind == "graph" and (n := growing.n_without(FOLLOWED)):
            notes.append(f"{n:,} of {len(growing.answers):,} queries {TEXT_ALONE}")
        return SavedRun(
            self.run_id,
            self.collection,
            self.split,
            self.spec.text,
            self.spec.label,
            Run.of(self.spec.label, growing.doc_ids, growing.answers),
            self.n_queries,
            stages,
            opened.index_seconds,
            opened.index_bytes,
            growing.n_failed,
            tuple(dict.fromkeys(notes)),
            self.made_at,
        )


def run_id_of(opened: OpenedCollection, spec: Spec, split: str | None, depth: int) -> str:
    """Names everything that the answers depend on, and which queries are answered: a split's name does not say."""
    asked = "" if split is None else content_hash([query.query_id for query in opened.collection.of_split(split)])
    what = spec.text, identity(spec, opened.holders)
    return content_hash([str(VERSION), opened.key, split or "", asked, *what, str(depth)])


def known_run(
    workspace: Workspace, opened: OpenedCollection, spec: Spec, split: str | None = None, *, depth: int = DEPTH
) -> SavedRun | None:
    """The run that was saved, whole or in part; None: it was not begun."""
    run_id = run_id_of(opened, settled(spec), split, depth)
    return load_run(workspace.store, run_id, opened.collection.doc_ids)


def run_retriever(
    workspace: Workspace,
    opened: OpenedCollection,
    spec: Spec,
    split: str | None = None,
    *,
    depth: int = DEPTH,
    again: bool = False,
    on_stage: OnStage = silent,
    clock: Clock = utc_now,
    timer: Timer = time.perf_counter,
) -> SavedRun:
    """Ask every query of the split. What was answered before is kept; whatever ends it, what is answered is saved.

    `again`: a run in which candidates failed is made anew; what a chat model answered is remembered.
    """
    if not 1 <= depth <= 10_000:
        raise InputError(f"the depth of a ranking must be from 1 to 10,000, got {depth:,}")
    spec = settled(spec)
    queries = opened.collection.of_split(split)
    if not queries:
        raise InputError(f'collection "{opened.collection.name}" has no queries to ask')
    before = known_run(workspace, opened, spec, split, depth=depth)
    if again and before is not None and before.n_failed:
        before = None
    if before is not None and before.is_complete:
        return before
    corpus = Corpus.of(opened.collection, workspace.paths, opened.holders)
    beat = Beat()
    retriever = open_retriever(corpus, spec, on_stage, answers=workspace.store, heed=beat.again)
    run_id = run_id_of(opened, spec, split, depth)
    name = _Named(run_id, opened.collection.name, split, spec, len(queries), clock())
    growing = _Growing(corpus.doc_ids)
    if before is not None:
        growing.take_over(before)
    _Asking(workspace.store, name, growing, retriever, depth, timer, beat).ask(queries, on_stage)
    return name.saved(growing, retriever)


@dataclass
class _Asking:
    """One run, being made."""

    store: Store
    name: _Named
    growing: _Growing
    opened: Opened
    depth: int
    timer: Timer
    beat: Beat
    _save_at: float = field(default=0.0, init=False)
    """When it is to be saved next."""

    def ask(self, queries: Sequence[Query], on_stage: OnStage) -> None:
        """Every query that is not answered yet; what is, is saved now and then, and at the end however it comes."""
        done = self.growing.done
        waiting = [query for query in queries if query.query_id not in done]
        report = on_stage(f"asking {self.name.spec.label}")
        self._save_at = self.timer() + SECONDS_BETWEEN_SAVES
        n_before = len(done)
        try:
            self.beat.follow(report, n_before, len(queries))
            self._warm_up(waiting)
            for some in self._groups(waiting, n_before):
                self._answer(some)
                self._save_now_and_then()
                self.beat.follow(report, len(self.growing.answers), len(queries))
        finally:
            if len(self.growing.answers) > n_before or not waiting:
                self._save()

    def _warm_up(self, waiting: Sequence[Query]) -> None:
        """The first answer reads files and models; that is not its latency. What costs money is not asked twice."""
        if waiting and self.name.spec.kind not in ("llm_reranker", "late_interaction"):
            self.opened.retriever.search(waiting[0], self.depth)

    def _groups(self, waiting: Sequence[Query], n_before: int) -> Iterator[Sequence[Query]]:
        n_timed = len(waiting)
        if self.name.spec.kind in IN_BATCHES:
            n_timed = min(max(MOST_TIMED - n_before, 0), len(waiting))
        for query in waiting[:n_timed]:
            yield [query]
        for start in range(n_timed, len(waiting), BATCH):
            yield waiting[start : start + BATCH]

    def _answer(self, some: Sequence[Query]) -> None:
        retriever: Retriever = self.opened.retriever
        if len(some) == 1:
            watch = Stopwatch(self.timer)
            with watch(WHOLE):
                hits = retriever.search(some[0], self.depth, watch)
            self.growing.add(some[0], hits, watch.ms)
            return
        for query, hits in zip(some, retriever.search_many(some, self.depth), strict=True):
            self.growing.add(query, hits, {WHOLE: np.nan})

    def _save_now_and_then(self) -> None:
        start = self.timer()
        if start < self._save_at:
            return
        self._save()
        end = self.timer()
        self._save_at = end + max(SECONDS_BETWEEN_SAVES, (end - start) / SAVING_SHARE)

    def _save(self) -> None:
        save_run(self.store, self.name.saved(self.growing, self.opened), unless_longer=True)
