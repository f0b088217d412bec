"""Open a store as its owner, or as a guest of the process that has it open."""

from __future__ import annotations

import atexit
import time
from contextlib import suppress
from pathlib import Path
from threading import RLock
from typing import TypeVar

from core.errors import CorruptStoreError, StoreError, StoreInUseError
from data.database import Database, StoreEngine
from data.files import WorkspacePaths
from data.sharing.guest import GuestEngine, line_to_owner
from data.sharing.owner import StoreOwner

PATIENCE_SECONDS = 10.0
"""Time during which the store may be in use without an owner that listens: one that starts or ends just now."""
PAUSE = 0.02
D = TypeVar("D", bound=Database)


def open_store(kind: type[D], paths: WorkspacePaths) -> D:
    """Open the store of a workspace, or create it; a workspace that can't be written to is opened for reading."""
    if paths.is_read_only:
        return kind.open_copy(paths.store)
    paths.make_root()
    return open_shared(kind, paths.store)


def open_shared(kind: type[D], path: Path) -> D:
    """Open the store and serve it to other processes; if another process has it open, become its guest."""
    database = kind(_engine(kind, path))
    with database.closed_on_error():
        _serve(database)
    return database


def _engine(kind: type[Database], path: Path) -> StoreEngine:
    deadline, damage = time.monotonic() + PATIENCE_SECONDS, ""
    while True:
        refusal: StoreInUseError | None = None
        try:
            line = None if path in _owners else line_to_owner(path)
            if line is not None:
                return GuestEngine(path, line, _succeed)
        except StoreInUseError as e:
            refusal = e
        try:
            return kind.open(path).engine
        except StoreInUseError as e:
            if refusal is not None:
                raise refusal from e
            if time.monotonic() > deadline:
                raise StoreInUseError(
                    f"{path} is open in another program or for another user, and isn't shared: close it there, or "
                    "choose another folder with --data-dir"
                ) from e
        except CorruptStoreError as e:
            if str(e) == damage:
                raise
            damage = str(e)  # look twice: an owner that ends just now writes while its files are read
        time.sleep(PAUSE)


def _succeed(path: Path, database: Database) -> StoreEngine:
    engine = _engine(type(database), path)
    _serve(database, engine)
    return engine


# The stores that this process owns. One that is open twice here is served once.

_open: dict[Path, list[Database]] = {}
_owners: dict[Path, StoreOwner] = {}
_lock = RLock()


def _serve(database: Database, engine: StoreEngine | None = None) -> None:
    if isinstance(engine or database.engine, GuestEngine):
        return
    with _lock:
        _open.setdefault(database.path, []).append(database)
        _start(database.path)
    database.closing.callback(_leave, database)


def _start(path: Path) -> None:
    if path not in _owners:
        with suppress(OSError, StoreError):  # without a socket, the store can only be used by this process
            _owners[path] = StoreOwner(_open[path][0], path.parent)


@atexit.register
def _end_all() -> None:
    """Let guests end their transactions, also where a program forgets to close its workspace."""
    for owner in tuple(_owners.values()):
        owner.close()


def _leave(database: Database) -> None:
    with _lock:
        path, owner = database.path, _owners.get(database.path)
        _open[path].remove(database)
        if owner is not None and owner.database is database:
            del _owners[path]
            owner.close()
        if _open[path]:
            _start(path)
        else:
            del _open[path]
