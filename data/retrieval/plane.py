"""Project documents and entities onto two dimensions, and find candidate entities for a query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from core.collections import Document, Query
from core.errors import InputError, NotFoundError
from core.explore.landscape import principal_axes
from core.knowledge.entities import Entity, Rows
from core.knowledge.templates import Template
from core.protocols import OnStage, silent
from core.retrieval.dense import EmbedQueries, has_words
from core.retrieval.specs import Spec
from core.types import Floats, Points, Vectors
from core.vectors import BLOCK_ROWS, normalise
from data.collections import documents_key
from data.files import WorkspacePaths, open_or_make
from data.knowledge.base import KnowledgeBase
from data.knowledge.templates import Walk, moves_to, reached
from data.retrieval.collections import RetrievalCorpus
from data.retrieval.dense import corpus_vectors, whole_documents
from data.retrieval.retrievers import DEFAULT_EMBEDDER, open_retriever
from data.store import content_hash

# Every document of a corpus on a plane: the two directions in which the vectors of an embedder differ most (PCA).
#
# It is computed once and stored next to the vectors. A query is placed in the same two directions.

LAYOUT = 1
MOST_FITTED = 5_000
"""Documents that the directions are fitted to, evenly spread; all documents are placed."""
MOST_DOCUMENTS_SAMPLED = 1_000
POINTS, AXES = "points.npy", "axes.npz"


@dataclass(frozen=True, eq=False)
class Plane:
    points: Points
    """Shape (n, 2); NaN for a document without a vector."""
    kept_share: float
    """The share of the variance of the vectors in the plane, 0 to 1."""
    mean: Floats
    axes: Floats
    embed_queries: EmbedQueries

    def place(self, text: str) -> tuple[float, float] | None:
        """Return the position of a query; None: it has no words that the embedder knows."""
        if not has_words(text):
            return None
        unit, known_mask = normalise(self.embed_queries([text]))
        if not known_mask[0]:
            return None
        x, y = (unit[0].astype(np.float64) - self.mean) @ self.axes
        return float(x), float(y)


def open_plane(corpus: RetrievalCorpus, embedder: str, on_stage: OnStage = silent) -> Plane:
    """Open the plane of these documents by this embedder; missing vectors and positions are computed."""
    made = corpus_vectors(corpus, whole_documents(corpus), embedder, on_stage)

    def make(folder: Path) -> Mapping[str, Any]:
        on_stage(f"projecting {len(corpus.documents):,} documents")
        return _make(folder, made.vectors, np.flatnonzero(made.scorable_mask))

    made_of = f"{LAYOUT} {corpus.key} {_fingerprint(made.vectors)}"
    kept = open_or_make(corpus.folder / f"plane-{content_hash([embedder])}", made_of, make)
    points = np.load(kept.folder / POINTS, allow_pickle=False)
    with np.load(kept.folder / AXES, allow_pickle=False) as fitted:
        mean, axes = fitted["mean"], fitted["axes"]
    return Plane(points, float(kept.facts["kept_share"]), mean, axes, made.embed_queries)


def _make(folder: Path, vectors: Vectors, rows: npt.NDArray[np.int64]) -> Mapping[str, Any]:
    points = np.full((len(vectors), 2), np.nan)
    mean, axes, kept_share = fit_axes(vectors[rows[:: max(len(rows) // MOST_FITTED, 1)]])
    for start in range(0, len(rows), BLOCK_ROWS):
        block = rows[start : start + BLOCK_ROWS]
        points[block] = (vectors[block].astype(np.float64) - mean) @ axes
    np.save(folder / POINTS, points, allow_pickle=False)
    np.savez(folder / AXES, mean=mean, axes=axes)
    return {"kept_share": kept_share}


def fit_axes(vectors: Vectors) -> tuple[Floats, Floats, float]:
    """Return the mean, the two directions of the largest variance, and the share of the variance in them."""
    d = vectors.shape[1]
    if len(vectors) < 2 or d < 1:
        return np.zeros(d), np.zeros((d, 2)), 0.0
    mean = vectors.mean(axis=0, dtype=np.float64)
    centred = (vectors - mean).astype(np.float64)
    axes = principal_axes(centred, 2)
    if axes.shape[1] < 2:
        axes = np.pad(axes, ((0, 0), (0, 2 - axes.shape[1])))
    whole = float((centred**2).sum())
    kept = float(((centred @ axes) ** 2).sum())
    return mean, axes, min(kept / whole, 1.0) if whole > 0 else 0.0


def _fingerprint(vectors: Vectors) -> str:
    """Return a fingerprint that changes with the model, without reading every vector."""
    some = np.ascontiguousarray(vectors[:: max(len(vectors) // MOST_DOCUMENTS_SAMPLED, 1)])
    return f"{vectors.shape} {sha256(some.tobytes()).hexdigest()[:20]}"


# Entities on a plane by their texts: a sample that is projected once, and any others placed among them.

MOST_ENTITIES_SAMPLED = 5_000
MOST_HIGHLIGHTED = 200
LONGEST_TEXT = 20_000
"""Maximum characters of an entity's text that are read."""


