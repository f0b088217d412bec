"""Many questions to a chat model, some at once, and none to a service that is taken for dead."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from threading import Event, Lock, Thread

from core.errors import EndsAllError, ServiceError
from core.protocols import Answer, ChatModel
from data.chat import Question, RefusedError
from data.embedders.retrying import GaveUpError

N_THREADS = 4
MOST_FAILURES = 5
"""In a row, before a service is taken for dead."""
BEAT = 0.1
"""Seconds between two looks whether whoever waits still does."""


class NotAskedError(ServiceError):
    """The service is taken for dead."""


@dataclass(eq=False)
class Breaker:
    """Takes a service for dead after some failures in a row, so that nobody waits for each of the rest.

    A question that is refused is an answer. A key that is refused or a credit that is spent is the end at once, and so
    is any error before anything was answered that asking again would not mend.
    """

    most: int = MOST_FAILURES
    n_in_a_row: int = 0
    has_answered: bool = False
    _lock: Lock = field(default_factory=Lock, repr=False)

    @property
    def is_open(self) -> bool:
        """Whether the service is taken for dead."""
        return self.n_in_a_row >= self.most

    def try_again(self) -> None:
        """Give a service that is taken for dead one more chance."""
        with self._lock:
            self.n_in_a_row = min(self.n_in_a_row, self.most - 1)

    def told(self, outcome: Answer | ServiceError) -> None:
        """What came of one question."""
        with self._lock:
            if isinstance(outcome, Answer | RefusedError):
                self.n_in_a_row, self.has_answered = 0, True
            elif isinstance(outcome, EndsAllError) or not (self.has_answered or isinstance(outcome, GaveUpError)):
                self.n_in_a_row = self.most
            else:
                self.n_in_a_row += 1


def ask_all(
    model: ChatModel,
    questions: Sequence[Question],
    *,
    n_threads: int = N_THREADS,
    breaker: Breaker | None = None,
    heard: Callable[[int, Answer | ServiceError], None] | None = None,
    heed: Callable[[], None] | None = None,
) -> list[Answer | ServiceError]:
    """Every question by itself, some at once; the failure of one is no failure of the others.

    `heard` is told each outcome and its place as it comes. `heed` is called while answers are waited for; what it
    raises ends the waiting, and no further question is asked.
    """
    breaker = breaker or Breaker()
    breaker.try_again()
    todo: SimpleQueue[int] = SimpleQueue()
    done: SimpleQueue[tuple[int, Answer | Exception]] = SimpleQueue()
    stop = Event()
    for place in range(len(questions)):
        todo.put(place)

    def work() -> None:
        with suppress(Empty):
            while not stop.is_set():
                place = todo.get_nowait()
                done.put((place, _outcome(model, questions[place], breaker)))

    # They don't hold up the end of the program, as a pool's would: an answer may take minutes.
    for _ in range(min(n_threads, len(questions))):
        Thread(target=work, name="queryscape-chat", daemon=True).start()
    try:
        return _collected(done, len(questions), heard, heed)
    finally:
        stop.set()


def _outcome(model: ChatModel, question: Question, breaker: Breaker) -> Answer | Exception:
    if breaker.is_open:
        return NotAskedError(f"not asked after {breaker.most} failures in a row")
    try:
        answer = model.ask(
            question.system, question.user, max_tokens=question.max_tokens, temperature=question.temperature
        )
    except ServiceError as e:
        breaker.told(e)
        return e
    except Exception as e:  # raised where the answers are waited for
        return e
    breaker.told(answer)
    return answer


def _collected(
    done: SimpleQueue[tuple[int, Answer | Exception]],
    n: int,
    heard: Callable[[int, Answer | ServiceError], None] | None,
    heed: Callable[[], None] | None,
) -> list[Answer | ServiceError]:
    """Outcomes in the order of the questions."""
    found: dict[int, Answer | ServiceError] = {}
    while len(found) < n:
        if heed is not None:
            heed()
        try:
            place, outcome = done.get(timeout=BEAT)
        except Empty:
            continue
        if not isinstance(outcome, Answer | ServiceError):
            raise outcome
        found[place] = outcome
        if heard is not None:
            heard(place, outcome)
    return [found[place] for place in range(n)]
