"""The `late_interaction` retriever over a corpus: a first stage's candidates by their token vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np

from core.errors import InputError
from core.protocols import OnStage, silent
from core.retrieval.base import Retriever
from core.retrieval.dense import has_words
from core.retrieval.late_interaction import LateInteraction
from core.retrieval.spec import Spec
from core.types import Vectors
from data.embedders import EmbedderName, read_name
from data.retrieval.corpus import Corpus, Opened
from data.retrieval.embedding import OpenNamed, opened_model, readable
from data.retrieval.token_vectors import TokenVectors
from data.store import content_hash

KEPT = (
    "token vectors are made when a document is first a candidate, and kept: the first query that meets it waits; "
    "texts longer than the model reads are compared by their beginning"
)


@runtime_checkable
class TokenModel(Protocol):
    """A model that gives a vector for each token."""

    @property
    def fingerprint(self) -> str:
        """Changes with anything that changes a vector."""
        ...

    def embed_tokens(self, texts: Sequence[str]) -> list[Vectors]:
        """For each text one unit row per token."""
        ...

    def embed_query_tokens(self, texts: Sequence[str]) -> list[Vectors]:
        """The same for queries."""
        ...


def open_late_interaction(
    corpus: Corpus,
    spec: Spec,
    first: Retriever,
    on_stage: OnStage = silent,
    *,
    open_model: OpenNamed = opened_model,
) -> Opened:
    """Ranks `spec.candidates` documents of the first stage again, by the model that `spec.embedder` names."""
    name, model = _model(spec.embedder, open_model)
    folder = corpus.folder / f"tokens-{content_hash([model.fingerprint])}"
    on_stage(f"reading {name.stored}")
    model.embed_query_tokens(["a query"])

    def texts_of(rows: Sequence[int]) -> list[str]:
        return [corpus.documents[row].whole for row in rows]

    def embed(texts: Sequence[str]) -> list[Vectors]:
        asked = [place for place, text in enumerate(texts) if has_words(text)]
        found = model.embed_tokens([readable(texts[place]) for place in asked]) if asked else []
        none = np.zeros((0, found[0].shape[1] if found else 1), dtype=np.float32)
        tokens_of = dict(zip(asked, found, strict=True))
        return [tokens_of.get(place, none) for place in range(len(texts))]

    def embed_query(text: str) -> Vectors:
        return model.embed_query_tokens([readable(text)])[0]

    kept = TokenVectors(folder, texts_of, embed)
    retriever = LateInteraction(first, spec.candidates, corpus.id_ranks, embed_query, kept.of)
    return Opened(retriever, notes=(KEPT,))


def _model(embedder: str | None, open_model: OpenNamed) -> tuple[EmbedderName, TokenModel]:
    name = read_name(embedder) if embedder else None
    if name is None or name.provider != "sentence_transformers":
        raise InputError(
            "late interaction needs a sentence-transformers model, since others give no vectors of single words: "
            "late_interaction:st:NAME_OR_FOLDER"
        )
    model = open_model(name)
    if not isinstance(model, TokenModel):
        raise InputError(f'"{name.stored}" gives no vectors of single words: choose another model')
    return name, model
