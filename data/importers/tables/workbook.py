"""Rows of a workbook (.xlsx), sheet by sheet, each cell as text."""

from __future__ import annotations

import io
import re
import warnings
import zipfile
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from itertools import zip_longest
from typing import Any

import openpyxl

from core.errors import FormatError
from data.importers.source import Source
from data.importers.tables.rows import Row

MOST_ROWS = 1_048_576
"""What Excel itself can hold."""
MOST_UNPACKED = 1_500_000_000
SUSPICIOUS, MOST_RATIO = 100_000_000, 150
"""Beyond so many bytes, packing better than this is no table of texts."""
_FORMULA = re.compile(rb"<f[ />]")


def sheet_names(source: Source) -> tuple[str, ...]:
    """Its sheets with cells, in their order."""
    workbook = _opened(source)
    try:
        return tuple(sheet.title for sheet in workbook.worksheets)
    finally:
        workbook.close()


def rows_of_sheet(source: Source, sheet: str, first: int = 1) -> Iterator[Row]:
    """Every row from row `first` on, hidden ones and empty ones too."""
    workbook = _opened(source)
    formulas = _opened(source, as_formulas=True) if _has_formulas(source) else None
    try:
        rows = _cells(workbook, sheet)
        written = _cells(formulas, sheet) if formulas else ()
        for number, (cells, others) in enumerate(zip_longest(rows, written), start=1):
            if number > MOST_ROWS:
                raise FormatError(f"{source.name} has more than {MOST_ROWS:,} rows: save it as CSV")
            if number >= first:
                yield Row(number, [cell_text(_known(c, i, others)) for i, c in enumerate(cells or ())])
    except FormatError:
        raise
    except Exception as e:  # whatever zip, XML and number parsing raise on a damaged workbook
        raise _damaged(source, e) from e
    finally:
        workbook.close()
        if formulas:
            formulas.close()


def _known(cell: Any, place: int, written: Any) -> Any:
    """A formula that nobody worked out stays what it is."""
    return written[place] if cell is None and written and place < len(written) else cell


def _cells(workbook: Any, sheet: str) -> Iterator[tuple[Any, ...]]:
    worksheet = workbook[sheet]
    worksheet.reset_dimensions()  # some programs write a range that is too small
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", module="openpyxl")
        yield from worksheet.iter_rows(values_only=True)


def _opened(source: Source, as_formulas: bool = False) -> Any:
    try:
        _check(source)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", module="openpyxl")  # styles, which a reader of cells doesn't need
            return openpyxl.load_workbook(io.BytesIO(source.data), read_only=True, data_only=not as_formulas)
    except FormatError:
        raise
    except Exception as e:  # whatever zip, XML and number parsing raise on a damaged workbook
        raise _damaged(source, e) from e


def _damaged(source: Source, e: Exception) -> FormatError:
    what = " ".join(str(e).split())[:120] or type(e).__name__
    return FormatError(f"{source.name} is a damaged workbook ({what}): save it again as .xlsx or CSV")


def _check(source: Source) -> None:
    """Nothing that unpacks to more than memory holds, and no XML that defines its own entities."""
    with zipfile.ZipFile(io.BytesIO(source.data)) as packed:
        parts = packed.infolist()
        n_bytes = sum(part.file_size for part in parts)
        if n_bytes > MOST_UNPACKED or (n_bytes > SUSPICIOUS and n_bytes > MOST_RATIO * len(source.data)):
            raise FormatError(f"{source.name} unpacks to {n_bytes / 1e9:.1f} GB: save it as CSV")
        for part in parts:
            if part.filename.endswith((".xml", ".rels")):
                with packed.open(part) as file:
                    if b"<!DOCTYPE" in file.read(2_000).replace(b"\x00", b""):
                        raise FormatError(f"{source.name} is a workbook with its own XML entities: save it as CSV")


def _has_formulas(source: Source) -> bool:
    with zipfile.ZipFile(io.BytesIO(source.data)) as packed:
        sheets = [name for name in packed.namelist() if name.startswith("xl/worksheets/") and name.endswith(".xml")]
        return any(_holds_formula(packed, name) for name in sheets)


def _holds_formula(packed: zipfile.ZipFile, name: str) -> bool:
    before = b""
    with packed.open(name) as file:
        while part := file.read(1_000_000):
            if _FORMULA.search(before + part):
                return True
            before = part[-3:]
    return False


def cell_text(value: Any) -> str:
    """A cell as text: whole numbers without a point, dates as 2019-03-12, in a year's place or not.

    >>> cell_text(2019.0), cell_text(None), cell_text(True), cell_text(datetime(2019, 3, 12)), cell_text(" a ")
    ('2019', '', 'true', '2019-03-12', ' a ')
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, datetime) and value.time() == time():
        value = value.date()
    return value.isoformat() if isinstance(value, date | time) else str(value)


def year_text(text: str) -> str:
    """A year that was typed into a cell formatted as a date: day 2019 since 1900 is a day of July 1905.

    >>> year_text("1905-07-11"), year_text("2019-03-12")
    ('2019', '2019-03-12')
    """
    if not text.startswith(("1904-", "1905-", "1906-")):
        return text
    try:
        days = (date.fromisoformat(text[:10]) - date(1899, 12, 30)) // timedelta(days=1)
    except ValueError:
        return text
    return str(days) if 1800 <= days <= 2199 else text
