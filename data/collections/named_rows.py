"""Rows with named cells, from a table with a header or from JSON, whichever a text is."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from core.errors import FormatError
from data.collections.beir import parsed
from data.collections.parts import clean_text
from data.importers.tables.rows import DELIMITERS, rows_of

Cells = Mapping[str, str]
"""Texts by the name of their column. What is empty is not among them."""
NUMBER = "\N{NUMBER SIGN}"
"""The column for what names an item in a JSON object that has one entry for each."""
TEXT = "\N{PILCROW SIGN}"
"""The column for an item that is nothing but a text."""
_NESTED = ("settings", "labels", "dimensions", "metadata")
"""Objects whose entries stand as if they were the item's own."""
_LISTS = ("queries", "results", "items", "data", "rows")


MOST_COLUMNS = 500
LONGEST_HEADER = 20_000


@dataclass(frozen=True, slots=True)
class NamedRow:
    """One row or item, and where it begins; a line from 1, or None."""

    line: int | None
    cells: Cells | str
    """A text says why nothing could be made of it."""


class Pairs(list[tuple[str, Any]]):
    """A JSON object's names and values, those that stand there twice among them."""


def json_of(text: str, name: str) -> Any:
    """JSON with its objects as pairs; what is wrong with it is said in our words."""
    try:
        return json.loads(text, object_pairs_hook=Pairs, parse_constant=lambda _: None, strict=False)
    except json.JSONDecodeError as e:
        raise FormatError(f"{name} is no valid JSON: {e.msg} in line {e.lineno:,}") from e
    except (ValueError, RecursionError) as e:
        raise FormatError(f"{name} is no valid JSON: a number or a nesting too large to read") from e


def column_name(name: str) -> str:
    """One spelling for many.

    >>> column_name(" Query-ID ")
    'query_id'
    """
    return re.sub(r"[\s\-_]+", "_", clean_text(name.replace("\ufeff", "")).lower())


def delimiter_of(header: str, wanted: frozenset[str]) -> str | None:
    """What divides the cells of a header that has one of these columns; None: it has none of them."""
    if len(header) > LONGEST_HEADER:
        return None
    for delimiter in sorted(DELIMITERS, key=lambda each: -header.count(each)):
        if not wanted.isdisjoint(column_name(cell.strip().strip('"')) for cell in header.split(delimiter)):
            return delimiter if delimiter in header else "\t"
    return None


def looks_like_json(text: str) -> bool:
    """Whether it begins as a list or an object does."""
    return text.lstrip()[:1] in ("[", "{")


def named_rows(text: str, name: str, wanted: frozenset[str]) -> Iterator[NamedRow]:
    """Every row of a table whose header has one of these columns, or every item of JSON or JSON lines."""
    if looks_like_json(text):
        yield from _of_lines(text) if _is_lines(text) else _of_json(json_of(text, name), name, wanted)
        return
    lines = text.split("\n")
    first = next((place for place, line in enumerate(lines) if line.strip()), 0)
    delimiter = delimiter_of(lines[first], wanted)
    if delimiter is None:
        raise FormatError(
            f"{name} has no header with one of the columns {', '.join(sorted(wanted))}: write one in its first line"
        )
    yield from _of_table(lines, delimiter, first)


def _of_table(lines: Sequence[str], delimiter: str, first: int) -> Iterator[NamedRow]:
    if lines[first].count(delimiter) >= MOST_COLUMNS:
        raise FormatError(f"a table of queries or results has up to {MOST_COLUMNS} columns: is this one?")
    rows = rows_of(lines, delimiter, lines[first].count(delimiter) + 1, first)
    names = [column_name(cell) for cell in next(rows).cells]
    for row in rows:
        if row.empty:
            continue
        cells = [clean_text(cell) for cell in row.cells]
        if len(cells) > len(names) and any(cells[len(names) :]):
            yield NamedRow(row.line, f"{len(cells)} cells where there are {len(names)} columns: put texts in quotes")
            continue
        found: dict[str, str] = {}
        for column, cell in zip(names, cells, strict=False):
            if column and cell:
                found.setdefault(column, cell)
        yield NamedRow(row.line, found)


def _is_lines(text: str) -> bool:
    """Whether each line is an object by itself."""
    if not text.lstrip().startswith("{"):
        return False
    head = list(islice((line for line in text.split("\n") if line.strip()), 2))
    return len(head) == 2 and isinstance(parsed(head[0]), dict) and head[1].lstrip().startswith("{")


def _of_lines(text: str) -> Iterator[NamedRow]:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            value = parsed(line)
            yield NamedRow(number, value if isinstance(value, str) else _cells(Pairs(value.items())))


def _of_json(value: Any, name: str, wanted: frozenset[str]) -> Iterator[NamedRow]:
    if isinstance(value, Pairs):
        inner = next((v for k, v in value if k in _LISTS and isinstance(v, list) and not isinstance(v, Pairs)), None)
        if inner is None:
            yield from _of_entries(value, wanted)
            return
        value = inner
    if not isinstance(value, list):
        raise FormatError(f"{name} holds neither a list nor an object")
    for item in value:
        yield NamedRow(None, _item(item))


def _of_entries(entries: Pairs, wanted: frozenset[str]) -> Iterator[NamedRow]:
    """An object with one entry for each item, by its id; or an object that is the only item."""
    if not any(isinstance(value, Pairs) for _, value in entries):
        cells = _cells(entries)
        if len(cells) < len(entries) or not wanted.isdisjoint(cells):
            yield NamedRow(None, cells)
            return
    for own_id, value in entries:
        found = _item(value)
        if isinstance(found, str):
            yield NamedRow(None, f"“{own_id[:60]}”: {found}")
        else:
            yield NamedRow(None, {NUMBER: clean_text(own_id), **found})


def _item(value: Any) -> Cells | str:
    if isinstance(value, str):
        return {TEXT: clean_text(value)} if value.strip() else "an empty text"
    return _cells(value) if isinstance(value, Pairs) else "neither a text nor an object"


def _cells(pairs: Pairs) -> dict[str, str]:
    """Texts, numbers and truths of an object; what else is nested says nothing here."""
    found: dict[str, str] = {}
    for key, value in pairs:
        if isinstance(value, dict):
            value = Pairs(value.items())
        if isinstance(value, Pairs) and column_name(key) in _NESTED:
            found |= {column: cell for column, cell in _cells_flat(value) if column not in found}
        else:
            found |= {column: cell for column, cell in _cells_flat(Pairs([(key, value)])) if column not in found}
    return found


def _cells_flat(pairs: Pairs) -> Iterator[tuple[str, str]]:
    for key, value in pairs:
        text = clean_text(value) if isinstance(value, str) else str(value) if isinstance(value, int | float) else ""
        if (column := column_name(key)) and text:
            yield column, text
