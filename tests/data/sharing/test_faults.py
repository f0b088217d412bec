"""Processes that end at the wrong moment, and several that start at once: nothing is lost, and the others continue."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from core.types import Publication
from data.sharing import sockets
from data.sharing.opening import open_shared
from data.store import Store
from tests.data.children import TOP

pytestmark = pytest.mark.slow

START = """
import os, signal, sys
from pathlib import Path
from core.types import Publication
from data.sharing.opening import open_shared
from data.store import Store
path, name = Path(sys.argv[1]), sys.argv[2]
"""
OWNER = (
    START
    + """
with open_shared(Store, path) as store:
    assert store.is_owner
    with store.transaction():
        store.save_publications([Publication("unfinished", "x")])
        print("open", flush=True)
        sys.stdin.readline()
        os.kill(os.getpid(), signal.SIGKILL)
"""
)
GUEST = (
    START
    + """
with open_shared(Store, path) as store:
    print("open", flush=True)
    sys.stdin.readline()
    print("writes", flush=True)
    store.execute("INSERT INTO publications (publication_id, title) VALUES (?, 'alone')", [name + "-alone"])
    with store.transaction():
        store.save_publications([Publication(f"{name}-{i}", "x") for i in range(50)])
    print(len(store.known_ids([f"{name}-{i}" for i in range(50)])), flush=True)
"""
)
RACER = (
    START
    + """
with open_shared(Store, path) as store:
    with store.transaction():
        ((n,),) = store.rows("SELECT count(*) FROM publications")
        store.save_publications([Publication(f"p{n}", name)])
    print(store.is_owner, flush=True)
    sys.stdin.readline()
"""
)
KILLED_GUEST = (
    START
    + """
with open_shared(Store, path) as store:
    assert not store.is_owner
    with store.transaction():
        store.save_publications([Publication(name, "x")])
        print("writing", flush=True)
        sys.stdin.readline()
"""
)


class Child:
    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process

    def line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def say(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()


@contextmanager
def running(code: str, path: Path, name: str, **environment: str) -> Iterator[Child]:
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    command = [sys.executable, "-c", code, str(path), name]
    with subprocess.Popen(command, **pipes, text=True, cwd=TOP, env={**os.environ, **environment}) as process:
        try:
            yield Child(process)
        finally:
            process.kill()


@pytest.mark.parametrize("kind", ["unix", "tcp"])
def test_guests_that_wait_for_a_killed_owner_continue(tmp_path: Path, kind: str) -> None:
    path, environment = tmp_path / "queryscape.duckdb", {sockets.VARIABLE: kind}
    names = ("a", "b", "c")
    with ExitStack() as stack:
        owner = stack.enter_context(running(OWNER, path, "owner", **environment))
        assert owner.line() == "open"
        guests = [stack.enter_context(running(GUEST, path, name, **environment)) for name in names]
        assert [guest.line() for guest in guests] == ["open"] * 3
        for guest in guests:
            guest.say()
        assert [guest.line() for guest in guests] == ["writes"] * 3
        owner.say()
        assert owner.process.wait(60) == -signal.SIGKILL
        assert [guest.line() for guest in guests] == ["50"] * 3
        assert [guest.process.wait(60) for guest in guests] == [0] * 3
    with open_shared(Store, path) as store:
        stored = {name for (name,) in store.rows("SELECT publication_id FROM publications")}
    assert stored == {f"{name}-{i}" for name in names for i in (*range(50), "alone")}


def test_of_those_that_start_at_once_one_owns_the_store_and_none_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "queryscape.duckdb"
    with ExitStack() as stack:
        racers = [stack.enter_context(running(RACER, path, str(i))) for i in range(5)]
        assert sorted(racer.line() for racer in racers) == ["False"] * 4 + ["True"]
        for racer in racers:
            racer.say()
        assert [racer.process.wait(60) for racer in racers] == [0] * 5
    with open_shared(Store, path) as store:
        stored = store.rows("SELECT publication_id, title FROM publications ORDER BY ALL")
    assert [row[0] for row in stored] == [f"p{i}" for i in range(5)], "each saw what the one before had written"
    assert {row[1] for row in stored} == {str(i) for i in range(5)}


def test_a_guest_killed_in_the_middle_of_a_write_leaves_nothing_and_holds_nobody_up(tmp_path: Path) -> None:
    path = tmp_path / "queryscape.duckdb"
    with open_shared(Store, path) as store:
        for i in range(5):
            with running(KILLED_GUEST, path, f"killed{i}") as guest:
                assert guest.line() == "writing"
                assert store.known_ids([f"killed{i}"]) == (), "a guest that pauses in a write holds up no reader"
                guest.process.kill()
            store.save_publications([Publication(f"kept{i}", "x")])
        assert {row[0] for row in store.rows("SELECT publication_id FROM publications")} == {
            f"kept{i}" for i in range(5)
        }


def test_a_stopped_owner_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from core.errors import StoreInUseError

    path = tmp_path / "queryscape.duckdb"
    monkeypatch.setattr(sockets, "HELLO_SECONDS", 0.2)
    with running(RACER, path, "owner") as owner:
        assert owner.line() == "True"
        owner.process.send_signal(signal.SIGSTOP)
        with pytest.raises(StoreInUseError, match="doesn't answer"):
            open_shared(Store, path)
        owner.process.send_signal(signal.SIGCONT)
        monkeypatch.undo()
        with open_shared(Store, path) as store:
            assert not store.is_owner
