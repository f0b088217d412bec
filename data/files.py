"""Writing so that nothing is ever half-written, and disk errors in words that help."""

from __future__ import annotations

import errno
import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from core.errors import DiskFullError, QueryscapeError, StoreError

_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


def disk_full(where: Path) -> DiskFullError:
    """What to say when there is no room."""
    return DiskFullError(f"no room left to write {where}: free some space and run the same command again")


@contextmanager
def disk_errors(where: Path, otherwise: type[QueryscapeError] = StoreError) -> Iterator[None]:
    """Foreign disk errors become ours, with the place they happened at."""
    try:
        yield
    except OSError as e:
        # numpy says "10 requested and 4 written", and no number, when a write is cut short.
        if e.errno in _NO_ROOM or (e.errno is None and str(e).endswith(" written")):
            raise disk_full(where) from e
        place = e.filename or where
        raise otherwise(f"can't write {place} ({e.strerror or e}): check that the folder exists and is yours") from e


@contextmanager
def written_aside(path: Path) -> Iterator[BinaryIO]:
    """A file that appears whole or not at all: written beside its place, flushed, renamed."""
    aside = path.with_name(f"{path.name}.{uuid.uuid4().hex}.part")
    with disk_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with aside.open("wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            os.replace(aside, path)
        finally:
            aside.unlink(missing_ok=True)
