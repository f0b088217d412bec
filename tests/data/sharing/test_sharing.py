"""A guest reads and writes as the owner does, and what one changes the other sees."""

from __future__ import annotations

import json
import os
import socket
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any

import numpy as np
import pytest

from core.errors import DiskFullError, ReadOnlyError, StoreError, StoreInUseError
from core.types import Publication
from data.database import Database, OwnerEndedError
from data.explore.workspace import Workspace
from data.sharing import opening, sockets
from data.sharing.guest import GuestEngine, line_to_owner
from data.sharing.opening import open_shared
from data.sharing.sockets import PORT, SOCKET, SocketLine, connect, greet_owner, open_door
from data.store import Store
from tests.data.children import TOP

MANY = "SELECT range AS n, 'no. ' || range AS words, CASE WHEN range % 3 = 0 THEN range / 2 END AS half FROM range(99)"
KINDS = """
    SELECT 1 AS whole, 0.5 AS decimal, 'nan'::DOUBLE AS nothing, true AS flag, 'é' AS words, NULL AS missing,
    'ab'::BLOB AS bytes, DATE '2026-11-28' AS day, TIMESTAMP '2026-11-28 12:00:00' AS moment, [1, NULL] AS several,
    {'a': 1, 'b': ['x']} AS parts, INTERVAL 3 DAY AS days, 170141183460469231731687303715884105727::HUGEINT AS huge
"""


@pytest.fixture(params=["unix", "tcp"])
def path(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    if request.param == "tcp":
        monkeypatch.setenv(sockets.VARIABLE, "tcp")
    return tmp_path / "queryscape.duckdb"


@pytest.fixture
def owner(path: Path) -> Iterator[Store]:
    with open_shared(Store, path) as store:
        yield store


@pytest.fixture
def join(path: Path, owner: Store) -> Iterator[Callable[[], Store]]:
    """Open the store once more, as another process would."""
    with ExitStack() as opened:
        yield lambda: opened.enter_context(guest_of(path))


def guest_of(path: Path) -> Store:
    line = line_to_owner(path)
    assert line is not None
    return Store(GuestEngine(path, line, opening._succeed))


def test_only_this_user_can_reach_the_owner(path: Path, owner: Store) -> None:
    (file,) = (path.parent / name for name in (SOCKET, PORT) if (path.parent / name).exists())
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert (file.name == PORT) == (os.environ.get(sockets.VARIABLE) == "tcp")
    owner.close()
    assert not file.exists()


def test_a_guest_reads_what_the_owner_reads(owner: Store, join: Callable[[], Store]) -> None:
    other = join()
    for sql in (MANY, KINDS, MANY + " WHERE false"):
        assert repr(other.rows(sql)) == repr(owner.rows(sql))
        mine, theirs = owner.columns(sql), other.columns(sql)
        assert list(mine) == list(theirs)
        for name, column in mine.items():
            assert type(column) is type(theirs[name])
            assert column.dtype == theirs[name].dtype
            assert repr(column.tolist()) == repr(theirs[name].tolist())
    assert other.rows("SELECT $a, $b", {"a": ["x", None], "b": b"\0"}) == [(["x", None], b"\0")]
    assert other.rows("SELECT ?", [np.int64(3)]) == [(3,)]


def test_each_sees_what_the_other_changed(owner: Store, join: Callable[[], Store]) -> None:
    one, two = join(), join()
    for i, (writes, reads) in enumerate([(one, owner), (owner, two), (two, one), (one, two)]):
        before = owner.n_changes, one.n_changes, two.n_changes
        assert reads.rows("SELECT count(*) FROM publications") == [(i,)]
        writes.save_publications([Publication(f"p{i}", "x")])
        assert reads.rows("SELECT count(*) FROM publications") == [(i + 1,)]
        after = owner.n_changes, one.n_changes, two.n_changes
        assert all(a != b for a, b in zip(before, after, strict=True))
    before_remembered = owner.n_changes
    one.remember("key", "kind", "1", None)
    assert owner.recall("key") == ("1", None)
    assert owner.n_changes == before_remembered, "a cached result outdates no other"


def test_errors_are_the_same(owner: Store, join: Callable[[], Store], monkeypatch: pytest.MonkeyPatch) -> None:
    other = join()
    for call, sql in ((Database.rows, "SELEC"), (Database.execute, "INSERT INTO publications VALUES (1)")):
        with pytest.raises(StoreError) as mine:
            call(owner, sql)
        with pytest.raises(StoreError) as theirs:
            call(other, sql)
        assert (type(mine.value), str(mine.value)) == (type(theirs.value), str(theirs.value))
    with pytest.raises(TypeError, match="complex"):
        other.rows("SELECT ?", [1j])
    assert other.rows("SELECT 1") == [(1,)]

    def full(*_: object) -> None:
        raise DiskFullError("no room")

    monkeypatch.setattr(type(owner.engine), "run", full)
    with pytest.raises(DiskFullError, match="no room"):
        other.rows("SELECT 2")


@pytest.mark.parametrize("begin", [Database.transaction, Database.large_transaction])
def test_a_transaction_is_all_or_nothing(owner: Store, join: Callable[[], Store], begin: Any) -> None:
    one, two = join(), join()
    with suppress(ZeroDivisionError), begin(one):
        one.save_publications([Publication("p", "x")])
        assert one.known_ids(["p"]) == ("p",)
        assert owner.known_ids(["p"]) == two.known_ids(["p"]) == (), "readers see the state before, and don't wait"
        raise ZeroDivisionError
    assert one.known_ids(["p"]) == owner.known_ids(["p"]) == ()
    with begin(one):
        one.save_publications([Publication("p", "x")])
    assert two.known_ids(["p"]) == owner.known_ids(["p"]) == ("p",)


def test_writers_take_turns(owner: Store, join: Callable[[], Store]) -> None:
    owner.execute("CREATE TABLE counted (n INTEGER)")
    owner.execute("INSERT INTO counted VALUES (0)")
    stores = [owner, join(), join(), join()]

    def add(store: Store) -> None:
        for _ in range(5):
            with store.transaction():
                ((n,),) = store.rows("SELECT n FROM counted")
                store.execute("UPDATE counted SET n = ?", [n + 1])

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(add, stores))
    assert owner.rows("SELECT n FROM counted") == [(20,)]


