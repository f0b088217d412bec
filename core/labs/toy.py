"""The toy: publications on a plane, and what each kind of region makes of them. Here a vector is its place.

The source's first figures are drawn on it, with raw coordinates: what METRICS says of the embedding and of the
projection is one and the same plane, and the vectors keep their lengths until cosine divides by them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core import kmeans
from core.regions.base import Undefined, needs
from core.regions.cluster import last_whole, most_core, whole_list
from core.regions.hull import hull_around, needs_an_area
from core.regions.mvee import ellipsoid_around
from core.sweep import SIMILARITY_TOLERANCE
from core.types import Floats, Mask, Points

N_PUBLICATIONS = 200
N_CORE = 10
MAX_K = 12
"""The plane holds no more groups than that, and a move of the hand must not wait for them."""
UNIT_SQUARE: Points = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])


@dataclass(frozen=True, eq=False)
class Toy:
    """Publications that a query retrieved, and core publications, on a plane."""

    publications: Points
    core: Points


@dataclass(frozen=True, eq=False)
class Area:
    """What a region accepts on the plane."""

    outline: Points
    """Corners of what lies inside, within the unit square for those that go on beyond."""
    relevant_mask: Mask
    """Over the publications."""
    accepted_core_mask: Mask
    """Over the found core publications."""
    says: str
    """The number that makes the region what it is."""
    degenerate: str | None = None


def scatter(seed: int) -> Toy:
    """200 publications anywhere, 10 core publications up and to the right. Seed 0 is the source's own.

    >>> scatter(0).core.round(3)[0].tolist()
    [0.621, 0.911]
    """
    random = np.random.RandomState(seed)
    return Toy(random.rand(N_PUBLICATIONS, 2), random.rand(N_CORE, 2) * 0.55 + 0.4)


def cosines_to(direction: Floats, points: Points) -> Floats:
    """Cosine of each place's angle to a direction, seen from the origin; NaN at the origin itself."""
    lengths = np.linalg.norm(points, axis=1) * np.linalg.norm(direction)
    cosines: Floats = np.divide(points @ direction, lengths, out=np.full(len(points), np.nan), where=lengths > 1e-12)
    return cosines


def cosine_area(toy: Toy, found: Points) -> Area | Undefined:
    """All in the same direction from the origin as the core: as similar to its centre as its least similar one is."""
    centre = toy.core.mean(axis=0)
    core = cosines_to(centre, toy.core)
    if np.isnan(core).any():
        return Undefined("a core publication lies at the origin and has no direction")
    least = float(core.min())
    return Area(
        outline=_wedge(centre, float(np.arccos(min(least, 1.0)))),
        relevant_mask=cosines_to(centre, toy.publications) >= least - SIMILARITY_TOLERANCE,
        accepted_core_mask=cosines_to(centre, found) >= least - SIMILARITY_TOLERANCE,
        says=f"similarity threshold {least:.6f}",
    )


def ellipsoid_area(toy: Toy, found: Points) -> Area | Undefined:
    """The smallest ellipse around the found core publications."""
    if reason := needs_an_area(found):
        return reason
    region = ellipsoid_around(found)
    outline = region.outline()
    assert outline is not None  # on a plane there always is one
    says = f"area {region.defines()['area']:.3f}"
    return Area(outline, region.contains(toy.publications), region.contains(found), says)


def hull_area(toy: Toy, found: Points) -> Area | Undefined:
    """Between the found core publications."""
    if reason := needs_an_area(found):
        return reason
    region = hull_around(found)
    says = f"{len(region.corners)} corners"
    return Area(region.corners, region.contains(toy.publications), region.contains(found), says)


def cluster_area(toy: Toy, found: Points, *, min_core_share: float) -> Area | Undefined:
    """The k-means cluster that still holds most of the found core publications together."""
    if len(found) < 2:
        return needs(2, "found core publications")
    rows = np.vstack([toy.publications, found])
    found_rows = np.arange(len(toy.publications), len(rows))
    solutions = kmeans.solutions(rows, max_k=MAX_K)
    kept = last_whole(solutions, whole_list(rows), found_rows, (min_core_share,))[min_core_share]
    chosen, _ = most_core(kept, found_rows)
    inside: Mask = kept.labels == chosen
    return Area(
        outline=cell_of(kept.centers, chosen),
        relevant_mask=inside[: len(toy.publications)],
        accepted_core_mask=inside[found_rows],
        says=f"k = {kept.k}",
        degenerate="the first split already takes the core apart: the cluster is the whole list"
        if kept.k == 1
        else None,
    )


def cell_of(centers: Floats, chosen: int, within: Points = UNIT_SQUARE) -> Points:
    """The part of a convex area that is nearer to the chosen centre than to any other."""
    cell = within
    own = centers[chosen]
    for other in np.delete(centers, chosen, axis=0):
        if (other != own).any():
            cell = cut_by_line(cell, other - own, float((other @ other - own @ own) / 2))
    return cell


def cut_by_line(corners: Points, normal: Floats, offset: float) -> Points:
    """The part of a convex area where `normal @ p <= offset`; its corners in order.

    >>> cut_by_line(UNIT_SQUARE, np.array([1.0, 0.0]), 0.5).tolist()
    [[0.0, 0.0], [0.5, 0.0], [0.5, 1.0], [0.0, 1.0]]
    """
    kept: list[Floats] = []
    beyond = corners @ normal - offset
    for at in range(len(corners)):
        here, there = beyond[at], beyond[(at + 1) % len(corners)]
        if here <= 0:
            kept.append(corners[at])
        if (here < 0 < there) or (there < 0 < here):
            kept.append(corners[at] + (corners[(at + 1) % len(corners)] - corners[at]) * (here / (here - there)))
    return np.array(kept).reshape(-1, 2)


def _wedge(direction: Floats, angle: float) -> Points:
    """What lies within an angle of at most 90 degrees around a direction, seen from the origin."""
    towards = float(np.arctan2(direction[1], direction[0]))
    upper, lower = towards + angle, towards - angle
    below = cut_by_line(UNIT_SQUARE, np.array([-np.sin(upper), np.cos(upper)]), 0.0)
    return cut_by_line(below, np.array([np.sin(lower), -np.cos(lower)]), 0.0) if len(below) else below
