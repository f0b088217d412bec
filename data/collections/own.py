"""Queries that people bring themselves: a list in JSON, or a table with a column of queries and more columns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from core.errors import FormatError
from core.ranking.check import Query
from data.collections.beir import LONGEST_LABEL, MOST_LABELS
from data.collections.lines import TextFile
from data.collections.named_rows import (
    NUMBER,
    TEXT,
    Cells,
    column_name,
    delimiter_of,
    looks_like_json,
    named_rows,
)
from data.collections.parts import CollectionPart, Kind, RejectedLine, Role, clean_text

MOST_PASTED_BYTES = 64_000_000
MOST_PASTED = 5_000_000
"""Characters that can be pasted."""
MOST_KINDS = 100
"""Different ones in a file: more are names of something else."""
QUERY_NAMES = ("query", "search_query", "query_text", "question")
ID_NAMES = ("query_id", "qid", "_id", "id")
OF_ANSWERS = frozenset({"title", "abstract", "rank", "engine", "score", "relevance", "answers", "answer_ids"}) | {
    *("doc_id", "docid", "corpus_id"),
}
"""Columns of files that hold answers or judgments: such a file is no list of queries."""
_QUERY_KEY = re.compile(r"\"(?:" + "|".join(QUERY_NAMES) + r")\"\s*:\s*\"", re.IGNORECASE)
_ANSWER_KEY = re.compile(r"\"(?:" + "|".join(sorted(OF_ANSWERS)) + r")\"\s*:", re.IGNORECASE)
_LIST_OF_TEXTS = re.compile(r"\s*\[\s*+\"")
_TEXT = re.compile(r"\"((?:[^\"\\\n]|\\.)*+)\"")
_LOOKED_AT = 20_000


def query_parts(text: str, name: str, notes: list[str]) -> Iterator[CollectionPart]:
    """Every query of a text in one of these forms, and why others are none. Those without an id are numbered."""
    n_queries, kinds, given = 0, _Kinds(), set[str]()
    for row in named_rows(text, name, frozenset(QUERY_NAMES)):
        if isinstance(row.cells, str):
            yield row.line, row.cells
            continue
        column = next((each for each in (*QUERY_NAMES, TEXT) if each in row.cells), None)
        if column is None and "text" in row.cells and OF_ANSWERS.isdisjoint(row.cells):
            column = "text"
        if column is None:
            yield row.line, "a query without a text"
            continue
        n_queries += 1
        own_id = next((row.cells[each] for each in (*ID_NAMES, NUMBER) if each in row.cells), "")
        if not own_id:
            own_id = f"q{n_queries}" if f"q{n_queries}" not in given else f"q{n_queries} (line {row.line or n_queries})"
        given.add(own_id)
        yield row.line, Query(own_id, row.cells[column], kinds.of(row.cells, column))
    notes += (f"{name}: {note}" for note in kinds.notes())


@dataclass(eq=False)
class _Kinds:
    """What kind of query each is: whatever else is said of it in a few words."""

    names: dict[str, None] = field(default_factory=dict)
    too_long: dict[str, None] = field(default_factory=dict)
    too_many: dict[str, None] = field(default_factory=dict)

    def of(self, cells: Cells, column: str) -> tuple[tuple[str, str], ...]:
        """Of the query in this column."""
        found: list[tuple[str, str]] = []
        for name, value in cells.items():
            if name in (column, TEXT, NUMBER, *ID_NAMES):
                continue
            if len(value) > LONGEST_LABEL or len(name) > LONGEST_LABEL:
                self.too_long[name] = None
            elif len(found) == MOST_LABELS or (name not in self.names and len(self.names) == MOST_KINDS):
                self.too_many[name] = None
            else:
                self.names[name] = None
                found.append((name.replace("_", " "), value))
        return tuple(found)

    def notes(self) -> Iterator[str]:
        """What was left out."""
        if self.too_long:
            yield f"over {LONGEST_LABEL} characters are no kind of query and were left out of {_some(self.too_long)}"
        if self.too_many:
            most = f"up to {MOST_LABELS} kinds of a query and {MOST_KINDS} of all are kept"
            yield f"{most}; left out: {_some(self.too_many)}"


def _some(names: Iterable[str]) -> str:
    several = list(names)
    more = f" and {len(several) - 3:,} more" if len(several) > 3 else ""
    return ", ".join(f"“{each[:40]}”" for each in several[:3]) + more


def _read(file: TextFile, role: Role) -> Iterator[CollectionPart]:
    yield from query_parts(file.whole(MOST_PASTED_BYTES), file.name, file.notes)


def _is_table(head: str) -> bool:
    """Whether a header names a column of queries, and none of what belongs to answers."""
    first = next((line for line in head.split("\n") if line.strip()), "")
    if looks_like_json(first) or (delimiter := delimiter_of(first, frozenset(QUERY_NAMES))) is None:
        return False
    return OF_ANSWERS.isdisjoint(column_name(cell.strip().strip('"')) for cell in first.split(delimiter))


def _is_json(head: str) -> bool:
    some = head[:_LOOKED_AT]
    if not looks_like_json(some):
        return False
    if _LIST_OF_TEXTS.match(some):
        return "{" not in some and any(" " in text.strip() for text in _TEXT.findall(some))
    return _QUERY_KEY.search(some) is not None and not _ANSWER_KEY.search(some)


OWN_TABLE = Kind("own_table", "a table of queries", "queries", _is_table, _read)
OWN_JSON = Kind("own_json", "queries in JSON", "queries", _is_json, _read)


@dataclass(frozen=True, eq=False)
class PastedQueries:
    """Queries that were typed or pasted, and what nothing could be made of."""

    queries: tuple[Query, ...]
    notes: tuple[str, ...]
    rejected: tuple[RejectedLine, ...]


def pasted_queries(text: str, name: str = "the pasted text") -> PastedQueries:
    """JSON, a table with a header, or else one query in each line. Without a query it is an error."""
    if len(text) > MOST_PASTED:
        raise FormatError(f"{name} has over {MOST_PASTED:,} characters: bring it in as a file")
    notes: list[str] = []
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    in_form = looks_like_json(text) or _is_table(text)
    parts = query_parts(text, name, notes) if in_form else _lines_of(text)
    found: dict[str, Query] = {}
    rejected: list[RejectedLine] = []
    for line, part in parts:
        if isinstance(part, str):
            rejected.append(RejectedLine(name, line, part))
        elif isinstance(part, Query) and part.query_id in found:
            rejected.append(RejectedLine(name, line, f"the id “{part.query_id[:60]}” stands there again"))
        elif isinstance(part, Query):
            found[part.query_id] = part
    if not found:
        why = f": {rejected[0]}" if rejected else ""
        raise FormatError(f"there is no query in {name}{why}. Write one in each line, or a table with a column “query”")
    return PastedQueries(tuple(found.values()), tuple(notes), tuple(rejected))


def _lines_of(text: str) -> Iterator[CollectionPart]:
    n_queries = 0
    for number, line in enumerate(text.split("\n"), start=1):
        if cleaned := clean_text(line):
            n_queries += 1
            yield number, Query(f"q{n_queries}", cleaned)
