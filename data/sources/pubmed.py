"""PubMed through the E-utilities of the National Center for Biotechnology Information.

Forms of requests: "A General Introduction to the E-utilities" (https://www.ncbi.nlm.nih.gov/books/NBK25497/) for tool,
email, api_key, 3 requests a second without a key and 10 with one, and POST for what is long; "The E-utilities
In-Depth" (https://www.ncbi.nlm.nih.gov/books/NBK25499/) for esearch.fcgi (term, usehistory, WebEnv, query_key,
retstart, retmax, datetype, mindate, maxdate) and efetch.fcgi (WebEnv, query_key, retstart, retmax, retmode, id). What
may stand in a term: "PubMed User Guide" (https://pubmed.ncbi.nlm.nih.gov/help/). Read in November 2026.

Everything is posted. A search is made once and kept by PubMed (its history); pages are fetched from what it keeps, so
records that are added meanwhile move nothing. It forgets after some hours, and the search is then made again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date
from email.utils import parsedate_to_datetime
from typing import Any

from core.errors import EndsAllError, LostPlaceError, RefusedRequestError, ServiceError
from core.query.tree import ParsedQuery
from core.sources.sending.saying import Choices, Form, Prepared
from core.sources.sending.splitting import prepare
from data.sources.connecting.answers import Again, Judged
from data.sources.connecting.bodies import Expected
from data.sources.connecting.connection import Connection
from data.sources.connecting.routes import own_mail
from data.sources.locating import Names, is_closed, locate, title_words
from data.sources.pubmed_places import CEILING, Place, Range
from data.sources.pubmed_reading import Found, read_records, read_search
from data.sources.reading import Gathered
from data.sources.types import About, Count, Fetched, Located, Page, Sent, Wanted

PER_PAGE = 500
FASTEST_WITH_KEY = 10.0
ABOUT = About(
    id="pubmed",
    label="PubMed",
    home="https://www.ncbi.nlm.nih.gov/account/settings/",
    documentation="https://www.ncbi.nlm.nih.gov/books/NBK25499/",
    address="https://eutils.ncbi.nlm.nih.gov/entrez/eutils",
    address_variable="QUERYSCAPE_PUBMED_URL",
    key_variable="NCBI_API_KEY",
    per_page=PER_PAGE,
    per_search=CEILING,
    per_second=3.0,
)
MOST_CHANGES = 3
"""How often one range is read anew because PubMed forgot it and then found another number."""
MOST_MISSING = 25
"""Records that a page may lack with nothing else on it: those can have been deleted."""
MOST_LOOKED_THROUGH = 200
"""Records that are read to find a few titles among them."""
_NOTHING = Gathered((), ())
_FORGOTTEN = ("unable to obtain query", "history", "webenv", "query_key")
_SLOW = ("status: timeout", "empty response", "external viewer error")
"""In the words of errors about the request which are none: PubMed was too slow."""
_FAILED = re.compile(r'"error"\s*:\s*"\s*search backend failed|<error>\s*search backend failed')
"""Comes with the status of an answer that is fine, and goes away (https://github.com/metapub/metapub/issues/73)."""


def connect(address: str, key: str = "", **common: Any) -> Connection:
    """The way there. A key travels in the form that is posted; who has one may ask faster."""
    mail = own_mail()
    return Connection(
        ABOUT.label,
        address,
        key=key,
        key_place=("query", "api_key"),
        key_variable=ABOUT.key_variable,
        address_variable=ABOUT.address_variable,
        params={"tool": "queryscape"} | ({"email": mail} if mail else {}),
        per_second=FASTEST_WITH_KEY if key else ABOUT.per_second,
        judge=_judge,
        **common,
    )


def _judge(status: int, headers: Mapping[str, str], body: bytes) -> Judged:
    """Where PubMed's answers mean something else than their status says."""
    said = body[:2000].decode("utf-8", errors="replace").lower()
    if "api rate limit exceeded" in said and status in (200, 400):
        return Again("says that it is asked too often")
    if "api key invalid" in said or "api key not valid" in said:
        return EndsAllError(f"PubMed does not accept the key ({status}): check the variable {ABOUT.key_variable}")
    if status == 200 and _FAILED.search(said) and "cannot be larger" not in said:
        return Again("says that its search failed")
    if status == 400 and any(words in said for words in _SLOW):
        return Again("was too slow for this request")
    return None


class PubMed:
    """PubMed as a live source."""

    def __init__(self, connection: Connection, *, has_key: bool = False) -> None:
        self._connection = connection
        self._about = replace(ABOUT, per_second=FASTEST_WITH_KEY) if has_key else ABOUT

    @property
    def about(self) -> About:
        """What it is."""
        return self._about

    def prepare(self, parsed: ParsedQuery, choices: Choices) -> Prepared:
        """Unchanged where it is written for PubMed. Of any length: it is posted."""
        return prepare(parsed, "pubmed", choices)

    def count(self, form: Form, choices: Choices) -> Count:
        """What esearch counts, and how it understood the text."""
        step = self._step(form.text)
        found = step.search()
        return Count(found.total, found.notes, tuple(step.sent))

    def page(self, form: Form, choices: Choices, at: str | None, most: int) -> Page:
        """The next records; a search of more than 9,999 is divided by days, unless no more are wanted."""
        step = self._step(form.text)
        begin = Place.of(at) if at is not None else step.first(most)
        for is_new in (False, True):
            if (place := step.ready(begin)) is None:
                break
            try:
                return step.fetched(place, most)
            except RefusedRequestError as e:
                if not _is_forgotten(e):
                    raise
                if is_new:
                    raise LostPlaceError(f"PubMed forgets the search as soon as it is made ({e.words[:200]})") from e
            begin = step.renewed(place)
        return step.page(_NOTHING, begin.total, None)

    def restricted(self, form: Form, key: str) -> Form | None:
        """With the number of the record, behind brackets: operators are read from left to right."""
        if not key.isdecimal() or not is_closed(form.text):
            return None
        return Form(form.number, f"({form.text}) AND {key}[uid]")

    def find(self, wanted: Sequence[Wanted]) -> tuple[Located, ...]:
        """By number and DOI, many at once; the others by the words of their titles."""
        return locate(wanted, self._named, self._titled)

    def _step(self, term: str) -> _Step:
        return _Step(self._connection, term)

    def _named(self, wanted: Sequence[Wanted]) -> tuple[Fetched, ...]:
        names = [Names.of(each) for each in wanted]
        asked = [f"{name.pmid}[uid]" for name in names if name.pmid]
        asked += [f'"{name.doi}"[aid]' for name in names if name.doi]
        step = self._step(" OR ".join(asked))
        return step.by_id(step.search(retmax=CEILING).ids)

    def _titled(self, wanted: Sequence[Wanted]) -> tuple[Fetched, ...] | None:
        """By words rather than as phrases: PubMed finds only phrases that its index has."""
        titles = [" AND ".join(f"{word}[ti]" for word in title_words(each.title)) for each in wanted]
        if not any(titles):
            return ()
        step = self._step(" OR ".join(f"({title})" for title in titles if title))
        found = step.search(retmax=MOST_LOOKED_THROUGH)
        return None if found.total > MOST_LOOKED_THROUGH else step.by_id(found.ids)


@dataclass(eq=False)
class _Step:
    """What one call of ours asks of PubMed, and what there is to say of it."""

    connection: Connection
    term: str
    sent: list[Sent] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    raw: bytes = b""
    date_there: str = ""
    """As PubMed told it with its last answer."""

    @property
    def today(self) -> date:
        """As PubMed says, else by this machine's clock, which may be wrong."""
        with suppress(ValueError, TypeError, IndexError, OverflowError):
            return parsedate_to_datetime(self.date_there).date()
        return date.fromisoformat(self.connection.clock()[:10])

    def search(self, days: Range | None = None, *, keeps: bool = False, retmax: int = 0) -> Found:
        """Ask esearch, for records that were taken in on certain days, or for all."""
        asked: dict[str, str | int] = {"db": "pubmed", "term": self.term, "retmode": "json", "retmax": retmax}
        if keeps:
            asked["usehistory"] = "y"
        if days is not None:
            asked |= {"datetype": "edat", "mindate": f"{days.low:%Y/%m/%d}", "maxdate": f"{days.high:%Y/%m/%d}"}
        return read_search(self._posted("esearch.fcgi", asked, "json"), keeps=keeps)

    def first(self, most: int) -> Place:
        """The search itself: its first record, or the place before its first range of days."""
        found = self.search(keeps=True)
        self.notes += found.notes
        place = Place(found.total, found.environment, found.query_key, n=found.total)
        if found.total <= CEILING or most <= CEILING:
            return place
        self.notes.append(
            f"PubMed gives {CEILING:,} records of one search: this one is asked for in parts, by the days on which "
            "PubMed took the records in, the newest first"
        )
        return place.divided()

    def ready(self, place: Place) -> Place | None:
        """The place with a record to fetch; None: there are no more."""
        while True:
            if place.is_between:
                place = self._next_range(place)
            if place.start < place.last:
                return place
            after = place.after(0)
            if after is None:
                self._compare(place)
                return None
            place = after

    def _next_range(self, place: Place) -> Place:
        days = place.next_range(self.today)
        while (found := self.search(days, keeps=True)).total > CEILING and not days.is_day:
            place = place.knowing(days, found.total)
            days = days.halved(self.today)
        if found.total > CEILING:
            self.notes.append(
                f"{found.total - CEILING:,} publications are missing: PubMed took in {found.total:,} on "
                f"{days.low:%Y-%m-%d} and gives {CEILING:,} of one day"
            )
        return place.inside(days, found.environment, found.query_key, found.total, self.today)

    def renewed(self, place: Place) -> Place:
        """The same place after the search was made again. What moved meanwhile is read from its beginning."""
        days = place.days_read
        found = self.search(days, keeps=True)
        if found.total == place.n:
            return replace(place, environment=found.environment, query_key=found.query_key)
        if place.n_changes >= MOST_CHANGES:
            raise LostPlaceError("PubMed forgot the search, and it finds another number each time")
        self.notes.append(
            f"PubMed no longer knew the search; made again it finds {found.total:,} instead of {place.n:,}: "
            f"{'these days are' if days else 'it is'} read from the beginning"
        )
        changed = replace(place, start=0, n=0, n_changes=place.n_changes + 1)
        if days is not None and found.total > CEILING and not days.is_day:
            return changed.before(days, found.total)
        total = place.total if days else found.total
        return replace(changed, total=total, environment=found.environment, query_key=found.query_key, n=found.total)

    def fetched(self, place: Place, most: int) -> Page:
        """The records at a place."""
        n = min(PER_PAGE, most, place.last - place.start)
        kept = {"WebEnv": place.environment, "query_key": place.query_key}
        reading = self._records({**kept, "retstart": place.start, "retmax": n})
        n_came = len(reading.fetched) + len(reading.aside)
        if n_came == 0 and n > MOST_MISSING:
            raise ServiceError(f"PubMed sent no records where {n:,} were due: go on later, what came is kept")
        if (missing := n - n_came) > 0:
            self.notes.append(
                f"{missing:,} of {n:,} records did not come, though PubMed counts them: they may have been deleted"
            )
        after = place.after(n)
        if after is None:
            self._compare(place)
        elif after.is_divided and not place.is_divided:
            self.notes.append(f"PubMed gives {CEILING:,} records of one search: all are read again, by days")
        return self.page(reading, place.total, after)

    def page(self, reading: Gathered, total: int | None, after: Place | None) -> Page:
        """What came, with all that was asked for it."""
        cursor = None if after is None else after.text()
        return Page(reading.fetched, reading.aside, total, cursor, self.raw, tuple(self.notes), tuple(self.sent))

    def by_id(self, ids: Iterable[str]) -> tuple[Fetched, ...]:
        """The records of these numbers."""
        wanted, found = list(ids), list[Fetched]()
        for start in range(0, len(wanted), PER_PAGE):
            found += self._records({"id": ",".join(wanted[start : start + PER_PAGE])}).fetched
        return tuple(found)

    def _records(self, asked: Mapping[str, str | int]) -> Gathered:
        return read_records(self._posted("efetch.fcgi", {"db": "pubmed", "retmode": "xml", **asked}, "xml"))

    def _posted(self, path: str, asked: Mapping[str, str | int], expects: Expected) -> bytes:
        reply = self.connection.post(path, asked, expects=expects)
        self.sent.append(reply.sent)
        self.raw, self.date_there = reply.content, reply.headers.get("date", "")
        return reply.content

    def _compare(self, place: Place) -> None:
        """Nothing may get lost between the ranges: together they are the whole, unless PubMed changed meanwhile."""
        n = place.n_before + place.n
        if place.is_divided and n != place.total:
            self.notes.append(f"PubMed counted {place.total:,} at first, and {n:,} in the parts together")


def _is_forgotten(error: RefusedRequestError) -> bool:
    """Whether PubMed no longer has what it kept for us."""
    said = error.words.lower()
    return "cannot be larger" not in said and any(words in said for words in _FORGOTTEN)
