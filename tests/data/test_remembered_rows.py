"""Results of queries are kept until something is written: nobody sees what is old, or not committed."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import StoreError
from data.database import Database, StoreFile

COUNT = "SELECT count(*) FROM teas"
NAMED = "WITH named AS (SELECT name FROM teas WHERE name IN (SELECT unnest($names))) SELECT name FROM named ORDER BY 1"


def opened() -> Database:
    database = Database(StoreFile(duckdb.connect(":memory:"), Path("memory")))
    database.execute("CREATE TABLE teas (name VARCHAR)")
    return database


@pytest.fixture
def database() -> Iterator[Database]:
    with opened() as database:
        yield database


@pytest.fixture
def statements(database: Database, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Those that reach DuckDB, in their order."""
    seen, run = [], database._run

    def listened(sql: str, *rest: object) -> object:
        seen.append(sql)
        return run(sql, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(database, "_run", listened)
    return seen


def add(database: Database, name: str) -> None:
    database.execute("INSERT INTO teas VALUES (?)", [name])


@pytest.mark.parametrize(("sql", "parameters"), [(COUNT, None), (NAMED, {"names": ["Assam"]})])
def test_a_query_runs_once_until_something_is_written(
    database: Database, statements: list[str], sql: str, parameters: dict[str, list[str]] | None
) -> None:
    first = database.rows(sql, parameters)
    database.rows(sql, parameters).append(("a caller's own",))
    assert database.rows(sql, parameters) == first
    assert statements == [sql]
    add(database, "Assam")
    assert database.rows(sql, parameters) != first


def test_parameters_tell_results_apart(database: Database) -> None:
    add(database, "Assam")
    assert database.rows(NAMED, {"names": ["Assam"]}) == [("Assam",)]
    assert database.rows(NAMED, {"names": ["Sencha"]}) == []


def test_a_statement_that_writes_and_returns_rows_is_run_each_time(database: Database) -> None:
    for n in (1, 2):
        assert database.rows("INSERT INTO teas VALUES ('Assam') RETURNING name") == [("Assam",)]
        assert database.rows(COUNT) == [(n,)]


def test_others_never_see_what_is_not_committed(database: Database) -> None:
    with ThreadPoolExecutor(1) as other:
        with suppress(ZeroDivisionError), database.large_transaction():
            add(database, "Assam")
            assert database.rows(COUNT) == [(1,)]
            assert other.submit(database.rows, COUNT).result() == [(0,)]
            assert database.rows(COUNT) == [(1,)]
            raise ZeroDivisionError
        assert other.submit(database.rows, COUNT).result() == database.rows(COUNT) == [(0,)]


def test_two_that_have_one_file_open_see_what_the_other_wrote(tmp_path: Path) -> None:
    with Database.open(tmp_path / "s.duckdb") as one, Database.open(tmp_path / "s.duckdb") as other:
        one.execute("CREATE TABLE teas (name VARCHAR)")
        for n in range(1, 3):
            add(one, "Assam")
            assert other.rows(COUNT) == one.rows(COUNT) == [(n,)]


@settings(max_examples=25)
@given(st.lists(st.sampled_from(["write", "fail", "commit", "roll back"]), max_size=8))
def test_reading_gives_what_is_stored(steps: list[str]) -> None:
    n = 0
    with opened() as database:
        for step in steps:
            if step == "write":
                add(database, step)
            elif step == "fail":
                with suppress(StoreError):
                    database.execute("INSERT INTO teas SELECT 'a' UNION ALL SELECT error('no')")
            else:
                with suppress(ZeroDivisionError), database.transaction():
                    add(database, step)
                    assert database.rows(COUNT) == [(n + 1,)]
                    if step == "roll back":
                        raise ZeroDivisionError
            n += step in ("write", "commit")
            assert database.rows(COUNT) == [(n,)]
