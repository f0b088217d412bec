"""The write-ahead log: a flipped byte never loses a committed change silently, and a cut by a kill is no damage."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

from core.errors import CorruptStoreError, StoreInUseError
from data.log import check_log, log_damage, log_of
from data.store import Store
from tests.data.children import child, killed_child

WRITE = """
import os, signal, sys
from pathlib import Path
from data.store import Store
store = Store.open(Path(sys.argv[1]))
store.execute("CHECKPOINT")
for n in range(12):
    store.save_topic(f"topic {n}", ("p1",))
os.kill(os.getpid(), signal.SIGKILL)
"""
N = 12


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store whose owner was killed after twelve changes, all of which are in the log."""
    path = tmp_path_factory.mktemp("killed") / "queryscape.duckdb"
    Store.open(path).close()
    killed_child(WRITE, path)
    assert log_of(path).stat().st_size > 1000
    return path


def copied(killed: Path, folder: Path, log: bytes) -> Path:
    path = folder / "queryscape.duckdb"
    shutil.copyfile(killed, path)
    log_of(path).write_bytes(log)
    return path


def n_topics(path: Path) -> int | None:
    """Open a store and count its topics; None if that is refused."""
    try:
        with Store.open(path) as store:
            return len(store.topics())
    except CorruptStoreError:
        return None


def flipped(log: bytes, at: int, bit: int) -> bytes:
    return log[:at] + bytes([log[at] ^ 1 << bit]) + log[at + 1 :]


def test_a_kill_loses_nothing_and_is_no_damage(killed: Path, tmp_path: Path) -> None:
    assert n_topics(copied(killed, tmp_path, log_of(killed).read_bytes())) == N


@pytest.mark.slow
def test_a_torn_tail_is_no_damage(killed: Path, tmp_path: Path) -> None:
    log = log_of(killed).read_bytes()
    path = copied(killed, tmp_path, log)
    for length in range(0, len(log), 11):
        log_of(path).write_bytes(log[:length])
        assert log_damage(path) is None
    assert n_topics(copied(killed, tmp_path, log[:-5])) in (N - 1, N)


def test_no_flip_loses_a_change_silently(killed: Path, tmp_path: Path) -> None:
    """Every byte of the head; elsewhere the log is checked before DuckDB sees it, or DuckDB refuses it."""
    log, rng = log_of(killed).read_bytes(), random.Random(3)
    for at in (*range(0, 60, 3), *(rng.randrange(len(log)) for _ in range(12)), len(log) - 20, len(log) - 3):
        assert n_topics(copied(killed, tmp_path, flipped(log, at, at % 8))) in (None, N), at


def test_a_damaged_log_says_where_and_what_to_do(killed: Path, tmp_path: Path) -> None:
    log = log_of(killed).read_bytes()
    path = copied(killed, tmp_path, flipped(log, len(log) // 2, 2))
    before = path.read_bytes()
    with pytest.raises(CorruptStoreError) as caught:
        Store.open(path)
    assert str(log_of(path)) in str(caught.value)
    assert path.read_bytes() == before
    assert log_of(path).is_file()


def test_the_log_of_a_living_owner_is_not_judged(killed: Path, tmp_path: Path) -> None:
    path = copied(killed, tmp_path, b"")
    with Store.open(path) as store:
        store.save_topic("mine", ("p1",))
        check_log(path)
        code = "import sys; from pathlib import Path; from data.store import Store; Store.open(Path(sys.argv[1]))"
        assert StoreInUseError.__name__ in child(code, path).stderr, "the lock is still held"
