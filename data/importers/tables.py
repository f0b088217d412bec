"""Rows of text tables and workbooks: delimiter, header, columns, and rows of the wrong length."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from functools import cached_property, lru_cache
from itertools import islice
from typing import Any
from weakref import WeakKeyDictionary

from core.errors import FormatError
from core.library.records import pmid_of, year_of
from core.text import cut_to, first_of, folded, many, unguarded
from core.types import Ids
from data.importers.json_records import name_of, text_in
from data.importers.parquet import parquet_of
from data.importers.source import PARQUET, Columns, ImportFile, ImportRejection, Note
from data.importers.workbooks import Workbook

# Rows of a text with delimiters: several lines in one cell, stray quotes, rows of any length.
#
# Rows are read by Python's csv module in its strict form. A row with an unclosed quote is read again by a lenient
# grammar and, if that doesn't fit the header, as a single line: such a quote never swallows the rows after it. Row
# starts are counted independently, by scanning lines for quotes that open and close a cell.

DELIMITERS = (",", ";", "\t", "|")
LONGEST_CELL = 2**30
"""Larger than any file that can be opened; by default, csv refuses cells beyond 131,072 characters."""
MOST_LINES_AGAIN = 50
"""Largest number of lines of a row with a stray quote that is still read as one row."""
MOST_ATTEMPTS = 1_000
"""Largest number of rows to try over several lines; after that many stray quotes, each line is a row."""


@dataclass(frozen=True, slots=True)
class TableRow:
    line: int
    """The line where it begins, from 1."""
    cells: Sequence[str]
    stray_quote: bool = False
    """True: its quotes don't pair up."""
    n_far: int = 0
    """Number of cells of a workbook that are far to the right of the others, and left out."""

    @property
    def empty(self) -> bool:
        return not any(cell.strip() for cell in self.cells)


def rows_of(lines: Sequence[str], delimiter: str, width: int, start: int = 0) -> Iterator[TableRow]:
    """Yield every row from the line at index `start`, including blank ones. `width`: expected number of cells."""
    csv.field_size_limit(max(LONGEST_CELL, csv.field_size_limit()))
    attempts, place = MOST_ATTEMPTS, start
    spaced = _spaced(lines, delimiter, start)
    while place < len(lines):
        place = yield from _until_broken(lines, delimiter, width, place, spaced)
        if place < len(lines):
            row, n_lines = _repaired(lines, delimiter, width, place, MOST_LINES_AGAIN if attempts else 1)
            yield row
            attempts -= attempts > 0
            place += n_lines


def _until_broken(
    lines: Sequence[str], delimiter: str, width: int, start: int, spaced: bool
) -> Generator[TableRow, None, int]:
    """Yield rows up to one with a stray quote, and return its index."""
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
        yield TableRow(place + 1, cells)
        place = end
    return place


def _spaced(lines: Sequence[str], delimiter: str, start: int) -> bool:
    return any(f'{delimiter} "' in line and f'{delimiter}"' not in line for line in lines[start : start + 20])


def _swallowed(lines: Sequence[str], delimiter: str, width: int, n_cells: int) -> bool:
    """Return True if a row of several lines is really several rows, joined by two stray quotes."""
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


def _repaired(lines: Sequence[str], delimiter: str, width: int, place: int, most_lines: int) -> tuple[TableRow, int]:
    """Read a row whose quotes don't pair up; return it with its number of lines."""
    whole = ""
    for n_lines, line in enumerate(lines[place : place + most_lines], start=1):
        if len(whole) > 200_000 or (n_lines > 1 and _is_row(line, delimiter, width)):
            break
        whole = f"{whole}\n{line}" if n_lines > 1 else line
        if whole.count('"') % 2 and n_lines > 1:
            continue
        cells, closed = lenient_cells(whole, delimiter)
        if closed and len(cells) == width:
            return TableRow(place + 1, cells, stray_quote=True), n_lines
    plain = lines[place].split(delimiter)  # quotes are ordinary characters in many tab-delimited files
    if len(plain) == width:
        return TableRow(place + 1, [_unquoted(cell) for cell in plain], stray_quote=True), 1
    return TableRow(place + 1, lenient_cells(lines[place], delimiter)[0], stray_quote=True), 1


