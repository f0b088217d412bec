"""Workbooks (.xlsx): their sheets and the values of cells, read as a stream in one pass."""

from __future__ import annotations

import io
import posixpath
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import cached_property
from typing import Any
from xml.parsers import expat

from core.errors import FormatError
from data.archives import ArchiveLimits, CheckedArchive, opened_archive

MOST_ROWS = 1_048_576
"""Excel's own limit."""
MOST_COLUMNS = 16_384
NEAR = 1_024
"""Columns in which cells always count. Beyond, a cell counts if its row is filled well enough."""
SPARSE = 20
"""A cell counts up to the column of so many times the row's filled cells."""
DEEPEST = 200
"""Largest depth of XML; a workbook has about ten."""
LONGEST_TOKEN = 4_000_000
"""Largest size of one tag or comment in bytes; expat may read an unfinished one again with each piece."""
LIMITS = ArchiveLimits("save it again as .xlsx or as CSV", "an Excel workbook", most_files=10_000)


@dataclass(frozen=True, slots=True)
class SheetRow:
    number: int
    """From 1; numbers ascend, and rows that the file leaves out are missing."""
    values: list[Any]
    """Texts, numbers, Booleans, dates, times or None, to the last filled cell; a formula without result as text."""
    n_far: int
    """Number of cells far to the right that were left out."""


class Workbook:
    """A workbook in memory. Errors are FormatErrors."""

    def __init__(self, data: bytes, name: str) -> None:
        self._data, self._name = data, name
        self._parts, self._since_1904 = self._sheet_parts()

    @property
    def sheets(self) -> tuple[str, ...]:
        """The names of the sheets with cells, in order."""
        return tuple(self._parts)

    def rows(self, sheet: str) -> Iterator[SheetRow]:
        reader = _SheetCells(self._name, self._strings, self._formats, self._since_1904)
        with self._opened() as archive:
            for _ in _parse(archive, self._parts[sheet], reader):
                yield from reader.rows
                reader.rows.clear()

    def _opened(self) -> AbstractContextManager[CheckedArchive]:
        return opened_archive(io.BytesIO(self._data), self._name, LIMITS)

    def _sheet_parts(self) -> tuple[dict[str, str], bool]:
        with self._opened() as archive:
            targets = _targets(archive, "")
            book = next((part for kind, part in targets.values() if kind == "officeDocument"), "xl/workbook.xml")
            sheets = _Elements("sheet", "workbookPr")
            _read(archive, book, sheets)
            targets = _targets(archive, book)
            self._of = dict(targets.values())
            parts: dict[str, str] = {}
            for found in sheets.found["sheet"]:
                kind, part = targets.get(found.get("id", ""), ("", ""))
                if kind == "worksheet" and part in archive and part not in parts.values():
                    parts.setdefault(found.get("name", part), part)
            since_1904 = any(found.get("date1904") in ("1", "true") for found in sheets.found["workbookPr"])
            return parts, since_1904

    @cached_property
    def _strings(self) -> list[str]:
        strings = _SharedTexts()
        with self._opened() as archive:
            _read(archive, self._of.get("sharedStrings", "xl/sharedStrings.xml"), strings, optional=True)
        return strings.found

    @cached_property
    def _formats(self) -> list[str]:
        """Return "date", "duration" or "" for each style of cells."""
        styles = _Elements("numFmt", "xf", inside={"xf": "cellXfs"})
        with self._opened() as archive:
            _read(archive, self._of.get("styles", "xl/styles.xml"), styles, optional=True)
        own = {found.get("numFmtId", ""): found.get("formatCode", "") for found in styles.found["numFmt"]}
        return [_format_kind(found.get("numFmtId", ""), own) for found in styles.found["xf"]]


# XML as a stream. It is never a tree, and a document type (which entities need) is refused wherever it is.


class _Elements:
    """Collects the attributes of elements with these names; `inside`: only within this parent."""

    def __init__(self, *names: str, inside: dict[str, str] | None = None) -> None:
        self.found: dict[str, list[dict[str, str]]] = {name: [] for name in names}
        self._inside = inside or {}
        self._open: list[str] = []

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag in self.found and (tag not in self._inside or (self._open and self._open[-1] == self._inside[tag])):
            self.found[tag].append({name.rpartition(":")[2]: value for name, value in attributes.items()})
        self._open.append(tag)

    def end(self, tag: str) -> None:
        self._open.pop()

    def text(self, data: str) -> None:
        pass


