"""Every document of a corpus on a plane: the two directions in which the vectors of an embedder differ most (PCA).

It is made once and kept beside the vectors. A query is placed by the same two directions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from core.projection import principal_axes
from core.protocols import OnStage, silent
from core.retrieval.dense import EmbedQueries, has_words
from core.types import Floats, Points, Vectors
from core.vectors import BLOCK_ROWS, normalise
from data.retrieval.corpus import Corpus
from data.retrieval.embedding import OpenNamed, corpus_vectors, opened_model, whole_documents
from data.retrieval.kept import open_or_make
from data.store import content_hash

LAYOUT = 1
MOST_FITTED = 5_000
"""Documents that the directions are taken from, evenly spread; all are placed."""
MOST_DOCUMENTS_SAMPLED = 1_000
POINTS, AXES = "points.npy", "axes.npz"


@dataclass(frozen=True, eq=False)
class Plane:
    """Where the documents lie."""

    points: Points
    """Shape (n, 2); NaN for a document without a vector."""
    kept_share: float
    """How much of the differences between vectors the plane keeps, 0 to 1."""
    mean: Floats
    axes: Floats
    embed_queries: EmbedQueries

    def place(self, text: str) -> tuple[float, float] | None:
        """Where a query lies; None: it has no words that the embedder knows."""
        if not has_words(text):
            return None
        unit, known_mask = normalise(self.embed_queries([text]))
        if not known_mask[0]:
            return None
        x, y = (unit[0].astype(np.float64) - self.mean) @ self.axes
        return float(x), float(y)


def open_plane(
    corpus: Corpus, embedder: str, on_stage: OnStage = silent, *, open_model: OpenNamed = opened_model
) -> Plane:
    """The plane of these documents by this embedder; vectors and places that are not there are made."""
    made = corpus_vectors(corpus, whole_documents(corpus), embedder, on_stage, open_model=open_model)

    def make(folder: Path) -> Mapping[str, Any]:
        on_stage(f"laying {len(corpus.documents):,} documents out")
        return _make(folder, made.vectors, np.flatnonzero(made.scorable_mask))

    made_of = f"{LAYOUT} {corpus.key} {_fingerprint(made.vectors)}"
    kept = open_or_make(corpus.folder / f"plane-{content_hash([embedder])}", made_of, make)
    points = np.load(kept.folder / POINTS, allow_pickle=False)
    with np.load(kept.folder / AXES, allow_pickle=False) as fitted:
        mean, axes = fitted["mean"], fitted["axes"]
    return Plane(points, float(kept.facts["kept_share"]), mean, axes, made.embed_queries)


def _make(folder: Path, vectors: Vectors, rows: npt.NDArray[np.int64]) -> Mapping[str, Any]:
    points = np.full((len(vectors), 2), np.nan)
    mean, axes, kept_share = fit_axes(vectors[rows[:: max(len(rows) // MOST_FITTED, 1)]])
    for start in range(0, len(rows), BLOCK_ROWS):
        block = rows[start : start + BLOCK_ROWS]
        points[block] = (vectors[block].astype(np.float64) - mean) @ axes
    np.save(folder / POINTS, points, allow_pickle=False)
    np.savez(folder / AXES, mean=mean, axes=axes)
    return {"kept_share": kept_share}


def fit_axes(vectors: Vectors) -> tuple[Floats, Floats, float]:
    """Their mean, the two directions in which they differ most, and the share of the differences that these keep."""
    d = vectors.shape[1]
    if len(vectors) < 2 or d < 1:
        return np.zeros(d), np.zeros((d, 2)), 0.0
    mean = vectors.mean(axis=0, dtype=np.float64)
    centred = (vectors - mean).astype(np.float64)
    axes = principal_axes(centred, 2)
    if axes.shape[1] < 2:
        axes = np.pad(axes, ((0, 0), (0, 2 - axes.shape[1])))
    whole = float((centred**2).sum())
    kept = float(((centred @ axes) ** 2).sum())
    return mean, axes, min(kept / whole, 1.0) if whole > 0 else 0.0


def _fingerprint(vectors: Vectors) -> str:
    """Changes with the model, without reading every vector."""
    some = np.ascontiguousarray(vectors[:: max(len(vectors) // MOST_DOCUMENTS_SAMPLED, 1)])
    return f"{vectors.shape} {sha256(some.tobytes()).hexdigest()[:20]}"
