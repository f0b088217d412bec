"""Europe PMC's articles API, played: what its documentation says of search and searchPOST, over made-up works.

A request in another form than the documented ones is refused, so that a wrong request fails a test.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

from core.query.tree import Leaf, Term
from tests.data.sources.fake_sources.corpus import Corpus, Work
from tests.data.sources.fake_sources.europepmc_language import TEXT, NotTheLanguageError, read
from tests.data.sources.fake_sources.evaluating import rows_of_tree, text_of
from tests.data.sources.fake_sources.server import Answer, Asked, as_json, mark_of, place_of, with_odd

PARAMS = frozenset(["query", "resultType", "cursorMark", "pageSize", "sort", "format", "synonym", "email"])
LONGEST_URL = 8_000
TYPES = {
    "article": ["Journal Article", "research-article"],
    "review": ["Review", "Journal Article"],
    "conference": ["Congress", "Journal Article"],
    "preprint": ["Preprint"],
}
ODD = ({"id": None, "title": "No number"}, "a text", 17, {"id": "1", "source": "MED"})


class _RefusedError(Exception):
    """What is asked is none of the documented forms."""

    def __init__(self, words: str, status: int = 400) -> None:
        super().__init__(words)
        self.answer = as_json({"version": "6.9", "errCode": status, "errMsg": words}, status)


def name_of(work: Work) -> tuple[str, str]:
    """Where Europe PMC has a work from, and its number there."""
    return ("MED", work.pmid) if work.pmid else ("PPR", f"PPR{work.number}")


def document(work: Work) -> dict[str, Any]:
    """A work as resultType=core has it."""
    source, number = name_of(work)
    first, last = work.pages
    names = [f"{family} {given[:1]}" for family, given in work.authors]
    authors = [
        {"fullName": name, "firstName": given, "lastName": family, "initials": given[:1]}
        for name, (family, given) in zip(names, work.authors, strict=True)
    ]
    whole: dict[str, Any] = {
        "id": number,
        "source": source,
        "pmid": work.pmid,
        "pmcid": f"PMC{1_000_000 + work.number}" if work.pmid and work.number % 3 == 0 else None,
        "doi": work.doi,
        "title": work.title and f"{work.title}.",
        "authorString": f"{', '.join(names)}.",
        "authorList": {"author": authors},
        "journalInfo": {
            "issue": work.issue,
            "volume": work.volume,
            "yearOfPublication": work.year,
            "journal": {"title": work.journal, "medlineAbbreviation": "J Inv Res"},
        },
        "pubYear": str(work.year) if work.year else None,
        "pageInfo": f"{first}-{last}",
        "abstractText": f"<h4>Background</h4>{work.abstract}"
        if work.number % 3 == 0 and work.abstract
        else work.abstract,
        "language": "eng",
        "pubTypeList": {"pubType": TYPES.get(work.kind, ["Journal Article"])},
        "keywordList": {"keyword": list(work.keywords)},
        "meshHeadingList": {"meshHeading": [{"majorTopic_YN": "N", "descriptorName": "Humans"}]},
        "isOpenAccess": "N",
        "inEPMC": "N",
        "citedByCount": work.cited,
        "firstPublicationDate": f"{work.year}-03-01" if work.year else None,
    }
    return {name: value for name, value in whole.items() if value is not None}


@dataclass(eq=False)
class FakeEuropePmc:
    """The service. Faults of its own: total, overlap, odd, mostly odd, format, lost, said, echo."""

    corpus: Corpus
    ends: Literal["absent", "unchanged", "empty"] = "absent"
    """How it says that a page is the last: without a next mark, or with the same one; "empty": by a page of nothing."""
    alone: frozenset[str] = frozenset()
    """Numbers that it finds only where nothing else is asked for, which was seen of the service."""
    queries: list[str] = field(default_factory=list)
    _documents: dict[int, bytes] = field(default_factory=dict, repr=False)
    _found: dict[str, tuple[int, ...]] = field(default_factory=dict, repr=False)

    def answer(self, asked: Asked, fault: str) -> Answer:
        try:
            params = self._checked(asked)
            if fault == "said":
                raise _RefusedError("The service is not available", 200)
            return self._page(params, fault)
        except _RefusedError as refused:
            return refused.answer

    def _checked(self, asked: Asked) -> dict[str, str]:
        if (asked.method, asked.path) not in (("GET", "/search"), ("POST", "/searchPOST")):
            raise _RefusedError(f"no such path: {asked.method} {asked.path}", 404)
        if asked.n_bytes_of_url > LONGEST_URL:
            raise _RefusedError("Request-URI Too Long", 414)
        params = asked.form if asked.method == "POST" else asked.params
        if asked.method == "POST" and asked.params:
            raise _RefusedError("what is posted stands in the form")
        if unknown := set(params) - PARAMS:
            raise _RefusedError(f"{sorted(unknown)} are no parameters")
        if not params.get("query", "").strip():
            raise _RefusedError("query is missing")
        if params.get("format") != "json" or params.get("resultType") not in ("idlist", "lite", "core"):
            raise _RefusedError("only JSON is played, of idlist, lite or core")
        if not 1 <= int(params.get("pageSize", "25")) <= 1000:
            raise _RefusedError("pageSize is from 1 to 1000")
        if params.get("synonym", "false") not in ("true", "false"):
            raise _RefusedError("synonym is true or false")
        self.queries.append(params["query"])
        return params

    def _page(self, params: dict[str, str], fault: str) -> Answer:
        rows, size = self._rows(params["query"]), int(params.get("pageSize", "25"))
        mark = params.get("cursorMark", "*")
        start = self._place(mark, fault)
        page = list(rows[start : start + size])
        if fault == "overlap" and start:
            page = [rows[start - 1], *page[:-1]]
        after = start + size
        if after < len(rows) or (self.ends == "empty" and page):
            following = {"nextCursorMark": _mark(after)}
        else:
            following = {} if self.ends == "absent" else {"nextCursorMark": mark}
        is_core = params["resultType"] == "core"
        documents = [self._document(row) if is_core else self._short(row) for row in page]
        documents = with_odd(documents, [json.dumps(odd).encode() for odd in ODD], fault)
        head = {
            "version": "6.9",
            "hitCount": len(rows) + (17 if fault == "total" else 0),
            **following,
            "request": {
                "queryString": f"{params['query']} (not all of it)" if fault == "echo" else params["query"],
                "resultType": params["resultType"],
                "cursorMark": mark,
                "pageSize": size,
                "sort": "",
                "synonym": params.get("synonym") == "true",
            },
        }
        name = b"results" if fault == "format" else b"result"
        text = json.dumps(head)[:-1].encode() + b', "resultList": {"%b": [%b]}}' % (name, b", ".join(documents))
        return as_json(text)

    def _place(self, mark: str, fault: str) -> int:
        if (place := 0 if mark == "*" else place_of(mark, fault)) is None:
            raise _RefusedError("Unable to parse 'cursorMark': it is none of ours")
        return place

    def _rows(self, query: str) -> tuple[int, ...]:
        if query not in self._found:
            try:
                found = rows_of_tree(read(query), self.corpus, self._look_up, "stemmed")
                hidden = self.alone if " OR " in query else frozenset()
                self._found[query] = tuple(row for row in found if name_of(self.corpus.works[row])[1] not in hidden)
            except NotTheLanguageError as e:
                raise _RefusedError(f"The query can't be parsed: {e}") from e
        return self._found[query]

    def _look_up(self, leaf: Leaf) -> Iterable[int] | None:
        if not isinstance(leaf, Term) or leaf.fields in TEXT.values():
            return None
        works, text = self.corpus.works, text_of(leaf)
        if leaf.fields == ("doi",):
            return self.corpus.rows_of_doi.get(text.lower(), [])
        if leaf.fields == ("identifier",):
            number = text.removeprefix("PPR")
            row = self.corpus.row_of_number.get(int(number)) if text.startswith("PPR") and number.isdecimal() else None
            row = self.corpus.row_of_pmid(text) if row is None else row
            return [] if row is None else [row]
        if leaf.fields == ("other",):
            return [row for row, work in enumerate(works) if name_of(work)[0] == text]
        return []

    def _document(self, row: int) -> bytes:
        if row not in self._documents:
            self._documents[row] = json.dumps(document(self.corpus.works[row]), ensure_ascii=False).encode()
        return self._documents[row]

    def _short(self, row: int) -> bytes:
        source, number = name_of(self.corpus.works[row])
        return json.dumps({"id": number, "source": source}).encode()


def _mark(place: int) -> str:
    return mark_of(place, "AoIIQ")
