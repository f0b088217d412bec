"""PubMed through the E-utilities (https://www.ncbi.nlm.nih.gov/books/NBK25499/)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import date, timedelta
from email.utils import parsedate_to_datetime
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from core.errors import EndsAllError, LostPlaceError, RefusedRequestError, ServiceError
from core.library.records import RawFields, pmid_of
from core.query.tree import ParsedQuery
from core.sources.preparation import prepare
from core.sources.source_forms import Form, PreparedSearch, SourceOptions
from core.text import listed
from data.http.client import Expected, own_mail, whole_signs
from data.importers.json_records import at, texts_in
from data.importers.source import ImportFile, ImportRejection
from data.importers.xml_formats import (
    XmlFragment,
    article_fields,
    book_fields,
    find_texts,
    opening,
    parsed,
    pieces,
    text_of,
)
from data.sources.connection import (
    Connection,
    Judged,
    OddRecordError,
    PageRecords,
    RetryableFailure,
    SourceAdapter,
    changed,
    count_at,
    fetched_of,
    gathered,
)
from data.sources.types import (
    FetchedRecord,
    LookupTarget,
    PublicationIdentifiers,
    SentRequest,
    SourceCount,
    SourceInfo,
    SourcePage,
    is_closed,
    title_words,
)

# Positions of pages in PubMed, and the division of a large search by days.
#
# PubMed returns the first 9,999 records of a search and refuses to go further. A larger search is repeated for certain
# days only (by the day on which PubMed added a record), from the newest to the oldest, so that a capped run has the
# newest. Ranges of days touch without overlapping. The newest range is open towards the future: its start depends on
# today's date, but the union of all ranges does not, so a wrong clock costs some searches and no record. The results of
# every search are used until its range is read, so no request is repeated.

CEILING = 9_999
"""Records that one search returns."""
FIRST_DAY = date(1700, 1, 1)
"""Older than anything in PubMed, where some records have the day of their publication."""
LAST_DAY = date(3000, 12, 31)
"""PubMed's own way of leaving a range open."""
_USUAL_SPAN = 40 * 365
"""Days over which the publications of a field are expected to spread. A guess; errors cost extra searches."""
_FULL_ENOUGH = 0.8
"""The share of the ceiling that a range should fill."""
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class PubMedRange:
    """A span of days, both ends included."""

    low: date
    high: date

    @property
    def is_day(self) -> bool:
        return self.low == self.high

    def halved(self, today: date) -> PubMedRange:
        """Return the newer half; for a range that is open towards the future, half of the part before today."""
        top = min(self.high, today) if self.low < today else self.high
        return PubMedRange(self.low + (top - self.low) // 2 + _DAY if self.low < top else top, self.high)


@dataclass(frozen=True, slots=True)
class PubMedCursor:
    """A position in a search, with everything needed to resume, in this process or another one."""

    total: int = 0
    """Records of the whole search."""
    environment: str = ""
    """PubMed's name for the stored results; empty: the search of the next range is still to be made."""
    query_key: str = ""
    start: int = 0
    """The next record of the stored results, from 0."""
    n: int = 0
    """Records in the stored results."""
    low: str = ""
    """The oldest day of the range being read, or read last; empty: the search is not divided."""
    high: str = ""
    n_before: int = 0
    """Records in the finished ranges."""
    days: int = 0
    """Number of days that the next range should cover."""
    known: tuple[tuple[str, int], ...] = ()
    """Days with the number of records from there to the next range: the oldest day first, the fewest records last."""
    n_changes: int = 0
    """How often a repeated search found another number."""

    @property
    def is_divided(self) -> bool:
        return bool(self.low)

    @property
    def is_between(self) -> bool:
        return self.is_divided and not self.environment

    @property
    def last(self) -> int:
        return min(self.n, CEILING)

    @property
    def days_read(self) -> PubMedRange | None:
        """The range that this position is in; None: the whole search."""
        return PubMedRange(date.fromisoformat(self.low), date.fromisoformat(self.high)) if self.low else None

    def after(self, n: int) -> PubMedCursor | None:
        """Return the position so many records later; None: there are no more."""
        start = self.start + n
        if start < self.last:
            return replace(self, start=start)
        if not self.is_divided:
            return None if self.n <= CEILING else self.divided()
        return None if self.low <= FIRST_DAY.isoformat() else self.ended()

    def ended(self) -> PubMedCursor:
        n_before = self.n_before + self.n
        return replace(self, environment="", query_key="", start=0, n=0, n_before=n_before, n_changes=0)

    def before(self, days: PubMedRange, n: int) -> PubMedCursor:
        """Return the position before these days, which hold more records than before and must be divided again."""
        beyond = (days.high + _DAY).isoformat()
        known = tuple((low, held + n) for low, held in self.known)
        known = (*known, (days.low.isoformat(), n))
        return replace(self, environment="", query_key="", start=0, n=0, low=beyond, high=beyond, known=known)

    def divided(self) -> PubMedCursor:
        beyond = (LAST_DAY + _DAY).isoformat()
        days = max(int(_USUAL_SPAN * _FULL_ENOUGH * CEILING / max(self.total, 1)), 1)
        known = ((FIRST_DAY.isoformat(), self.total),)
        return PubMedCursor(self.total, low=beyond, high=beyond, days=days, known=known)

    def next_range(self, today: date) -> PubMedRange:
        """Return the next range of days: as far back as is known, or else likely, to hold few enough records."""
        high = date.fromisoformat(self.low) - _DAY
        for low, n in self.known:
            if n <= CEILING:
                return PubMedRange(date.fromisoformat(low), high)
        too_many = (
            PubMedRange(date.fromisoformat(self.known[-1][0]), high) if self.known else PubMedRange(FIRST_DAY, high)
        )
        newest = min(high, today) if too_many.low < today else high
        span = min(self.days, (newest - too_many.low).days)
        if newest - timedelta(days=span) > too_many.low:
            return PubMedRange(newest - timedelta(days=span), high)
        return too_many if too_many.is_day else too_many.halved(today)

    def knowing(self, days: PubMedRange, n: int) -> PubMedCursor:
        """Return the same position, with the knowledge that these days hold too many records."""
        return replace(self, known=(*self.known, (days.low.isoformat(), n)))

    def inside(self, days: PubMedRange, environment: str, query_key: str, n: int, today: date) -> PubMedCursor:
        span = (min(days.high, today) - days.low).days + 1 if days.low <= today else (days.high - days.low).days + 1
        share = _FULL_ENOUGH * CEILING / max(n, CEILING // 8)
        low = days.low.isoformat()
        return replace(
            self,
            environment=environment,
            query_key=query_key,
            start=0,
            n=n,
            low=low,
            high=days.high.isoformat(),
            days=max(int(span * share), 1),
            known=tuple((oldest, held - n) for oldest, held in self.known if oldest < low),
        )

    def text(self) -> str:
        return json.dumps(asdict(self), separators=(",", ":"))

    @classmethod
    def of(cls, text: str) -> PubMedCursor:
        """Build from a cursor; LostPlaceError: it can't be read."""
        try:
            document = json.loads(text)
            known = tuple((date.fromisoformat(low).isoformat(), int(n)) for low, n in document["known"])
            place = cls(**{**document, "known": known})
            for each in fields(cls):
                if type(getattr(place, each.name)) is not type(each.default):
                    raise TypeError(each.name)
            if place.low:
                PubMedRange(date.fromisoformat(place.low), date.fromisoformat(place.high))
        except (ValueError, TypeError, KeyError, RecursionError) as e:
            raise LostPlaceError("PubMed: the start of this page can't be read") from e
        return place


# PubMed's answers: records, its interpretation of a search, and its errors.
#
# Records: the DTD of PubMed, https://dtd.nlm.nih.gov/ncbi/pubmed/. From a damaged page all complete records are read.

WHERE = "PubMed"
_RECORDS = opening(["PubmedArticle", "PubmedBookArticle"])
_NOTHING_THERE = "No items found."


@dataclass(frozen=True, slots=True)
class PubMedSearchResult:
    total: int
    notes: tuple[str, ...] = ()
    """PubMed's interpretation of the search."""
    environment: str = ""
    """PubMed's name for the stored results."""
    query_key: str = ""
    ids: tuple[str, ...] = ()
    """As many as were requested."""


def read_records(content: bytes, *, by_name: bool = False) -> PageRecords:
    """Read every record of an efetch answer; RefusedRequestError: it is an error, with PubMed's words.

    `by_name`: the records were requested by their numbers.
    """
    if b"<!ENTITY" in content.replace(b"\x00", b""):
        raise changed(WHERE, "it declares XML entities, which are not supported", content)
    try:
        root = ElementTree.fromstring(content)
    except (ElementTree.ParseError, LookupError, ValueError):  # the last two: an encoding that is not known
        return _read_pieces(content, by_name=by_name)
    if root.tag == "eFetchResult" or (root.tag != "PubmedArticleSet" and root.find(".//ERROR") is not None):
        words = "; ".join(find_texts(root, ".//ERROR")) or text_of(root) or "no reason given"
        raise RefusedRequestError(f"PubMed refused these records ({words[:300]})", 200, words)
    if root.tag != "PubmedArticleSet":
        raise changed(WHERE, f"it is {str(root.tag)[:60]} instead of PubmedArticleSet", content)
    return gathered(root, _read, label=WHERE, raw=content, written=_written, by_name=by_name)


def _read_pieces(content: bytes, *, by_name: bool) -> PageRecords:
    """Read record by record, so that a damaged one affects no other."""
    text = content.decode("utf-8", errors="replace")
    cut = list(pieces(ImportFile("the answer", text, "utf-8"), _RECORDS))
    found = gathered(cut, _read_piece, label=WHERE, raw=content, written=lambda piece: piece.text, by_name=by_name)
    if not found.fetched:
        raise changed(WHERE, "it is not XML", content)
    return found


def _read_piece(piece: XmlFragment) -> FetchedRecord:
    root = parsed(piece)
    if isinstance(root, ImportRejection):
        raise OddRecordError(f"it is {root.reason}")
    return _read(root)


def _read(element: Element) -> FetchedRecord:
    if element.tag == "PubmedBookArticle" and (book := element.find("BookDocument")) is not None:
        return _record(book_fields(book))
    citation = element.find("MedlineCitation")
    if element.tag != "PubmedArticle" or citation is None or citation.find("Article") is None:
        raise OddRecordError(f"it is a {str(element.tag)[:40]} without the parts of an article")
    return _record(article_fields(element, citation))


def _record(found: RawFields) -> FetchedRecord:
    pmid = pmid_of(found.get("pmid", ""))
    if pmid is None:
        raise OddRecordError("it has no PubMed number")
    return fetched_of(pmid, found)


def _written(element: Element) -> str:
    return ElementTree.tostring(element, encoding="unicode")


def read_search(content: bytes, *, keeps: bool = False) -> PubMedSearchResult:
    """Read an esearch answer; RefusedRequestError: it is an error, with PubMed's words.

    `keeps`: PubMed was asked to store the results, and must return their name.
    """
    try:
        # The text of an error may contain raw line ends, which JSON does not allow.
        document = whole_signs(json.loads(content, strict=False), content)
    except (ValueError, RecursionError) as e:
        raise changed(WHERE, "it is not JSON", content) from e
    result = document.get("esearchresult") if isinstance(document, dict) else None
    words = _text_of(document, "ERROR") or _text_of(document, "error") or _text_of(result, "ERROR")
    if words:
        raise RefusedRequestError(f"PubMed rejected this search ({words[:300]})", 200, words)
    total = count_at(result, "count", WHERE, content)
    environment, query_key = _text_of(result, "webenv"), _text_of(result, "querykey")
    if keeps and total and not (environment and query_key):
        raise changed(WHERE, "it has no name for the stored search", content)
    return PubMedSearchResult(
        total, _notes(result), environment or "nothing", query_key, tuple(_texts(result, "idlist"))
    )


def _text_of(document: Any, name: str) -> str:
    value = document.get(name) if isinstance(document, dict) else None
    return " ".join(str(value).split()) if isinstance(value, str | int) else ""


def _texts(document: Any, name: str) -> list[str]:
    return [text.strip() for text in texts_in(document.get(name))] if isinstance(document, dict) else []


def _notes(result: Any) -> tuple[str, ...]:
    wrong, warned = at(result, "errorlist"), at(result, "warninglist")
    understood = _text_of(result, "querytranslation")
    notes = [f"PubMed translated it as: {understood}"] if understood else []
    for place, name, words in (
        (wrong, "phrasesnotfound", "PubMed finds nothing by"),
        (wrong, "fieldsnotfound", "PubMed knows no such field"),
        (warned, "phrasesignored", "PubMed ignored"),
        (warned, "quotedphrasesnotfound", "PubMed's index has no such phrase"),
    ):
        if texts := _texts(place, name):
            notes.append(f"{words}: {listed(texts)}")
    messages = _texts(warned, "outputmessages")
    return (*notes, *(f"PubMed says: {message}" for message in messages if message != _NOTHING_THERE))


# PubMed through the E-utilities of the National Center for Biotechnology Information.
#
# Requests: "A General Introduction to the E-utilities" (https://www.ncbi.nlm.nih.gov/books/NBK25497/) for tool, email,
# api_key, 3 requests a second without a key and 10 with one, and POST for long ones; "The E-utilities In-Depth"
# (https://www.ncbi.nlm.nih.gov/books/NBK25499/) for esearch.fcgi (term, usehistory, WebEnv, query_key, retstart,
# retmax, datetype, mindate, maxdate) and efetch.fcgi (WebEnv, query_key, retstart, retmax, retmode, id). Query syntax:
# "PubMed User Guide" (https://pubmed.ncbi.nlm.nih.gov/help/). Read in November 2026.
#
# Everything is posted. PubMed stores the results of a search (its history), and pages are fetched from there, so that
# records added later move nothing. The results expire after some hours, and the search is then repeated.

PER_PAGE = 500
FASTEST_WITH_KEY = 10.0
ABOUT = SourceInfo(
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
"""Maximum times to start a range again after PubMed forgot it and then found another number."""
MOST_MISSING = 25
"""Maximum records missing from an otherwise empty page: these can have been deleted."""
MOST_LOOKED_THROUGH = 200
"""Maximum records to read in order to find a few titles among them."""
_NOTHING = PageRecords((), ())
_FORGOTTEN = ("unable to obtain query", "history", "webenv", "query_key")
_BEYOND = "out of range"
"""Found in errors about a position beyond the stored results, which are fewer than PubMed had counted."""
_NOT_FORGOTTEN = ("cannot be larger", _BEYOND)
_SLOW = ("status: timeout", "empty response", "external viewer error")
"""Found in errors that blame the request, although PubMed was too slow."""
_FAILED = re.compile(r'"error"\s*:\s*"\s*search backend failed|<error>\s*search backend failed')
"""Sent with a successful status, but temporary (https://github.com/metapub/metapub/issues/73)."""


def connect(address: str, key: str = "", **common: Any) -> Connection:
    """Return a connection. The key is part of the posted form, and allows faster requests."""
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
    text = body[:2000].decode("utf-8", errors="replace").lower()
    if "api rate limit exceeded" in text and status in (200, 400):
        return RetryableFailure("reports too many requests")
    if "api key invalid" in text or "api key not valid" in text:
        return EndsAllError(f"PubMed rejected the key ({status}): check the variable {ABOUT.key_variable}")
    if status == 200 and _FAILED.search(text) and "cannot be larger" not in text:
        return RetryableFailure("reports that its search failed")
    if status == 400 and any(words in text for words in _SLOW):
        return RetryableFailure("was too slow for this request")
    return None


class PubMed(SourceAdapter):
    describes = ABOUT

    @property
    def about(self) -> SourceInfo:
        return replace(ABOUT, per_second=FASTEST_WITH_KEY) if self.has_key else ABOUT

    def prepare(self, parsed: ParsedQuery, choices: SourceOptions) -> PreparedSearch:
        """Leave a search string written for PubMed unchanged. Any length is possible, since it is posted."""
        return prepare(parsed, "pubmed", choices)

    def count(self, form: Form, choices: SourceOptions) -> SourceCount:
        step = self._step(form.text)
        found = step.search()
        return SourceCount(found.total, found.notes, tuple(step.sent))

    def page(self, form: Form, choices: SourceOptions, at: str | None, most: int) -> SourcePage:
        """Fetch the next records; a search of more than 9,999 is divided by days, unless no more are needed."""
        step = self._step(form.text)
        begin = PubMedCursor.of(at) if at is not None else step.first(most)
        for is_new in (False, True):
            if (place := step.ready(begin)) is None:
                break
            try:
                return step.fetched(place, most)
            except RefusedRequestError as e:
                if not _is_forgotten(e):
                    raise
                if is_new:
                    raise LostPlaceError(f"PubMed loses the search right after it starts ({e.words[:200]})") from e
            begin = step.renewed(place)
        return step.page(_NOTHING, begin.total, None)

    def restricted(self, form: Form, key: str) -> Form | None:
        """Add the record's number after brackets, since operators are read from left to right."""
        if not key.isdecimal() or not is_closed(form.text):
            return None
        return Form(form.number, f"({form.text}) AND {key}[uid]")

    def _step(self, term: str) -> _Step:
        return _Step(self._connection, term)

    def _by_name(self, wanted: Sequence[LookupTarget]) -> tuple[FetchedRecord, ...]:
        """Look up PubMed numbers and DOIs many at once."""
        names = [PublicationIdentifiers.of(each) for each in wanted]
        asked = [f"{name.pmid}[uid]" for name in names if name.pmid]
        asked += [f'"{name.doi}"[aid]' for name in names if name.doi]
        step = self._step(" OR ".join(asked))
        return step.by_id(step.search(retmax=CEILING).ids)

    def _by_title(self, wanted: Sequence[LookupTarget]) -> tuple[FetchedRecord, ...] | None:
        """Search words rather than phrases: PubMed finds only phrases that its index has."""
        titles = [" AND ".join(f"{word}[ti]" for word in title_words(each.title)) for each in wanted]
        if not any(titles):
            return ()
        step = self._step(" OR ".join(f"({title})" for title in titles if title))
        found = step.search(retmax=MOST_LOOKED_THROUGH)
        return None if found.total > MOST_LOOKED_THROUGH else step.by_id(found.ids)


@dataclass(eq=False)
class _Step:
    connection: Connection
    term: str
    sent: list[SentRequest] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    raw: bytes = b""
    date_there: str = ""
    """The date in PubMed's last answer."""

    @property
    def today(self) -> date:
        """The date according to PubMed, or else to the local clock, which may be wrong."""
        with suppress(ValueError, TypeError, IndexError, OverflowError):
            return parsedate_to_datetime(self.date_there).date()
        return date.fromisoformat(self.connection.clock()[:10])

    def search(self, days: PubMedRange | None = None, *, keeps: bool = False, retmax: int = 0) -> PubMedSearchResult:
        """Call esearch, for records added on certain days, or for all."""
        asked: dict[str, str | int] = {"db": "pubmed", "term": self.term, "retmode": "json", "retmax": retmax}
        if keeps:
            asked["usehistory"] = "y"
        if days is not None:
            asked |= {"datetype": "edat", "mindate": f"{days.low:%Y/%m/%d}", "maxdate": f"{days.high:%Y/%m/%d}"}
        return read_search(self._posted("esearch.fcgi", asked, "json"), keeps=keeps)

    def first(self, most: int) -> PubMedCursor:
        """Make the search: return its first record, or the position before its first range of days."""
        found = self.search(keeps=True)
        self.notes += found.notes
        place = PubMedCursor(found.total, found.environment, found.query_key, n=found.total)
        if found.total <= CEILING or most <= CEILING:
            return place
        self.notes.append(
            f"PubMed returns {CEILING:,} records of one search: this one is split by the date on which PubMed "
            "added the records, newest first"
        )
        return place.divided()

    def ready(self, place: PubMedCursor) -> PubMedCursor | None:
        """Return the position of the next record to fetch; None: there are no more."""
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

    def _next_range(self, place: PubMedCursor) -> PubMedCursor:
        days = place.next_range(self.today)
        while (found := self.search(days, keeps=True)).total > CEILING and not days.is_day:
            place = place.knowing(days, found.total)
            days = days.halved(self.today)
        if found.total > CEILING:
            self.notes.append(
                f"{found.total - CEILING:,} publications are missing: PubMed added {found.total:,} on "
                f"{days.low:%Y-%m-%d} and returns {CEILING:,} of one day"
            )
        return place.inside(days, found.environment, found.query_key, found.total, self.today)

    def renewed(self, place: PubMedCursor) -> PubMedCursor:
        """Repeat the search and return the same position. Changed results are read from their beginning."""
        days = place.days_read
        found = self.search(days, keeps=True)
        if found.total == place.n:
            return replace(place, environment=found.environment, query_key=found.query_key)
        if place.n_changes >= MOST_CHANGES:
            raise LostPlaceError("PubMed lost the search, and its count changes each time")
        self.notes.append(
            f"PubMed lost the search; repeated, it finds {found.total:,} instead of {place.n:,}: "
            f"{'these days are' if days else 'it is'} read from the beginning"
        )
        changed = replace(place, start=0, n=0, n_changes=place.n_changes + 1)
        if days is not None and found.total > CEILING and not days.is_day:
            return changed.before(days, found.total)
        total = place.total if days else found.total
        return replace(changed, total=total, environment=found.environment, query_key=found.query_key, n=found.total)

    def fetched(self, place: PubMedCursor, most: int) -> SourcePage:
        n = min(PER_PAGE, most, place.last - place.start)
        kept = {"WebEnv": place.environment, "query_key": place.query_key}
        try:
            reading = self._records({**kept, "retstart": place.start, "retmax": n})
        except RefusedRequestError as e:
            if _BEYOND not in e.words.lower():
                raise
            reading = _NOTHING
        n_came = len(reading.fetched) + len(reading.aside)
        if n_came == 0 and n > MOST_MISSING:
            raise ServiceError(f"PubMed sent no records where {n:,} were due: resume later, fetched records are kept")
        if (missing := n - n_came) > 0:
            self.notes.append(
                f"{missing:,} of {n:,} records are missing, though PubMed counts them: they may have been deleted"
            )
        after = place.after(n)
        if after is None:
            self._compare(place)
        elif after.is_divided and not place.is_divided:
            self.notes.append(f"PubMed returns {CEILING:,} records of one search: all are read again, by days")
        return self.page(reading, place.total, after)

    def page(self, reading: PageRecords, total: int | None, after: PubMedCursor | None) -> SourcePage:
        cursor = None if after is None else after.text()
        return SourcePage(reading.fetched, reading.aside, total, cursor, self.raw, tuple(self.notes), tuple(self.sent))

    def by_id(self, ids: Iterable[str]) -> tuple[FetchedRecord, ...]:
        wanted, found = list(ids), list[FetchedRecord]()
        for start in range(0, len(wanted), PER_PAGE):
            found += self._records({"id": ",".join(wanted[start : start + PER_PAGE])}, by_name=True).fetched
        return tuple(found)

    def _records(self, asked: Mapping[str, str | int], *, by_name: bool = False) -> PageRecords:
        content = self._posted("efetch.fcgi", {"db": "pubmed", "retmode": "xml", **asked}, "xml")
        return read_records(content, by_name=by_name)

    def _posted(self, path: str, asked: Mapping[str, str | int], expects: Expected) -> bytes:
        reply = self.connection.post(path, asked, expects=expects)
        self.sent.append(reply.sent)
        self.raw, self.date_there = reply.content, reply.headers.get("date", "")
        return reply.content

    def _compare(self, place: PubMedCursor) -> None:
        """Check that the ranges add up to the whole; a difference is noted, as PubMed may have changed meanwhile."""
        n = place.n_before + place.n
        if place.is_divided and n != place.total:
            self.notes.append(f"PubMed counted {place.total:,} at first, and {n:,} in the parts together")


def _is_forgotten(error: RefusedRequestError) -> bool:
    text = error.words.lower()
    return not any(words in text for words in _NOT_FORGOTTEN) and any(words in text for words in _FORGOTTEN)
