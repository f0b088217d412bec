"""A live source of a few records, in memory: it matches words itself, and writes down what it is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from core.library.records import Record
from core.query.match import match
from core.query.parser import parse
from core.query.tree import ParsedQuery
from core.sources.preparation import prepare
from core.sources.source_forms import Form, PreparedSearch, SourceOptions
from data.query.index import CorpusIndex, in_memory
from data.sources.pubmed import ABOUT
from data.sources.types import LookupResult, LookupTarget, SentRequest, SourceCount, SourceInfo, SourcePage

FAR = SentRequest("GET", "https://tiny.example/count", "", "2026-05-01T00:00:00+00:00", 500.0, 200, 10)


@dataclass
class TinySource:
    """PubMed, as far as these tests know it. `fails`: what the n-th count raises."""

    records: Mapping[str, Record]
    notes: tuple[str, ...] = ()
    sent: tuple[SentRequest, ...] = ()
    explains: bool = True
    """It can be asked for one record alone."""
    fails: Mapping[int, Exception] = field(default_factory=dict)
    about: SourceInfo = field(default_factory=lambda: replace(ABOUT, per_page=100, per_search=None, per_second=10.0))
    asked: list[str] = field(default_factory=list)

    def prepare(self, parsed: ParsedQuery, choices: SourceOptions) -> PreparedSearch:
        return prepare(parsed, "pubmed", choices)

    def count(self, form: Form, choices: SourceOptions) -> SourceCount:
        self.asked.append(form.text)
        if (error := self.fails.get(len(self.asked))) is not None:
            raise error
        text, _, key = form.text.partition(" @")
        root = parse(text, "pubmed").root
        assert root is not None
        corpus = CorpusIndex(in_memory([r.publication(k) for k, r in self.records.items()]))
        found = match(root, corpus, "literal").root
        keys = [k for row, k in enumerate(corpus.ids) if found is not None and int(found[row // 64]) >> (row % 64) & 1]
        return SourceCount(len([k for k in keys if key in ("", k)]), self.notes, self.sent)

    def page(self, form: Form, choices: SourceOptions, at: str | None, most: int) -> SourcePage:
        raise AssertionError("no records are to be fetched")

    def restricted(self, form: Form, key: str) -> Form | None:
        return Form(form.number, f"{form.text} @{key}") if self.explains else None

    def find(self, wanted: Sequence[LookupTarget]) -> tuple[LookupResult, ...]:
        by_doi = {r.doi: k for k, r in self.records.items() if r.doi}
        return tuple(self._located(one, by_doi.get(one.doi)) for one in wanted)

    def _located(self, one: LookupTarget, key: str | None) -> LookupResult:
        if not one.doi and not one.title:
            return LookupResult(one.publication_id, "unsure", why="it has no DOI, PMID or title")
        if key is None:
            return LookupResult(one.publication_id, "not indexed")
        return LookupResult(one.publication_id, "indexed", key, "doi", self.records[key])


def record(title: str, doi: str | None = None, year: int | None = 2015) -> Record:
    """One whose abstract says nothing."""
    return Record(1, title=title, year=year, doi=doi)
