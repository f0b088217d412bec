"""One run of a judge at work: triples go out to threads, answers come in and are kept at once."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Lock

from core.errors import EndsAllError, ServiceError, StoreError
from core.judging.types import Triple, Verdict
from core.protocols import JsonModel, OnProgress
from data.asking import MOST_FAILURES, Breaker, NotAskedError
from data.chat import ServiceModel, limited
from data.clock import Clock
from data.judging.keeping.answers import Kept
from data.judging.keeping.runs import Judge
from data.judging.keeping.waiting import Wanted, load_triples
from data.judging.running.asking import Asked, Examiner, Gate, Pause, not_asked, unasked
from data.judging.running.crew import Crew
from data.judging.running.journal import Incoming
from data.limiter import Limiter
from data.store import Store

TRIPLES_AT_ONCE = 256
"""Triples whose texts are read from the store by one statement."""
MOST_UNREADABLE = 100
"""Answers of which none is a grade, at the beginning of a run, after which the rest is not paid for."""
KEPT = "what was answered is kept"


@dataclass(frozen=True, slots=True)
class Given:
    """A triple with its texts."""

    wanted: Wanted
    triple: Triple


@dataclass
class Work:
    """What is asked of one judge for one run."""

    store: Store
    run_id: str
    judge: Judge
    model: JsonModel
    incoming: Incoming
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

    def do(self, wanted: Sequence[Wanted]) -> None:
        """Ask about all of these. Whatever ends it early, what is under way is waited for a little, and kept."""
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

    def _give(self, wanted: Sequence[Wanted]) -> None:
        """To the threads, save what is not asked about; that is kept as such."""
        triples = load_triples(self.store, self.run_id, wanted)
        given = [Given(each, triples[each.triple_key]) for each in wanted]
        silent = {each: why for each in given if (why := not_asked(each.triple, self.judge.settings))}
        self._crew.give([each for each in given if each not in silent])
        self.incoming.add(self._kept(each, unasked(why)) for each, why in silent.items())
        self._n_done += len(silent)

    def _ask(self, given: Given) -> Kept:
        """In a thread."""
        gate = Gate(self._model, self._breaker, self._pause, self._crew.is_stopped, self._crew.is_over)
        try:
            kept = self._kept(given, self._examiner.examine(given.triple, gate))
        except EndsAllError as e:
            self._end(EndsAllError(f"{e}; {KEPT}: mend that and go on with the run"))
            raise NotAskedError(str(e)) from None
        try:
            self.incoming.note(kept)
        except StoreError as e:  # the answer is handed on all the same
            self._end(e)
        self._look(kept.verdict)
        return kept

    def _end(self, why: ServiceError | StoreError) -> None:
        """Begin nothing more. What ends everything says more than that others failed meanwhile."""
        with self._lock:
            if self._ended is None or (isinstance(why, EndsAllError) and isinstance(self._ended, ServiceError)):
                self._ended = why
        self._crew.stop()

    def _kept(self, given: Given, asked: Asked) -> Kept:
        wanted = given.wanted
        return asked.kept(wanted.triple_key, wanted.attempt, self.clock(), self.judge.settings.model)

    def _take(self, came: Sequence[tuple[Given, Kept]]) -> None:
        some = [kept for _, kept in came]
        self.incoming.add(some)
        self._n_done += len(some)
        self.n_asked += len(some)
        for kept in some:
            self.n_calls += kept.n_calls
            if kept.verdict.status == "http_error":
                self.failures[kept.verdict.reason] += 1

    def _look(self, verdict: Verdict) -> None:
        """Whether it makes sense to ask on: not a dead service, nor a model that never says what can be read."""
        if verdict.status == "http_error" and self._breaker.is_open:
            why = f"the service is taken for dead ({verdict.reason})"
            self._end(ServiceError(f"{why}: {KEPT}, go on with the run later"))
        with self._lock:
            self._n_read += verdict.status != "http_error"
            self._n_graded += verdict.is_valid
            is_in_vain = not self._n_graded and self._n_read >= MOST_UNREADABLE
        if is_in_vain:
            why = f"none of the first {MOST_UNREADABLE:,} answers is a grade, so no more are paid for"
            self._end(ServiceError(f"{why}: {KEPT}. Look at one, then try another model or a higher token limit"))
