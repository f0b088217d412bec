"""The connection that a knowledge base is written through: bounded memory, and foreign errors in our words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import numpy.typing as npt

from core.errors import StoreError
from data.collections.parts import clean_text
from data.database import NO_ROOM
from data.files import disk_full

MEMORY = "1500MB"
"""What DuckDB may take; beyond it, it writes beside the file."""
Columns = dict[str, npt.NDArray[Any]]


@contextmanager
def written(file: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """A new file."""
    try:
        with duckdb.connect(str(file), config={"autoinstall_known_extensions": False}) as connection:
            connection.execute("SET enable_progress_bar = false")
            connection.execute(f"SET memory_limit = '{MEMORY}'")
            connection.execute("SET temp_directory = $1", [str(file.with_suffix(".tmp"))])
            with suppress(duckdb.Error):  # half the size of what DuckDB chooses, in less time; not every version has it
                connection.execute("SET force_compression = 'zstd'")
            yield connection
    except duckdb.Error as e:
        said = str(e).lower()
        if any(sign in said for sign in NO_ROOM):
            raise disk_full(file.parent) from e
        line = (str(e).strip().splitlines() or [type(e).__name__])[0][:200]
        raise StoreError(f"can't write {file.parent} ({line}): check that the folder is yours and has room") from e


def insert(connection: duckdb.DuckDBPyConnection, table: str, columns: Columns) -> None:
    """Rows behind those that are there."""
    connection.register("incoming", columns)
    try:
        connection.execute(f"INSERT INTO {table} SELECT * FROM incoming")
    finally:
        with suppress(duckdb.Error):  # after an error the transaction is over
            connection.unregister("incoming")


def texts(values: Sequence[str]) -> npt.NDArray[Any]:
    """Texts as DuckDB takes them: without halves of characters."""
    try:
        "".join(values).encode()
    except UnicodeEncodeError:
        values = [clean_text(text) for text in values]
    column = np.empty(len(values), dtype=object)
    column[:] = values
    return column
