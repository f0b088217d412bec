"""Run a judge: ask about every triple once, in parallel, and save each answer as it arrives."""

from __future__ import annotations

import json
import os
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Event, Lock, Thread, local
from typing import Any, Generic, TypeVar

from core.errors import EndsAllError, InputError, ServiceError, SettingsError, StoreError
from core.judge.judgments import STATUSES, JudgeSettings, Rubric, Status, Triple, TripleVerdict
from core.judge.prompts import (
    answer_schema,
    has_abstract,
    prompt_text,
    read_answer,
    repair_prompt,
    system_prompt,
    user_prompt,
)
from core.protocols import Answer, JsonModel, OnProgress, OnStage, silent
from data.files import WorkspacePaths, disk_errors
from data.http.client import GaveUpError, Limiter
from data.judge.demo_judge import DEMO_MODEL
from data.judge.rubric import find_rubric
from data.judge.runs import (
    Judge,
    JudgeRunRow,
    PendingTriple,
    PendingTriples,
    RunState,
    StoredAnswer,
    count_statuses,
    find_judge_run,
    keep_answers,
    keep_state,
    load_judge,
    load_triples,
    waiting_triples,
)
from data.models.chat import (
    BEAT,
    FILTERED,
    MOST_FAILURES,
    TOO_LONG,
    Breaker,
    NotAskedError,
    RefusedError,
    ServiceModel,
    alone,
    known_sum,
    limited,
)
from data.store import Clock, Store, utc_now

REPAIRED: tuple[Status, ...] = ("invalid_json", "invalid_scale")
"""Repeated once, with the problem in the prompt."""
MOST_OF_REASON = 500
MOST_OF_ANSWER = 100_000
"""Characters of an answer that are stored: about 25,000 tokens. It is parsed in full."""
MOST_OF_MODEL = 200
WAY_OUT = ": run it again later to go on"
"""A client's advice, which is useless for one judgment among many."""
REFUSALS = frozenset({"refusal", "refused"})
"""Values by which services report that the model refused."""


def not_asked(triple: Triple, settings: JudgeSettings) -> str:
    """Return the reason for skipping a triple; empty if it is judged."""
    if has_abstract(triple):
        return ""
    if not triple.title.strip():
        return "neither title nor abstract: not judged"
    return "no abstract: not judged" if settings.without_abstract == "skip" else ""


@dataclass(frozen=True, slots=True)
class JudgeOutcome:
    verdict: TripleVerdict
    answers: tuple[Answer, ...]
    n_calls: int
    ms: float
    """Time the model took, without waiting for the rate limit."""

    def kept(self, key: str, attempt: int, made_at: str, model: str) -> StoredAnswer:
        """Convert to the stored form. `model`: the requested model, used if no answer names one."""
        names = [answer.model for answer in self.answers if answer.model]
        return StoredAnswer(
            key,
            attempt,
            replace(self.verdict, reason=self.verdict.reason[:MOST_OF_REASON]),
            tuple(_cut(answer.text or answer.refusal) for answer in self.answers),
            names[-1][:MOST_OF_MODEL] if names else model,
            known_sum(answer.n_prompt_tokens for answer in self.answers),
            known_sum(answer.n_answer_tokens for answer in self.answers),
            self.n_calls,
            self.ms,
            made_at,
        )


def _cut(answer: str) -> str:
    return answer if len(answer) <= MOST_OF_ANSWER else f"{answer[:MOST_OF_ANSWER]} […]"


def unasked(why: str) -> JudgeOutcome:
    return JudgeOutcome(TripleVerdict("no_abstract", reason=why), (), 0, 0.0)


class Pause:
    """A sleep that ends early when the run stops. It records how long each thread slept."""

    def __init__(self, is_stopped: Event) -> None:
        self._is_stopped = is_stopped
        self._slept = local()

    def __call__(self, seconds: float) -> None:
        began = time.perf_counter()
        is_stopped = self._is_stopped.wait(seconds)
        self._slept.ms = self.ms + (time.perf_counter() - began) * 1000
        if is_stopped:
            raise NotAskedError("stopped before its turn")

    @property
    def ms(self) -> float:
        return float(getattr(self._slept, "ms", 0.0))


