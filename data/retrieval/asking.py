"""Ask several retrievers one query over the texts of a knowledge base."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.collections import Collection, Query
from core.errors import QueryscapeError
from core.knowledge.entities import Rows
from core.protocols import OnStage, silent
from core.retrieval.specs import Spec, read_spec
from data.explore.workspace import Workspace
from data.knowledge.base import KnowledgeBase
from data.knowledge.bases import Holders
from data.retrieval.collections import RetrievalCorpus
from data.retrieval.retrievers import needs, open_retriever, settled

FIRST = 20


@dataclass(frozen=True, slots=True)
class Hit:
    doc_id: str
    title: str
    score: float


@dataclass(frozen=True, slots=True)
class RetrieverTrial:
    retriever: str
    hits: tuple[Hit, ...]
    notes: tuple[str, ...] = ()
    error: str = ""
    """The reason why nothing was found; empty: the retriever was asked."""


def corpus_of_base(workspace: Workspace, base: KnowledgeBase) -> RetrievalCorpus:
    """Return the texts of the entities that questions ask for."""
    collection = Collection(base.about.name, tuple(base.documents()), (), ())
    return RetrievalCorpus.of(collection, workspace.paths, Holders.of(workspace.knowledge, workspace.store, collection))


def try_retriever(
    corpus: RetrievalCorpus,
    base: KnowledgeBase,
    text: str,
    spec_text: str,
    on_stage: OnStage = silent,
) -> RetrieverTrial:
    """Return the first hits of one retriever, or the reason why it can't be asked."""
    spec = settled(read_spec(spec_text))
    if spec.kind == "graph":
        spec = Spec("graph", embedder=spec.embedder, knowledge=base.about.name)
    try:
        if lacking := needs(spec, corpus.holders):
            return RetrieverTrial(spec_text, (), error=f"It needs {lacking}.")
        ready = open_retriever(corpus, spec, on_stage)
        on_stage("searching")
        hits = ready.retriever.search(Query("", text), FIRST)
    except QueryscapeError as e:
        return RetrieverTrial(spec_text, (), error=str(e))
    entries = tuple(
        Hit(corpus.documents[row].doc_id, corpus.documents[row].title, float(value))
        for row, value in zip(hits.rows, hits.scores, strict=True)
    )
    return RetrieverTrial(spec_text, entries, hits.notes)


def meeting(base: KnowledgeBase, tried: Sequence[RetrieverTrial], rows: Rows) -> set[str]:
    """Return the documents among the hits that meet a relational requirement. `rows`: all documents that meet it."""
    row_of = base.rows_of([hit.doc_id for each in tried for hit in each.hits])
    found = np.isin(list(row_of.values()), rows)
    return {doc_id for doc_id, does in zip(row_of, found.tolist(), strict=True) if does}
