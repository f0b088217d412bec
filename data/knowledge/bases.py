"""The knowledge bases of a workspace, the documents they hold, and their entities as documents."""

from __future__ import annotations

import os
import shutil
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from pathlib import Path
from threading import Lock

import numpy as np

from core.collections import Collection, Document
from core.errors import InputError, NotFoundError, QueryscapeError
from core.knowledge.entities import Direction, EntityType, Rows
from core.knowledge.templates import relation_words
from core.protocols import OnStage, silent
from core.text import listed, words
from core.types import Ids
from data.access import check_allowed
from data.collections import checked_name
from data.files import disk_errors, put_in_place
from data.knowledge.base import FILE, TABLES, KnowledgeBase, KnowledgeBaseInfo
from data.knowledge.builder import BuildReport, KnowledgeBaseParts, build
from data.knowledge.titles import keep_titles
from data.parts import ASIDE, part_of, remove_parts
from data.store import Store

# The knowledge bases of a workspace: a folder each, which is complete or absent.

INDEXED_AT_ONCE = 50_000
"""Smallest number of entities for a title index at import; smaller bases get theirs on the first lookup."""


class KnowledgeBases:
    def __init__(self, root: Path) -> None:
        self.root = root
        self._opened: dict[str, tuple[int, KnowledgeBase]] = {}
        self._lock = Lock()

    def forget(self) -> None:
        """Close all open knowledge bases."""
        with self._lock:
            for _, base in self._opened.values():
                base.close()
            self._opened.clear()

    def names(self) -> tuple[str, ...]:
        """Return the names in alphabetical order."""
        return tuple(sorted(path.parent.name for path in self.root.glob(f"*/{FILE}") if path.parent.suffix != ASIDE))

    def list(self) -> tuple[KnowledgeBaseInfo, ...]:
        """Describe each knowledge base; unreadable ones are left out."""
        found = []
        for name in self.names():
            with suppress(QueryscapeError):
                found.append(self.open(name).about)
        return tuple(found)

    def open(self, name: str) -> KnowledgeBase:
        """Open a knowledge base by name. It stays open for later callers: don't close it."""
        self._check_there(name)
        with self._lock:
            try:
                state = os.stat(self.root / name / FILE).st_mtime_ns
            except FileNotFoundError as e:
                raise NotFoundError(f"{name} was replaced or deleted in the meantime: reload the page") from e
            kept = self._opened.get(name)
            if kept is None or kept[0] != state:
                if kept is not None:
                    kept[1].close()  # while it is open, DuckDB confuses a new file at the same path with it
                self._opened[name] = state, KnowledgeBase.open(self.root / name)
            return self._opened[name][1]

    def _check_there(self, name: str) -> None:
        names = self.names()
        if name not in names:
            has = f"there is {', '.join(names)}" if names else "there is none yet"
            raise NotFoundError(
                f'no knowledge base "{name[:80]}"; {has}. Import one: queryscape get knowledge --from FOLDER'
            )

    def save(
        self,
        name: str,
        parts: KnowledgeBaseParts,
        *,
        origin: str,
        replace: bool = False,
        key: str | None = None,
        on_stage: OnStage = silent,
    ) -> BuildReport:
        """Build and save one, all of it or nothing. `key`: identifies its content; None: a new key."""
        name = checked_name(name, "knowledge base")
        if name.endswith(ASIDE):
            raise InputError(f'"{name}" ends in {ASIDE}, which marks unfinished data: choose another name')
        folder = self.root / name
        if folder.exists() and not replace:
            raise InputError(
                f'a knowledge base "{name}" already exists: choose another name (--name), or replace it (--replace)'
            )
        aside = part_of(folder)
        with disk_errors(folder):
            remove_parts(self.root, depth=0)
            try:
                aside.mkdir(parents=True)
                built = build(
                    aside / FILE, name, parts, {"origin": origin, "key": key or uuid.uuid4().hex[:16]}, on_stage
                )
                if built.n_entities >= INDEXED_AT_ONCE:
                    with KnowledgeBase.open(aside) as base:
                        keep_titles(base, on_stage)
                put_in_place(aside, folder, lambda: False)
            finally:
                shutil.rmtree(aside, ignore_errors=True)
        return built

    def delete(self, name: str) -> None:
        """Delete a knowledge base, even an unreadable one."""
        check_allowed("delete")
        self._check_there(name)
        with self._lock:
            if kept := self._opened.pop(name, None):
                kept[1].close()
        with disk_errors(self.root / name):
            shutil.rmtree(self.root / name)


# Find the knowledge base of a workspace that holds a collection's documents.

