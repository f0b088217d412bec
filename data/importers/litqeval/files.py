"""Read the three kinds of file of a LitQEval collection: workbooks, the list of queries and result lists.

A row is a dict of lower-case column name to cell. What could not be taken as it stood is said in `notes`.
"""

from __future__ import annotations

import csv
import io
import json
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import openpyxl

from core.errors import FileError, FormatError
from core.types import Ids

Row = dict[str, Any]
_LONGEST_FIELD = 16 * 1024 * 1024
_NO_VALUE = frozenset({"", "nan", "none", "null", "[no abstract available]"})


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of one file."""

    name: str
    """The file's path inside the collection, as messages and notes call it."""
    rows: tuple[Row, ...]
    notes: Ids = ()


def read_workbook(path: Path, name: str, needed: Sequence[str], useful: Sequence[str]) -> Table:
    """The first sheet with every `needed` column. None with them is an error, a missing `useful` one a note."""
    try:
        lines = _sheet_lines(path, needed)
    except OSError as e:
        raise _unreadable(name, e) from e
    except Exception as e:  # openpyxl lets through whatever zip, XML and number parsing raise on a damaged workbook
        raise FormatError(f"{name} is not an Excel workbook (.xlsx): {_one_line(e)}: save or download it again") from e
    return _table(name, lines, needed, useful, notes=[])


def read_list(path: Path, name: str) -> Table:
    """A comma-separated result list with the columns id, title and abstract."""
    return read_comma_separated(path, name, ("id",), ("title", "abstract"))


def read_comma_separated(path: Path, name: str, needed: Sequence[str], useful: Sequence[str]) -> Table:
    """A comma-separated table. A missing `needed` column is an error, a missing `useful` one a note."""
    text, notes = _read_text(path, name)
    csv.field_size_limit(_LONGEST_FIELD)
    try:
        lines = _csv_lines(text, name, strict=True)
    except FormatError as e:
        notes.append(f"{e}: read anyway, rows may have run together")
        lines = _csv_lines(text, name, strict=False)
    return _table(name, lines, needed, useful, notes)


def read_queries(path: Path, name: str) -> Table:
    """A JSON list of objects, one per topic, each with its query texts."""
    text, notes = _read_text(path, name)
    try:
        entries = json.loads(text)
    except json.JSONDecodeError as e:
        raise FormatError(f"{name} is not valid JSON: {e.msg} in line {e.lineno}: correct or download it again") from e
    except (ValueError, RecursionError) as e:
        raise FormatError(f"{name} is not a list of queries: {_one_line(e)}: correct or download it again") from e
    if not isinstance(entries, list):
        raise FormatError(f'{name} must hold a list of objects with "baseline", not a {type(entries).__name__}')
    rows = tuple(entry for entry in entries if isinstance(entry, dict))
    if len(rows) < len(entries):
        notes.append(f"{name}: entries that are not objects, left out: {len(entries) - len(rows)}")
    return Table(name, rows, tuple(notes))


def cell_text(value: Any) -> str:
    """A cell as text; an empty one, or one that stands for "no value", is empty.

    >>> cell_text(" pub.1 "), cell_text(None), cell_text("nan"), cell_text("[No abstract available]"), cell_text(12.0)
    ('pub.1', '', '', '', '12')
    """
    number = whole_number(value) if isinstance(value, float) else None
    text = str(value if number is None else number).strip()
    return "" if text.lower() in _NO_VALUE else text


LARGEST_NUMBER = 2**31 - 1
"""A year or a count beyond this is a slip of the keyboard, and left out."""


def whole_number(value: Any) -> int | None:
    """A year or a count from a number or a text; None if it is not a whole number.

    >>> whole_number(2019.0), whole_number(" 2019 "), whole_number("2019.0"), whole_number("n.d."), whole_number(2.5)
    (2019, 2019, 2019, None, None)
    """
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    in_range = abs(number) <= LARGEST_NUMBER
    return int(number) if in_range and number.is_integer() and not isinstance(value, bool) else None


def _sheet_lines(path: Path, needed: Sequence[str]) -> list[tuple[Any, ...]]:
    # given an open file, openpyxl looks at the content and not at the extension
    with path.open("rb") as file, warnings.catch_warnings():
        warnings.filterwarnings("ignore", module="openpyxl")  # styles and other things that a reader of cells ignores
        workbook = openpyxl.load_workbook(file, read_only=True, data_only=True)
        try:
            first: list[tuple[Any, ...]] | None = None
            for sheet in workbook.worksheets:
                sheet.reset_dimensions()  # some programs write a range that is too small
                lines = [tuple(line) for line in sheet.iter_rows(values_only=True)]
                if _has_columns(lines, needed):
                    return lines
                first = lines if first is None else first
            return first or []
        finally:
            workbook.close()


def _has_columns(lines: Sequence[Sequence[Any]], needed: Sequence[str]) -> bool:
    head = next((line for line in lines if any(cell is not None for cell in line)), ())
    return {column.lower() for column in needed} <= {str(cell).strip().lower() for cell in head}


def _csv_lines(text: str, name: str, *, strict: bool) -> list[list[str]]:
    reader = csv.reader(io.StringIO(text, newline=""), strict=strict)
    try:
        return list(reader)
    except csv.Error as e:
        raise FormatError(f"{name}: line {reader.line_num} is not well-formed CSV ({e})") from e


def _table(
    name: str, lines: Iterable[Sequence[Any]], needed: Sequence[str], useful: Sequence[str], notes: list[str]
) -> Table:
    filled = [line for line in lines if any(cell is not None for cell in line)]
    head = ["" if cell is None else str(cell).strip() for cell in (filled[0] if filled else ())]
    columns = {column.lower(): i for i, column in reversed(list(enumerate(head)))}
    lacking = [column for column in needed if column.lower() not in columns]
    if lacking:
        found = " ".join(", ".join(column for column in head if column).split())[:200] or "none"
        raise FormatError(f"{name} has no column {', '.join(lacking)} (columns found: {found}): correct its first row")
    notes += [f"{name}: no column {column}" for column in useful if column.lower() not in columns]
    n_longer = sum(any(cell not in (None, "") for cell in line[len(head) :]) for line in filled[1:])
    if n_longer:
        notes.append(f"{name}: rows with more cells than the first row has, the surplus left out: {n_longer}")
    rows = [{column: line[i] if i < len(line) else None for column, i in columns.items()} for line in filled[1:]]
    return Table(name, tuple(rows), tuple(notes))


def _read_text(path: Path, name: str) -> tuple[str, list[str]]:
    try:
        content = path.read_bytes()
    except OSError as e:
        raise _unreadable(name, e) from e
    for encoding in ("utf-8-sig", "cp1252"):
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        return text, [] if encoding == "utf-8-sig" else [f"{name}: not valid UTF-8, read as {encoding}"]
    return content.decode("latin-1"), [f"{name}: not valid UTF-8, read as latin-1"]


def _unreadable(name: str, e: OSError) -> FileError:
    return FileError(f"can't read {name}: {e.strerror or e}")


def _one_line(e: Exception) -> str:
    return " ".join(str(e).split())[:200] or type(e).__name__