@dataclass(frozen=True, eq=False)
class EntityPlane:
    type: str
    rows: Rows
    """The sample, followed by the highlighted entities outside it."""
    points: Points
    """Shape (n, 2); NaN for an entity whose text has no words."""
    n_all: int
    """Number of entities of the type."""
    kept_share: float
    """The share of the variance of the texts' vectors in the plane, 0 to 1."""


@dataclass(frozen=True, eq=False)
class HighlightedEntities:
    type: str
    own: Rows
    """The entity itself if it is of the type, otherwise the entities at the end of the shortest path."""
    near: Rows
    """Neighbours of the same type; only if the entity itself is of the type."""
    n_own: int
    n_near: int
    """The full numbers; at most 200 of each are highlighted."""


def highlighted(base: KnowledgeBase, row: int) -> HighlightedEntities | None:
    """Find the entities to highlight for one; None if no path of three steps leads to a type that questions ask for."""
    kind = base.type_of(row)
    if kind in base.answer_types:
        near = _near(base, row, kind)
        return HighlightedEntities(kind, np.array([row]), near[:MOST_HIGHLIGHTED], 1, len(near))
    moves = moves_to(base, kind, base.answer_types)
    if moves is None:
        return None
    own = reached(base, Walk((row,), moves))
    return HighlightedEntities(moves[-1].type, own[:MOST_HIGHLIGHTED], np.zeros(0, np.int64), len(own), 0)


def _near(base: KnowledgeBase, row: int, kind: str) -> Rows:
    found: dict[int, None] = {}
    for count in base.neighbour_counts(row):
        if count.type == kind:
            limit = MOST_HIGHLIGHTED + 1
            near = base.neighbours(row, count.relation, count.direction, kind, limit=limit)
            found.update(dict.fromkeys(entity.row for entity in near if entity.row != row))
    return np.array(list(found), dtype=np.int64)


def sampled_rows(base: KnowledgeBase, type: str) -> Rows:
    """Return a fixed, evenly spread sample of at most `MOST_ENTITIES_SAMPLED` entities of a type."""
    kind = base.types[type]
    return np.unique(
        np.linspace(kind.first, kind.first + kind.n - 1, min(MOST_ENTITIES_SAMPLED, kind.n)).astype(np.int64)
    )


def lay_out(
    base: KnowledgeBase, paths: WorkspacePaths, type: str, more: Sequence[int] = (), on_stage: OnStage = silent
) -> EntityPlane:
    """Place a sample of the type, and `more` entities. The sample's vectors and positions are stored on disk."""
    if type not in base.types:
        raise InputError(f'knowledge base "{base.about.name}" has no entities of type "{type[:80]}"')
    on_stage("reading texts")
    sample = sampled_rows(base, type)
    documents = documents_of(base, sample)
    key = documents_key(documents)
    plane = open_plane(RetrievalCorpus(documents, key, paths.retrieval(key)), DEFAULT_EMBEDDER, on_stage)
    there = set(sample.tolist())
    others = [row for row in dict.fromkeys(map(int, more)) if row not in there][: 2 * MOST_HIGHLIGHTED]
    on_stage("projecting highlighted entities")
    placed = [plane.place(document.whole) for document in documents_of(base, others)]
    beyond = np.array([place or (np.nan, np.nan) for place in placed]).reshape(-1, 2)
    return EntityPlane(
        type,
        np.concatenate([sample, np.array(others, dtype=np.int64)]),
        np.concatenate([plane.points, beyond]),
        base.types[type].n,
        plane.kept_share,
    )


