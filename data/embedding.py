"""Embedding many texts so that a killed run goes on where it stopped: finished batches are kept as parts."""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from core.protocols import Embedder, OnProgress
from core.types import EmbeddedSet, Ids, Vectors
from core.vectors import normalise
from data.files import written_aside
from data.store import content_hash

BATCH = 512


def _part_path(folder: Path, ids: Sequence[str], texts: Sequence[str]) -> Path:
    """Named by what it was made from: another text, or another order, is another part."""
    return folder / f"{content_hash([*ids, *texts])}.npz"


def _load_part(path: Path, n: int) -> tuple[Vectors, np.ndarray] | None:
    try:
        with np.load(path, allow_pickle=False) as part:
            vectors, scorable_mask = part["vectors"], part["scorable_mask"]
    except (OSError, ValueError, EOFError, KeyError, zipfile.BadZipFile):
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


def forget_parts(parts: Path) -> None:
    """Once the vectors are listed, the parts have done their work."""
    shutil.rmtree(parts, ignore_errors=True)
