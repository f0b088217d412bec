"""PubMed's E-utilities, played: what NBK25497 and NBK25499 say of esearch and efetch, over made-up works.

A request in another form than the documented ones is refused, so that a wrong request fails a test. What is known of
the service beyond its documentation is played too: it gives 9,999 records of a search, it forgets what it kept, and
some of its errors come as JSON that is none.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from typing import Any, Literal
from xml.sax.saxutils import escape

from core.query.parser import parse
from core.query.tree import Leaf, Term, terms_in
from tests.data.sources.fake_sources.corpus import Corpus, Work
from tests.data.sources.fake_sources.evaluating import rows_of_tree, text_of
from tests.data.sources.fake_sources.pubmed_records import HEAD, TAIL, entered, record
from tests.data.sources.fake_sources.server import Answer, Asked, as_json, with_odd

KEY = "ncbi-made-up-key-0123456789"
CEILING = 9_999
ESEARCH = frozenset(
    [
        *("db", "term", "usehistory", "WebEnv", "query_key", "retstart", "retmax", "rettype", "retmode", "sort"),
        *("field", "datetype", "reldate", "mindate", "maxdate", "tool", "email", "api_key"),
    ]
)
EFETCH = frozenset(
    ["db", "id", "WebEnv", "query_key", "retstart", "retmax", "rettype", "retmode", "tool", "email", "api_key"]
)
RETSTART = (
    "Search Backend failed: Exception:\n'retstart' cannot be larger than 9998. For PubMed, ESearch can only retrieve "
    "the first 9,999 records matching the query."
)
ODD = (
    "<PubmedArticle><MedlineCitation><Article><ArticleTitle>No number</ArticleTitle></Article></MedlineCitation>"
    "</PubmedArticle>",
    '<PubmedArticle><MedlineCitation><PMID Version="1">7</PMID></MedlineCitation></PubmedArticle>',
)


def in_pubmed(corpus: Corpus) -> list[str]:
    """The numbers of all works that PubMed has."""
    return [work.pmid for work in corpus.works if work.pmid]


class _RefusedError(Exception):
    """What is asked is none of the documented forms."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(answer.status)
        self.answer = answer


def _refuse(why: str, status: int = 400) -> _RefusedError:
    return _RefusedError(as_json({"error": why, "api-key": "", "type": "client", "status": "unknown"}, status))


def _xml(text: str, status: int = 200) -> Answer:
    return Answer(text.encode(), status, {"content-type": "text/xml; charset=UTF-8"})


def _fetch_error(words: str, status: int) -> Answer:
    head = '<?xml version="1.0" encoding="UTF-8" ?>\n<eFetchResult>\n'
    return _xml(f"{head}\t<ERROR>{escape(words)}</ERROR>\n</eFetchResult>\n", status)


