"""`compat="litqeval-2024"`: the choices of the published code, without its crashes. For reproduction and tests only.

Differences from the rest of core: no tolerance at the similarity threshold; an ellipsoid from Khachiyan's algorithm
stopped early, which leaves some core publications outside; the cluster with the largest product of core count and size,
while the reported count is the largest of any cluster; k up to 99; F-beta rounded to two decimals.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from core.explore.regions.cluster import ClusterRegion, last_whole, watched_solutions, whole_list
from core.explore.regions.cosine import CosineRegion, fit_cosine
from core.explore.regions.hull import needs_an_area
from core.explore.regions.mvee import EllipsoidRegion, squared_radii
from core.explore.scene import Fit, FittedRegion, RegionFit, Rows, Scene, UndefinedRegion, fitted, needs
from core.settings import EvaluationSettings
from core.types import Floats, Mask, Points, RegionKind
from core.vectors import cosine

LOOSE_TOLERANCE = 1e-4
RIDGE = 1e-10
MAX_STEPS = 20_000
"""Points that the published code can fit need fewer than 10,000 steps."""
MAX_K = 99


def compat_f_beta(score: float) -> float:
    """Round to two decimals, as published."""
    return round(score, 2)


@dataclass(frozen=True, eq=False)
class ExactCosineRegion(CosineRegion):
    """A cosine region with an exact threshold, without tolerance."""

    def contains(self, rows: Rows) -> Mask:
        mask: Mask = cosine(rows.astype(np.float32, copy=False), self.centroid) >= self.min_similarity
        return mask


@dataclass(frozen=True, eq=False)
class LooseEllipsoidRegion(EllipsoidRegion):
    """An ellipsoid with an exact boundary, without tolerance."""

    def contains(self, rows: Rows) -> Mask:
        mask: Mask = squared_radii(rows - self.centre, self.shape) <= 1
        return mask


def _cosine(scene: Scene, settings: EvaluationSettings) -> Fit:
    fit = fit_cosine(scene, settings)
    if isinstance(fit, UndefinedRegion) or not isinstance(fit.region, CosineRegion):
        return fit
    region = ExactCosineRegion(fit.region.centroid, fit.region.min_similarity, fit.region.mode)
    return fitted(region, scene, fit.warnings)


def loose_ellipsoid(points: Points) -> LooseEllipsoidRegion | None:
    """Run Khachiyan's algorithm without away steps, stopped when the weights move by less than 1e-4.

    Return None if it never settles or its matrix is singular: points so flat or so close that the ridge dominates.
    """
    try:
        with np.errstate(all="ignore"):
            weights = _loose_weights(points)
            if weights is None:
                return None
            centre = weights @ points
            spread = (points.T * weights) @ points - np.outer(centre, centre)
            shape = np.linalg.inv(spread) / points.shape[1]
    except np.linalg.LinAlgError:
        return None
    return LooseEllipsoidRegion(centre, shape) if np.isfinite(shape).all() else None


def _loose_weights(points: Points) -> Floats | None:
    n, d = points.shape
    lifted = np.column_stack([points, np.ones(n)])
    weights = np.full(n, 1.0 / n)
    for _ in range(MAX_STEPS):
        moments = (lifted.T * weights) @ lifted + RIDGE * np.eye(d + 1)
        radii = np.einsum("ij,ij->i", lifted @ np.linalg.inv(moments), lifted)
        outermost = int(radii.argmax())
        step = (radii[outermost] - d - 1.0) / ((d + 1) * (radii[outermost] - 1.0))
        following: Floats = (1 - step) * weights
        following[outermost] += step
        if np.linalg.norm(following - weights) <= LOOSE_TOLERANCE:
            return following
        weights = following
    return None


def _mvee(scene: Scene, settings: EvaluationSettings) -> Fit:
    points = scene.found_points
    if undefined := needs_an_area(points):
        return undefined
    region = loose_ellipsoid(points)
    return fitted(region, scene) if region else UndefinedRegion("the published ellipsoid finds no end on these points")


def _cluster(scene: Scene, settings: EvaluationSettings) -> Fit:
    if len(scene.found_ids) < 2:
        return needs(2, "found core publications")
    rows, share = scene.retrieved.vectors, settings.min_core_share
    solutions = watched_solutions(scene, rows, max_k=MAX_K, seed=settings.seed)
    clustering = last_whole(solutions, whole_list(rows), scene.found_rows, (share,))[share]
    n_core = np.bincount(clustering.labels[scene.found_rows], minlength=clustering.k)
    sizes = np.bincount(clustering.labels, minlength=clustering.k)
    by_name = sorted(range(clustering.k), key=str)  # labels are text in the published code, and its first maximum wins
    chosen = max(by_name, key=lambda label: n_core[label] * sizes[label])
    fit = FittedRegion(ClusterRegion(clustering.centers, chosen, share), clustering.labels == chosen)
    return replace(fit, n_core_reported=int(n_core.max()))


COMPAT_FITS: dict[RegionKind, RegionFit] = {
    "cosine": _cosine,
    "mvee": _mvee,
    "cluster": _cluster,
}
