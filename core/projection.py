"""The landscape: vectors laid out in two dimensions, and how honest that picture is.

A landscape is fitted once and then kept. Publications that come later are placed among the neighbours that are there
already, so nothing that was drawn ever moves.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from core.errors import InputError
from core.protocols import Reducer
from core.settings import ProjectionMethod, ProjectionSettings
from core.types import EmbeddedSet, Floats, Mask, Points, Projection, Vectors
from core.vectors import BLOCK_ROWS

N_HONESTY_NEIGHBORS = 15
MAX_HONESTY_ROWS = 2000
"""Trustworthiness and continuity are averaged over at most this many publications, drawn with the seed."""
N_SEEDS = 6


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


def _umap(settings: ProjectionSettings) -> Reducer:
    def reduce(vectors: npt.NDArray[np.float32]) -> Points:
        import umap  # takes seconds to import

        n_neighbors = min(settings.n_neighbors, len(vectors) - 1)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of numba and of small sets; neither is the user's business
            model = umap.UMAP(
                metric="cosine",
                n_neighbors=n_neighbors,
                min_dist=settings.min_dist,
                random_state=settings.seed,
                n_jobs=1,
                init="spectral" if len(vectors) > 10 * n_neighbors else "pca",
            )
            return np.asarray(model.fit_transform(vectors), dtype=np.float64)

    return reduce


def _pca(settings: ProjectionSettings) -> Reducer:
    def reduce(vectors: npt.NDArray[np.float32]) -> Points:
        centred = vectors - vectors.mean(axis=0)
        return np.asarray(centred @ principal_axes(centred, 2), dtype=np.float64)

    return reduce


REDUCERS: dict[ProjectionMethod, Callable[[ProjectionSettings], Reducer]] = {"umap": _umap, "pca": _pca}
MIN_PUBLICATIONS = 5


def fit_projection(embedded: EmbeddedSet, settings: ProjectionSettings, *, projection_id: str) -> Projection:
    """Lay out publications from scratch. The same vectors and settings give the same points."""
    if len(embedded) < MIN_PUBLICATIONS:
        raise InputError(f"a landscape needs {MIN_PUBLICATIONS} publications with a vector, got {len(embedded)}")
    vectors = embedded.vectors
    if settings.method == "umap" and vectors.shape[1] > settings.n_dimensions_before:
        axes = principal_axes(vectors, settings.n_dimensions_before).astype(np.float32)
        vectors = vectors @ axes
    return Projection(embedded.ids, REDUCERS[settings.method](settings)(vectors), projection_id)


def place(
    later: EmbeddedSet, *, among: EmbeddedSet, projection: Projection, n_neighbors: int = 15
) -> Projection:
    """Points for later publications: between their nearest neighbours on the landscape, the nearest counting most.

    The weights are UMAP's own membership strengths, exp(-(distance - nearest) / scale), as its `transform` starts
    from; a publication that is already there by its vector lands on its twin.
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


@dataclass(frozen=True, slots=True)
class Honesty:
    """How far the landscape can be believed."""

    trustworthiness: float
    """1: neighbours on the landscape are neighbours in the embedding; 0.5: by chance."""
    continuity: float
    """1: neighbours in the embedding are neighbours on the landscape."""
    variance_explained: float
    """Share of the vectors' variance that is linear in the two coordinates. It ranks PCA above UMAP by its nature."""
    n_rows: int
    """Publications over which the first two were averaged."""


def _blocks(n: int, size: int) -> Iterator[slice]:
    return (slice(start, min(start + size, n)) for start in range(0, n, size))


def _rank_penalty(seen: Floats, true: Floats, rows: npt.NDArray[np.intp], k: int) -> float:
    """Sum over rows of (true rank - k) of those among the k nearest seen that are not among the k nearest in truth."""
    own = np.arange(len(rows))
    seen[own, rows] = true[own, rows] = np.inf
    nearest = np.argpartition(seen, k - 1, axis=1)[:, :k]
    distances = np.take_along_axis(true, nearest, axis=1)
    penalty = 0
    for column in distances.T:
        ranks = np.count_nonzero(true < column[:, None], axis=1) + 1
        penalty += int(np.maximum(ranks - k, 0).sum())
    return float(penalty)


def honesty(embedded: EmbeddedSet, projection: Projection, *, seed: int = 0) -> Honesty:
    """Trustworthiness and continuity (k = 15, cosine distance), and the variance explained.

    Reference: Venna and Kaski (2001). With more than 2,000 publications, an average over 2,000 drawn ones, each ranked
    against all. The variance explained is the source's PLS figure: for two components on a two-dimensional map it is
    the R² of least squares.
    """
    points = projection.take(embedded.ids).points
    n = len(embedded)
    k = min(N_HONESTY_NEIGHBORS, (n - 1) // 2)
    if k < 1:
        raise InputError(f"honesty figures need 3 publications, got {n}")
    drawn = np.arange(n)
    if n > MAX_HONESTY_ROWS:
        drawn = np.sort(np.random.default_rng(seed).choice(n, MAX_HONESTY_ROWS, replace=False))
    falsely_near = torn_apart = 0.0
    lengths = np.einsum("ij,ij->i", points, points)
    for block in _blocks(len(drawn), 256):
        rows = drawn[block]
        true = 1.0 - (embedded.vectors[rows] @ embedded.vectors.T).astype(np.float64)
        seen = lengths[rows, None] + lengths - 2 * points[rows] @ points.T
        falsely_near += _rank_penalty(seen, true, rows, k)
        torn_apart += _rank_penalty(true, seen, rows, k)
    scale = 2.0 / (len(drawn) * k * (2 * n - 3 * k - 1))
    return Honesty(
        trustworthiness=1 - scale * falsely_near,
        continuity=1 - scale * torn_apart,
        variance_explained=variance_explained(embedded.vectors, points),
        n_rows=len(drawn),
    )


def variance_explained(vectors: Vectors, points: Points) -> float:
    """R² of least squares from the two coordinates to the vectors; 0 if all vectors are the same."""
    basis, triangle = np.linalg.qr(points - points.mean(axis=0))
    basis = basis[:, np.abs(np.diag(triangle)) > 1e-9 * max(np.abs(triangle).max(), 1e-300)]
    mean = vectors.mean(axis=0, dtype=np.float64)
    total = float(np.einsum("ij,ij->", vectors, vectors, dtype=np.float64)) - len(vectors) * float(mean @ mean)
    # The basis is orthogonal to the constant, so the vectors need not be centred.
    explained = float(((basis.T.astype(np.float32) @ vectors).astype(np.float64) ** 2).sum())
    return explained / total if total > 1e-12 else 0.0


def over_seeds(embedded: EmbeddedSet, settings: ProjectionSettings) -> Iterator[Projection]:
    """The same landscape from six seeds, to see how much of a score is layout."""
    for seed in range(N_SEEDS):
        yield fit_projection(embedded, replace(settings, seed=seed), projection_id=f"seed-{seed}")


def changed_decisions(a_mask: Mask, b_mask: Mask) -> int:
    """How many publications one region calls relevant and the other does not."""
    return int(np.count_nonzero(a_mask != b_mask))
