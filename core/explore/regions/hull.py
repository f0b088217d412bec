"""Convex hull: the area between the found core publications on the landscape."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from core.explore.scene import Fit, Region, RegionDefinition, Rows, Scene, UndefinedRegion, fitted, needs
from core.settings import EvaluationSettings
from core.types import Floats, Mask, Points, RegionKind, Space

BOUNDARY_TOLERANCE = 1e-12
"""Relative to the hull's extent; the boundary belongs to the hull."""
FLATNESS = 6e-8
"""Points whose spread across is this small relative to the spread along are a line in float32 coordinates."""


@dataclass(frozen=True, eq=False)
class HullRegion(Region):
    """Points inside every half-plane: `normals @ (p - centre) / extent <= offsets`."""

    kind: ClassVar[RegionKind] = "hull"
    space: ClassVar[Space] = "projection"
    recall_counts: ClassVar[Literal["accepted", "found"]] = "found"

    centre: Floats
    extent: float
    normals: Floats
    offsets: Floats
    corners: Points
    """In order around the hull."""

    def contains(self, rows: Rows) -> Mask:
        scaled = (rows - self.centre) / self.extent
        inside = np.ones(len(rows), dtype=np.bool_)
        for normal, offset in zip(self.normals, self.offsets, strict=True):
            inside &= scaled @ normal <= offset + BOUNDARY_TOLERANCE
        return inside

    def defines(self) -> Mapping[str, float | int | str]:
        return {"n_corners": len(self.corners)}

    def outline(self) -> Points:
        return self.corners


def lies_on_a_line(points: Points) -> bool:
    """Return True if the points are too few, identical, or on one line.

    >>> lies_on_a_line(np.array([[0.0, 0], [1, 1], [2, 2]]))
    True
    """
    if len(points) < 3:
        return True
    spread = np.linalg.svd(points - points.mean(axis=0), compute_uv=False)
    # Far from the origin, rounding alone spreads identical points.
    rounding = np.finfo(np.float64).eps * np.abs(points).max(initial=0.0) * len(points)
    return bool(spread[1] <= max(FLATNESS * spread[0], rounding))


def needs_an_area(points: Points) -> UndefinedRegion | None:
    """Return the reason why no ellipsoid or hull fits around these points, or None."""
    if len(points) < 3:
        return needs(3, "found core publications")
    if lies_on_a_line(points):
        return needs(3, "found core publications that do not lie on one line")
    return None


def hull_around(points: Points) -> HullRegion:
    """Fit the convex hull of points that do not lie on one line."""
    from scipy.spatial import ConvexHull  # takes a third of a second to import

    centre = points.mean(axis=0)
    extent = float(np.abs(points - centre).max())
    hull = ConvexHull((points - centre) / extent)
    return HullRegion(centre, extent, hull.equations[:, :-1], -hull.equations[:, -1], points[hull.vertices])


def fit_hull(scene: Scene, settings: EvaluationSettings) -> Fit:
    """Fit the convex hull of the found core publications."""
    points = scene.found_points
    return needs_an_area(points) or fitted(hull_around(points), scene)


HULL = RegionDefinition(
    region=HullRegion,
    fit=fit_hull,
    label="Convex hull",
    head="Hull",
    accepts="Accepts the area between the found core publications on the landscape.",
    inside="between the found core on the landscape",
    outside="not between the found core on the landscape",
    outline_role="hull",
    is_default=True,
)
