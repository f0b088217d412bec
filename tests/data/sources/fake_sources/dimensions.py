"""Dimensions, played: signing in and its search language, as far as live searches use it, over made-up works."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.data.sources.fake_sources.corpus import Corpus, Work
from tests.data.sources.fake_sources.server import Answer, Asked, as_json, with_odd

KEY = "dimensions-made-up-key-0123456789"
FIRST_ID = 1_990_000_000
CEILING, PER_PAGE = 50_000, 1000
FIELDS = frozenset(
    [
        *("id", "title", "abstract", "doi", "pmid", "year", "authors", "journal", "proceedings_title", "book_title"),
        *("volume", "issue", "pages", "type", "times_cited", "pmcid", "issn", "mesh_terms", "reference_ids"),
    ]
)
TYPES = {"conference": "proceeding", "preprint": "preprint"}
_QUERY = re.compile(
    r'search publications(?: in (?P<index>\w+) for "(?P<text>(?:[^"\\]|\\.)*)")?(?: where (?P<where>.+?))? '
    r"return publications\[(?P<fields>[\w+]+)\] limit (?P<limit>\d+)(?: skip (?P<skip>\d+))?",
    re.DOTALL,
)
_FILTER = re.compile(r'(\w+) (=|>=|<=|in) (\d+|"[^"]*"|\[[^\]]*\])(?: and |$)')


class _RefusedError(Exception):
    """A query that Dimensions would not understand."""


def id_of(work: Work) -> str:
    return f"pub.{FIRST_ID + work.number}"


def document(work: Work) -> dict[str, Any]:
    """A work in Dimensions' shape; what is not known is left out."""
    first, last = work.pages
    said = {
        "id": id_of(work),
        "title": work.title,
        "abstract": work.abstract,
        "doi": work.doi,
        "pmid": work.pmid,
        "year": work.year,
        "authors": [{"first_name": given, "last_name": family, "affiliations": []} for family, given in work.authors],
        "journal": {"id": "jour.1000001", "title": work.journal},
        "volume": work.volume,
        "issue": work.issue,
        "pages": f"{first}-{last}",
        "type": TYPES.get(work.kind, "article"),
        "times_cited": work.cited,
    }
    return {name: value for name, value in said.items() if value is not None}


@dataclass(eq=False)
class FakeDimensions:
    """The service. Faults of its own: total, overlap, odd, mostly odd, format, ended (the token), warned."""

    corpus: Corpus
    key: str = KEY
    n_signed_in: int = 0
    shift: int = 0
    """Records that came to the front meanwhile; an overlap is no more than that."""
    _documents: dict[tuple[int, str], bytes] = field(default_factory=dict, repr=False)
    _found: dict[tuple[str | None, str | None, str | None], tuple[int, ...]] = field(default_factory=dict, repr=False)

    @property
    def token(self) -> str:
        """That is good now."""
        return f"made-up-token-{self.n_signed_in:08}"

    def answer(self, asked: Asked, fault: str) -> Answer:
        if asked.method != "POST" or asked.path not in ("/api/auth", "/api/dsl/v2"):
            return as_json({"error": f"no such path: {asked.method} {asked.path}"}, 404)
        if asked.path == "/api/auth":
            if json.loads(asked.body) != {"key": self.key}:
                return as_json({"error": "Wrong credentials"}, 401)
            self.n_signed_in += 1
            return as_json({"token": self.token})
        if fault == "ended":
            self.n_signed_in += 1
        if asked.headers.get("authorization") != f"JWT {self.token}":
            return as_json({"error": "Signature has expired"}, 401)
        try:
            return self._asked(asked.body.decode(), fault)
        except _RefusedError as e:
            header = {"header": "Syntax Error", "details": [str(e)], "message": str(e)}
            return as_json({"errors": {"query": header}}, 400)

    def _asked(self, text: str, fault: str) -> Answer:
        query = _QUERY.fullmatch(text)
        if query is None:
            raise _RefusedError(f"mismatched input: {text[:80]}")
        names = frozenset(query["fields"].split("+"))
        if unknown := names - FIELDS:
            raise _RefusedError(f"Field {sorted(unknown)} does not exist for publications")
        limit, skip = int(query["limit"]), int(query["skip"] or 0)
        if not 1 <= limit <= PER_PAGE or skip + limit > CEILING:
            raise _RefusedError(f"limit {limit}, skip {skip}: at most {PER_PAGE} a request and {CEILING} in all")
        key = (query["index"], query["text"], query["where"])
        if key not in self._found:
            self._found[key] = self._rows(*key)
        rows = self._found[key]
        self.shift += fault == "overlap"
        start = max(skip - self.shift, 0)
        texts = [self._document(row, query["fields"]) for row in rows[start : start + limit]]
        texts = with_odd(texts, (b'{"title": "No name"}', b"[]"), fault)
        stats = {"_stats": {"total_count": len(rows) + self.shift + (17 if fault == "total" else 0)}}
        warned = {"_warnings": ["Field 'year' was understood as a number"]} if fault == "warned" else {}
        name = b"results" if fault == "format" else b"publications"
        tail = json.dumps({**stats, **warned, "_version": {"release": "2.0"}}).encode()[1:]
        return as_json(b'{"%b": [%b], %b' % (name, b", ".join(texts), tail))

    def _rows(self, index: str | None, text: str | None, where: str | None) -> tuple[int, ...]:
        rows = tuple(range(len(self.corpus.works)))
        if index is not None and text is not None:
            if index not in ("title_only", "title_abstract_only"):
                raise _RefusedError(f"no index {index}")
            rows = self._searched(index, re.sub(r"\\(.)", r"\1", text))
        for fits in _filters(where):
            rows = tuple(row for row in rows if fits(document(self.corpus.works[row])))
        return rows

    def _searched(self, index: str, text: str) -> tuple[int, ...]:
        if text == "everything":
            return self.corpus.search(text, "dimensions")
        if text.count("(") != text.count(")") or text.count('"') % 2:
            raise _RefusedError(f"not a search: {text}")
        fields = ("title",) if index == "title_only" else ("title", "abstract")
        try:
            return self.corpus.search(text, "dimensions", fields=fields)
        except ValueError as e:
            raise _RefusedError(f"nothing to search for: {text}") from e

    def _document(self, row: int, fields: str) -> bytes:
        if (row, fields) not in self._documents:
            whole = document(self.corpus.works[row])
            self._documents[row, fields] = json.dumps(
                {k: v for k, v in whole.items() if k in fields.split("+")}
            ).encode()
        return self._documents[row, fields]


def _filters(where: str | None) -> list[Callable[[dict[str, Any]], bool]]:
    if where is None:
        return []
    found = list(_FILTER.finditer(where))
    if "".join(each[0] for each in found) != where:
        raise _RefusedError(f"mismatched filter: {where[:80]}")
    return [_condition(each[1], each[2], json.loads(each[3])) for each in found]


def _condition(name: str, sign: str, value: Any) -> Callable[[dict[str, Any]], bool]:
    if name not in ("year", "id", "doi", "pmid") or (sign == "in") != isinstance(value, list):
        raise _RefusedError(f"no filter {name} {sign}")
    if sign in ("=", "in"):
        values = set(value) if sign == "in" else {value}
        return lambda said: said.get(name) in values
    return lambda said: name in said and (said[name] >= value if sign == ">=" else said[name] <= value)
