"""The landscape: vectors laid out in two dimensions.

A landscape is fitted once and then kept. Publications that come later are placed among the neighbours that are there
already, so nothing that was drawn ever moves.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from core.errors import InputError
from core.protocols import OnProgress, Reducer
from core.settings import ProjectionMethod, ProjectionSettings
from core.types import EmbeddedSet, Floats, Points, Projection, Vectors
from core.vectors import BLOCK_ROWS

N_SEEDS = 6
EXACT_UP_TO = 30_000
"""Publications whose neighbours are looked up exactly; beyond, UMAP's approximation is faster."""


def principal_axes(vectors: Vectors, n_dimensions: int) -> Floats:
    """The directions that keep most of the vectors, shape (d, n_dimensions); not centred, so cosines survive."""
    d = vectors.shape[1]
    moments = np.zeros((d, d))
    for start in range(0, len(vectors), BLOCK_ROWS):
        block = vectors[start : start + BLOCK_ROWS]
        moments += block.T @ block
    _, axes = np.linalg.eigh(moments)
    kept: Floats = axes[:, ::-1][:, :n_dimensions].copy()
    # An eigenvector's sign is arbitrary; fixing it makes the same vectors give the same picture everywhere.
    largest = np.abs(kept).argmax(axis=0)
    kept *= np.sign(kept[largest, np.arange(kept.shape[1])])
    return kept


class _Epochs:
    """A text stream that UMAP draws its bar on; only the numbers are taken from it."""

    def __init__(self, on_step: OnProgress) -> None:
        self._on_step = on_step

    def write(self, text: str) -> None:
        if found := re.search(r"(\d+)/(\d+)", text):
            self._on_step(int(found[1]), int(found[2]))

    def flush(self) -> None:
        """Nothing is held back."""


def nearest_neighbours(vectors: npt.NDArray[np.float32], k: int) -> tuple[npt.NDArray[np.int32], Vectors]:
    """Rows of the k nearest by cosine distance, itself first, and these distances; exact."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit = vectors / np.where(lengths > 0, lengths, 1)
    rows = np.empty((len(unit), k), dtype=np.int32)
    distances = np.empty((len(unit), k), dtype=np.float32)
    for start in range(0, len(unit), BLOCK_ROWS // 4):
        block = slice(start, start + BLOCK_ROWS // 4)
        apart = np.maximum(1 - unit[block] @ unit.T, 0)
        itself = np.arange(len(apart))
        apart[itself, start + itself] = -1  # before its twins
        near = np.argpartition(apart, k - 1, axis=1)[:, :k]
        found = np.take_along_axis(apart, near, axis=1)
        order = np.argsort(found, axis=1, kind="stable")
        rows[block] = np.take_along_axis(near, order, axis=1)
        distances[block] = np.maximum(np.take_along_axis(found, order, axis=1), 0)
    return rows, distances


def _umap(settings: ProjectionSettings) -> Reducer:
    def reduce(vectors: npt.NDArray[np.float32], on_step: OnProgress | None = None) -> Points:
        n_neighbors = min(settings.n_neighbors, len(vectors) - 1)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of tensorflow, numba and small sets; none is the user's business
            import umap  # takes seconds to import

            # UMAP would compile its own way to neighbours first, for 10 to 20 s.
            is_known = len(vectors) <= EXACT_UP_TO
            known = (*nearest_neighbours(vectors, n_neighbors), None) if is_known else (None, None, None)
            model = umap.UMAP(
                metric="cosine",
                n_neighbors=n_neighbors,
                min_dist=settings.min_dist,
                random_state=settings.seed,
                n_jobs=1,
                tqdm_kwds={"disable": False, "file": _Epochs(on_step), "bar_format": "{n}/{total}"}
                if on_step
                else None,
                precomputed_knn=known,
                force_approximation_algorithm=is_known,  # else it ignores the known ones of small sets
                init="spectral" if len(vectors) > 10 * n_neighbors else "pca",
            )
            return np.asarray(model.fit_transform(vectors), dtype=np.float64)

    return reduce


def _pca(settings: ProjectionSettings) -> Reducer:
    def reduce(vectors: npt.NDArray[np.float32], on_step: OnProgress | None = None) -> Points:
        centred = vectors - vectors.mean(axis=0)
        return np.asarray(centred @ principal_axes(centred, 2), dtype=np.float64)

    return reduce


REDUCERS: dict[ProjectionMethod, Callable[[ProjectionSettings], Reducer]] = {"umap": _umap, "pca": _pca}
MIN_PUBLICATIONS = 5


def fit_projection(
    embedded: EmbeddedSet, settings: ProjectionSettings, *, projection_id: str, on_step: OnProgress | None = None
) -> Projection:
    """Lay out publications from scratch. The same vectors and settings give the same points."""
    if len(embedded) < MIN_PUBLICATIONS:
        raise InputError(f"a landscape needs {MIN_PUBLICATIONS} publications with a vector, got {len(embedded)}")
    vectors = embedded.vectors
    if settings.method == "umap" and vectors.shape[1] > settings.n_dimensions_before:
        axes = principal_axes(vectors, settings.n_dimensions_before).astype(np.float32)
        vectors = vectors @ axes
    return Projection(embedded.ids, REDUCERS[settings.method](settings)(vectors, on_step), projection_id)


def place(later: EmbeddedSet, *, among: EmbeddedSet, projection: Projection, n_neighbors: int = 15) -> Projection:
    """Points for later publications: between their nearest neighbours on the landscape, the nearest counting most.

    Weights fall as exp(-(distance - nearest) / scale), with the mean of the differences as scale: close to where UMAP's
    `transform` starts from, without the random walk that follows there, and without a fitted model to keep. A
    publication that is already there by its vector lands on its twin.
    """
    there = projection.take(among.ids).points
    k = min(n_neighbors, len(among))
    points = np.empty((len(later), 2))
    for start in range(0, len(later), BLOCK_ROWS // 4):
        rows = slice(start, start + BLOCK_ROWS // 4)
        distances = 1.0 - later.vectors[rows] @ among.vectors.T
        nearest = np.argpartition(distances, k - 1, axis=1)[:, :k]
        d = np.maximum(np.take_along_axis(distances, nearest, axis=1).astype(np.float64), 0.0)
        d[d < 1e-6] = 0.0
        beyond = d - d.min(axis=1, keepdims=True)
        scale = np.maximum(beyond.mean(axis=1, keepdims=True), 1e-12)
        twin = d == 0.0
        weights = np.where(twin.any(axis=1, keepdims=True), twin, np.exp(-beyond / scale))
        points[rows] = np.einsum("ij,ijk->ik", weights, there[nearest]) / weights.sum(axis=1, keepdims=True)
    return Projection(later.ids, points, projection.projection_id)


def over_seeds(
    embedded: EmbeddedSet, settings: ProjectionSettings, on_progress: OnProgress | None = None
) -> Iterator[Projection]:
    """The same landscape from its own seed and five others, to see how much of a score is layout."""
    for done in range(N_SEEDS):
        seed = (settings.seed + done) % 2**32
        if on_progress:
            on_progress(done, N_SEEDS)
        yield fit_projection(embedded, replace(settings, seed=seed), projection_id=f"seed-{seed}")
