"""Copies of the store: one a day, the last three, complete or absent, and never at the cost of the store's lock."""

from __future__ import annotations

import subprocess
import sys
from datetime import date, timedelta
from pathlib import Path

import duckdb
import pytest

from core.errors import DiskFullError, StoreInUseError
from data.archive import load_workspace, save_workspace
from data.copies import copies, copy_store, is_readable, keep_daily_copy, try_daily_copy
from data.database import StoreFile
from data.explore.workspace import Workspace
from data.files import WorkspacePaths
from data.sharing.guest import GuestEngine
from data.sharing.opening import open_shared
from data.store import Store
from tests.data.children import TOP, child
from tests.data.workspaces import fill

DAY = date(2026, 3, 1)
OPEN = "import sys; from pathlib import Path; from data.store import Store; Store.open(Path(sys.argv[1]))"


def names(folder: Path) -> list[str]:
    return [path.name for path in copies(WorkspacePaths.of(folder))]


def test_the_last_three_days_have_a_copy(tmp_path: Path) -> None:
    with Store.open(tmp_path / "queryscape.duckdb") as store:
        for day in range(5):
            store.save_topic(f"topic {day}", ("p1",))
            made = keep_daily_copy(store, lambda day=day: DAY + timedelta(day))
            assert made is not None
            assert keep_daily_copy(store, lambda day=day: DAY + timedelta(day)) is None
        assert keep_daily_copy(store, lambda: DAY) is None, "a clock that was set back replaces nothing"
        assert StoreInUseError.__name__ in child(OPEN, store.path).stderr, "the lock is still held"
    assert names(tmp_path) == [f"queryscape-2026-03-0{day}.duckdb" for day in (5, 4, 3)]
    assert {path.name for path in (tmp_path / "copies").iterdir()} == set(names(tmp_path))
    with Store.open(tmp_path / "copies" / "queryscape-2026-03-05.duckdb") as copy:
        assert [topic.topic_id for topic in copy.topics()] == [f"topic {day}" for day in range(5)]


def test_a_full_disk_leaves_neither_a_copy_nor_a_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store.open(tmp_path / "queryscape.duckdb") as store:
        keep_daily_copy(store, lambda: DAY)
        with monkeypatch.context() as patch:
            run = StoreFile.run_beside

            def full(engine: StoreFile, sql: str, *rest: object) -> object:
                if sql.startswith("COPY"):
                    raise DiskFullError("no room")
                return run(engine, sql, *rest)  # type: ignore[arg-type]

            patch.setattr(StoreFile, "run_beside", full)
            with pytest.raises(DiskFullError):
                copy_store(store, tmp_path / "copies" / "new.duckdb")
            try_daily_copy(store)
        assert [path.name for path in (tmp_path / "copies").iterdir()] == ["queryscape-2026-03-01.duckdb"]
        assert len(store.rows("SELECT database_name FROM duckdb_databases() WHERE NOT internal")) == 1


def test_a_copy_has_the_tables_rows_and_constraints_of_the_store(tmp_path: Path) -> None:
    fill(tmp_path / "ws")
    with Workspace.open(tmp_path / "ws") as workspace:
        copy_store(workspace.store, tmp_path / "copy.duckdb")
        assert is_readable(tmp_path / "copy.duckdb")
        with duckdb.connect(str(tmp_path / "copy.duckdb"), read_only=True) as copy:
            tables = "SELECT sql FROM duckdb_tables() WHERE database_name = current_database() ORDER BY table_name"
            assert copy.execute(tables).fetchall() == workspace.store.rows(tables)
            for table in ("publications", "core_publications", "retrieved", "vector_rows", "remembered"):
                assert copy.execute(f"FROM {table}").fetchall() == workspace.store.rows(f"FROM {table}")


@pytest.mark.slow
def test_a_guest_saves_the_workspace_of_another_process(tmp_path: Path) -> None:
    fill(tmp_path / "ws")
    path = tmp_path / "ws" / "queryscape.duckdb"
    code = "import sys; from pathlib import Path; from data.store import Store; from data.sharing.opening import *; "
    code += "store = open_shared(Store, Path(sys.argv[1])); print('open', flush=True); sys.stdin.read()"
    command = [sys.executable, "-c", code, str(path)]
    with subprocess.Popen(command, cwd=TOP, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as owner:
        assert owner.stdout is not None
        assert owner.stdin is not None
        owner.stdout.readline()
        with open_shared(Store, path) as store:
            assert isinstance(store.engine, GuestEngine)
            topics = store.topics()
            workspace = Workspace(WorkspacePaths.of(tmp_path / "ws"), store)
            save_workspace(workspace, tmp_path / "ws.zip")
        owner.stdin.close()
        owner.wait()
    load_workspace(tmp_path / "ws.zip", tmp_path / "new")
    with Workspace.open(tmp_path / "new") as new:
        assert new.store.topics() == topics
