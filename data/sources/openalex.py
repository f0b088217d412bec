"""OpenAlex: works found by a filter, paged by a cursor, or by number without a key.

Requests, according to its documentation (developers.openalex.org, looked up in November 2026):

- Search, https://developers.openalex.org/guides/searching: `filter=title_and_abstract.search:...` (stemmed) or
  `.no_stem`, with AND, OR and NOT in capitals, brackets and double quotes. A whole address has at most 4,094 bytes.
- Paging, https://developers.openalex.org/guides/page-through-results: `per_page` up to 100, `cursor=*` and then
  `meta.next_cursor` until it is null; cursors need a key. `page=1`, 2 ... gives the first 10,000 works without one.
- Keys and prices, https://developers.openalex.org/api-reference/authentication: `api_key`; $0.001 for a search, $0.0001
  for a list, nothing for one work by its identifier; `X-RateLimit-Cost-USD` and `X-RateLimit-Remaining-USD` give the
  cost of a request and the rest of the day's budget. The budget is $1 with a key and $0.01 without one; it was $0.10 at
  times, so the rest in the headers takes precedence.
- Works, https://developers.openalex.org/api-reference/works: filters `doi`, `pmid`, `openalex`, `display_name.search`;
  `select`; values of one filter are joined by |. Joined PubMed numbers were rejected in practice
  (https://github.com/ourresearch/OpenAlex/issues/8), so these are requested one by one.
- Errors, https://developers.openalex.org/api-reference/errors: {"error", "message"}; 401 for a key, 403 for being too
  fast. Wrong requests have 400 now and had 403 (https://github.com/ropensci/openalexR/issues/254).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from core.errors import EndsAllError, LostPlaceError, RefusedRequestError
from core.query.tree import ParsedQuery
from core.sources.preparation import prepare
from core.sources.source_forms import Form, PreparedSearch, SourceOptions
from data.http.client import is_web_page, words_of
from data.importers.json_formats import openalex_fields
from data.sources.connection import (
    Connection,
    Judge,
    Judged,
    OddRecordError,
    PageRecords,
    Reply,
    RequestCost,
    RetryableFailure,
    SourceAdapter,
    count_at,
    encoded,
    fetched_of,
    gathered,
    is_spent,
    list_at,
    object_from,
    object_of,
    place_at,
)
from data.sources.types import (
    FetchedRecord,
    LookupTarget,
    PublicationIdentifiers,
    SentRequest,
    SourceCount,
    SourceInfo,
    SourcePage,
    title_words,
)

ABOUT = SourceInfo(
    id="openalex",
    label="OpenAlex",
    home="https://openalex.org/settings/api",
    documentation="https://developers.openalex.org",
    address="https://api.openalex.org",
    address_variable="QUERYSCAPE_OPENALEX_URL",
    key_variable="OPENALEX_API_KEY",
    per_page=100,
    per_second=10.0,
    dollars_per_call=0.001,
    dollars_per_day=1.0,
    keyless_dollars=0.01,
    keyless_ceiling=10_000,
)
PAGE = "page="
"""Prefix of the position of a page that is requested by number."""
LIST_DOLLARS = 0.0001
"""The price of a list that is filtered by identifiers alone."""
LONGEST_ADDRESS = 4094
ROOM_FOR_CURSOR = 400
"""Bytes: cursors in the documentation have 72 characters; those of a search sort by more."""
DOIS_AT_ONCE = 50
"""The documentation says up to 100, older pages 50; a DOI may belong to several works, and all must fit on one page."""
WORK = (
    "id,doi,title,publication_year,ids,type,authorships,primary_location,biblio,keywords,cited_by_count,is_retracted,"
    "language,referenced_works,mesh"
)
SELECT = f"{WORK},abstract_inverted_index"
WHERE = "OpenAlex"
_ID = re.compile(r"https://openalex\.org/(W\d+)")
_OF_FILTERS = re.compile(r"[,|!\s]")


def connect(address: str, key: str, **common: Any) -> Connection:
    """Return a connection; the key goes into the address and counts towards its length."""
    return Connection(
        ABOUT.label,
        address,
        key=key,
        key_place=("query", "api_key"),
        key_variable=ABOUT.key_variable,
        address_variable=ABOUT.address_variable,
        **{"per_second": ABOUT.per_second, "judge": _judge(bool(key)), "costs": _cost, "prices": _price, **common},
    )


_WRONG = re.compile(r"query parameters|pagination error|author count", re.IGNORECASE)
"""Found in errors about the request, which had the status 403 before it had 400."""


def _judge(has_key: bool) -> Judge:
    """Explain a refused cursor to users without a key; read 403 as a rate limit or a wrong request, not a bad key."""

    def judge(status: int, headers: Mapping[str, str], body: bytes) -> Judged:
        if status == 401 and not has_key and not is_web_page(body):
            return EndsAllError(
                "OpenAlex needs a key to page through results: get a free one at openalex.org/settings/api and "
                f"set {ABOUT.key_variable}"
            )
        if status != 403 or is_web_page(body) or is_spent(headers, body):
            return None
        words = words_of(body) or "no reason given"
        if _WRONG.search(body.decode("utf-8", errors="replace")):
            return RefusedRequestError(f"OpenAlex rejected this request ({status}: {words})", status, words)
        asked = headers.get("retry-after", "")
        return RetryableFailure(
            f"asks for slower requests ({status}: {words})", float(asked) if asked.isdecimal() else None
        )

    return judge


def _cost(sent: SentRequest, headers: Mapping[str, str]) -> RequestCost:
    """Return the cost from the headers, or else from the price list."""
    dollars = _dollars(headers.get("x-ratelimit-cost-usd", ""))
    left = _dollars(headers.get("x-ratelimit-remaining-usd", ""))
    if dollars is not None:
        return RequestCost(dollars, left)
    return RequestCost(_price(sent.address) if sent.status == 200 else 0.0, left)


def _price(address: str) -> float:
    """Return the price from the price list: one work by its identifier is free."""
    if "/works/" in address:
        return 0.0
    return ABOUT.dollars_per_call if ".search" in address else LIST_DOLLARS


def _dollars(text: str) -> float | None:
    return float(text) if re.fullmatch(r"\d{1,9}(\.\d{1,12})?(e-\d{1,2})?", text.strip()) else None


class OpenAlex(SourceAdapter):
    describes = ABOUT

    @property
    def about(self) -> SourceInfo:
        return ABOUT if self.has_key else ABOUT.without_key

    @property
    def room(self) -> int:
        """Bytes that a form may take in an address next to the key, the other parameters and a cursor."""
        fixed = self._connection.n_bytes("/works", _paging("", "", ABOUT.per_page))
        return LONGEST_ADDRESS - ROOM_FOR_CURSOR - fixed

    def prepare(self, parsed: ParsedQuery, choices: SourceOptions) -> PreparedSearch:
        """Return the equivalent filter, or several if one would be too long."""
        return prepare(parsed, "openalex", choices, room=self.room)

    def count(self, form: Form, choices: SourceOptions) -> SourceCount:
        reply = self._connection.get("/works", {"filter": form.text, "per_page": 1, "select": "id"})
        total = _total(object_of(reply, WHERE), reply)
        return SourceCount(total, () if self.has_key else _beyond(total), (reply.sent,))

    def page(self, form: Form, choices: SourceOptions, at: str | None, most: int) -> SourcePage:
        """Fetch up to a hundred works in OpenAlex's order, the most relevant first."""
        if at.startswith(PAGE) if at else not self.has_key:
            return self._numbered(form, at)
        params = _paging(form.text, at or "*", max(1, min(most, ABOUT.per_page)))
        try:
            reply = self._connection.get("/works", params)
        except RefusedRequestError as e:
            if at is not None and "cursor" in e.words.lower():
                raise LostPlaceError(f"OpenAlex no longer knows where the next page begins ({e.words})") from e
            raise
        document = object_of(reply, WHERE)
        total = _total(document, reply)
        works = _works(document, reply)
        goes_on = bool(works.fetched or works.aside)
        following = place_at(document["meta"], "next_cursor", at or "*", WHERE, reply.content) if goes_on else None
        return SourcePage(
            works.fetched,
            works.aside,
            total,
            following,
            reply.content,
            sent=(reply.sent,),
        )

    def _numbered(self, form: Form, at: str | None) -> SourcePage:
        """Fetch a page by its number, which needs no key. All have one size, or works would be skipped between them."""
        number = _number_of(at)
        asked: dict[str, str | int] = {
            "filter": form.text,
            "per_page": ABOUT.per_page,
            "page": number,
            "select": SELECT,
        }
        reply = self._connection.get("/works", asked)
        document = object_of(reply, WHERE)
        total, works = _total(document, reply), _works(document, reply)
        most = ABOUT.keyless_ceiling or total
        goes_on = bool(works.fetched or works.aside) and number * ABOUT.per_page < min(total, most)
        notes = () if goes_on else _beyond(total)
        following = f"{PAGE}{number + 1}" if goes_on else None
        return SourcePage(works.fetched, works.aside, total, following, reply.content, notes, (reply.sent,))

    def restricted(self, form: Form, key: str) -> Form | None:
        return Form(form.number, f"{form.text},openalex:{key}")

    def _by_name(self, wanted: Sequence[LookupTarget]) -> list[FetchedRecord]:
        """Look up DOIs many at once, PubMed numbers one by one."""
        names = [PublicationIdentifiers.of(each) for each in wanted]
        found = list(self._by_doi([name.doi for name in names if name.doi]))
        there = {each.record.doi for each in found}
        for name in names:
            if name.pmid and (name.doi is None or name.doi not in there):
                found += self._single("pmid", name.pmid)
        return found

    def _by_doi(self, dois: Sequence[str]) -> Iterator[FetchedRecord]:
        """Find works with these DOIs; a DOI that contains a filter character is requested alone."""
        odd = [doi for doi in dict.fromkeys(dois) if _OF_FILTERS.search(doi)]
        for some in self._batches([doi for doi in dict.fromkeys(dois) if doi not in odd]):
            yield from self._list(f"doi:{'|'.join(some)}")[0]
        for doi in odd:
            yield from self._single("doi", doi)

    def _batches(self, dois: Sequence[str]) -> Iterator[list[str]]:
        some: list[str] = []
        left = self.room
        for doi in dois:
            n_bytes = len(encoded(f"|{doi}"))
            if some and (len(some) == DOIS_AT_ONCE or n_bytes > left):
                yield some
                some, left = [], self.room
            some.append(doi)
            left -= n_bytes
        if some:
            yield some

    def _by_title(self, wanted: Sequence[LookupTarget]) -> tuple[FetchedRecord, ...] | None:
        told = [" ".join(terms) for each in wanted if (terms := title_words(each.title))]
        if not told:
            return ()
        found, total = self._list(f"display_name.search:({' OR '.join(f'({title})' for title in told)})")
        return found if total <= ABOUT.per_page else None

    def _list(self, conditions: str) -> tuple[tuple[FetchedRecord, ...], int]:
        reply = self._connection.get("/works", {"filter": conditions, "per_page": ABOUT.per_page, "select": SELECT})
        document = object_of(reply, WHERE)
        total = _total(document, reply)
        return _works(document, reply, by_name=True).fetched, total

    def _single(self, kind: str, name: str) -> tuple[FetchedRecord, ...]:
        """Return one work by an identifier; this is free as long as the colon is not encoded."""
        try:
            reply = self._connection.get(f"/works/{kind}:{encoded(name)}", {"select": SELECT})
        except RefusedRequestError as e:
            if e.status == 404:
                return ()
            raise
        return gathered([object_of(reply, WHERE)], _work, label=WHERE, raw=reply.content, by_name=True).fetched


