"""Rows that are longer or shorter than the header: put together again if that is certain, else rejected."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.records.cleaning import pmid_of, year_of
from core.types import Ids
from data.importers.source import Note, Rejected
from data.importers.tables.columns import Mapped
from data.importers.tables.rows import Row

_JOINED = "cells with {delimiter} but without quotes, put together again"
_LONGER = "more cells than the header; what stands behind its last column was left out"
_SHORTER = "fewer cells than the header; the missing ones count as empty"
_QUOTES = "quotes that are not doubled, read as they seem to be meant"


class Fitting:
    """Fits rows to the header of one table, and remembers what it did to which."""

    def __init__(self, columns: Ids, delimiter: str, places: Mapped) -> None:
        self._columns = tuple(column.strip().lower() for column in columns)
        self._width = len(columns)
        self._delimiter = delimiter
        self._checks = [
            (some[0], check)
            for field, check in (("year", _is_year), ("doi", _is_doi), ("pmid", _is_pmid))
            if (some := places.get(field))
        ]
        self._remarks: dict[str, list[int]] = {}
        self._broken: int | None = None

    def fitted(self, row: Row) -> Sequence[str] | Rejected:
        """As many cells as the header has, each in its column; or why that can't be said."""
        cells = list(row.cells)
        while len(cells) > self._width and not cells[-1].strip():
            cells.pop()
        if not self._delimiter:  # a workbook stores no empty cells behind the last full one
            cells += [""] * (self._width - len(cells))
        if len(cells) == self._width:
            return self._of_right_length(row, cells)
        if self._broken is not None:
            return Rejected(row.line, f"it seems to be a part of the row in line {self._broken:,}, with a stray quote")
        if row.stray_quote:
            self._broken = row.line
            return Rejected(row.line, f"a quote in it is never closed: {self._count(len(cells))}")
        return self._longer(row, cells) if len(cells) > self._width else self._shorter(row, cells)

    def _of_right_length(self, row: Row, cells: list[str]) -> Sequence[str] | Rejected:
        self._broken = None
        if row.stray_quote:
            if self._n_wrong(cells):
                return Rejected(row.line, "its quotes don't pair up, and its cells are not in their columns")
            self._remark(_QUOTES, row.line)
        if tuple(cell.strip().lower() for cell in cells) == self._columns:
            return Rejected(row.line, "it is the header once more")
        return cells

    def _longer(self, row: Row, cells: list[str]) -> Sequence[str] | Rejected:
        joined = self._joined(cells)
        if len(joined) == self._width and not self._n_wrong(joined):
            self._remark(_JOINED, row.line)
            return joined
        kept = cells[: self._width]
        if self._checks and not self._n_wrong(kept) and self._n_right(kept):
            self._remark(_LONGER, row.line)
            return kept
        return Rejected(row.line, f"{self._count(len(cells))}: put cells with “{self._delimiter}” in quotes")

    def _joined(self, cells: list[str]) -> list[str]:
        """A cell that begins with a space goes on from the one before: behind a delimiter there is none."""
        if self._width == 1:
            return [self._delimiter.join(cells)]
        joined = cells[:1]
        for cell in cells[1:]:
            if cell.startswith(" ") and cell.strip():
                joined[-1] += self._delimiter + cell
            else:
                joined.append(cell)
        return joined

    def _shorter(self, row: Row, cells: list[str]) -> Sequence[str] | Rejected:
        cells += [""] * (self._width - len(cells))
        n_filled = sum(bool(cell.strip()) for cell in cells)
        if self._n_wrong(cells) or (n_filled == 1 and self._width > 2):
            return Rejected(row.line, f"{self._count(len(row.cells))}: complete it")
        self._remark(_SHORTER, row.line)
        return cells

    def _count(self, n_cells: int) -> str:
        return f"it has {n_cells:,} {'cell' if n_cells == 1 else 'cells'} where the header has {self._width:,}"

    def _n_wrong(self, cells: Sequence[str]) -> int:
        return sum(bool(cells[place].strip()) and not check(cells[place]) for place, check in self._checks)

    def _n_right(self, cells: Sequence[str]) -> int:
        return sum(bool(cells[place].strip()) and check(cells[place]) for place, check in self._checks)

    def _remark(self, what: str, line: int) -> None:
        self._remarks.setdefault(what, []).append(line)

    def notes(self) -> Iterator[Note]:
        """What was done, and to how many rows."""
        for what, lines in self._remarks.items():
            n = len(lines)
            text = what.format(delimiter=f"“{self._delimiter}”")
            yield Note(f"{n:,} {'row' if n == 1 else 'rows'} with {text} (the first in line {lines[0]:,})")


def _is_year(text: str) -> bool:
    return len(text) < 40 and year_of(text) is not None


def _is_doi(text: str) -> bool:
    return "10." in text and len(text) < 300


def _is_pmid(text: str) -> bool:
    return pmid_of(text) is not None
