"""Folders that are made aside and renamed, so that one is whole or not there."""

from __future__ import annotations

import os
import shutil
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

STALE = 24 * 3600.0
"""Seconds after which what a killed run left aside is taken away."""


def put_in_place(aside: Path, folder: Path, is_usable: Callable[[], bool]) -> None:
    """Rename; if somebody else was faster, theirs is as good, unless it is the one that can't be used."""
    with suppress(OSError):
        os.rename(aside, folder)
        return
    if is_usable():
        return
    away = folder.with_name(f"{folder.name}.{uuid.uuid4().hex}.part")
    os.rename(folder, away)
    try:
        os.rename(aside, folder)
    except OSError:
        os.rename(away, folder)
        raise
    if away.is_dir() and not away.is_symlink():
        shutil.rmtree(away, ignore_errors=True)
    else:
        away.unlink(missing_ok=True)


def take_stale_away(folder: Path) -> None:
    """What was left beside it long ago."""
    for left in folder.parent.glob("*.part"):
        with suppress(OSError):
            if time.time() - left.stat().st_mtime > STALE:
                shutil.rmtree(left, ignore_errors=True)
