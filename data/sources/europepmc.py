"""Europe PMC, paged by its cursor.

Requests: "Articles RESTful API" (https://europepmc.org/RestfulWebService) for `search` (GET) and `searchPOST` (the
same, posted as a form, for long queries), query, resultType (idlist, lite, core), format, pageSize (up to 1,000),
cursorMark (* first, then nextCursorMark, until there is none or it stays the same), synonym, email. Query syntax:
"Search syntax reference" (https://europepmc.org/searchsyntax). Read in November 2026.

A short query is sent by GET, so that anyone can open its address; a long one is posted. Full records are large, so
pages have 500 of them rather than the 1,000 allowed.

Not documented: many identifiers joined by OR were seen to miss some that each finds alone
(https://github.com/opentargets/issues/issues/4097), so missing ones are requested again one by one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from core.errors import LostPlaceError, RefusedRequestError
from core.library.kinds import known_kind_of
from core.library.records import RawFields, SubjectHeading
from core.query.tree import ParsedQuery
from core.sources.preparation import prepare
from core.sources.source_forms import Form, PreparedSearch, SourceOptions
from data.http.client import own_mail
from data.importers.json_records import at, first_text, name_of, objects_in, text_in, texts_in
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
)
from data.sources.types import (
    FetchedRecord,
    LookupTarget,
    PublicationIdentifiers,
    SourceCount,
    SourceInfo,
    SourcePage,
    is_closed,
    title_words,
)

ABOUT = SourceInfo(
    id="europepmc",
    label="Europe PMC",
    home="https://europepmc.org/About",
    documentation="https://europepmc.org/RestfulWebService",
    address="https://www.ebi.ac.uk/europepmc/webservices/rest",
    address_variable="QUERYSCAPE_EUROPEPMC_URL",
    per_page=500,
    per_second=5.0,
)
WHERE = "Europe PMC"
LONGEST_ADDRESS = 2_000
"""Bytes of an address that every browser and proxy accepts."""
MOST_PER_PAGE = 1_000
MOST_ALONE = 25
"""Maximum publications of one batch to request again, one by one."""
_KEY = re.compile(r"([A-Z]{2,5}):([A-Za-z0-9._/-]{1,80})")
_BEST_FIRST = ("MED", "PMC")
"""The order of preference for a work with several records: PubMed's, then full text; preprints and others last."""


def connect(address: str, key: str = "", **common: Any) -> Connection:
    """Return a connection. There are no keys; `email` lets the operators contact the user."""
    del key
    mail = own_mail()
    return Connection(
        ABOUT.label,
        address,
        address_variable=ABOUT.address_variable,
        params={"email": mail} if mail else {},
        **{"per_second": ABOUT.per_second, **common},
    )


class EuropePmc(SourceAdapter):
    describes = ABOUT

    def prepare(self, parsed: ParsedQuery, choices: SourceOptions) -> PreparedSearch:
        """Put a field before every word. Any length is possible, since a long query is posted."""
        return prepare(parsed, "europepmc", choices)

    def count(self, form: Form, choices: SourceOptions) -> SourceCount:
        reply = self._asked(form.text, "idlist", 1, None, choices)
        document = _document(reply)
        return SourceCount(_total(document, reply), _notes(document, form, choices), (reply.sent,))

    def page(self, form: Form, choices: SourceOptions, at: str | None, most: int) -> SourcePage:
        """Fetch up to 500 records in Europe PMC's order, the most relevant first."""
        mark = at or "*"
        try:
            reply = self._asked(form.text, "core", max(1, min(most, ABOUT.per_page)), mark, choices)
            document = _document(reply)
        except RefusedRequestError as e:
            if at is not None and "cursor" in e.words.lower():
                raise LostPlaceError(f"Europe PMC no longer knows where the next page begins ({e.words})") from e
            raise
        found = _records(document, reply)
        following = document.get("nextCursorMark")
        is_last = not isinstance(following, str) or following in ("", mark) or not (found.fetched or found.aside)
        return SourcePage(
            found.fetched,
            found.aside,
            _total(document, reply),
            None if is_last else following,
            reply.content,
            _notes(document, form, choices) if at is None else (),
            (reply.sent,),
        )

    def restricted(self, form: Form, key: str) -> Form | None:
        named = _KEY.fullmatch(key)
        if named is None or not is_closed(form.text):
            return None
        return Form(form.number, f"({form.text}) AND {_by_number(named[1], named[2])}")

    def _by_name(self, wanted: Sequence[LookupTarget]) -> list[FetchedRecord]:
        """Look up PubMed numbers and DOIs many at once."""
        names = [PublicationIdentifiers.of(each) for each in wanted]
        found = self._best(" OR ".join(text for name in names for text in _named(name)))[0]
        pmids, dois = ({each.record.pmid for each in found}, {each.record.doi for each in found})
        missing = [name for name in names if name.pmid not in pmids - {None} and name.doi not in dois - {None}]
        for name in missing[:MOST_ALONE] if len(names) > 1 else ():
            found += self._best(_named(name)[0])[0]
        return found

    def _by_title(self, wanted: Sequence[LookupTarget]) -> list[FetchedRecord] | None:
        told = [f"TITLE:({' AND '.join(terms)})" for each in wanted if (terms := title_words(each.title))]
        if not told:
            return []
        found, total = self._best(" OR ".join(told))
        return found if total <= MOST_PER_PAGE else None

    def _best(self, query: str) -> tuple[list[FetchedRecord], int]:
        reply = self._asked(query, "core", MOST_PER_PAGE, None, SourceOptions())
        document = _document(reply)
        found = _records(document, reply, by_name=True).fetched
        return sorted(found, key=_place), _total(document, reply)

    def _asked(self, query: str, result: str, size: int, mark: str | None, choices: SourceOptions) -> Reply:
        asked: dict[str, str | int] = {
            "query": query,
            "resultType": result,
            "format": "json",
            "pageSize": size,
            "synonym": "true" if choices.synonyms else "false",
        }
        if mark is not None:
            asked["cursorMark"] = mark
        if self._connection.n_bytes("search", asked) <= LONGEST_ADDRESS:
            return self._connection.get("search", asked)
        return self._connection.post("searchPOST", asked)


