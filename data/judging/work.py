"""One run of a judge at work: triples go out to threads, answers come in and are kept at once."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Lock

from core.errors import EndsAllError, ServiceError
from core.judging.types import Triple, Verdict
from core.protocols import JsonModel, OnProgress
from data.asking import MOST_FAILURES, Breaker, NotAskedError
from data.clock import Clock
from data.judging.asking import Asked, Examiner, Gate, Pause, not_asked
from data.judging.crew import Crew
from data.judging.keeping import Judge, keep_answers
from data.judging.waiting import Wanted, load_triples
from data.limiter import Limiter, limited
from data.store import Store

AT_ONCE = 256
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
    n_workers: int
    per_minute: float | None
    clock: Clock
    report: OnProgress
    n_asked: int = 0
    n_calls: int = 0
    failures: Counter[str] = field(default_factory=Counter)
    _n_graded: int = 0
    _n_done: int = 0
    _ended: EndsAllError | None = None
    _lock: Lock = field(default_factory=Lock)

    def do(self, wanted: Sequence[Wanted]) -> None:
        """Ask about all of these. Whatever ends it early, what is under way is waited for a little, and kept."""
        todo = deque(wanted)
        self._model = self.model
        self._breaker = Breaker(max(MOST_FAILURES, self.n_workers))
        self._examiner = Examiner(self.judge)
        self._crew = crew = Crew(self._ask, self.n_workers)
        self._pause = Pause(crew.is_stopped)
        if self.per_minute is not None:
            self._model = limited(self.model, Limiter(self.per_minute, sleep=self._pause))
        try:
            while (todo or crew.n_left) and not self._is_pointless:
                self.report(self._n_done, len(wanted))
                if todo and crew.n_left <= 2 * self.n_workers:
                    self._give([todo.popleft() for _ in range(min(AT_ONCE, len(todo)))])
                self._keep(crew.collect())
            self.report(self._n_done, len(wanted))
        finally:
            crew.stop()
            try:
                for came in crew.rest():
                    self._keep(came)
            finally:
                crew.end()
        self._say_why()

    def _give(self, wanted: Sequence[Wanted]) -> None:
        """To the threads, save what is not asked about; that is kept as such."""
        triples = load_triples(self.store, self.run_id, wanted)
        given = [Given(each, triples[each.triple_key]) for each in wanted]
        silent = {each: why for each in given if (why := not_asked(each.triple, self.judge.settings))}
        self._crew.give([each for each in given if each not in silent])
        nothing = [(each, Asked(Verdict("no_abstract", reason=why), (), 0, 0.0)) for each, why in silent.items()]
        self._store(nothing)

    def _ask(self, given: Given) -> Asked:
        """In a thread."""
        gate = Gate(self._model, self._breaker, self._pause, self._crew.is_stopped, self._crew.is_over)
        try:
            return self._examiner.examine(given.triple, gate)
        except EndsAllError as e:
            with self._lock:
                self._ended = self._ended or e
            raise NotAskedError(str(e)) from None

    def _keep(self, came: Sequence[tuple[Given, Asked]]) -> None:
        self._store(came)
        self._crew.kept(len(came))
        for _, asked in came:
            self.n_asked += 1
            self.n_calls += asked.n_calls
            self._n_graded += asked.verdict.is_valid
            if asked.verdict.status == "http_error":
                self.failures[asked.verdict.reason] += 1

    def _store(self, came: Sequence[tuple[Given, Asked]]) -> None:
        now, name = self.clock(), self.judge.settings.model
        rows = [asked.kept(given.wanted.triple_key, given.wanted.attempt, now, name) for given, asked in came]
        keep_answers(self.store, self.judge.judge_key, rows)
        self._n_done += len(rows)

    @property
    def _is_pointless(self) -> bool:
        return self._breaker.is_open or self._is_unreadable

    @property
    def _is_unreadable(self) -> bool:
        return not self._n_graded and self.n_asked - self.failures.total() >= MOST_UNREADABLE

    def _say_why(self) -> None:
        """Why it ended early, as an error; nothing if it did not."""
        if self._ended is not None:
            raise EndsAllError(f"{self._ended}; {KEPT}: mend that and go on with the run")
        if self._breaker.is_open:
            reason = next(iter(dict(self.failures.most_common(1))), "it does not answer")
            raise ServiceError(f"the service is taken for dead ({reason}): {KEPT}, go on with the run later")
        if self._is_unreadable:
            raise ServiceError(
                f"none of the first {self.n_asked:,} answers is a grade, so no more are paid for: {KEPT}. "
                "Look at one of them, then try another model or a higher token limit"
            )