class _SharedTexts:
    """Collects the shared texts of a workbook, without the pronunciation of Japanese ones."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self._texts: list[str] = []
        self._taking = self._spoken = False

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "si":
            self._texts = []
        elif tag == "rPh":
            self._spoken = True
        elif tag == "t":
            self._taking = not self._spoken

    def end(self, tag: str) -> None:
        if tag == "si":
            self.found.append(_unescaped("".join(self._texts)))
        elif tag == "rPh":
            self._spoken = False
        elif tag == "t":
            self._taking = False

    def text(self, data: str) -> None:
        if self._taking:
            self._texts.append(data)


class _SheetCells:
    """Collects the rows of a sheet."""

    def __init__(self, name: str, strings: list[str], formats: list[str], since_1904: bool) -> None:
        self.rows: list[SheetRow] = []
        self._name, self._strings, self._formats = name, strings, formats
        self._epoch = datetime(1904, 1, 1) if since_1904 else datetime(1899, 12, 30)
        self._number = self._column = 0
        self._cells: dict[int, Any] = {}
        self._cell: dict[str, str] = {}
        self._taking: list[str] | None = None
        self._value: str | None = None
        self._texts: list[str] = []
        self._formula = ""
        self._shared: dict[str, str] = {}
        self._shared_as = ""
        self._spoken = False

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "c":
            self._cell = attributes
            self._column = _column(attributes["r"]) if "r" in attributes else self._column + 1
            self._value, self._texts, self._formula, self._shared_as = None, [], "", ""
        elif tag in ("v", "f"):
            self._taking = []
            if tag == "f" and attributes.get("t") == "shared":
                self._shared_as = attributes.get("si", "")
        elif tag == "t":
            self._taking = None if self._spoken else []
        elif tag == "rPh":
            self._spoken = True
        elif tag == "row":
            self._number = max(int(attributes.get("r", 0)), self._number + 1)
            self._column, self._cells = 0, {}
            if self._number > MOST_ROWS:
                raise FormatError(f"{self._name} has more than {MOST_ROWS:,} rows: save it as CSV")

    def text(self, data: str) -> None:
        if self._taking is not None:
            self._taking.append(data)

    def end(self, tag: str) -> None:
        if tag in ("v", "f", "t"):
            text, self._taking = "".join(self._taking or ()), None
            if tag == "v":
                self._value = text
            elif tag == "t":
                self._texts.append(text)
            else:
                self._formula = text
        elif tag == "c":
            value = self._typed()
            if value is not None:
                self._cells[self._column] = value
        elif tag == "rPh":
            self._spoken = False
        elif tag == "row":
            self.rows.append(self._row())

    def _row(self) -> SheetRow:
        last = max(NEAR, SPARSE * len(self._cells))
        near = {column: value for column, value in self._cells.items() if column <= last}
        values: list[Any] = [None] * max(near, default=0)
        for column, value in near.items():
            values[column - 1] = value
        return SheetRow(self._number, values, len(self._cells) - len(near))

    def _typed(self) -> Any:
        kind = self._cell.get("t", "n")
        if kind == "inlineStr":
            return _unescaped("".join(self._texts)) or None
        value = self._value
        if self._shared_as and self._formula:
            self._shared[self._shared_as] = self._formula
        if not value:
            formula = self._formula or self._shared.get(self._shared_as, "")
            return f"={formula}" if formula else None
        if kind == "s":
            if (place := int(value)) < 0:
                raise IndexError(f"no text {place}")
            return self._strings[place]
        if kind == "n":
            return self._number_or_date(value)
        if kind == "b":
            return value.strip() not in ("0", "false")
        if kind == "d":
            return _iso_date(value)
        return _unescaped(value)

    def _number_or_date(self, text: str) -> Any:
        number = _number(text)
        place = int(self._cell.get("s", 0))
        kind = self._formats[place] if 0 <= place < len(self._formats) else ""
        if not kind or isinstance(number, str):
            return number
        try:
            if kind == "duration":
                return timedelta(days=number)
            return _date_of(number, self._epoch)
        except (OverflowError, ValueError):
            return "#VALUE!"


_Collector = _Elements | _SharedTexts | _SheetCells


def _read(archive: CheckedArchive, part: str, collector: _Collector, *, optional: bool = False) -> None:
    if optional and part not in archive:
        return
    for _ in _parse(archive, part, collector):
        pass


def _parse(archive: CheckedArchive, part: str, collector: _Collector) -> Iterator[None]:
    """Parse a part into the collector, yielding after each piece."""
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.buffer_size = 1 << 16
    depth = 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > DEEPEST:
            raise FormatError(f"{archive.name} is no plain workbook (XML nested too deep): {LIMITS.advice}")
        collector.start(tag.rpartition(":")[2] if ":" in tag else tag, attributes)

    def end(tag: str) -> None:
        nonlocal depth
        depth -= 1
        collector.end(tag.rpartition(":")[2] if ":" in tag else tag)

    def refuse(*_: Any) -> None:
        raise FormatError(f"{archive.name} is a workbook with its own XML entities (DOCTYPE): save it as CSV")

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = collector.text
    parser.StartDoctypeDeclHandler = refuse
    try:
        n_idle = 0
        for piece in archive.chunks(part):
            before = parser.CurrentByteIndex
            parser.Parse(piece)
            n_idle = 0 if parser.CurrentByteIndex != before else n_idle + len(piece)
            if n_idle > LONGEST_TOKEN:
                raise FormatError(f"{archive.name} is no plain workbook (a tag without an end): {LIMITS.advice}")
            yield
        parser.Parse(b"", True)
        yield
    except (expat.ExpatError, LookupError, ValueError, OverflowError) as e:
        what = " ".join(str(e).split())[:80] or type(e).__name__
        raise FormatError(f"{archive.name} is a damaged workbook ({what}): {LIMITS.advice}") from e


def _targets(archive: CheckedArchive, part: str) -> dict[str, tuple[str, str]]:
    """Return the parts that a part refers to: id -> kind and name. What lies outside the workbook is left out."""
    folder, name = posixpath.split(part)
    found = _Elements("Relationship")
    _read(archive, posixpath.join(folder, "_rels", f"{name}.rels"), found, optional=True)
    targets = {}
    for relation in found.found["Relationship"]:
        if relation.get("TargetMode") != "External":
            target = posixpath.normpath(posixpath.join("/", folder, relation.get("Target", ""))).lstrip("/")
            targets[relation.get("Id", "")] = (relation.get("Type", "").rpartition("/")[2], target)
    return targets


# Values of cells, as Excel means them.

_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
_LITERAL = re.compile(r'"[^"]*"|\[(?!hh?\]|mm?\]|ss?\])[^\]]*\]|[_\\].', re.IGNORECASE | re.DOTALL)
_DURATION = re.compile(r"\[(?:hh?|mm?|ss?)\]", re.IGNORECASE)
_DATE_PART = re.compile(r"[dmhys]", re.IGNORECASE)
_BUILT_IN_DATES = frozenset({*range(14, 23), 45, 47})
_BUILT_IN_DURATION = 46
LONGEST_NUMBER = 300


def _unescaped(text: str) -> str:
    """Replace the signs that XML can't hold, which Excel writes as _x000D_."""
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text) if "_x" in text else text