class Gate:
    """A model for one triple: counts calls, measures time, reports to the breaker, and refuses calls after a stop."""

    def __init__(self, model: JsonModel, breaker: Breaker, pause: Pause, is_stopped: Event, is_over: Event) -> None:
        self.n_calls, self.ms = 0, 0.0
        self._model, self._breaker, self._pause = model, breaker, pause
        self._is_stopped, self._is_over = is_stopped, is_over

    def ask_json(
        self, system: str, user: str, *, schema: Mapping[str, Any], max_tokens: int, temperature: float
    ) -> Answer:
        return self._asked(
            lambda: self._model.ask_json(system, user, schema=schema, max_tokens=max_tokens, temperature=temperature)
        )

    def _asked(self, ask: Callable[[], Answer]) -> Answer:
        # A triple already begun is finished: its first answer is paid for.
        if self._is_over.is_set() or (self._is_stopped.is_set() and not self.n_calls):
            raise NotAskedError("the answer is no longer needed")
        began, slept = time.perf_counter(), self._pause.ms
        self.n_calls += 1
        try:
            answer = ask()
        except NotAskedError:
            self.n_calls -= 1
            raise
        except ServiceError as e:
            is_first = isinstance(e, RefusedError) and not self._breaker.has_answered
            # A service that refuses everything is treated as failing.
            self._breaker.told(GaveUpError(str(e)) if is_first else e)
            raise
        finally:
            self.ms += (time.perf_counter() - began) * 1000 - (self._pause.ms - slept)
        self._breaker.told(answer)
        return answer


class Examiner:
    """An examiner that sends triples to a judge. Threads share it."""

    def __init__(self, judge: Judge) -> None:
        settings = judge.settings
        self._judge = judge
        self._system = system_prompt(judge.rubric, settings.order)
        self._schema = answer_schema(judge.rubric, settings.order)

    def examine(self, triple: Triple, gate: Gate) -> JudgeOutcome:
        """Ask once, and again if the answer can't be read.

        A failing service also gives a verdict. An error that ends the whole run gives none, unless an answer is paid
        for.
        """
        answers: list[Answer] = []
        try:
            answers.append(self._ask(gate, user_prompt(triple)))
            verdict = self._read(answers[0], triple)
            if verdict.status in REPAIRED:
                answers.append(self._ask(gate, repair_prompt(triple, answers[0].text, verdict.reason)))
                verdict = _repaired(self._read(answers[1], triple))
        except (NotAskedError, EndsAllError) as e:
            if not answers:
                raise
            verdict = TripleVerdict("http_error", reason=f"before the second request: {e}")
        except ServiceError as e:
            verdict = TripleVerdict("http_error", reason=str(e).removesuffix(WAY_OUT))
        return JudgeOutcome(verdict, tuple(answers), gate.n_calls, gate.ms)

    def _ask(self, gate: Gate, user: str) -> Answer:
        settings = self._judge.settings
        return gate.ask_json(
            self._system,
            user,
            schema=self._schema,
            max_tokens=settings.max_tokens,
            temperature=settings.temperature,
        )

    def _read(self, answer: Answer, triple: Triple) -> TripleVerdict:
        """Read an answer. Check its finish reason first: half an answer may look complete."""
        finish = answer.finish.strip().lower()
        if answer.refusal.strip() or finish in REFUSALS:
            return TripleVerdict("refused", reason=answer.refusal.strip() or "the model refused to answer")
        if finish == FILTERED:
            return TripleVerdict("filtered", reason="the service's filter blocked the answer")
        if finish == TOO_LONG:
            n = self._judge.settings.max_tokens
            return TripleVerdict("truncated", reason=f"the answer was cut off at the limit of {n:,} tokens")
        return read_answer(answer.text, self._judge.rubric, has_abstract=has_abstract(triple))


def _repaired(verdict: TripleVerdict) -> TripleVerdict:
    return replace(verdict, status="repaired") if verdict.status == "ok" else verdict


# Worker threads.

T = TypeVar("T")
R = TypeVar("R")
GRACE = 10.0
"""Seconds to wait for requests in progress when a run ends early: they are paid for."""


