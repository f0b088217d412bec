"""Lines, rows and parts of collection files: documents, queries and judgments, and BEIR's JSON lines."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any, Literal

from core.collections import Document, Judgment, Query
from core.errors import FileError, FormatError
from core.knowledge.templates import GIVEN, TEMPLATE
from core.text import many
from data.files import read_errors
from data.importers.source import MOST_BYTES, NO_TEXT, ImportFile, no_text, opened, plain_name
from data.importers.tables import DELIMITERS, rows_of

# Text files of any size, line by line: one block is in memory at a time, decoded like every import.

BLOCK = 4_000_000
LONGEST_LINE = 50_000_000
"""Largest line in bytes; a file with a longer line is not a text file."""
HEAD = 256_000
"""Number of bytes read to recognise a file."""
_BY_BLOCK = ("utf-8", "cp1252", "latin-1")
"""Encodings with one-byte line ends, so that a file can be split there."""


@dataclass(frozen=True, eq=False)
class TextFile:
    path: Path
    name: str
    """Path relative to the collection's folder."""
    notes: list[str] = field(default_factory=list)
    """Assumptions made while reading."""

    @classmethod
    def at(cls, path: Path, root: Path | None = None) -> TextFile:
        return cls(path, plain_name(path.relative_to(root).as_posix() if root else path.name))

    @property
    def n_bytes(self) -> int:
        with read_errors(self.path, (OSError, ValueError)):
            return self.path.stat().st_size

    def head(self) -> str:
        """Return enough text to recognise the file. A file that is not text is an error."""
        with read_errors(self.path, (OSError, ValueError)), self.path.open("rb") as opened_file:
            data = opened_file.read(HEAD)
        if len(data) == HEAD and b"\n" in data and b"\0" not in data:
            data = data[: data.rfind(b"\n") + 1]
        return _decoded(data, self.name).text

    def blocks(self) -> Iterator[tuple[int, str]]:
        """Yield blocks of whole lines, each with the number of its first line."""
        number = 1
        for data in self._raw():
            if number == 1:
                source = _decoded(data, self.name)
                text = source.text
                if source.encoding not in _BY_BLOCK:
                    yield 1, self.whole()
                    return
            else:
                # Only the beginning of a file identifies it; a line end in front keeps a block from looking like one.
                source = _decoded(b"\n" + data, self.name)
                text = source.text[1:]
            self._note(source, number)
            yield number, text
            number += text.count("\n")

    def lines(self) -> Iterator[tuple[int, str]]:
        """Yield every line with its number, from 1."""
        for first, text in self.blocks():
            lines = text.split("\n")
            if not lines[-1]:
                lines.pop()
            yield from enumerate(lines, start=first)

    def whole(self, most: int = MOST_BYTES) -> str:
        if self.n_bytes > most:
            raise FileError(f"{self.name} has {self.n_bytes / 1e6:,.0f} MB; the limit is {most / 1e6:,.0f} MB")
        with read_errors(self.path, (OSError, ValueError)):
            data = self.path.read_bytes()
        source = _decoded(data, self.name)
        self._note(source, 1)
        return source.text

    def _raw(self) -> Iterator[bytes]:
        rest = b""
        with read_errors(self.path, (OSError, ValueError)), self.path.open("rb") as opened_file:
            while data := opened_file.read(BLOCK):
                cut = data.rfind(b"\n") + 1
                if cut:
                    yield rest + data[:cut]
                    rest = data[cut:]
                    continue
                rest += data
                if len(rest) > LONGEST_LINE:
                    raise FormatError(
                        f"{self.name} has a line of more than {LONGEST_LINE / 1e6:.0f} MB: it is not a text file"
                    )
        if rest:
            yield rest

    def _note(self, source: ImportFile, number: int) -> None:
        if source.notes and not self.notes:
            where = f", from line {number:,} on" if number > 1 else ""
            self.notes.append(f"{self.name}{where}: {'; '.join(source.notes)}")


def _decoded(data: bytes, name: str) -> ImportFile:
    if what := no_text(data):
        raise FormatError(f"{name} is {what}")
    try:
        source = opened(data, name)
    except FormatError as e:
        what = "a zip archive: unpack it first" if data.startswith(b"PK") else "not a text file"
        raise FormatError(f"{name} is {what}") from e
    if source.data:
        raise FormatError(f"{name} is {NO_TEXT[source.encoding]}: save it as text")
    return source


# The contents of a collection's files, gathered: the first of an id counts, and every repetition is reported.