def _unquoted(cell: str) -> str:
    whole = len(cell) > 1 and cell[0] == cell[-1] == '"'
    return cell[1:-1].replace('""', '"') if whole else cell


def lenient_cells(text: str, delimiter: str) -> tuple[list[str], bool]:
    """Split one row into cells, and return True with them if its quotes close.

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
    """Match a quoted cell up to a quote before a delimiter or the end. Each character is read once."""
    end = rf"(?:{re.escape(delimiter)}|\Z)"
    return re.compile(rf'"((?:[^"]++|""|"(?! *+{end}))*+)" *+(?={end})')


_QUOTES = re.compile(r'"+')


def starts_of(lines: Sequence[str], delimiter: str, start: int = 0) -> list[int]:
    """Return the lines, from 1, where non-empty rows begin, by tracking quotes that open and close cells."""
    found: list[int] = []
    opened: int | None = None
    place, blank = start, f'{delimiter}" \u00a0\t'
    while place < len(lines):
        line = lines[place]
        if opened is None and line.strip(blank):
            found.append(place + 1)
        if '"' in line:
            is_open, stray = _followed(line, delimiter, opened is not None)
            if stray and opened is not None:  # the cell was opened by a stray quote: its line is a row of its own
                place, opened = opened + 1, None
                continue
            opened = (place if opened is None else opened) if is_open else None
        place += 1
    if opened is not None:
        found += [i + 1 for i in range(opened + 1, len(lines)) if lines[i].strip(blank)]
    return found


def _followed(line: str, delimiter: str, was_open: bool) -> tuple[bool, bool]:
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
    place -= 1
    while place >= 0 and line[place] == " ":
        place -= 1
    return place < 0 or line[place] == delimiter


def _stands_last(line: str, place: int, delimiter: str) -> bool:
    while place < len(line) and line[place] == " ":
        place += 1
    return place == len(line) or line[place] == delimiter


# Rows of a workbook (.xlsx), sheet by sheet, each cell as text.

_WORKBOOKS: WeakKeyDictionary[ImportFile, Workbook] = WeakKeyDictionary()


def _workbook(source: ImportFile) -> Workbook:
    if source not in _WORKBOOKS:
        _WORKBOOKS[source] = Workbook(source.data, source.name)
    return _WORKBOOKS[source]


def sheet_names(source: ImportFile) -> tuple[str, ...]:
    """Return the sheets with cells, in order."""
    return _workbook(source).sheets


def rows_of_sheet(source: ImportFile, sheet: str, first: int = 1) -> Iterator[TableRow]:
    """Yield the rows from row `first`, including hidden ones."""
    for row in _workbook(source).rows(sheet):
        if row.number >= first:
            yield TableRow(row.number, [cell_text(value) for value in row.values], n_far=row.n_far)


def cell_text(value: Any) -> str:
    """Return a cell as text: whole numbers without a decimal point, dates as 2019-03-12, a list as JSON.

    >>> cell_text(2019.0), cell_text(None), cell_text(True), cell_text(datetime(2019, 3, 12)), cell_text(" a ")
    ('2019', '', 'true', '2019-03-12', ' a ')
    >>> cell_text(["tea", {"name": "a, b"}, None]), cell_text({"family": "Kho", "given": "L."}), cell_text({"a": 1.0})
    ('["tea", "a, b"]', 'Kho, L.', '{"a": "1"}')
    """
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, float) and math.isnan(value):
        return ""
    if isinstance(value, Decimal) and value == value.to_integral_value():
        return str(int(value))
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, list):
        texts = [text for part in value if (text := cell_text(part))]
        return json.dumps(texts, ensure_ascii=False) if texts else ""
    if isinstance(value, dict):
        parts = {cell_text(key): text for key, part in value.items() if (text := cell_text(part))}
        return name_of(parts) or text_in(parts) or (json.dumps(parts, ensure_ascii=False) if parts else "")
    if isinstance(value, datetime) and value.time() == time():
        value = value.date()
    return value.isoformat() if isinstance(value, date | time) else str(value)


def year_text(text: str) -> str:
    """Recover a year that was typed into a date cell: day 2019 since 1900 is a day of July 1905.

    >>> year_text("1905-07-11"), year_text("2019-03-12")
    ('2019', '2019-03-12')
    """
    if not text.startswith(("1904-", "1905-", "1906-")):
        return text
    try:
        days = (date.fromisoformat(text[:10]) - date(1899, 12, 30)) // timedelta(days=1)
    except ValueError:
        return text
    return str(days) if 1800 <= days <= 2199 else text


# Rows of Parquet, each cell as text.


def columns_of_parquet(source: ImportFile) -> Ids:
    with parquet_of(source.data, source.name) as table:
        return unique_names(table.columns)


def rows_of_parquet(source: ImportFile) -> Iterator[TableRow]:
    """Yield every row, numbered from 1."""
    with parquet_of(source.data, source.name) as table:
        for number, values in enumerate(table.rows(), start=1):
            yield TableRow(number, [cell_text(value) for value in values])


# Names of table columns, in several languages, and the fields that they fill.

NAMES: Mapping[str, str] = {
    "title": (
        "title|primary title|article title|document title|item title|paper title|work title|study title|display name"
        "|titel|aufsatztitel|titre|titre de l article|titulo|titulo del articulo|titolo|dc title|dcterms title|ti|t1"
        "|full title|reference title|title of the paper|original title|translated title|short title"
    ),
    "abstract": (
        "abstract|abstract note|abstract text|paper abstract|dc description abstract|dcterms abstract|ab|n2"
        "|zusammenfassung|kurzfassung|abstrakt|resume|resumen|resumo|riassunto|sommario|original abstract|summary"
        "|dc description|description"
    ),
    "year": (
        "publication year|year|pubyear|pub year|py|year published|published year|year of publication|jahr"
        "|erscheinungsjahr|publikationsjahr|veroffentlichungsjahr|annee|annee de publication|ano|ano de publicacion"
        "|ano de publicacao|anno|anno di pubblicazione|publication date|date published|pub date|cover date|coverdate"
        "|date|datum|fecha|dc date issued|dc date|dcterms issued|issued|published|y1|online date|issue date"
    ),
    "doi": (
        "doi|item doi|article doi|doi number|digital object identifier|digital object identifier doi|prism doi"
        "|dc identifier doi|doi link|doi url|di"
    ),
    "pmid": "pmid|pubmed id|pubmedid|pubmed ids|ids pmid|pubmed|pubmed number|pubmed pmid|medline pmid|pm",
    "own_id": (
        "record id|publication id|pub id|paper id|paperid|corpus id|corpusid|lens id|eid|ut unique wos id"
        "|ut unique id|openalex id|covidence|rayyan id|work id|document id|documentid|doc id|docid|docno|item id"
        "|itemid|article id|study id|reference id|ref id|pui|id|key|citation key|citekey|bibtex key|uid|uuid"
        "|dc identifier|identifier|pid|accession number"
    ),
    "authors": (
        "author full names|authors|author|author s|author names|author list|author name|autoren|autor|autor in"
        "|autor innen|verfasser|auteurs|auteur|auteur s|autores|autor es|autori|autore|dc creator|dc contributor author"
        "|creator|creators|au|a1|first authors|authorships author display name"
    ),
    "venue": (
        "source title|journal book|journal|journal title|journal name|publication name|publication title|venue"
        "|container title|secondary title|publication|zeitschrift|revue|revista|rivista|periodical|booktitle|book title"
        "|conference|conference name|conference title|anthology title|proceedings title|primary location display name"
        "|primary location source display name|host venue display name|dc relation ispartof|dc source|is part of"
        "|t2|jf|jo|quelle|source"
    ),
    "volume": "volume|journal volume|vol|vl|band|jahrgang|tome|volumen|biblio volume",
    "issue": "issue|issue number|journal issue|number|heft|numero|no|biblio issue",
    "pages": "pages|pagination|page range|page numbers|page|seiten|paginas|pagine",
    "first_page": "page start|start page|beginning page|first page|bp|biblio first page|sp|startpage",
    "last_page": "page end|end page|ending page|last page|ep|biblio last page|endpage",
    "article_number": "art no|article number|article no|ar",
    "kind": (
        "document type|publication type|item type|content type|reference type|type of reference|type of work|entrytype"
        "|dokumenttyp|publikationstyp|type de document|tipo de documento|dc type|genre|type"
    ),
    "keywords": (
        "author keywords|keywords author|index keywords|keywords|keyword|keywords plus|mesh terms|mesh|ieee terms|tags"
        "|manual tags|automatic tags|subjects|subject|dc subject|schlagworter|schlagwoerter|schlagwort|stichworter"
        "|mots cles|palabras clave|palavras chave|parole chiave|fields of study|keywords display name|kw"
        "|emtree medical index terms|emtree drug index terms"
    ),
    "url": (
        "url|link|urls|links|article url|articleurl|source urls|external url|dimensions url|open url link|pdf link|uri"
        "|dc identifier uri|ur|weblink|primary location landing page url"
    ),
    "times_cited": (
        "cited by|times cited|cited by count|citations|citation count|article citation count|citing works count|cites"
        "|citationcount|n citations|number of citations|scholarly citation count|times cited wos core|zitationen|tc"
    ),
    "included": (
        "label included|final included|asreview label|included label|included|include|label|is included|inclusion"
        "|screening|screening decision|final decision|decision|eingeschlossen|inclus|incluido"
    ),
    "language": "language of original document|language|languages|sprache|langue|idioma|lingua|la|dc language",
    "issn": "issn|issns|eissn|issn s|print issn|online issn|journal issn|sn|ei",
    "pmcid": "pmcid|pmc id|pubmed central id",
    "cite_source": "cite source",
    "cite_label": "cite label",
    "cite_string": "cite string",
    "query_id": "query id|queryid|qid|query paper id|topic id|search id",
}
"""Field -> names in the form of `plain_name`, most reliable first. Pages may be in two columns."""

PAGES = ("first_page", "last_page", "article_number")

FIELD_OF: Mapping[str, str] = {
    name: field for field, names in reversed(list(NAMES.items())) for name in names.split("|")
}
RECOGNISING = frozenset({"title", "abstract", "doi", "pmid", "own_id"})
"""At least one of these is required: a year alone is not a publication."""

_SEPARATORS = re.compile(r"[\W_]+")
LONGEST_NAME = 200


def plain_name(name: str) -> str:
    """Return a column's name without case, accents, punctuation and outer spaces.

    >>> plain_name(" Author(s) "), plain_name("dc:title"), plain_name("primary_title"), plain_name("Année")
    ('author s', 'dc title', 'primary title', 'annee')
    """
    return _SEPARATORS.sub(" ", folded(name[:LONGEST_NAME])).strip()


def unique_names(cells: Iterable[str]) -> Ids:
    """Return unique column names: an empty name becomes its position, a repeated one is numbered.

    >>> unique_names(["Title", "", "Title"])
    ('Title', 'column 2', 'Title (2)')
    """
    seen: dict[str, int] = {}
    names = []
    for place, cell in enumerate(cells, start=1):
        name = " ".join(cell.strip("\ufeff").split()) or f"column {place}"
        seen[name] = seen.get(name, 0) + 1
        names.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return tuple(names)


def n_known(cells: Iterable[str]) -> int:
    """Count the cells that are a known column name."""
    return sum(plain_name(cell) in FIELD_OF for cell in cells if cell and len(cell) <= 60)


Mapped = dict[str, tuple[int, ...]]
"""Field -> the positions of its columns, from 0."""


def mapped(columns: Ids, special: Mapping[str, str], asked: Columns | None, table: str = "the table") -> Mapped:
    """Map fields to columns: a person's choice first, then this provider's columns, then the usual ones."""
    places: dict[str, int] = {}
    for place, name in enumerate(columns):
        places.setdefault(plain_name(name), place)
    chosen = _chosen(columns, asked or {}, table)
    taken = {place for some in chosen.values() for place in some}
    found: Mapped = {}
    for field, usual in {**NAMES, **special}.items():
        if field in chosen:
            continue
        free = [places[name] for name in usual.split("|") if name and places.get(name, -1) not in {-1, *taken}]
        if free:
            found[field] = tuple(dict.fromkeys(free))
    if "pages" in chosen:
        found = {field: some for field, some in found.items() if field not in PAGES}
    return {**found, **chosen}


def _chosen(columns: Ids, asked: Columns, table: str) -> Mapped:
    by_name = {name.strip().lower(): place for place, name in reversed(list(enumerate(columns)))}
    chosen: Mapped = {}
    for field, name in asked.items():
        if field not in NAMES:
            fields = ", ".join(field for field in NAMES if field not in PAGES)
            raise FormatError(f'unknown field "{field}" in --column: choose from {fields}')
        if name and name.strip().lower() not in by_name:
            raise FormatError(f'{table} has no column "{name}": its columns are {shown(columns)}')
        chosen[field] = (by_name[name.strip().lower()],) if name else ()
    return chosen


def shown(columns: Ids) -> str:
    return first_of([cut_to(name, 40) for name in columns], 20)


# The layout of a table: its delimiter or sheet, its header row, its columns. Detected from its first rows.

SAMPLE = 20
"""Number of rows searched for the header."""
MOST_HEADER_ROWS = 10
"""Number of first rows that can be the header; a title or a remark may be above it."""
MOST_COLUMNS = 20_000
_LONGEST_HEAD = 2_000_000
_OTHER_BEGINNINGS = ("{", "[", "<", "@", "%")
"""JSON, XML, BibTeX, Refer: none of them is a table."""


@dataclass(frozen=True, eq=False)
class TableLayout:
    columns: Ids
    first: int
    """The line, or row of a workbook, after the header, from 1."""
    delimiter: str
    """Empty in a workbook and in Parquet."""
    sheet: str
    """Empty in a text and in Parquet."""
    sample: tuple[TableRow, ...]
    """The first rows after the header."""
    unnamed: int | None = None
    """Position, from 0, of a column without a name in the header, although each row has a cell for it."""

    @cached_property
    def names(self) -> frozenset[str]:
        return frozenset(map(plain_name, self.columns))

    @property
    def has_lists(self) -> bool:
        """True for Parquet: a cell can be a list, written as JSON."""
        return not self.delimiter and not self.sheet

    @property
    def steadiness(self) -> float:
        """The share of the first rows with as many cells as the header."""
        n_columns = len(self.columns)
        return sum(len(row.cells) == n_columns for row in self.sample) / len(self.sample) if self.sample else 1.0

    def rows(self, source: ImportFile) -> Iterator[TableRow]:
        if self.sheet:
            return rows_of_sheet(source, self.sheet, self.first)
        if self.has_lists:
            return rows_of_parquet(source)
        return rows_of(source.lines, self.delimiter, len(self.columns), self.first - 1)

    def starts(self, source: ImportFile) -> Sequence[int]:
        if self.sheet or self.has_lists:
            return [row.line for row in self.rows(source) if not row.empty]
        return starts_of(source.lines, self.delimiter, self.first - 1)


_KNOWN: WeakKeyDictionary[ImportFile, TableLayout | None] = WeakKeyDictionary()


def layout_of(source: ImportFile) -> TableLayout | None:
    """Return the layout of a file that can be read as a table; None if it can't."""
    if source not in _KNOWN:
        read = _of_parquet if source.encoding == PARQUET else _of_workbook if source.data else _of_text
        _KNOWN[source] = read(source)
    return _KNOWN[source]


