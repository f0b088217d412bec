"""A live source of a few records, in memory: it matches words itself, and writes down what it is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from core.library.records import Record
from core.query.match import match
from core.query.parser import parse
from core.query.tree import ParsedQuery
from core.sources.preparation import prepare
from core.sources.source_forms import Choices, Form, Prepared
from data.query.index import CorpusIndex, in_memory
from data.sources.pubmed import ABOUT
from data.sources.types import About, Count, Located, Page, Sent, Wanted

FAR = Sent("GET", "https://tiny.example/count", "", "2026-05-01T00:00:00+00:00", 500.0, 200, 10)


@dataclass
class TinySource:
    """PubMed, as far as these tests know it. `fails`: what the n-th count raises."""

    records: Mapping[str, Record]
    notes: tuple[str, ...] = ()
    sent: tuple[Sent, ...] = ()
    explains: bool = True
    """It can be asked for one record alone."""
    fails: Mapping[int, Exception] = field(default_factory=dict)
    about: About = field(default_factory=lambda: replace(ABOUT, per_page=100, per_search=None, per_second=10.0))
    asked: list[str] = field(default_factory=list)

    def prepare(self, parsed: ParsedQuery, choices: Choices) -> Prepared:
        return prepare(parsed, "pubmed", choices)

    def count(self, form: Form, choices: Choices) -> Count:
        self.asked.append(form.text)
        if (error := self.fails.get(len(self.asked))) is not None:
            raise error
        text, _, key = form.text.partition(" @")
        root = parse(text, "pubmed").root
        assert root is not None
        corpus = CorpusIndex(in_memory([r.publication(k) for k, r in self.records.items()]))
        found = match(root, corpus, "literal").root
        keys = [k for row, k in enumerate(corpus.ids) if found is not None and int(found[row // 64]) >> (row % 64) & 1]
        return Count(len([k for k in keys if key in ("", k)]), self.notes, self.sent)

    def page(self, form: Form, choices: Choices, at: str | None, most: int) -> Page:
        raise AssertionError("no records are to be fetched")

    def restricted(self, form: Form, key: str) -> Form | None:
        return Form(form.number, f"{form.text} @{key}") if self.explains else None

    def find(self, wanted: Sequence[Wanted]) -> tuple[Located, ...]:
        by_doi = {r.doi: k for k, r in self.records.items() if r.doi}
        return tuple(self._located(one, by_doi.get(one.doi)) for one in wanted)

    def _located(self, one: Wanted, key: str | None) -> Located:
        if not one.doi and not one.title:
            return Located(one.publication_id, "unsure", why="it has no DOI, PMID or title")
        if key is None:
            return Located(one.publication_id, "not indexed")
        return Located(one.publication_id, "indexed", key, "doi", self.records[key])


def record(title: str, doi: str | None = None, year: int | None = 2015) -> Record:
    """One whose abstract says nothing."""
    return Record(1, title=title, year=year, doi=doi)
