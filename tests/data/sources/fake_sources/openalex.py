"""OpenAlex, played: what its documentation of works, searching, paging, keys and errors says, over made-up works.

A request in another form than the documented ones is refused with the error that is documented, so that a wrong
request fails a test.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

from tests.data.sources.fake_sources.corpus import FIRST_PMID, Corpus, Work
from tests.data.sources.fake_sources.server import Answer, Asked, as_json, mark_of, place_of, with_odd

KEY = "oa-made-up-key-0123456789"
FIRST_ID = 4_400_000_000
LONGEST_URL = 4094
MOST_VALUES = 100
TOP_FIELDS = frozenset(
    [
        "mesh",
        "referenced_works",
        "is_retracted",
        "id",
        "doi",
        "title",
        "display_name",
        "publication_year",
        "publication_date",
        "ids",
        "language",
        "primary_location",
        "type",
        "type_crossref",
        "authorships",
        "cited_by_count",
        "biblio",
        "keywords",
        "abstract_inverted_index",
        "relevance_score",
    ]
)
PARAMS = frozenset(
    ["filter", "search", "per_page", "per-page", "page", "cursor", "select", "sort", "api_key", "mailto"]
)
SEARCHES = re.compile(
    r"(title_and_abstract|title|abstract|display_name|default|keyword|fulltext|raw_affiliation_strings)"
    r"\.search(\.no_stem|\.exact)?"
)
SEARCH_COST, LIST_COST = 0.001, 0.0001
ALLOWED, ALLOWED_WITHOUT_KEY = 1.0, 0.01


class _RefusedError(Exception):
    """What is asked is none of the documented forms."""

    def __init__(self, message: str, status: int = 403, error: str = "Invalid query parameters error.") -> None:
        super().__init__(message)
        self.answer = as_json({"error": error, "message": message}, status)


def id_of(work: Work) -> str:
    return f"W{FIRST_ID + work.number}"


def inverted(text: str) -> dict[str, list[int]]:
    """Each word with its places."""
    index: dict[str, list[int]] = {}
    for place, word in enumerate(text.split()):
        index.setdefault(word, []).append(place)
    return index


def document(work: Work) -> dict[str, Any]:
    address, doi = f"https://openalex.org/{id_of(work)}", work.doi and f"https://doi.org/{work.doi}"
    first, last = work.pages
    ids = {"openalex": address, "doi": doi, "pmid": work.pmid and f"https://pubmed.ncbi.nlm.nih.gov/{work.pmid}"}
    return {
        "id": address,
        "doi": doi,
        "title": work.title,
        "display_name": work.title,
        "publication_year": work.year,
        "ids": {name: value for name, value in ids.items() if value},
        "type": work.kind if work.kind != "conference" else "article",
        "authorships": [_authorship(family, given) for family, given in work.authors],
        "primary_location": {
            "is_oa": False,
            "landing_page_url": doi,
            "pdf_url": None,
            "source": {"id": "https://openalex.org/S4400000001", "display_name": work.journal, "type": "journal"},
            "license": None,
            "version": "publishedVersion",
            "is_accepted": True,
            "is_published": True,
        },
        "biblio": {
            "volume": work.volume,
            "issue": work.issue,
            "first_page": str(first),
            "last_page": str(last),
        },
        "keywords": [{"id": None, "display_name": keyword, "score": 0.5} for keyword in work.keywords],
        "cited_by_count": work.cited,
        "abstract_inverted_index": inverted(work.abstract) if work.abstract else None,
    }


def _authorship(family: str, given: str) -> dict[str, Any]:
    """As long as real ones are: reading them is most of the work with a page."""
    place = {
        "id": "https://openalex.org/I4400000001",
        "display_name": "University of Nowhere at All",
        "ror": "https://ror.org/00made0up",
        "country_code": "NL",
        "type": "education",
        "lineage": ["https://openalex.org/I4400000001"],
    }
    name = f"{given} {family}"
    return {
        "author_position": "middle",
        "author": {"id": "https://openalex.org/A5400000001", "display_name": name, "orcid": None},
        "institutions": [place],
        "countries": ["NL"],
        "is_corresponding": False,
        "raw_author_name": name,
        "raw_affiliation_strings": [f"Department of Invention, {place['display_name']}, Nowhere"],
        "raw_orcid": None,
        "affiliations": [{"raw_affiliation_string": "Department of Invention", "institution_ids": [place["id"]]}],
    }


@dataclass(eq=False)
class FakeOpenAlex:
    """The service. Faults of its own: total, overlap, odd, mostly odd, format, lost, spent."""

    corpus: Corpus
    key: str = KEY
    allowed: float = ALLOWED
    """Dollars a day with the key."""
    spent: float = 0.0
    _allowed: float = ALLOWED
    """Of whoever asked last."""
    _documents: dict[tuple[int, frozenset[str]], bytes] = field(default_factory=dict, repr=False)
    _found: dict[str, tuple[int, ...]] = field(default_factory=dict, repr=False)

    def answer(self, asked: Asked, fault: str) -> Answer:
        if fault == "spent":
            self.spent = self.allowed
        try:
            self._check(asked)
            if asked.path.startswith("/works/"):
                return self._single(asked)
            cost = SEARCH_COST if ".search" in asked.params.get("filter", "") or "search" in asked.params else LIST_COST
            return self._paid(self._listed(asked.params, fault), cost)
        except _RefusedError as refused:
            return refused.answer

    def _check(self, asked: Asked) -> None:
        if asked.method != "GET" or not re.fullmatch(r"/works(/.+)?", asked.path):
            raise _RefusedError(f"no such path: {asked.path}", 404, "Not found")
        if asked.n_bytes_of_url > LONGEST_URL:
            raise _RefusedError(f"{asked.n_bytes_of_url} bytes, at most 4094", 400, "Request URL too long")
        if unknown := set(asked.params) - PARAMS:
            raise _RefusedError(f"{sorted(unknown)} are not valid parameters", 400)
        key = asked.params.get("api_key", "")
        if key and key != self.key:
            raise _RefusedError("The API key is not valid", 401, "Invalid API key")
        if "cursor" in asked.params and not key:
            raise _RefusedError("Cursor paging needs an API key", 401, "API key required")
        if not 1 <= int(asked.params.get("per_page") or asked.params.get("per-page") or 25) <= 100:
            raise _RefusedError("per_page must be between 1 and 100", 400)
        self._allowed = self.allowed if key else min(self.allowed, ALLOWED_WITHOUT_KEY)
        if self.spent >= self._allowed and asked.path == "/works":
            raise _RefusedError("The credit of this day is used up; it begins anew at midnight UTC", 429, "Rate limit")

    def _paid(self, answer: Answer, cost: float) -> Answer:
        self.spent += cost
        headers = {
            "x-ratelimit-limit-usd": f"{self._allowed:g}",
            "x-ratelimit-remaining-usd": f"{max(self._allowed - self.spent, 0):.6f}",
            "x-ratelimit-cost-usd": f"{cost:g}",
        }
        return Answer(answer.body, answer.status, {**answer.headers, **headers})

    def _single(self, asked: Asked) -> Answer:
        """By W number, DOI or PubMed number; free."""
        name = asked.path.removeprefix("/works/")
        rows = self._named(name)
        if not rows:
            return self._paid(Answer(b"<!doctype html><title>404</title>", 404, {"content-type": "text/html"}), 0.0)
        cost = LIST_COST if "%3A" in asked.target.partition("?")[0].upper() else 0.0  # it is taken for a list
        return self._paid(as_json(self._document(rows[0], self._selected(asked.params))), cost)

    def _named(self, name: str) -> list[int]:
        name = re.sub(r"^(https?://(doi|openalex)\.org/|openalex:|doi:)", "", name)
        if found := re.fullmatch(r"pmid:(\d+)", name):
            row = self.corpus.row_of_pmid(found[1])
            return [] if row is None else [row]
        if found := re.fullmatch(r"[Ww](\d+)", name):
            return [row] if (row := self.corpus.row_of_number.get(int(found[1]) - FIRST_ID)) is not None else []
        return self.corpus.rows_of_doi.get(name.lower(), [])

    def _listed(self, params: dict[str, str], fault: str) -> Answer:
        rows = self._filtered(params)
        size = int(params.get("per_page") or params.get("per-page") or 25)
        fields = self._selected(params)
        if "cursor" in params:
            start = self._place(params["cursor"], fault)
        else:
            start = (int(params.get("page", "1")) - 1) * size
            if start + size > 10_000:
                raise _RefusedError("Maximum results size of 10,000 records is exceeded", 400, "Pagination error.")
        page = rows[start : start + size]
        if fault == "overlap" and start:
            page = (*rows[start - 1 : start], *page[:-1]) if len(page) == size else (*rows[start - 1 : start], *page)
        after = start + size
        cursor = None
        if "cursor" in params and page:
            cursor = _cursor(after - (fault == "overlap" and start > 0)) if after < len(rows) + size else None
        meta = {
            "count": len(rows) + (17 if fault == "total" else 0),
            "db_response_time_ms": 20,
            "page": None if "cursor" in params else int(params.get("page", "1")),
            "per_page": size,
            "groups_count": None,
            "next_cursor": cursor,
        }
        documents = [self._document(row, fields) for row in page]
        return _written(meta, documents, fault)

    def _place(self, cursor: str, fault: str) -> int:
        if (place := 0 if cursor == "*" else place_of(cursor, fault)) is None:
            raise _RefusedError("Cursor value not valid. Please use cursor=* for the first page.", 400)
        return place

    def _filtered(self, params: dict[str, str]) -> tuple[int, ...]:
        text = params.get("filter", "")
        if text not in self._found:
            rows: tuple[int, ...] = tuple(range(len(self.corpus.works)))
            for part in _parts(text):
                held = set(self._of_part(part))
                rows = tuple(row for row in rows if row in held)
            self._found[text] = rows
        return self._found[text]

    def _of_part(self, part: str) -> tuple[int, ...]:
        name, _, value = part.partition(":")
        if named := SEARCHES.fullmatch(name):
            return self._searched(named, value)
        if name in ("doi", "openalex", "ids.openalex", "openalex_id", "pmid", "ids.pmid"):
            values = value.split("|")
            if len(values) > MOST_VALUES:
                raise _RefusedError(f"{len(values)} values, at most {MOST_VALUES}", 400)
            if "pmid" in name and len(values) > 1:
                raise _RefusedError("Invalid", 400)
            prefix = "pmid:" if "pmid" in name else ""
            return tuple(row for v in values for row in self._named(f"{prefix}{v}"))
        if name == "publication_year":
            return self._in_years(value)
        if name in ("type", "language"):
            kinds = value.split("|")
            return tuple(row for row, work in enumerate(self.corpus.works) if document(work).get(name, "en") in kinds)
        raise _RefusedError(f"{name} is not a valid field")

    def _searched(self, named: re.Match[str], value: str) -> tuple[int, ...]:
        if not value.strip() or value.count("(") != value.count(")") or value.count('"') % 2 or "|" in value:
            raise _RefusedError(f"not a search: {value}", 400)
        _check_wildcards(value, named[2] or "")
        if named[1] == "raw_affiliation_strings":
            return tuple(range(len(self.corpus.works))) if "nowhere" in value.lower() else ()
        name = {"display_name": "title", "default": "title_and_abstract", "fulltext": "title_and_abstract"}
        where = f"{name.get(named[1], named[1])}.search"
        semantics = "literal" if named[2] else "stemmed"
        if value == "everything":
            return self.corpus.search(value, "openalex")
        try:
            return self.corpus.search(f"{where}:({value})", "openalex", semantics)
        except ValueError as e:
            raise _RefusedError(f"nothing to search for: {value}", 400) from e

    def _in_years(self, value: str) -> tuple[int, ...]:
        if found := re.fullmatch(r"(\d*)-(\d*)", value):
            low, high = int(found[1] or 0), int(found[2] or 9999)
        elif found := re.fullmatch(r"([<>]?)(\d{4})", value):
            year = int(found[2])
            low, high = {"<": (0, year - 1), ">": (year + 1, 9999), "": (year, year)}[found[1]]
        else:
            raise _RefusedError(f"not a year: {value}", 400)
        return tuple(row for row, work in enumerate(self.corpus.works) if work.year and low <= work.year <= high)

    def _selected(self, params: dict[str, str]) -> frozenset[str]:
        fields = frozenset(params["select"].split(",")) if "select" in params else TOP_FIELDS
        if unknown := fields - TOP_FIELDS:
            raise _RefusedError(f"{sorted(unknown)} are not valid select fields", 400)
        return fields

    def _document(self, row: int, fields: frozenset[str]) -> bytes:
        if (row, fields) not in self._documents:
            whole = document(self.corpus.works[row])
            chosen = {name: value for name, value in whole.items() if name in fields}
            self._documents[row, fields] = json.dumps(chosen).encode()
        return self._documents[row, fields]


def _check_wildcards(value: str, tail: str) -> None:
    """As openalex-elastic-api does, core/search.py: refused where words are stemmed, and in some places anywhere."""
    for phrase in re.findall(r'"([^"]*)"', value):
        if re.search(r"[*?]", phrase) and " " in phrase.strip() and value.strip("()") != f'"{phrase}"':
            raise _RefusedError(f'Wildcards (* or ?) do not work inside this quoted phrase: "{phrase}".', 400)
    for word in re.sub(r'"[^"]*"', " ", value).split():
        if not re.search(r"[*?]", word):
            continue
        if not tail:
            raise _RefusedError("Wildcards (* or ?) require the exact (no-stem) field.", 400)
        star = re.search(r"(\w*)\*", word)
        if word.lstrip("(")[:1] in ("*", "?") or (star and len(star[1]) < 3):
            raise _RefusedError(f'A * wildcard needs at least 3 leading characters: "{word}".', 400)


def _parts(text: str) -> list[str]:
    """A filter's conditions. A comma ends one wherever it stands: what comes after it must be another condition."""
    parts = text.split(",") if text else []
    if bad := [part for part in parts if not re.match(r"[a-z_.]+:.", part)]:
        raise _RefusedError(f"{bad[0]!r} is not a filter: is there a comma in a value?")
    return parts


def _cursor(place: int) -> str:
    return mark_of(place, "https://openalex.org/W4400000000", FIRST_PMID)


ODD = ({"id": None, "title": ["?"]}, "a text", 17, {"display_name": "No id"})


def _written(meta: dict[str, Any], documents: list[bytes], fault: str) -> Answer:
    documents = with_odd(documents, [json.dumps(odd).encode() for odd in ODD], fault)
    name = b"works" if fault == "format" else b"results"
    body = b'{"meta": %b, "%b": [%b], "group_by": []}' % (json.dumps(meta).encode(), name, b", ".join(documents))
    return as_json(body)
