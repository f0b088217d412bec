"""Recognise the format of a bibliographic file and read its records."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from core.audit.searches import origin_of
from core.errors import FormatError, NotFoundError
from core.library.records import Record, cleaned, title_key
from core.protocols import OnProgress
from data.importers import table_formats
from data.importers.bibtex import BIBTEX
from data.importers.json_formats import ANY_JSON, CROSSREF_JSON, CSL_JSON, OPENALEX_JSON, QUERYSCAPE_JSONL, own_fields
from data.importers.parquet import parquet_of
from data.importers.proquest import PROQUEST
from data.importers.source import (
    NOTHING_ASKED,
    PARQUET,
    WORKBOOK,
    FileReading,
    Format,
    ImportEntry,
    ImportFile,
    ImportRejection,
    Note,
    Part,
    ReadOptions,
    opened,
    plain_name,
    read_bytes,
)
from data.importers.table_formats import ANY, IDENTIFIERS_FORMAT, PROVIDERS, TITLES_FORMAT, Provider, provider_of
from data.importers.tables import layout_of
from data.importers.tagged import RIS
from data.importers.tagged_formats import ENDNOTE, MEDLINE, SMART, WOS
from data.importers.trec import DOCUMENTS_FORMAT, JUDGMENTS_FORMAT, RUN_FORMAT
from data.importers.xml_formats import ENDNOTE_XML, PUBMED_XML

# Formats in rows: CSV of every provider, tab-delimited, workbooks, lists of numbers, runs and judgments.

_SURE, _LIKELY = 0.9, 0.7
_AS_WORKBOOK = ("dimensions_csv", "wos_table")
"""Providers that also write workbooks. Any other table saved as a workbook is read the same way, as "xlsx"."""


def _of_provider(provider: Provider, *, workbook: bool = False) -> Format:
    def likeness(source: ImportFile) -> float:
        if source.encoding == PARQUET or workbook != bool(source.data):
            return 0.0
        layout = layout_of(source)
        if layout is None or provider_of(layout.names) is not provider:
            return 0.0
        return _LIKELY if provider.format_id == "asreview_csv" else _SURE

    format_id = f"{provider.format_id.split('_')[0]}_xlsx" if workbook else provider.format_id
    label = f"{provider.label.split(' (')[0]} (workbook)" if workbook else provider.label
    return Format(format_id, label, likeness, table_formats.table_starts, table_formats.read_records)


def _like_workbook(source: ImportFile) -> float:
    """Score a source: any workbook counts, whatever its column names; missing columns are reported on reading."""
    if source.encoding != WORKBOOK:
        return 0.0
    if layout_of(source) is None:
        raise FormatError(f"{source.name} is a workbook without rows: export it again")
    return max(table_formats.table_likeness(source), 0.1)


def _like_parquet(source: ImportFile) -> float:
    return max(table_formats.table_likeness(source), 0.1) if source.encoding == PARQUET else 0.0


_ONLY_OURS = frozenset({"publication_id", "author_keywords", "relevant_by", "cite_string"})


def _like_our_parquet(source: ImportFile) -> float:
    layout = layout_of(source) if source.encoding == PARQUET else None
    return 1.0 if layout and _ONLY_OURS.issubset(layout.columns) else 0.0


def _our_parquet_starts(source: ImportFile) -> Sequence[int]:
    if source.encoding != PARQUET:
        raise FormatError(f"{source.name} is not a Parquet file: leave out --format")
    with parquet_of(source.data, source.name) as table:
        return range(1, table.n_rows + 1)


def _read_our_parquet(source: ImportFile, asked: ReadOptions) -> Iterator[Part]:
    with parquet_of(source.data, source.name) as table:
        for number, values in enumerate(table.rows(), start=1):
            yield ImportEntry(number, own_fields(dict(zip(table.columns, values, strict=True))))


TABLES: tuple[Format, ...] = (
    Format(
        "queryscape_parquet",
        "Queryscape (Parquet)",
        _like_our_parquet,
        _our_parquet_starts,
        _read_our_parquet,
    ),
    RUN_FORMAT,
    JUDGMENTS_FORMAT,
    DOCUMENTS_FORMAT,
    *(_of_provider(provider) for provider in PROVIDERS),
    *(_of_provider(provider, workbook=True) for provider in PROVIDERS if provider.format_id in _AS_WORKBOOK),
    IDENTIFIERS_FORMAT,
    Format(
        ANY.format_id,
        ANY.label,
        lambda source: 0.0 if source.data else table_formats.table_likeness(source),
        table_formats.table_starts,
        table_formats.read_records,
    ),
    Format("xlsx", "Workbook (.xlsx)", _like_workbook, table_formats.table_starts, table_formats.read_records),
    Format("parquet", "Table (Parquet)", _like_parquet, table_formats.table_starts, table_formats.read_records),
    TITLES_FORMAT,
)


# Formats with a grammar of their own: XML, JSON and BibTeX.

STRUCTURED: tuple[Format, ...] = (
    QUERYSCAPE_JSONL,
    PUBMED_XML,
    ENDNOTE_XML,
    OPENALEX_JSON,
    CROSSREF_JSON,
    CSL_JSON,
    ANY_JSON,
    BIBTEX,
)


# Formats with a tag at the beginning of each line: RIS, MEDLINE, Web of Science, EndNote, SMART, ProQuest.

TAGGED: tuple[Format, ...] = (SMART, WOS, MEDLINE, ENDNOTE, RIS, PROQUEST)


# FORMATS: id -> how to recognise, count and read one kind of file.

ALL: tuple[Format, ...] = (*STRUCTURED, *TAGGED, *TABLES)
"""If two formats fit a file equally well, the first one is used: specific formats come before general ones."""

FORMATS: dict[str, Format] = {form.format_id: form for form in ALL}


# Reading a bibliographic file: its format, its number of records, and every record or the reason for its rejection.
#
#     path -> bytes -> Source (source.py) -> Format (FORMATS, by content) -> Entries -> Records
#
# Record starts are counted in the raw text and compared with the result: a start with neither a record nor a rejection
# becomes a rejection, with its line.

EVERY = 2_000
"""Number of records between two progress reports."""
LIST = "identifiers"
"""The format of a person's list, which can mix titles with DOIs and numbers."""
LONGEST_LINE = 400
_WEB_PAGE = re.compile(r"\s{0,200}<(?:!doctype\s+html|html)[\s>]", re.IGNORECASE)
TITLES = "titles"
"""The format of plain lines: any text matches, so it is only used if titles are expected."""


