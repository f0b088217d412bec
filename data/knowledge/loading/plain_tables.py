"""Tables of the plain layout, row by row: text with any delimiter, or Parquet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from core.errors import FormatError
from core.types import Ids
from data.collections.lines import TextFile
from data.collections.parts import clean_text
from data.importers.tables.rows import DELIMITERS, rows_of
from data.knowledge.loading.rejecting import LeftOut
from data.knowledge.loading.saying import said

ROWS = 50_000
TABLE_SUFFIXES = (".csv", ".tsv", ".tab", ".txt", ".parquet", ".pq")
Names = Mapping[str, Ids]
"""What a column is for, and what it may be called, the likeliest name first."""


@dataclass(frozen=True, eq=False)
class Table:
    """A table whose columns are known."""

    name: str
    header: Ids
    rows: Iterator[tuple[int, Sequence[str]]]
    """Each with its line, as many cells as columns."""

    def places(self, names: Names, needed: Ids) -> Mapping[str, int]:
        """Where the columns are. A missing one that is needed is an error."""
        plain = [_plain(column) for column in self.header]
        found = {what: plain.index(name) for what, known in names.items() for name in reversed(known) if name in plain}
        missing = [what for what in needed if what not in found]
        if missing:
            raise FormatError(
                f'{self.name} has no column "{missing[0]}": its columns are {", ".join(self.header)[:200] or "none"}'
            )
        return found


def _plain(column: str) -> str:
    return column.strip().strip(":").lower().replace(" ", "_").replace("-", "_").replace(":", "_")


def read_table(path: Path, root: Path, left_out: LeftOut, notes: list[str]) -> Table:
    """A file of rows."""
    if path.suffix.lower() in (".parquet", ".pq"):
        return _parquet(path, path.relative_to(root).as_posix())
    file = TextFile.at(path, root)
    text = file.whole()
    notes += file.notes
    lines = text.split("\n")
    ends_whole = lines[-1] == ""
    if ends_whole:
        lines.pop()
    start = next((place for place, line in enumerate(lines) if line.strip()), 0)
    if not lines:
        raise FormatError(f"{file.name} is empty")
    delimiter = max(DELIMITERS, key=lines[start].count)
    header = tuple(clean_text(cell) for cell in next(rows_of(lines[start : start + 1], delimiter, 1)).cells)
    return Table(file.name, header, _text_rows(lines, delimiter, start, header, file.name, left_out, ends_whole))


def _text_rows(
    lines: list[str], delimiter: str, start: int, header: Ids, name: str, left_out: LeftOut, ends_whole: bool
) -> Iterator[tuple[int, Sequence[str]]]:
    width, n_lines = len(header), len(lines)
    for row in rows_of(lines, delimiter, width, start + 1):
        cells = row.cells
        if row.empty:
            continue
        is_last = row.line + sum(cell.count("\n") for cell in cells) >= n_lines
        if len(cells) < width and is_last and not ends_whole:
            left_out.reject(name, row.line, "the file ends in the middle of this row: it may have been cut off")
        elif len(cells) > width and any(cell.strip() for cell in cells[width:]):
            left_out.reject(name, row.line, f"{len(cells)} cells where {width} are expected")
        else:
            yield row.line, [*map(clean_text, cells[:width]), *[""] * (width - len(cells))]


def _parquet(path: Path, name: str) -> Table:
    if set(str(path)) & set("*?[]{}"):
        raise FormatError(f"{name} lies under a name with one of * ? [ ] {{ }}: give it and its folders plain names")
    connection = duckdb.connect(":memory:", config={"autoinstall_known_extensions": False})
    try:
        connection.execute("SET enable_progress_bar = false")
        connection.execute("SELECT * FROM read_parquet($1)", [str(path)])
        header = tuple(column[0] for column in connection.description or ())
    except duckdb.Error as e:
        connection.close()
        raise FormatError(f"{name} is no Parquet file, or damaged: write it again") from e
    return Table(name, header, _parquet_rows(connection, name))


def _parquet_rows(connection: duckdb.DuckDBPyConnection, name: str) -> Iterator[tuple[int, Sequence[str]]]:
    number = 0
    with connection:
        while True:
            try:
                rows = connection.fetchmany(ROWS)
            except duckdb.Error as e:
                raise FormatError(f"{name} is damaged: write it again") from e
            if not rows:
                return
            for row in rows:
                number += 1
                yield number, [*map(_cell, row)]


def _cell(value: Any) -> str:
    return str(value) if type(value) is int else said(value)
