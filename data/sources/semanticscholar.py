"""Semantic Scholar: its bulk search, paged by a token.

Requests, according to its documentation (Academic Graph API, https://api.semanticscholar.org/api-docs/graph, looked up
in November 2026):

- `GET /paper/search/bulk` with `query`, `fields` and `token`: up to 1,000 publications and the token of the next page,
  with an estimated `total`. The query accepts + | - "..." * ( ) and ~N, and searches titles and abstracts. Without
  `sort` the order is that of `paperId`. The page size can't be chosen.
- `POST /paper/batch?fields=...` with {"ids": ["DOI:...", "PMID:..."]}, up to 500: a list, with null for unknown ones.
- `GET /paper/search/match` with `query` and `fields`: the one publication with the nearest title; 404 if there is none.
- The key goes into the header `x-api-key`; it allows one request a second. Users without a key share one pool.

It can't be asked whether a query finds one specific publication.

Not documented: under heavy load it was seen to end a search early without a token instead of with 429
(https://github.com/mulatta/semanticscholar-api-docs, appendix C). So a cursor also contains the number of records
before it, and a search that ends far below its total says so. * works only outside quotes, as in its search engine.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from core.errors import LostPlaceError, RefusedRequestError
from core.library.kinds import is_preprint_server, known_kind_of
from core.library.records import RawFields
from core.query.tree import ParsedQuery
from core.sources.preparation import prepare
from core.sources.source_forms import Form, PreparedSearch, SourceOptions
from data.importers.json_records import at, name_of, objects_in, text_in, texts_in
from data.sources.connection import (
    Connection,
    OddRecordError,
    SourceAdapter,
    changed,
    count_at,
    fetched_of,
    gathered,
    json_of,
    list_at,
    object_from,
    object_of,
    place_at,
)
from data.sources.types import (
    FetchedRecord,
    LookupTarget,
    PublicationIdentifiers,
    SourceCount,
    SourceInfo,
    SourcePage,
    batches,
    title_words,
)

ABOUT = SourceInfo(
    id="semanticscholar",
    label="Semantic Scholar",
    home="https://www.semanticscholar.org/product/api",
    documentation="https://api.semanticscholar.org/api-docs/graph",
    address="https://api.semanticscholar.org/graph/v1",
    address_variable="QUERYSCAPE_SEMANTICSCHOLAR_URL",
    key_variable="SEMANTIC_SCHOLAR_API_KEY",
    per_page=1000,
    per_second=1.0,
    can_explain=False,
)
FIELDS = "title,abstract,year,venue,externalIds,authors,publicationTypes,journal,citationCount"
IDS_AT_ONCE = 500
ROOM = 7000
"""Bytes of a query in an address. No limit is documented; servers of this kind accept 8,192 for the first line."""
ESTIMATE = "The total from Semantic Scholar is an estimate: the run may fetch more or fewer."
WHERE = "Semantic Scholar"
SHARE_DUE = 0.9
"""Share of the total, which is an estimate; a search that ends below it is reported."""
_ID = re.compile(r"[0-9a-f]{40}")


def connect(address: str, key: str, **common: Any) -> Connection:
    """Return a connection; the key goes into a header."""
    return Connection(
        ABOUT.label,
        address,
        key=key,
        key_place=("header", "x-api-key"),
        key_variable=ABOUT.key_variable,
        address_variable=ABOUT.address_variable,
        **{"per_second": ABOUT.per_second, **common},
    )


class SemanticScholar(SourceAdapter):
    describes = ABOUT

    def prepare(self, parsed: ParsedQuery, choices: SourceOptions) -> PreparedSearch:
        return prepare(parsed, "semanticscholar", choices, room=ROOM)

    def count(self, form: Form, choices: SourceOptions) -> SourceCount:
        """Return the estimate on the first page, which is requested with nothing but ids."""
        reply = self._connection.get("/paper/search/bulk", {"query": form.text, "fields": "paperId"})
        total = count_at(object_of(reply, WHERE), "total", WHERE, reply.content)
        return SourceCount(total, (ESTIMATE,), (reply.sent,))

    def page(self, form: Form, choices: SourceOptions, at: str | None, most: int) -> SourcePage:
        """Fetch up to a thousand publications, however few are needed."""
        before, token = _place(at)
        params = {"query": form.text, "fields": FIELDS} | ({"token": token} if token else {})
        try:
            reply = self._connection.get("/paper/search/bulk", params)
        except RefusedRequestError as e:
            if at is not None and "token" in e.words.lower():
                why = f"Semantic Scholar no longer knows where the next page begins ({e.words})"
                raise LostPlaceError(why) from e
            raise
        document = object_of(reply, WHERE)
        total = count_at(document, "total", WHERE, reply.content)
        values = list_at(document, "data", WHERE, reply.content)
        papers = gathered(values, _paper, label=WHERE, raw=reply.content)
        following = place_at(document, "token", token, WHERE, reply.content) if values else None
        n, notes = before + len(values), [ESTIMATE]
        if following is None and n < total * SHARE_DUE:
            notes.append(
                f"Semantic Scholar ended this search after {n:,} of about {total:,} publications. It does so "
                "without an error under heavy load: run the search again later."
            )
        place = None if following is None else f"{n}:{following}"
        return SourcePage(papers.fetched, papers.aside, total, place, reply.content, tuple(notes), (reply.sent,))

    def restricted(self, form: Form, key: str) -> Form | None:
        """Return None, since it can't be asked."""
        return None

    def _by_name(self, wanted: Sequence[LookupTarget]) -> list[FetchedRecord]:
        """Look up DOIs and PubMed numbers many at once."""
        ids: dict[str, None] = {}
        for name in map(PublicationIdentifiers.of, wanted):
            ids |= dict.fromkeys([f"DOI:{name.doi}"] * bool(name.doi) + [f"PMID:{name.pmid}"] * bool(name.pmid))
        found: list[FetchedRecord] = []
        for some in batches(list(ids), IDS_AT_ONCE):
            found += self._batch(some)
        return found

    def _batch(self, ids: Sequence[str]) -> tuple[FetchedRecord, ...]:
        try:
            reply = self._connection.post("/paper/batch", params={"fields": FIELDS}, json={"ids": list(ids)})
        except RefusedRequestError as e:
            if e.status in (400, 404) and "no valid paper ids" in e.words.lower():
                return ()
            raise
        values = json_of(reply, WHERE)
        if not isinstance(values, list):
            raise changed(WHERE, "it has no list of publications", reply.content)
        there = [value for value in values if value is not None]
        return gathered(there, _paper, label=WHERE, raw=reply.content, by_name=True).fetched

    def _by_title(self, wanted: Sequence[LookupTarget]) -> list[FetchedRecord]:
        found: list[FetchedRecord] = []
        for one in wanted:
            if title_words(one.title):
                found += self._match(one.title)
        return found

    def _match(self, title: str) -> tuple[FetchedRecord, ...]:
        asked = " ".join(re.findall(r"[^\W_]+", title))[:300]
        try:
            reply = self._connection.get("/paper/search/match", {"query": asked, "fields": FIELDS})
        except RefusedRequestError as e:
            if e.status == 404:
                return ()
            raise
        values = list_at(object_of(reply, WHERE), "data", WHERE, reply.content)
        return gathered(values, _paper, label=WHERE, raw=reply.content, by_name=True).fetched


