"""Ellipsoid (MVEE): the smallest ellipse around the found core publications on the landscape.

Todd and Yildirim's algorithm with away steps (Wolfe-Atwood): weights on the points, one of which rises or falls at
each step; the inverse moment matrix follows by a rank-one update. It ends when every point is inside and every point
that carries weight is on the boundary, both to a relative 1e-7. Reference: Todd and Yildirim (2007), On Khachiyan's
algorithm for the computation of minimum-volume enclosing ellipsoids, Discrete Applied Mathematics 155.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from scipy.spatial import ConvexHull

from core.regions.base import Fit, Region, Rows, Scene, fitted
from core.regions.hull import needs_an_area
from core.settings import EvaluationSettings
from core.types import Floats, Mask, Points, RegionKind, Space

BOUNDARY_TOLERANCE = 1e-6
RELATIVE_GAP = 1e-7
MAX_STEPS = 100_000


@dataclass(frozen=True, eq=False)
class EllipsoidRegion(Region):
    """All p with (p - centre)ᵀ shape (p - centre) <= 1 + 1e-6."""

    kind: ClassVar[RegionKind] = "mvee"
    space: ClassVar[Space] = "projection"
    recall_counts: ClassVar[Literal["accepted", "found"]] = "found"

    centre: Floats
    shape: Floats

    def contains(self, rows: Rows) -> Mask:
        inside: Mask = squared_radii(rows - self.centre, self.shape) <= 1 + BOUNDARY_TOLERANCE
        return inside

    def defines(self) -> Mapping[str, float | int | str]:
        area = float(np.pi / np.sqrt(np.linalg.det(self.shape))) if len(self.centre) == 2 else float("nan")
        return {"area": area}


def squared_radii(offsets: Floats, shape: Floats) -> Floats:
    """How far each row is out: 1 on the boundary."""
    radii: Floats = np.einsum("ij,ij->i", offsets @ shape, offsets)
    return radii


def _weights(points: Floats) -> Floats:
    """Weights of the points whose moments give the ellipsoid."""
    n, d = points.shape
    target = d + 1.0
    lifted = np.column_stack([points, np.ones(n)])
    weights = np.full(n, 1.0 / n)
    inverse = np.linalg.inv((lifted.T * weights) @ lifted)
    radii = np.einsum("ij,ij->i", lifted @ inverse, lifted)
    for step in range(MAX_STEPS):
        outermost = int(radii.argmax())
        carried = np.where(weights > 0, radii, np.inf)
        innermost = int(carried.argmin())
        above, below = radii[outermost] / target - 1, 1 - carried[innermost] / target
        if max(above, below) <= RELATIVE_GAP:
            break
        moved = outermost if above >= below else innermost
        radius = radii[moved]
        gain = (radius - target) / (target * (radius - 1)) if radius > 1 else -np.inf
        gain = max(gain, -weights[moved] / (1 - weights[moved]))
        weights *= 1 - gain
        weights[moved] = max(weights[moved] + gain, 0.0)
        # Sherman-Morrison: the moments become (1 - gain)·moments + gain·qqᵀ.
        towards = inverse @ lifted[moved]
        factor = gain / (1 - gain + gain * radius)
        inverse = (inverse - factor * np.outer(towards, towards)) / (1 - gain)
        radii = (radii - factor * (lifted @ towards) ** 2) / (1 - gain)
        if step % 50 == 49:  # rounding adds up in the updates
            inverse = np.linalg.inv((lifted.T * weights) @ lifted)
            radii = np.einsum("ij,ij->i", lifted @ inverse, lifted)
    weights /= weights.sum()
    return weights


def ellipsoid_around(points: Points) -> EllipsoidRegion:
    """The minimum-volume ellipse around points that do not lie on one line: none of them is outside."""
    middle = points.mean(axis=0)
    # Round and unit-sized first, so that a thin or far-off set is no harder than any other.
    _, spread, axes = np.linalg.svd(points - middle, full_matrices=False)
    to_round = axes.T / spread * np.sqrt(len(points))
    rounded = (points - middle) @ to_round
    corners = rounded[ConvexHull(rounded).vertices]
    weights = _weights(corners)
    centre = weights @ corners
    moments = (corners.T * weights) @ corners - np.outer(centre, centre)
    shape = np.linalg.inv(moments) / corners.shape[1]
    shape /= max(squared_radii(corners - centre, shape).max(), 1e-300)
    back = np.linalg.inv(to_round)
    return EllipsoidRegion(middle + centre @ back, to_round @ shape @ to_round.T)


def fit_mvee(scene: Scene, settings: EvaluationSettings) -> Fit:
    """The ellipse around the found core publications."""
    points = scene.found_points
    return needs_an_area(points) or fitted(ellipsoid_around(points), scene)
