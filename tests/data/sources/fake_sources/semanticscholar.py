"""Semantic Scholar's Academic Graph, played: bulk search, batch and match, over made-up works."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from hashlib import sha1
from typing import Any

from core.library.records import title_key
from core.query.tree import ANY_ENDING, Group, Near, Node, Not, Term
from tests.data.sources.fake_sources.corpus import Corpus, Work
from tests.data.sources.fake_sources.server import Answer, Asked, as_json, mark_of, place_of, with_odd

KEY = "s2-made-up-key-0123456789"
PER_PAGE = 1000
MOST_IDS = 500
FIELDS = frozenset(
    [
        *("paperId", "title", "abstract", "year", "venue", "externalIds", "authors", "publicationTypes", "journal"),
        *("citationCount", "url", "corpusId", "publicationDate"),
    ]
)
PARAMS = {
    "/paper/search/bulk": frozenset({"query", "fields", "token", "sort", "year"}),
    "/paper/search/match": frozenset({"query", "fields"}),
    "/paper/batch": frozenset({"fields"}),
}
TYPES = {"article": ["JournalArticle"], "review": ["Review", "JournalArticle"], "conference": ["Conference"]}
_SIGN = re.compile(r'\s*(?:([()|+])|(-)|"([^"]*)"(?:~(\d+))?|([^\s()|+"~]+?)(\*)?(?:~(\d+))?(?=[\s()|+"]|$))')


class _RefusedError(Exception):
    """What is asked is none of the documented forms."""

    def __init__(self, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.answer = as_json({"error": message}, status)


def id_of(work: Work) -> str:
    return sha1(f"made up {work.number}".encode()).hexdigest()


def document(work: Work) -> dict[str, Any]:
    ids = {"DOI": work.doi, "PubMed": work.pmid, "CorpusId": work.number}
    first, last = work.pages
    return {
        "paperId": id_of(work),
        "externalIds": {name: value for name, value in ids.items() if value},
        "title": work.title,
        "abstract": work.abstract,
        "venue": work.journal,
        "year": work.year,
        "citationCount": work.cited,
        "publicationTypes": TYPES.get(work.kind),
        "journal": {"name": work.journal, "volume": work.volume, "pages": f"\n   {first} - {last}\n"},
        "authors": [
            {"authorId": str(10_000 + work.number), "name": f"{given} {family}"} for family, given in work.authors
        ],
    }


@dataclass(eq=False)
class FakeSemanticScholar:
    """The service. Faults of its own: total, overlap, odd, mostly odd, format, lost."""

    corpus: Corpus
    key: str = KEY
    ends_after: int | None = None
    """So many come of a search, as where it was asked too much: no token, and no error."""
    _documents: dict[int, bytes] = field(default_factory=dict, repr=False)
    _found: dict[str, tuple[int, ...]] = field(default_factory=dict, repr=False)
    _keys: dict[str, int] = field(default_factory=dict, repr=False)

    def answer(self, asked: Asked, fault: str) -> Answer:
        try:
            self._check(asked)
            if asked.path == "/paper/batch":
                return self._batch(asked)
            if asked.path == "/paper/search/match":
                return self._match(asked.params.get("query", ""))
            return self._bulk(asked.params, fault)
        except _RefusedError as refused:
            return refused.answer

    def _check(self, asked: Asked) -> None:
        if asked.path not in PARAMS or asked.method != ("POST" if asked.path == "/paper/batch" else "GET"):
            raise _RefusedError(f"no such path: {asked.method} {asked.path}", 404)
        if unknown := set(asked.params) - PARAMS[asked.path]:
            raise _RefusedError(f"Unrecognized parameters: {sorted(unknown)}")
        if unknown := set(asked.params.get("fields", "paperId").split(",")) - FIELDS:
            raise _RefusedError(f"Unrecognized or unsupported fields: {sorted(unknown)}")
        if asked.headers.get("x-api-key", self.key) != self.key:
            raise _RefusedError("Forbidden", 403)

    def _bulk(self, params: dict[str, str], fault: str) -> Answer:
        rows = self._rows(params.get("query", ""))
        start = self._place(params["token"], fault) if "token" in params else 0
        page = rows[start : start + PER_PAGE]
        after = start + PER_PAGE
        if fault == "overlap" and start:
            page, after = (rows[start - 1], *page[:-1]), after - 1
        is_over = self.ends_after is not None and after >= self.ends_after
        token = mark_of(after, "made up") if after < len(rows) and not is_over else None
        total = len(rows) + (17 if fault == "total" else 0)
        whole = params.get("fields", "paperId") != "paperId"
        texts = [self._document(row) if whole else b'{"paperId": "%b"}' % self._id(row) for row in page]
        texts = with_odd(texts, (b'{"paperId": null, "title": "Nobody"}', b'"a text"'), fault)
        name = b"papers" if fault == "format" else b"data"
        head = b'{"total": %d, "token": %b, ' % (total, json.dumps(token).encode())
        return as_json(head + b'"%b": [%b]}' % (name, b", ".join(texts)))

    def _place(self, token: str, fault: str) -> int:
        if (place := place_of(token, fault)) is None:
            raise _RefusedError("Invalid or expired continuation token")
        return place

    def _rows(self, query: str) -> tuple[int, ...]:
        if query not in self._found:
            if query.strip('"') == "everything":
                self._found[query] = tuple(range(len(self.corpus.works)))
            else:
                self._found[query] = self.corpus.rows(_Reader(query).whole())
        return self._found[query]

    def _batch(self, asked: Asked) -> Answer:
        ids = json.loads(asked.body)["ids"]
        if not 1 <= len(ids) <= MOST_IDS:
            raise _RefusedError(f"{len(ids)} ids, at most {MOST_IDS}")
        rows = [self._named(name) for name in ids]
        if not any(row is not None for row in rows):
            raise _RefusedError("No valid paper ids given")
        return as_json(b"[%b]" % b", ".join(b"null" if row is None else self._document(row) for row in rows))

    def _named(self, name: str) -> int | None:
        kind, _, value = name.partition(":")
        if kind == "DOI":
            return next(iter(self.corpus.rows_of_doi.get(value.lower(), [])), None)
        if kind == "PMID":
            return self.corpus.row_of_pmid(value)
        if not self._keys:
            self._keys = {id_of(work): row for row, work in enumerate(self.corpus.works)}
        return self._keys.get(name)

    def _match(self, title: str) -> Answer:
        row = self.corpus.row_of_title(title_key(title))
        if row is None:
            raise _RefusedError("Title match not found", 404)
        return as_json(b'{"data": [%b]}' % self._document(row))

    def _document(self, row: int) -> bytes:
        if row not in self._documents:
            self._documents[row] = json.dumps(document(self.corpus.works[row])).encode()
        return self._documents[row]

    def _id(self, row: int) -> bytes:
        return id_of(self.corpus.works[row]).encode()


class _Reader:
    """Reads + | - "..."~N * and brackets; | binds least."""

    def __init__(self, text: str) -> None:
        self.signs = list(_SIGN.finditer(text))
        if "".join(sign[0] for sign in self.signs).strip() != text.strip() or not self.signs:
            raise _RefusedError(f"not a query: {text}")
        self.at = 0

    def whole(self) -> Node:
        node = self._either()
        if self.at < len(self.signs):
            raise _RefusedError("a bracket too many")
        return node

    def _sign(self) -> str:
        return (self.signs[self.at][1] or self.signs[self.at][2] or "") if self.at < len(self.signs) else ")"

    def _either(self) -> Node:
        parts = [self._all()]
        while self._sign() == "|":
            self.at += 1
            parts.append(self._all())
        return parts[0] if len(parts) == 1 else Group("OR", tuple(parts))

    def _all(self) -> Node:
        parts = [self._one()]
        while self._sign() not in ("|", ")"):
            self.at += self._sign() == "+"
            parts.append(self._one())
        return parts[0] if len(parts) == 1 else Group("AND", tuple(parts))

    def _one(self) -> Node:
        if self.at >= len(self.signs):
            raise _RefusedError("it ends too early")
        sign = self.signs[self.at]
        self.at += 1
        if sign[2]:
            return Not(self._one())
        if sign[1] == "(":
            node = self._either()
            if self._sign() != ")" or self.at >= len(self.signs):
                raise _RefusedError("a bracket is open")
            self.at += 1
            return node
        if sign[1]:
            raise _RefusedError(f"a word is missing before {sign[1]}")
        fields = ("title", "abstract")
        if sign[3] is None:
            return Term((sign[5], ANY_ENDING) if sign[6] else (sign[5],), fields=fields)
        if sign[4]:
            return Near(tuple(Term((word,), fields=fields) for word in sign[3].split()), int(sign[4]), whole=True)
        return Term((sign[3],), quoted=True, fields=fields)
