"""Load a knowledge base from OpenAlex files, plain tables or STaRK, recognised by content."""

from __future__ import annotations

import gzip
import json
import os
import re
import zlib
from array import array
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import IO, Any, cast

import numpy as np

from core.errors import FileError, FormatError, InputError
from core.protocols import OnStage, silent
from core.types import Ids
from data.access import check_allowed
from data.collections import checked_name
from data.files import disk_errors, read_errors
from data.importers.collection_parts import RejectedLine, TextFile, clean_text
from data.importers.json_formats import abstract_in_order, openalex_likeness
from data.importers.json_records import JsonItem, at, first_text, items, objects_in, text_in
from data.importers.parquet import parquet_at
from data.importers.source import MOST_BYTES, opened
from data.importers.tables import DELIMITERS, rows_of
from data.knowledge.base import KnowledgeBaseInfo
from data.knowledge.bases import KnowledgeBases
from data.knowledge.builder import BuildReport, EntityPart, KnowledgeBaseParts, RelationPart
from data.knowledge.load_values import LoaderOmissions, encoded, is_zip, shelf_at, value_text
from data.knowledge.stark import INFO, MAG_RELATIONS, read_stark, stark_folders

# Works in OpenAlex's files: a list, a search response, or one work per line; with or without gzip.

HEAD = 400_000
PIECE = 4_000
LONGEST_LINE = 50_000_000
OPENALEX_SUFFIXES = (".json", ".jsonl", ".ndjson", ".gz", "")
MOST_SEEN = 200
"""Largest number of files to check for works."""
_BEGINS_AS_WORK = re.compile(rb'\s*\{\s*"id"\s*:\s*"https://openalex\.org/W\d')
Work = dict[str, Any]


def openalex_files(where: Path) -> tuple[Path, ...]:
    """Return the file, or those in a folder and its subfolders that hold works."""
    if where.is_file():
        return (where,) if _holds_works(where) else ()
    found = [path for pattern in ("*", "*/*", "*/*/*") for path in sorted(where.glob(pattern)) if path.is_file()]
    likely = [path for path in found if path.suffix.lower() in OPENALEX_SUFFIXES and not path.name.startswith(".")]
    if not any(_holds_works(path) for path in islice(likely, MOST_SEEN)):
        return ()
    return tuple(path for path in likely if _holds_works(path))


def _opened(path: Path) -> IO[bytes]:
    with read_errors(path):
        with path.open("rb") as file:
            packed = file.read(2) == b"\x1f\x8b"
        return cast(IO[bytes], gzip.open(path, "rb")) if packed else path.open("rb")


def _head(path: Path) -> bytes:
    head = b""
    with suppress(OSError, EOFError, zlib.error, FileError), _opened(path) as stream:
        while len(head) < HEAD and (data := stream.read(PIECE)):
            head += data
    return head


def _holds_works(path: Path) -> bool:
    head = _head(path)
    if head.lstrip()[:1] not in (b"{", b"["):
        return False
    if _BEGINS_AS_WORK.match(head):  # it may be longer than the part that was read
        return True
    with suppress(FormatError):
        return openalex_likeness(opened(head, path.name)) > 0
    return False


def works_in(path: Path, name: str, left_out: LoaderOmissions) -> Iterator[tuple[int, Work]]:
    """Yield each work with its line; report unreadable lines as left out."""
    try:
        with _opened(path) as stream:
            if _by_line(stream.readline(LONGEST_LINE)):
                stream.seek(0)
                yield from _lines(stream, name, left_out)
                return
            stream.seek(0)
            data = bytearray()  # a single read would reserve memory for the largest file
            while len(data) <= MOST_BYTES and (piece := stream.read(PIECE)):
                data += piece
    except (EOFError, zlib.error) as e:
        left_out.reject(name, None, "the file ends before it is complete, or is damaged")
        if path.suffix != ".gz" and not isinstance(e, EOFError):
            raise FormatError(f"{name} is damaged: download it again") from e
        return
    except OSError as e:
        raise FormatError(f"{name} can't be read ({e.strerror or e}): download it again") from e
    if len(data) > MOST_BYTES:
        raise FormatError(f"{name} has more than {MOST_BYTES / 1e6:,.0f} MB in one list: save one work in each line")
    for item in items(opened(bytes(data), name)):
        if isinstance(item, JsonItem):
            yield item.line, item.value
        else:
            left_out.reject(name, getattr(item, "line", None), getattr(item, "reason", None) or str(item))


