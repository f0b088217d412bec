"""A table of a report as CSV (RFC 4180): the form in which it is compared, byte by byte."""

from __future__ import annotations

import math
import re

from core.audit.document import Table, Value
from core.audit.signs import writable
from core.cells import harmless

_QUOTED = re.compile(r'[",\r\n]|^\s|\s$')


def csv_text(table: Table) -> str:
    r"""A line with the heads, then one for each row; each line ends with a line feed.

    Numbers have six significant digits, whole ones are whole, and what is not known is empty. Text that a spreadsheet
    would run as a formula has an apostrophe before it.

    >>> from core.audit.document import Column
    >>> csv_text(Table("t", "", (Column("Line", "code"), Column("Score", "number")), (("=1, 2", 1 / 3), ("tea", None))))
    'Line,Score\n"\'=1, 2",0.333333\ntea,\n'
    """
    lines = [[_text(column.title) for column in table.columns]]
    lines += [[_cell(value) for value in row] for row in table.rows]
    return "".join(_line(cells) for cells in lines)


def _line(cells: list[str]) -> str:
    # a line that is wholly empty would be none
    return (",".join(cells) if cells != [""] else '""') + "\n"


def _cell(value: Value) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, int):
        return str(int(value))
    return _number(value)


def _number(value: float) -> str:
    if not math.isfinite(value):
        return ""
    if value.is_integer() and abs(value) < 1e6:
        return str(int(value))
    return f"{value:.6g}"


def _text(text: str) -> str:
    safe = harmless(writable(text))
    return '"' + safe.replace('"', '""') + '"' if _QUOTED.search(safe) else safe
