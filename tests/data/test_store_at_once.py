"""The store while one thread writes much: others read what was there before, and wait where they write."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

import pytest

from core.errors import StoreError
from data.database import StoreFile
from data.explore.workspace import Workspace
from data.store import Store

PATIENCE = 30
"""Seconds until a test that hangs says so."""
T = TypeVar("T")


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with Workspace.open(tmp_path / "ws") as opened:
        opened.store.save_topic("Tea", ())
        yield opened


@pytest.fixture
def other() -> Iterator[Callable[[Callable[[], T]], Future[T]]]:
    """Has something done by another thread."""
    with ThreadPoolExecutor(max_workers=1) as pool:
        yield pool.submit


def add(workspace: Workspace, topic_id: str) -> None:
    workspace.store.execute("INSERT INTO topics (topic_id, made_up, core_hash) VALUES (?, FALSE, '')", [topic_id])


def names(workspace: Workspace) -> list[str]:
    return [topic.topic_id for topic in workspace.store.topics()]


def test_who_reads_does_not_wait_and_sees_what_was_there_before(
    workspace: Workspace, other: Callable[[Callable[[], list[str]]], Future[list[str]]]
) -> None:
    store = workspace.store
    with store.large_transaction():
        add(workspace, "Coffee")
        assert other(lambda: names(workspace)).result(PATIENCE) == ["Tea"]
        count = other(lambda: [str(n) for n in store.columns("SELECT count(*) AS n FROM topics")["n"]])
        assert count.result(PATIENCE) == ["1"]
        assert set(names(workspace)) == {"Coffee", "Tea"}  # the thread that writes
    assert set(other(lambda: names(workspace)).result(PATIENCE)) == {"Coffee", "Tea"}


def test_who_writes_waits(workspace: Workspace, other: Callable[[Callable[[], None]], Future[None]]) -> None:
    store = workspace.store
    with store.large_transaction():
        later = other(lambda: add(workspace, "Milk"))
        add(workspace, "Coffee")
        assert not later.done()
    later.result(PATIENCE)
    assert set(names(workspace)) == {"Coffee", "Milk", "Tea"}


def test_a_mistake_beside_it_is_told_once_it_is_over(
    workspace: Workspace, other: Callable[[Callable[[], object]], Future[object]]
) -> None:
    store = workspace.store
    with store.large_transaction():
        later = other(lambda: store.rows("SELECT nothing FROM nowhere"))
    with pytest.raises(StoreError):
        later.result(PATIENCE)


def test_closing_ends_a_statement_that_runs_beside(
    tmp_path: Path, other: Callable[[Callable[[], object]], Future[object]]
) -> None:
    engine = Store.open(tmp_path / "s.duckdb").engine
    assert isinstance(engine, StoreFile)
    endless = "SELECT count(*) FROM range(10_000_000_000) AS t(i) WHERE i % 7 = hash(i) % 7"
    counting = other(lambda: engine.run_beside(endless, None, "rows"))
    while not engine._beside:
        assert not counting.done()
    engine.close()
    with pytest.raises(StoreError):
        counting.result(PATIENCE)
