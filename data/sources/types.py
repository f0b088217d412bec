"""The interface of every live source, and lookups of publications by identifier or title."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from core.library.identity import Identity
from core.library.records import Record, doi_of, plain_text, pmid_of, title_key
from core.query.tree import ParsedQuery
from core.sources.source_forms import Choices, Form, Prepared, SourceId
from core.text import STOP_WORDS, words


@dataclass(frozen=True, slots=True)
class About:
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
    keyless_dollars: float | None = None
    """The same without a key; None: as much as with one."""
    keyless_ceiling: int | None = None
    """Records that one form gives at most without a key; None: as many as with one."""
    can_explain: bool = True
    """It can be asked whether a string finds one certain record."""

    @property
    def without_key(self) -> About:
        """The same for those who have no key."""
        dollars = self.dollars_per_day if self.keyless_dollars is None else self.keyless_dollars
        ceiling = self.ceiling if self.keyless_ceiling is None else self.keyless_ceiling
        return replace(self, dollars_per_day=dollars, ceiling=ceiling)


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
    publication_id: str
    title: str
    year: int | None = None
    doi: str | None = None
    pmid: str | None = None


@dataclass(frozen=True, slots=True)
class Located:
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
    def about(self) -> About: ...

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


# Looking publications up in a source: by their names first, by their titles where those are not known there.

N_NAMED = 100
"""Publications that are looked for by name in one request."""
N_TITLED = 10
"""By title: their records may be many more than are wanted."""
MOST_WORDS = 12
"""Of a title in a search."""
YEARS_APART = 1
"""Online and in print, a work may have two years."""

ByName = Callable[[Sequence[Wanted]], Sequence[Fetched]]
"""The records that have one of these DOIs and PubMed numbers; where several have one, the best first."""
ByTitle = Callable[[Sequence[Wanted]], Sequence[Fetched] | None]
"""The records that may have one of these titles; None: more than can be looked through."""


@dataclass(frozen=True, slots=True)
class Names:
    """What a publication can be looked for by, in normal form."""

    doi: str | None
    pmid: str | None
    title_key: str

    @classmethod
    def of(cls, wanted: Wanted) -> Names:
        pmid = pmid_of(wanted.pmid) if wanted.pmid else None
        return cls(doi_of(wanted.doi) if wanted.doi else None, pmid, title_key(plain_text(wanted.title)))


def locate(wanted: Sequence[Wanted], by_name: ByName, by_title: ByTitle) -> tuple[Located, ...]:
    """Whether a source has these, in their order. It is asked for many at once."""
    found: dict[int, Located] = {}
    names = [Names.of(each) for each in wanted]
    named = [i for i, name in enumerate(names) if name.doi or name.pmid]
    for batch in _batches(named, N_NAMED):
        records = by_name([wanted[i] for i in batch])
        found |= {i: there for i in batch if (there := _by_name(wanted[i], names[i], records)) is not None}
    titled = [i for i in range(len(wanted)) if i not in found and names[i].title_key and title_words(wanted[i].title)]
    for batch in _batches(titled, N_TITLED):
        found |= _by_titles(batch, wanted, by_title)
    return tuple(found[i] if i in found else _nowhere(wanted[i], names[i]) for i in range(len(wanted)))


def title_words(title: str) -> list[str]:
    """The words of a title that a search by words can hold, each once, without those that say nothing.

    >>> title_words("The role of CO<sub>2</sub> in Ménière's disease")
    ['role', 'co2', 'meniere', 'disease']
    """
    said = dict.fromkeys(word for word in words(plain_text(title)) if word.isascii() and len(word) > 1)
    telling = [word for word in said if word not in STOP_WORDS]
    if len(telling) > MOST_WORDS:
        longest = set(sorted(telling, key=len, reverse=True)[:MOST_WORDS])
        telling = [word for word in telling if word in longest]
    return telling


def is_closed(text: str) -> bool:
    """Whether quotes and round brackets are all closed: then brackets around it hold it together.

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


def _batches(numbers: list[int], n: int) -> Iterator[list[int]]:
    for start in range(0, len(numbers), n):
        yield numbers[start : start + n]


def _by_name(wanted: Wanted, names: Names, records: Sequence[Fetched]) -> Located | None:
    for each in records:
        if names.pmid and each.record.pmid == names.pmid:
            return Located(wanted.publication_id, "indexed", each.key, "pmid", each.record)
    for each in records:
        if names.doi and each.record.doi == names.doi:
            return Located(wanted.publication_id, "indexed", each.key, "doi", each.record)
    return None


def _by_titles(batch: list[int], wanted: Sequence[Wanted], by_title: ByTitle) -> dict[int, Located]:
    """Half of them at a time where a source has too many that may be meant."""
    records = by_title([wanted[i] for i in batch])
    if records is not None:
        return {i: _by_title(wanted[i], records) for i in batch}
    if len(batch) == 1:
        return {batch[0]: _unsure(wanted[batch[0]], "too many publications there have the words of its title")}
    half = len(batch) // 2
    return _by_titles(batch[:half], wanted, by_title) | _by_titles(batch[half:], wanted, by_title)


def _by_title(wanted: Wanted, records: Sequence[Fetched]) -> Located:
    names = Names.of(wanted)
    same = {each.key: each for each in records if title_key(each.record.title) == names.title_key}
    near = [each for each in same.values() if _is_near(wanted.year, each.record.year)]
    is_telling = Identity.of(Record(1, title=plain_text(wanted.title))).telling
    if not near:
        apart = [each for each in same.values() if not _has_other_name(names, each.record)]
        if apart and is_telling:
            return _unsure(wanted, f"a publication there has its title, but is from {apart[0].record.year}")
        return Located(wanted.publication_id, "not indexed")
    if not is_telling:
        return _unsure(wanted, "a publication there has its title, but so may many others")
    best = [each for each in near if each.record.year == wanted.year] or near
    best = [each for each in best if each.record.kind != "preprint"] or best
    if len(best) > 1:
        return _unsure(wanted, f"{len(best)} publications there have its title")
    record = best[0].record
    if names.doi and record.doi and record.doi != names.doi:
        return _unsure(wanted, f"a publication there has its title, but another DOI ({record.doi})")
    if names.pmid and record.pmid and record.pmid != names.pmid:
        return _unsure(wanted, f"a publication there has its title, but another PubMed number ({record.pmid})")
    return Located(wanted.publication_id, "indexed", best[0].key, "title", record)


def _has_other_name(names: Names, record: Record) -> bool:
    return bool(names.doi and record.doi and record.doi != names.doi) or bool(
        names.pmid and record.pmid and record.pmid != names.pmid
    )


def _is_near(one: int | None, other: int | None) -> bool:
    return one is None or other is None or abs(one - other) <= YEARS_APART


def _nowhere(wanted: Wanted, names: Names) -> Located:
    if names.doi or names.pmid:
        return Located(wanted.publication_id, "not indexed")
    if names.title_key:
        return _unsure(wanted, "there is no DOI or PubMed number, and its title has no words that are looked for")
    return _unsure(wanted, "there is no DOI, PubMed number or title to look for it by")


def _unsure(wanted: Wanted, why: str) -> Located:
    return Located(wanted.publication_id, "unsure", why=why)
