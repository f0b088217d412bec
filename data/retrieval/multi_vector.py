"""The `multi_vector` retriever over a corpus: documents are cut into chunks, and each gets a vector."""

from __future__ import annotations

from itertools import accumulate

import numpy as np

from core.protocols import OnStage, silent
from core.ranking.check import Rows
from core.retrieval.multi_vector import OVERLAP, SIZE, MultiVector, chunks, n_chunks
from core.retrieval.spec import Spec
from data.retrieval.corpus import Corpus, Opened
from data.retrieval.embedding import OpenNamed, Texts, corpus_vectors, opened_model


def open_multi_vector(
    corpus: Corpus, spec: Spec, on_stage: OnStage = silent, *, open_model: OpenNamed = opened_model
) -> Opened:
    """One vector per chunk by `spec.embedder`; both ways to put them together share these."""
    texts, starts = chunks_of(corpus)
    made = corpus_vectors(corpus, texts, spec.embedder, on_stage, open_model=open_model)
    retriever = MultiVector(
        made.vectors,
        starts,
        corpus.id_ranks,
        made.embed_queries,
        aggregate=spec.aggregate,
        scorable_mask=made.scorable_mask,
    )
    cut = f"documents are cut into {texts.n:,} chunks of up to {SIZE} words, {OVERLAP} of them shared with the next"
    return Opened(retriever, made.seconds, made.n_bytes, (cut, *made.notes))


def chunks_of(corpus: Corpus) -> tuple[Texts, Rows]:
    """All chunks, cut again whenever they are read, and where those of each document begin."""
    counts = [_n_chunks(document.title, document.text) for document in corpus.documents]
    starts = np.array([0, *accumulate(counts)], dtype=np.int64)

    def read(start: int, end: int) -> list[str]:
        first = int(np.searchsorted(starts, start, side="right")) - 1
        last = int(np.searchsorted(starts, end, side="left"))
        some = [chunk for document in corpus.documents[first:last] for chunk in chunks(document.title, document.text)]
        return some[start - int(starts[first]) : end - int(starts[first])]

    return Texts(int(starts[-1]), f"chunks of {SIZE} words, {OVERLAP} shared", "chunks", read), starts


def _n_chunks(title: str, text: str) -> int:
    n_words = len(text.split())
    return n_chunks(n_words) if n_words or title.strip() else 0
