"""How a table is laid out: its delimiter or sheet, its header row, its columns. Found in the content of its head."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from weakref import WeakKeyDictionary

from core.errors import FormatError
from core.types import Ids
from data.importers.source import Source
from data.importers.tables.columns import n_known, plain_name, unique_names
from data.importers.tables.rows import DELIMITERS, Row, rows_of, starts_of
from data.importers.tables.workbook import rows_of_sheet, sheet_names

SAMPLE = 20
"""Rows that are looked at to find the header."""
MOST_HEADER_ROWS = 10
"""The header is one of the first rows; a title of the sheet or a remark may stand above it."""
MOST_COLUMNS = 20_000
_LONGEST_HEAD = 2_000_000
_OTHER_BEGINNINGS = ("{", "[", "<", "@", "%")
"""JSON, XML, BibTeX, Refer: none of them is a table."""


@dataclass(frozen=True, eq=False)
class Layout:
    """Where the rows of a table are and what its columns are called."""

    columns: Ids
    first: int
    """The line, or row of a workbook, behind the header, from 1."""
    delimiter: str
    """Empty in a workbook."""
    sheet: str
    """Empty in a text."""
    sample: tuple[Row, ...]
    """The first rows behind the header."""

    @cached_property
    def names(self) -> frozenset[str]:
        """Its columns in the form in which they are compared."""
        return frozenset(map(plain_name, self.columns))

    @property
    def steadiness(self) -> float:
        """The share of the first rows with as many cells as the header."""
        n_columns = len(self.columns)
        return sum(len(row.cells) == n_columns for row in self.sample) / len(self.sample) if self.sample else 1.0

    def rows(self, source: Source) -> Iterator[Row]:
        """Every row behind the header."""
        if self.sheet:
            return rows_of_sheet(source, self.sheet, self.first)
        return rows_of(source.lines, self.delimiter, len(self.columns), self.first - 1)

    def starts(self, source: Source) -> Sequence[int]:
        """Where rows that hold something begin."""
        if self.sheet:
            return [row.line for row in rows_of_sheet(source, self.sheet, self.first) if not row.empty]
        return starts_of(source.lines, self.delimiter, self.first - 1)


_KNOWN: WeakKeyDictionary[Source, Layout | None] = WeakKeyDictionary()


def layout_of(source: Source) -> Layout | None:
    """How the file is laid out if it can be read as a table; None for what can't be one."""
    if source not in _KNOWN:
        _KNOWN[source] = _of_workbook(source) if source.data else _of_text(source)
    return _KNOWN[source]


def needed_layout(source: Source) -> Layout:
    """The same, but no table is an error."""
    found = layout_of(source)
    if found is None:
        raise FormatError(f"{source.name} is not a table: choose another format with --format")
    return found


def _of_text(source: Source) -> Layout | None:
    if not source.head.strip() or source.head.lstrip().startswith(_OTHER_BEGINNINGS):
        return None
    lines, n_skipped = _first_lines(source), 0
    delimiters: Sequence[str] = DELIMITERS
    if lines[0].strip().lower()[:4] == "sep=" and len(lines[0].strip()) == 5:
        delimiters, n_skipped = lines[0].strip()[4], 1
    found = [_laid_out(islice(rows_of(lines, d, 0, n_skipped), SAMPLE), delimiter=d) for d in delimiters]
    layouts = [layout for layout in found if layout]
    return max(layouts, key=_fitness, default=None)


def _first_lines(source: Source) -> list[str]:
    """Whole lines only: what the end of the head cuts off is left out."""
    text = source.head
    if len(source.text) > len(text):
        whole = text[: text.rfind("\n") + 1]
        text = whole if whole.count("\n") > MOST_HEADER_ROWS else source.text[:_LONGEST_HEAD]
    return text.split("\n")


def _fitness(layout: Layout) -> tuple[int, float, int]:
    n_columns = len(layout.columns)
    return n_known(layout.columns[:MOST_COLUMNS]), layout.steadiness if n_columns > 1 else 0.0, n_columns


def _of_workbook(source: Source) -> Layout | None:
    """The first sheet with a header that says what its columns are, else the first one with rows."""
    found: list[Layout] = []
    for sheet in sheet_names(source):
        layout = _laid_out(islice(rows_of_sheet(source, sheet), SAMPLE), sheet=sheet)
        if layout:
            found.append(layout)
        if layout and n_known(layout.columns) > 1:
            return layout
    return found[0] if found else None


def _laid_out(rows: Iterator[Row], *, delimiter: str = "", sheet: str = "") -> Layout | None:
    some = [row for row in rows if not row.empty]
    if not some:
        return None
    place = _header_place(some)
    header = some[place]
    behind = tuple(some[place + 1 :])
    cells = [cell.strip().strip('"') for cell in header.cells]
    if sheet:
        while cells and not cells[-1].strip() and not any(len(r.cells) >= len(cells) and r.cells[-1] for r in behind):
            cells.pop()
    if _numbered(cells, behind):
        cells.insert(0, "")
    n_lines = 1 if sheet else 1 + sum(cell.count("\n") for cell in header.cells)
    names = unique_names(cells) if len(cells) <= MOST_COLUMNS else tuple(cells)
    return Layout(names, header.line + n_lines, delimiter, sheet, behind)


def _header_place(rows: Sequence[Row]) -> int:
    known = [n_known(row.cells[:MOST_COLUMNS]) for row in rows[:MOST_HEADER_ROWS]]
    if max(known):
        return known.index(max(known))
    return next((i for i, row in enumerate(rows) if sum(bool(cell.strip()) for cell in row.cells) > 1), 0)


def _numbered(header: Sequence[str], rows: Sequence[Row]) -> bool:
    """Whether each row begins with its number, for which the header has no name (as R writes tables)."""
    return len(rows) > 1 and all(len(row.cells) == len(header) + 1 and row.cells[0].isdigit() for row in rows)