def needed_layout(source: ImportFile) -> TableLayout:
    """Return the layout; a file that is not a table is an error."""
    found = layout_of(source)
    if found is None:
        raise FormatError(f"{source.name} is not a table: choose another format with --format")
    return found


def _of_text(source: ImportFile) -> TableLayout | None:
    if not source.head.strip() or source.head.lstrip().startswith(_OTHER_BEGINNINGS):
        return None
    lines, n_skipped = _first_lines(source), 0
    delimiters: Sequence[str] = DELIMITERS
    if lines[0].strip().lower()[:4] == "sep=" and len(lines[0].strip()) == 5:
        delimiters, n_skipped = lines[0].strip()[4], 1
    found = [_laid_out(islice(rows_of(lines, d, 0, n_skipped), SAMPLE), delimiter=d) for d in delimiters]
    layouts = [layout for layout in found if layout]
    return max(layouts, key=_fitness, default=None)


def _first_lines(source: ImportFile) -> list[str]:
    """Return whole lines only; a line that the end of the head cuts off is left out."""
    text = source.head
    if len(source.text) > len(text):
        whole = text[: text.rfind("\n") + 1]
        text = whole if whole.count("\n") > MOST_HEADER_ROWS else source.text[:_LONGEST_HEAD]
    return text.split("\n")


