"""Records from table rows: known providers, any other table, and lists of identifiers or titles."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from core.errors import FormatError
from core.library.kinds import kind_of
from core.library.records import RawFields, doi_of, pmid_of, year_of
from core.text import unguarded
from core.types import Ids
from data.importers.source import (
    NOTHING_ASKED,
    Format,
    ImportEntry,
    ImportFile,
    ImportRejection,
    Note,
    Part,
    ReadOptions,
)
from data.importers.tables import (
    PAGES,
    RECOGNISING,
    Mapped,
    RowFitter,
    TableLayout,
    layout_of,
    mapped,
    n_known,
    needed_layout,
    plain_name,
    shown,
    year_text,
)

_TRUE = frozenset({"1", "yes", "y", "true", "t", "include", "included", "relevant", "ja", "oui", "si", "sí", "in"})
_FALSE = frozenset(
    {"0", "no", "n", "false", "f", "exclude", "excluded", "irrelevant", "not relevant", "nein", "non", "out"}
)
_LIST_ITEM = re.compile(r"'((?:[^'\\]|\\.)*+)'|\"((?:[^\"\\]|\\.)*+)\"")
_OUTER_COMMA = re.compile(r",\s*(?![^()]{0,200}\))")
_AND = re.compile(r"\s+(?:and|&)\s+")
_INITIALS = re.compile(r"[^\W\d_](?:[.\- ]{0,2}[^\W\d_]){0,3}\.?(?:,? (?:Jr|Sr|I{1,3})\.?)?")


def decision(text: str) -> bool | None:
    """Parse a label that includes a publication in the review or excludes it; None if it does neither.

    >>> decision("1.0"), decision("No"), decision("-1"), decision("maybe")
    (True, False, None, None)
    """
    plain = text.strip().lower().removesuffix(".0")
    return True if plain in _TRUE else False if plain in _FALSE else None


def list_items(text: str) -> Sequence[str] | None:
    """Return the items of a list in Python or JSON syntax; None for any other text.

    >>> list_items("['Marx, Karl', \\"O'Hara, S.\\"]")
    ['Marx, Karl', "O'Hara, S."]
    """
    if not (text.startswith("[") and text.endswith("]")):
        return None
    if items := _json_items(text):
        return items
    found = [single or double for single, double in _LIST_ITEM.findall(text)]
    return found or None


def _json_items(text: str) -> list[str]:
    """Return the texts of a JSON list; none for any other text."""
    if text.startswith('["') and text.endswith('"]'):
        with suppress(ValueError, RecursionError):
            items = json.loads(text)
            if all(isinstance(item, str) for item in items):
                return list(items)
    return []


def keywords_of(text: str, separator: str = "") -> Sequence[str]:
    """Split the keywords of a cell: by this separator, else at semicolons, bars, lines, or commas outside brackets.

    >>> keywords_of("Dose; Administration, Oral"), keywords_of("cyst (adult, child), article")
    (['Dose', ' Administration, Oral'], ['cyst (adult, child)', 'article'])
    """
    text = text.strip()
    items = list_items(text)
    if items is not None:
        return items
    for mark in (separator, ";", "|", "\n"):
        if mark and mark in text:
            return text.split(mark)
    return _OUTER_COMMA.split(text)


def authors_of(text: str, separator: str = "") -> Sequence[str]:
    """Split the authors of a cell, for any separator.

    >>> authors_of("Liu R., Adler D.G."), authors_of("Smith, J., Doe, A.B."), authors_of("Marx, Karl")
    (['Liu R.', 'Adler D.G.'], ['Smith, J.', 'Doe, A.B.'], ['Marx, Karl'])
    >>> authors_of("Ann Hickey , Oscar Dieste and Ana Moreno"), authors_of("Aria|Cuccurullo")
    (['Ann Hickey', 'Oscar Dieste', 'Ana Moreno'], ['Aria', 'Cuccurullo'])
    """
    text = text.strip()
    items = list_items(text)
    if items is not None:
        return items
    for mark in (separator, ";", "|", "\n"):
        if mark and mark in text:
            return [name.strip() for name in text.split(mark)]
    parts = [part for part in _AND.split(text) if part]
    if len(parts) > 1 and all(map(_is_one_name, parts)):
        return parts  # "Marx, Karl and Lindgren, Astrid"
    return [name for part in parts for name in _by_commas(part)]


def _is_one_name(text: str) -> bool:
    """Return True for one name, "Family, Given", and False for two names."""
    family, comma, given = text.partition(",")
    return bool(comma) and "," not in given and not (" " in family.strip() and " " in given.strip())


def _are_initials(name: str) -> bool:
    return name[:2] == name[:2].upper() and len(name) < 20 and _INITIALS.fullmatch(name) is not None


def _by_commas(text: str) -> Sequence[str]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    if len(names) < 2:
        return names
    if len(names) % 2 == 0 and all(map(_are_initials, names[1::2])):
        return [f"{family}, {given}" for family, given in zip(names[::2], names[1::2], strict=True)]
    return [", ".join(names)] if len(names) == 2 and not any(" " in name for name in names) else names


# The tables of each provider: the columns that identify them, and the fields that their columns fill.

CellOf = Callable[[str], str]
"""Returns the cell of a column, by its plain name; empty if the table has no such column."""


@dataclass(frozen=True)
class Provider:
    format_id: str
    label: str
    needs: tuple[str, ...]
    """Alternatives: plain names, separated by |, all of which are columns of this provider's tables."""
    columns: Mapping[str, str] = field(default_factory=dict)
    """Field -> plain names of columns, most reliable first, if they differ from the usual ones."""
    authors: str = ""
    """Separator of authors, if it is always the same."""
    keywords: str = ""
    refine: Callable[[RawFields, CellOf], None] | None = None
    """Fills fields that need more than one column."""
    also_reads: str = ""
    """Plain names of columns that only `refine` reads, separated by |."""

    def fits(self, names: frozenset[str]) -> bool:
        return any(names.issuperset(needed.split("|")) for needed in self.needs)


_NUMBER_BEHIND_NAME = re.compile(r"\s*\(\d{5,}\)\s*$")
_RAYYAN = re.compile(r"RAYYAN-INCLUSION:\s*\{([^{}]*)\}")
_RAYYAN_VOTE = re.compile(r"=>\s*\"?(Included|Excluded|Maybe)", re.IGNORECASE)
_EMBASE_SOURCE = re.compile(r"(?P<venue>[^(]+?) *\((?P<year>\d{4})\) *(?P<volume>[^():]*)(?::(?P<issue>[^() ]*))?")
_EMBASE_PAGES = re.compile(r"\(([A-Za-z]*\d+[A-Za-z]*(?:-[A-Za-z]*\d+[A-Za-z]*)?)\)")
_EMBASE_DOI = re.compile(r"[?&]id=doi:([^&\s]+)", re.IGNORECASE)


def _scopus(fields: RawFields, cell: CellOf) -> None:
    fields["authors"] = [_NUMBER_BEHIND_NAME.sub("", name) for name in fields.get("authors", ())]


def _pubmed(fields: RawFields, cell: CellOf) -> None:
    fields["authors"] = [name.strip().removesuffix(".") for name in fields.get("authors", ())]


def _rayyan(fields: RawFields, cell: CellOf) -> None:
    """Read decisions from the notes; conflicting votes are not a decision."""
    found = _RAYYAN.search(cell("notes"))
    votes = {vote.lower() for vote in _RAYYAN_VOTE.findall(found[1])} if found else set()
    if len(votes) == 1 and (decided := decision(votes.pop())) is not None:
        fields["included"] = decided


def _asreview(fields: RawFields, cell: CellOf) -> None:
    """Read the phases that a record reached, if the decision on its title and abstract is in a column of its own."""
    if (passed := decision(cell("label abstract screening"))) is not None:
        is_included = bool(fields.get("included"))
        fields["cite_label"] = ["search", *["screened"] * (passed or is_included), *["final"] * is_included]


def _embase(fields: RawFields, cell: CellOf) -> None:
    """Split "Journal (2014) 3:3 (152-160). Date of Publication: 2014"; read a DOI from the address in another cell."""
    source = cell("source")[:2_000]
    if found := _EMBASE_SOURCE.match(source):
        fields["venue"] = found["venue"]
        fields.setdefault("year", found["year"])
        fields.setdefault("volume", found["volume"].strip())
        fields.setdefault("issue", found["issue"] or "")
        if pages := _EMBASE_PAGES.search(source, found.end()):
            fields.setdefault("pages", pages[1])
    link = _EMBASE_DOI.search(cell("open url link")[:4_000])
    if link and (doi := doi_of(unquote(link[1]))):
        fields.setdefault("doi", doi)


def _queryscape(fields: RawFields, cell: CellOf) -> None:
    """Read our own export: remove the protection against formulas, and split names only at "; "."""
    texts: dict[str, Any] = {name: unguarded(text) for name, text in fields.items() if isinstance(text, str)}
    fields.update(texts)  # type: ignore[typeddict-item]
    fields["authors"] = unguarded(cell("authors")).split(BETWEEN)
    own = cell("author keywords") or ("" if cell("headings") else cell("keywords"))
    fields["keywords"] = unguarded(own).split(BETWEEN)
    for name in _QUERYSCAPE_LISTS:
        fields[name] = unguarded(cell(plain_name(name))).split(BETWEEN)  # type: ignore[literal-required]
    if (retracted := decision(cell("retracted"))) is not None:
        fields["is_retracted"] = retracted


_QUERYSCAPE_LISTS = (
    *("types", "headings", "language", "issn", "references", "cite_source", "cite_label", "cite_string"),
)


def _springer(fields: RawFields, cell: CellOf) -> None:
    """Split names that follow each other without a space ("Andy SmithTom Weber")."""
    names = [part for name in fields.get("authors", ()) for part in _glued(name)]
    if names:
        fields["authors"] = names


_GLUED = re.compile(r"(?<=[^\W\d_A-Z])(?=[A-ZÀ-ÖØ-Þ])")
_PREFIX = re.compile(r"(?:\b(?:Mc|Mac|De|Di|Du|La|Le|Van|Von|Fitz|Ver|O))$")


def _glued(name: str) -> list[str]:
    parts: list[str] = []
    for part in _GLUED.split(name):
        if parts and (_PREFIX.search(parts[-1]) or " " not in parts[-1]):
            parts[-1] += part
        else:
            parts.append(part)
    return parts


PROVIDERS: tuple[Provider, ...] = (
    Provider(
        "queryscape_csv",
        "Queryscape (CSV)",
        ("publication id|own id|found by|relevant by",),
        {"own_id": "own id", "venue": "journal", "kind": "type", "keywords": "keywords|author keywords"},
        authors=";",
        keywords=";",
        refine=_queryscape,
        also_reads="types|headings|references|retracted",
    ),
    Provider(
        "scopus_csv",
        "Scopus (CSV)",
        ("eid|source title|authors", "eid|source title|title", "author full names|source title|art no"),
        {
            "own_id": "eid",
            "venue": "source title|conference name|abbreviated source title",
            "kind": "document type",
            "keywords": "author keywords|index keywords",
            "url": "link",
        },
        refine=_scopus,
    ),
    Provider(
        "dimensions_csv",
        "Dimensions (CSV)",
        ("publication id|pubyear", "publication id|dimensions url", "publication id|times cited|source linkout"),
        {
            "own_id": "publication id",
            "title": "title",
            "year": "pubyear|publication date",
            "venue": "source title|anthology title|source title anthology title|proceedings title",
            "authors": "authors|authors raw affiliation",
            "url": "dimensions url|source linkout",
            "keywords": "mesh terms",
        },
        authors=";",
        keywords=";",
    ),
    Provider(
        "zotero_csv",
        "Zotero (CSV)",
        ("key|item type|abstract note", "key|item type|publication title|date added"),
        {
            "own_id": "key",
            "title": "title",
            "year": "publication year|date",
            "venue": "publication title|conference name|proceedings title|book title|series title",
            "issue": "issue",
            "kind": "item type",
            "keywords": "manual tags|automatic tags",
            "url": "url",
        },
        authors=";",
        keywords=";",
    ),
    Provider(
        "ieee_csv",
        "IEEE Xplore (CSV)",
        (
            "document title|publication title|ieee terms",
            "document title|author affiliations|date added to xplore",
            "title|authors|affiliations|publication|category|doi",
        ),
        {
            "own_id": "accession number",
            "title": "document title|title",
            "venue": "publication title|publication",
            "kind": "document identifier|category",
            "keywords": "author keywords|ieee terms|mesh terms",
            "url": "pdf link",
        },
    ),
    Provider(
        "springer_csv",
        "SpringerLink (CSV)",
        ("item title|item doi",),
        {"title": "item title", "doi": "item doi", "venue": "publication title|book series title", "url": "url"},
        refine=_springer,
    ),
    Provider(
        "lens_csv",
        "Lens.org (CSV)",
        ("lens id|title|date published", "lens id|title|publication year"),
        {
            "own_id": "lens id",
            "venue": "source title",
            "url": "external url|source urls",
            "times_cited": "citing works count|scholarly citation count",
            "keywords": "keywords|mesh terms",
        },
        authors=";",
        keywords=";",
    ),
    Provider(
        "embase_csv",
        "Embase (CSV)",
        ("author names|emtree medical index terms", "author names|emtree drug index terms", "author names|pui|title"),
        {
            "authors": "author names",
            "own_id": "pui|accession number",
            "year": "publication year|year",
            "keywords": "author keywords|keywords|emtree medical index terms|emtree drug index terms",
            "pmid": "medline pmid|pmid",
            "url": "embase link|full text link|open url link",
            "kind": "publication type",
        },
        refine=_embase,
    ),
    Provider(
        "pubmed_csv",
        "PubMed (CSV)",
        ("pmid|title|journal book", "pmid|title|citation|create date", "journal book|citation|create date|title"),
        {"venue": "journal book", "year": "publication year|create date", "url": "", "own_id": "id"},
        refine=_pubmed,
    ),
    Provider(
        "openalex_csv",
        "OpenAlex (CSV)",
        (
            "display name|cited by count|publication year",
            "id|title|cited by count|open access is oa",
            "id|doi|authorships author display name",
        ),
        {
            "own_id": "id|openalex id",
            "title": "display name|title",
            "authors": "authorships author display name|authorships raw author name|author names",
            "venue": "primary location source display name|primary location display name|host venue display name",
            "keywords": "keywords display name",
            "kind": "type",
            "url": "primary location landing page url|best oa location landing page url",
        },
        authors="|",
        keywords="|",
    ),
    Provider(
        "wos_tab",
        "Web of Science (tab-delimited)",
        ("pt|au|ti|so", "pt|ti|ut", "au|ti|so|py|ut"),
        {
            "title": "ti",
            "abstract": "ab",
            "year": "py|ey|ea",
            "doi": "di|d2",
            "pmid": "pm",
            "own_id": "ut",
            "authors": "af|au|ca",
            "venue": "so|bs|se",
            "volume": "vl",
            "issue": "is",
            "first_page": "bp",
            "last_page": "ep",
            "article_number": "ar",
            "pages": "",
            "kind": "dt",
            "keywords": "de|id",
            "url": "dl|ol",
            "times_cited": "z9|tc",
        },
        authors=";",
        keywords=";",
    ),
    Provider(
        "wos_table",
        "Web of Science (table)",
        ("article title|ut unique wos id", "article title|ut unique id"),
        {
            "own_id": "ut unique wos id|ut unique id",
            "title": "article title",
            "authors": "author full names|authors|book authors",
            "venue": "source title|conference title|book series title",
            "kind": "document type",
            "keywords": "author keywords|keywords plus",
            "times_cited": "times cited all databases|times cited wos core",
            "url": "doi link|article url",
            "doi": "doi|book doi",
        },
        authors=";",
        keywords=";",
    ),
    Provider(
        "rayyan_csv",
        "Rayyan (CSV)",
        ("key|title|notes|pubmed id", "key|title|month|day|notes", "rayyan id|title"),
        {"own_id": "key|rayyan id", "venue": "journal", "keywords": "keywords"},
        refine=_rayyan,
    ),
    Provider(
        "covidence_csv",
        "Covidence (CSV)",
        ("covidence|title", "title|published year|published month|study"),
        {"own_id": "covidence|ref", "year": "published year", "venue": "journal", "keywords": "tags"},
    ),
    Provider(
        "asreview_csv",
        "Screening list with labels (ASReview)",
        tuple(
            f"{text}|{label}"
            for text in ("title", "abstract", "primary title", "document title")
            for label in ("label included", "included", "asreview label", "included label", "final included", "label")
        ),
        refine=_asreview,
        also_reads="label abstract screening",
    ),
)

ANY = Provider("csv", "Table (CSV or tab-separated)", ())
"""A table read by the usual names of its columns."""


def provider_of(names: frozenset[str]) -> Provider:
    return next((provider for provider in PROVIDERS if provider.fits(names)), ANY)


BETWEEN = "; "
"""Separator of several values in one cell."""


# From the rows of a table to records: any provider's, or any other table once its columns are known.

_PLAIN = ("title", "abstract", "doi", "pmid", "venue", "volume", "issue", "url", "times_cited", "year")
"""If several columns could fill one of these, the first filled one is used."""
_HAS_TO_BE: Mapping[str, Callable[[str], object]] = {"doi": doi_of, "pmid": pmid_of, "year": year_of}
"""Checks for these fields: a value that fails is left to another column, and counts as not imported."""
_ONE_COLUMN = ("own_id", "query_id", "pmcid", "cite_source", "cite_label", "cite_string")
"""Fields for which two columns are two naming schemes: only the first one counts."""


@dataclass(frozen=True)
class ColumnProposal:
    """The columns of a table and their proposed fields, for a person to correct."""

    columns: tuple[str, ...]
    mapping: dict[str, str]
    """Field -> column; can be passed on as `Asked.columns`."""
    sample: tuple[tuple[str, ...], ...]
    """The first rows, each as long as the header."""


def table_likeness(source: ImportFile) -> float:
    """Score a source: half for a table with a column that identifies publications, little for any other table."""
    layout = layout_of(source)
    if layout is None:
        return 0.0
    names = mapped(layout.columns, {}, None)
    if RECOGNISING & names.keys() and (n_known(layout.columns) > 1 or len(layout.columns) == 1 or _is_steady(layout)):
        return 0.5
    return 0.1 if len(layout.columns) > 1 and layout.sample and _is_steady(layout) else 0.0


def _is_steady(layout: TableLayout) -> bool:
    """Return True if the rows are as long as the header: prose with commas isn't."""
    return layout.steadiness > 0.8


def table_starts(source: ImportFile) -> Sequence[int]:
    layout = layout_of(source)
    return layout.starts(source) if layout else ()


def read_records(source: ImportFile, asked: ReadOptions = NOTHING_ASKED) -> Iterator[Part]:
    layout = needed_layout(source)
    provider = provider_of(layout.names)
    places = mapped(layout.columns, provider.columns, asked.columns, source.name)
    if not any(places.get(field) for field in RECOGNISING):
        raise FormatError(
            f"{source.name} is a table without a known column for title, DOI or number "
            f"({shown(layout.columns)}): map its columns: --column title=NAME"
        )
    fitting = RowFitter(layout.columns, layout.delimiter, places)
    reading = _Reading(layout, provider, places, frozenset(asked.columns or ()))
    for row in layout.rows(source):
        if row.empty:
            continue
        fitted = fitting.fitted(row)
        yield fitted if isinstance(fitted, ImportRejection) else reading.entry(row.line, fitted)
    if layout.unnamed is not None:
        yield Note(f"the header has no name for column {layout.unnamed + 1}: the others were aligned by their content")
    yield from fitting.notes()


class _Reading:
    def __init__(self, layout: TableLayout, provider: Provider, places: Mapped, asked: frozenset[str]) -> None:
        self._columns = layout.columns
        self._provider = provider
        self._places = places
        self._by_name = {plain_name(name): i for i, name in reversed(list(enumerate(layout.columns)))}
        self._in_workbook = bool(layout.sheet)
        self._has_lists = layout.has_lists
        self._refine = provider.refine
        self._asked = asked
        also_read = frozenset(provider.also_reads.split("|"))
        self._read_by_refine = {place for name, place in self._by_name.items() if name in also_read}
        self._separated = _separated(layout) if {"duplicate id", "record ids"} <= layout.names else {}

    def entry(self, line: int, cells: Sequence[str]) -> ImportEntry:
        used = set(self._read_by_refine)
        found = self._texts(cells, used)
        fields = RawFields(**found)  # type: ignore[typeddict-item]
        if authors := self._first(cells, "authors", used):
            fields["authors"] = authors_of(authors, self._provider.authors)
        types = self._first(cells, "kind", used)
        if kind := kind_of(types):
            fields["kind"] = kind
        if types:
            fields["types"] = keywords_of(types) if list_items(types) or ";" in types or "|" in types else [types]
        if language := self._first(cells, "language", used):
            fields["language"] = keywords_of(language, ";")
        if issn := self._all(cells, "issn", used):
            fields["issn"] = issn
        if keywords := self._all(cells, "keywords", used):
            fields["keywords"] = [word for text in keywords for word in keywords_of(text, self._provider.keywords)]
        if (label := decision(self._only(cells, "included", used))) is not None:
            fields["included"] = label
        for cite_field, columns in self._separated.items():
            used.update(columns)
            if names := [name for place, name in columns.items() if cells[place].strip().upper() == "TRUE"]:
                fields[cite_field] = ", ".join(names)
        if self._refine:
            self._refined(fields, cells)
        if "doi" not in fields and "doi.org/10." in fields.get("url", ""):
            fields["doi"] = fields["url"]
        return ImportEntry(line, fields, self._unused(cells, used))

    def _texts(self, cells: Sequence[str], used: set[int]) -> dict[str, str]:
        found = {field: text for field in _PLAIN if (text := self._first(cells, field, used))}
        found |= {field: text for field in _ONE_COLUMN if (text := self._only(cells, field, used))}
        if self._in_workbook and "year" in found:
            found["year"] = year_text(found["year"])
        if self._has_lists:
            found = {field: _as_text(field, text) for field, text in found.items()}
        pages = self._first(cells, "pages", used)
        if not pages:
            first, last, number = (self._first(cells, field, used) for field in PAGES)
            pages = f"{first}-{last}" if first and last and first != last else first or number or last
        return found | {"pages": pages} if pages else found

    def _first(self, cells: Sequence[str], field: str, used: set[int]) -> str:
        means = _HAS_TO_BE.get(field)
        for place in self._places.get(field, ()):
            text = cells[place].strip()
            if text and (means is None or means(text) is not None):
                used.add(place)
                return text
        return ""

    def _only(self, cells: Sequence[str], field: str, used: set[int]) -> str:
        places = self._places.get(field, ())[:1]
        used.update(places)
        return cells[places[0]].strip() if places else ""

    def _all(self, cells: Sequence[str], field: str, used: set[int]) -> list[str]:
        places = self._places.get(field, ())
        used.update(places)
        return [cells[place] for place in places if cells[place].strip()]

    def _refined(self, fields: RawFields, cells: Sequence[str]) -> None:
        mapped_by_hand = {field: value for field, value in fields.items() if field in self._asked}

        def cell(name: str) -> str:
            place = self._by_name.get(name)
            return "" if place is None else cells[place]

        if self._refine:
            self._refine(fields, cell)
        fields.update(mapped_by_hand)  # type: ignore[typeddict-item]

    def _unused(self, cells: Sequence[str], used: set[int]) -> Ids:
        return tuple(
            name
            for place, (name, cell) in enumerate(zip(self._columns, cells, strict=True))
            if place not in used and cell and not cell.isspace()
        )


def _as_text(field: str, text: str) -> str:
    """Return the first item of a list; the paragraphs of an abstract and several addresses are joined."""
    items = _json_items(text) or [text]
    return " ".join(items) if field in ("abstract", "url") else items[0]


def _separated(layout: TableLayout) -> dict[str, dict[int, str]]:
    """Find CiteSource's columns with one source, label or string each, as in "source_Lens"."""
    found: dict[str, dict[int, str]] = {}
    for place, name in enumerate(layout.columns):
        kind, _, rest = name.partition("_")
        if rest and kind in ("source", "label", "string"):
            found.setdefault(f"cite_{kind}", {})[place] = rest
    return found


def proposed_columns(source: ImportFile) -> ColumnProposal:
    """Return a table's columns, their proposed fields and its first rows. A file that is not a table is an error."""
    layout = needed_layout(source)
    n = len(layout.columns)
    sample = tuple(tuple([*row.cells, *[""] * n][:n]) for row in layout.sample)
    places = mapped(layout.columns, provider_of(layout.names).columns, None)
    mapping = {field: layout.columns[some[0]] for field, some in places.items() if some}
    taken = set(mapping.values())
    for name, cells in zip(layout.columns, zip(*sample, strict=True), strict=False):
        field = _guessed([cell.strip() for cell in cells if cell.strip()])
        if name not in taken and field and field not in mapping:
            mapping[field] = name
    return ColumnProposal(layout.columns, mapping, sample[:5])


def _guessed(cells: Sequence[str]) -> str | None:
    if not cells:
        return None
    if all(doi_of(cell) and len(cell) < 200 for cell in cells):
        return "doi"
    if all(len(cell) <= 10 and year_of(cell) for cell in cells):
        return "year"
    if all(cell.isdigit() and 7 <= len(cell) <= 8 and pmid_of(cell) for cell in cells):
        return "pmid"
    length = sum(map(len, cells)) / len(cells)
    n_words = sum(cell.count(" ") for cell in cells) / len(cells)
    if length > 250 and n_words > 30:
        return "abstract"
    return "title" if 15 < length <= 250 and n_words >= 2 else None


# Lists that a person wrote: DOIs, PubMed numbers and titles, in any mixture.

_DOI_START = re.compile(r"10\.\d{4,9}(?:\.\d+)*(?:/|%2[fF])")
_NEXT_ADDRESS = re.compile(r"[;,|\s]*(?:https?://\S*|dx\.doi\S*|doi(?:\.org)?\s*[:=/]?\s*)$", re.IGNORECASE)
_PUBMED = re.compile(r"https?://(?:www\.)?(?:pubmed\.ncbi\.nlm\.nih\.gov|ncbi\.nlm\.nih\.gov/pubmed)/(\d{1,8})/?")
_PMID_LABEL = re.compile(r"\[?\bPMIDs?\b\]?\s*[:=#]?", re.IGNORECASE)
_NUMBERING = re.compile(r"^(?:[-*•–·]\s+|\[\d{1,4}\]\s*|\(?\d{1,4}[.)]\s+)")
_QUOTES = "\"'“”„‟‘’«»‚"
_OWN = re.compile(
    r"(?:pub\.\d+|PMC\d+|WOS:[A-Z0-9]+|2-s2\.0-\d+|arXiv:\S+|MEDLINE:\d+|CORPUSID:\d+|(?:https://openalex\.org/)?W\d{4,})",
    re.IGNORECASE,
)
_CITATION = re.compile(r"\((?:1[5-9]|20)\d\d[a-z]?\)|\b(?:et al\.|doi:|vol\.|pp\.)|\d\(\d+\)\s*[:,]", re.IGNORECASE)
_TAG = re.compile(r"^(?:[A-Z][A-Z0-9]{1,3} *- |@\w+\{|%[A-Z0-9] |[A-Z][A-Z0-9] \S)")
_HEADERS = frozenset({"doi", "dois", "pmid", "pmids", "pubmed id", "title", "titles", "doi/pmid", "id", "ids"})
_BESIDE = "text next to a DOI"
_LOOKED_AT = 200


def _entries(lines: Sequence[str]) -> Iterator[ImportEntry]:
    for number, line in enumerate(lines, start=1):
        if _holds_something(line) and not (number == 1 and line.strip().strip(_QUOTES).lower() in _HEADERS):
            yield from _of_line(number, line.strip())


def _holds_something(line: str) -> bool:
    return any(character.isalnum() for character in line)


def _of_line(number: int, line: str) -> Iterator[ImportEntry]:
    dois = _dois(line)
    if dois:
        title = _title_beside(line) if len(dois) == 1 else ""
        unused = () if title or _only_doi(line) else (_BESIDE,)
        for doi in dois:
            yield ImportEntry(number, RawFields(doi=doi, title=title) if title else RawFields(doi=doi), unused)
        return
    bare = _NUMBERING.sub("", line).strip().strip(_QUOTES).strip()
    numbers = _numbers(bare)
    if numbers:
        for name in numbers:
            pmid = pmid_of(name)
            yield ImportEntry(number, RawFields(pmid=pmid) if pmid else RawFields(own_id=name))
    else:
        yield ImportEntry(number, RawFields(title=bare or line))


def _dois(line: str) -> list[str]:
    places = [found.start() for found in _DOI_START.finditer(line)]
    if len(places) < 2:
        doi = doi_of(line) if places else None
        return [doi] if doi else []
    parts = [line[start:end] for start, end in zip(places, [*places[1:], len(line)], strict=True)]
    return [doi for part in parts if (doi := doi_of(_NEXT_ADDRESS.sub("", part[-500:] if len(part) > 500 else part)))]


def _title_beside(line: str) -> str:
    if "\t" not in line:
        return ""
    cells = [cell.strip().strip(_QUOTES) for cell in line.split("\t")]
    titles = [cell for cell in cells if cell.count(" ") >= 1 and "10." not in cell]
    return max(titles, key=len, default="")


def _only_doi(line: str) -> bool:
    rest = re.sub(r"(?<!\S)\S*10\.\d{4,9}\S*", " ", _NUMBERING.sub("", line))
    return not any(c.isalnum() for c in re.sub(r"(?i)\b(?:doi|pmid|https?|dx|org)\b|\d", " ", rest))


def _numbers(line: str) -> list[str]:
    parts = _PMID_LABEL.sub(" ", _PUBMED.sub(r" \1 ", line)).replace(",", " ").replace(";", " ").split()
    whole = [part for part in parts if (part.isascii() and part.isdigit() and len(part) <= 9) or _OWN.fullmatch(part)]
    return whole if len(whole) == len(parts) else []


def _first_lines(source: ImportFile) -> list[str]:
    lines = source.head.split("\n")
    if len(source.text) > len(source.head):  # the last line, or the last word of the only line, is cut off
        lines = lines[:-1] or [source.head[: source.head.rfind(" ") + 1] or source.head]
    return [line for line in lines if _holds_something(line)][:_LOOKED_AT]


def _likeness(source: ImportFile) -> float:
    lines = _first_lines(source)
    if lines and lines[0].strip().strip(_QUOTES).lower() in _HEADERS:
        lines = lines[1:]
    if not lines:
        return 0.0
    n_pure = sum(_is_list_line(line.strip()) for line in lines)
    if n_pure >= 0.9 * len(lines):
        return 0.6
    n_doi = sum(_DOI_START.search(line) is not None for line in lines)
    return 0.2 if n_doi >= 0.9 * len(lines) and not _in_columns(lines) else 0.0


def _in_columns(lines: Sequence[str]) -> bool:
    """Return True if all lines have the same two or more separators: a table, whose other columns would be lost."""
    return any(lines[0].count(sign) > 1 and len({line.count(sign) for line in lines}) == 1 for sign in ";\t|,")


def _is_list_line(line: str) -> bool:
    if _DOI_START.search(line):
        return _only_doi(line)
    numbers = _numbers(_NUMBERING.sub("", line))
    return bool(numbers) and all(len(number) >= 5 for number in numbers)


def _likeness_of_titles(source: ImportFile) -> float:
    """Score a source: very low, because any text might be titles; 0 for references in prose or a tagged format."""
    lines = [line.strip() for line in _first_lines(source)]
    return 0.05 if lines and all(map(_could_be_title, lines)) else 0.0


def _could_be_title(line: str) -> bool:
    if not 12 <= len(line) <= 250 or line.count(" ") < 1:
        return False
    if "://" in line or line[0] in "<{[@%#" or line[-1] in ";{},":
        return False
    return not _CITATION.search(line) and not _TAG.match(line)


def _starts(source: ImportFile) -> Sequence[int]:
    """Return the lines with a letter or a digit, without a heading above the list."""
    lines = [number for number, line in enumerate(source.lines, start=1) if _holds_something(line)]
    return lines[1:] if lines[:1] == [1] and source.lines[0].strip().strip(_QUOTES).lower() in _HEADERS else lines


def _read(source: ImportFile, asked: ReadOptions) -> Iterator[Part]:
    yield from _entries(source.lines)


def _read_titles(source: ImportFile, asked: ReadOptions) -> Iterator[Part]:
    for number, line in enumerate(source.lines, start=1):
        if _holds_something(line) and not (number == 1 and line.strip().lower() in _HEADERS):
            bare = _NUMBERING.sub("", line.strip()).strip().strip(_QUOTES).strip()
            yield ImportEntry(number, RawFields(title=bare or line))


IDENTIFIERS_FORMAT = Format("identifiers", "List of DOIs or PubMed numbers", _likeness, _starts, _read)
TITLES_FORMAT = Format("titles", "List of titles, one per line", _likeness_of_titles, _starts, _read_titles)
