"""The interface of every live source, and lookups of publications by identifier or title."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol, TypeVar

from core.library.identity import Identity
from core.library.records import Record, doi_of, plain_text, pmid_of, title_key
from core.query.tree import ParsedQuery
from core.sources.source_forms import Form, PreparedSearch, SourceId, SourceOptions
from core.text import STOP_WORDS, words


@dataclass(frozen=True, slots=True)
class SourceInfo:
    id: SourceId
    label: str
    home: str
    """A web page for users: a description, and the way to get a key."""
    documentation: str
    """The documentation of the requests."""
    address: str
    """The default address."""
    address_variable: str
    """The variable that replaces the address, for a copy, a proxy or a test server."""
    key_variable: str = ""
    """The variable with the key; empty: there is none."""
    needs_key: bool = False
    """Nothing is answered without a key."""
    per_page: int = 100
    per_second: float = 3.0
    """Requests per second without a key; a key may allow more."""
    ceiling: int | None = None
    """Maximum records of one form; None: no limit."""
    per_search: int | None = None
    """Maximum records that can be read from one stored search; None: every page is a search of its own."""
    dollars_per_call: float = 0.0
    """The price of one page of a search."""
    dollars_per_day: float | None = None
    """The free daily budget; None: nothing costs anything."""
    keyless_dollars: float | None = None
    """The free daily budget without a key; None: the same as with one."""
    keyless_ceiling: int | None = None
    """Maximum records of one form without a key; None: the same as with one."""
    can_explain: bool = True
    """It can be asked whether a search string finds one specific record."""

    @property
    def without_key(self) -> SourceInfo:
        """The same source for users without a key."""
        dollars = self.dollars_per_day if self.keyless_dollars is None else self.keyless_dollars
        ceiling = self.ceiling if self.keyless_ceiling is None else self.keyless_ceiling
        return replace(self, dollars_per_day=dollars, ceiling=ceiling)


@dataclass(frozen=True, slots=True)
class SentRequest:
    """One request and its answer, as shown and stored. It never contains a key."""

    method: Literal["GET", "POST"]
    address: str
    """The full address with its query, without the key."""
    body: str
    """The body of the request; empty: none."""
    at: str
    """ISO 8601 in UTC."""
    ms: float
    status: int
    n_bytes: int
    dollars: float = 0.0
    """According to the source, or else to its price list."""


@dataclass(frozen=True, slots=True)
class SourceCount:
    """The number of records that a form finds, according to the source."""

    total: int
    notes: tuple[str, ...] = ()
    """The source's remarks on the text: its interpretation, and the parts not found or ignored."""
    sent: tuple[SentRequest, ...] = ()


@dataclass(frozen=True, slots=True)
class FetchedRecord:
    key: str
    """The source's own key for it: W2741809807, 35957633, MED:35957633. A work has the same key on every page."""
    record: Record
    """A cleaned record, numbered when the pages are collected. `own_id` or `pmid` holds the number in the key."""


@dataclass(frozen=True, slots=True)
class OddRecord:
    """A record in an unexpected form, stored as received."""

    raw: str
    reason: str
    """Completes "a record was put aside: ..."."""


@dataclass(frozen=True, eq=False)
class SourcePage:
    fetched: tuple[FetchedRecord, ...]
    aside: tuple[OddRecord, ...]
    total: int | None
    """The current total of the form, according to the source."""
    next: str | None
    """The start of the next page, valid in this process or a later one; None: this was the last."""
    raw: bytes
    """The body with the records, as received."""
    notes: tuple[str, ...] = ()
    sent: tuple[SentRequest, ...] = ()


@dataclass(frozen=True, slots=True)
class LookupTarget:
    publication_id: str
    title: str
    year: int | None = None
    doi: str | None = None
    pmid: str | None = None


@dataclass(frozen=True, slots=True)
class LookupResult:
    publication_id: str
    status: Literal["indexed", "not indexed", "unsure"]
    """unsure: there is nothing to look it up by, or several records could be it."""
    key: str | None = None
    by: Literal["doi", "pmid", "title"] | None = None
    record: Record | None = None
    """The source's record, if it returned one."""
    why: str = ""
    """The reason if it is unsure."""