def test_a_guest_that_dies_in_a_transaction_leaves_nothing(owner: Store, join: Callable[[], Store], path: Path) -> None:
    code = """
import os, signal, sys
from pathlib import Path
from data.sharing.opening import open_shared
from data.store import Store
store = open_shared(Store, Path(sys.argv[1]))
store.execute("INSERT INTO store_info VALUES (1)")
with store.transaction():
    store.execute("INSERT INTO store_info VALUES (2)")
    os.kill(os.getpid(), signal.SIGKILL)
"""
    subprocess.run([sys.executable, "-c", code, str(path)], cwd=TOP, check=False)
    with join().transaction():  # waits until the lock is free
        assert owner.rows("SELECT * FROM store_info WHERE schema_version < 9") == [(1,)]


def test_a_transaction_ends_with_the_owner(owner: Store, join: Callable[[], Store], path: Path) -> None:
    one = join()

    def write() -> None:
        with one.transaction():
            one.save_publications([Publication("p", "x")])
            for session in tuple(opening._owners[path]._sessions):
                session.line.close()  # as if the owner were killed
            one.save_publications([Publication("q", "x")])

    with pytest.raises(OwnerEndedError):
        write()
    assert one.known_ids(["p", "q"]) == ()


def test_guests_continue_when_the_owner_ends(path: Path) -> None:
    owner = open_shared(Store, path)
    owner.save_publications([Publication("p", "x")])
    with closing(guest_of(path)) as one, closing(guest_of(path)) as two:
        owner.close()
        assert one.known_ids(["p"]) == ("p",)
        two.save_publications([Publication("q", "x")])
        assert one.known_ids(["q"]) == two.known_ids(["q"]) == ("q",)
        assert path in opening._owners


def test_a_guests_transaction_may_end_before_the_owner(path: Path) -> None:
    owner = open_shared(Store, path)
    with closing(guest_of(path)) as one:
        with one.transaction():
            one.save_publications([Publication("p", "x")])
            ending = Thread(target=owner.close)
            ending.start()
            one.save_publications([Publication("q", "x")])
        ending.join()
        assert one.known_ids(["p", "q"]) == ("p", "q")


def test_two_opened_in_one_process_are_served_until_the_last_is_closed(path: Path) -> None:
    first, second = open_shared(Store, path), open_shared(Store, path)
    with closing(guest_of(path)) as one:
        first.close()
        one.save_publications([Publication("p", "x")])
        assert second.known_ids(["p"]) == ("p",)
    second.close()
    assert line_to_owner(path) is None


