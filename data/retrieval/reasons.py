"""What retrievers say of single documents for one query: where these stand in the whole collection, and by what words.

Every retriever that can be asked here and at no cost ranks the whole collection; a reranker's first stage in its place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

import numpy as np

from core.protocols import OnStage, silent
from core.ranking.check import Query
from core.retrieval.base import Hits
from core.retrieval.bm25 import TermShare
from core.retrieval.spec import Spec
from core.retrieval.why import Deep, Words
from data.embedders import EMBEDDERS, read_name
from data.retrieval.corpus import Corpus
from data.retrieval.opening import first_of, needs, open_retriever, settled

RERANKERS = ("late_interaction", "llm_reranker")


@runtime_checkable
class Explains(Protocol):
    """Says what each word of a query gives to a document."""

    def explain(self, query: Query, row: int) -> tuple[TermShare, ...]:
        """The most first, those that it lacks last."""
        ...


@dataclass(frozen=True, eq=False)
class Reasons:
    """What was found out."""

    deep: Mapping[str, Mapping[str, tuple[Deep, ...]]]
    """By a retriever's text and a document's id, as a standing holds it. One that was not asked is not there."""
    words: Mapping[str, Words]
    """By a document's id."""
    not_asked: tuple[str, ...]
    """Why retrievers were not asked, a sentence each."""


def asked_specs(spec: Spec) -> tuple[Spec, ...]:
    """The retrievers that are asked to rank everything in place of this one; none: it would cost, or has no order.

    A hybrid fuses as much of two rankings as is asked of it, so both of them are asked: by words, then by vectors.
    """
    spec = replace(settled(spec), name="")
    if spec.kind in (*RERANKERS, "graph"):
        spec = first_of(spec)
    if spec.kind == "boolean" or is_service(spec.embedder) or needs(spec) is not None:
        return ()
    if spec.kind == "hybrid":
        return Spec("bm25", k1=spec.k1, b=spec.b, analysis=spec.analysis), Spec("dense", embedder=spec.embedder)
    return (spec,)


def is_service(embedder: str | None) -> bool:
    """Whether a query's vector would be asked for over the network."""
    name = None if embedder is None or embedder in EMBEDDERS else read_name(embedder)
    return name is not None and name.provider != "sentence_transformers"


def reasons_for(
    corpus: Corpus, query: Query, doc_ids: Sequence[str], specs: Sequence[Spec], on_stage: OnStage = silent
) -> Reasons:
    """Of these documents, for this query. Indexes that are not there are made."""
    row_of = {doc_id: row for row, doc_id in enumerate(corpus.doc_ids)}
    rows = {doc_id: row_of[doc_id] for doc_id in doc_ids if doc_id in row_of}
    deep: dict[str, Mapping[str, tuple[Deep, ...]]] = {}
    by_asked: dict[str, Mapping[str, Deep]] = {}
    not_asked: list[str] = []
    for spec in specs:
        asked = asked_specs(spec)
        for each in asked:
            if each.text not in by_asked:
                hits = open_retriever(corpus, each, on_stage).retriever.search(query, len(corpus.documents))
                by_asked[each.text] = _deep(hits, rows, len(corpus.documents))
        if asked:
            deep[spec.text] = {doc_id: tuple(by_asked[each.text][doc_id] for each in asked) for doc_id in rows}
        elif spec.kind != "boolean":
            not_asked.append(f"{spec.label} was not asked again: it needs a service, or what is not here.")
    return Reasons(deep, _words(corpus, query, rows, specs, on_stage), tuple(dict.fromkeys(not_asked)))


def _deep(hits: Hits, rows: Mapping[str, int], n: int) -> Mapping[str, Deep]:
    place = np.zeros(n, dtype=np.int64)
    place[hits.rows] = np.arange(1, len(hits) + 1)
    return {
        doc_id: Deep(int(rank) or None, float(hits.scores[rank - 1]) if rank else None, n)
        for doc_id, row in rows.items()
        for rank in (int(place[row]),)
    }


def _words(
    corpus: Corpus, query: Query, rows: Mapping[str, int], specs: Sequence[Spec], on_stage: OnStage
) -> Mapping[str, Words]:
    """By the words of the first BM25 among the retrievers, else of the usual one."""
    spec = next((spec for spec in specs if spec.kind == "bm25"), Spec("bm25"))
    retriever = open_retriever(corpus, replace(spec, name=""), on_stage).retriever
    if not isinstance(retriever, Explains):
        return {}
    return {doc_id: Words.of(retriever.explain(query, row)) for doc_id, row in rows.items()}