Item = Document | Query | Judgment
CollectionPart = tuple[int | None, Item | str]
"""The line of an item, and the item; a text is the reason for a rejection."""
Role = Literal["documents", "queries"]
MOST_NAMED = 1_000
"""Largest number of rejected parts stored with their lines; further ones are only counted."""
SHOWN = 3


@dataclass(frozen=True, slots=True)
class RejectedLine:
    file: str
    line: int | None
    """From 1; None if the file has no meaningful lines."""
    reason: str

    def __str__(self) -> str:
        """Return the rejection as a message.

        >>> str(RejectedLine("corpus.jsonl", 7, "no valid JSON"))
        'corpus.jsonl, line 7: no valid JSON'
        """
        return f"{self.file}{'' if self.line is None else f', line {self.line:,}'}: {self.reason}"


@dataclass(frozen=True, slots=True)
class CollectionFileKind:
    """One kind of file: how to recognise it from its beginning, and how to read it."""

    kind_id: str
    label: str
    """The name in messages."""
    holds: Literal["documents", "queries", "judgments", "queries and judgments", "either"]
    """"either": documents or queries, depending on the other files."""
    fits: Callable[[str], bool]
    read: Callable[[TextFile, Role], Iterator[CollectionPart]]
    """Reads a file; the role matters for files that hold either."""


class Gathering:
    def __init__(self) -> None:
        self.documents: dict[str, Document] = {}
        self.queries: dict[str, Query] = {}
        self.judgments: list[Judgment] = []
        self.rejected: list[RejectedLine] = []
        self.n_rejected = 0
        self.notes: list[str] = []

    def take(self, file: TextFile, parts: Iterable[CollectionPart], prefix: str = "") -> tuple[str, ...]:
        """Add all parts of a file and return the ids of its queries. A prefix separates files with the same numbers."""
        repeated: list[str] = []
        n_repeated = 0
        named: dict[str, None] = {}
        for line, item in parts:
            if isinstance(item, str):
                self.reject(file, line, item)
                continue
            if isinstance(item, Document):
                known = self.documents.setdefault(item.doc_id, item) is not item
                own_id = item.doc_id
            else:
                if prefix:
                    item = replace(item, query_id=prefix + item.query_id)
                named[item.query_id] = None
                known, own_id = self._keep(item), item.query_id
            if known:
                n_repeated += 1
                if len(repeated) < SHOWN:
                    repeated.append(f"“{own_id}” in line {line:,}" if line else f"“{own_id}”")
        if n_repeated:
            what = many(n_repeated, "repeated id")
            self.notes.append(f"{file.name}: {what}, only the first entry of each was imported: {'; '.join(repeated)}")
        return tuple(named)

    def _keep(self, item: Query | Judgment) -> bool:
        if isinstance(item, Query):
            return self.queries.setdefault(item.query_id, item) is not item
        self.judgments.append(item)
        return False

    def reject(self, file: TextFile, line: int | None, reason: str) -> None:
        self.n_rejected += 1
        if len(self.rejected) < MOST_NAMED:
            self.rejected.append(RejectedLine(file.name, line, reason))


def relevance_of(text: str) -> int | str:
    """Parse a grade; return the reason if that fails.

    >>> relevance_of("2.0"), relevance_of("-1"), relevance_of("nan")
    (2, -1, 'its relevance “nan” is not a whole number')
    """
    text = text.strip()
    if not text:
        return "its relevance is missing"
    try:
        value = float(text) if len(text) <= 30 and "_" not in text else float("nan")
    except ValueError:
        value = float("nan")
    if value != value or abs(value) > 1e9 or value != int(value):
        return f"its relevance “{text[:30]}” is not a whole number"
    return int(value)


def clean_text(text: str) -> str:
    """Remove characters that no file can hold: lone surrogates and NUL."""
    if "\0" in text:
        text = text.replace("\0", " ")
    if not text.isascii():
        text = text.encode("utf-8", "replace").decode("utf-8")
    return text.strip()


# JSON lines in BEIR's format: an id, a title and a text for each document, an id and a text for each query.

_IDS = ("_id", "id", "doc_id", "docid", "query_id", "qid")
_TEXTS = ("text", "contents", "abstract", "query", "question", "body")
LONGEST_LABEL, LONGEST_GIVEN = 60, 5_000
MOST_LABELS = 20
"""Largest number of short metadata values of a query that become labels."""
LIKE = 0.4
"""Smallest share of the first lines that must be objects with an id."""
_DECODER = json.JSONDecoder(strict=False, parse_constant=lambda _: None)