def test_named_locks_hold_across_processes(owner: Store, join: Callable[[], Store]) -> None:
    one, two = join(), join()
    with one.lock("index"):
        for other in (owner, two):
            with ThreadPoolExecutor(1) as thread, pytest.raises(StoreInUseError):
                thread.submit(other.lock("index", waits=False).__enter__).result()
        with two.lock("another", waits=False):
            pass
        assert one.rows("SELECT 1") == [(1,)]
        has_it = Event()

        def wait() -> None:
            with two.lock("index"):
                has_it.set()

        waiting = Thread(target=wait)
        waiting.start()
        assert not has_it.is_set()
    waiting.join(30)
    assert has_it.is_set()


def test_what_a_dead_owner_left_is_replaced(path: Path) -> None:
    left = socket.socket(socket.AF_UNIX)
    left.bind(str(path.parent / SOCKET))
    left.close()
    (path.parent / PORT).write_text(json.dumps({"port": 1, "token": "old"}))
    assert connect(path.parent) is None
    with open_shared(Store, path), guest_of(path) as one:
        assert one.rows("SELECT 1") == [(1,)]


@pytest.mark.parametrize("token", [b"", b"old"])
def test_a_wrong_token_opens_nothing(path: Path, owner: Store, token: bytes) -> None:
    connected = connect(path.parent)
    assert connected is not None
    line, right = connected
    with closing(line):
        if token == right:
            token = b"wrong"
        with pytest.raises((OSError, KeyError)):
            greet_owner(line, token, path)
    assert owner.rows("SELECT 1") == [(1,)]


def test_a_stranger_behind_the_door_gets_no_statement(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    door = open_door(path.parent)
    received: list[object] = []

    def play() -> None:
        with closing(SocketLine(door.listening.accept()[0])) as line:
            line.send(sockets._about())
            received.append(line.receive())
            line.send({"proof": "guessed"})
            with suppress(OSError):
                received.append(line.receive())

    stranger = Thread(target=play)
    stranger.start()
    assert line_to_owner(path) is None
    stranger.join()
    door.close()
    assert len(received) == 1


@pytest.mark.parametrize("name", ["version", "layout", "queryscape"])
def test_another_version_is_refused(path: Path, owner: Store, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    about = sockets._about()
    line, _ = connect(path.parent) or pytest.fail("no one listens")
    theirs = line.receive()
    assert theirs[name] == about[name]
    monkeypatch.setattr(SocketLine, "receive", lambda self, most=0: {**theirs, name: "9.9"})
    with closing(line), pytest.raises(StoreInUseError, match="use the same version"):
        greet_owner(line, b"", path)


def test_no_answer_is_a_sentence(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "HELLO_SECONDS", 0.05)
    door = open_door(path.parent)
    with pytest.raises(StoreInUseError, match="doesn't answer"):
        line_to_owner(path)
    door.close()


def test_noise_ends_only_its_own_line(path: Path, owner: Store) -> None:
    for noise in (b"GET / HTTP/1.1\r\n\r\n", b"\0" * 8, b"\xff" * 64):
        connected = connect(path.parent)
        assert connected is not None
        connected[0]._socket.sendall(noise)
        connected[0].close()
    with guest_of(path) as one:
        assert one.rows("SELECT 1") == [(1,)]


def test_a_folder_that_can_not_be_written_to_opens_for_reading(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Workspace.open(tmp_path) as workspace:
        workspace.store.save_publications([Publication("p", "x")])
    before = sorted(tmp_path.iterdir())
    monkeypatch.setattr("data.files.os.access", lambda *_: False)
    with Workspace.open(tmp_path) as workspace, Workspace.open(tmp_path) as other:
        assert workspace.store.known_ids(["p"]) == other.store.known_ids(["p"]) == ("p",)
        assert not workspace.paths.index("new").is_relative_to(tmp_path)
        with pytest.raises(ReadOnlyError):
            workspace.store.check_writable()
        assert sorted(tmp_path.iterdir()) == before


def test_a_store_that_another_program_holds_is_refused_after_a_while(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "PATIENCE_SECONDS", 0.1)

    def held(*_: object) -> None:
        raise StoreInUseError("could not set lock")

    monkeypatch.setattr(Store, "open", held)
    with pytest.raises(StoreInUseError, match="isn't shared"):
        open_shared(Store, path)


def test_ctrl_c_ends_a_guests_transaction_and_not_its_store(
    owner: Store, join: Callable[[], Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    one = join()

    def write() -> None:
        with one.transaction():
            one.save_publications([Publication("p", "x")])
            with monkeypatch.context() as patched:
                patched.setattr(one.engine._line, "_exactly", stopped)  # type: ignore[attr-defined]
                one.save_publications([Publication("q", "x")])

    def stopped(*_: object) -> bytearray:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write()
    one.save_publications([Publication("r", "x")])  # as a run that notes that it was stopped
    assert owner.known_ids(["p", "q", "r"]) == ("r",)
