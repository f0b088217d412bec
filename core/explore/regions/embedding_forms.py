"""Ellipsoid and hull in the embedding space (experimental).

Strictly, no other publication lies in the span of n core publications in d >> n dimensions. So both become a distance,
cut where the found core publication furthest from the others is still accepted. All steps use the inner products with
the found core publications; none needs the d dimensions again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from core.explore.scene import Fit, Region, RegionDefinition, Rows, Scene, fitted, needs
from core.settings import EvaluationSettings
from core.types import Floats, Mask, RegionKind, Space
from core.vectors import BLOCK_ROWS

MIN_FOUND = 4
TOLERANCE = 1e-6
"""Relative above a distance of 1, absolute below."""
MIN_VARIANCE = 1e-8
"""Even core publications with identical vectors have a distance."""


def _within(distances: Floats, limit: float) -> Mask:
    mask: Mask = distances <= limit + TOLERANCE * max(limit, 1.0)
    return mask


def _unit(rows: Rows) -> Floats:
    """Scale to unit length in full float64 precision, because a root turns float32 rounding into an error of 3e-4."""
    exact = rows.astype(np.float64)
    unit: Floats = exact / np.linalg.norm(exact, axis=1, keepdims=True)
    return unit


def _products(rows: Rows, core_unit: Floats) -> Iterator[Floats]:
    """Yield the inner products with the core publications, in blocks of rows."""
    for start in range(0, len(rows), BLOCK_ROWS):
        yield _unit(rows[start : start + BLOCK_ROWS]) @ core_unit.T


def shrinkage(gram: Floats, squared_columns: float, n_dimensions: int) -> tuple[float, float]:
    """Compute Ledoit and Wolf's (2004) shrinkage and the mean variance, from the Gram matrix of centred rows.

    `squared_columns` is the sum over rows of the squared length squared, the one term that the matrix product does not
    contain.
    """
    n = len(gram)
    mean_variance = float(np.trace(gram)) / n / n_dimensions
    moment = float((gram**2).sum()) / n**2
    spread = (squared_columns / n - moment) / (n * n_dimensions)
    distance = (moment - n_dimensions * mean_variance**2) / n_dimensions
    share = 0.0 if distance <= 0 else min(spread, distance) / distance
    return share, mean_variance


@dataclass(frozen=True, eq=False)
class _ShrunkEllipsoid:
    """Mahalanobis distance under a shrunk covariance, computed from inner products (Woodbury)."""

    mean_products: Floats
    mean_length: float
    isotropic: float
    inner: Floats

    @classmethod
    def around(cls, gram: Floats, n_dimensions: int) -> _ShrunkEllipsoid:
        n = len(gram)
        mean_products = gram.mean(axis=1)
        mean_length = float(mean_products.mean())
        centred = gram - mean_products[:, None] - mean_products[None, :] + mean_length
        share, variance = shrinkage(centred, float((np.diag(centred) ** 2).sum()), n_dimensions)
        isotropic = max(share * variance, MIN_VARIANCE)
        along = (1 - share) / n
        inner = np.linalg.inv(np.eye(n) * isotropic / along + centred) if along > 0 else np.zeros((n, n))
        return cls(mean_products, mean_length, isotropic, inner)

    def squared_distances(self, products: Floats) -> Floats:
        """Return the squared distances of unit rows, from their inner products with the core rows."""
        to_mean = products.mean(axis=1)
        length = 1.0 - 2 * to_mean + self.mean_length
        towards = products - to_mean[:, None] - self.mean_products + self.mean_length
        squared: Floats = length - np.einsum("ij,ij->i", towards @ self.inner, towards)
        return np.maximum(squared, 0.0) / self.isotropic


@dataclass(frozen=True, eq=False)
class EllipsoidEmbeddingRegion(Region):
    """Publications within a Mahalanobis radius under a shrunk covariance of the found core publications."""

    kind: ClassVar[RegionKind] = "mvee_embedding"
    space: ClassVar[Space] = "embedding"

    core_unit: Floats
    ellipsoid: _ShrunkEllipsoid
    max_squared_distance: float

    def contains(self, rows: Rows) -> Mask:
        masks = [np.zeros(0, dtype=np.bool_)]
        for products in _products(rows, self.core_unit):
            masks.append(_within(self.ellipsoid.squared_distances(products), self.max_squared_distance))
        return np.concatenate(masks)

    def defines(self) -> Mapping[str, float | int | str]:
        return {"max_distance": float(np.sqrt(self.max_squared_distance))}


def hull_distances(products: Floats, gram: Floats) -> Floats:
    """Compute the distance of unit rows to the convex hull of the core rows: NNLS on a root of the Gram matrix.

    The weights must sum to 1, which a heavily weighted extra equation enforces.
    """
    from scipy.optimize import nnls  # half a second to load, and only this region needs it

    values, directions = np.linalg.eigh(gram)
    kept = values > values[-1] * 1e-12
    root = np.sqrt(values[kept])[:, None] * directions[:, kept].T
    along = products @ (directions[:, kept] / np.sqrt(values[kept]))
    heavy = 1e3
    system = np.vstack([root, np.full(len(gram), heavy)])
    outside = np.maximum(1.0 - np.einsum("ij,ij->i", along, along), 0.0)
    targets = np.column_stack([along, np.full(len(along), heavy)])
    inside = np.array([nnls(system, target)[1] for target in targets])
    distances: Floats = np.sqrt(outside + inside**2)
    return distances


@dataclass(frozen=True, eq=False)
class HullEmbeddingRegion(Region):
    """Publications within a distance of the convex hull of the found core publications."""

    kind: ClassVar[RegionKind] = "hull_embedding"
    space: ClassVar[Space] = "embedding"

    core_unit: Floats
    gram: Floats
    max_distance: float

    def contains(self, rows: Rows) -> Mask:
        masks = [np.zeros(0, dtype=np.bool_)]
        for products in _products(rows, self.core_unit):
            masks.append(_within(hull_distances(products, self.gram), self.max_distance))
        return np.concatenate(masks)

    def defines(self) -> Mapping[str, float | int | str]:
        return {"max_distance": self.max_distance}


def _others(gram: Floats, left_out: int) -> tuple[Floats, Floats]:
    """Return the Gram matrix without one row, and that row's products with the others."""
    kept = np.delete(np.arange(len(gram)), left_out)
    return gram[np.ix_(kept, kept)], gram[left_out, kept][None, :]