class LiveSource(Protocol):
    """A live source. Its methods block, with as few requests as possible. Threads must not share one."""

    @property
    def about(self) -> SourceInfo: ...

    def prepare(self, parsed: ParsedQuery, choices: SourceOptions) -> PreparedSearch:
        """Return the text to send, without sending it. InputError: no part of it can be sent."""
        ...

    def count(self, form: Form, choices: SourceOptions) -> SourceCount:
        """Count the records that a form finds, without fetching any."""
        ...

    def page(self, form: Form, choices: SourceOptions, at: str | None, most: int) -> SourcePage:
        """Fetch the page that begins at `at`; None: the first one. `most`: the number of records needed at most.

        A cursor that has expired raises `LostPlaceError`: the form is then read from its beginning.
        """
        ...

    def restricted(self, form: Form, key: str) -> Form | None:
        """Restrict a form to one record, so that its count shows whether the form finds it. None: not possible."""
        ...

    def find(self, wanted: Sequence[LookupTarget]) -> tuple[LookupResult, ...]:
        """Look up these publications, in their order, as many per request as the source allows."""
        ...


# Lookups of publications in a source: first by identifier, then by title for those not found.

T = TypeVar("T")
N_NAMED = 100
"""Publications looked up by identifier in one request."""
N_TITLED = 10
"""Publications looked up by title in one request; they may match many more records."""
MOST_WORDS = 12
"""Maximum words of a title in a search."""
YEARS_APART = 1
"""A work may have two years, for its online and its print version."""

ByName = Callable[[Sequence[LookupTarget]], Sequence[FetchedRecord]]
"""A function to the records that have one of these DOIs or PubMed numbers; of several with the same, the best first."""
ByTitle = Callable[[Sequence[LookupTarget]], Sequence[FetchedRecord] | None]
"""A function to the records that may have one of these titles; None: too many to look through."""


@dataclass(frozen=True, slots=True)
class PublicationIdentifiers:
    """The identifiers and title of a publication in normal form, for looking it up."""

    doi: str | None
    pmid: str | None
    title_key: str

    @classmethod
    def of(cls, wanted: LookupTarget) -> PublicationIdentifiers:
        pmid = pmid_of(wanted.pmid) if wanted.pmid else None
        return cls(doi_of(wanted.doi) if wanted.doi else None, pmid, title_key(plain_text(wanted.title)))


def locate(wanted: Sequence[LookupTarget], by_name: ByName, by_title: ByTitle) -> tuple[LookupResult, ...]:
    """Look up publications in a source, in their order, many per request."""
    found: dict[int, LookupResult] = {}
    names = [PublicationIdentifiers.of(each) for each in wanted]
    named = [i for i, name in enumerate(names) if name.doi or name.pmid]
    for batch in batches(named, N_NAMED):
        records = by_name([wanted[i] for i in batch])
        found |= {i: there for i in batch if (there := _by_name(wanted[i], names[i], records)) is not None}
    titled = [i for i in range(len(wanted)) if i not in found and names[i].title_key and title_words(wanted[i].title)]
    for batch in batches(titled, N_TITLED):
        found |= _by_titles(batch, wanted, by_title)
    return tuple(found[i] if i in found else _nowhere(wanted[i], names[i]) for i in range(len(wanted)))


def title_words(title: str) -> list[str]:
    """Return the distinct words of a title that are useful in a search.

    >>> title_words("The role of CO<sub>2</sub> in Ménière's disease")
    ['role', 'co2', 'meniere', 'disease']
    """
    terms = dict.fromkeys(word for word in words(plain_text(title)) if word.isascii() and len(word) > 1)
    telling = [word for word in terms if word not in STOP_WORDS]
    if len(telling) > MOST_WORDS:
        longest = set(sorted(telling, key=len, reverse=True)[:MOST_WORDS])
        telling = [word for word in telling if word in longest]
    return telling