def _number_of(at: str | None) -> int:
    """Return the number of the page at a position; LostPlaceError: there is no such page."""
    text = "1" if at is None else at.removeprefix(PAGE)
    last = (ABOUT.keyless_ceiling or 0) // ABOUT.per_page
    if not (text.isascii() and text.isdigit() and len(text) < 6 and 1 <= int(text) <= last):
        raise LostPlaceError("OpenAlex: the start of this page can't be read")
    return int(text)


def _beyond(total: int) -> tuple[str, ...]:
    """Note that more works are found than OpenAlex returns without a key."""
    most = ABOUT.keyless_ceiling or total
    if total <= most:
        return ()
    return (
        f"Without a key, OpenAlex returns the first {most:,} works of a search, and this one finds {total:,}. For "
        f"all of them, get a free key from {ABOUT.home} and set {ABOUT.key_variable}",
    )


def _paging(text: str, cursor: str, per_page: int) -> dict[str, str | int]:
    return {"filter": text, "per_page": per_page, "cursor": cursor, "select": SELECT}


def _total(document: dict[str, Any], reply: Reply) -> int:
    return count_at(document.get("meta"), "count", WHERE, reply.content)


def _works(document: dict[str, Any], reply: Reply, *, by_name: bool = False) -> PageRecords:
    values = list_at(document, "results", WHERE, reply.content)
    return gathered(values, _work, label=WHERE, raw=reply.content, by_name=by_name)


def _work(value: Any) -> FetchedRecord:
    work = object_from(value)
    named = _ID.fullmatch(str(work.get("id")))
    if named is None:
        raise OddRecordError("it has no OpenAlex ID")
    return fetched_of(named[1], openalex_fields(work))
