"""How far the landscape can be believed: what it tears apart, what it pushes together, and what depends on its seed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from core.errors import InputError
from core.ranking.significance import Interval
from core.regions import REGIONS
from core.regions.base import Scene, Undefined
from core.settings import EvaluationSettings
from core.types import EmbeddedSet, Floats, Points, Projection, RegionKind, Vectors

N_HONESTY_NEIGHBORS = 15
MAX_HONESTY_ROWS = 2000
"""Trustworthiness and continuity are averaged over at most this many publications, drawn with the seed."""
TWINS: tuple[tuple[RegionKind, RegionKind], ...] = (
    ("mvee", "mvee_embedding"),
    ("hull", "hull_embedding"),
    ("cluster_projection", "cluster"),
)
"""The same region on the landscape and in the embedding space."""


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
    basis, spread, _ = np.linalg.svd(points - points.mean(axis=0), full_matrices=False)
    basis = basis[:, spread > 1e-9 * max(spread[0], 1e-300)]
    mean = vectors.mean(axis=0, dtype=np.float64)
    total = float(np.einsum("ij,ij->", vectors, vectors, dtype=np.float64)) - len(vectors) * float(mean @ mean)
    # The basis is orthogonal to the constant, so the vectors need not be centred.
    explained = float(((basis.T.astype(np.float32) @ vectors).astype(np.float64) ** 2).sum())
    return explained / total if total > 1e-12 else 0.0


def seed_ranges(
    scene: Scene, landscapes: Iterable[Projection], settings: EvaluationSettings
) -> Mapping[RegionKind, Interval]:
    """Lowest and highest share of the retrieved publications in each landscape region, over landscapes of six seeds.

    A region that does not exist on some landscape is left out of its range; one that exists on none has no range.
    """
    shares: dict[RegionKind, list[float]] = {"mvee": [], "hull": [], "cluster_projection": []}
    for projection in landscapes:
        seen = replace(scene, projection=projection)
        for kind, found in shares.items():
            fit = REGIONS[kind](seen, settings)
            if not isinstance(fit, Undefined) and len(fit.relevant_mask):
                found.append(float(fit.relevant_mask.mean()))
    return {kind: Interval(min(found), max(found)) for kind, found in shares.items() if found}


def changed_decisions(scene: Scene, settings: EvaluationSettings) -> Mapping[RegionKind, int]:
    """How many publications each landscape region decides differently from its twin in the embedding space."""
    changed: dict[RegionKind, int] = {}
    for on_landscape, in_embedding in TWINS:
        seen, true = REGIONS[on_landscape](scene, settings), REGIONS[in_embedding](scene, settings)
        if not isinstance(seen, Undefined) and not isinstance(true, Undefined):
            changed[on_landscape] = int(np.count_nonzero(seen.relevant_mask != true.relevant_mask))
    return changed