def read_file(
    path: Path,
    *,
    format_id: str | None = None,
    asked: ReadOptions = NOTHING_ASKED,
    on_progress: OnProgress | None = None,
) -> FileReading:
    """Read everything in a file. The error for a file that is not a bibliography shows what it is."""
    return read_data(read_bytes(path), path.name, format_id=format_id, asked=asked, on_progress=on_progress)


def read_data(
    data: bytes,
    name: str,
    *,
    format_id: str | None = None,
    asked: ReadOptions = NOTHING_ASKED,
    on_progress: OnProgress | None = None,
) -> FileReading:
    source = opened(data, name := plain_name(name))
    form = _named(format_id) if format_id else recognised(source, asked)
    starts = form.starts(source)
    kept = _Kept(len(starts), on_progress)
    kept.take(form.read(source, asked))
    kept.miss(starts)
    kept.drop_repeated_ids()
    return FileReading(
        name=name,
        content_hash=sha256(data).hexdigest(),
        n_bytes=len(data),
        format_id=form.format_id,
        encoding=source.encoding,
        records_in_file=len(starts),
        records=tuple(kept.records),
        rejected=_numbered(kept.rejected, starts),
        notes=(*source.notes, *kept.notes),
        unused=dict(kept.unused.most_common()),
        origin=origin_of(source.text, form.format_id, name),
    )


