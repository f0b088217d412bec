"""Read a table of searches from a spreadsheet, a text file or a paste, and apply it to a topic."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from core.audit.search_table import SearchTable, n_known, read_table
from core.errors import FormatError
from core.types import Ids
from data.importers.source import PARQUET, WORKBOOK, ImportFile, opened
from data.importers.tables import (
    DELIMITERS,
    columns_of_parquet,
    rows_of,
    rows_of_parquet,
    rows_of_sheet,
    sheet_names,
)
from data.library.records import source_names
from data.library.searches import brought_by, doubts_about, load_searches, save_searches
from data.store import Store

Row = tuple[int, Sequence[str]]


def read_search_table(store: Store, topic_id: str, data: bytes, name: str) -> SearchTable:
    """Return the changes that a table describes; nothing is stored."""
    header, rows = _header(opened(data, name))
    searches, names = load_searches(store, topic_id), source_names(store, topic_id)
    files = {search.search_id: tuple(names[i] for i in search.source_ids) for search in searches}
    return read_table(header, rows, searches, files)


def new_doubts(store: Store, topic_id: str, table: SearchTable, today: date) -> Ids:
    """Return a sentence for each contradiction that the changes of a table would bring in."""
    before, brought = load_searches(store, topic_id), brought_by(store, topic_id)
    changed = {change.search.search_id: change.search for change in table.changes if change.before is not None}
    added = [change.search for change in table.changes if change.before is None]
    after = [*(changed.get(search.search_id, search) for search in before), *added]
    known = doubts_about(before, brought, today)
    return tuple(doubt for doubt in doubts_about(after, brought, today) if doubt not in known)


def apply_search_table(store: Store, topic_id: str, table: SearchTable) -> None:
    save_searches(store, topic_id, [change.search for change in table.changes])


def _header(source: ImportFile) -> tuple[Sequence[str], list[Row]]:
    """Return the header and the rows below it: of the first sheet or delimiter whose first rows name two columns."""
    for found in _tables(source):
        for place, (_, cells) in enumerate(found[:10]):
            if n_known(cells) >= 2:
                rows = [row for row in found[place + 1 :] if any(cell.strip() for cell in row[1])]
                if not rows:
                    raise FormatError(f"{source.name} has no rows below its header: add one for each search")
                return cells, rows
    raise FormatError(
        f"{source.name} has no columns of searches: the first row must name them, such as Database, Platform, Date, "
        "Hits and Search string"
    )


def _tables(source: ImportFile) -> Iterator[list[Row]]:
    if source.encoding == PARQUET:
        yield [(0, columns_of_parquet(source)), *((row.line, row.cells) for row in rows_of_parquet(source))]
        return
    if source.encoding == WORKBOOK:
        for sheet in sheet_names(source):
            yield [(row.line, row.cells) for row in rows_of_sheet(source, sheet)]
        return
    if not source.text.strip():
        raise FormatError(f"{source.name} is empty: save the table again")
    for delimiter in sorted(DELIMITERS, key=lambda each: -source.lines[0].count(each)):
        width = source.lines[0].count(delimiter) + 1
        yield [(row.line, row.cells) for row in rows_of(source.lines, delimiter, width)]
