"""Collections with given truth, and what retrievers answer to their queries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from core.errors import InputError, MisalignedError
from core.text import publication_text
from core.types import Floats, Ids

Rows = npt.NDArray[np.int64]
"""Places of documents in their collection, from 0."""


@dataclass(frozen=True, slots=True)
class Document:
    """One text that can be found."""

    doc_id: str
    title: str
    """Empty where there is none."""
    text: str
    """What follows the title; empty where there is nothing."""

    @property
    def whole(self) -> str:
        """Title and text as every retriever reads them."""
        return publication_text(self.title, self.text)


@dataclass(frozen=True, slots=True)
class Query:
    """One question or search string."""

    query_id: str
    text: str
    labels: tuple[tuple[str, str], ...] = ()
    """What kind of query it is, as pairs of name and value, in the order of the source."""


@dataclass(frozen=True, slots=True)
class Judgment:
    """Given truth: how relevant a document is to a query."""

    query_id: str
    doc_id: str
    relevance: int
    """Above 0: relevant, and the more the better. 0 and below: judged, and not relevant."""


@dataclass(frozen=True, eq=False)
class Collection:
    """Documents, queries and judgments."""

    name: str
    documents: tuple[Document, ...]
    queries: tuple[Query, ...]
    judgments: tuple[Judgment, ...]
    splits: Mapping[str, Ids] = field(default_factory=dict)
    """Named parts of the queries, by their ids."""
    made_up: bool = False

    def __post_init__(self) -> None:
        for what, ids in (("document", self.doc_ids), ("query", self.query_ids)):
            if len(set(ids)) != len(ids):
                raise InputError(f'collection "{self.name}" holds a {what} id twice')

    @cached_property
    def doc_ids(self) -> Ids:
        return tuple(document.doc_id for document in self.documents)

    @cached_property
    def query_ids(self) -> Ids:
        return tuple(query.query_id for query in self.queries)

    @cached_property
    def row_of(self) -> Mapping[str, int]:
        """The place of each document."""
        return {doc_id: row for row, doc_id in enumerate(self.doc_ids)}

    def of_split(self, split: str | None) -> tuple[Query, ...]:
        """The queries of a named part, in the collection's order; all of them without a name."""
        if split is None:
            return self.queries
        if split not in self.splits:
            there = ", ".join(self.splits) or "none"
            raise InputError(f'collection "{self.name}" has no split "{split}"; it has {there}')
        wanted = set(self.splits[split])
        return tuple(query for query in self.queries if query.query_id in wanted)


@dataclass(frozen=True, slots=True)
class Ranking:
    """One answer: documents, best first."""

    query_id: str
    doc_ids: Ids
    scores: tuple[float, ...]

    def __post_init__(self) -> None:
        if len(self.doc_ids) != len(self.scores):
            raise MisalignedError(f"{len(self.doc_ids)} documents but {len(self.scores)} scores")


@dataclass(frozen=True, eq=False)
class Run:
    """What one retriever answers to many queries. Row r of every ranking is `doc_ids[r]`.

    Rankings are kept as they came. Metrics order them: score descending, then doc_id ascending.
    """

    name: str
    query_ids: Ids
    doc_ids: Ids
    starts: Rows
    """Where each query's ranking begins; one more than there are queries."""
    rows: Rows
    scores: Floats

    def __post_init__(self) -> None:
        if len(self.starts) != len(self.query_ids) + 1:
            raise MisalignedError(f"{len(self.query_ids)} queries but {len(self.starts) - 1} rankings")
        if not len(self.rows) == len(self.scores) == int(self.starts[-1]):
            raise MisalignedError(f"{len(self.rows)} documents but {len(self.scores)} scores")

    def __len__(self) -> int:
        return len(self.query_ids)

    @classmethod
    def of(cls, name: str, doc_ids: Sequence[str], rankings: Iterable[tuple[str, Rows, Floats]]) -> Run:
        """From the ranking of each query: its id, rows and scores."""
        answers = list(rankings)
        starts = np.array([0, *accumulate(len(rows) for _, rows, _ in answers)], dtype=np.int64)
        rows = np.concatenate([np.zeros(0, np.int64), *(rows for _, rows, _ in answers)]).astype(np.int64)
        scores = np.concatenate([np.zeros(0), *(scores for _, _, scores in answers)]).astype(np.float64)
        return cls(name, tuple(query_id for query_id, _, _ in answers), tuple(doc_ids), starts, rows, scores)

    @cached_property
    def place_of(self) -> Mapping[str, int]:
        """The place of each query."""
        return {query_id: place for place, query_id in enumerate(self.query_ids)}

    def answer(self, query_id: str) -> tuple[Rows, Floats]:
        """Rows and scores for one query; both empty where it has none."""
        place = self.place_of.get(query_id)
        if place is None:
            return np.zeros(0, np.int64), np.zeros(0)
        part = slice(int(self.starts[place]), int(self.starts[place + 1]))
        return self.rows[part], self.scores[part]

    def ranking(self, query_id: str) -> Ranking:
        """One answer with ids."""
        rows, scores = self.answer(query_id)
        return Ranking(query_id, tuple(self.doc_ids[row] for row in rows), tuple(map(float, scores)))