def _numbered(rejected: Iterable[ImportRejection], starts: Sequence[int]) -> tuple[ImportRejection, ...]:
    number_at = {line: number for number, line in reversed(list(enumerate(starts, start=1)))}
    told = (r if r.record or r.line is None else replace(r, record=number_at.get(r.line)) for r in rejected)
    return tuple(sorted(told, key=lambda r: (r.line or 0, r.record or 0)))


def recognised(source: ImportFile, asked: ReadOptions = NOTHING_ASKED) -> Format:
    if not source.data and not source.text.strip():
        raise FormatError(f"{source.name} is empty: export it again")
    likeness, form = max(
        ((form.likeness(source), form) for form in FORMATS.values() if asked.titles or form.format_id != TITLES),
        key=lambda pair: pair[0],
    )
    if _WEB_PAGE.match(source.head) and form not in TAGGED:  # some databases save tagged records as a web page
        raise FormatError(
            f"{source.name} is a web page, perhaps a sign-in page: export the records as RIS, BibTeX or CSV"
        )
    if likeness <= 0 and asked.titles and _is_a_list(source):
        return FORMATS[LIST]
    if likeness <= 0:
        raise FormatError(
            f"{source.name} has no known format (it begins with "
            f"“{' '.join(source.head.split())[:60]}”): export it as RIS, or choose a format with --format"
        )
    return form


def _is_a_list(source: ImportFile) -> bool:
    lines = [line for line in source.head.split("\n") if line.strip()]
    return all(len(line) <= LONGEST_LINE and line.lstrip()[0] not in "<{[@%" for line in lines)


def _named(format_id: str) -> Format:
    if format_id not in FORMATS:
        raise NotFoundError(f'unknown format "{format_id}": choose from {", ".join(FORMATS)}')
    return FORMATS[format_id]


class _Kept:
    def __init__(self, n_starts: int, on_progress: OnProgress | None) -> None:
        self.records: list[Record] = []
        self.rejected: list[ImportRejection] = []
        self.notes: list[str] = []
        self.unused: Counter[str] = Counter()
        self._n_starts = n_starts
        self._on_progress = on_progress

    def take(self, parts: Iterable[ImportEntry | ImportRejection | Note]) -> None:
        for part in parts:
            if isinstance(part, Note):
                self.notes.append(part.text)
            elif isinstance(part, ImportRejection):
                self.rejected.append(part)
            else:
                self._take(part)

    def _take(self, entry: ImportEntry) -> None:
        record = cleaned(len(self.records) + 1, entry.line, entry.fields)
        if not record.says_something:
            self.rejected.append(ImportRejection(entry.line, "it has no title, abstract, DOI or number"))
            return
        self.records.append(record)
        self.unused.update(dict.fromkeys(entry.unused, 1))
        if self._on_progress and len(self.records) % EVERY == 0:
            self._on_progress(len(self.records), max(self._n_starts, len(self.records)))

    def miss(self, starts: Iterable[int]) -> None:
        accounted = {record.line for record in self.records} | {r.line for r in self.rejected}
        for position, line in enumerate(starts, start=1):
            if line not in accounted:
                self.rejected.append(ImportRejection(line, "the record that begins here could not be read", position))

    def drop_repeated_ids(self) -> None:
        """Remove an id from records with different titles that share it: it identifies none of them."""
        seen: dict[tuple[str | None, str], str] = {}
        repeated: set[tuple[str | None, str]] = set()
        for record in self.records:
            if record.own_id and record.title:
                name, key = (record.query_id, record.own_id), title_key(record.title)
                if seen.setdefault(name, key) != key:
                    repeated.add(name)
        if not repeated:
            return
        n = 0
        for i, record in enumerate(self.records):
            if record.title and record.own_id and (record.query_id, record.own_id) in repeated:
                written = (*record.as_written, ("own_id", record.own_id))
                self.records[i] = replace(record, own_id=None, as_written=written)
                n += 1
        shown = ", ".join(f"“{own_id[:40]}”" for _, own_id in sorted(repeated, key=str)[:3])
        self.notes.append(f"{n:,} records with different titles share an id ({shown}), which was ignored")
