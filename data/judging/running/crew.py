"""Threads that ask."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import Generic, TypeVar

from data.asking import BEAT, NotAskedError

T = TypeVar("T")
R = TypeVar("R")
GRACE = 10.0
"""Seconds for which what is under way is waited for when it ends early: it is paid for."""


class Crew(Generic[T, R]):
    """A few threads at the same kind of work."""

    def __init__(self, work: Callable[[T], R], n_workers: int) -> None:
        self.is_stopped = Event()
        """Nothing more is begun."""
        self.is_over = Event()
        """Nobody waits any more, either."""
        self._work = work
        self._todo: SimpleQueue[T | None] = SimpleQueue()
        self._done: SimpleQueue[tuple[T, R] | Exception] = SimpleQueue()
        self._n_workers = n_workers
        self._n_left = 0
        """Given, and not collected."""
        self._mistake: Exception | None = None
        # They don't hold up the end of the program, as a pool's would: an answer may take minutes.
        for _ in range(n_workers):
            Thread(target=self._run, name="queryscape-judge", daemon=True).start()

    @property
    def n_left(self) -> int:
        """How much was given and did not come back."""
        return self._n_left

    def give(self, items: Iterable[T]) -> None:
        """More to do."""
        for item in items:
            self._n_left += 1
            self._todo.put(item)

    def collect(self, timeout: float = BEAT) -> list[tuple[T, R]]:
        """What is done by now; nothing after a while. A mistake in the work is raised here, after what was done."""
        self.check()
        return self._gathered(timeout)

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
        """Begin nothing more."""
        self.is_stopped.set()

    def rest(self, seconds: float = GRACE) -> Iterable[list[tuple[T, R]]]:
        """What was under way when it was stopped, as it comes, but not for ever."""
        end = time.monotonic() + seconds
        self._drop_waiting()
        while self._n_left and (left := end - time.monotonic()) > 0:
            yield self._gathered(min(BEAT, left))

    def end(self) -> None:
        """Nobody waits any more."""
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
                self._done.put(NotAskedError("stopped before it was asked"))
                continue
            try:
                self._done.put((item, self._work(item)))
            except Exception as e:  # raised where it is collected
                self._done.put(e)