def _fitness(layout: TableLayout) -> tuple[int, float, int]:
    n_columns = len(layout.columns)
    return n_known(layout.columns[:MOST_COLUMNS]), layout.steadiness if n_columns > 1 else 0.0, n_columns


def _of_workbook(source: ImportFile) -> TableLayout | None:
    """Use the first sheet with a header of known columns, else the first one with rows."""
    found: list[TableLayout] = []
    for sheet in sheet_names(source):
        layout = _laid_out(islice(rows_of_sheet(source, sheet), SAMPLE), sheet=sheet)
        if layout:
            found.append(layout)
        if layout and n_known(layout.columns) > 1:
            return layout
    return found[0] if found else None


def _of_parquet(source: ImportFile) -> TableLayout:
    rows = islice(rows_of_parquet(source), SAMPLE)
    return TableLayout(columns_of_parquet(source), 1, "", "", tuple(row for row in rows if not row.empty))


def _laid_out(rows: Iterator[TableRow], *, delimiter: str = "", sheet: str = "") -> TableLayout | None:
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
    unnamed = None if sheet else _lacking(cells, behind)
    if unnamed is not None:
        cells.insert(unnamed, "")
    elif _numbered(cells, behind):
        cells.insert(0, "")
    n_lines = 1 if sheet else 1 + sum(cell.count("\n") for cell in header.cells)
    names = unique_names(cells) if len(cells) <= MOST_COLUMNS else tuple(cells)
    return TableLayout(names, header.line + n_lines, delimiter, sheet, behind, unnamed)


