"""One record: an entry of a bibliographic file, after cleaning."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, get_args

from core.types import Ids, Publication, unique_ids

Kind = Literal["article", "conference", "preprint", "book", "chapter", "thesis", "report", "other"]
KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True, slots=True)
class Record:
    """What one source says of one publication. Everything but the number may be missing."""

    number: int
    """Position in its file, from 1."""
    line: int | None = None
    """Line, or row of a workbook, at which it begins, from 1; None where a file has no lines."""
    title: str = ""
    abstract: str | None = None
    year: int | None = None
    doi: str | None = None
    """In normal form: lower case, without an address before it."""
    pmid: str | None = None
    """Digits only."""
    own_id: str | None = None
    """The source's own name for it, such as pub.1149029839 or WOS:000253436500012."""
    authors: Ids = ()
    """As they are written there; "Family, Given" where the source says which is which."""
    venue: str | None = None
    """Journal, proceedings or book."""
    volume: str | None = None
    issue: str | None = None
    pages: str | None = None
    """First and last page with a hyphen, or an article number."""
    kind: Kind | None = None
    keywords: Ids = ()
    url: str | None = None
    times_cited: int | None = None
    included: bool | None = None
    """Whether a person decided that it belongs to the review; None: the file does not say."""
    query_id: str | None = None
    """Which query of a run it answers, or was judged for; None: the file knows no queries."""
    as_written: tuple[tuple[str, str], ...] = ()
    """Name and raw text of each field that cleaning changed, markup and all."""

    @property
    def says_something(self) -> bool:
        """Whether it can be recognised at all: by its title, abstract or a name."""
        return bool(self.title or self.abstract or self.doi or self.pmid or self.own_id)

    def document(self) -> dict[str, Any]:
        """What is there, for JSON. Its place in the file stands elsewhere."""
        kept = ((name, getattr(self, name)) for name in FIELDS)
        return {name: value for name, value in kept if value not in (None, "", ())}

    @classmethod
    def from_document(cls, document: dict[str, Any], number: int = 1, line: int | None = None) -> Record:
        """What `document` gave, read back."""
        known = {name: document[name] for name in FIELDS if name in document}
        for name in ("authors", "keywords"):
            if name in known:
                known[name] = tuple(known[name])
        if "as_written" in known:
            known["as_written"] = tuple((name, text) for name, text in known["as_written"])
        return cls(number=number, line=line, **known)

    def publication(self, publication_id: str) -> Publication:
        """What the rest of Queryscape needs of it."""
        return Publication(
            publication_id, self.title, self.abstract, self.year, self.doi, self.times_cited, self.keywords
        )

    @classmethod
    def of_publication(cls, publication: Publication, number: int = 1) -> Record:
        """A publication that came by another way, as a record."""
        return cls(
            number,
            title=publication.title,
            abstract=publication.abstract,
            year=publication.year,
            doi=publication.doi,
            own_id=publication.publication_id,
            keywords=publication.keywords,
            times_cited=publication.times_cited,
        )


PLACE = frozenset({"number", "line"})
FIELDS = tuple(field.name for field in fields(Record) if field.name not in PLACE)
OF_A_SOURCE = frozenset({"own_id", "included", "query_id", "as_written", "keywords"})
"""Not taken over one by one when records become one publication."""


def combined(records: Iterable[Record]) -> Record:
    """Several records of one publication as one: what an earlier one says stands, a later one fills its gaps.

    Keywords of all of them are kept, each once.

    >>> combined([Record(1, title="A"), Record(2, title="B", year=2019)]).year
    2019
    """
    first, *others = records
    if not others:
        return first
    filled: dict[str, Any] = {}
    for name in FIELDS:
        if name in OF_A_SOURCE:
            continue
        values = (getattr(record, name) for record in (first, *others))
        filled[name] = next((value for value in values if value not in (None, "", ())), getattr(first, name))
    filled["keywords"] = unique_ids(keyword for record in (first, *others) for keyword in record.keywords)
    return replace(first, **filled)
