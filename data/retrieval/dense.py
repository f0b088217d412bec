"""Retrievers over vectors: `dense`, `multi_vector` and `late_interaction`, and their vectors on disk."""

from __future__ import annotations

import json
import shutil
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from itertools import accumulate, pairwise
from pathlib import Path
from typing import BinaryIO, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from core.collections import Rows
from core.errors import CorruptStoreError, InputError, MisalignedError, StoreError
from core.protocols import OnProgress, OnStage, silent
from core.retrieval.dense import DenseRetriever, EmbedQueries, has_words
from core.retrieval.late_interaction import LateInteraction
from core.retrieval.multi_vector import OVERLAP, SIZE, MultiVectorRetriever, chunks, n_chunks
from core.retrieval.retriever import Retriever
from core.retrieval.specs import Spec
from core.types import Mask, Vectors
from core.vectors import normalise
from data.digests import check_bytes, written_with_digests
from data.explore.embedding import BATCH, next_batch
from data.files import file_sha256, written_aside
from data.memory import are_sound_vectors, sound_arrays
from data.models.embedders import EMBEDDERS, PROVIDERS, SPELLINGS, EmbedderName, read_name
from data.models.embedding_model import EmbeddingModel, Mishaps
from data.retrieval.collections import OpenedRetriever, RetrievalCorpus
from data.store import content_hash

# Vectors of many texts in one memory-mapped file, made in parts: the next run starts with the finished parts.
#
# vectors-KEY/
#     parts/000000000.npz   rows from 0 on, while the file is being made
#     vectors.npy           float32, unit rows; zeros for texts that can't be scored
#     scorable.npy          a mask of the other rows
#     about.json            written last: without it the file is incomplete

VERSION = 1
FILES = ("vectors.npy", "scorable.npy", "about.json")
MOST_ROWS = 8_192
"""Maximum rows of one part."""
SECONDS_PER_PART = 2.0
"""The time after which a part is saved."""
ReadTexts = Callable[[int, int], list[str]]
"""A function from a range of rows to their texts."""


@dataclass(frozen=True, eq=False)
class VectorBatch:
    vectors: Vectors
    n_cut: int = 0
    """Texts of which only the beginning was read."""
    n_refused: int = 0


EmbedBatch = Callable[[list[str]], VectorBatch]


@dataclass(frozen=True, slots=True)
class VectorFileInfo:
    n_rows: int
    n_dimensions: int
    seconds: float
    """The total time to make it, over all runs."""
    n_cut: int
    n_refused: int
    version: int = VERSION


@dataclass(frozen=True, eq=False)
class StoredVectors:
    vectors: Vectors
    """Memory-mapped."""
    scorable_mask: Mask
    about: VectorFileInfo
    n_bytes: int


@dataclass(frozen=True, eq=False)
class _Part:
    vectors: Vectors
    scorable_mask: Mask
    seconds: float
    n_cut: int
    n_refused: int

    def __len__(self) -> int:
        return len(self.scorable_mask)