def _header_place(rows: Sequence[TableRow]) -> int:
    known = [n_known(row.cells[:MOST_COLUMNS]) for row in rows[:MOST_HEADER_ROWS]]
    if max(known):
        return known.index(max(known))
    return next((i for i, row in enumerate(rows) if sum(bool(cell.strip()) for cell in row.cells) > 1), 0)


def _numbered(header: Sequence[str], rows: Sequence[TableRow]) -> bool:
    """Return True if each row begins with its number and the header has no name for it (as R writes tables)."""
    return len(rows) > 1 and all(len(row.cells) == len(header) + 1 and row.cells[0].isdigit() for row in rows)


_SCOPUS = frozenset({"authors", "title", "source title", "eid"})
_DOCUMENT_TYPES = re.compile(
    r"article|review|conference (?:paper|review)|book(?: chapter)?|editorial|letter|note|short survey|erratum|report"
    r"|data paper|retracted|article in press|business article|multimedia|abstract report|preprint",
    re.IGNORECASE,
)
_MUST_HOLD: Mapping[str, re.Pattern[str]] = {
    "author s id": re.compile(r"\d{5,}(?:; ?\d{5,})*;?"),
    "year": re.compile(r"(?:1[5-9]|2[01])\d\d"),
    "title": re.compile(r".*[^\W\d_]{2}.*", re.DOTALL),
    "source title": re.compile(r".*[^\W\d_]{2}.*", re.DOTALL),
    "volume": re.compile(r"(?=.*[\dIVXL]).{1,20}"),
    "issue": re.compile(r"(?=.*[\dA-Z]).{1,20}"),
    "page start": re.compile(r"(?=.*[\divxlIVXL]).{1,10}"),
    "page end": re.compile(r"(?=.*[\divxlIVXL]).{1,10}"),
    "page count": re.compile(r"\d{1,5}"),
    "cited by": re.compile(r"\d{1,7}"),
    "doi": re.compile(r"10\.\d{4,9}/\S+"),
    "link": re.compile(r"https?://\S+"),
    "abstract": re.compile(r"\[No abstract available\]|(?:[^\s;]+;?\s+){25,}\S.*", re.DOTALL),
    "issn": re.compile(r"[\dXx -]{8,9}(?:; ?[\dXx -]{8,9})*"),
    "isbn": re.compile(r"[\dXx -]{10,17}(?:; ?[\dXx -]{10,17})*"),
    "coden": re.compile(r"[A-Z0-9]{5,6}"),
    "pubmed id": re.compile(r"\d{1,8}"),
    "document type": _DOCUMENT_TYPES,
    "publication stage": re.compile(r"final|article in press|aip", re.IGNORECASE),
    "open access": re.compile(r"(?:all )?(?:open access|gold|green|hybrid|bronze)\b.*", re.IGNORECASE),
    "source": re.compile(r"scopus", re.IGNORECASE),
    "eid": re.compile(r"2-s2\.0-\d+"),
}
"""Patterns of filled cells in Scopus's columns, by the column's plain name."""
_NOT_GIVEN = frozenset({"", "na"})
LEAST_HELD = 0.9
"""Smallest share of cells in these columns that must match their pattern."""


