"""Background jobs, shared by all visitors of a server.

There are five lanes: jobs of minutes must not hold up what a page waits for, and judging and fetching, which mostly
wait for a service, hold up neither. Computing and judging run one job at a time. Live sources run several at once: a
job there spends its time waiting for one service, and all jobs share that service's rate limit, so jobs of different
services don't slow each other. Counts have a lane of their own, so that none waits behind runs of minutes. The
workspace stores a job's results; a job itself only reports progress.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from threading import Event, Lock
from typing import Generic, Literal, TypeVar
from weakref import WeakSet

from core.errors import QueryscapeError
from core.protocols import OnProgress, OnStage
from data.access import AccessRole, acting_for, current_role
from data.changes import acting_as, author

Work = Callable[[OnStage], tuple[str, ...] | None]
"""It may return ids of what it made, or notes: its outcome."""
Lane = Literal["page", "long", "judge", "source", "count"]
AT_ONCE: dict[Lane, int] = {"page": 1, "long": 1, "judge": 1, "source": 6, "count": 6}
"""Maximum number of concurrent jobs per lane. There are five live sources, and a run may be in progress in each."""
MOST_FINISHED = 200
MOST_SERVED = 1_000
T = TypeVar("T")


class JobCancelled(Exception):
    """A job that is no longer needed."""


@dataclass
class Job:
    key: str
    title: str
    started: float
    stage: str = ""
    done: int = 0
    total: int = 0
    stage_started: float = 0.0
    """Time of the first progress report."""
    done_before: int = 0
    """Steps done by then, perhaps in an earlier run: they say nothing about the rate of the rest."""
    error: str | None = None
    finished: bool = False
    outcome: tuple[str, ...] = ()
    """What the work returned, once it has finished."""
    cancelled: bool = False
    cancel: Event = field(default_factory=Event, repr=False)
    author: str | None = None
    """The name of the person who started it; None: whoever is found."""
    role: AccessRole = "owner"
    """The role of that person: what it may do is checked again when it runs."""
    until: float | None = None
    """Time at which it is ended; None: it may take as long as it needs."""

    @property
    def is_over(self) -> bool:
        return self.finished or self.cancelled or self.error is not None

    @property
    def share(self) -> float:
        """The share of the current stage that is done, 0 to 1."""
        return min(self.done / self.total, 1.0) if self.total else 0.0

    def seconds_left(self, now: float) -> float | None:
        """Estimate the rest of the current stage; None without a basis for it."""
        passed = now - self.stage_started
        done = self.done - self.done_before
        return passed * (self.total - self.done) / done if self.total and done > 0 and passed >= 1.0 else None

    def per_second(self, now: float) -> float | None:
        """Return the steps per second of the current stage; None without a basis for it."""
        passed = now - self.stage_started
        done = self.done - self.done_before
        return done / passed if self.total and done > 0 and passed >= 1.0 else None

    def on_stage(self, stage: str) -> OnProgress:
        """Start a stage and return its progress callback, for the work function. Cancelling ends the job there."""
        self._stop_if_cancelled()
        self.stage, self.done, self.total = stage, 0, 0
        self.stage_started, self.done_before = time.monotonic(), 0
        is_first = True

        def report(done: int, total: int) -> None:
            nonlocal is_first
            self._stop_if_cancelled()
            if is_first and done:
                self.stage_started, self.done_before = time.monotonic(), done
            is_first = False
            self.done, self.total = done, total

        return report

    def _stop_if_cancelled(self) -> None:
        if self.cancel.is_set():
            raise JobCancelled
        if self.until is not None and time.monotonic() > self.until:
            raise QueryscapeError("this takes longer than the demo allows: install Queryscape to run it")


_all: WeakSet[Jobs] = WeakSet()


def stop_all() -> None:
    """Ask every job to end as soon as it can: a server that closes would wait for it, however long it takes."""
    for jobs in list(_all):
        jobs.stop()


class FairQueue(Generic[T]):
    """A queue of several visitors, taken in turn: of k who wait, each gets one of any k in a row.

    >>> queue = FairQueue[int]()
    >>> for visitor, number in (("ada", 1), ("ada", 2), ("ada", 3), ("grace", 4)):
    ...     queue.add(visitor, number)
    >>> [queue.take() for _ in range(4)]
    [1, 4, 2, 3]
    """

    def __init__(self) -> None:
        self._waiting: dict[str, deque[T]] = {}
        self._served: dict[str, None] = {}
        """Visitors in the order in which they were served last."""
        self._lock = Lock()

    def add(self, visitor: str, one: T) -> None:
        with self._lock:
            self._waiting.setdefault(visitor, deque()).append(one)

    def take(self) -> T:
        """Take the first of the visitor who was served longest ago, or never."""
        with self._lock:
            order = {visitor: place for place, visitor in enumerate(self._served)}
            visitor = min(self._waiting, key=lambda each: order.get(each, -1))
            one = self._waiting[visitor].popleft()
            self._served.pop(visitor, None)
            self._served[visitor] = None
            if not self._waiting[visitor]:
                del self._waiting[visitor]
            for old in [each for each in self._served if each not in self._waiting][:-MOST_SERVED]:
                del self._served[old]
            return one


def _no_visitor() -> str:
    return ""


class Jobs:
    """`most_seconds`: time limit of a job. `around`: returns a context that every job runs in.

    `visitor`: tells who starts a job. Jobs that wait in a lane are run in turn of their visitors.
    """

    def __init__(
        self,
        *,
        most_seconds: float | None = None,
        around: Callable[[], AbstractContextManager[object]] = nullcontext,
        visitor: Callable[[], str] = _no_visitor,
    ) -> None:
        self._visitor = visitor
        self._waiting: dict[Lane, FairQueue[tuple[Job, Work]]] = {lane: FairQueue() for lane in AT_ONCE}
        self._most_seconds, self._around = most_seconds, around
        self._jobs: dict[str, Job] = {}
        self._lock = Lock()
        self._lanes: dict[Lane, ThreadPoolExecutor] = {
            lane: ThreadPoolExecutor(max_workers=n, thread_name_prefix=f"queryscape-{lane}")
            for lane, n in AT_ONCE.items()
        }
        self._futures: set[Future[None]] = set()
        _all.add(self)

    def find(self, key: str) -> Job | None:
        return self._jobs.get(key)

    def unfinished(self, family: str) -> tuple[Job, ...]:
        """Return the unfinished jobs of a family, the oldest first."""
        with self._lock:
            return tuple(job for key, job in self._jobs.items() if key.startswith(f"{family}:") and not job.is_over)

    def forget(self, key: str) -> None:
        """Drop a job, so that it can be started again."""
        with self._lock:
            self._jobs.pop(key, None)

    def start(self, key: str, title: str, work: Work, lane: Lane = "page", *, again: bool = False) -> Job:
        """Start a job unless one of this name exists. `again`: replace one that is over."""
        with self._lock:
            there = self._jobs.get(key)
            if there is not None and not (again and there.is_over):
                return there
            self._jobs.pop(key, None)
            job = self._jobs[key] = Job(key, title, time.monotonic(), author=author(), role=current_role())
            for old in [k for k, j in self._jobs.items() if j.is_over][:-MOST_FINISHED]:
                del self._jobs[old]
            self._waiting[lane].add(self._visitor(), (job, work))
            future = self._lanes[lane].submit(self._run_next, lane)
            self._futures.add(future)
        future.add_done_callback(self._futures.discard)
        return job

    def forget_finished(self, key: str) -> None:
        """Drop a job that has finished, if its result is missing: it was dropped since."""
        if (before := self.find(key)) is not None and before.finished:
            self.forget(key)

    def start_latest(self, family: str, key: str, title: str, work: Work) -> Job:
        """Start a job and cancel the unfinished ones of the same family, whose results are no longer needed."""
        name = f"{family}:{key}"
        with self._lock:
            for other, job in self._jobs.items():
                if other.startswith(f"{family}:") and other != name and not job.is_over:
                    job.cancel.set()
            # A job that was cancelled in favour of another is needed again.
            if name in self._jobs and self._jobs[name].cancel.is_set():
                del self._jobs[name]
        return self.start(name, title, work)

    def stop(self) -> None:
        with self._lock:
            for job in self._jobs.values():
                job.cancel.set()

    @property
    def is_idle(self) -> bool:
        return not self._futures

    def close(self) -> None:
        """Let the threads end."""
        for lane in self._lanes.values():
            lane.shutdown(wait=False, cancel_futures=True)

    def _run_next(self, lane: Lane) -> None:
        job, work = self._waiting[lane].take()
        with self._around(), acting_as(job.author), acting_for(job.role):
            if self._most_seconds is not None:
                job.until = time.monotonic() + self._most_seconds
            _run(job, work)

    def wait(self) -> None:
        """Wait until every job that was started is over; for tests."""
        while under_way := set(self._futures):
            wait(under_way)


def _run(job: Job, work: Work) -> None:
    try:
        job.on_stage(job.title)
        job.outcome = work(job.on_stage) or ()
        job.finished = True
    except JobCancelled:
        job.cancelled = True
    except QueryscapeError as e:
        job.error = str(e)
    except Exception:
        logging.getLogger("queryscape").exception("%s failed", job.title)
        job.error = f"{job.title} failed unexpectedly; details are in the server log"
