"""Crossref: the publication behind a DOI. It is not searched.

Requests, according to its documentation (looked up in November 2026):

- Works by DOI, https://api.crossref.org: `/works?filter=doi:A,doi:B&rows=N&select=...`, where filters of one name are
  alternatives; `/works/{doi}` for a single one, with 404 if it is unknown. `select` is for lists only. The error for
  any other value lists those allowed (https://github.com/CrossRef/rest-api-doc/issues/302): `update-to` and
  `updated-by`, but neither `subtype` nor `language`, and for `reference-count` only `references-count`.
- Retractions: `updated-by` lists the notices about a work, including those of Retraction Watch
  (https://crossref.gitlab.io/tutorials/get-rw-metadata/).
- Access and rates, https://www.crossref.org/documentation/retrieve-metadata/rest-api/access-and-authentication/: no key
  is needed; a mail address in the User-Agent (or `mailto`) allows more requests; the headers `x-rate-limit-limit` and
  `x-rate-limit-interval` give the rate. Since December 2025 lists have smaller limits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.errors import RefusedRequestError
from core.library.records import Record, doi_of
from data.http.client import own_mail
from data.importers.json_formats import crossref_fields
from data.sources.connection import (
    Connection,
    OddRecordError,
    encoded,
    fetched_of,
    gathered,
    list_at,
    object_from,
    object_of,
)
from data.sources.types import FetchedRecord, SourceInfo, batches

ABOUT = SourceInfo(
    id="crossref",  # type: ignore[arg-type]  # used like a source, but it can't be searched
    label="Crossref",
    home="https://www.crossref.org",
    documentation="https://api.crossref.org",
    address="https://api.crossref.org",
    address_variable="QUERYSCAPE_CROSSREF_URL",
    per_page=40,
    per_second=1.0,
    can_explain=False,
)
PER_SECOND_WITH_MAIL = 3.0
SELECT = (
    "DOI,title,subtitle,abstract,issued,published,posted,author,editor,container-title,volume,issue,page,"
    "article-number,type,URL,is-referenced-by-count,ISSN,reference,updated-by"
)
WHERE = "Crossref"


def connect(address: str, key: str, **common: Any) -> Connection:
    """Return a connection. There is no key; a mail address in QUERYSCAPE_MAIL makes it faster."""
    del key
    per_second = PER_SECOND_WITH_MAIL if own_mail() else ABOUT.per_second
    given = {"per_second": per_second, **common}
    return Connection(ABOUT.label, address, address_variable=ABOUT.address_variable, **given)


class Crossref:
    def __init__(self, connection: Connection, *, has_key: bool = False) -> None:
        self._connection, self.has_key = connection, has_key

    @property
    def about(self) -> SourceInfo:
        return ABOUT

    def resolve(self, dois: Sequence[str]) -> dict[str, Record | None]:
        """Return the record of each DOI in normal form; None if Crossref does not know it.

        Crossref does not know DOIs of other agencies, such as DataCite, either.
        """
        known: dict[str, Record | None] = dict.fromkeys(normal for doi in dois if (normal := doi_of(doi)))
        odd = [doi for doi in known if "," in doi]
        for some in batches([doi for doi in known if doi not in odd], ABOUT.per_page):
            for each in self._list(some):
                if each.key in known:
                    known[each.key] = each.record
        for doi in odd:
            known[doi] = self._single(doi)
        return known

    def _list(self, dois: Sequence[str]) -> tuple[FetchedRecord, ...]:
        asked = ",".join(f"doi:{doi}" for doi in dois)
        reply = self._connection.get("/works", {"filter": asked, "rows": len(dois), "select": SELECT})
        message = object_of(reply, WHERE).get("message")
        inside: Mapping[str, Any] = message if isinstance(message, dict) else {}
        works = list_at(dict(inside), "items", WHERE, reply.content)
        return gathered(works, _work, label=WHERE, raw=reply.content, by_name=True).fetched

    def _single(self, doi: str) -> Record | None:
        try:
            reply = self._connection.get(f"/works/{encoded(doi)}")
        except RefusedRequestError as e:
            if e.status == 404:
                return None
            raise
        message = object_of(reply, WHERE).get("message")
        return gathered([message], _work, label=WHERE, raw=reply.content, by_name=True).fetched[0].record


def _work(value: Any) -> FetchedRecord:
    fields = crossref_fields(object_from(value))
    doi = doi_of(fields["doi"])
    if doi is None:
        raise OddRecordError("it has no DOI")
    return fetched_of(doi, fields)
