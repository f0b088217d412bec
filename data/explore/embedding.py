"""Embed a topic's publications in batches that survive an interruption, with a cost preview."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from core.errors import InputError, MisalignedError, NotFoundError
from core.explore.evaluate import Evaluation
from core.protocols import Embedder, OnProgress, silent
from core.text import publication_text
from core.types import EmbeddedSet, Ids, Mask, Vectors
from core.vectors import normalise
from data.explore.scoring import ScoringCase
from data.files import WorkspacePaths, file_sha256, written_aside
from data.lookup import check_topic, there_is
from data.memory import are_sound_vectors, key_for, sound_arrays
from data.models.chat import alone
from data.models.destination import find_destination
from data.models.embedders import EMBEDDERS, PROVIDERS, SPELLINGS, EmbedderName, read_name
from data.models.embedding_model import EmbeddingEstimate, EmbeddingModel, Mishaps
from data.store import Store, content_hash
from data.vectors import VectorCatalogue, embedding_id_for

# Finished batches of vectors on disk, until they are listed: a killed run loses at most the current batch.
#
# The key of a vector identifies its model and its text, so it is found again whatever publications were added or
# removed.

Part = tuple[list[str], Vectors, Mask]


@dataclass(frozen=True, slots=True)
class VectorParts:
    root: Path
    fingerprint: str
    topic_id: str

    @property
    def own_folder(self) -> Path:
        return self.root / self.fingerprint[:16] / content_hash([self.topic_id])

    def keep(self, keys: Sequence[str], vectors: Vectors, scorable_mask: Mask) -> None:
        with written_aside(self.own_folder / f"{content_hash(keys)}.npz") as file:
            np.savez(file, keys=np.array(keys, dtype=np.str_), vectors=vectors, scorable_mask=scorable_mask)

    def load(self) -> Iterator[Part]:
        """Yield this model's finished parts, for any topic. Damaged parts are deleted, to be embedded again."""
        for path in self._files():
            part = _read(path)
            if part is not None:
                yield part
            else:
                with suppress(OSError):
                    path.unlink()

    def forget(self, listed: Container[str]) -> None:
        """Delete this topic's parts, other topics' fully listed parts, and those with another fingerprint.

        Call it after this topic's vectors were listed.
        """
        for folder in self.root.glob("*"):
            if folder.name != self.fingerprint[:16]:
                shutil.rmtree(folder, ignore_errors=True)
        shutil.rmtree(self.own_folder, ignore_errors=True)
        for path in self._files():
            part = _read(path)
            if part is None or all(key in listed for key in part[0]):
                with suppress(OSError):
                    path.unlink()
        for left in (*self.root.glob("*/*"), *self.root.glob("*"), self.root):
            with suppress(OSError):  # not empty: it holds parts of another topic
                left.rmdir()

    def _files(self) -> list[Path]:
        return sorted((self.root / self.fingerprint[:16]).glob("*/*.npz"))


def _read(path: Path) -> Part | None:
    """Return a part; None if it is damaged, and has to be embedded again."""
    arrays = sound_arrays(path, "keys", "vectors", "scorable_mask")
    if arrays is None or not are_sound_vectors(*arrays[1:]):
        return None
    keys, vectors, scorable_mask = arrays
    fits = keys.dtype.kind == "U" and keys.shape == (len(vectors),)
    return (keys.tolist(), vectors, scorable_mask) if fits else None


# Vectors for a topic: only for texts without a vector of this model, in batches that survive a kill.

BATCH = 512
"""Largest number of texts between two progress reports."""
SECONDS_PER_BATCH = 2.0
Row = npt.NDArray[np.float32]
RowOf = dict[str, Row | None]
"""Unit vector of each text, by key; None: it can't be scored."""


@dataclass(frozen=True, slots=True)
class EmbedTarget:
    embedder: str
    topic_id: str
    is_shared: bool
    """True: the vectors serve any topic."""
    fingerprint: str

    @property
    def embedding_id(self) -> str:
        return embedding_id_for(self.embedder, self.owner)

    @property
    def owner(self) -> str | None:
        return None if self.is_shared else self.topic_id

    @property
    def mark(self) -> str:
        """Prefix of the key of every text of a shared model; it identifies the model of each vector."""
        return f"{self.fingerprint[:8]}:" if self.is_shared else ""

    def key(self, text: str) -> str:
        return self.mark + content_hash([self.fingerprint, text])

    def parts(self, paths: WorkspacePaths) -> VectorParts:
        return VectorParts(paths.vectors / self.embedding_id / "parts", self.fingerprint, self.topic_id)