LEAST_HELD = 0.5
"""Smallest share of the documents that a base must hold to be used by default."""
COMPARED = 50
"""Number of documents to compare."""
WORDS_COMPARED = 8


@dataclass(frozen=True, eq=False)
class Holder:
    base: KnowledgeBase
    rows: Rows
    """For each document the row of its entity; -1: not in the base."""

    @property
    def n_held(self) -> int:
        return int(np.count_nonzero(self.rows >= 0))

    @cached_property
    def _place_of(self) -> Rows:
        """The document of each entity; -1: none."""
        places = np.full(self.base.about.n_entities, -1, dtype=np.int64)
        held = np.flatnonzero(self.rows >= 0)
        places[self.rows[held]] = held
        return places

    def places(self, rows: Rows) -> Rows:
        """Return the documents for these entities; entities without a document are left out."""
        found = self._place_of[rows]
        return found[found >= 0]


@dataclass(frozen=True, eq=False)
class Holders:
    """The knowledge bases of a workspace from the view of one collection. It looks again at every call."""

    bases: KnowledgeBases
    documents: tuple[Document, ...]
    store: Store | None = None
    """The store of a user's own templates."""
    _shares: dict[str, float] = field(default_factory=dict, init=False, repr=False)
    """By the key of a base."""

    @classmethod
    def of(cls, bases: KnowledgeBases, store: Store, collection: Collection) -> Holders:
        return cls(bases, collection.documents, store)

    def names(self) -> Ids:
        """Return the bases that may be used by default, those with the largest share of the documents first."""
        shares = {base.about.name: self._share(base) for base in self._open()}
        return tuple(sorted((name for name in shares if shares[name] >= LEAST_HELD), key=lambda name: -shares[name]))

    def base(self, name: str | None = None) -> KnowledgeBase:
        """Return the base of this name, if it holds any of the documents; by default the one that holds most.

        Its errors are noun phrases that complete "needs ...".
        """
        there = f" (there is {listed(self.bases.names())})" if self.bases.names() else ""
        if name is not None:
            if name not in self.bases.names():
                raise NotFoundError(f'the knowledge base "{name[:80]}", which does not exist{there}')
            base = self.bases.open(name)
            if not self._share(base) and not base.rows_of([document.doc_id for document in self.documents]):
                raise InputError(f'a knowledge base other than "{name[:80]}", which has none of these documents')
            return base
        names = self.names()
        if not names:
            raise NotFoundError(
                f"a knowledge base that holds these documents{there}: queryscape get knowledge --from FOLDER"
            )
        shares = [self._share(self.bases.open(each)) for each in names]
        if shares.count(shares[0]) > 1:
            same = names[: shares.count(shares[0])]
            raise InputError(f"the name of one of {listed(same)}, which all hold these documents: graph:{same[0]}")
        return self.bases.open(names[0])

    def find(self, name: str | None = None) -> Holder:
        base = self.base(name)
        row_of = base.rows_of([document.doc_id for document in self.documents])
        return Holder(base, np.fromiter((row_of.get(d.doc_id, -1) for d in self.documents), np.int64))

    def _open(self) -> Iterator[KnowledgeBase]:
        for name in self.bases.names():
            with suppress(QueryscapeError):  # damaged, or just deleted
                yield self.bases.open(name)

    def _share(self, base: KnowledgeBase) -> float:
        """Return the share of sampled documents with an entity of the same id and title; ids alone can coincide."""
        key = base.about.key
        if key not in self._shares:
            self._shares[key] = _share_held(base, self.documents)
        return self._shares[key]


def _share_held(base: KnowledgeBase, documents: Sequence[Document]) -> float:
    places = np.unique(np.linspace(0, len(documents) - 1, min(COMPARED, len(documents))).astype(np.int64))
    some = [documents[place] for place in places.tolist()]
    row_of = base.rows_of([document.doc_id for document in some])
    held = [document for document in some if document.doc_id in row_of]
    entities = base.entities([row_of[document.doc_id] for document in held])
    alike = sum(_begins_alike(entity.title, d.whole[:1_000]) for entity, d in zip(entities, held, strict=True))
    return alike / len(some) if some else 0.0


def _begins_alike(title: str, text: str) -> bool:
    wanted = words(title[:1_000])[:WORDS_COMPARED]
    return not wanted or f" {' '.join(wanted)} " in f" {' '.join(words(text))} "


# Entities as documents for text retrievers: with their texts alone, or with their relations in words.

