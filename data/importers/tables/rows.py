"""Rows of a text with delimiters: several lines in one cell, stray quotes, rows of any length.

Rows are read by Python's csv module in its strict form. Where it finds a quote that nobody closed, the row is read
again by a lenient grammar, and if that doesn't fit the header, as the single line it is: such a quote never swallows
the rows behind it. Row starts are counted by another means, a scan of lines for quotes that open and close a cell.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

DELIMITERS = (",", ";", "\t", "|")
LONGEST_CELL = 2**30
"""More than any file that can be opened; csv refuses cells beyond 131,072 characters by itself."""
MOST_LINES_AGAIN = 50
"""Lines that a row with a stray quote may span and still be read as one row."""
MOST_ATTEMPTS = 1_000
"""Rows that are tried over several lines; in a file with more stray quotes than these, a line is a row."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a table."""

    line: int
    """Where it begins, from 1."""
    cells: Sequence[str]
    stray_quote: bool = False
    """Whether its quotes don't pair up."""

    @property
    def empty(self) -> bool:
        """Whether no cell holds anything."""
        return not any(cell.strip() for cell in self.cells)


def rows_of(lines: Sequence[str], delimiter: str, width: int, start: int = 0) -> Iterator[Row]:
    """Every row from the line at index `start` on, blank ones too. `width`: cells that a row should have."""
    csv.field_size_limit(max(LONGEST_CELL, csv.field_size_limit()))
    attempts, place = MOST_ATTEMPTS, start
    spaced = _spaced(lines, delimiter, start)
    while place < len(lines):
        place = yield from _until_broken(lines, delimiter, width, place, spaced)
        if place < len(lines):
            row, n_lines = _mended(lines, delimiter, width, place, MOST_LINES_AGAIN if attempts else 1)
            yield row
            attempts -= attempts > 0
            place += n_lines


def _until_broken(
    lines: Sequence[str], delimiter: str, width: int, start: int, spaced: bool
) -> Generator[Row, None, int]:
    """Rows up to one with a stray quote; its index is what comes back."""
    ahead = (lines[i] + "\n" for i in range(start, len(lines)))
    reader = csv.reader(ahead, delimiter=delimiter, strict=True, skipinitialspace=spaced)
    place = start
    while place < len(lines):
        try:
            cells = next(reader)
        except csv.Error:
            return place
        end = start + reader.line_num
        if end > place + 1 and _swallowed(lines[place:end], delimiter, width, len(cells)):
            return place
        yield Row(place + 1, cells)
        place = end
    return place


def _spaced(lines: Sequence[str], delimiter: str, start: int) -> bool:
    """Whether quoted cells stand behind a delimiter and a space."""
    return any(f'{delimiter} "' in line and f'{delimiter}"' not in line for line in lines[start : start + 20])


def _swallowed(lines: Sequence[str], delimiter: str, width: int, n_cells: int) -> bool:
    """Whether a row of several lines is in truth several rows, held together by two stray quotes."""
    if width < 3 or (n_cells == width and len(lines) < 4):
        return False
    inner = lines[1:-1]
    n_rows = sum(_is_row(line, delimiter, width) for line in inner)
    first_is_row = _n_cells(lines[0], delimiter) == width
    if n_cells != width:
        return n_rows > 0 or first_is_row
    return first_is_row and n_rows > 0.8 * len(inner)


def _n_cells(line: str, delimiter: str) -> int:
    return len(lenient_cells(line, delimiter)[0])


def _is_row(line: str, delimiter: str, width: int) -> bool:
    cells, closed = lenient_cells(line, delimiter)
    return closed and len(cells) == width