def _by_line(line: bytes) -> bool:
    found = _loaded(line)
    return isinstance(found, dict) and isinstance(found.get("id"), str)


def _loaded(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _lines(stream: IO[bytes], name: str, left_out: LoaderOmissions) -> Iterator[tuple[int, Work]]:
    number = 0
    while line := stream.readline(LONGEST_LINE):
        number += 1
        if not line.strip():
            continue
        work = _loaded(line)
        if isinstance(work, dict):
            yield number, work
        else:
            left_out.reject(name, number, "no valid JSON: the line may have been cut off")


# OpenAlex's works as a knowledge base with MAG's types and relations: papers, authors, institutions, fields.

OPENALEX_PART = 20_000
AFFILIATED, CITES, HAS_TOPIC, WRITES = MAG_RELATIONS.values()
_HOST = "https://openalex.org/"


def read_openalex(files: Sequence[Path], root: Path, left_out: LoaderOmissions, notes: list[str]) -> KnowledgeBaseParts:
    """Read all works of some files. Only citations among these works count."""
    reading = _Reading(files, root, left_out)
    return KnowledgeBaseParts(reading.entities(), reading.relations(), ("paper",), "mag", notes=notes)


class _Numbers:
    def __init__(self) -> None:
        self.number_of: dict[str, int] = {}
        self.titles: list[str] = []

    def number(self, own_id: str, title: str) -> int:
        known = self.number_of.setdefault(own_id, len(self.titles))
        if known == len(self.titles):
            self.titles.append(title)
        elif title and not self.titles[known]:
            self.titles[known] = title
        return known

    def part(self, type: str) -> EntityPart:
        ids = list(self.number_of)
        titles = [title or own_id for own_id, title in zip(ids, self.titles, strict=True)]
        return EntityPart(ids, [type] * len(ids), titles, [""] * len(ids), [""] * len(ids))


@dataclass(eq=False)
class _Ends:
    sources: array[int] = field(default_factory=lambda: array("q"))
    targets: array[int] = field(default_factory=lambda: array("q"))

    def add(self, source: int, target: int) -> None:
        self.sources.append(source)
        self.targets.append(target)

    def part(self, name: str, first_source: int, first_target: int) -> RelationPart:
        """Return the relation by position, without duplicates: a work lists an institution for each of its authors."""
        pairs = np.stack([np.array(self.sources, dtype=np.int64), np.array(self.targets, dtype=np.int64)])
        pairs = np.unique(pairs, axis=1)
        return RelationPart(name, pairs[0] + first_source, pairs[1] + first_target)


@dataclass(eq=False)
class _Reading:
    files: Sequence[Path]
    root: Path
    left_out: LoaderOmissions
    papers: dict[str, int] = field(default_factory=dict)
    authors: _Numbers = field(default_factory=_Numbers)
    institutions: _Numbers = field(default_factory=_Numbers)
    fields: _Numbers = field(default_factory=_Numbers)
    cited: _Numbers = field(default_factory=_Numbers)
    ends: dict[str, _Ends] = field(default_factory=lambda: {name: _Ends() for name in MAG_RELATIONS.values()})

    def entities(self) -> Iterator[EntityPart]:
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
            self.left_out.count(f"works repeated in {file}, of which the first was kept", own_id, line)
            return None
        paper = self.papers[own_id] = len(self.papers)
        self._relate(paper, work)
        title = clean_text(first_text(work, "display_name", "title"))
        if not title:
            self.left_out.count(f"works without a title in {file}, shown by their id", own_id, line)
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
                self.left_out.count("authors without an OpenAlex id, left out", unnamed)
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
        """Yield the relations; citations of works that are not among the files are left out."""
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
                self.left_out.count("cited works missing from the files, left out", own_id)
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


# Tables of the plain layout, row by row: text with any delimiter, or Parquet.

TABLE_SUFFIXES = (".csv", ".tsv", ".tab", ".txt", ".parquet", ".pq")
Names = Mapping[str, Ids]
"""The purpose of a column, and its possible names, the most likely one first."""


@dataclass(frozen=True, eq=False)
class PlainTable:
    name: str
    header: Ids
    rows: Iterator[tuple[int, Sequence[str]]]
    """Each with its line, and as many cells as columns."""

    def places(self, names: Names, needed: Ids) -> Mapping[str, int]:
        """Return the positions of the columns. A missing column that is needed is an error."""
        plain = [_plain(column) for column in self.header]
        found = {what: plain.index(name) for what, known in names.items() for name in reversed(known) if name in plain}
        missing = [what for what in needed if what not in found]
        if missing:
            raise FormatError(
                f'{self.name} has no column "{missing[0]}": its columns are {", ".join(self.header)[:200] or "none"}'
            )
        return found


def _plain(column: str) -> str:
    return column.strip().strip(":").lower().replace(" ", "_").replace("-", "_").replace(":", "_")


def read_table(path: Path, root: Path, left_out: LoaderOmissions, notes: list[str]) -> PlainTable:
    if path.suffix.lower() in (".parquet", ".pq"):
        return _parquet(path, path.relative_to(root).as_posix())
    file = TextFile.at(path, root)
    text = file.whole()
    notes += file.notes
    lines = text.split("\n")
    ends_whole = lines[-1] == ""
    if ends_whole:
        lines.pop()
    start = next((place for place, line in enumerate(lines) if line.strip()), 0)
    if not lines:
        raise FormatError(f"{file.name} is empty")
    delimiter = max(DELIMITERS, key=lines[start].count)
    header = tuple(clean_text(cell) for cell in next(rows_of(lines[start : start + 1], delimiter, 1)).cells)
    return PlainTable(file.name, header, _text_rows(lines, delimiter, start, header, file.name, left_out, ends_whole))


def _text_rows(
    lines: list[str], delimiter: str, start: int, header: Ids, name: str, left_out: LoaderOmissions, ends_whole: bool
) -> Iterator[tuple[int, Sequence[str]]]:
    width, n_lines = len(header), len(lines)
    for row in rows_of(lines, delimiter, width, start + 1):
        cells = row.cells
        if row.empty:
            continue
        is_last = row.line + sum(cell.count("\n") for cell in cells) >= n_lines
        if len(cells) < width and is_last and not ends_whole:
            left_out.reject(name, row.line, "the file ends in the middle of this row: it may have been cut off")
        elif len(cells) > width and any(cell.strip() for cell in cells[width:]):
            left_out.reject(name, row.line, f"{len(cells)} cells where {width} are expected")
        else:
            yield row.line, [*map(clean_text, cells[:width]), *[""] * (width - len(cells))]


def _parquet(path: Path, name: str) -> PlainTable:
    with parquet_at(path, name) as table:
        return PlainTable(name, table.columns, _parquet_rows(path, name))


def _parquet_rows(path: Path, name: str) -> Iterator[tuple[int, Sequence[str]]]:
    with parquet_at(path, name) as table:
        for number, row in enumerate(table.rows(), start=1):
            yield number, [*map(_cell, row)]


def _cell(value: Any) -> str:
    return str(value) if type(value) is int else value_text(value)


# The plain layout for users' own knowledge bases: tables of entities and of relations, and an optional about.json.

ENTITY_COLUMNS: Mapping[str, Ids] = {
    "id": ("id", "entity_id", "node_id", "identifier", "key"),
    "type": ("type", "entity_type", "node_type", "kind", "label"),
    "title": ("title", "name", "entity", "display_name"),
    "text": ("text", "abstract", "description"),
}
RELATION_COLUMNS: Mapping[str, Ids] = {
    "source": ("source", "source_id", "from", "head", "subject", "start_id", "start"),
    "relation": ("relation", "relation_type", "type", "predicate", "edge_type", "label", "name"),
    "target": ("target", "target_id", "to", "tail", "object", "end_id", "end"),
}
NO_TYPE, NO_RELATION = "entity", "related to"
"""Names for entities and relations without a type in their table."""
PLAIN_PART = 50_000
MOST_ABOUT = 1_000_000
_ENTITIES = re.compile(r"(?:entities|entity|nodes)(?:[-_. ].{0,60})?", re.IGNORECASE)
_RELATIONS = re.compile(r"(?:relations|relation|edges)(?:[-_. ].{0,60})?", re.IGNORECASE)


@dataclass(frozen=True, eq=False)
class PlainLayout:
    root: Path
    entities: tuple[Path, ...]
    relations: tuple[Path, ...]


def plain_layout(where: Path) -> PlainLayout | None:
    """Find the tables in a folder, or in its subfolders of matching names; None without a table of entities."""
    root = where if where.is_dir() else where.parent
    with read_errors(root):
        paths = sorted(path for pattern in ("*", "*/*") for path in root.glob(pattern) if path.is_file())
    tables = [path for path in paths if path.suffix.lower() in TABLE_SUFFIXES]

    def named(pattern: re.Pattern[str]) -> tuple[Path, ...]:
        return tuple(
            path for path in tables if pattern.fullmatch(path.parent.name if path.parent != root else path.stem)
        )

    layout = PlainLayout(root, named(_ENTITIES), named(_RELATIONS))
    if not layout.entities or (not where.is_dir() and where not in (*layout.entities, *layout.relations)):
        return None
    return layout


def read_plain(layout: PlainLayout, left_out: LoaderOmissions, notes: list[str]) -> KnowledgeBaseParts:
    """Read the whole layout. Relations are read on demand."""
    about = _about(layout.root)
    reading = _PlainReading(layout, left_out, notes)
    return KnowledgeBaseParts(
        reading.entities(),
        reading.relations(),
        tuple(_listed(about, "answers")),
        str(about.get("templates") or ""),
        about.get("made_up") is True,
        notes,
    )


def _about(root: Path) -> Mapping[str, Any]:
    path = root / "about.json"
    if not path.is_file():
        return {}
    try:
        with read_errors(path):
            if path.stat().st_size > MOST_ABOUT:
                raise FormatError(f"{path.name} is too large to describe a knowledge base")
            found = json.loads(path.read_text("utf-8-sig"))
    except (ValueError, RecursionError) as e:
        raise FormatError(f"{path.name} is not valid JSON: fix or delete it") from e
    if not isinstance(found, dict):
        raise FormatError(f'{path.name} holds no object such as {{"answers": ["paper"]}}: fix or delete it')
    return found


def _listed(about: Mapping[str, Any], key: str) -> list[str]:
    value = about.get(key, [])
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise FormatError(f'"{key}" in about.json is not a list of types')
    return names


@dataclass(eq=False)
class _PlainReading:
    layout: PlainLayout
    left_out: LoaderOmissions
    notes: list[str]
    place_of: dict[str, int] = field(default_factory=dict)

    def entities(self) -> Iterator[EntityPart]:
        """Yield entities in the order of the files. The first of an id counts."""
        for path in self.layout.entities:
            table = read_table(path, self.layout.root, self.left_out, self.notes)
            places = table.places(ENTITY_COLUMNS, ("id",))
            used = set(places.values())
            others = [(place, name) for place, name in enumerate(table.header) if place not in used and name]
            if "type" not in places:
                self.notes.append(f'{table.name} has no column "type": its entities are of type "{NO_TYPE}"')
            rows: list[tuple[str, str, str, str, str]] = []
            for line, cells in table.rows:
                if row := self._entity(table.name, line, cells, places, others):
                    rows.append(row)
                if len(rows) == PLAIN_PART:
                    yield _part(rows)
                    rows = []
            if rows:
                yield _part(rows)
        if not self.place_of:
            raise FormatError(f"{self.layout.entities[0].name} has no entities: are its first line the column names?")

    def _entity(
        self,
        file: str,
        line: int,
        cells: Sequence[str],
        places: Mapping[str, int],
        others: Sequence[tuple[int, str]],
    ) -> tuple[str, str, str, str, str] | None:
        entries = {what: cells[place] for what, place in places.items()}
        own_id = entries["id"]
        if not own_id:
            self.left_out.reject(file, line, "an entity without an id")
            return None
        if own_id in self.place_of:
            self.left_out.count(f"ids repeated in {file}, of which the first was kept", own_id, line)
            return None
        self.place_of[own_id] = len(self.place_of)
        if "type" in places and not entries["type"]:
            self.left_out.count(f'entities without a type in {file}, imported as type "{NO_TYPE}"', own_id, line)
        if not entries.get("title"):
            self.left_out.count(f"entities without a title in {file}, shown by their id", own_id, line)
        attributes = encoded((name, cells[place]) for place, name in others)
        return (
            own_id,
            entries.get("type") or NO_TYPE,
            entries.get("title") or own_id,
            entries.get("text", ""),
            attributes,
        )

    def relations(self) -> Iterator[RelationPart]:
        if not self.layout.relations:
            self.notes.append("there is no table of relations (relations.csv)")
        ends: dict[str, tuple[array[int], array[int]]] = {}
        for path in self.layout.relations:
            table = read_table(path, self.layout.root, self.left_out, self.notes)
            places = table.places(RELATION_COLUMNS, ("source", "target"))
            if "relation" not in places:
                self.notes.append(f'{table.name} has no column "relation": its relations are called "{NO_RELATION}"')
            for line, cells in table.rows:
                name = (cells[places["relation"]] if "relation" in places else "") or NO_RELATION
                source, target = (self._place(table.name, line, cells[places[end]]) for end in ("source", "target"))
                both = ends.setdefault(name, (array("q"), array("q")))
                both[0].append(source)
                both[1].append(target)
        self.left_out.say()
        for name, (sources, targets) in ends.items():
            yield RelationPart(name, np.array(sources, dtype=np.int64), np.array(targets, dtype=np.int64))

    def _place(self, file: str, line: int, own_id: str) -> int:
        place = self.place_of.get(own_id, -1)
        if place < 0:
            self.left_out.count(f"ends of relations in {file} that match no entity", own_id, line)
        return place


def _part(rows: list[tuple[str, str, str, str, str]]) -> EntityPart:
    return EntityPart(*map(list, zip(*rows, strict=True)))


# Import a knowledge base into the workspace, with the format detected from the content of a path.

KNOWN = (
    "a processed folder or processed.zip of STaRK (node_info.pkl ...), tables entities.csv and relations.csv (or .tsv, "
    ".parquet), or works of OpenAlex as JSON"
)
ARCHIVE = "processed.zip"
"""File name of STaRK's downloads."""
_NO_NAMES = frozenset({"processed", "cache", "brand-category-color", "data", "works", "entities"})
"""Folder names that don't describe their content."""


@dataclass(frozen=True, eq=False)
class ImportedBase:
    about: KnowledgeBaseInfo
    built: BuildReport
    notes: tuple[str, ...]
    rejected: tuple[RejectedLine, ...]
    """Parts of files that were left out; at most a thousand of them."""


def bring_knowledge(
    bases: KnowledgeBases,
    where: str,
    *,
    name: str | None = None,
    replace: bool = False,
    answers: Ids = (),
    on_stage: OnStage = silent,
) -> ImportedBase:
    """Read and save a knowledge base, all of it or nothing. `answers`: types that questions ask for."""
    check_allowed("server")
    path = _path(where)
    chosen = checked_name(name if name is not None else name_for(path), "knowledge base")
    _check_free(bases, chosen, replace)
    notes: list[str] = []
    left_out = LoaderOmissions(notes)
    on_stage("looking at the files")
    parts = _read(path, left_out, notes, on_stage)
    if answers:
        parts.answer_types = answers
    built = bases.save(chosen, parts, origin=str(path), replace=replace, on_stage=on_stage)
    about = bases.open(chosen).about
    return ImportedBase(about, built, about.notes, tuple(left_out.lines))


def _path(where: str) -> Path:
    if "://" in where:
        raise InputError("knowledge bases can't be loaded from the web: download the files and give their folder")
    path = Path(os.path.expanduser(where)).absolute()
    try:
        if not path.exists():
            raise FileError(f"no folder or file {path}: check its name")
    except (OSError, ValueError) as e:
        raise FileError(f"can't read {where[:200]} ({getattr(e, 'strerror', None) or e}): check its name") from e
    return path


def name_for(path: Path) -> str:
    """Name a knowledge base after the innermost folder with a descriptive name."""
    stem = path.name if path.is_dir() else path.name.partition(".")[0]
    names = [stem, *(parent.name for parent in path.parents)]
    return next((name for name in names if name and name.lower() not in _NO_NAMES), stem)


def _check_free(bases: KnowledgeBases, name: str, replace: bool) -> None:
    """Check the name before minutes of reading, not after."""
    if not replace and name in bases.names():
        raise InputError(
            f'a knowledge base "{name}" already exists: choose another name (--name), or replace it (--replace)'
        )


def _read(path: Path, left_out: LoaderOmissions, notes: list[str], on_stage: OnStage) -> KnowledgeBaseParts:
    with disk_errors(path, FileError):
        if path.is_dir() or is_zip(path):
            shelf = shelf_at(path)
            if stark_folders(shelf):
                return read_stark(shelf, notes, on_stage)
        if path.is_file() and path.name == INFO:
            return _read(path.parent, left_out, notes, on_stage)
        if is_zip(path / ARCHIVE):
            return _read(path / ARCHIVE, left_out, notes, on_stage)
        if layout := plain_layout(path):
            return read_plain(layout, left_out, notes)
        if files := openalex_files(path):
            root = path if path.is_dir() else path.parent
            return read_openalex(files, root, left_out, notes)
    raise FormatError(f"{path.name} is not a known knowledge base format; Queryscape reads {KNOWN}")
