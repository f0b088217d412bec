"""Outlines as pictures draw them: their corners lie on the boundary of the region that decides."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.explore.regions import REGIONS
from core.explore.regions.hull import hull_around, lies_on_a_line
from core.explore.regions.mvee import N_OUTLINE, ellipsoid_around, squared_radii
from core.explore.scene import FittedRegion
from core.types import Points, RegionKind
from tests.core.scenes import ALL_KINDS, SETTINGS, random_topic

coordinates = st.floats(-100, 100, allow_subnormal=False)
point_sets = st.lists(st.tuples(coordinates, coordinates), min_size=3, max_size=20).map(np.array)


def with_an_area(points: Points) -> Points:
    """Points that are no hair-thin sliver: those have an outline too, but not to nine digits."""
    spread = np.linalg.svd(points - points.mean(axis=0), compute_uv=False)
    assume(spread[1] > 1e-3 * spread[0] > 1e-6)
    assume(not lies_on_a_line(points))
    return points


def signed_area(corners: Points) -> float:
    x, y = corners.T
    return float(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2


@given(point_sets)
def test_every_corner_of_the_ellipse_is_on_its_boundary(points: Points) -> None:
    region = ellipsoid_around(with_an_area(points))
    outline = region.outline()
    assert outline is not None
    assert outline.shape == (N_OUTLINE, 2)
    np.testing.assert_allclose(squared_radii(outline - region.centre, region.shape), 1, rtol=0, atol=1e-9)
    assert region.contains(outline).all()
    assert not region.contains(region.centre + 1.001 * (outline - region.centre)).any()
    inscribed = signed_area(outline)
    assert abs(inscribed) == pytest.approx(region.defines()["area"], rel=1e-3)


@given(point_sets)
def test_the_outline_of_a_hull_is_its_corners_in_order(points: Points) -> None:
    region = hull_around(with_an_area(points))
    outline = region.outline()
    assert {tuple(corner) for corner in outline} <= {tuple(point) for point in points}
    assert region.contains(outline).all()
    assert region.contains(outline[:-1] * 0.5 + outline[1:] * 0.5).all()
    # A convex polygon, walked one way round: it turns the same way at every corner, and once in all.
    edges = np.roll(outline, -1, axis=0) - outline
    after = np.roll(edges, -1, axis=0)
    turns = np.arctan2(edges[:, 0] * after[:, 1] - edges[:, 1] * after[:, 0], (edges * after).sum(axis=1))
    assert (turns >= -1e-9).all()
    assert turns.sum() == pytest.approx(2 * np.pi)


def test_a_square() -> None:
    square = np.array([[0.0, 0], [2, 0], [2, 2], [0, 2]])
    inside = np.array([[1.0, 1], [0.5, 1.5]])
    outline = hull_around(np.vstack([inside, square])).outline()
    assert sorted(map(tuple, outline.tolist())) == sorted(map(tuple, square.tolist()))
    circle = ellipsoid_around(square).outline()
    assert circle is not None
    np.testing.assert_allclose(np.hypot(*(circle - 1).T), np.sqrt(2), rtol=1e-6)


def test_an_ellipse_in_three_dimensions_has_no_outline() -> None:
    assert ellipsoid_around(np.vstack([np.zeros(3), np.eye(3), -np.eye(3)])).outline() is None


@pytest.mark.parametrize("kind", ALL_KINDS)
def test_only_ellipse_and_hull_have_an_outline(kind: RegionKind) -> None:
    fit = REGIONS[kind].fit(random_topic().scene, SETTINGS)
    assert isinstance(fit, FittedRegion)
    assert (fit.region.outline() is not None) is (kind in ("mvee", "hull"))
