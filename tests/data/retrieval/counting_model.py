"""A model that counts words, as retrievers open one; remembers what it was asked, and stops when told to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from core.collections import Document
from core.types import Vectors
from data.collections import documents_key
from data.models.embedders import EmbedderName
from data.models.embedding_model import EmbeddingEstimate, EmbeddingModel, Mishaps, estimate
from data.retrieval.collections import RetrievalCorpus
from tests.core.retrieval.vector_fakes import count_words, word_vectors

FAKE = "st:someone/counts-words"


@dataclass
class CountingModel:
    """One row per text: its words counted. Texts with "cut" are cut, and those with "refused" have no vector."""

    model_id: str = "counts-words"
    fingerprint: str = "counts words"
    first_batch: int = 4
    mishaps: Mishaps = field(default_factory=Mishaps)
    asked: list[str] = field(default_factory=list)
    queries: list[str] = field(default_factory=list)
    before_call: Callable[[int], None] = lambda n_asked: None

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.before_call(len(self.asked))
        self.asked.extend(texts)
        self.mishaps.cut.update(text for text in texts if "cut" in text)
        self.mishaps.refused.update({text: "no" for text in texts if "refused" in text})
        return count_words(["" if "refused" in text else text for text in texts])

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        self.queries.extend(texts)
        return count_words(texts)

    def embed_tokens(self, texts: Sequence[str]) -> list[Vectors]:
        self.before_call(len(self.asked))
        self.asked.extend(texts)
        return [word_vectors(text) for text in texts]

    def embed_query_tokens(self, texts: Sequence[str]) -> list[Vectors]:
        self.queries.extend(texts)
        return [word_vectors(text) for text in texts]

    def estimate(self, texts: Sequence[str]) -> EmbeddingEstimate:
        return estimate(texts, self.model_id)

    def opened(self, name: EmbedderName) -> EmbeddingModel:
        """What is handed to an opener."""
        assert name.stored == self.model_id
        return self


def corpus_of(documents: Sequence[Document], folder: Path) -> RetrievalCorpus:
    """With its folder below another."""
    key = documents_key(documents)
    return RetrievalCorpus(tuple(documents), key, folder / key)


def numbered(n: int) -> tuple[Document, ...]:
    """Documents of which no two are alike."""
    return tuple(Document(f"d{i:04}", f"Title {i}", f"text number{i} word{i % 7} word{i % 11}") for i in range(n))