@dataclass(frozen=True, slots=True)
class EmbedNeed:
    n_publications: int
    key_of: Mapping[str, str]
    """Key of each publication that has no vector of its text."""
    text_of: Mapping[str, str]
    """Texts to embed, by key, each once."""
    same_as: Mapping[str, str]
    """For each key whose text already has a vector: the publication with that vector."""


def need_of(store: Store, catalogue: VectorCatalogue, target: EmbedTarget) -> EmbedNeed:
    """Compare the topic's texts with the listed vectors. Imported vectors of the same name are kept."""
    ids = store.topic_publication_ids(target.topic_id)
    texts = topic_texts(store, ids)
    known = catalogue.made_from(target.embedding_id)
    _check_same_model(target, known)
    brought = catalogue.brought_ids(target.embedding_id) if target.is_shared else frozenset()
    listed = {key: publication_id for publication_id, key in known.items()}
    key_of = {i: target.key(text) for i, text in zip(ids, texts, strict=True) if i not in brought}
    lacking = {i: key for i, key in key_of.items() if known.get(i) != key}
    text_by_id = dict(zip(ids, texts, strict=True))
    wanted = {key: text_by_id[i] for i, key in lacking.items() if key not in listed and text_by_id[i].strip()}
    same_as = {key: listed[key] for key in lacking.values() if key in listed}
    return EmbedNeed(len(ids), lacking, wanted, same_as)


def topic_texts(store: Store, ids: Sequence[str]) -> list[str]:
    """Return the title and abstract of each publication; an empty text for an unknown one."""
    text_of = {p.publication_id: publication_text(p.title, p.abstract) for p in store.load_publications(ids)}
    return [text_of.get(i, "") for i in ids]


def _check_same_model(target: EmbedTarget, known: Mapping[str, str]) -> None:
    marks = {key.partition(":")[0] for key in known.values()} if target.is_shared else set()
    if marks - {target.fingerprint[:8]}:
        raise InputError(
            f'"{target.embedder}" has vectors of another model of that name already (other weights, or another '
            "service): choose another name with --name"
        )


@dataclass(frozen=True, eq=False)
class TextVectors:
    row_of: RowOf
    n_from_parts: int