def _column(reference: str) -> int:
    """Return the column of a cell's reference, from 1.

    >>> _column("A1"), _column("AA7"), _column("XFD1")
    (1, 27, 16384)
    """
    column = 0
    for sign in reference[:4]:
        if not "A" <= sign <= "Z":
            break
        column = column * 26 + ord(sign) - 64
    if not 0 < column <= MOST_COLUMNS:
        raise ValueError(f"no cell {reference[:20]}")
    return column


def _number(text: str) -> int | float | str:
    """Return a whole number, another number or, if it is none, the text."""
    if len(text) > LONGEST_NUMBER or "_" in text:
        return text
    for read in _READ_NUMBER:
        try:
            return read(text)
        except ValueError:
            continue
    return text


_READ_NUMBER: tuple[Callable[[str], int | float], ...] = (int, float)


def _format_kind(format_id: str, own: dict[str, str]) -> str:
    if format_id not in own:
        number = int(format_id) if format_id.isascii() and format_id[:4].isdigit() else 0
        return "date" if number in _BUILT_IN_DATES else "duration" if number == _BUILT_IN_DURATION else ""
    code = _LITERAL.sub("", own[format_id].partition(";")[0][:500])
    return "duration" if _DURATION.search(code) else "date" if _DATE_PART.search(code) else ""


def _date_of(number: float, epoch: datetime) -> datetime | time:
    """Return the moment so many days after the epoch; less than a day is a time of day."""
    day, fraction = divmod(number, 1)
    within = timedelta(milliseconds=round(fraction * 86_400_000))
    if 0 <= number < 1 and within.days == 0:
        return (datetime.min + within).time()
    if 0 < number < 60 and epoch.year == 1899:
        day += 1  # Excel believes in the 29th of February 1900
    return epoch + timedelta(days=day) + within


def _iso_date(text: str) -> datetime | date | time | str:
    for kind in (datetime, time):
        try:
            return kind.fromisoformat(text)
        except ValueError:
            continue
    return text
