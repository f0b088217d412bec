"""Which entities may satisfy a query that a person wrote: its own, what a text search finds, what relations give."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from threading import Lock

from core.errors import InputError, NotFoundError
from core.knowledge.spans import Entity
from core.knowledge.templates import Template
from core.protocols import OnStage, silent
from core.ranking.check import Query
from core.retrieval.spec import Spec
from data.collections.stored import documents_key
from data.knowledge.base import KnowledgeBase
from data.paths import WorkspacePaths
from data.retrieval.corpus import Corpus
from data.retrieval.opening import open_retriever

MOST_BY_TEXT = 20
MOST_BY_RELATIONS = 200
OWN, BY_TEXT, BY_RELATIONS = "what you write for", "found by text", "found by relations"


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entity that may satisfy a query."""

    entity: Entity
    why: tuple[str, ...]
    """What speaks for it, in words."""


class TextSearch:
    """Searches the texts of the entities that questions ask for. Threads may share one: each waits its turn."""

    def __init__(self, corpus: Corpus, on_stage: OnStage = silent) -> None:
        self.doc_ids = corpus.doc_ids
        self._retriever = open_retriever(corpus, Spec("bm25"), on_stage).retriever
        self._lock = Lock()

    @classmethod
    def of(cls, base: KnowledgeBase, paths: WorkspacePaths, on_stage: OnStage = silent) -> TextSearch:
        """Over a knowledge base; the index is made the first time."""
        on_stage("reading texts")
        documents = tuple(base.documents())
        key = documents_key(documents)
        return cls(Corpus(documents, key, paths.retrieval(key)), on_stage)

    def find(self, text: str, k: int = MOST_BY_TEXT) -> tuple[str, ...]:
        """The ids of the best."""
        with self._lock:
            hits = self._retriever.search(Query("written", text), k)
        return tuple(self.doc_ids[row] for row in hits.rows)


@dataclass(frozen=True, slots=True)
class Relational:
    """A template whose blanks the writer filled."""

    template: Template
    given: Mapping[str, Sequence[str]]
    """For each blank the ids of what fills it."""


def candidates_for(
    base: KnowledgeBase, entity_id: str, by_text: Sequence[str], relational: Relational | None = None
) -> tuple[tuple[Candidate, ...], int]:
    """What a writer is asked to tick, the entity itself first, and how many the relations alone give.

    Of these the first `MOST_BY_RELATIONS` are among the candidates.
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
    return tuple(Candidate(entity, tuple(why[entity.row])) for entity in found), n_related


def _related(base: KnowledgeBase, relational: Relational) -> tuple[Sequence[int], int]:
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