def _named(name: PublicationIdentifiers) -> list[str]:
    by_number = [_by_number("MED", name.pmid)] if name.pmid else []
    return by_number + ([f'DOI:"{name.doi}"'] if name.doi else [])


def _by_number(source: str, number: str) -> str:
    text = number if number.isalnum() else f'"{number}"'
    return f"(EXT_ID:{text} AND SRC:{source})"


def _place(fetched: FetchedRecord) -> int:
    source = fetched.key.partition(":")[0]
    return _BEST_FIRST.index(source) if source in _BEST_FIRST else len(_BEST_FIRST)


def _document(reply: Reply) -> dict[str, Any]:
    """Parse a reply; Europe PMC reports its errors with a successful status."""
    document = object_of(reply, WHERE)
    if words := first_text(document, "errMsg", "errorMessage"):
        raise RefusedRequestError(f"Europe PMC rejected this request ({words[:300]})", 200, words)
    return document


def _total(document: Mapping[str, Any], reply: Reply) -> int:
    return count_at(document, "hitCount", WHERE, reply.content)


def _records(document: dict[str, Any], reply: Reply, *, by_name: bool = False) -> PageRecords:
    listed = document.get("resultList")
    if not isinstance(listed, dict):
        raise changed(WHERE, 'it has no object called "resultList"', reply.content)
    values = list_at(listed, "result", WHERE, reply.content)
    return gathered(values, _record, label=WHERE, raw=reply.content, by_name=by_name)


def _notes(document: dict[str, Any], form: Form, choices: SourceOptions) -> tuple[str, ...]:
    request = document.get("request")
    if not isinstance(request, dict):
        return ()
    notes = []
    asked = request.get("queryString")
    if isinstance(asked, str) and asked.split() != form.text.split():
        notes.append(f"Europe PMC translated it as: {' '.join(asked.split())}")
    if isinstance(request.get("synonym"), bool) and request["synonym"] != choices.synonyms:
        notes.append(f"Europe PMC looked {'for synonyms too' if request['synonym'] else 'for no synonyms'}")
    return tuple(notes)


def _record(value: Any) -> FetchedRecord:
    record = object_from(value)
    source, number = text_in(record.get("source")), text_in(record.get("id"))
    if not _KEY.fullmatch(f"{source}:{number}"):
        raise OddRecordError("it has no number or no source")
    return fetched_of(f"{source}:{number}", _fields(record, source, number))


def _fields(record: dict[str, Any], source: str, number: str) -> RawFields:
    info = record.get("journalInfo")
    types = texts_in(at(record, "pubTypeList", "pubType"))
    notices = objects_in(at(record, "commentCorrectionList", "commentCorrection"))
    is_retracted = any(text_in(notice.get("type")).lower() == "retraction in" for notice in notices)
    return {
        "title": text_in(record.get("title")),
        "abstract": text_in(record.get("abstractText")),
        "year": first_text(record, "pubYear", "firstPublicationDate") or text_in(at(info, "yearOfPublication")),
        "doi": text_in(record.get("doi")),
        "pmid": text_in(record.get("pmid")) or (number if source == "MED" else ""),
        "own_id": number if source != "MED" else text_in(record.get("pmcid")),
        "authors": _authors(record),
        "venue": text_in(at(info, "journal", "title")) or text_in(at(record, "bookOrReportDetails", "publisher")),
        "volume": text_in(at(info, "volume")),
        "issue": text_in(at(info, "issue")),
        "pages": text_in(record.get("pageInfo")),
        "keywords": texts_in(at(record, "keywordList", "keyword")),
        "url": f"https://europepmc.org/article/{source}/{number}",
        "times_cited": text_in(record.get("citedByCount")),
        "types": types,
        "headings": [
            SubjectHeading(name, _qualifiers(heading), heading.get("majorTopic_YN") == "Y").text
            for heading in objects_in(at(record, "meshHeadingList", "meshHeading"))
            if (name := text_in(heading.get("descriptorName")))
        ],
        "language": texts_in(record.get("language")),
        "pmcid": text_in(record.get("pmcid")),
        "issn": [text_in(at(info, "journal", name)) for name in ("issn", "essn")],
        "kind": known_kind_of(types) or ("preprint" if source == "PPR" else None),
        "is_retracted": is_retracted or None,
    }


def _qualifiers(heading: dict[str, Any]) -> tuple[tuple[str, bool], ...]:
    return tuple(
        (name, part.get("majorTopic_YN") == "Y")
        for part in objects_in(at(heading, "meshQualifierList", "meshQualifier"))
        if (name := text_in(part.get("qualifierName")))
    )


def _authors(record: dict[str, Any]) -> list[str]:
    listed = objects_in(at(record, "authorList", "author"))
    if not listed:
        return texts_in(text_in(record.get("authorString")).rstrip("."), signs=",")
    return [name for author in listed if (name := text_in(author.get("collectiveName")) or name_of(author))]