def documents_of(base: KnowledgeBase, rows: Sequence[int] | Rows) -> tuple[Document, ...]:
    """Return the texts of these entities, cut if they are long."""
    wanted = list(map(int, rows))
    texts = dict(
        base.rows(
            """
            SELECT row, left(text, $longest) FROM texts WHERE row IN (SELECT unnest($rows::INTEGER[]))
            """,
            {"rows": wanted, "longest": LONGEST_TEXT},
        )
    )
    return tuple(
        Document(entity.entity_id, entity.title[:LONGEST_TEXT], texts[entity.row]) for entity in base.entities(wanted)
    )


# Candidates for a query that a user wrote: its own entity, and those found by text search or by relations.

MOST_BY_TEXT = 20
MOST_BY_RELATIONS = 200
OWN, BY_TEXT, BY_RELATIONS = "what you write for", "found by text", "found by relations"


@dataclass(frozen=True, slots=True)
class AnswerCandidate:
    entity: Entity
    why: tuple[str, ...]
    """The reasons for it, in words."""


class TextSearch:
    """A search in the texts of the entities that questions ask for. Threads share one by taking turns."""

    def __init__(self, corpus: RetrievalCorpus, on_stage: OnStage = silent) -> None:
        self.doc_ids = corpus.doc_ids
        self._retriever = open_retriever(corpus, Spec("bm25"), on_stage).retriever
        self._lock = Lock()

    @classmethod
    def of(cls, base: KnowledgeBase, paths: WorkspacePaths, on_stage: OnStage = silent) -> TextSearch:
        """Open the search over a knowledge base; the first call builds the index."""
        on_stage("reading texts")
        documents = tuple(base.documents())
        key = documents_key(documents)
        return cls(RetrievalCorpus(documents, key, paths.retrieval(key)), on_stage)

    def find(self, text: str, k: int = MOST_BY_TEXT) -> tuple[str, ...]:
        with self._lock:
            hits = self._retriever.search(Query("written", text), k)
        return tuple(self.doc_ids[row] for row in hits.rows)


@dataclass(frozen=True, slots=True)
class FilledTemplate:
    """A template with the blanks filled by the writer."""

    template: Template
    given: Mapping[str, Sequence[str]]
    """For each blank, the ids of the entities in it."""


def candidates_for(
    base: KnowledgeBase, entity_id: str, by_text: Sequence[str], relational: FilledTemplate | None = None
) -> tuple[tuple[AnswerCandidate, ...], int]:
    """Return the candidates to tick, the entity itself first, and the number of answers by relations alone.

    The first `MOST_BY_RELATIONS` of these answers are among the candidates.
    """
    rows, n_related = _related(base, relational) if relational else ((), 0)
    own = base.entity(entity_id)
    why: dict[int, list[str]] = {own.row: [OWN]}
    for row in rows:
        why.setdefault(row, []).append(BY_RELATIONS)
    row_of = base.rows_of(by_text)
    for doc_id in by_text:
        if doc_id in row_of:
            why.setdefault(row_of[doc_id], []).append(BY_TEXT)
    both_first = sorted(why, key=lambda row: (row != own.row, -len(why[row])))
    found = base.entities(both_first)
    return tuple(AnswerCandidate(entity, tuple(why[entity.row])) for entity in found), n_related


def _related(base: KnowledgeBase, relational: FilledTemplate) -> tuple[Sequence[int], int]:
    row_of = base.rows_of([one for ids in relational.given.values() for one in ids])
    given = {}
    for slot, ids in relational.given.items():
        if missing := [one for one in ids if one not in row_of]:
            raise NotFoundError(f'knowledge base "{base.about.name}" has no entity "{missing[0][:80]}"')
        given[slot] = [row_of[one] for one in ids]
    if any(not ids for ids in given.values()):
        raise InputError("fill every blank of the template, or choose none")
    rows = base.answers(relational.template, given)
    return rows[:MOST_BY_RELATIONS].tolist(), len(rows)