def _lacking(header: Sequence[str], rows: Sequence[TableRow]) -> int | None:
    """Find the position where Scopus's header lacks a column name, so that each row has an extra cell; None if nowhere.

    Every position is tried; the one where the columns match their patterns best is used, on a tie the first: names are
    aligned from the right.
    """
    names = [plain_name(name) for name in header]
    if not _SCOPUS.issubset(names) or not rows or not all(len(row.cells) == len(header) + 1 for row in rows):
        return None
    checked = [(place, check) for place, name in enumerate(names) if (check := _MUST_HOLD.get(name))]
    before, behind = [0.0] * len(checked), [0.0] * len(checked)
    for row in rows:
        cells = [cell.strip() for cell in row.cells]
        for i, (place, check) in enumerate(checked):
            before[i] += _held(cells[place], check)
            behind[i] += _held(cells[place + 1], check)
    n_right = [
        sum(before[i] if place < gap else behind[i] for i, (place, _) in enumerate(checked))
        for gap in range(len(header) + 1)
    ]
    best = n_right.index(max(n_right))
    return best if n_right[best] >= LEAST_HELD * len(checked) * len(rows) else None


def _held(cell: str, check: re.Pattern[str]) -> float:
    """Score a cell: 1 if it matches, a little less if empty, which is possible in any column."""
    if cell.lower() in _NOT_GIVEN:
        return LEAST_HELD
    return 1.0 if check.fullmatch(cell) else 0.0


