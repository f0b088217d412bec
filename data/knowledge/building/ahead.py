"""The next part is read while the one before is written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


def ahead(parts: Iterable[T]) -> Iterator[T]:
    """All of them in their order, each made in another thread before it is asked for."""
    reading = iter(parts)
    with ThreadPoolExecutor(1, thread_name_prefix="reading ahead") as thread:
        waiting = thread.submit(lambda: next(reading, None))
        while (part := waiting.result()) is not None:
            waiting = thread.submit(lambda: next(reading, None))
            yield part