def _mended(lines: Sequence[str], delimiter: str, width: int, place: int, most_lines: int) -> tuple[Row, int]:
    """A row whose quotes don't pair up, and how many lines it takes."""
    whole = ""
    for n_lines, line in enumerate(lines[place : place + most_lines], start=1):
        if len(whole) > 200_000 or (n_lines > 1 and _is_row(line, delimiter, width)):
            break
        whole = f"{whole}\n{line}" if n_lines > 1 else line
        if whole.count('"') % 2 and n_lines > 1:
            continue
        cells, closed = lenient_cells(whole, delimiter)
        if closed and len(cells) == width:
            return Row(place + 1, cells, stray_quote=True), n_lines
    plain = lines[place].split(delimiter)  # where quotes mean nothing, as in many tab-delimited files
    if len(plain) == width:
        return Row(place + 1, [_unquoted(cell) for cell in plain], stray_quote=True), 1
    return Row(place + 1, lenient_cells(lines[place], delimiter)[0], stray_quote=True), 1


def _unquoted(cell: str) -> str:
    whole = len(cell) > 1 and cell[0] == cell[-1] == '"'
    return cell[1:-1].replace('""', '"') if whole else cell


def lenient_cells(text: str, delimiter: str) -> tuple[list[str], bool]:
    """Cells of one row, and whether its quotes close.

    A quote closes a cell only before a delimiter or the end; elsewhere it is a character. A cell that is never closed
    ends at the next delimiter.

    >>> lenient_cells('1,"a "b" c, d",2', ","), lenient_cells('1,"a b,2', ",")
    ((['1', 'a "b" c, d', '2'], True), (['1', '"a b', '2'], False))
    """
    if '"' not in text:
        return text.split(delimiter), True
    quoted, closed = _quoted(delimiter), True
    cells: list[str] = []
    place = 0
    while place <= len(text):
        if text.startswith('"', place) and closed:
            found = quoted.match(text, place)
            if found:
                cells.append(found[1].replace('""', '"'))
                place = found.end() + 1
                continue
            closed = False
        end = text.find(delimiter, place)
        end = len(text) if end < 0 else end
        cells.append(text[place:end])
        place = end + 1
    return cells, closed


@lru_cache(maxsize=8)
def _quoted(delimiter: str) -> re.Pattern[str]:
    """A quoted cell up to a quote before a delimiter or the end. Each character is looked at once."""
    end = rf"(?:{re.escape(delimiter)}|\Z)"
    return re.compile(rf'"((?:[^"]++|""|"(?! *+{end}))*+)" *+(?={end})')


_QUOTES = re.compile(r'"+')


def starts_of(lines: Sequence[str], delimiter: str, start: int = 0) -> list[int]:
    """The lines, from 1, at which rows that hold something begin, by following quotes that open and close cells."""
    found: list[int] = []
    opened: int | None = None
    place, blank = start, f'{delimiter}" \u00a0\t'
    while place < len(lines):
        line = lines[place]
        if opened is None and line.strip(blank):
            found.append(place + 1)
        if '"' in line:
            is_open, stray = _followed(line, delimiter, opened is not None)
            if stray and opened is not None:  # what opened the cell was a stray quote: its line is a row by itself
                place, opened = opened + 1, None
                continue
            opened = (place if opened is None else opened) if is_open else None
        place += 1
    if opened is not None:
        found += [i + 1 for i in range(opened + 1, len(lines)) if lines[i].strip(blank)]
    return found


def _followed(line: str, delimiter: str, was_open: bool) -> tuple[bool, bool]:
    """Whether a cell is open behind the line, and whether a cell opens while another one is open."""
    is_open = was_open
    for quotes in _QUOTES.finditer(line):
        start, end = quotes.span()
        if (end - start) % 2 == 0:
            continue
        if is_open and _stands_last(line, end, delimiter):
            is_open = False
        elif _stands_first(line, start, delimiter):
            if is_open and was_open:
                return is_open, True
            was_open = was_open and is_open
            is_open = True
    return is_open, False


def _stands_first(line: str, place: int, delimiter: str) -> bool:
    """Whether only spaces stand between a place and the delimiter, or the beginning, before it."""
    place -= 1
    while place >= 0 and line[place] == " ":
        place -= 1
    return place < 0 or line[place] == delimiter


def _stands_last(line: str, place: int, delimiter: str) -> bool:
    """Whether only spaces stand between a place and the delimiter, or the end, behind it."""
    while place < len(line) and line[place] == " ":
        place += 1
    return place == len(line) or line[place] == delimiter