# Rows that are longer or shorter than the header: joined if the result is certain, else rejected.

_JOINED = "unquoted cells with {delimiter}, joined"
_LONGER = "more cells than the header; the extra cells were left out"
_FAR = "cells far to the right of the others, left out"
_SHORTER = "fewer cells than the header; missing cells count as empty"
_FITTING_QUOTES = "undoubled quotes, read as probably meant"


def written_rows(content: bytes, name: str, needed: Sequence[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the rows of a CSV of our own, by column, each with its line; remove the protection against formulas."""
    try:
        rows = csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline=""))
        if missing := [column for column in needed if column not in (rows.fieldnames or ())]:
            raise FormatError(f"{name} has no column {', '.join(missing)}: it needs {', '.join(needed)}")
        for row in rows:
            yield rows.line_num, {key: unguarded(cell or "") for key, cell in row.items() if isinstance(key, str)}
    except (UnicodeDecodeError, csv.Error) as e:
        raise FormatError(f"{name} can't be read as CSV in UTF-8: {e}") from e


class RowFitter:
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

    def fitted(self, row: TableRow) -> Sequence[str] | ImportRejection:
        cells = list(row.cells)
        if row.n_far:
            self._remark(_FAR, row.line)
        while len(cells) > self._width and not cells[-1].strip():
            cells.pop()
        if not self._delimiter:  # a workbook stores no empty cells after the last filled one
            cells += [""] * (self._width - len(cells))
        if len(cells) == self._width:
            return self._of_right_length(row, cells)
        if self._broken is not None:
            return ImportRejection(
                row.line, f"probably part of the row in line {self._broken:,}, which has a stray quote"
            )
        if row.stray_quote:
            self._broken = row.line
            return ImportRejection(row.line, f"a quote in it is never closed: {self._count(len(cells))}")
        return self._longer(row, cells) if len(cells) > self._width else self._shorter(row, cells)

    def _of_right_length(self, row: TableRow, cells: list[str]) -> Sequence[str] | ImportRejection:
        self._broken = None
        if row.stray_quote:
            if self._n_wrong(cells):
                return ImportRejection(row.line, "its quotes don't pair up, and its cells are not in their columns")
            self._remark(_FITTING_QUOTES, row.line)
        if tuple(cell.strip().lower() for cell in cells) == self._columns:
            return ImportRejection(row.line, "the header is repeated here")
        return cells

    def _longer(self, row: TableRow, cells: list[str]) -> Sequence[str] | ImportRejection:
        joined = self._joined(cells)
        if len(joined) == self._width and not self._n_wrong(joined):
            self._remark(_JOINED, row.line)
            return joined
        kept = cells[: self._width]
        if self._checks and not self._n_wrong(kept) and self._n_right(kept):
            self._remark(_LONGER, row.line)
            return kept
        return ImportRejection(row.line, f"{self._count(len(cells))}: put cells with “{self._delimiter}” in quotes")

    def _joined(self, cells: list[str]) -> list[str]:
        """Join cells: one that begins with a space continues the one before, as no space follows a delimiter."""
        if self._width == 1:
            return [self._delimiter.join(cells)]
        joined = cells[:1]
        for cell in cells[1:]:
            if cell.startswith(" ") and cell.strip():
                joined[-1] += self._delimiter + cell
            else:
                joined.append(cell)
        return joined

    def _shorter(self, row: TableRow, cells: list[str]) -> Sequence[str] | ImportRejection:
        cells += [""] * (self._width - len(cells))
        n_filled = sum(bool(cell.strip()) for cell in cells)
        if self._n_wrong(cells) or (n_filled == 1 and self._width > 2):
            return ImportRejection(row.line, f"{self._count(len(row.cells))}: complete it")
        self._remark(_SHORTER, row.line)
        return cells

    def _count(self, n_cells: int) -> str:
        return f"it has {many(n_cells, 'cell')} but the header has {self._width:,}"

    def _n_wrong(self, cells: Sequence[str]) -> int:
        return sum(bool(cells[place].strip()) and not check(cells[place]) for place, check in self._checks)

    def _n_right(self, cells: Sequence[str]) -> int:
        return sum(bool(cells[place].strip()) and check(cells[place]) for place, check in self._checks)

    def _remark(self, what: str, line: int) -> None:
        self._remarks.setdefault(what, []).append(line)

    def notes(self) -> Iterator[Note]:
        for what, lines in self._remarks.items():
            n = len(lines)
            text = what.format(delimiter=f"“{self._delimiter}”")
            yield Note(f"{many(n, 'row')} with {text} (the first in line {lines[0]:,})")


def _is_year(text: str) -> bool:
    return len(text) < 40 and year_of(text) is not None


def _is_doi(text: str) -> bool:
    return "10." in text and len(text) < 300


def _is_pmid(text: str) -> bool:
    return pmid_of(text) is not None
