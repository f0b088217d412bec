"""From the rows of a table to records: any provider's, or anybody's once the columns are known."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from core.errors import FormatError
from core.records.cleaning import Fields, doi_of, pmid_of, year_of
from core.types import Ids
from data.importers.source import NOTHING_ASKED, Asked, Entry, Part, Rejected, Source
from data.importers.tables.cells import authors_of, decision, keywords_of, kind_of
from data.importers.tables.columns import PAGES, RECOGNISING, Mapped, mapped, n_known, plain_name, shown
from data.importers.tables.fitting import Fitting
from data.importers.tables.layout import Layout, layout_of, needed_layout
from data.importers.tables.providers import Provider, provider_of
from data.importers.tables.workbook import year_text

_PLAIN = ("title", "abstract", "doi", "pmid", "venue", "volume", "issue", "url", "times_cited", "year")
"""Of several columns that could fill these, the first one that holds something does."""
_HAS_TO_BE: Mapping[str, Callable[[str], object]] = {"doi": doi_of, "pmid": pmid_of, "year": year_of}
"""What says nothing of the kind is left to another column, and counts as not taken over."""
_ONE_COLUMN = ("own_id", "query_id")
"""Two columns of numbers are two ways of naming things: only the first one counts."""


@dataclass(frozen=True)
class Proposal:
    """The columns of a table and what they seem to mean, for a person to correct."""

    columns: tuple[str, ...]
    mapping: dict[str, str]
    """Field -> column; `Asked.columns` takes it back."""
    sample: tuple[tuple[str, ...], ...]
    """The first rows, each as long as the header."""


def table_likeness(source: Source) -> float:
    """Half for a table with a column that says what a publication is, little for any other table."""
    layout = layout_of(source)
    if layout is None:
        return 0.0
    names = mapped(layout.columns, {}, None)
    if RECOGNISING & names.keys() and (n_known(layout.columns) > 1 or len(layout.columns) == 1 or _is_steady(layout)):
        return 0.5
    return 0.1 if len(layout.columns) > 1 and layout.sample and _is_steady(layout) else 0.0


def _is_steady(layout: Layout) -> bool:
    """Whether its rows are as long as its header: prose with commas isn't."""
    return layout.steadiness > 0.8


def table_starts(source: Source) -> Sequence[int]:
    """The lines, or rows of a workbook, at which rows that hold something begin."""
    layout = layout_of(source)
    return layout.starts(source) if layout else ()


def read_records(source: Source, asked: Asked = NOTHING_ASKED) -> Iterator[Part]:
    """Every row as an entry or with the reason why not."""
    layout = needed_layout(source)
    provider = provider_of(layout.names)
    places = mapped(layout.columns, provider.columns, asked.columns, source.name)
    if not any(places.get(field) for field in RECOGNISING):
        raise FormatError(
            f"{source.name} is a table in which no column is known as a title, DOI or number "
            f"({shown(layout.columns)}): map its columns: --column title=NAME"
        )
    fitting = Fitting(layout.columns, layout.delimiter, places)
    reading = _Reading(layout, provider, places, frozenset(asked.columns or ()))
    for row in layout.rows(source):
        if row.empty:
            continue
        fitted = fitting.fitted(row)
        yield fitted if isinstance(fitted, Rejected) else reading.entry(row.line, fitted)
    yield from fitting.notes()


class _Reading:
    """What the columns of one table mean."""

    def __init__(self, layout: Layout, provider: Provider, places: Mapped, asked: frozenset[str]) -> None:
        self._columns = layout.columns
        self._provider = provider
        self._places = places
        self._by_name = {plain_name(name): i for i, name in reversed(list(enumerate(layout.columns)))}
        self._in_workbook = bool(layout.sheet)
        self._refine = provider.refine
        self._asked = asked

    def entry(self, line: int, cells: Sequence[str]) -> Entry:
        """A row that fits, as fields."""
        used: set[int] = set()
        found = self._texts(cells, used)
        fields = Fields(**found)  # type: ignore[typeddict-item]
        if authors := self._first(cells, "authors", used):
            fields["authors"] = authors_of(authors, self._provider.authors)
        if kind := kind_of(self._first(cells, "kind", used)):
            fields["kind"] = kind
        if keywords := self._all(cells, "keywords", used):
            fields["keywords"] = [word for text in keywords for word in keywords_of(text, self._provider.keywords)]
        if (label := decision(self._only(cells, "included", used))) is not None:
            fields["included"] = label
        if self._refine:
            self._refined(fields, cells)
        if "doi" not in fields and "doi.org/10." in fields.get("url", ""):
            fields["doi"] = fields["url"]
        return Entry(line, fields, self._unused(cells, used))

    def _texts(self, cells: Sequence[str], used: set[int]) -> dict[str, str]:
        found = {field: text for field in _PLAIN if (text := self._first(cells, field, used))}
        found |= {field: text for field in _ONE_COLUMN if (text := self._only(cells, field, used))}
        if self._in_workbook and "year" in found:
            found["year"] = year_text(found["year"])
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

    def _refined(self, fields: Fields, cells: Sequence[str]) -> None:
        """The provider's own ways, which never overrule what a person mapped."""
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


def proposed_columns(source: Source) -> Proposal:
    """What a table's columns are called, what they seem to mean and its first rows. A file that is none is an error."""
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
    return Proposal(layout.columns, mapping, sample[:5])


def _guessed(cells: Sequence[str]) -> str | None:
    """A field by what stands in its column."""
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
