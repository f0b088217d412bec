"""A live source without a network: it has a list of records and gives them page by page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from core.errors import LostPlaceError
from core.library.records import cleaned
from core.query.tree import ParsedQuery
from core.sources.source_forms import Choices, Form, Prepared, SourceId
from data.sources.types import About, Aside, Count, Fetched, Located, Page, Sent, Wanted

ABOUT = About(
    *("pubmed", "PubMed", "https://pubmed.example", "https://pubmed.example/documentation"),
    *("https://pubmed.example/eutils", "QUERYSCAPE_PUBMED_URL"),
)


def fetched(number: int, *, title: str = "", abstract: str = "Steeped for three minutes.") -> Fetched:
    """The record of this number; the same one each time."""
    said = title or f"Study number {number} of many cups of tea"
    found = {"title": said, "abstract": abstract, "year": str(1990 + number % 30), "pmid": str(number)}
    return Fetched(str(number), cleaned(number, None, {**found, "authors": ("Leaf, A",)}))  # type: ignore[typeddict-item]


def numbered(n: int, first: int = 1) -> list[Fetched]:
    """So many records, all different."""
    return [fetched(number) for number in range(first, first + n)]


@dataclass
class ListedSource:
    """Gives what it holds for each form, in pages; remembers where it was asked to begin."""

    lists: Sequence[Sequence[Fetched]]
    """For each form."""
    per_page: int = 10
    about: About = ABOUT
    total: Callable[[int, int], int | None] | None = None
    """Of a form at a place; None: as many as the list has."""
    before: Callable[[int, int], None] = lambda form, begin: None
    """Called before each page."""
    aside: dict[int, Aside] = field(default_factory=dict)
    """At the place of the page that has it too."""
    session: str = ""
    """In the names of places; another one no longer knows them."""
    asked: list[tuple[int, str | None, int]] = field(default_factory=list)
    dollars: float = 0.0

    def prepare(self, parsed: ParsedQuery, choices: Choices) -> Prepared:
        """One form for each list."""
        forms = tuple(Form(number, f"{parsed.text} part {number}") for number in range(len(self.lists)))
        source: SourceId = self.about.id
        return Prepared(source, parsed.dialect, parsed.text, forms, choices=choices)

    def page(self, form: Form, choices: Choices, at: str | None, most: int) -> Page:
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
        return Page(
            tuple(there[begin:end]),
            (aside,) if aside else (),
            total,
            f"{self.session}:{end}" if end < len(there) else None,
            b" ".join(each.key.encode() for each in there[begin:end]),
            ("it was understood as it was written",),
            (
                Sent(
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

    def count(self, form: Form, choices: Choices) -> Count:
        """As many as the list has."""
        return Count(len(self.lists[form.number]))

    def restricted(self, form: Form, key: str) -> Form | None:
        """It can't be asked."""
        return None

    def find(self, wanted: Sequence[Wanted]) -> tuple[Located, ...]:
        """Not sure of anything."""
        return tuple(Located(each.publication_id, "unsure") for each in wanted)


def paying(source: ListedSource, **about: float) -> ListedSource:
    """The same one, for money."""
    source.about = replace(source.about, **about)  # type: ignore[arg-type]
    return source