@dataclass(frozen=True, slots=True)
class VectorFile:
    """The vectors of some texts by one model, in a folder of their own."""

    folder: Path

    def open(self, n_rows: int) -> StoredVectors | None:
        """Return the vectors if they are complete and intact."""
        try:
            for name in FILES:
                check_bytes(self.folder / name)
            about = VectorFileInfo(**json.loads((self.folder / "about.json").read_text("utf-8")))
            # View the map as a plain array, so that results computed from it are not maps.
            vectors = np.load(self.folder / "vectors.npy", mmap_mode="r", allow_pickle=False).view(np.ndarray)
            scorable_mask = np.load(self.folder / "scorable.npy", allow_pickle=False)
        except (CorruptStoreError, OSError, ValueError, TypeError, EOFError):
            return None
        fits = vectors.shape == (n_rows, about.n_dimensions) and vectors.dtype == np.float32
        if about.version != VERSION or not fits or scorable_mask.shape != (n_rows,) or scorable_mask.dtype != np.bool_:
            return None
        return StoredVectors(vectors, scorable_mask, about, vectors.nbytes + scorable_mask.nbytes)

    def make(
        self,
        n_rows: int,
        read: ReadTexts,
        embed: EmbedBatch,
        *,
        first_batch: int,
        seconds_before: float = 0.0,
        on_progress: OnProgress | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> StoredVectors:
        """Embed the rows that no earlier run has finished, and combine all parts into one file."""
        run = _Run(self.folder / "parts", n_rows, read, embed, on_progress or (lambda done, total: None), clock)
        lengths: list[int] = []
        start, batch = 0, first_batch
        while start < n_rows:
            part = run.finished(start)
            if part is None:
                part, batch = run.embedded(start, batch, max(1, first_batch // 4))
            lengths.append(len(part))
            start += len(part)
            run.on_progress(start, n_rows)
        with suppress(_Changed):  # another run has combined them in the meantime, so they exist
            self._put_together(run, lengths, seconds_before)
        shutil.rmtree(self.folder / "parts", ignore_errors=True)
        stored = self.open(n_rows)
        if stored is None:
            raise StoreError(f"the vectors in {self.folder} changed while they were made: run it again")
        return stored

    def _put_together(self, run: _Run, lengths: list[int], seconds: float) -> None:
        rows, masks, n_cut, n_refused = _Rows(run.n_rows), [], 0, 0
        with written_with_digests(self.folder / "vectors.npy") as file:
            for start, length in zip(accumulate(lengths, initial=0), lengths, strict=False):
                part = run.finished(start)
                if part is None or len(part) != length:
                    raise _Changed
                rows.add(part, file)
                masks.append(part.scorable_mask)
                seconds, n_cut, n_refused = seconds + part.seconds, n_cut + part.n_cut, n_refused + part.n_refused
            n_dimensions = rows.finished()
        with written_with_digests(self.folder / "scorable.npy") as file:
            np.save(file, np.concatenate(masks))
        with written_with_digests(self.folder / "about.json") as file:
            file.write(json.dumps(asdict(VectorFileInfo(run.n_rows, n_dimensions, seconds, n_cut, n_refused))).encode())


class _Changed(Exception):
    """The parts changed in the meantime."""


@dataclass(frozen=True, eq=False)
class _Run:
    folder: Path
    n_rows: int
    read: ReadTexts
    embed: EmbedBatch
    on_progress: OnProgress
    clock: Callable[[], float]

    def finished(self, start: int) -> _Part | None:
        """Return the part that begins here if an earlier run finished it. A damaged one is deleted."""
        path = self.folder / f"{start:09}.npz"
        part = _read_part(path) if path.exists() else None
        if part is None or not 0 < len(part) <= self.n_rows - start:
            with suppress(OSError):
                path.unlink(missing_ok=True)
            return None
        return part

    def embedded(self, start: int, batch: int, least: int) -> tuple[_Part, int]:
        """Return the next part, and the batch size: never below `least`, since each call has a fixed cost.

        Finished batches are saved even if the run stops.
        """
        done: list[_Part] = []
        at, began = start, self.clock()
        try:
            while at < min(self.n_rows, start + MOST_ROWS) and (at == start or self.clock() - began < SECONDS_PER_PART):
                end, batch_began = min(self.n_rows, at + batch, start + MOST_ROWS), self.clock()
                found = self.embed(self.read(at, end))
                if len(found.vectors) != end - at:
                    raise MisalignedError(f"the model gave {len(found.vectors)} vectors for {end - at} texts")
                took = self.clock() - batch_began
                done.append(_Part(*normalise(found.vectors), took, found.n_cut, found.n_refused))
                batch, at = max(next_batch(batch, took), least), end
                self.on_progress(at, self.n_rows)
        finally:
            if done:
                part = _joined(done)
                self._keep(start, part)
        return part, batch

    def _keep(self, start: int, part: _Part) -> None:
        with written_aside(self.folder / f"{start:09}.npz") as file:
            np.savez(
                file,
                vectors=part.vectors,
                scorable_mask=part.scorable_mask,
                counts=np.array([part.seconds, part.n_cut, part.n_refused], dtype=np.float64),
            )


def _joined(parts: list[_Part]) -> _Part:
    """Concatenate parts. A batch in which nothing could be embedded may have any width."""
    width = next((p.vectors.shape[1] for p in parts if p.scorable_mask.any()), 1)
    rows = [p.vectors if p.scorable_mask.any() else np.zeros((len(p), width), np.float32) for p in parts]
    return _Part(
        np.concatenate(rows),
        np.concatenate([p.scorable_mask for p in parts]),
        sum(p.seconds for p in parts),
        sum(p.n_cut for p in parts),
        sum(p.n_refused for p in parts),
    )


def _read_part(path: Path) -> _Part | None:
    """Return a part; None if it is damaged, and has to be made again."""
    arrays = sound_arrays(path, "vectors", "scorable_mask", "counts")
    if arrays is None or arrays[2].shape != (3,) or not are_sound_vectors(*arrays[:2]):
        return None
    vectors, scorable_mask, counts = arrays
    seconds, n_cut, n_refused = counts.tolist()
    return _Part(vectors, scorable_mask, seconds, int(n_cut), int(n_refused))


class _Rows:
    """A writer of one .npy from the front; the width is taken from the first real vector."""

    def __init__(self, n_rows: int) -> None:
        self._n_rows = n_rows
        self._n_dimensions = 0
        self._n_waiting = 0

    def add(self, part: _Part, file: BinaryIO) -> None:
        if not part.scorable_mask.any():
            self._zeros(len(part), file)
            return
        width = part.vectors.shape[1]
        if not self._n_dimensions:
            self._n_dimensions = width
            header = {"descr": "<f4", "fortran_order": False, "shape": (self._n_rows, width)}
            np.lib.format.write_array_header_1_0(file, header)
            self._zeros(self._n_waiting, file)
        if width != self._n_dimensions:
            raise MisalignedError(f"vectors of {self._n_dimensions} and of {width} dimensions from one model")
        file.write(np.ascontiguousarray(part.vectors, dtype="<f4").data)

    def _zeros(self, n_rows: int, file: BinaryIO) -> None:
        if not self._n_dimensions:
            self._n_waiting += n_rows
            return
        row = bytes(4 * self._n_dimensions)
        for start in range(0, n_rows, MOST_ROWS):
            file.write(row * min(MOST_ROWS, n_rows - start))

    def finished(self) -> int:
        if not self._n_dimensions:
            raise InputError(
                f"none of the {self._n_rows:,} texts can be embedded: are titles and texts missing, or is it the model?"
            )
        return self._n_dimensions


# Vectors of a corpus's documents, or of their chunks, by an embedder named as for `--embedder`.

OpenNamed = Callable[[EmbedderName], EmbeddingModel]


@dataclass(frozen=True, slots=True)
class EmbeddingTexts:
    n: int
    kind: str
    """The way the corpus was split; part of the key."""
    noun: str
    """The plural noun for the texts."""
    read: ReadTexts


@dataclass(frozen=True, eq=False)
class CorpusVectors:
    vectors: Vectors
    scorable_mask: Mask
    embed_queries: EmbedQueries
    seconds: float
    n_bytes: int
    notes: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class _Encoder:
    name: str
    fingerprint: str
    embed: EmbedQueries
    embed_queries: EmbedQueries
    first_batch: int = BATCH
    mishaps: Mishaps = field(default_factory=Mishaps)
    fit_seconds: float = 0.0
    n_bytes: int = 0
    is_local: bool = False
    """The model is loaded with the first text, which takes seconds."""

    def batch(self, texts: list[str]) -> VectorBatch:
        """Embed some texts; those without words are skipped."""
        n_cut, n_refused = len(self.mishaps.cut), len(self.mishaps.refused)
        asked = [place for place, text in enumerate(texts) if has_words(text)]
        found = self.embed([readable(texts[place]) for place in asked]) if asked else np.zeros((0, 1), np.float32)
        if len(asked) == len(texts):
            rows = found
        else:
            rows = np.zeros((len(texts), found.shape[1]), dtype=np.float32)
            rows[asked] = found
        return VectorBatch(rows, len(self.mishaps.cut) - n_cut, len(self.mishaps.refused) - n_refused)

    def directions(self, texts: Sequence[str]) -> Vectors:
        return self.embed_queries([readable(text) for text in texts])


def readable(text: str) -> str:
    """Replace lone surrogates, which neither a tokenizer nor a service accepts.

    >>> readable("heat \\udcff")
    'heat ?'
    """
    return text.encode("utf-8", errors="replace").decode()


def opened_model(name: EmbedderName) -> EmbeddingModel:
    """Open the provider's model; the address of a service comes from the environment."""
    return PROVIDERS[name.provider](name.spelled_model, None)


def whole_documents(corpus: RetrievalCorpus) -> EmbeddingTexts:
    def read(start: int, end: int) -> list[str]:
        return [document.whole for document in corpus.documents[start:end]]

    return EmbeddingTexts(len(corpus.documents), "documents", "documents", read)


def corpus_vectors(
    corpus: RetrievalCorpus,
    texts: EmbeddingTexts,
    embedder: str | None,
    on_stage: OnStage,
    *,
    open_model: OpenNamed = opened_model,
) -> CorpusVectors:
    """Open the vectors of these texts, or make them. An interrupted run is resumed."""
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


def _encoder(corpus: RetrievalCorpus, embedder: str | None, on_stage: OnStage, open_model: OpenNamed) -> _Encoder:
    if embedder is None:
        raise InputError(f"choose an embedder: {SPELLINGS}")
    if embedder in EMBEDDERS:
        return _fitted(corpus, embedder, on_stage)
    name = read_name(embedder)
    if name is None:
        raise InputError(f'no embedder "{embedder[:80]}"; there are {SPELLINGS}')
    model = open_model(name)
    return _Encoder(
        name.stored,
        model.fingerprint,
        model.embed,
        model.embed_queries,
        model.first_batch,
        model.mishaps,
        is_local=name.is_local,
    )


def _fitted(corpus: RetrievalCorpus, embedder: str, on_stage: OnStage) -> _Encoder:
    """Open a model fitted to these documents, and store it next to their vectors."""
    path, began = corpus.folder / f"{embedder}.npz", time.monotonic()
    is_new = not path.exists()
    if is_new:
        on_stage(f"fitting {embedder} to {len(corpus.documents):,} documents")
    model = EMBEDDERS[embedder](path, lambda: [document.whole for document in corpus.documents])
    seconds = time.monotonic() - began if is_new else 0.0
    fingerprint, n_bytes = (file_sha256(path), path.stat().st_size) if path.exists() else (embedder, 0)
    return _Encoder(embedder, fingerprint, model.embed, model.embed, fit_seconds=seconds, n_bytes=n_bytes)


def _notes(stored: StoredVectors, texts: EmbeddingTexts) -> tuple[str, ...]:
    about, all_of = stored.about, f"of {texts.n:,} {texts.noun}"
    n_without = texts.n - int(np.count_nonzero(stored.scorable_mask)) - about.n_refused
    parts = []
    if about.n_cut:
        parts.append(f"{about.n_cut:,} {all_of} are longer than the model's limit: only their beginning is compared")
    if about.n_refused:
        parts.append(f"{about.n_refused:,} {all_of} were refused by the service: they are never found")
    if n_without > 0:
        parts.append(f"{n_without:,} {all_of} have no words that the model knows: they are never found")
    return tuple(parts)


# The `dense` retriever over a corpus, with stored or new vectors.


def open_dense(
    corpus: RetrievalCorpus, spec: Spec, on_stage: OnStage = silent, *, open_model: OpenNamed = opened_model
) -> OpenedRetriever:
    """Open a retriever with one vector per document by `spec.embedder`, compared exactly."""
    made = corpus_vectors(corpus, whole_documents(corpus), spec.embedder, on_stage, open_model=open_model)
    retriever = DenseRetriever(made.vectors, corpus.id_ranks, made.embed_queries, scorable_mask=made.scorable_mask)
    return OpenedRetriever(retriever, made.seconds, made.n_bytes, made.notes)


# The `multi_vector` retriever over a corpus: documents are split into chunks with one vector each.


def open_multi_vector(
    corpus: RetrievalCorpus, spec: Spec, on_stage: OnStage = silent, *, open_model: OpenNamed = opened_model
) -> OpenedRetriever:
    """Open a retriever with one vector per chunk by `spec.embedder`; both aggregations share the vectors."""
    texts, starts = chunks_of(corpus)
    made = corpus_vectors(corpus, texts, spec.embedder, on_stage, open_model=open_model)
    retriever = MultiVectorRetriever(
        made.vectors,
        starts,
        corpus.id_ranks,
        made.embed_queries,
        aggregate=spec.aggregate,
        scorable_mask=made.scorable_mask,
    )
    cut = f"documents are cut into {texts.n:,} chunks of up to {SIZE} words, {OVERLAP} of them shared with the next"
    return OpenedRetriever(retriever, made.seconds, made.n_bytes, (cut, *made.notes))


def chunks_of(corpus: RetrievalCorpus) -> tuple[EmbeddingTexts, Rows]:
    """Return all chunks, which are split again on every read, and the start of each document's chunks."""
    counts = [_n_chunks(document.title, document.text) for document in corpus.documents]
    starts = np.array([0, *accumulate(counts)], dtype=np.int64)

    def read(start: int, end: int) -> list[str]:
        first = int(np.searchsorted(starts, start, side="right")) - 1
        last = int(np.searchsorted(starts, end, side="left"))
        some = [chunk for document in corpus.documents[first:last] for chunk in chunks(document.title, document.text)]
        return some[start - int(starts[first]) : end - int(starts[first])]

    return EmbeddingTexts(int(starts[-1]), f"chunks of {SIZE} words, {OVERLAP} shared", "chunks", read), starts


def _n_chunks(title: str, text: str) -> int:
    n_words = len(text.split())
    return n_chunks(n_words) if n_words or title.strip() else 0


# Token vectors of documents: made when a document is first requested, and stored on disk for the next time.
#
# tokens-KEY/
#     NAME.npy    float16, the tokens of some documents one after the other: half the size of float32
#     NAME.json   the documents, and the number of tokens of each; written last

KEPT_BYTES = 2**28
"""Maximum bytes of float32 vectors in memory, since numpy takes longer to widen float16 than to compare it."""
Halves = npt.NDArray[np.float16]
EmbedTokens = Callable[[list[str]], Sequence[Vectors]]
"""A function from texts to one matrix each."""


@dataclass(frozen=True, slots=True)
class _Place:
    name: str
    start: int
    end: int


class TokenVectors:
    """Token vectors by row of the corpus. Threads must not share one; processes may share the folder."""

    def __init__(self, folder: Path, texts_of: Callable[[Sequence[int]], list[str]], embed: EmbedTokens) -> None:
        self._folder, self._texts_of, self._embed = folder, texts_of, embed
        self._place_of: dict[int, _Place] = {}
        self._near: OrderedDict[int, Vectors] = OrderedDict()
        self._near_bytes = 0
        for path in sorted(folder.glob("*.json")):
            self._list(path)

    def of(self, rows: Rows) -> list[Vectors]:
        """Return the tokens of these documents as unit rows in float16 precision; none for one without words."""
        asked = rows.tolist()
        found = {row: self._known(row) for row in dict.fromkeys(asked)}
        missing = [row for row, tokens in found.items() if tokens is None]
        if missing:
            found |= self._made(missing)
        out = [found[row] for row in asked]
        return [tokens for tokens in out if tokens is not None]

    def _known(self, row: int) -> Vectors | None:
        if row in self._near:
            self._near.move_to_end(row)
            return self._near[row]
        place = self._place_of.get(row)
        halves = self._read(place) if place else None
        return None if halves is None else self._remembered(row, halves)

    def _remembered(self, row: int, halves: Halves) -> Vectors:
        tokens: Vectors = halves.astype(np.float32)
        self._near[row] = tokens
        self._near_bytes += tokens.nbytes
        while self._near_bytes > KEPT_BYTES and len(self._near) > 1:
            _, oldest = self._near.popitem(last=False)
            self._near_bytes -= oldest.nbytes
        return tokens

    def _made(self, rows: list[int]) -> dict[int, Vectors | None]:
        """Embed documents and store their tokens, converted to float16 at once so that later reads are equal."""
        halves = [tokens.astype(np.float16) for tokens in self._embed(self._texts_of(rows))]
        width = max((tokens.shape[1] for tokens in halves if len(tokens)), default=1)
        together = np.concatenate([tokens.reshape(-1, width) for tokens in halves])
        name = content_hash([*map(str, rows)])
        counts = [len(tokens) for tokens in halves]
        with written_with_digests(self._folder / f"{name}.npy") as file:
            np.save(file, together)
        with written_with_digests(self._folder / f"{name}.json") as file:
            file.write(json.dumps({"rows": rows, "counts": counts}).encode())
        self._list(self._folder / f"{name}.json")
        return {row: self._remembered(row, tokens) for row, tokens in zip(rows, halves, strict=True)}

    def _list(self, path: Path) -> None:
        """Index the documents in a file. A damaged list is ignored, and its documents are embedded again."""
        try:
            check_bytes(path)
            about = json.loads(path.read_text("utf-8"))
            rows, counts = [int(row) for row in about["rows"]], [int(n) for n in about["counts"]]
        except (CorruptStoreError, OSError, ValueError, TypeError, KeyError):
            return
        bounds = pairwise(accumulate(counts, initial=0))
        self._place_of |= {row: _Place(path.stem, *ends) for row, ends in zip(rows, bounds, strict=False)}

    def _read(self, place: _Place) -> Halves | None:
        path = self._folder / f"{place.name}.npy"
        try:
            check_bytes(path)
            halves = np.load(path, mmap_mode="r", allow_pickle=False)
        except (CorruptStoreError, OSError, ValueError, EOFError):
            return None
        if halves.ndim != 2 or halves.dtype != np.float16 or len(halves) < place.end:
            with suppress(OSError):
                path.unlink()
            return None
        return np.array(halves[place.start : place.end])


# The `late_interaction` retriever over a corpus: a first stage's candidates by their token vectors.

KEPT = (
    "token vectors are computed when a document first becomes a candidate, then stored, so early queries take "
    "longer; of texts longer than the model's limit, only the beginning is compared"
)


@runtime_checkable
class TokenModel(Protocol):
    @property
    def fingerprint(self) -> str:
        """A hash that changes with anything that changes a vector."""
        ...

    def embed_tokens(self, texts: Sequence[str]) -> list[Vectors]:
        """Return one unit row per token for each text."""
        ...

    def embed_query_tokens(self, texts: Sequence[str]) -> list[Vectors]: ...


def open_late_interaction(
    corpus: RetrievalCorpus,
    spec: Spec,
    first: Retriever,
    on_stage: OnStage = silent,
    *,
    open_model: OpenNamed = opened_model,
) -> OpenedRetriever:
    """Open a reranker of `spec.candidates` documents of the first stage, by the model that `spec.embedder` names."""
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
    return OpenedRetriever(retriever, notes=(KEPT,))


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
