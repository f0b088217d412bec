"""Embedding many texts so that a killed run goes on where it stopped: finished batches are kept as parts."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from core.protocols import Embedder, OnProgress
from core.text import publication_text
from core.types import EmbeddedSet, Ids, Vectors
from core.vectors import normalise
from data.checksums import file_sha256
from data.embedders import EMBEDDERS
from data.files import written_aside
from data.paths import WorkspacePaths
from data.records import EmbedReport
from data.store import Store, content_hash
from data.vectors import VectorCatalogue, embedding_id_for

BATCH = 512


def _part_path(folder: Path, ids: Sequence[str], texts: Sequence[str]) -> Path:
    """Named by what it was made from: another text, or another order, is another part."""
    return folder / f"{content_hash([*ids, *texts])}.npz"


def _load_part(path: Path, n: int) -> tuple[Vectors, np.ndarray] | None:
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as part:
            vectors, scorable_mask = part["vectors"], part["scorable_mask"]
    # Zip and npy readers fail on damage in a dozen ways; whatever it is, the part is made anew.
    except Exception:
        return None
    return (vectors, scorable_mask) if len(vectors) == len(scorable_mask) == n else None


def embed_in_parts(
    ids: Sequence[str],
    texts: Sequence[str],
    embedder: Embedder,
    parts: Path,
    *,
    on_progress: OnProgress | None = None,
    batch: int = BATCH,
) -> tuple[EmbeddedSet, Ids]:
    """Vectors of unit length, and the ids that can't be scored. What an earlier run finished is taken over."""
    rows: list[Vectors] = []
    scorable: list[np.ndarray] = []
    for start in range(0, len(ids), batch):
        some_ids, some_texts = ids[start : start + batch], texts[start : start + batch]
        path = _part_path(parts, some_ids, some_texts)
        part = _load_part(path, len(some_ids))
        if part is None:
            part = normalise(embedder.embed(some_texts))
            with written_aside(path) as file:
                np.savez(file, vectors=part[0], scorable_mask=part[1])
        rows.append(part[0])
        scorable.append(part[1])
        if on_progress:
            on_progress(min(start + batch, len(ids)), len(ids))
    mask = np.concatenate(scorable)
    kept = tuple(i for i, ok in zip(ids, mask, strict=True) if ok)
    left_out = tuple(i for i, ok in zip(ids, mask, strict=True) if not ok)
    return EmbeddedSet(kept, np.concatenate(rows)[mask], embedder.model_id), left_out


def embed_topic(
    store: Store,
    catalogue: VectorCatalogue,
    paths: WorkspacePaths,
    topic_id: str,
    embedder: str,
    *,
    on_progress: OnProgress | None = None,
) -> EmbedReport:
    """Vectors for every publication of a topic that has none yet of its text and this model."""
    ids = store.topic_publication_ids(topic_id)
    text_of = {p.publication_id: publication_text(p.title, p.abstract) for p in store.load_publications(ids)}
    texts = [text_of.get(i, "") for i in ids]
    embedding_id = embedding_id_for(embedder, topic_id)
    model_path = paths.models / f"{embedding_id}.npz"
    # A model that has to be fitted is fitted first, because what it gives does not fit beside an earlier model's.
    model = None if model_path.exists() else EMBEDDERS[embedder](model_path, lambda: texts)
    model_hash = file_sha256(model_path) if model_path.exists() else embedder
    made_from = {i: content_hash([model_hash, text]) for i, text in zip(ids, texts, strict=True)}
    known = catalogue.made_from(embedding_id)
    new = {i: text for i, text in zip(ids, texts, strict=True) if known.get(i) != made_from[i]}
    n_unscorable = 0
    if new:
        model = model or EMBEDDERS[embedder](model_path, lambda: texts)
        parts = paths.vectors / embedding_id / "parts"
        of_model = parts / model_hash[:16]
        embedded, unscorable = embed_in_parts(list(new), list(new.values()), model, of_model, on_progress=on_progress)
        catalogue.add(embedder, topic_id, embedded, unscorable, made_from)
        forget_parts(parts)
        n_unscorable = len(unscorable)
    catalogue.mark_covered(embedding_id, store.topic_state(topic_id))
    n = next((c.n_with_vectors for c in catalogue.coverage(topic_id) if c.embedding.embedding_id == embedding_id), 0)
    return EmbedReport(embedder, (topic_id,), n, n_unscorable, len(new))


def forget_parts(parts: Path) -> None:
    """Once the vectors are listed, the parts have done their work."""
    shutil.rmtree(parts, ignore_errors=True)