class Crew(Generic[T, R]):
    def __init__(self, work: Callable[[T], R], n_workers: int) -> None:
        self.is_stopped = Event()
        """Set: nothing more is started."""
        self.is_over = Event()
        """Set: results are no longer waited for."""
        self._work = work
        self._todo: SimpleQueue[T | None] = SimpleQueue()
        self._done: SimpleQueue[tuple[T, R] | Exception] = SimpleQueue()
        self._n_workers = n_workers
        self._n_left = 0
        """Items given but not collected yet."""
        self._mistake: Exception | None = None
        # Daemon threads don't delay the end of the program as a pool's would: an answer may take minutes.
        for _ in range(n_workers):
            Thread(target=self._run, name="queryscape-judge", daemon=True).start()

    @property
    def n_left(self) -> int:
        return self._n_left

    def give(self, items: Iterable[T]) -> None:
        for item in items:
            self._n_left += 1
            self._todo.put(item)

    def collect(self) -> list[tuple[T, R]]:
        """Return finished work; empty after one beat. A mistake in the work is raised by the next call."""
        self.check()
        return self._gathered(BEAT)

    def check(self) -> None:
        """Raise a mistake in the work, if there was one."""
        if self._mistake is not None:
            raise self._mistake

    def _gathered(self, timeout: float) -> list[tuple[T, R]]:
        found: list[tuple[T, R]] = []
        with suppress(Empty):
            came = self._done.get(timeout=timeout)
            while True:
                self._n_left -= 1
                if isinstance(came, tuple):
                    found.append(came)
                elif not isinstance(came, NotAskedError):
                    self._mistake = came
                came = self._done.get_nowait()
        return found

    def stop(self) -> None:
        self.is_stopped.set()

    def rest(self, seconds: float = GRACE) -> Iterable[list[tuple[T, R]]]:
        end = time.monotonic() + seconds
        self._drop_waiting()
        while self._n_left and (left := end - time.monotonic()) > 0:
            yield self._gathered(min(BEAT, left))

    def end(self) -> None:
        self.is_stopped.set()
        self.is_over.set()
        for _ in range(self._n_workers):
            self._todo.put(None)

    def _drop_waiting(self) -> None:
        with suppress(Empty):
            while True:
                self._todo.get_nowait()
                self._n_left -= 1

    def _run(self) -> None:
        while (item := self._todo.get()) is not None:
            if self.is_stopped.is_set():
                self._done.put(NotAskedError("stopped before the request"))
                continue
            try:
                self._done.put((item, self._work(item)))
            except Exception as e:  # raised where results are collected
                self._done.put(e)


# Answers on their way into the store, one line each: written at once, so that a kill loses no answer received.
#
# The store is slow, because it waits for the disk; a line reaches the operating system as soon as it is written.

ANSWERS_AT_ONCE = 256
BETWEEN = 0.5
"""Number of answers, or seconds, after which answers are moved to the store."""