@dataclass(eq=False)
class FakePubMed:
    """The service. Faults of its own: too often, total, overlap, odd, mostly odd, damaged, format, lost, slow, none."""

    corpus: Corpus
    key: str = KEY
    day_of: Callable[[Work], date] = entered
    """On which PubMed took a work in."""
    forgets: Literal["200", "400"] = "200"
    """The status of its answer about what it no longer knows."""
    now: str = ""
    """The day that it tells with each answer, as HTTP writes it; empty: none."""
    gone: set[str] = field(default_factory=set)
    """Numbers that it still counts and has no records of."""
    terms: list[str] = field(default_factory=list)
    """Every term that was asked for, as it came."""
    n_new: int = 0
    """Works that it finds only from now on: the newest ones are hidden while this is below 0."""
    _kept: dict[str, tuple[int, ...]] = field(default_factory=dict)
    _n_kept: int = 0
    _found: dict[str, tuple[int, ...]] = field(default_factory=dict, repr=False)
    _records: dict[int, str] = field(default_factory=dict, repr=False)

    def answer(self, asked: Asked, fault: str) -> Answer:
        try:
            params = {**asked.params, **(asked.form if asked.method == "POST" else {})}
            self._check(asked, params)
            if fault == "too often":
                limit = {"error": "API rate limit exceeded", "api-key": params.get("api_key", ""), "count": "4"}
                return as_json({**limit, "limit": "3"}, 429)
            if fault == "slow":
                return _fetch_error("Error: External viewer error: Empty Response. Bytes read: 0 Status: Timeout", 400)
            good = self._searched(params, fault) if "esearch" in asked.path else self._fetched(params, fault)
            return replace(good, headers={**good.headers, "date": self.now}) if self.now else good
        except _RefusedError as refused:
            return refused.answer

    def forget(self) -> None:
        """All that was kept."""
        self._kept.clear()

    def _check(self, asked: Asked, params: dict[str, str]) -> None:
        known = {"/esearch.fcgi": ESEARCH, "/efetch.fcgi": EFETCH}.get(asked.path)
        if known is None or asked.method not in ("GET", "POST"):
            raise _refuse(f"no such path: {asked.path}", 404)
        if unknown := set(params) - known:
            raise _refuse(f"{sorted(unknown)} are no parameters")
        if params.get("db") != "pubmed" or not params.get("tool"):
            raise _refuse("db=pubmed and tool are missing")
        if params.get("api_key", self.key) != self.key:
            raise _refuse("API key invalid")
        if not all(params.get(name, "0").isdecimal() for name in ("retstart", "retmax", "query_key")):
            raise _refuse("retstart, retmax and query_key are numbers")
        if int(params.get("retmax", "20")) > 10_000:
            raise _refuse("retmax is at most 10000")

    def _searched(self, params: dict[str, str], fault: str) -> Answer:
        if params.get("retmode") != "json":
            raise _refuse("only JSON is played")
        self.terms.append(params.get("term", ""))
        rows = self._in_days(self._rows(params.get("term", "")), params)
        start, most = int(params.get("retstart", "0")), int(params.get("retmax", "20"))
        if start >= CEILING:
            raise _RefusedError(_not_quite_json({"esearchresult": {"ERROR": RETSTART}}))
        ids = [str(self.corpus.works[row].pmid) for row in rows[start : min(start + most, CEILING)]]
        result: dict[str, Any] = {
            "count": str(len(rows) + (17 if fault == "total" else 0)),
            "retmax": str(len(ids)),
            "retstart": str(start),
        }
        if params.get("usehistory") == "y":
            self._n_kept += 1
            environment = f"MCID_{self._n_kept:012x}"
            self._kept[environment] = rows
            result |= {"querykey": "1", "webenv": environment}
        result |= {"idlist": ids, "translationset": [], "querytranslation": " ".join(params["term"].split())}
        if fault == "format":
            result["n"] = result.pop("count")
        document = {"header": {"type": "esearch", "version": "0.3"}, "esearchresult": result | self._warned(params)}
        return as_json(document)

    def _warned(self, params: dict[str, str]) -> dict[str, Any]:
        """What it found nowhere: words and fields, on their own and in quotes."""
        root = parse(params["term"], "pubmed").root
        words, quoted = list[str](), list[str]()
        for term in terms_in(root) if root is not None else ():
            if term.fields[:1] not in (("pmid",), ("doi",)) and not self._found_by(term):
                (quoted if term.quoted else words).append(text_of(term))
        fields = re.findall(r"\[(nosuchfield)\]", params["term"])
        found: dict[str, Any] = {}
        if words or fields:
            found["errorlist"] = {"phrasesnotfound": words, "fieldsnotfound": fields}
        if quoted:
            messages = {"outputmessages": ["No items found."]}
            found["warninglist"] = {"phrasesignored": [], "quotedphrasesnotfound": quoted, **messages}
        return found

    def _found_by(self, term: Term) -> bool:
        bits = self.corpus.index.look_up(term, "literal")
        return text_of(term) == "everything" or bits is None or bool(bits.any())

    def _rows(self, term: str) -> tuple[int, ...]:
        """Newest first, as PubMed lists them unless it is told otherwise."""
        if term not in self._found:
            root = parse(term, "pubmed").root
            if root is None:
                raise _RefusedError(as_json({"esearchresult": {"ERROR": "Empty term and query_key - nothing todo"}}))
            held = set(rows_of_tree(root, self.corpus, self._look_up))
            self._found[term] = tuple(row for row in self._newest_first if row in held)
        rows = self._found[term]
        hidden = set(self._newest_first[: max(-self.n_new, 0)])
        return tuple(row for row in rows if row not in hidden) if hidden else rows

    def _look_up(self, leaf: Leaf) -> Iterable[int] | None:
        if not isinstance(leaf, Term) or leaf.fields[:1] not in (("pmid",), ("doi",)):
            return None
        if leaf.fields[0] == "doi":
            return self.corpus.rows_of_doi.get(text_of(leaf).lower(), [])
        row = self.corpus.row_of_pmid(text_of(leaf))
        return [] if row is None else [row]

    @cached_property
    def _newest_first(self) -> list[int]:
        works = self.corpus.works
        rows = [row for row, work in enumerate(works) if work.has_pmid]
        return sorted(rows, key=lambda row: (self.day_of(works[row]), works[row].number), reverse=True)

    @cached_property
    def _days(self) -> dict[int, date]:
        return {row: self.day_of(self.corpus.works[row]) for row in self._newest_first}

    def _in_days(self, rows: tuple[int, ...], params: dict[str, str]) -> tuple[int, ...]:
        given = [name for name in ("mindate", "maxdate") if name in params]
        if not given:
            return rows
        if len(given) == 1 or params.get("datetype") != "edat":
            raise _refuse("mindate and maxdate come together, with datetype; edat alone is played")
        low, high = (_day(params[name]) for name in given)
        before = [-self._days[row].toordinal() for row in rows]
        return rows[bisect_left(before, -high.toordinal()) : bisect_right(before, -low.toordinal())]

    def _fetched(self, params: dict[str, str], fault: str) -> Answer:
        if params.get("retmode") != "xml":
            raise _refuse("only XML is played")
        if "id" in params:
            rows = [row for each in params["id"].split(",") if (row := self.corpus.row_of_pmid(each)) is not None]
            return (
                self._set(rows, "") if rows else _fetch_error("ID list is empty! Possibly it has no correct IDs.", 400)
            )
        if fault == "lost":
            self.forget()
        start, most = int(params.get("retstart", "0")), int(params.get("retmax", "20"))
        kept = self._kept.get(params.get("WebEnv", "")) if params.get("query_key") == "1" else None
        if kept is None and self.forgets == "200":
            return _fetch_error("Unable to obtain query #1", 200)
        if kept is None:
            named = f"query_key: 1, WebEnv: {params.get('WebEnv')}, retstart: {start}, retmax: {most}"
            return _fetch_error(f"Cannot retrieve history data. {named}", 400)
        if start >= CEILING:
            return _fetch_error(f"Search backend cannot retrieve history data. Reason: {RETSTART}", 400)
        if start >= len(kept):
            place = f"Parameter retstart={start} + 1 is greater than number of records available in history."
            words = f"OUT OF RANGE. {place} History includes {len(kept)} IDs."
            return _fetch_error(f"Cannot retrieve history data: {words}", 400)
        page = list(kept[start : min(start + most, CEILING)])
        if fault == "overlap" and start:
            page = [kept[start - 1], *page[:-1]]
        return self._set([] if fault == "none" else page, fault)

    def _set(self, rows: list[int], fault: str) -> Answer:
        rows = [row for row in rows if self.corpus.works[row].pmid not in self.gone]
        records = [self._record(row) for row in rows]
        records = with_odd(records, ODD, fault)
        text = HEAD + "".join(records) + TAIL
        if fault == "damaged":
            text = text.replace("</ArticleTitle>", "", 1)
        return _xml(text.replace("PubmedArticle", "Article2") if fault == "format" else text)

    def _record(self, row: int) -> str:
        if row not in self._records:
            self._records[row] = record(self.corpus.works[row])
        return self._records[row]


def _day(text: str) -> date:
    if not re.fullmatch(r"\d{4}/\d\d/\d\d", text):
        raise _refuse(f"not a date: {text}")
    return date(*map(int, text.split("/")))


def _not_quite_json(document: Any) -> Answer:
    """Line ends in texts stand as they are."""
    return as_json(json.dumps(document).replace("\\n", "\n").encode())