def is_closed(text: str) -> bool:
    """Return True if all quotes and round brackets are closed, so that brackets around the text hold it together.

    >>> is_closed('(tea OR "green (tea")'), is_closed("tea) OR (coffee"), is_closed('"tea')
    (True, False, False)
    """
    depth, is_quoted = 0, False
    for sign in text:
        if sign == '"':
            is_quoted = not is_quoted
        elif not is_quoted:
            depth += (sign == "(") - (sign == ")")
            if depth < 0:
                return False
    return depth == 0 and not is_quoted


def batches(values: list[T], n: int) -> Iterator[list[T]]:
    for start in range(0, len(values), n):
        yield values[start : start + n]


def _by_name(
    wanted: LookupTarget, names: PublicationIdentifiers, records: Sequence[FetchedRecord]
) -> LookupResult | None:
    for each in records:
        if names.pmid and each.record.pmid == names.pmid:
            return LookupResult(wanted.publication_id, "indexed", each.key, "pmid", each.record)
    for each in records:
        if names.doi and each.record.doi == names.doi:
            return LookupResult(wanted.publication_id, "indexed", each.key, "doi", each.record)
    return None


def _by_titles(batch: list[int], wanted: Sequence[LookupTarget], by_title: ByTitle) -> dict[int, LookupResult]:
    """Look up titles in batches, halving a batch for which the source has too many candidates."""
    records = by_title([wanted[i] for i in batch])
    if records is not None:
        return {i: _by_title(wanted[i], records) for i in batch}
    if len(batch) == 1:
        return {batch[0]: _unsure(wanted[batch[0]], "too many publications there have the words of its title")}
    half = len(batch) // 2
    return _by_titles(batch[:half], wanted, by_title) | _by_titles(batch[half:], wanted, by_title)


def _by_title(wanted: LookupTarget, records: Sequence[FetchedRecord]) -> LookupResult:
    names = PublicationIdentifiers.of(wanted)
    same = {each.key: each for each in records if title_key(each.record.title) == names.title_key}
    near = [each for each in same.values() if _is_near(wanted.year, each.record.year)]
    is_telling = Identity.of(Record(1, title=plain_text(wanted.title))).telling
    if not near:
        apart = [each for each in same.values() if not _has_other_name(names, each.record)]
        if apart and is_telling:
            return _unsure(wanted, f"a publication there has its title, but is from {apart[0].record.year}")
        return LookupResult(wanted.publication_id, "not indexed")
    if not is_telling:
        return _unsure(wanted, "a publication there has its title, but the title is not distinctive")
    best = [each for each in near if each.record.year == wanted.year] or near
    best = [each for each in best if each.record.kind != "preprint"] or best
    if len(best) > 1:
        return _unsure(wanted, f"{len(best)} publications there have its title")
    record = best[0].record
    if names.doi and record.doi and record.doi != names.doi:
        return _unsure(wanted, f"a publication there has its title, but another DOI ({record.doi})")
    if names.pmid and record.pmid and record.pmid != names.pmid:
        return _unsure(wanted, f"a publication there has its title, but another PubMed number ({record.pmid})")
    return LookupResult(wanted.publication_id, "indexed", best[0].key, "title", record)


def _has_other_name(names: PublicationIdentifiers, record: Record) -> bool:
    return bool(names.doi and record.doi and record.doi != names.doi) or bool(
        names.pmid and record.pmid and record.pmid != names.pmid
    )


def _is_near(one: int | None, other: int | None) -> bool:
    return one is None or other is None or abs(one - other) <= YEARS_APART


def _nowhere(wanted: LookupTarget, names: PublicationIdentifiers) -> LookupResult:
    if names.doi or names.pmid:
        return LookupResult(wanted.publication_id, "not indexed")
    if names.title_key:
        return _unsure(wanted, "there is no DOI or PubMed number, and its title has no words to search for")
    return _unsure(wanted, "there is no DOI, PubMed number or title to look for it by")


def _unsure(wanted: LookupTarget, why: str) -> LookupResult:
    return LookupResult(wanted.publication_id, "unsure", why=why)
