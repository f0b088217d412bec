"""Columns and rows of Parquet files, read by DuckDB."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from core.errors import FormatError
from core.types import Ids
from data.files import disk_errors
from data.importers.source import MOST_BYTES

ROWS = 1_000
"""Number of rows that are fetched together."""
MOST_ROWS = 10_000_000
"""In memory: a small file can claim any number of empty rows."""
_NO_EXTENSIONS: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
}


@dataclass(frozen=True, eq=False)
class ParquetTable:
    name: str
    columns: Ids
    """As written in the file: names can be repeated or empty."""
    n_rows: int
    _path: str
    _connection: duckdb.DuckDBPyConnection

    def n_bytes(self) -> int:
        """Return the size of all values as text, which a few bytes can unpack to."""
        try:
            columns = "SELECT sum(strlen(COLUMNS(*)::VARCHAR)) FROM read_parquet($1, hive_partitioning = false)"
            return sum(int(size or 0) for size in self._connection.execute(columns, [self._path]).fetchall()[0])
        except duckdb.Error as e:
            raise _unreadable(self.name, e) from e

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Yield the values of each row: texts, numbers, dates, lists, dictionaries or None."""
        try:
            found = self._connection.execute("SELECT * FROM read_parquet($1, hive_partitioning = false)", [self._path])
            while rows := found.fetchmany(ROWS):
                yield from rows
        except (duckdb.Error, ValueError, ArithmeticError) as e:  # the last two: values that Python can't represent
            raise _unreadable(self.name, e) from e


@contextmanager
def parquet_at(path: Path, name: str) -> Iterator[ParquetTable]:
    """Open a file for as long as its rows are read."""
    if set(str(path)) & set("*?[]{}"):
        raise FormatError(f"{name} has one of * ? [ ] {{ }} in its path: rename the file or folder")
    with duckdb.connect(":memory:", config=_NO_EXTENSIONS) as connection:
        try:
            connection.execute("SET enable_progress_bar = false")
            connection.execute("SET TimeZone = 'UTC'")
            parts = connection.execute("SELECT name, num_children FROM parquet_schema($1)", [str(path)]).fetchall()
            ((n_rows,),) = connection.execute("SELECT count(*) FROM read_parquet($1)", [str(path)]).fetchall()
        except duckdb.Error as e:
            raise _unreadable(name, e) from e
        yield ParquetTable(name, _top_columns(parts), n_rows, str(path), connection)


@contextmanager
def parquet_of(data: bytes, name: str) -> Iterator[ParquetTable]:
    """Open a file that is in memory."""
    with ExitStack() as stack:
        with disk_errors(Path(tempfile.gettempdir())):
            path = Path(stack.enter_context(tempfile.TemporaryDirectory()), "table.parquet")
            path.write_bytes(data)
        table = stack.enter_context(parquet_at(path, name))
        if table.n_rows > MOST_ROWS:
            raise FormatError(
                f"{name} has {table.n_rows:,} rows; the limit is {MOST_ROWS:,}: split it into several files"
            )
        if (n_bytes := table.n_bytes()) > MOST_BYTES:
            raise FormatError(
                f"{name} unpacks to {n_bytes / 1e9:.1f} GB; the limit is {MOST_BYTES / 1e9:.1f} GB: split it"
            )
        yield table


def _top_columns(parts: list[tuple[str, int | None]]) -> Ids:
    """Return the names of whole columns from the schema, which lists every part of a nested column after it."""
    columns: list[str] = []
    n_inside = 0
    for column, n_children in parts[1:]:
        if n_inside == 0:
            columns.append(column)
        else:
            n_inside -= 1
        n_inside += n_children or 0
    return tuple(columns)


def _unreadable(name: str, e: Exception) -> FormatError:
    reason = str(e)
    if "encrypt" in reason:
        return FormatError(f"{name} is an encrypted Parquet file: write it again without encryption")
    if "valid UTF8" in reason:
        return FormatError(f"{name} is a Parquet file with text that is not UTF-8: write it again, or save it as CSV")
    if "non-root column" in reason:
        return FormatError(f"{name} is a Parquet file without columns: write it again")
    return FormatError(f"{name} can't be read as Parquet; perhaps it is damaged: write it again, or save it as CSV")