def embed_texts(
    text_of: Mapping[str, str],
    embedder: Embedder,
    parts: VectorParts,
    *,
    on_progress: OnProgress | None = None,
    first_batch: int = BATCH,
    n_dimensions: int | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> TextVectors:
    """Return unit vectors by key. Vectors of an earlier run are reused; each new batch is saved at once."""
    row_of: RowOf = {}
    for keys, rows, mask in parts.load():
        row_of |= {k: v if ok else None for k, v, ok in zip(keys, rows, mask, strict=True) if k in text_of}
        n_dimensions = n_dimensions or (rows.shape[1] if mask.any() else None)
    n_taken, left = len(row_of), [key for key in text_of if key not in row_of]
    if on_progress and n_taken:
        on_progress(n_taken, len(text_of))
    batch, start = min(first_batch, BATCH), 0
    while start < len(left):
        keys, began = left[start : start + batch], clock()
        vectors = embedder.embed([text_of[key] for key in keys])
        _check_shape(vectors, len(keys), n_dimensions, embedder.model_id)
        rows, mask = normalise(vectors)
        n_dimensions = n_dimensions or (rows.shape[1] if mask.any() else None)
        parts.keep(keys, rows, mask)
        row_of |= {k: v if ok else None for k, v, ok in zip(keys, rows, mask, strict=True)}
        start += len(keys)
        batch = next_batch(batch, clock() - began)
        if on_progress:
            on_progress(n_taken + start, len(text_of))
    return TextVectors(row_of, n_taken)


def _check_shape(vectors: Row, n_texts: int, n_dimensions: int | None, name: str) -> None:
    if len(vectors) != n_texts:
        raise MisalignedError(f"{name} gave {len(vectors)} vectors for {n_texts} texts")
    if n_dimensions is not None and vectors.any() and vectors.shape[1] != n_dimensions:
        raise InputError(
            f'there are vectors of {n_dimensions} dimensions under this name already, "{name}" gives '
            f"{vectors.shape[1]}: choose another name with --name"
        )


def next_batch(size: int, seconds: float) -> int:
    """Return a batch size that shows progress every few seconds. It changes in steps: one slow answer says little.

    >>> next_batch(64, 0.1), next_batch(64, 4.0), next_batch(64, 60.0), next_batch(BATCH, 0.0)
    (128, 32, 16, 512)
    """
    fitting = int(size * SECONDS_PER_BATCH / max(seconds, 1e-3))
    return max(1, min(fitting, 2 * size, BATCH), size // 4)


def embed_topic(
    store: Store,
    catalogue: VectorCatalogue,
    paths: WorkspacePaths,
    topic_id: str,
    embedder: str,
    *,
    on_progress: OnProgress | None = None,
) -> EmbedReport:
    """Embed, with a model fitted to the topic, every publication without a vector of its text."""
    model_path = paths.models / f"{embedding_id_for(embedder, topic_id)}.npz"

    def texts() -> Sequence[str]:
        return topic_texts(store, store.topic_publication_ids(topic_id))

    # An unfitted model is fitted first: its vectors are not compatible with those of an earlier model.
    model = None if model_path.exists() else EMBEDDERS[embedder](model_path, texts)
    model_hash = file_sha256(model_path) if model_path.exists() else embedder
    target = EmbedTarget(embedder, topic_id, False, model_hash)
    run = _Run(store, catalogue, target, need_of(store, catalogue, target))
    if run.need.key_of:
        model = model or EMBEDDERS[embedder](model_path, texts)
    report = run.go(model, paths, BATCH, on_progress)
    catalogue.mark_covered(target.embedding_id, store.topic_state(topic_id))
    return report


def embed_shared(
    store: Store,
    catalogue: VectorCatalogue,
    paths: WorkspacePaths,
    target: EmbedTarget,
    model: EmbeddingModel,
    *,
    on_progress: OnProgress | None = None,
) -> EmbedReport:
    """Embed, with a model that serves any topic, every publication of one topic without a vector of its text."""
    run = _Run(store, catalogue, target, need_of(store, catalogue, target), model.mishaps)
    return run.go(model, paths, model.first_batch, on_progress)


@dataclass(frozen=True, eq=False)
class _Run:
    store: Store
    catalogue: VectorCatalogue
    target: EmbedTarget
    need: EmbedNeed
    mishaps: Mishaps = field(default_factory=Mishaps)

    def go(
        self, model: Embedder | None, paths: WorkspacePaths, first_batch: int, on_progress: OnProgress | None
    ) -> EmbedReport:
        ids = tuple(self.need.key_of)
        unscorable: Ids = ()
        n_embedded = 0
        if ids and model:
            self.store.check_writable()  # checked before anything is paid for
            parts = self.target.parts(paths)
            done = embed_texts(
                self.need.text_of,
                model,
                parts,
                on_progress=on_progress,
                first_batch=first_batch,
                n_dimensions=self._n_dimensions() if self.target.is_shared else None,
            )
            n_embedded = len(self.need.text_of) - done.n_from_parts
            unscorable = self._list(ids, done.row_of | self._rows_of_others())
            parts.forget(set(self.catalogue.made_from(self.target.embedding_id).values()))
        n_blank = sum(
            key not in self.need.text_of and key not in self.need.same_as for key in self.need.key_of.values()
        )
        return EmbedReport(
            self.target.embedder,
            (self.target.topic_id,),
            self._n_with_vectors(),
            len(unscorable),
            len(ids),
            n_cut=len(self.mishaps.cut),
            n_reused=len(ids) - n_blank - n_embedded,
            refused_ids=self._refused(),
        )

    def _list(self, ids: Ids, row_of: RowOf) -> Ids:
        """List the vectors of these publications; return those that can't be scored."""
        rows = [(i, row) for i in ids if (row := row_of.get(self.need.key_of[i])) is not None]
        unscorable = tuple(i for i in ids if row_of.get(self.need.key_of[i]) is None)
        n_dimensions = len(rows[0][1]) if rows else self._n_dimensions()
        if n_dimensions is None:
            raise InputError(
                f'none of the {len(ids)} publications of "{self.target.topic_id}" has a text that can be embedded: '
                "are titles and abstracts missing?"
            )
        vectors: Vectors = np.empty((len(rows), n_dimensions), dtype=np.float32)
        for place, (_, row) in enumerate(rows):
            vectors[place] = row
        embedded = EmbeddedSet(tuple(i for i, _ in rows), vectors, self.target.embedder)
        self.catalogue.add(self.target.embedder, self.target.owner, embedded, unscorable, self.need.key_of)
        return unscorable

    def _rows_of_others(self) -> RowOf:
        """Return vectors that other publications have for identical texts."""
        found = self.catalogue.find(self.target.embedder, self.target.topic_id)
        if found is None or not self.need.same_as:
            return {}
        others = self.catalogue.load(found, list(dict.fromkeys(self.need.same_as.values())))
        row_of = dict(zip(others.ids, others.vectors, strict=True))
        return {key: row_of.get(other) for key, other in self.need.same_as.items()}

    def _n_dimensions(self) -> int | None:
        found = self.catalogue.find(self.target.embedder, self.target.topic_id)
        return found.n_dimensions if found and found.embedding_id == self.target.embedding_id else None

    def _n_with_vectors(self) -> int:
        coverage = self.catalogue.coverage(self.target.topic_id)
        return next((c.n_with_vectors for c in coverage if c.embedding.embedding_id == self.target.embedding_id), 0)

    def _refused(self) -> Ids:
        refused = {self.target.key(text) for text in self.mishaps.refused}
        return tuple(i for i, key in self.need.key_of.items() if key in refused)


@dataclass(frozen=True, slots=True)
class EmbedReport:
    embedder: str
    topics: tuple[str, ...]
    n_with_vectors: int
    n_unscorable: int
    n_new: int
    n_unmatched: int = 0
    n_repeated: int = 0
    n_cut: int = 0
    """Texts of which only the beginning could be embedded."""
    n_reused: int = 0
    """New here, but already embedded: by a run that was stopped, or for another publication with the same text."""
    refused_ids: Ids = ()
    """Publications whose text the service rejected; they can't be scored."""


# Resolve the name of an embedder, preview its cost, and run it for a topic of the workspace.


@dataclass(frozen=True, slots=True)
class EmbedRequest:
    embedder: str
    model: str | None = None
    base_url: str | None = None
    name: str | None = None
    """Name to list the vectors under; None: the model's own name."""


@dataclass(frozen=True, slots=True)
class EmbedPreview:
    embedder: str
    topic: str
    n_publications: int
    n_new: int
    """Publications that would get a vector."""
    estimate: EmbeddingEstimate
    """Estimate for the texts that no earlier run has finished."""
    sends_to: str = ""
    """The host that the texts go to; empty: they stay on this machine."""

    @property
    def costs(self) -> bool:
        """True if it may cost money. A price of 0 means that it runs on this machine."""
        return self.estimate.dollars != 0


@dataclass(frozen=True, slots=True)
class _Chosen:
    name: EmbedderName
    stored: str
    base_url: str | None

    def opened(self, topic_id: str) -> tuple[EmbeddingModel, EmbedTarget]:
        model = PROVIDERS[self.name.provider](self.name.spelled_model, self.base_url)
        return model, EmbedTarget(self.stored, topic_id, True, model.fingerprint)


def embed(
    store: Store,
    catalogue: VectorCatalogue,
    paths: WorkspacePaths,
    topic_id: str,
    wish: EmbedRequest,
    on_progress: OnProgress | None = None,
) -> EmbedReport:
    """Embed every publication of a topic that has no vector of its text by this model."""
    check_topic(store, topic_id)
    with alone(store, f"embed {wish.embedder}", lambda _: on_progress or silent(""), ""):
        chosen = _choose(store, wish)
        if chosen is None:
            return embed_topic(store, catalogue, paths, topic_id, wish.embedder, on_progress=on_progress)
        model, target = chosen.opened(topic_id)
        report = embed_shared(store, catalogue, paths, target, model, on_progress=on_progress)
        _remember(store, chosen)
        return report


def preview(
    store: Store, catalogue: VectorCatalogue, paths: WorkspacePaths, topic_id: str, wish: EmbedRequest
) -> EmbedPreview:
    """Estimate what embedding would take, without sending or writing anything."""
    check_topic(store, topic_id)
    chosen = _choose(store, wish)
    if chosen is None:
        return _preview_of_fitted(store, catalogue, paths, topic_id, wish.embedder)
    model, target = chosen.opened(topic_id)
    need = need_of(store, catalogue, target)
    finished = {key for keys, _, _ in target.parts(paths).load() for key in keys}
    left = [text for key, text in need.text_of.items() if key not in finished]
    host = find_destination(chosen.base_url).host if chosen.name.provider == "openai" else ""
    return EmbedPreview(chosen.stored, topic_id, need.n_publications, len(need.key_of), model.estimate(left), host)


def _preview_of_fitted(
    store: Store, catalogue: VectorCatalogue, paths: WorkspacePaths, topic_id: str, embedder: str
) -> EmbedPreview:
    model_path = paths.models / f"{embedding_id_for(embedder, topic_id)}.npz"
    fingerprint = file_sha256(model_path) if model_path.exists() else embedder
    need = need_of(store, catalogue, EmbedTarget(embedder, topic_id, False, fingerprint))
    n_tokens = EmbeddingEstimate(len(need.text_of), 0, 0.0, "")
    return EmbedPreview(embedder, topic_id, need.n_publications, len(need.key_of), n_tokens)


def _choose(store: Store, wish: EmbedRequest) -> _Chosen | None:
    """Resolve the requested embedder; None for one that is fitted to the topic."""
    if wish.embedder in EMBEDDERS:
        if wish.model or wish.base_url or wish.name:
            raise InputError(f'"{wish.embedder}" takes no --model, --base-url or --name')
        return None
    name = read_name(wish.embedder, wish.model)
    base_url = wish.base_url
    stored = wish.name or (name.stored if name else "")
    if name is None:  # the name its vectors are listed under
        kept = store.recall(_key(wish.embedder))
        if kept is None:
            names = there_is([*EMBEDDERS, *SPELLINGS.split(", ")[1:]])
            raise NotFoundError(f'no embedder "{wish.embedder}"; {names}')
        before = json.loads(kept[0])
        name, stored = EmbedderName(before["provider"], before["model"]), wish.embedder
        base_url = base_url or before["base_url"]
    elif base_url is None and (kept := store.recall(_key(stored))):
        base_url = json.loads(kept[0])["base_url"]
    if not stored.strip() or stored in EMBEDDERS:
        raise InputError(f'"{stored}" can\'t name these vectors: choose another name with --name')
    return _Chosen(name, stored, base_url)


def _key(stored: str) -> str:
    return key_for("embedder", stored)


def _remember(store: Store, chosen: _Chosen) -> None:
    """Store how these vectors were made, so that their name alone is enough next time. API keys are never stored."""
    document = {"provider": chosen.name.provider, "model": chosen.name.spelled_model, "base_url": chosen.base_url}
    store.remember(_key(chosen.stored), "embedder", json.dumps(document), None)


def with_what_waits(catalogue: VectorCatalogue, case: ScoringCase, evaluation: Evaluation) -> Evaluation:
    """Add a warning if publications have no vectors yet and their model runs only on request."""
    whole = evaluation.n_unscorable == 0 and evaluation.n_core_with_vectors == len(evaluation.core_ids)
    if whole or case.embedding.topic_id is not None:
        return evaluation
    n = catalogue.n_without(case.embedding, case.core.topic_id, case.row.version.query_id)
    if not n:
        return evaluation
    command = f'embed --topic "{case.core.topic_id}" --embedder {case.embedding.embedder}'
    return replace(
        evaluation, warnings=(*evaluation.warnings, f"{n:,} publications have no vectors yet: run {command}")
    )
