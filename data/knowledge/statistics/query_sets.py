"""Sets of queries out of the workspace, texts to hold them against, and which of their words speak of relations."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.errors import FormatError, InputError
from core.knowledge.statistics.query_sets import QuerySet, Wording
from core.ranking.check import Query
from core.types import Ids
from data.collections.stored import not_found
from data.importers.decoding import no_text, opened
from data.store import Store

SPLIT_WORDS = {"test-0.1": "10 % sample of test", "human_generated_eval": "human"}
"""Parts of queries that have names which nobody would guess."""
MOST_DOCUMENTS = 20_000
"""Of a collection that is a reference; beyond that they are drawn."""
MOST_REFERENCE = 20_000_000
"""Characters of a text that is one."""
SEED = 0
_PIECES = re.compile(r"[.!?]\s+|[\r\n]+")


@dataclass(frozen=True, eq=False)
class Reference:
    """A text that sets of queries are held against."""

    name: str
    wording: Wording
    note: str = ""
    """What a reader has to know of it."""


def set_name(collection: str, split: str | None) -> str:
    """What a set is called where several stand side by side.

    >>> set_name("mag", None), set_name("mag", "test-0.1")
    ('mag', 'mag, 10 % sample of test')
    """
    return collection if split is None else f"{collection}, {SPLIT_WORDS.get(split, split)}"


@dataclass(frozen=True, eq=False)
class Queries:
    """All queries of a collection, without its documents, and which of them belong to which part."""

    collection: str
    whole: QuerySet
    splits: Mapping[str, Ids]

    def places(self, split: str | None) -> tuple[int, ...]:
        """Of a part's queries among all."""
        if split is None:
            return tuple(range(len(self.whole.queries)))
        if split not in self.splits:
            there = ", ".join(self.splits) or "none"
            raise InputError(f'collection "{self.collection}" has no split "{split[:80]}"; it has {there}')
        wanted = set(self.splits[split])
        return tuple(place for place, query in enumerate(self.whole.queries) if query.query_id in wanted)

    def part(self, split: str | None) -> QuerySet:
        """A part's queries; all of them without a name."""
        if split is None:
            return self.whole
        queries = tuple(self.whole.queries[place] for place in self.places(split))
        return QuerySet(set_name(self.collection, split), queries, self.whole.n_answers)


def splits_of(store: Store, collection: str) -> Mapping[str, Ids]:
    """The ids of the queries of each named part of a collection that is kept."""
    found = store.rows("SELECT splits::VARCHAR FROM collections WHERE name = ?", [collection])
    if not found:
        raise not_found(store, collection)
    return {split: tuple(ids) for split, ids in json.loads(found[0][0]).items()}


def stored_set(store: Store, name: str) -> QuerySet:
    found = store.rows(
        "SELECT query_id, text, labels::VARCHAR FROM collection_queries WHERE collection = ? ORDER BY position", [name]
    )
    answers = store.rows(
        """
        SELECT query_id, count(DISTINCT doc_id) FILTER (relevance > 0) FROM collection_judgments
        WHERE collection = ? GROUP BY query_id
        """,
        [name],
    )
    queries = (
        Query(query_id, text, tuple((label, value) for label, value in json.loads(labels)))
        for query_id, text, labels in found
    )
    return QuerySet(name, tuple(queries), dict(answers))


def reference_text(text: str, name: str) -> Reference:
    """A text that somebody gave, in sentences."""
    if len(text) > MOST_REFERENCE:
        raise InputError(f"{name} has {len(text):,} characters; up to {MOST_REFERENCE:,} can be a reference")
    return Reference(name, Wording.of(_PIECES.split(text)))


def reference_file(content: bytes, name: str) -> Reference:
    """The same out of a file."""
    if what := no_text(content):
        raise FormatError(f"{name} is {what}: save it as plain text")
    source = opened(content, name)
    if source.data:
        raise FormatError(f"{name} is a workbook: save it as plain text")
    return reference_text(source.text, name)


def reference_documents(store: Store, collection: str) -> Reference:
    """The documents of a collection that is kept; of very many a seeded sample."""
    (n,) = store.rows("SELECT count(*) FROM collection_documents WHERE collection = ?", [collection])[0]
    positions = np.arange(n)
    if n > MOST_DOCUMENTS:
        positions = np.sort(np.random.default_rng(SEED).choice(n, MOST_DOCUMENTS, replace=False))
    found = store.rows(
        """
        SELECT title || chr(10) || text FROM collection_documents
        WHERE collection = $name AND position IN (SELECT unnest($positions::INTEGER[])) ORDER BY position
        """,
        {"name": collection, "positions": positions.tolist()},
    )
    note = f"{MOST_DOCUMENTS:,} of its {n:,} documents, drawn with seed {SEED}" if n > MOST_DOCUMENTS else ""
    return Reference(f"documents of {collection}", Wording.of(text for (text,) in found), note)


def texts_key(queries: Sequence[Query]) -> list[str]:
    """All that the kinds of words in queries depend on, but for the knowledge base."""
    return [part for query in queries for part in (query.query_id, query.text, json.dumps(query.labels))]
