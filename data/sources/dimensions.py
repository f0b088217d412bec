r"""Dimensions: its search language, paged by the number of records to skip. It requires a key of one's own.

Requests, according to its documentation (looked up in November 2026):

- Signing in, https://docs.dimensions.ai/dsl/api.html: `POST /api/auth` with {"key": ...} gives {"token": ...}, valid
  for about two hours; `POST /api/dsl/v2` with the query as text and `Authorization: JWT token`. An expired token is
  rejected (401; 403 in Dimensions' own client), after which the client signs in again.
- Limits, https://docs.dimensions.ai/dsl/usagepolicy.html: 30 requests a minute; 1,000 records a request; `limit` and
  `skip` reach the first 50,000 of a search.
- The language, https://docs.dimensions.ai/dsl/language.html: `search publications in title_abstract_only for "..."
  where ... return publications[fields] limit n skip m`; quotes in the text are written \" and filters are joined by
  `and`. Answers contain `publications` and `_stats.total_count`, and warnings in `_warnings`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from core.errors import EndsAllError, QueryscapeError, RefusedRequestError, ServiceError
from core.library.kinds import known_kind_of
from core.library.records import RawFields
from core.query.tree import ParsedQuery
from core.sources.preparation import prepare
from core.sources.source_forms import Form, PreparedSearch, SourceOptions
from data.http.client import is_web_page, words_of
from data.importers.json_records import at, name_of, objects_in, text_in, texts_in
from data.sources.connection import (
    Connection,
    OddRecordError,
    PageRecords,
    Reply,
    SourceAdapter,
    changed,
    count_at,
    fetched_of,
    gathered,
    list_at,
    object_from,
    object_of,
    sent_by,
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
    id="dimensions",
    label="Dimensions",
    home="https://www.dimensions.ai",
    documentation="https://docs.dimensions.ai/dsl",
    address="https://app.dimensions.ai",
    address_variable="QUERYSCAPE_DIMENSIONS_URL",
    key_variable="DIMENSIONS_API_KEY",
    needs_key=True,
    per_page=1000,
    per_second=0.5,
    ceiling=50_000,
)
CEILING = 50_000
TOKEN_SECONDS = 6600.0
"""Less than the two hours for which a token is valid."""
RETURNED = (
    "id+title+abstract+doi+pmid+pmcid+year+authors+journal+issn+proceedings_title+book_title+volume+issue+pages+type"
    "+times_cited+mesh_terms+reference_ids"
)
NAMES_AT_ONCE = 100
WHERE = "Dimensions"
_ID = re.compile(r"pub\.\d+")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')


class _NotSignedInError(ServiceError):
    """The token was rejected, or has expired."""


def connect(address: str, key: str, **common: Any) -> Connection:
    """Return a connection; the key is sent once, to sign in."""
    return Connection(
        ABOUT.label,
        address,
        key=key,
        key_place=("none", ""),
        key_variable=ABOUT.key_variable,
        address_variable=ABOUT.address_variable,
        **{"per_second": ABOUT.per_second, "judge": _judge, **common},
    )


def _judge(status: int, headers: Mapping[str, str], body: bytes) -> QueryscapeError | None:
    """Interpret a refusal: the token may have expired, and a query may be rejected with a successful status."""
    if status in (401, 403) and not is_web_page(body):
        return _NotSignedInError(words_of(body))
    if status == 200 and body[:40].lstrip().startswith(b'{"errors"'):
        words = words_of(body) or "no reason given"
        return RefusedRequestError(f"Dimensions rejected this request ({words})", status, words)
    return None


class Dimensions(SourceAdapter):
    describes = ABOUT
    _signed_in_at: float | None = None

    def prepare(self, parsed: ParsedQuery, choices: SourceOptions) -> PreparedSearch:
        return prepare(parsed, "dimensions", choices)

    def count(self, form: Form, choices: SourceOptions) -> SourceCount:
        replies, document = self._asked(f"{form.text} return publications[id] limit 1")
        return SourceCount(_total(document, replies[-1]), _warnings(document), sent_by(replies))

    def page(self, form: Form, choices: SourceOptions, at: str | None, most: int) -> SourcePage:
        """Fetch up to a thousand publications after those that are skipped."""
        skip = int(at) if at is not None and at.isdecimal() else 0
        limit = max(1, min(most, ABOUT.per_page, CEILING - skip))
        replies, document = self._asked(f"{form.text} return publications[{RETURNED}] limit {limit} skip {skip}")
        found, total = _publications(document, replies[-1]), _total(document, replies[-1])
        n = len(found.fetched) + len(found.aside)
        after = skip + n
        notes = _warnings(document)
        if total > CEILING:
            notes = (
                *notes,
                f"Dimensions returns the first {CEILING:,} records of a search, and this one finds {total:,}.",
            )
        return SourcePage(
            found.fetched,
            found.aside,
            total,
            str(after) if n and after < min(total, CEILING) else None,
            replies[-1].content,
            notes,
            sent_by(replies),
        )

    def restricted(self, form: Form, key: str) -> Form | None:
        joint = "and" if re.search(r"\bwhere\b", _QUOTED.sub('""', form.text)) else "where"
        return Form(form.number, f'{form.text} {joint} id = "{key}"')

    def _by_name(self, wanted: Sequence[LookupTarget]) -> list[FetchedRecord]:
        """Look up DOIs, then PubMed numbers, many at once."""
        names = [PublicationIdentifiers.of(each) for each in wanted]
        found = self._having("doi", [name.doi for name in names if name.doi])
        there = {each.record.doi for each in found}
        pmids = [name.pmid for name in names if name.pmid and (name.doi is None or name.doi not in there)]
        return [*found, *self._having("pmid", pmids)]

    def _having(self, name: str, values: Sequence[str]) -> list[FetchedRecord]:
        found: list[FetchedRecord] = []
        for some in batches(list(values), NAMES_AT_ONCE):
            listed = json.dumps(some, ensure_ascii=False)
            found += self._some(f"search publications where {name} in {listed}")[0]
        return found

    def _by_title(self, wanted: Sequence[LookupTarget]) -> tuple[FetchedRecord, ...] | None:
        told = [" AND ".join(terms) for each in wanted if (terms := title_words(each.title))]
        if not told:
            return ()
        text = " OR ".join(f"({title})" for title in told)
        found, total = self._some(f'search publications in title_only for "{text}"')
        return found if total <= ABOUT.per_page else None

    def _some(self, query: str) -> tuple[tuple[FetchedRecord, ...], int]:
        replies, document = self._asked(f"{query} return publications[{RETURNED}] limit {ABOUT.per_page}")
        return _publications(document, replies[-1], by_name=True).fetched, _total(document, replies[-1])

    def _asked(self, query: str) -> tuple[list[Reply], dict[str, Any]]:
        """Send a query after signing in, and sign in once more if the token has expired."""
        replies = self._signed_in()
        try:
            replies.append(self._connection.post("/api/dsl/v2", text=query))
        except _NotSignedInError:
            self._signed_in_at = None
            replies += self._signed_in()
            try:
                replies.append(self._connection.post("/api/dsl/v2", text=query))
            except _NotSignedInError as e:
                raise EndsAllError(f"This key has no access to publications in Dimensions ({e})") from e
        return replies, object_of(replies[-1], WHERE)

    def _signed_in(self) -> list[Reply]:
        now = self._connection.ticks()
        if self._signed_in_at is not None and now - self._signed_in_at < TOKEN_SECONDS:
            return []
        if not self._connection.has_key:
            raise EndsAllError(f"Dimensions needs a key: set {ABOUT.key_variable}")
        try:
            reply = self._connection.post("/api/auth", json={"key": self._connection.key})
        except _NotSignedInError:
            why = f"Dimensions rejected the key: check the variable {ABOUT.key_variable}"
            raise EndsAllError(why) from None
        token = object_of(reply, WHERE).get("token")
        if not isinstance(token, str) or not token or not (token.isascii() and token.isprintable()):
            raise changed(WHERE, "signing in returned no token", b"")
        self._connection.hide(token)
        self._connection.carry("Authorization", f"JWT {token}")
        self._signed_in_at = now
        return [reply]


def _total(document: Mapping[str, Any], reply: Reply) -> int:
    return count_at(document.get("_stats"), "total_count", WHERE, reply.content)


def _warnings(document: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(f"Dimensions: {text[:300]}" for text in texts_in(document.get("_warnings")))


def _publications(document: dict[str, Any], reply: Reply, *, by_name: bool = False) -> PageRecords:
    values = list_at(document, "publications", WHERE, reply.content)
    return gathered(values, _publication, label=WHERE, raw=reply.content, by_name=by_name)


def _publication(value: Any) -> FetchedRecord:
    publication = object_from(value)
    key = publication.get("id")
    if not isinstance(key, str) or not _ID.fullmatch(key):
        raise OddRecordError("it has no Dimensions ID")
    return fetched_of(key, _fields(publication, key))


def _fields(publication: Mapping[str, Any], key: str) -> RawFields:
    held = [text_in(publication.get(name)) for name in ("proceedings_title", "book_title")]
    return {
        "title": text_in(publication.get("title")),
        "abstract": text_in(publication.get("abstract")),
        "year": text_in(publication.get("year")),
        "doi": text_in(publication.get("doi")),
        "pmid": text_in(publication.get("pmid")),
        "own_id": key,
        "authors": [name for author in objects_in(publication.get("authors")) if (name := name_of(author))],
        "venue": text_in(at(publication.get("journal"), "title")) or next(filter(None, held), ""),
        "volume": text_in(publication.get("volume")),
        "issue": text_in(publication.get("issue")),
        "pages": text_in(publication.get("pages")),
        "times_cited": text_in(publication.get("times_cited")),
        "types": texts_in(publication.get("type")),
        "headings": texts_in(publication.get("mesh_terms")),
        "pmcid": text_in(publication.get("pmcid")),
        "issn": texts_in(publication.get("issn")),
        "references": [f"dimensions:{name}" for name in texts_in(publication.get("reference_ids"))],
        "kind": known_kind_of([text_in(publication.get("type"))]),
    }
