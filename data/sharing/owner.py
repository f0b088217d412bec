"""Serve the open store to guests: one thread for each, which takes its turn as the threads of this process do."""

from __future__ import annotations

import time
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from threading import Lock, Thread
from typing import Any

from core.errors import StoreError, StoreInUseError
from data.database import BEGIN, BEGIN_LARGE, COMMIT, LAST_CHANGE, ROLLBACK, Database, is_query
from data.sharing.sockets import SocketLine, greet_guest, open_door
from data.sharing.wire import Rows, WireError, error_to_parts, to_bytes

GRACE_SECONDS = 5.0
"""Time for guests to end their transactions when the owner ends."""
PAUSE = 0.05
"""Interval at which a guest's thread looks for a lock again, and the listener for a free descriptor."""


class _RollBack(Exception):
    pass


class Session(Thread):
    """One guest. Its transaction is rolled back when the line ends before the commit."""

    def __init__(self, owner: StoreOwner, line: SocketLine) -> None:
        super().__init__(name="queryscape guest", daemon=True)
        self._owner, self._database, self.line = owner, owner.database, line
        self._transaction: AbstractContextManager[None] | None = None
        self._beside: AbstractContextManager[None] | None = None

    @property
    def is_in_transaction(self) -> bool:
        return self._transaction is not None

    def run(self) -> None:
        try:
            if not greet_guest(self.line, self._owner.token):
                return
            while not (self._owner.is_closing and self._transaction is None):
                kind, *request = self.line.receive()
                if kind == "lock":
                    self._hold(*request)
                    return
                self._answer(*request)
        except (OSError, WireError, ValueError, KeyError, TypeError):
            pass  # the guest has ended, or is none
        finally:
            self._roll_back()
            self.line.close()
            self._owner.forget(self)

    def _answer(self, sql: str, parameters: Any, fetch: str) -> None:
        try:
            answer = to_bytes(["rows", self._result(sql, parameters, fetch)])
        except OSError:
            raise
        except BaseException as e:  # DuckDB raises KeyboardInterrupt for an interrupted statement
            if self._owner.is_closing and self._transaction is None:
                return  # the guest continues with the next owner
            answer = to_bytes(["error", *error_to_parts(e)])
        self.line.send_bytes(answer)

    def _result(self, sql: str, parameters: Any, fetch: str) -> Any:
        if sql in (BEGIN, BEGIN_LARGE):
            return self._begin(is_large=sql == BEGIN_LARGE)
        if sql == COMMIT and (transaction := self._transaction):
            self._end_reading_beside()
            try:
                transaction.__exit__(None, None, None)
            finally:
                self._transaction = None
            return None
        if sql == ROLLBACK and self._transaction:
            return self._roll_back()
        if sql == LAST_CHANGE:
            return Rows([(self._database.n_changes,)])
        if self._transaction is None and not is_query(sql):
            with self._database.turn():
                if self._owner.is_closing:
                    raise StoreError("the owner is ending")
                self.line.send(["begun"])  # from here on the statement may have been run
                return self._fetched(sql, parameters, fetch)
        return self._fetched(sql, parameters, fetch)

    def _fetched(self, sql: str, parameters: Any, fetch: str) -> Any:
        if fetch == "rows":
            return Rows(self._database.rows(sql, parameters))
        run = self._database.columns if fetch == "columns" else self._database.execute
        return run(sql, parameters)

    def _begin(self, *, is_large: bool) -> None:
        transaction = self._database.large_transaction() if is_large else self._database.transaction()
        transaction.__enter__()
        if self._transaction is not None:  # DuckDB has no transaction within a transaction, and has said so
            raise StoreError("there is a transaction already")
        self._transaction = transaction
        if self._owner.is_closing:
            self._roll_back()
            raise StoreError("the owner is ending")
        if not is_large:  # a guest that pauses here holds up writers, but no page of the app
            self._beside = self._database.read_beside()
            self._beside.__enter__()

    def _end_reading_beside(self) -> None:
        if self._beside is not None:
            self._beside.__exit__(None, None, None)
            self._beside = None

    def _roll_back(self) -> None:
        self._end_reading_beside()
        if (transaction := self._transaction) is not None:
            self._transaction = None
            with suppress(_RollBack, StoreError):
                transaction.__exit__(_RollBack, _RollBack(), None)

    def _hold(self, name: str, waits: bool) -> None:
        """Hold a named lock until the guest closes the line."""
        while not self._owner.is_closing:
            try:
                with self._database.lock(name, waits=False):
                    self.line.send(["rows", None])
                    self.line.receive()
            except StoreInUseError as e:
                if not waits:
                    self.line.send(["error", *error_to_parts(e)])
                    return
                time.sleep(PAUSE)


class StoreOwner:
    """Listens in the workspace folder until it is closed."""

    def __init__(self, database: Database, folder: Path) -> None:
        self.database = database
        self.is_closing = False
        self._door = open_door(folder)
        self.token = self._door.token
        self._sessions: set[Session] = set()
        self._lock = Lock()
        Thread(target=self._accept, name="queryscape owner", daemon=True).start()

    def _accept(self) -> None:
        while not self.is_closing:
            try:
                connected, _ = self._door.listening.accept()
            except OSError:  # closed, or no descriptor is free
                time.sleep(PAUSE)
                continue
            session = Session(self, SocketLine(connected))
            with self._lock:
                if self.is_closing:
                    session.line.close()
                    return
                self._sessions.add(session)
            session.start()

    def forget(self, session: Session) -> None:
        with self._lock:
            self._sessions.discard(session)

    def close(self) -> None:
        """Let statements and transactions in progress end, for a short time; roll back the rest."""
        with self._lock:
            self.is_closing = True
            sessions = tuple(self._sessions)
        self._door.close()
        for session in sessions:
            if not session.is_in_transaction:
                session.line.end_receiving()
        deadline = time.monotonic() + GRACE_SECONDS
        for session in sessions:
            session.join(max(0.0, deadline - time.monotonic()))
        for session in sessions:
            if session.is_alive():
                session.line.close()
                session.join(1.0)