def fit_mvee_embedding(scene: Scene, settings: EvaluationSettings) -> Fit:
    """Fit an ellipsoid in the embedding space, cut at the largest leave-one-out distance."""
    if len(scene.found_ids) < MIN_FOUND:
        return needs(MIN_FOUND, "found core publications")
    core_unit = _unit(scene.found_vectors)
    gram, d = core_unit @ core_unit.T, core_unit.shape[1]
    radii = []
    for left_out in range(len(gram)):
        others, products = _others(gram, left_out)
        radii.append(float(_ShrunkEllipsoid.around(others, d).squared_distances(products)[0]))
    return fitted(EllipsoidEmbeddingRegion(core_unit, _ShrunkEllipsoid.around(gram, d), max(radii)), scene)


def fit_hull_embedding(scene: Scene, settings: EvaluationSettings) -> Fit:
    """Fit a hull in the embedding space, cut at the largest leave-one-out distance."""
    if len(scene.found_ids) < MIN_FOUND:
        return needs(MIN_FOUND, "found core publications")
    core_unit = _unit(scene.found_vectors)
    gram = core_unit @ core_unit.T
    distances = []
    for left_out in range(len(gram)):
        others, products = _others(gram, left_out)
        distances.append(float(hull_distances(products, others)[0]))
    return fitted(HullEmbeddingRegion(core_unit, gram, max(distances)), scene)


MVEE_EMBEDDING = RegionDefinition(
    region=EllipsoidEmbeddingRegion,
    fit=fit_mvee_embedding,
    label="Ellipsoid in the embedding space",
    head="Embedding ellipsoid",
    accepts="Accepts the smallest ellipsoid around the vectors of the found core publications.",
    inside="within the ellipsoid around the vectors of the found core",
    outside="outside the ellipsoid around the vectors of the found core",
    outline_role="ellipsoid",
)
HULL_EMBEDDING = RegionDefinition(
    region=HullEmbeddingRegion,
    fit=fit_hull_embedding,
    label="Hull in the embedding space",
    head="Embedding hull",
    accepts="Accepts the space between the vectors of the found core publications.",
    inside="between the vectors of the found core",
    outside="not between the vectors of the found core",
    outline_role="hull",
)
