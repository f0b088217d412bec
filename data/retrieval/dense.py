"""The `dense` retriever over a corpus: its vectors are made, or opened where they are."""

from __future__ import annotations

from core.protocols import OnStage, silent
from core.retrieval.dense import Dense
from core.retrieval.spec import Spec
from data.retrieval.corpus import Corpus, Opened
from data.retrieval.embedding import OpenNamed, corpus_vectors, opened_model, whole_documents


def open_dense(
    corpus: Corpus, spec: Spec, on_stage: OnStage = silent, *, open_model: OpenNamed = opened_model
) -> Opened:
    """One vector per document by `spec.embedder`, compared exactly."""
    made = corpus_vectors(corpus, whole_documents(corpus), spec.embedder, on_stage, open_model=open_model)
    retriever = Dense(made.vectors, corpus.id_ranks, made.embed_queries, scorable_mask=made.scorable_mask)
    return Opened(retriever, made.seconds, made.n_bytes, made.notes)