class AnswerJournal:
    """The answers of one judge that may not be in the store yet. Threads share it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = Lock()
        self._file: int | None = None

    def left(self) -> list[StoredAnswer]:
        """Return answers left by an earlier process, without truncated and foreign lines."""
        if not self.path.exists():
            return []
        with disk_errors(self.path):
            lines = self.path.read_bytes().split(b"\n")
        return [kept for line in lines if (kept := _read(line)) is not None]

    def write(self, kept: StoredAnswer) -> None:
        line = b"\n" + json.dumps(asdict(kept)).encode() + b"\n"  # the line before may be truncated
        with self._lock, disk_errors(self.path):
            if self._file is None:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                self._file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            written = os.write(self._file, line)
            if written < len(line):  # the second attempt reports the problem
                os.write(self._file, line[written:])

    def close(self) -> None:
        with self._lock:
            if self._file is not None:
                os.close(self._file)
                self._file = None

    def forget(self) -> None:
        self.close()
        with disk_errors(self.path):
            self.path.unlink(missing_ok=True)
        with suppress(OSError):  # other journals may be in it
            self.path.parent.rmdir()


class AnswerBuffer:
    """The path of answers: into the journal as they arrive, and into the store in batches."""

    def __init__(self, store: Store, judge_key: str) -> None:
        self._store, self._judge_key = store, judge_key
        self._journal = AnswerJournal(WorkspacePaths(store.path.parent).answers(judge_key))
        self._waiting: list[StoredAnswer] = []
        self._settled = time.monotonic()

    def note(self, kept: StoredAnswer) -> None:
        self._journal.write(kept)

    def add(self, some: Iterable[StoredAnswer]) -> None:
        self._waiting += some
        if len(self._waiting) >= ANSWERS_AT_ONCE or time.monotonic() - self._settled >= BETWEEN:
            self._settle()

    def take_left(self) -> None:
        """Move answers left by an earlier process into the store."""
        self._waiting += self._journal.left()
        self.end()

    def end(self) -> None:
        self._settle()
        self._journal.forget()

    def close(self) -> None:
        self._journal.close()

    def _settle(self) -> None:
        keep_answers(self._store, self._judge_key, self._waiting)
        self._waiting = []
        self._settled = time.monotonic()


def _read(line: bytes) -> StoredAnswer | None:
    try:
        document = json.loads(line)
        verdict = TripleVerdict(**document.pop("verdict"))
        answers: Sequence[str] = document.pop("answers")
        kept = StoredAnswer(**document, verdict=verdict, answers=tuple(answers))
    except (ValueError, TypeError, KeyError, AttributeError, InputError):
        return None
    return kept if _can_be_kept(kept) else None


def _can_be_kept(kept: StoredAnswer) -> bool:
    """Check the type and range of every value: one that the store rejects would block all others."""
    verdict = kept.verdict
    texts = (kept.triple_key, kept.model, kept.made_at, verdict.reason, *kept.answers)
    numbers = (kept.attempt, kept.n_calls)
    grades, tokens = (verdict.points, verdict.confidence), (kept.n_prompt_tokens, kept.n_answer_tokens)
    return (
        verdict.status in STATUSES
        and all(isinstance(text, str) for text in texts)
        and all(type(n) is int and 0 <= n < 2**31 for n in (*numbers, *(n for n in grades if n is not None)))
        and all(n is None or (type(n) is int and 0 <= n < 2**63) for n in tokens)
        and isinstance(kept.ms, int | float)
    )


# One run of a judge: triples go out to threads, and answers are saved as they arrive.

TRIPLES_AT_ONCE = 256
"""Triples whose texts are loaded by one statement."""
MOST_UNREADABLE = 100
"""Number of ungraded answers at the start of a run after which it stops, to save the cost of the rest."""
KEPT = "existing answers are kept"


@dataclass(frozen=True, slots=True)
class JudgeRequest:
    wanted: PendingTriple
    triple: Triple


@dataclass
class JudgeRunner:
    store: Store
    run_id: str
    judge: Judge
    model: JsonModel
    incoming: AnswerBuffer
    n_workers: int
    per_minute: float | None
    clock: Clock
    report: OnProgress
    n_asked: int = 0
    n_calls: int = 0
    failures: Counter[str] = field(default_factory=Counter)
    _n_read: int = 0
    _n_graded: int = 0
    _n_done: int = 0
    _ended: ServiceError | StoreError | None = None
    _lock: Lock = field(default_factory=Lock)

    def do(self, wanted: Sequence[PendingTriple]) -> None:
        """Ask about all of these. If it ends early, requests in progress get a short time to finish, and are saved."""
        todo = deque(wanted)
        self._breaker = Breaker(max(MOST_FAILURES, self.n_workers))
        self._examiner = Examiner(self.judge)
        self._crew = crew = Crew(self._ask, self.n_workers)
        self._pause = pause = Pause(crew.is_stopped)
        model = self.model.waiting_by(pause) if isinstance(self.model, ServiceModel) else self.model
        self._model = model if self.per_minute is None else limited(model, Limiter(self.per_minute, sleep=pause))
        try:
            while (todo or crew.n_left) and self._ended is None:
                self.report(self._n_done, len(wanted))
                if todo and crew.n_left <= 2 * self.n_workers:
                    self._give([todo.popleft() for _ in range(min(TRIPLES_AT_ONCE, len(todo)))])
                self._take(crew.collect())
            self.report(self._n_done, len(wanted))
        finally:
            crew.stop()
            try:
                for came in crew.rest():
                    self._take(came)
                self.incoming.end()
            finally:
                crew.end()
                self.incoming.close()
        crew.check()
        if self._ended is not None:
            raise self._ended

    def _give(self, wanted: Sequence[PendingTriple]) -> None:
        triples = load_triples(self.store, self.run_id, wanted)
        given = [JudgeRequest(each, triples[each.triple_key]) for each in wanted]
        silent = {each: why for each in given if (why := not_asked(each.triple, self.judge.settings))}
        self._crew.give([each for each in given if each not in silent])
        self.incoming.add(self._kept(each, unasked(why)) for each, why in silent.items())
        self._n_done += len(silent)

    def _ask(self, given: JudgeRequest) -> StoredAnswer:
        gate = Gate(self._model, self._breaker, self._pause, self._crew.is_stopped, self._crew.is_over)
        try:
            kept = self._kept(given, self._examiner.examine(given.triple, gate))
        except EndsAllError as e:
            self._end(EndsAllError(f"{e}; {KEPT}: fix the problem and resume the run"))
            raise NotAskedError(str(e)) from None
        try:
            self.incoming.note(kept)
        except StoreError as e:  # the answer is returned all the same
            self._end(e)
        self._look(kept.verdict)
        return kept

    def _end(self, why: ServiceError | StoreError) -> None:
        with self._lock:
            if self._ended is None or (isinstance(why, EndsAllError) and isinstance(self._ended, ServiceError)):
                self._ended = why
        self._crew.stop()

    def _kept(self, given: JudgeRequest, asked: JudgeOutcome) -> StoredAnswer:
        wanted = given.wanted
        return asked.kept(wanted.triple_key, wanted.attempt, self.clock(), self.judge.settings.model)

    def _take(self, came: Sequence[tuple[JudgeRequest, StoredAnswer]]) -> None:
        some = [kept for _, kept in came]
        self.incoming.add(some)
        self._n_done += len(some)
        self.n_asked += len(some)
        for kept in some:
            self.n_calls += kept.n_calls
            if kept.verdict.status == "http_error":
                self.failures[kept.verdict.reason] += 1

    def _look(self, verdict: TripleVerdict) -> None:
        if verdict.status == "http_error" and self._breaker.is_open:
            why = f"the service seems to be down ({verdict.reason})"
            self._end(ServiceError(f"{why}: {KEPT}, resume the run later"))
        with self._lock:
            self._n_read += verdict.status != "http_error"
            self._n_graded += verdict.is_valid
            is_in_vain = not self._n_graded and self._n_read >= MOST_UNREADABLE
        if is_in_vain:
            why = (
                f"none of the first {MOST_UNREADABLE:,} answers is a grade, so the run was stopped to avoid more costs"
            )
            self._end(ServiceError(f"{why}: {KEPT}. Read one of them, then try another model or a higher token limit"))


# A run of a judge: every triple is asked once, answers are saved at once, and resuming pays for nothing twice.

MOST_WORKERS = 256
MOST_REASONS = 3


@dataclass(frozen=True, slots=True)
class JudgeRunSummary:
    n_asked: int
    """Triples sent to the judge this time."""
    n_calls: int
    """Requests for these: one each, and another if an answer could not be read."""
    n_known: int
    """Triples answered before, in this run or another run of the same judge."""
    statuses: Mapping[Status, int]
    """Statuses of all triples of the run, as of now."""
    failures: Mapping[str, int]
    """Errors of the service this time, with the number of triples; resuming retries them."""
    notes: tuple[str, ...] = ()
    """Remarks for the user."""


def make_judge(store: Store, settings: JudgeSettings, model: JsonModel, rubric: Rubric | None = None) -> Judge:
    """Make the judge described by these settings. `rubric`: used instead of the stored one with its id."""
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
) -> JudgeRunSummary:
    """Ask about every triple of a run without an answer. If it ends early, the answers so far are kept.

    Triples with a service error are retried each time. `again`: retry all ungraded triples.
    """
    if not 1 <= n_workers <= MOST_WORKERS:
        raise SettingsError(f"n_workers must be from 1 to {MOST_WORKERS}, got {n_workers}")
    store.check_writable()  # before anything is paid for
    row = find_judge_run(store, row) if isinstance(row, str) else row
    judge = load_judge(store, row.judge_key)
    _check(judge, model)
    with alone(store, judge.judge_key, on_stage, "waiting for another run of this judge"):
        incoming = AnswerBuffer(store, judge.judge_key)
        incoming.take_left()
        waiting = waiting_triples(store, row.run_id, judge.judge_key, again=again)
        workers = 1 if judge.settings.model == DEMO_MODEL else n_workers  # counting words needs no waiting
        work = JudgeRunner(store, row.run_id, judge, model, incoming, workers, per_minute, clock, on_stage("judging"))
        return _worked(work, waiting)


def _worked(work: JudgeRunner, waiting: PendingTriples) -> JudgeRunSummary:
    keep_state(work.store, work.run_id, "running")
    state: RunState = "paused"
    try:
        if waiting.wanted:
            work.do(waiting.wanted)
        statuses = count_statuses(work.store, work.run_id, work.judge.judge_key)
        if sum(statuses.values()) == waiting.n_triples and not statuses.get("http_error"):
            state = "done"
    finally:
        with suppress(StoreError):  # the store may have failed itself and accept nothing more
            keep_state(work.store, work.run_id, state)
    notes = _notes(statuses.get("http_error", 0), work.failures)
    return JudgeRunSummary(work.n_asked, work.n_calls, waiting.n_known, statuses, dict(work.failures), notes)


def _notes(n_failed: int, failures: Counter[str]) -> tuple[str, ...]:
    if not n_failed:
        return ()
    reasons = "; ".join(reason for reason, _ in failures.most_common(MOST_REASONS))
    return (f"{n_failed:,} have no answer ({reasons}): resume the run to retry them",)


def _check(judge: Judge, model: JsonModel) -> None:
    if (model.model_id, model.fingerprint) != (judge.settings.model, judge.fingerprint):
        raise InputError(
            f'the run needs the model "{judge.settings.model}" at its original address: open that one, or start a '
            "new run"
        )
    if prompt_text(judge.rubric, judge.settings.order) != judge.prompt:
        raise InputError("the run was started with another version of the prompt: start a new run")
