"""Ellipsoid (MVEE): the smallest ellipse around the found core publications on the landscape.

Todd and Yildirim's algorithm with away steps (Wolfe-Atwood): each step raises or lowers the weight of one point and
updates the inverse moment matrix by a rank-one update; every third step is Newton's. It ends when every point is inside
and every point with weight is on the boundary, both to a relative 1e-7. Reference: Todd and Yildirim (2007), On
Khachiyan's algorithm for the computation of minimum-volume enclosing ellipsoids, Discrete Applied Mathematics 155.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from core.explore.regions.hull import needs_an_area
from core.explore.scene import Fit, Region, RegionDefinition, Rows, Scene, fitted
from core.settings import EvaluationSettings
from core.types import Floats, Mask, Points, RegionKind, Space

BOUNDARY_TOLERANCE = 1e-6
RELATIVE_GAP = 1e-7
MAX_STEPS = 10_000
NEWTON_EVERY = 3
N_OUTLINE = 128
"""Corners of the polygon that represents the ellipse in a picture."""


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

    def outline(self) -> Points | None:
        if len(self.centre) != 2:
            return None
        angles = np.linspace(0, 2 * np.pi, N_OUTLINE, endpoint=False)
        circle = np.column_stack([np.cos(angles), np.sin(angles)])
        to_circle = np.linalg.cholesky(self.shape).T
        outline: Points = self.centre + np.linalg.solve(to_circle, circle.T).T
        return outline


def squared_radii(offsets: Floats, shape: Floats) -> Floats:
    """Return the squared distance of each row from the centre: 1 on the boundary."""
    radii: Floats = np.einsum("ij,ij->i", offsets @ shape, offsets)
    return radii


def _moments(weights: Floats, lifted: Floats) -> tuple[Floats, Floats]:
    """Return the inverse moment matrix, and every point's radius under it."""
    inverse = np.linalg.inv((lifted.T * weights) @ lifted).astype(np.float64)
    return inverse, squared_radii(lifted, inverse)


def _newton(weights: Floats, lifted: Floats, inverse: Floats, radii: Floats) -> Floats:
    """Take a Newton step on the points with weight: it gives the last digits cheaply, where single steps are slow."""
    carrying = np.flatnonzero(weights > 0)
    products = lifted[carrying] @ inverse @ lifted[carrying].T
    system = np.ones((len(carrying) + 1, len(carrying) + 1))
    system[:-1, :-1] = products**2
    system[-1, -1] = 0.0
    change = np.linalg.lstsq(system, np.append(radii[carrying], 0.0), rcond=None)[0][:-1]
    change -= change.mean()
    falling = change < 0
    step = min(1.0, float((weights[carrying][falling] / -change[falling]).min(initial=1.0)))
    moved = weights.copy()
    moved[carrying] = np.maximum(weights[carrying] + step * change, 0.0)
    moved[moved < 1e-12] = 0.0
    moved /= moved.sum()
    return moved


def _step(weights: Floats, lifted: Floats, inverse: Floats, radii: Floats, moved: int) -> tuple[Floats, Floats, Floats]:
    """Shift the optimal weight to or from one point, and update the inverse by Sherman and Morrison."""
    target, radius = lifted.shape[1], radii[moved]
    gain = (radius - target) / (target * (radius - 1)) if radius > 1 else -np.inf
    gain = max(gain, -weights[moved] / (1 - weights[moved]))
    weights = weights * (1 - gain)
    weights[moved] = max(weights[moved] + gain, 0.0)
    towards = inverse @ lifted[moved]
    factor = gain / (1 - gain + gain * radius)
    inverse = (inverse - factor * np.outer(towards, towards)) / (1 - gain)
    return weights, inverse, (radii - factor * (lifted @ towards) ** 2) / (1 - gain)


def _weights(points: Floats) -> Floats:
    """Return the weights of the points whose moments give the ellipsoid."""
    n, d = points.shape
    lifted = np.column_stack([points, np.ones(n)])
    weights = np.full(n, 1.0 / n)
    inverse, radii = _moments(weights, lifted)
    for step in range(MAX_STEPS):
        outermost, innermost = int(radii.argmax()), int(np.where(weights > 0, radii, np.inf).argmin())
        above, below = radii[outermost] / (d + 1) - 1, 1 - radii[innermost] / (d + 1)
        if max(above, below) <= RELATIVE_GAP:
            break
        if step % NEWTON_EVERY == NEWTON_EVERY - 1:
            tried = _newton(weights, lifted, inverse, radii)
            if np.count_nonzero(tried) > d:
                tried_inverse, tried_radii = _moments(tried, lifted)
                if np.linalg.det(tried_inverse) < np.linalg.det(inverse):
                    weights, inverse, radii = tried, tried_inverse, tried_radii
                    continue
        moved = outermost if above >= below else innermost
        weights, inverse, radii = _step(weights, lifted, inverse, radii, moved)
    return weights


def ellipsoid_around(points: Points) -> EllipsoidRegion:
    """Fit the minimum-volume ellipse around points that do not lie on one line: no point is outside."""
    from scipy.spatial import ConvexHull  # takes a third of a second to import

    middle = points.mean(axis=0)
    # Make the set round and unit-sized first, so that a thin or distant set is no harder than any other.
    _, spread, axes = np.linalg.svd(points - middle, full_matrices=False)
    to_round = axes.T / spread * np.sqrt(len(points))
    rounded = (points - middle) @ to_round
    corners = rounded[ConvexHull(rounded).vertices]
    weights = _weights(corners)
    centre = weights @ corners
    moments = (corners.T * weights) @ corners - np.outer(centre, centre)
    shape = np.linalg.inv(moments) / corners.shape[1]
    centre = middle + centre @ np.linalg.inv(to_round)
    shape = to_round @ shape @ to_round.T
    # Apply the region's own rule, with its rounding, so that no point of a thin or distant set is outside.
    offsets = points - centre
    rounding = 8 * np.finfo(np.float64).eps * np.linalg.norm(shape) * np.einsum("ij,ij->i", offsets, offsets).max()
    shape /= squared_radii(offsets, shape).max() + rounding
    return EllipsoidRegion(centre, shape)


def fit_mvee(scene: Scene, settings: EvaluationSettings) -> Fit:
    """Fit the ellipse around the found core publications."""
    points = scene.found_points
    return needs_an_area(points) or fitted(ellipsoid_around(points), scene)


MVEE = RegionDefinition(
    region=EllipsoidRegion,
    fit=fit_mvee,
    label="Ellipsoid (MVEE)",
    head="Ellipsoid",
    accepts="Accepts the smallest ellipse around the found core publications on the landscape.",
    inside="within the ellipse around the found core",
    outside="outside the ellipse around the found core",
    outline_role="ellipsoid",
    is_default=True,
)
