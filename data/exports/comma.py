"""CSV with the columns that ASReview, Excel and R expect (RFC 4180)."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from typing import BinaryIO

from core.text import harmless
from core.types import Ids
from data.exports.rows import HandOff, one_line, tidy
from data.importers.tables.providers import BETWEEN

COLUMNS = (
    *("title", "abstract", "authors", "year", "doi", "pmid", "journal", "volume", "issue", "pages", "type"),
    *("keywords", "url", "times_cited", "included", "publication_id", "own_id", "sources", "found_by", "core"),
    *("similarity", "embedder", "relevant_by"),
)
MOST_AT_ONCE = 500
"""Rows that are encoded together."""

CSV_LOST: Mapping[str, str] = {
    "query_id": "a selection answers no query of a run",
    "as_written": "what is written is the cleaned text",
}


def write_csv(rows: Iterable[HandOff], file: BinaryIO) -> int:
    """Writes the names of the columns and one line per publication, and says how many of these."""
    file.write(b"\xef\xbb\xbf")  # Excel takes a file without this mark for cp1252
    buffer = io.StringIO(newline="")
    lines = csv.writer(buffer, lineterminator="\r\n")
    lines.writerow(COLUMNS)
    n = 0
    for row in rows:
        lines.writerow(_cells(row))
        n += 1
        if n % MOST_AT_ONCE == 0:
            _flush(buffer, file)
    _flush(buffer, file)
    return n


def _flush(buffer: io.StringIO, file: BinaryIO) -> None:
    file.write(buffer.getvalue().encode())
    buffer.seek(0)
    buffer.truncate()


def _cells(row: HandOff) -> list[str]:
    found = tidy(row.record)
    words = {
        "title": found["title"],
        "abstract": found["abstract"],
        "authors": joined(found["authors"]),
        "doi": found["doi"],
        "pmid": found["pmid"],
        "journal": found["venue"],
        "volume": found["volume"],
        "issue": found["issue"],
        "pages": found["pages"],
        "type": found["kind"],
        "keywords": joined(found["keywords"]),
        "url": found["url"],
        "publication_id": one_line(row.publication_id),
        "own_id": found["own_id"],
        "sources": joined(row.sources),
        "found_by": joined(row.found_by),
        "embedder": one_line(row.embedder or ""),
        "relevant_by": joined(row.relevant_by),
    }
    numbers = {
        "year": _number(found["year"]),
        "times_cited": _number(found["times_cited"]),
        "included": _number(found["included"]),
        "core": _number(row.is_core),
        "similarity": "" if row.similarity is None else f"{row.similarity:.6f}",
    }
    cells = {name: harmless(text or "") for name, text in words.items()} | numbers
    return [cells[name] for name in COLUMNS]


def joined(texts: Ids) -> str:
    """Several values in one cell; a semicolon inside one becomes a comma, so that none is torn apart."""
    return BETWEEN.join(one_line(text).replace(";", ",") for text in texts)


def _number(value: int | None) -> str:
    return "" if value is None else str(int(value))
