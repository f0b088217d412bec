"""Answers on their way into the store, one line each: written at once, so that a kill loses none that came.

The store takes its time, since it waits for the disk; a line is with the system as soon as it is written.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from threading import Lock

from core.errors import InputError
from core.judging.types import STATUSES, Verdict
from data.files import disk_errors
from data.judging.keeping.answers import Kept, keep_answers
from data.paths import WorkspacePaths
from data.store import Store

ANSWERS_AT_ONCE = 256
BETWEEN = 0.5
"""Answers, or seconds, after which the store is given what came."""


class Journal:
    """The answers of one judge that may not be in the store yet. Threads share it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = Lock()
        self._file: int | None = None

    def left(self) -> list[Kept]:
        """What an earlier process left behind. A line that is cut off, or is none of ours, is no answer."""
        if not self.path.exists():
            return []
        with disk_errors(self.path):
            lines = self.path.read_bytes().split(b"\n")
        return [kept for line in lines if (kept := _read(line)) is not None]

    def write(self, kept: Kept) -> None:
        """Add one."""
        line = b"\n" + json.dumps(asdict(kept)).encode() + b"\n"  # the one before may be cut off
        with self._lock, disk_errors(self.path):
            if self._file is None:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                self._file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            written = os.write(self._file, line)
            if written < len(line):  # the next attempt says what is wrong
                os.write(self._file, line[written:])

    def close(self) -> None:
        """Nothing more is written."""
        with self._lock:
            if self._file is not None:
                os.close(self._file)
                self._file = None

    def forget(self) -> None:
        """All of it is in the store."""
        self.close()
        with disk_errors(self.path):
            self.path.unlink(missing_ok=True)
        with suppress(OSError):  # others may be in it
            self.path.parent.rmdir()


class Incoming:
    """The way of answers: into the journal as they come, and into the store some at a time."""

    def __init__(self, store: Store, judge_key: str) -> None:
        self._store, self._judge_key = store, judge_key
        self._journal = Journal(WorkspacePaths(store.path.parent).answers(judge_key))
        self._waiting: list[Kept] = []
        self._settled = time.monotonic()

    def note(self, kept: Kept) -> None:
        """It came; in whatever thread."""
        self._journal.write(kept)

    def add(self, some: Iterable[Kept]) -> None:
        """For the store, as soon as it is worth its while."""
        self._waiting += some
        if len(self._waiting) >= ANSWERS_AT_ONCE or time.monotonic() - self._settled >= BETWEEN:
            self._settle()

    def take_left(self) -> None:
        """What an earlier process left behind comes into the store."""
        self._waiting += self._journal.left()
        self.end()

    def end(self) -> None:
        """All of it is in the store."""
        self._settle()
        self._journal.forget()

    def close(self) -> None:
        """What is not in the store stays where it is."""
        self._journal.close()

    def _settle(self) -> None:
        keep_answers(self._store, self._judge_key, self._waiting)
        self._waiting = []
        self._settled = time.monotonic()


def _read(line: bytes) -> Kept | None:
    try:
        document = json.loads(line)
        verdict = Verdict(**document.pop("verdict"))
        answers: Sequence[str] = document.pop("answers")
        kept = Kept(**document, verdict=verdict, answers=tuple(answers))
    except (ValueError, TypeError, KeyError, AttributeError, InputError):
        return None
    return kept if _can_be_kept(kept) else None


def _can_be_kept(kept: Kept) -> bool:
    """Whether everything is of its kind: what the store refuses would stand in the way of all others."""
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
