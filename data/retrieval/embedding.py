"""Vectors of a corpus's documents, or of their chunks, by an embedder as `--embedder` names it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from core.errors import InputError
from core.protocols import OnStage
from core.retrieval.dense import EmbedQueries, has_words
from core.types import Mask, Vectors
from data.checksums import file_sha256
from data.embedders import EMBEDDERS, PROVIDERS, SPELLINGS, EmbedderName, read_name
from data.embedders.model import Mishaps, Model
from data.embedding import BATCH
from data.retrieval.corpus import Corpus
from data.retrieval.vector_file import Batch, ReadTexts, StoredVectors, VectorFile
from data.store import content_hash

OpenNamed = Callable[[EmbedderName], Model]


@dataclass(frozen=True, slots=True)
class Texts:
    """What gets vectors."""

    n: int
    kind: str
    """How the corpus was cut; part of the key."""
    noun: str
    """What one of them is called, in the plural."""
    read: ReadTexts


@dataclass(frozen=True, eq=False)
class CorpusVectors:
    """The vectors of texts, and the way from a query to one."""

    vectors: Vectors
    scorable_mask: Mask
    embed_queries: EmbedQueries
    seconds: float
    n_bytes: int
    notes: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class _Encoder:
    """An embedder, whether fitted to these documents or a model of its own."""

    name: str
    fingerprint: str
    embed: EmbedQueries
    embed_queries: EmbedQueries
    first_batch: int = BATCH
    mishaps: Mishaps = field(default_factory=Mishaps)
    fit_seconds: float = 0.0
    n_bytes: int = 0
    is_local: bool = False
    """Read from disk when the first text comes, which takes seconds."""

    def batch(self, texts: list[str]) -> Batch:
        """Vectors of some texts; those without words are not asked for."""
        n_cut, n_refused = len(self.mishaps.cut), len(self.mishaps.refused)
        asked = [place for place, text in enumerate(texts) if has_words(text)]
        found = self.embed([readable(texts[place]) for place in asked]) if asked else np.zeros((0, 1), np.float32)
        if len(asked) == len(texts):
            rows = found
        else:
            rows = np.zeros((len(texts), found.shape[1]), dtype=np.float32)
            rows[asked] = found
        return Batch(rows, len(self.mishaps.cut) - n_cut, len(self.mishaps.refused) - n_refused)

    def directions(self, texts: Sequence[str]) -> Vectors:
        """Vectors of queries."""
        return self.embed_queries([readable(text) for text in texts])


def readable(text: str) -> str:
    """Without halves of characters, which neither a tokenizer nor a service takes.

    >>> readable("heat \\udcff")
    'heat ?'
    """
    return text.encode("utf-8", errors="replace").decode()


def opened_model(name: EmbedderName) -> Model:
    """The provider's model; the address of a service comes from the environment."""
    return PROVIDERS[name.provider](name.spelled_model, None)


def whole_documents(corpus: Corpus) -> Texts:
    """Each document as one text."""

    def read(start: int, end: int) -> list[str]:
        return [document.whole for document in corpus.documents[start:end]]

    return Texts(len(corpus.documents), "documents", "documents", read)


def corpus_vectors(
    corpus: Corpus, texts: Texts, embedder: str | None, on_stage: OnStage, *, open_model: OpenNamed = opened_model
) -> CorpusVectors:
    """The vectors of these texts: opened where they are, made where they are not. A run that stops is gone on with."""
    encoder = _encoder(corpus, embedder, on_stage, open_model)
    file = VectorFile(corpus.folder / f"vectors-{content_hash([encoder.fingerprint, texts.kind])}")
    stored = file.open(texts.n)
    if stored is None:
        on_progress = on_stage(f"embedding {texts.n:,} {texts.noun} with {encoder.name}")
        stored = file.make(
            texts.n,
            texts.read,
            encoder.batch,
            first_batch=min(encoder.first_batch, BATCH),
            seconds_before=encoder.fit_seconds,
            on_progress=on_progress,
        )
    if encoder.is_local:
        on_stage(f"reading {encoder.name}")
        encoder.directions(["a query"])
    return CorpusVectors(
        stored.vectors,
        stored.scorable_mask,
        encoder.directions,
        stored.about.seconds,
        stored.n_bytes + encoder.n_bytes,
        _notes(stored, texts),
    )


def _encoder(corpus: Corpus, embedder: str | None, on_stage: OnStage, open_model: OpenNamed) -> _Encoder:
    if embedder is None:
        raise InputError(f"choose an embedder: {SPELLINGS}")
    if embedder in EMBEDDERS:
        return _fitted(corpus, embedder, on_stage)
    name = read_name(embedder)
    if name is None:
        raise InputError(f'no embedder "{embedder[:80]}"; there are {SPELLINGS}')
    model = open_model(name)
    is_local = name.provider == "sentence_transformers"
    return _Encoder(
        name.stored,
        model.fingerprint,
        model.embed,
        model.embed_queries,
        model.first_batch,
        model.mishaps,
        is_local=is_local,
    )


def _fitted(corpus: Corpus, embedder: str, on_stage: OnStage) -> _Encoder:
    """A model that learns from these documents, and is kept beside what is made of them."""
    path, began = corpus.folder / f"{embedder}.npz", time.monotonic()
    is_new = not path.exists()
    if is_new:
        on_stage(f"fitting {embedder} to {len(corpus.documents):,} documents")
    model = EMBEDDERS[embedder](path, lambda: [document.whole for document in corpus.documents])
    seconds = time.monotonic() - began if is_new else 0.0
    fingerprint, n_bytes = (file_sha256(path), path.stat().st_size) if path.exists() else (embedder, 0)
    return _Encoder(embedder, fingerprint, model.embed, model.embed, fit_seconds=seconds, n_bytes=n_bytes)


def _notes(stored: StoredVectors, texts: Texts) -> tuple[str, ...]:
    """What a reader of results has to know."""
    about, all_of = stored.about, f"of {texts.n:,} {texts.noun}"
    n_without = texts.n - int(np.count_nonzero(stored.scorable_mask)) - about.n_refused
    said = []
    if about.n_cut:
        said.append(f"{about.n_cut:,} {all_of} are longer than the model reads: only their beginning is compared")
    if about.n_refused:
        said.append(f"{about.n_refused:,} {all_of} were refused by the service: they are never found")
    if n_without > 0:
        said.append(f"{n_without:,} {all_of} have no words that the model knows: they are never found")
    return tuple(said)
