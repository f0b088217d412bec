"""What every live source can do. One file implements it for each service; one suite of tests holds for all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from core.query.tree import ParsedQuery
from core.records.cleaning import Record
from core.sources.sending.saying import Choices, Form, Prepared, SourceId


@dataclass(frozen=True, slots=True)
class About:
    """A source as its documentation describes it."""

    id: SourceId
    label: str
    home: str
    """For people: what it is, and where a key is to be had."""
    documentation: str
    """Where the forms of requests are described."""
    address: str
    """Where it usually is."""
    address_variable: str
    """Says where it is instead: a copy, a proxy, a stand-in."""
    key_variable: str = ""
    """The variable with the key; empty: there is none."""
    needs_key: bool = False
    """Nothing is answered without one."""
    per_page: int = 100
    per_second: float = 3.0
    """Requests, as this visitor may make them: with a key it may be more."""
    ceiling: int | None = None
    """Records that one form gives at most; None: all."""
    per_search: int | None = None
    """Pages are read from a search that is made before, and so many records from one; None: a page is a search."""
    dollars_per_call: float = 0.0
    """Of a page of a search."""
    dollars_per_day: float | None = None
    """What may be spent in a day without paying; None: nothing costs anything."""
    can_explain: bool = True
    """It can be asked whether a string finds one certain record."""


@dataclass(frozen=True, slots=True)
class Sent:
    """One request and what came back, as it is shown and kept. It never holds a key."""

    method: Literal["GET", "POST"]
    address: str
    """In full, with what was asked in it; without the key."""
    body: str
    """What was sent with it; empty: nothing."""
    at: str
    """ISO 8601 in UTC."""
    ms: float
    status: int
    n_bytes: int
    dollars: float = 0.0
    """As the source says, else by its price list."""


@dataclass(frozen=True, slots=True)
class Count:
    """How many records a form finds, by the source's own count."""

    total: int
    notes: tuple[str, ...] = ()
    """What the source says of the text: how it understood it, what it did not find or ignored."""
    sent: tuple[Sent, ...] = ()


@dataclass(frozen=True, slots=True)
class Fetched:
    """One record of a page."""

    key: str
    """The source's own name for it: W2741809807, 35957633, MED:35957633. The same work has the same key on any page."""
    record: Record
    """Cleaned; its number is set by whoever gathers the pages. `own_id` or `pmid` holds the key's number."""


@dataclass(frozen=True, slots=True)
class Aside:
    """A record that is not as it should be; kept as it came."""

    raw: str
    reason: str
    """Completes "a record was put aside: ..."."""


@dataclass(frozen=True, eq=False)
class Page:
    """What one step of paging brought."""

    fetched: tuple[Fetched, ...]
    aside: tuple[Aside, ...]
    total: int | None
    """Of the form, as the source counts it now."""
    next: str | None
    """Where the next page begins, for whoever goes on, in this process or a later one; None: this was the last."""
    raw: bytes
    """The body with the records, as it came."""
    notes: tuple[str, ...] = ()
    sent: tuple[Sent, ...] = ()


@dataclass(frozen=True, slots=True)
class Wanted:
    """A publication to look for in a source."""

    publication_id: str
    title: str
    year: int | None = None
    doi: str | None = None
    pmid: str | None = None


@dataclass(frozen=True, slots=True)
class Located:
    """Whether a source has a publication."""

    publication_id: str
    status: Literal["indexed", "not indexed", "unsure"]
    """unsure: nothing to look for it by, or several that could be it."""
    key: str | None = None
    by: Literal["doi", "pmid", "title"] | None = None
    record: Record | None = None
    """As the source has it, where it gave it."""
    why: str = ""
    """Where it is unsure."""


class LiveSource(Protocol):
    """One service. Its methods block; each makes as few requests as it can. Threads don't share one."""

    @property
    def about(self) -> About:
        """What it is."""
        ...

    def prepare(self, parsed: ParsedQuery, choices: Choices) -> Prepared:
        """The text as it will be sent. Sends nothing. InputError: nothing of it can be sent."""
        ...

    def count(self, form: Form, choices: Choices) -> Count:
        """How many records it finds; no record is fetched."""
        ...

    def page(self, form: Form, choices: Choices, at: str | None, most: int) -> Page:
        """The page that begins there; None: the first one. `most`: no more records than these are wanted of it.

        A cursor that the source no longer knows raises `LostPlaceError`: the form is then read from its beginning.
        """
        ...

    def restricted(self, form: Form, key: str) -> Form | None:
        """The form, asking for one record alone; its count says whether the form finds it. None: it can't be asked."""
        ...

    def find(self, wanted: Sequence[Wanted]) -> tuple[Located, ...]:
        """Whether it has these, in their order; as many at once as it takes."""
        ...
