"""Open the DuckDB file, upgrade it after a copy, run statements and transactions, and translate foreign errors."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import time
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from itertools import count
from pathlib import Path
from threading import Lock, RLock, get_ident
from types import TracebackType
from typing import Any, ClassVar, Literal, Self

import duckdb
import numpy as np
import numpy.typing as npt

from core.errors import CorruptStoreError, NewerStoreError, OlderStoreError, ReadOnlyError, StoreError, StoreInUseError
from data.files import disk_errors, disk_full, written_aside
from data.log import check_log, closed, opened, opening
from data.parts import part_of

# The upgrades of the store, from each layout to the next, starting at the baseline.
#
# The tables of the newest layout are in schema/. To change them, edit the files there and add the statements that
# convert a store of the previous layout.

BASELINE = 11
"""The oldest layout that can be opened."""
BASELINE_COMMIT = "0efb80e"
"""The last commit that opens an older layout; it upgrades the store to the baseline."""
UPGRADES: Mapping[int, str] = {
    11: """
        CREATE TABLE searches (
            search_id VARCHAR PRIMARY KEY, topic_id VARCHAR NOT NULL, number INTEGER NOT NULL, kind VARCHAR NOT NULL,
            database VARCHAR NOT NULL, platform VARCHAR NOT NULL, searched_on VARCHAR NOT NULL,
            searched_by VARCHAR NOT NULL, text VARCHAR NOT NULL, limits VARCHAR NOT NULL, n_hits BIGINT, label VARCHAR,
            note VARCHAR NOT NULL
        );
        CREATE TABLE search_files (search_id VARCHAR NOT NULL, source_id VARCHAR PRIMARY KEY);
        ALTER TABLE sources ADD COLUMN priority INTEGER;
    """,
    12: """
        CREATE TABLE changes (
            topic_id VARCHAR NOT NULL, subject VARCHAR NOT NULL, changed_by VARCHAR NOT NULL,
            changed_at VARCHAR NOT NULL, PRIMARY KEY (topic_id, subject)
        );
        ALTER TABLE query_versions ADD COLUMN made_by VARCHAR;
        ALTER TABLE live_runs ADD COLUMN made_by VARCHAR;
        ALTER TABLE writer_steps ADD COLUMN made_by VARCHAR;
        CREATE TABLE schedules (run_id VARCHAR PRIMARY KEY, every VARCHAR NOT NULL, tried_at VARCHAR);
    """,
}
"""By layout: the SQL that upgrades it to the next one."""
SCHEMA_VERSION = BASELINE + len(UPGRADES)
"""The newest layout: the one in schema/."""


# Open the DuckDB file, run statements and transactions, and translate foreign errors.

SCHEMA = Path(__file__).with_name("schema")
"""The tables, one file per area."""
Columns = dict[str, npt.NDArray[Any]]
NO_ROOM = ("no space left", "file too large", "disk quota", "out of disk")
LOOK_AGAIN_SECONDS = 0.05
"""Interval at which a waiting reader checks whether a large transaction holds the store."""
CLOSE_SECONDS = 5.0
"""Time that closing gives a statement of another thread."""
TIMES_TO_LOCK = 100
"""Times that a guest asks for a lock while one owner ends and the next one starts."""
LARGE = {"threads": "2", "memory_limit": "512MB"}
"""Settings for a large transaction. Each thread needs part of the memory, so there are few."""
MOST_REMEMBERED = 1_000
"""Number of query results cached in memory until the next write."""
LARGEST_REMEMBERED = 50_000
"""Largest size of a cached result, in cells plus characters."""
MOST_IN_KEY = 100
"""Longest list parameter of a query whose result is cached."""
READS = re.compile(r"\s*(SELECT|WITH)\b", re.IGNORECASE)
CACHES = re.compile(r"\s*INSERT OR REPLACE INTO remembered\b", re.IGNORECASE)
"""A cached result outdates no other result."""
WRITES = re.compile(r"\b(INSERT|UPDATE|DELETE|MERGE)\b", re.IGNORECASE)
BEGIN, BEGIN_LARGE, COMMIT, ROLLBACK = "BEGIN TRANSACTION", "BEGIN TRANSACTION -- large", "COMMIT", "ROLLBACK"
LAST_CHANGE = "SELECT 0 AS last_change"
"""A guest asks its owner for the number of the last change with this query."""
Parameters = Sequence[Any] | dict[str, Any] | None
Row = tuple[Any, ...]
Fetch = Literal["nothing", "rows", "columns"]


class StoreEngine(ABC):
    """Run the statements of a store: in its file, or in the process that has the file open."""

    path: Path
    large_settings: Mapping[str, str] = {}
    """Settings during a large transaction."""
    remembers = True
    """True: results of queries can be cached in this process, because nothing is written without it."""

    @abstractmethod
    def run(self, sql: str, parameters: Parameters, fetch: Fetch) -> Any:
        """Run one statement and fetch its rows as tuples or as columns. One thread at a time."""

    @abstractmethod
    def run_beside(self, sql: str, parameters: Parameters, fetch: Fetch) -> Any:
        """Run a query outside the transaction in progress; any thread."""

    @abstractmethod
    def close(self) -> None: ...

    @abstractmethod
    def lock(self, name: str, *, waits: bool) -> AbstractContextManager[None]:
        """Hold the lock of this name, one for all processes that have the store open."""

    @abstractmethod
    def is_locked(self, name: str) -> bool: ...

    def successor(self, database: Database) -> StoreEngine:
        """Return the engine to continue with after `OwnerEndedError`."""
        raise NotImplementedError


class OwnerEndedError(StoreInUseError):
    """The process that had the store open has ended. `may_have_run`: the statement may have been run before."""

    def __init__(self, message: str, *, may_have_run: bool) -> None:
        super().__init__(message)
        self.may_have_run = may_have_run


def _open(file: Path, path: Path, *, read_only: bool = False) -> duckdb.DuckDBPyConnection:
    """Open this file; messages show `path`, the path that people know."""
    try:
        connection = duckdb.connect(str(file), read_only=read_only, config={"autoinstall_known_extensions": False})
        connection.execute("SET enable_progress_bar = false")  # it would mix with the results on standard output
        return connection
    except duckdb.Error as e:
        text = str(e).lower()
        if "could not set lock" in text:
            raise _in_use(path) from e
        if any(sign in text for sign in NO_ROOM):
            raise disk_full(path) from e
        if "permission denied" in text or "read-only" in text:
            raise StoreError(
                f"{path} can't be written: check the permissions of the file and its folder, "
                "or copy the folder and choose the copy with --data-dir"
            ) from e
        reason = _first_line(e).replace(str(file), str(path))
        raise CorruptStoreError(
            f"{path} can't be read as a store ({reason}): restore a backup, or run queryscape workspace check"
        ) from e


def _in_use(path: Path) -> StoreInUseError:
    return StoreInUseError(f"{path} is open in another Queryscape: close it or choose another folder with --data-dir")


def _first_line(e: Exception) -> str:
    return str(e).strip().splitlines()[0][:200] if str(e).strip() else type(e).__name__


def _make(path: Path) -> None:
    """Create a store in a temporary file and rename it: an interruption leaves no store, or a complete one."""
    aside = part_of(path)
    with disk_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            database = Database(StoreFile(_open(aside, aside), aside))
            try:
                with database.transaction():
                    for area in sorted(SCHEMA.glob("*.sql")):
                        database.execute(area.read_text(encoding="utf-8"))
                    database.execute("INSERT INTO store_info VALUES (?)", [SCHEMA_VERSION])
            finally:
                database.close()
            if not path.exists():  # another process may have been faster
                os.replace(aside, path)
        finally:
            for left in path.parent.glob(f"{aside.name}*"):
                left.unlink(missing_ok=True)


class StoreFile(StoreEngine):
    """The open DuckDB file. Foreign errors become ours."""

    large_settings = LARGE

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, path: Path, folder: tempfile.TemporaryDirectory[str] | None = None
    ) -> None:
        """`folder`: for a copy, the folder to delete when it is closed."""
        self.path, self.folder = path, folder
        self._connection = connection
        self._is_closed = False
        self._beside: set[duckdb.DuckDBPyConnection] = set()
        """Connections of statements that run outside the transaction in progress."""
        opened(path)

    def run(self, sql: str, parameters: Parameters, fetch: Fetch) -> Any:
        return self._run_on(self._connection, sql, parameters, fetch)

    def run_beside(self, sql: str, parameters: Parameters, fetch: Fetch) -> Any:
        try:
            beside = self._connection.cursor()
        except duckdb.Error as e:
            raise self._wrapped(e) from e
        with beside:
            self._beside.add(beside)
            try:
                return self._run_on(beside, sql, parameters, fetch)
            finally:
                self._beside.discard(beside)

    def _run_on(self, connection: duckdb.DuckDBPyConnection, sql: str, parameters: Parameters, fetch: Fetch) -> Any:
        try:
            done = connection.execute(sql, parameters)
            if fetch == "nothing":
                return None
            return done.fetchall() if fetch == "rows" else done.fetchnumpy()
        except duckdb.Error as e:
            raise self._wrapped(e) from e
        except RuntimeError as e:
            if "interrupt" in str(e).lower():  # DuckDB's message for Ctrl-C
                raise KeyboardInterrupt from e
            raise

    def _wrapped(self, e: duckdb.Error) -> StoreError:
        text = str(e).lower()
        if any(sign in text for sign in NO_ROOM):
            return disk_full(self.path)
        if isinstance(e, duckdb.IOException | duckdb.FatalException | duckdb.InternalException) or "corrupt" in text:
            return CorruptStoreError(f"{self.path} is damaged ({_first_line(e)}): restore a backup or move it away")
        return StoreError(f"{self.path}: {_first_line(e)}")

    @contextmanager
    def lock(self, name: str, *, waits: bool) -> Iterator[None]:
        held = _locks[self.path, name]
        if not held.acquire(blocking=waits):
            raise StoreInUseError(f"another Queryscape is at work here ({name}): wait until it has finished")
        try:
            yield
        finally:
            held.release()

    def is_locked(self, name: str) -> bool:
        return _locks[self.path, name].locked()

    def close(self) -> None:
        deadline = time.monotonic() + CLOSE_SECONDS
        while self._beside and time.monotonic() < deadline:
            for beside in tuple(self._beside):
                with suppress(duckdb.Error):
                    beside.interrupt()
            time.sleep(0.01)
        self._connection.close()
        if not self._is_closed:
            self._is_closed = True
            closed(self.path)
        if self.folder is not None:
            self.folder.cleanup()


_numbers = count(time.time_ns())
"""Numbers of changes: never the same again, not even in another process."""
_locks: defaultdict[tuple[Path, str], Lock] = defaultdict(Lock)
"""The named locks of the stores that this process has open, by path and name."""


class Database:
    """One open store: statements, transactions and cached results, whatever the engine that runs them."""

    _remembered: ClassVar[dict[Hashable, tuple[Row, ...]]] = {}
    """Small results, cached until this process writes. A write replaces the dictionary.

    Shared by all open stores, as two may have the same file open.
    """
    _changes: ClassVar[defaultdict[Path, int]] = defaultdict(lambda: next(_numbers))
    """The number of the last change of each file."""

    def __init__(self, engine: StoreEngine) -> None:
        self.engine = engine
        self._lock = RLock()
        self._read_beside_in: int | None = None
        """The thread of a transaction in progress during which other threads read the earlier state."""
        self._in_transaction = False
        self.closing = ExitStack()
        """What ends before the store is closed."""
        self.path = engine.path
        self.is_read_only = False
        """True: this is a copy of a workspace that can only be read, and writes to it are lost."""

    @property
    def is_owner(self) -> bool:
        """Return True if the file is open in this process, and not in another one that runs the statements."""
        return isinstance(self.engine, StoreFile)

    @property
    def n_changes(self) -> int:
        """Return a number that changes with every change, so that holders of cached results can tell that they are
        outdated."""
        if self.engine.remembers:
            return Database._changes[self.path]
        return int(self._run(LAST_CHANGE, None, "rows")[0][0])

    def _changed(self, sql: str = "") -> None:
        if not CACHES.match(sql):
            Database._changes[self.path] = next(_numbers)
        Database._remembered = {}

    @contextmanager
    def lock(self, name: str, *, waits: bool = True) -> Iterator[None]:
        """Hold the lock of this name, so that no other process or thread does the same work at once.

        `waits`: False raises an error if another one holds it.
        """
        with ExitStack() as held:
            for left in reversed(range(TIMES_TO_LOCK)):
                _ = self.n_changes  # finds the next owner if the last one has ended
                try:
                    held.enter_context(self.engine.lock(name, waits=waits))
                    break
                except OwnerEndedError:
                    if not left:
                        raise
                    time.sleep(LOOK_AGAIN_SECONDS)
            yield

    def is_locked(self, name: str) -> bool:
        return self.engine.is_locked(name)

    @property
    def own_folder(self) -> Path | None:
        """For a copy: a folder for files that are deleted when the copy is closed."""
        folder = self.engine.folder if isinstance(self.engine, StoreFile) else None
        return None if folder is None else Path(folder.name)

    @classmethod
    def open(cls, path: Path, *, upgrades: Mapping[int, str] = UPGRADES) -> Self:
        """Open the store, or create it. An earlier layout is upgraded, and a copy of the old store stays."""
        with disk_errors(path):
            is_new = not path.exists()
        if is_new:
            _make(path)
        with opening:
            check_log(path)
            database = cls(StoreFile(_open(path, path), path))
        with database.closed_on_error():
            layout = database._layout(upgrades)
            if layout not in upgrades:
                return database
            database.execute("CHECKPOINT")  # so that the one file holds everything
        database.close()
        return cls._upgraded_beside_copy(path, layout, upgrades)

    @classmethod
    def _upgraded_beside_copy(cls, path: Path, layout: int, upgrades: Mapping[int, str]) -> Self:
        """Copy the closed store, then upgrade it. An interruption leaves the old store, or the new one and the copy.

        The file is copied while it is closed, because reading an open file would release DuckDB's lock on it.
        """
        copy = path.with_name(f"{path.name}.layout-{layout}")
        with written_aside(copy) as target:
            before = path.stat()
            with path.open("rb") as source:
                shutil.copyfileobj(source, target)
            database = cls(StoreFile(_open(path, path), path))
            with database.closed_on_error():
                now = path.stat()
                if (now.st_mtime_ns, now.st_size) != (before.st_mtime_ns, before.st_size):
                    raise _in_use(path)  # another process wrote to it during the copy
        with database.closed_on_error():
            for left in path.parent.glob(f"{path.name}.layout-*.part"):  # from interrupted upgrades
                left.unlink(missing_ok=True)
            database._upgrade(layout, upgrades)
        return database

    @classmethod
    def open_copy(cls, path: Path, *, upgrades: Mapping[int, str] = UPGRADES) -> Self:
        """Open a copy of a store that can only be read: caches are written to it, and lost with it.

        A store that another process has open is refused, because its file changes while it is copied.
        """
        try:
            _open(path, path, read_only=True).close()
        except StoreInUseError:
            raise
        except StoreError:
            pass  # opening the copy says what is wrong
        folder = tempfile.TemporaryDirectory(prefix="queryscape-")
        try:
            with disk_errors(path):
                for name in (path.name, f"{path.name}.wal"):
                    with suppress(FileNotFoundError):
                        shutil.copyfile(path.with_name(name), Path(folder.name, name))
            database = cls(StoreFile(_open(Path(folder.name, path.name), path), path, folder))
        except BaseException:
            folder.cleanup()
            raise
        database.is_read_only = True
        with database.closed_on_error():
            database._upgrade(database._layout(upgrades), upgrades)
        return database

    def check_writable(self) -> None:
        """Raise an error if this is a read-only copy."""
        if self.is_read_only:
            raise ReadOnlyError(
                f"{self.path} can only be read here: copy its folder to a place that you may write to, and choose the "
                "copy with --data-dir"
            )

    @contextmanager
    def closed_on_error(self) -> Iterator[None]:
        try:
            yield
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        self.closing.close()
        is_free = self._lock.acquire(timeout=CLOSE_SECONDS)
        try:
            self.engine.close()
        finally:
            if is_free:
                self._lock.release()
            Database._remembered = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, e: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _layout(self, upgrades: Mapping[int, str]) -> int:
        self.execute("PRAGMA disable_checkpoint_on_shutdown")  # a store that is refused stays unchanged
        try:
            found = int(self.rows("SELECT max(schema_version) FROM store_info")[0][0])
        except (StoreError, TypeError) as e:
            # Listing the tables takes as long as opening the store, so do it only after an error.
            tables = {name for (name,) in self.rows("SELECT table_name FROM information_schema.tables")}
            if "store_info" not in tables:
                raise CorruptStoreError(
                    f"{self.path} is a DuckDB file of another program: choose another folder with --data-dir"
                ) from e
            raise CorruptStoreError(f"{self.path} has no layout number: restore a backup") from e
        newest = max(upgrades, default=BASELINE - 1) + 1
        if found < 1:
            raise CorruptStoreError(
                f"{self.path} has layout {found}, which no Queryscape version uses: restore a backup"
            )
        if found < BASELINE:
            raise OlderStoreError(
                f"{self.path} has layout {found}, too old to upgrade (before {BASELINE}): open it once "
                f"with Queryscape at commit {BASELINE_COMMIT}, or choose another folder with --data-dir"
            )
        if found > newest:
            raise NewerStoreError(
                f"{self.path} was written by a newer Queryscape (layout {found}; this one supports up to {newest}): "
                "update Queryscape, or choose another folder with --data-dir"
            )
        self.execute("PRAGMA enable_checkpoint_on_shutdown")
        return found

    def _upgrade(self, layout: int, upgrades: Mapping[int, str]) -> None:
        """Upgrade the store from this layout to the newest, completely or not at all."""
        if layout not in upgrades:
            return
        with self.transaction():
            while layout in upgrades:
                self.execute(upgrades[layout])
                layout += 1
            self.execute("UPDATE store_info SET schema_version = ?", [layout])

    def _run(self, sql: str, parameters: Parameters, fetch: Fetch) -> Any:
        """Run one statement and fetch its rows. An engine serves one thread at a time; others wait."""
        with self._lock:
            while True:
                try:
                    return self.engine.run(sql, parameters, fetch)
                except OwnerEndedError as e:
                    if self._in_transaction or (e.may_have_run and not is_query(sql)):
                        raise
                self.engine = self.engine.successor(self)  # which may end soon, too

    def execute(self, sql: str, parameters: Parameters = None) -> None:
        """Run one statement; foreign errors become ours."""
        try:
            self._run(sql, parameters, "nothing")
        finally:
            self._changed(sql)

    def rows(self, sql: str, parameters: Parameters = None) -> list[tuple[Any, ...]]:
        """Return all rows of a query; cached until the next write."""
        remembered, key = Database._remembered, _query_key(sql, parameters) if self.engine.remembers else None
        if key is not None and (known := remembered.get((id(self), key))) is not None:
            return list(known)
        found: list[Row] = self._read(sql, parameters, "rows")
        # Results from inside a transaction are not committed; other results may be outdated by one.
        if key is not None and not self._in_transaction and _size(found) <= LARGEST_REMEMBERED:
            if len(remembered) >= MOST_REMEMBERED:
                remembered.clear()
            remembered[id(self), key] = tuple(found)
        return found

    def columns(self, sql: str, parameters: Parameters = None) -> Columns:
        """Return all rows of a query as arrays, one per column; masked if a value may be NULL."""
        found: Columns = self._read(sql, parameters, "columns")
        return found

    def _read(self, sql: str, parameters: Parameters, fetch: Fetch) -> Any:
        """Read the rows of a query. During a large transaction return its earlier state, so that pages don't wait."""
        while not self._lock.acquire(timeout=LOOK_AGAIN_SECONDS):
            if self._read_beside_in in (None, get_ident()) or not is_query(sql):
                continue
            with suppress(StoreError):  # memory may not suffice for a second cursor; then wait
                return self.engine.run_beside(sql, parameters, fetch)
            self._lock.acquire()
            break
        try:
            return self._run(sql, parameters, fetch)
        finally:
            if not is_query(sql):  # it may have written
                self._changed()
            self._lock.release()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Run a transaction, all or nothing; other threads wait until it ends."""
        with self._lock, self._begun(BEGIN):
            yield

    @contextmanager
    def _begun(self, statement: str) -> Iterator[None]:
        self.execute(statement)
        self._in_transaction = True
        try:
            yield
            self.execute(COMMIT)
        except BaseException:
            # After a failed commit there is nothing to roll back, and DuckDB raises an error.
            with suppress(StoreError):
                self.engine.run(ROLLBACK, None, "nothing")
            raise
        finally:
            self._changed()
            self._in_transaction = False

    @contextmanager
    def large_transaction(self) -> Iterator[None]:
        """Run a transaction that writes much: beyond a limited part in memory, its writes wait on disk until it ends.

        Meanwhile other writing threads wait, and reading threads see the earlier state.
        """
        with self._lock:
            settings = self.engine.large_settings
            for name, value in settings.items():
                with suppress(StoreError):  # more than that may already be in use
                    self.execute(f"SET {name} = '{value}'")
            try:
                with self._begun(BEGIN_LARGE), self.read_beside():
                    yield
            finally:
                for name in settings:
                    self.execute(f"RESET {name}")

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait until no other thread uses the store; others wait meanwhile."""
        with self._lock:
            yield

    @contextmanager
    def read_beside(self) -> Iterator[None]:
        """Let other threads read the state before the transaction of this thread instead of waiting for its end."""
        self._read_beside_in = get_ident()
        try:
            yield
        finally:
            self._read_beside_in = None


def is_query(sql: str) -> bool:
    return READS.match(sql) is not None and WRITES.search(sql) is None


def _query_key(sql: str, parameters: Parameters) -> Hashable | None:
    """Return a cache key for a query; None if the statement may write, or has long or complex parameters."""
    if not is_query(sql):
        return None
    named = parameters.items() if isinstance(parameters, dict) else enumerate(parameters or ())
    plain = tuple((name, tuple(value) if isinstance(value, list) else value) for name, value in named)
    return (sql, plain) if all(_is_plain(value) for _, value in plain) else None


def _is_plain(value: object) -> bool:
    if isinstance(value, tuple):
        return len(value) <= MOST_IN_KEY and all(map(_is_plain, value))
    return isinstance(value, str | int | float | None)


def _size(rows: list[Row]) -> int:
    return sum(len(cell) if isinstance(cell, str | bytes) else 1 for row in rows for cell in row)


def as_positions(column: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """Convert an integer column to int64, with -1 for NULL."""
    return np.ma.filled(np.ma.asarray(column).astype(np.int64), -1)
