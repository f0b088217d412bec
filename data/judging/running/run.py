"""A run of a judge: every triple is asked once, what is answered is kept at once, and going on pays nothing twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from threading import Lock

from core.errors import InputError, SettingsError, StoreError, StoreInUseError
from core.judging.reading import prompt_text
from core.judging.types import JudgeSettings, Rubric, Status
from core.protocols import JsonModel, OnStage, silent
from data.asking import BEAT
from data.clock import Clock, utc_now
from data.judging.demo_judge import DEMO_MODEL
from data.judging.keeping.runs import Judge, JudgeRunRow, RunState, find_judge_run, keep_state, load_judge
from data.judging.keeping.waiting import Waiting, count_statuses, waiting_triples
from data.judging.rubrics import find_rubric
from data.judging.running.journal import Incoming
from data.judging.running.work import Work
from data.store import Store

MOST_WORKERS = 256
MOST_REASONS = 3


@dataclass(frozen=True, slots=True)
class Done:
    """What came of a run this time."""

    n_asked: int
    """Triples that the judge was asked about this time."""
    n_calls: int
    """Questions for these: one for each, and another where an answer could not be read."""
    n_known: int
    """Triples that had been answered before, in this run or another one of the same judge."""
    statuses: Mapping[Status, int]
    """Of every triple of the run, as it is now."""
    failures: Mapping[str, int]
    """Why the service gave nothing this time, and for how many triples; going on asks them again."""
    notes: tuple[str, ...] = ()
    """What has to be known of it."""


def make_judge(store: Store, settings: JudgeSettings, model: JsonModel, rubric: Rubric | None = None) -> Judge:
    """The judge that these settings describe. `rubric`: instead of the one that is kept under its id."""
    if model.model_id != settings.model:
        raise InputError(f'the settings name the model "{settings.model}", but "{model.model_id}" was opened')
    rubric = rubric or find_rubric(store, settings.rubric_id)
    if rubric.rubric_id != settings.rubric_id:
        raise InputError(f'the settings name the rubric "{settings.rubric_id}", but this is "{rubric.rubric_id}"')
    return Judge(settings, rubric, prompt_text(rubric, settings.order), model.fingerprint)


def judge_run(
    store: Store,
    row: JudgeRunRow | str,
    model: JsonModel,
    *,
    n_workers: int = 16,
    per_minute: float | None = None,
    on_stage: OnStage = silent,
    clock: Clock = utc_now,
    again: bool = False,
) -> Done:
    """Ask about every triple of a run that has no answer yet. What ends it early leaves what was answered.

    A triple whose service failed is asked again each time. `again`: so is every other one without a grade.
    """
    if not 1 <= n_workers <= MOST_WORKERS:
        raise SettingsError(f"n_workers must be from 1 to {MOST_WORKERS}, got {n_workers}")
    if store.is_copy:  # said before anything is paid for
        raise StoreInUseError(f"{store.path} is open in another Queryscape: close that one to judge")
    row = find_judge_run(store, row) if isinstance(row, str) else row
    judge = load_judge(store, row.judge_key)
    _check(judge, model)
    with _alone(store, judge, on_stage):
        incoming = Incoming(store, judge.judge_key)
        incoming.take_left()
        waiting = waiting_triples(store, row.run_id, judge.judge_key, again=again)
        workers = 1 if judge.settings.model == DEMO_MODEL else n_workers  # counting words is no waiting
        work = Work(store, row.run_id, judge, model, incoming, workers, per_minute, clock, on_stage("judging"))
        return _worked(work, waiting)


def _worked(work: Work, waiting: Waiting) -> Done:
    """The work, with what lists say of it before and after."""
    keep_state(work.store, work.run_id, "running")
    state: RunState = "paused"
    try:
        if waiting.wanted:
            work.do(waiting.wanted)
        statuses = count_statuses(work.store, work.run_id, work.judge.judge_key)
        if sum(statuses.values()) == waiting.n_triples and not statuses.get("http_error"):
            state = "done"
    finally:
        with suppress(StoreError):  # what ended it may be a store that takes nothing any more
            keep_state(work.store, work.run_id, state)
    notes = _notes(statuses.get("http_error", 0), work.failures)
    return Done(work.n_asked, work.n_calls, waiting.n_known, statuses, dict(work.failures), notes)


def _notes(n_failed: int, failures: Counter[str]) -> tuple[str, ...]:
    if not n_failed:
        return ()
    reasons = "; ".join(reason for reason, _ in failures.most_common(MOST_REASONS))
    return (f"{n_failed:,} were not answered ({reasons}): go on with the run to ask them again",)


def _check(judge: Judge, model: JsonModel) -> None:
    """Whoever answers is whom the run names, and is told what the run says."""
    if (model.model_id, model.fingerprint) != (judge.settings.model, judge.fingerprint):
        raise InputError(
            f'the run is for the model "{judge.settings.model}" at the address that it was begun with: '
            "open that one, or begin a run for this one"
        )
    if prompt_text(judge.rubric, judge.settings.order) != judge.prompt:
        raise InputError("the run was begun with another version of the prompt: begin it anew")


_locks: dict[tuple[str, str], Lock] = {}
_locks_lock = Lock()


@contextmanager
def _alone(store: Store, judge: Judge, on_stage: OnStage) -> Iterator[None]:
    """One run at a time for one judge: two that ask about the same triple would both pay for it."""
    with _locks_lock:
        lock = _locks.setdefault((str(store.path.resolve()), judge.judge_key), Lock())
    if not lock.acquire(blocking=False):
        report = on_stage("waiting for another run of this judge")
        while not lock.acquire(timeout=BEAT):
            report(0, 0)
    try:
        yield
    finally:
        lock.release()
