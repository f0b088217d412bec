"""Keeping what a visitor does while it is done: a mistake is said on the page, and the page goes on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from core.errors import QueryscapeError
from dashboard import cache, state

NOTE = "people"
"""Where what went wrong is left for the next run."""


@contextmanager
def noted() -> Iterator[None]:
    """For callbacks: what goes wrong in them is said by the next run."""
    try:
        yield
    except QueryscapeError as e:
        state.say_once(NOTE, str(e))


def why_not_kept() -> str | None:
    """Why nothing can be written here; None: it can."""
    if cache.workspace().store.is_copy:
        return (
            "This is a copy to look at: another Queryscape has the workspace open, and queries and ratings are kept "
            "only there."
        )
    return None
