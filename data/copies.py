"""Copies of the store: made once a day while it is open, checked before they are restored."""

from __future__ import annotations

import os
import re
import shutil
import uuid
from collections.abc import Callable
from contextlib import suppress
from datetime import date
from pathlib import Path

import duckdb

from core.errors import QueryscapeError, StoreError
from data.database import Database, StoreFile
from data.files import WorkspacePaths, disk_errors
from data.log import log_of
from data.parts import part_of

FOLDER = "copies"
KEPT = 3
"""Number of daily copies that stay."""
_NAME = re.compile(r"queryscape-(\d{4}-\d\d-\d\d)\.duckdb$")
_LAYOUT = re.compile(r"queryscape\.duckdb\.layout-\d+$")


def copies(paths: WorkspacePaths) -> tuple[Path, ...]:
    """List the copies of the store, the newest first; those from before an upgrade are last."""
    daily = [path for path in (paths.root / FOLDER).glob("*.duckdb") if _NAME.search(path.name)]
    before = [path for path in paths.root.glob("queryscape.duckdb.layout-*") if _LAYOUT.search(path.name)]
    return (*sorted(daily, reverse=True), *sorted(before, key=lambda path: path.stat().st_mtime, reverse=True))


def copy_store(database: Database, target: Path) -> None:
    """Write a consistent copy of an open store to a new file, completely or not at all.

    DuckDB copies it itself: reading the open file would release the lock on it.
    """
    aside = part_of(target)
    with disk_errors(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            _copy_into(database, aside)
            os.replace(aside, target)
        finally:
            for left in (aside, log_of(aside)):
                left.unlink(missing_ok=True)


def _copy_into(database: Database, file: Path) -> None:
    name = f"copy_{uuid.uuid4().hex}"
    source = database.rows("SELECT current_database()")[0][0]
    place = str(file).replace("'", "''")
    engine = database.engine
    # Beside the connection that pages use, so that they don't wait. A guest has one line to the owner.
    run = (lambda sql: engine.run_beside(sql, None, "nothing")) if isinstance(engine, StoreFile) else database.execute
    run(f"ATTACH '{place}' AS {name}")
    try:
        run(f'COPY FROM DATABASE "{source}" TO {name}')
        run(f"CHECKPOINT {name}")  # so that the one file holds everything
    finally:
        run(f"DETACH {name}")


def keep_daily_copy(database: Database, today: Callable[[], date] = date.today) -> Path | None:
    """Copy an open store to `copies/` unless today has one, and keep the last three. None: nothing was copied."""
    paths = WorkspacePaths(database.path.parent)
    if database.is_read_only or not isinstance(database.engine, StoreFile):
        return None  # the owner makes them
    target = paths.root / FOLDER / f"queryscape-{today().isoformat()}.duckdb"
    daily = sorted(path for path in (paths.root / FOLDER).glob("*.duckdb") if _NAME.search(path.name))
    if target in daily or (daily and daily[-1].name > target.name):  # a clock that was set back copies nothing
        return None
    copy_store(database, target)
    for old in [path for path in daily if path != target][: -(KEPT - 1)]:
        with suppress(OSError):
            old.unlink()
    return target


def try_daily_copy(database: Database) -> None:
    """Keep a copy for today, in the background. A full disk, or a store that is closed meanwhile, leaves none."""
    with suppress(QueryscapeError):
        keep_daily_copy(database)


def is_readable(copy: Path) -> bool:
    """Return True if every table of a copy can be read."""
    try:
        with duckdb.connect(str(copy), read_only=True, config={"autoinstall_known_extensions": False}) as connection:
            names = [name for (name,) in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()]
            for name in names:
                connection.execute(f'SELECT bit_xor(hash(t)) FROM "{name}" AS t').fetchone()
            return "store_info" in names
    except duckdb.Error:
        return False


def restore_newest(paths: WorkspacePaths, set_aside: Callable[[Path], Path]) -> tuple[Path, Path]:
    """Put the newest copy that can be read in the store's place. Return the copy, and where the store is now.

    `set_aside` renames a file, and returns its new name.
    """
    for copy in copies(paths):
        if is_readable(copy):
            break
    else:
        raise StoreError(f"{paths.root} has no copy that can be read: load a saved workspace into another folder")
    ready = part_of(paths.store)
    with disk_errors(paths.store):
        try:
            shutil.copyfile(copy, ready)  # before anything is moved, so that a full disk changes nothing
            moved = set_aside(paths.store)
            if log_of(paths.store).exists():
                set_aside(log_of(paths.store))
            os.replace(ready, paths.store)
        finally:
            ready.unlink(missing_ok=True)
    return copy, moved