def parsed(line: str) -> dict[str, Any] | str:
    """Parse the object in a line; return the reason if that fails."""
    try:
        value = _DECODER.decode(line.strip())
    except json.JSONDecodeError as e:
        return f"invalid JSON ({e.msg[:1].lower()}{e.msg[1:].removesuffix(' starting at')}, column {e.colno:,})"
    except (ValueError, RecursionError):
        return "invalid JSON (a number or nesting is too large)"
    return value if isinstance(value, dict) else "not a JSON object"


def _first(value: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    return next((value[name] for name in names if name in value and value[name] is not None), None)


def _id_of(value: Mapping[str, Any]) -> str | None:
    own_id = _first(value, _IDS)
    if isinstance(own_id, bool) or not isinstance(own_id, str | int):
        return None
    return clean_text(str(own_id)) or None


def labels_of(metadata: object) -> tuple[tuple[str, str], ...]:
    """Return the short values of a query's metadata, with readable names; a name can have a list of them.

    >>> labels_of({"query_type": "How To", "history": "long " * 50, "n": 3})
    (('query type', 'How To'),)
    """
    if not isinstance(metadata, Mapping):
        return ()
    short = [
        (clean_text(" ".join(str(name).replace("_", " ").split())), clean_text(value))
        for name, values in metadata.items()
        for value in (values if isinstance(values, list) else [values])
        if isinstance(value, str)
        and 0 < len(value.strip()) <= _longest(metadata, name)
        and len(str(name)) <= LONGEST_LABEL
    ]
    return tuple(short[:MOST_LABELS])


def _longest(metadata: Mapping[Any, Any], name: Any) -> int:
    """Return the longest value of a label; the filled blanks of a template are longer."""
    return LONGEST_GIVEN if name == GIVEN and TEMPLATE in metadata else LONGEST_LABEL


def _read(file: TextFile, role: Role) -> Iterator[CollectionPart]:
    for number, line in file.lines():
        if not line or line.isspace():
            continue
        value = parsed(line)
        yield number, value if isinstance(value, str) else _item(value, role)


def _item(value: Mapping[str, Any], role: Role) -> Document | Query | str:
    own_id = _id_of(value)
    if own_id is None:
        return "it has no id (_id)"
    text, title = _first(value, _TEXTS), value.get("title")
    if not isinstance(text, str | None) or not isinstance(title, str | None):
        return f"the title or text of “{own_id[:60]}” is not text"
    text, title = clean_text(text or ""), clean_text(title or "")
    if role == "documents":
        return Document(own_id, title, text)
    return Query(own_id, text or title, labels_of(value.get("metadata")))


def sample(head: str) -> list[dict[str, Any]]:
    found = (parsed(line) for line in _first_lines(head))
    return [value for value in found if isinstance(value, dict)]


def _first_lines(head: str) -> list[str]:
    return [line for line in head.split("\n")[:50] if line.strip()]


def _fits(head: str) -> bool:
    n_with_id = sum(_id_of(value) is not None for value in sample(head))
    return n_with_id > 0 and n_with_id >= LIKE * len(_first_lines(head))


JSON_LINES = CollectionFileKind("json_lines", "JSON lines", "either", _fits, _read)


# Rows with named cells, from a table with a header or from JSON.

Cells = Mapping[str, str]
"""Texts by the name of their column. Empty cells are left out."""
NUMBER = "\N{NUMBER SIGN}"
"""The column for the key of an item in a JSON object with one entry per item."""
TEXT = "\N{PILCROW SIGN}"
"""The column for an item that is only a text."""
_NESTED = ("settings", "labels", "dimensions", "metadata")
"""Objects whose entries are treated as the item's own."""
_LISTS = ("queries", "results", "items", "data", "rows")


MOST_COLUMNS = 500
LONGEST_HEADER = 20_000


@dataclass(frozen=True, slots=True)
class NamedRow:
    """One row or item, and its line, from 1, or None."""

    line: int | None
    cells: Cells | str
    """A text is the reason for a rejection."""


class JsonPairs(list[tuple[str, Any]]):
    """A JSON object's names and values, including repeated names."""


def json_of(text: str, name: str) -> Any:
    """Parse JSON with its objects as pairs; errors become our own."""
    try:
        return json.loads(text, object_pairs_hook=JsonPairs, parse_constant=lambda _: None, strict=False)
    except json.JSONDecodeError as e:
        raise FormatError(f"{name} is not valid JSON: {e.msg} in line {e.lineno:,}") from e
    except (ValueError, RecursionError) as e:
        raise FormatError(f"{name} is not valid JSON: a number or nesting is too large") from e


def column_name(name: str) -> str:
    """Normalise different spellings of a column name.

    >>> column_name(" Query-ID ")
    'query_id'
    """
    return re.sub(r"[\s\-_]+", "_", clean_text(name.replace("\ufeff", "")).lower())


def delimiter_of(header: str, wanted: frozenset[str]) -> str | None:
    """Return the delimiter of a header that has one of these columns; None if it has none of them."""
    if len(header) > LONGEST_HEADER:
        return None
    for delimiter in sorted(DELIMITERS, key=lambda each: -header.count(each)):
        if not wanted.isdisjoint(column_name(cell.strip().strip('"')) for cell in header.split(delimiter)):
            return delimiter if delimiter in header else "\t"
    return None


def looks_like_json(text: str) -> bool:
    return text.lstrip()[:1] in ("[", "{")


def named_rows(text: str, name: str, wanted: frozenset[str]) -> Iterator[NamedRow]:
    """Yield every row of a table whose header has one of these columns, or every item of JSON or JSON lines."""
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
        raise FormatError(f"too many columns for a table of queries or results (up to {MOST_COLUMNS}): check the file")
    rows = rows_of(lines, delimiter, lines[first].count(delimiter) + 1, first)
    names = [column_name(cell) for cell in next(rows).cells]
    for row in rows:
        if row.empty:
            continue
        cells = [clean_text(cell) for cell in row.cells]
        if len(cells) > len(names) and any(cells[len(names) :]):
            yield NamedRow(row.line, f"{len(cells)} cells but {len(names)} columns: put texts in quotes")
            continue
        found: dict[str, str] = {}
        for column, cell in zip(names, cells, strict=False):
            if column and cell:
                found.setdefault(column, cell)
        yield NamedRow(row.line, found)


def _is_lines(text: str) -> bool:
    if not text.lstrip().startswith("{"):
        return False
    head = list(islice((line for line in text.split("\n") if line.strip()), 2))
    return len(head) == 2 and isinstance(parsed(head[0]), dict) and head[1].lstrip().startswith("{")


def _of_lines(text: str) -> Iterator[NamedRow]:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            value = parsed(line)
            yield NamedRow(number, value if isinstance(value, str) else _cells(JsonPairs(value.items())))


def _of_json(value: Any, name: str, wanted: frozenset[str]) -> Iterator[NamedRow]:
    if isinstance(value, JsonPairs):
        inner = next(
            (v for k, v in value if k in _LISTS and isinstance(v, list) and not isinstance(v, JsonPairs)), None
        )
        if inner is None:
            yield from _of_entries(value, wanted)
            return
        value = inner
    if not isinstance(value, list):
        raise FormatError(f"{name} has neither a list nor an object")
    for item in value:
        yield NamedRow(None, _cells_of_item(item))


def _of_entries(entries: JsonPairs, wanted: frozenset[str]) -> Iterator[NamedRow]:
    if not any(isinstance(value, JsonPairs) for _, value in entries):
        cells = _cells(entries)
        if len(cells) < len(entries) or not wanted.isdisjoint(cells):
            yield NamedRow(None, cells)
            return
    for own_id, value in entries:
        found = _cells_of_item(value)
        if isinstance(found, str):
            yield NamedRow(None, f"“{own_id[:60]}”: {found}")
        else:
            yield NamedRow(None, {NUMBER: clean_text(own_id), **found})


def _cells_of_item(value: Any) -> Cells | str:
    if isinstance(value, str):
        return {TEXT: clean_text(value)} if value.strip() else "an empty text"
    return _cells(value) if isinstance(value, JsonPairs) else "neither a text nor an object"


def _cells(pairs: JsonPairs) -> dict[str, str]:
    found: dict[str, str] = {}
    for key, value in pairs:
        if isinstance(value, dict):
            value = JsonPairs(value.items())
        if isinstance(value, JsonPairs) and column_name(key) in _NESTED:
            found |= {column: cell for column, cell in _flat_cells(value) if column not in found}
        else:
            found |= {column: cell for column, cell in _flat_cells(JsonPairs([(key, value)])) if column not in found}
    return found


def _flat_cells(pairs: JsonPairs) -> Iterator[tuple[str, str]]:
    for key, value in pairs:
        text = clean_text(value) if isinstance(value, str) else str(value) if isinstance(value, int | float) else ""
        if (column := column_name(key)) and text:
            yield column, text