def _place(at: str | None) -> tuple[int, str]:
    """Return the number of records before a page, and its token."""
    n, sign, token = (at or "").partition(":")
    return (int(n), token) if sign and n.isascii() and n.isdecimal() else (0, at or "")


def _paper(value: Any) -> FetchedRecord:
    paper = object_from(value)
    key = paper.get("paperId")
    if not isinstance(key, str) or not _ID.fullmatch(key):
        raise OddRecordError("it has no paperId")
    return fetched_of(key, _fields(paper, key))


def _fields(paper: Mapping[str, Any], key: str) -> RawFields:
    venue = text_in(at(paper.get("journal"), "name")) or text_in(paper.get("venue"))
    types = texts_in(paper.get("publicationTypes"))
    return {
        "title": text_in(paper.get("title")),
        "abstract": text_in(paper.get("abstract")),
        "year": text_in(paper.get("year")),
        "doi": text_in(at(paper.get("externalIds"), "DOI")),
        "pmid": text_in(at(paper.get("externalIds"), "PubMed")),
        "own_id": key,
        "authors": [name for author in objects_in(paper.get("authors")) if (name := name_of(author))],
        "venue": venue,
        "volume": text_in(at(paper.get("journal"), "volume")),
        "pages": "".join(text_in(at(paper.get("journal"), "pages")).split()),
        "times_cited": text_in(paper.get("citationCount")),
        "types": types,
        "pmcid": text_in(at(paper.get("externalIds"), "PubMedCentral")),
        "kind": "preprint" if is_preprint_server(venue) else known_kind_of(types),
    }
