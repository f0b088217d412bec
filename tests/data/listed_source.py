"""A live source without a network: it has a list of records and gives them page by page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from core.errors import LostPlaceError
from core.library.records import cleaned
from core.query.tree import ParsedQuery
from core.sources.source_forms import Form, PreparedSearch, SourceId, SourceOptions
from data.sources.types import (
    FetchedRecord,
    LookupResult,
    LookupTarget,
    OddRecord,
    SentRequest,
    SourceCount,
    SourceInfo,
    SourcePage,
)

ABOUT = SourceInfo(
    *("pubmed", "PubMed", "https://pubmed.example", "https://pubmed.example/documentation"),
    *("https://pubmed.example/eutils", "QUERYSCAPE_PUBMED_URL"),
)


def fetched(number: int, *, title: str = "", abstract: str = "Steeped for three minutes.") -> FetchedRecord:
    """The record of this number; the same one each time."""
    said = title or f"Study number {number} of many cups of tea"
    found = {"title": said, "abstract": abstract, "year": str(1990 + number % 30), "pmid": str(number)}
    return FetchedRecord(str(number), cleaned(number, None, {**found, "authors": ("Leaf, A",)}))  # type: ignore[typeddict-item]


def numbered(n: int, first: int = 1) -> list[FetchedRecord]:
    """So many records, all different."""
    return [fetched(number) for number in range(first, first + n)]


@dataclass
class ListedSource:
    """Gives what it holds for each form, in pages; remembers where it was asked to begin."""

    lists: Sequence[Sequence[FetchedRecord]]
    """For each form."""
    per_page: int = 10
    about: SourceInfo = ABOUT
    total: Callable[[int, int], int | None] | None = None
    """Of a form at a place; None: as many as the list has."""
    before: Callable[[int, int], None] = lambda form, begin: None
    """Called before each page."""
    aside: dict[int, OddRecord] = field(default_factory=dict)
    """At the place of the page that has it too."""
    session: str = ""
    """In the names of places; another one no longer knows them."""
    asked: list[tuple[int, str | None, int]] = field(default_factory=list)
    dollars: float = 0.0

    def prepare(self, parsed: ParsedQuery, choices: SourceOptions) -> PreparedSearch:
        """One form for each list."""
        forms = tuple(Form(number, f"{parsed.text} part {number}") for number in range(len(self.lists)))
        source: SourceId = self.about.id
        return PreparedSearch(source, parsed.dialect, parsed.text, forms, choices=choices)

    def page(self, form: Form, choices: SourceOptions, at: str | None, most: int) -> SourcePage:
        """From the list."""
        self.asked.append((form.number, at, most))
        session, _, place = (at or f"{self.session}:0").rpartition(":")
        begin = int(place)
        self.before(form.number, begin)
        if session != self.session:
            raise LostPlaceError("the source no longer knows this place")
        there = self.lists[form.number]
        end = begin + min(self.per_page, most)
        total = len(there) if self.total is None else self.total(form.number, begin)
        aside = self.aside.get(begin)
        return SourcePage(
            tuple(there[begin:end]),
            (aside,) if aside else (),
            total,
            f"{self.session}:{end}" if end < len(there) else None,
            b" ".join(each.key.encode() for each in there[begin:end]),
            ("it was understood as it was written",),
            (
                SentRequest(
                    "GET",
                    f"{self.about.address}?at={begin}",
                    "",
                    "2026-11-22T10:00:00+00:00",
                    1.0,
                    200,
                    9,
                    self.dollars,
                ),
            ),
        )

    def count(self, form: Form, choices: SourceOptions) -> SourceCount:
        """As many as the list has."""
        return SourceCount(len(self.lists[form.number]))

    def restricted(self, form: Form, key: str) -> Form | None:
        """It can't be asked."""
        return None

    def find(self, wanted: Sequence[LookupTarget]) -> tuple[LookupResult, ...]:
        """Not sure of anything."""
        return tuple(LookupResult(each.publication_id, "unsure") for each in wanted)


def paying(source: ListedSource, **about: float) -> ListedSource:
    """The same one, for money."""
    source.about = replace(source.about, **about)  # type: ignore[arg-type]
    return source
