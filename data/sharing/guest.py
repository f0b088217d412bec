"""Run statements in the process that has the store open. When it ends, its successor is found or becomes this one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from core.errors import StoreError, StoreInUseError
from data.database import COMMIT, Database, Fetch, OwnerEndedError, Parameters, StoreEngine
from data.sharing.sockets import SocketLine, connect, greet_owner
from data.sharing.wire import WireError, error_of_parts, to_bytes


def line_to_owner(path: Path) -> SocketLine | None:
    """Connect to the owner of this store; None: no one listens yet, or no longer."""
    connected = connect(path.parent)
    if connected is None:
        return None
    line, token = connected
    try:
        greet_owner(line, token, path)
    except TimeoutError as e:
        line.close()
        raise StoreInUseError(
            f"{path} is open in another Queryscape that doesn't answer: continue or end that process, then try again"
        ) from e
    except (OSError, WireError, KeyError, TypeError, ValueError):
        line.close()
        return None
    except BaseException:
        line.close()
        raise
    return line


class GuestEngine(StoreEngine):
    remembers = False

    def __init__(self, path: Path, line: SocketLine, succeed: Callable[[Path, Database], StoreEngine]) -> None:
        """`succeed`: opens the store again, as a guest of another owner or as the owner."""
        self.path = path
        self._line: SocketLine | None = line
        self._succeed = succeed

    def run(self, sql: str, parameters: Parameters, fetch: Fetch) -> Any:
        data = to_bytes(["run", sql, parameters, fetch])
        if self._line is None:
            raise self._ended(may_have_run=False)
        try:
            return self._answer(self._line, data, sql)
        except (StoreError, ValueError, TypeError, RuntimeError, ArithmeticError, MemoryError) as e:
            if isinstance(e, OwnerEndedError):
                self.close()
            raise
        except BaseException:  # Ctrl-C between question and answer: the line can't be used again
            self.close()
            raise

    def run_beside(self, sql: str, parameters: Parameters, fetch: Fetch) -> Any:
        line = line_to_owner(self.path)
        if line is None:
            raise self._ended(may_have_run=False)
        try:
            return self._answer(line, to_bytes(["run", sql, parameters, fetch]), sql)
        finally:
            line.close()

    @contextmanager
    def lock(self, name: str, *, waits: bool) -> Iterator[None]:
        line = line_to_owner(self.path)
        if line is None:
            raise self._ended(may_have_run=False)
        try:
            self._answer(line, to_bytes(["lock", name, waits]), "")
            yield
        finally:
            line.close()

    def is_locked(self, name: str) -> bool:
        try:
            with self.lock(name, waits=False):
                return False
        except StoreInUseError as e:
            return not isinstance(e, OwnerEndedError)

    def successor(self, database: Database) -> StoreEngine:
        self.close()
        return self._succeed(self.path, database)

    def close(self) -> None:
        if self._line is not None:
            self._line.close()
            self._line = None

    def _answer(self, line: SocketLine, data: bytes, sql: str) -> Any:
        has_begun = False
        try:
            line.send_bytes(data)
            kind, *answer = line.receive()
            if kind == "begun":
                has_begun = True
                kind, *answer = line.receive()
        except (OSError, WireError) as e:
            raise self._ended(may_have_run=has_begun or sql == COMMIT) from e
        if kind == "error":
            raise error_of_parts(*answer)
        return answer[0]

    def _ended(self, *, may_have_run: bool) -> OwnerEndedError:
        saved = "the last change may have been saved" if may_have_run else "nothing of this step was saved"
        return OwnerEndedError(
            f"{self.path}: the Queryscape that had it open has ended, and {saved}: look, and run the command again",
            may_have_run=may_have_run,
        )