AT_ONCE = 20_000
"""Number of entities that are read together."""
MOST_NAMES = 50
"""Largest number of neighbours listed per relation; further ones are counted."""
MOST_BEYOND = 3
"""Largest number of a neighbour's own affiliations shown in brackets after it."""
LONGEST_NAME = 200
Names = dict[int, tuple[list[str], int]]
"""By entity: the first neighbours, and their total number."""
Walked = tuple[int, Direction]
"""A relation's number, and the direction in which it is followed."""


def knowledge_documents(base: KnowledgeBase, *, with_relations: bool) -> Iterator[Document]:
    """Yield the entities that questions ask for, by row.

    `with_relations`: add a line for each relation, such as "written by: Ito (University of Elm), Roy".
    """
    for name in base.answer_types:
        kind, documents = base.types[name], base.documents([name])
        for first in range(kind.first, kind.first + kind.n, AT_ONCE):
            some = list(islice(documents, AT_ONCE))
            rows = range(first, first + len(some))
            lines = _lines(base, kind, rows) if with_relations else {}
            for row, document in zip(rows, some, strict=True):
                yield _with(document, lines.get(row, ()))


def _with(document: Document, lines: Sequence[str]) -> Document:
    text = "\n".join([*([document.text] if document.text.strip() else []), *lines])
    return Document(document.doc_id, document.title, text)


def _lines(base: KnowledgeBase, kind: EntityType, rows: range) -> Mapping[int, list[str]]:
    lines: dict[int, list[str]] = {}
    for (label, other), walked in _walks_by_type(base, kind).items():
        for row, (names, n) in _names(base, walked, rows, base.types[other]).items():
            more = f" and {n - len(names):,} more" if n > len(names) else ""
            lines.setdefault(row, []).append(f"{label}: {'; '.join(names)}{more}")
    return lines


def _walks_by_type(base: KnowledgeBase, kind: EntityType) -> Mapping[tuple[str, str], list[Walked]]:
    entries: dict[tuple[str, str], list[Walked]] = {}
    for relation in base.relation_types:
        number = base.relation_numbers[relation.name]
        if relation.source == kind.name:
            entries.setdefault((relation_words(relation.name, "forward"), relation.target), []).append(
                (number, "forward")
            )
        if relation.target == kind.name:
            entries.setdefault((relation_words(relation.name, "back"), relation.source), []).append((number, "back"))
    return entries


def _near(number: int, direction: Direction) -> str:
    ((table, here, there),) = TABLES[direction]
    return f"""
        SELECT {here} AS here, {there} AS there FROM {table}
        WHERE relation = {number} AND {here} BETWEEN $first AND $last AND {there} BETWEEN $low AND $high
    """


def _names(base: KnowledgeBase, walked: Sequence[Walked], rows: range, other: EntityType) -> Names:
    found = base.rows(
        f"""
        WITH near AS (
            SELECT here, there,
                row_number() OVER (PARTITION BY here ORDER BY there) AS place,
                count(*) OVER (PARTITION BY here) AS n
            FROM ({" UNION ".join(_near(*way) for way in walked)})
            QUALIFY place <= $most
        )
        SELECT here, list(there ORDER BY place), list(left(title, $longest) ORDER BY place), any_value(n)
        FROM near JOIN entities ON entities.row = there GROUP BY here
        """,
        {
            "first": rows.start,
            "last": rows.stop - 1,
            "low": other.first,
            "high": other.first + other.n - 1,
            "most": MOST_NAMES,
            "longest": LONGEST_NAME,
        },
    )
    beyond = _beyond(base, other, {there for _, near, _, _ in found for there in near})
    return {
        here: (
            [
                f"{title} ({beyond[there]})" if there in beyond else title
                for there, title in zip(near, titles, strict=True)
            ],
            n,
        )
        for here, near, titles, n in found
    }


def _beyond(base: KnowledgeBase, kind: EntityType, rows: set[int]) -> Mapping[int, str]:
    if kind.is_answer or not rows:
        return {}
    found: dict[int, list[str]] = {}
    for relation in base.relation_types:
        other = base.types[relation.target]
        if relation.source != kind.name or other.is_answer or other.name == kind.name:
            continue
        near = base.rows(
            """
            SELECT source, list(left(title, $longest) ORDER BY target)[:$most]
            FROM forward JOIN entities ON entities.row = target
            WHERE relation = $relation AND source IN (SELECT unnest($rows::INTEGER[]))
                AND target BETWEEN $low AND $high
            GROUP BY source
            """,
            {
                "relation": base.relation_numbers[relation.name],
                "rows": sorted(rows),
                "low": other.first,
                "high": other.first + other.n - 1,
                "most": MOST_BEYOND,
                "longest": LONGEST_NAME,
            },
        )
        for row, names in near:
            found.setdefault(row, []).extend(names)
    return {row: ", ".join(names) for row, names in found.items()}
