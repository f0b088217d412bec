"""OpenAlex's works as a knowledge base with MAG's types and relations: papers, authors, institutions, fields."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from core.errors import FormatError
from data.collections.parts import clean_text
from data.importers.structured.json_values import at, first_text, objects_in, text_in
from data.importers.structured.openalex_json import abstract_in_order
from data.knowledge.loading.openalex_files import Work, works_in
from data.knowledge.loading.rejecting import LeftOut
from data.knowledge.loading.saying import encoded
from data.knowledge.loading.stark import MAG_RELATIONS
from data.knowledge.parts import EntityPart, Parts, RelationPart

OPENALEX_PART = 20_000
AFFILIATED, CITES, HAS_TOPIC, WRITES = MAG_RELATIONS.values()
_HOST = "https://openalex.org/"


def read_openalex(files: Sequence[Path], root: Path, left_out: LeftOut, notes: list[str]) -> Parts:
    """All works of some files. What they cite counts where it is among them."""
    reading = _Reading(files, root, left_out)
    return Parts(reading.entities(), reading.relations(), ("paper",), "mag", notes=notes)


class _Numbers:
    """Entities of one type by their id, numbered as they come."""

    def __init__(self) -> None:
        self.number_of: dict[str, int] = {}
        self.titles: list[str] = []

    def number(self, own_id: str, title: str) -> int:
        """Of a known one, or of one that is new."""
        known = self.number_of.setdefault(own_id, len(self.titles))
        if known == len(self.titles):
            self.titles.append(title)
        elif title and not self.titles[known]:
            self.titles[known] = title
        return known

    def part(self, type: str) -> EntityPart:
        """All of them."""
        ids = list(self.number_of)
        titles = [title or own_id for own_id, title in zip(ids, self.titles, strict=True)]
        return EntityPart(ids, [type] * len(ids), titles, [""] * len(ids), [""] * len(ids))


@dataclass(eq=False)
class _Ends:
    """Relations of one kind, as numbers of their types."""

    sources: array[int] = field(default_factory=lambda: array("q"))
    targets: array[int] = field(default_factory=lambda: array("q"))

    def add(self, source: int, target: int) -> None:
        self.sources.append(source)
        self.targets.append(target)

    def part(self, name: str, first_source: int, first_target: int) -> RelationPart:
        """Between places, each once: a work names an institution for each of its authors."""
        pairs = np.stack([np.array(self.sources, dtype=np.int64), np.array(self.targets, dtype=np.int64)])
        pairs = np.unique(pairs, axis=1)
        return RelationPart(name, pairs[0] + first_source, pairs[1] + first_target)


@dataclass(eq=False)
class _Reading:
    files: Sequence[Path]
    root: Path
    left_out: LeftOut
    papers: dict[str, int] = field(default_factory=dict)
    authors: _Numbers = field(default_factory=_Numbers)
    institutions: _Numbers = field(default_factory=_Numbers)
    fields: _Numbers = field(default_factory=_Numbers)
    cited: _Numbers = field(default_factory=_Numbers)
    ends: dict[str, _Ends] = field(default_factory=lambda: {name: _Ends() for name in MAG_RELATIONS.values()})

    def entities(self) -> Iterator[EntityPart]:
        """Papers as they come, then those that they name."""
        rows: list[tuple[str, str, str, str, str]] = []
        for path in self.files:
            name = path.relative_to(self.root).as_posix()
            for line, work in works_in(path, name, self.left_out):
                if row := self._paper(name, line, work):
                    rows.append(row)
                if len(rows) == OPENALEX_PART:
                    yield EntityPart(*map(list, zip(*rows, strict=True)))
                    rows = []
        if not self.papers:
            raise FormatError(f"no work of OpenAlex in {self.root.name}: works have an id such as {_HOST}W123")
        if rows:
            yield EntityPart(*map(list, zip(*rows, strict=True)))
        for numbers, type in ((self.authors, "author"), (self.institutions, "institution")):
            yield numbers.part(type)
        yield self.fields.part("field_of_study")

    def _paper(self, file: str, line: int, work: Work) -> tuple[str, str, str, str, str] | None:
        own_id = _id(work)
        if not own_id:
            self.left_out.reject(file, line, "a work without an id")
            return None
        if own_id in self.papers:
            self.left_out.count(f"works that stand in {file} again, and of which the first was kept", own_id, line)
            return None
        paper = self.papers[own_id] = len(self.papers)
        self._relate(paper, work)
        title = clean_text(first_text(work, "display_name", "title"))
        if not title:
            self.left_out.count(f"works without a title in {file}, which go by their id", own_id, line)
        abstract = abstract_in_order(work.get("abstract_inverted_index")) or text_in(work.get("abstract"))
        return own_id, "paper", title or own_id, clean_text(abstract), _attributes(work)

    def _relate(self, paper: int, work: Work) -> None:
        for authorship in objects_in(work.get("authorships")):
            institutions = [
                self.institutions.number(own_id, _name(institution))
                for institution in objects_in(authorship.get("institutions"))
                if (own_id := _id(institution))
            ]
            author = at(authorship, "author")
            if not isinstance(author, dict) or not (own_id := _id(author)):
                unnamed = text_in(authorship.get("raw_author_name")) or "without a name"
                self.left_out.count("authors without an id at OpenAlex, who were left out", unnamed)
                continue
            number = self.authors.number(own_id, _name(author))
            self.ends[WRITES].add(number, paper)
            for institution in institutions:
                self.ends[AFFILIATED].add(number, institution)
        for topic in objects_in(work.get("topics")) or objects_in(work.get("concepts")):
            if own_id := _id(topic):
                self.ends[HAS_TOPIC].add(paper, self.fields.number(own_id, _name(topic)))
        cited = work.get("referenced_works")
        for reference in cited if isinstance(cited, list) else []:
            if isinstance(reference, str) and (own_id := _short(reference)):
                self.ends[CITES].add(paper, self.cited.number(own_id, ""))

    def relations(self) -> Iterator[RelationPart]:
        """Citations of works that are not among the files are no relations."""
        n_papers, n_authors = len(self.papers), len(self.authors.titles)
        institution = n_papers + n_authors
        field_of_study = institution + len(self.institutions.titles)
        yield self.ends[AFFILIATED].part(AFFILIATED, n_papers, institution)
        yield self._citations()
        yield self.ends[HAS_TOPIC].part(HAS_TOPIC, 0, field_of_study)
        yield self.ends[WRITES].part(WRITES, n_papers, 0)
        self.left_out.say()

    def _citations(self) -> RelationPart:
        place_of = np.array([self.papers.get(own_id, -1) for own_id in self.cited.number_of], dtype=np.int64)
        sources = np.array(self.ends[CITES].sources, dtype=np.int64)
        targets = place_of[np.array(self.ends[CITES].targets, dtype=np.int64)]
        among = targets >= 0
        for own_id, place in zip(self.cited.number_of, place_of.tolist(), strict=True):
            if place < 0:
                self.left_out.count("cited works that are not among the files, and were left out", own_id)
        return RelationPart(CITES, sources[among], targets[among])


def _short(own_id: str) -> str:
    return clean_text(own_id.removeprefix(_HOST))


def _id(value: Work) -> str:
    return _short(text_in(value.get("id")))


def _name(value: Work) -> str:
    return clean_text(text_in(value.get("display_name")))


def _attributes(work: Work) -> str:
    venue = text_in(at(work, "primary_location", "source")) or text_in(work.get("host_venue"))
    return encoded(
        (name, clean_text(text))
        for name, text in (
            ("year", text_in(work.get("publication_year"))),
            ("date", text_in(work.get("publication_date"))),
            ("venue", venue),
            ("doi", text_in(work.get("doi"))),
            ("type", text_in(work.get("type"))),
            ("language", text_in(work.get("language"))),
            ("times cited", text_in(work.get("cited_by_count"))),
        )
    )
