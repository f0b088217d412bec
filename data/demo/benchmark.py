"""The made-up collection that retrievers are tried on: publications of the demo topics, with queries and judgments."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from core.ranking.check import Collection, Document, Judgment, Query
from core.types import Ids
from data.demo.building import Written, write_publications
from data.demo.words import TopicWords, load_topics
from data.demo.writing import Author

DEMO_COLLECTION = "demo"
QUERIES = Path(__file__).with_name("benchmark.toml")
KINDS = ("few words", "sentence", "question", "paraphrase")
"""How a query is worded. A paraphrase keeps away from the words of the documents."""
ON_IT, NEAR = 2, 1
"""Relevance of a publication on the very sub-theme, and of one on a sub-theme beside it."""
TUNE_EVERY = 3
"""One query in three, of each kind, is for tuning; the rest are for testing."""


@dataclass(frozen=True)
class _Asked:
    """A query, and which publications answer it."""

    query: Query
    topic_id: str
    theme: str
    near: Ids


def build_benchmark() -> Collection:
    """The same at every call. The judgments follow from what each document was written on."""
    topics, written = load_topics(), write_documents()
    asked = list(_asked(topics, _lists()["themes"]))
    publications = [entry.publication for entries in written.values() for entry in entries]
    return Collection(
        DEMO_COLLECTION,
        tuple(Document(p.publication_id, p.title, p.abstract or "") for p in publications),
        tuple(entry.query for entry in asked),
        tuple(judgment for entry in asked for judgment in _judgments(entry, written[entry.topic_id])),
        _splits(asked),
        made_up=True,
    )


@cache
def write_documents() -> dict[str, list[Written]]:
    """The documents of the collection by topic, and what each was written on. They are asked for twice."""
    n_documents = _lists()["documents"]
    return {topic.topic_id: write_publications(topic, n_documents[topic.topic_id]) for topic in load_topics()}


def _lists() -> dict[str, Any]:
    return tomllib.loads(QUERIES.read_text(encoding="utf-8"))


def _asked(topics: tuple[TopicWords, ...], themes: list[dict[str, Any]]) -> Iterator[_Asked]:
    """The queries of every sub-theme, numbered; each has an author with words of their own."""
    topic_of = {theme.name: topic for topic in topics for theme in topic.themes if theme.relevant}
    number = 0
    for entry in themes:
        topic = topic_of[entry["name"]]
        for kind in KINDS:
            for pattern in entry[kind]:
                number += 1
                author = Author(topic.lexicon, random.Random(f"benchmark/{number}"))
                text = author.fill(pattern) if kind in ("sentence", "question") else author.wording(pattern)
                labels = (("kind", kind), ("topic", topic.topic_id))
                yield _Asked(
                    Query(f"demo-q{number:02d}", text, labels), topic.topic_id, entry["name"], tuple(entry["near"])
                )


def _judgments(asked: _Asked, written: list[Written]) -> Iterator[Judgment]:
    for entry in written:
        relevance = ON_IT if entry.theme == asked.theme else NEAR if entry.theme in asked.near else 0
        if relevance:
            yield Judgment(asked.query.query_id, entry.publication.publication_id, relevance)


def _splits(asked: list[_Asked]) -> dict[str, Ids]:
    """The first, fourth, seventh ... query of each kind is for tuning."""
    by_kind = [[entry.query.query_id for entry in asked if ("kind", kind) in entry.query.labels] for kind in KINDS]
    tune = sorted(query_id for ids in by_kind for query_id in ids[::TUNE_EVERY])
    test = sorted(query_id for ids in by_kind for query_id in ids if query_id not in tune)
    return {"tune": tuple(tune), "test": tuple(test)}
