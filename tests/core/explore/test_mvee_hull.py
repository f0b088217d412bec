"""Ellipsoid and hull on the landscape: against independent oracles, and the laws both obey."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.spatial import ConvexHull, Delaunay

from core.explore.regions.hull import hull_around, lies_on_a_line
from core.explore.regions.mvee import RELATIVE_GAP, EllipsoidRegion, _weights, ellipsoid_around
from tests.core.scenes import SETTINGS, random_topic

AROUND = {"mvee": ellipsoid_around, "hull": hull_around}


def area_by_minimisation(points):
    """Area of the smallest ellipse |Lp + b| <= 1 by a general optimiser."""
    middle, size = points.mean(axis=0), np.abs(points - points.mean(axis=0)).max()
    scaled = (points - middle) / size
    lifted = np.column_stack([scaled, np.ones(len(scaled))])

    def room(x):
        towards = lifted @ np.array([[x[0], x[1]], [x[1], x[2]], [x[3], x[4]]])
        return 1 - (towards**2).sum(axis=1)

    best = minimize(
        lambda x: -np.log(max(x[0] * x[2] - x[1] ** 2, 1e-300)),
        [0.5, 0, 0.5, 0, 0],
        constraints={"type": "ineq", "fun": room},
        method="SLSQP",
        options={"maxiter": 500, "ftol": 1e-13},
    )
    assert best.success
    assert room(best.x).min() > -1e-8
    return np.pi / (best.x[0] * best.x[2] - best.x[1] ** 2) * size**2


def in_hull_by_cross_products(corners, p):
    """Left of, or on, every side of a polygon that goes round counter-clockwise."""
    scale = np.abs(corners - corners.mean(axis=0)).max() ** 2
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        if (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) < -1e-12 * scale:
            return False
    return True


@pytest.mark.parametrize("seed", range(12))
def test_the_ellipse_has_the_smallest_area(seed):
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(int(rng.integers(3, 40)), 2)) @ rng.normal(size=(2, 2)) + 10 * rng.normal(size=2)
    area = ellipsoid_around(points).defines()["area"]
    assert area == pytest.approx(area_by_minimisation(points), rel=1e-5)


@pytest.mark.parametrize(("n", "d"), [(4, 2), (25, 2), (60, 2), (2000, 2), (40, 5)])
def test_the_gap_at_the_end_is_as_small_as_promised(n, d):
    points = np.random.default_rng(n).normal(size=(n, d))
    points = points[ConvexHull(points).vertices]
    n = len(points)
    weights = _weights(points)
    lifted = np.column_stack([points, np.ones(n)])
    radii = np.einsum("ij,ij->i", lifted @ np.linalg.inv((lifted.T * weights) @ lifted), lifted)
    assert weights.min() >= 0
    assert weights.sum() == pytest.approx(1, abs=1e-12)
    assert radii.max() / (d + 1) - 1 <= RELATIVE_GAP * 1.01
    assert 1 - radii[weights > 0].min() / (d + 1) <= RELATIVE_GAP * 1.01


def test_the_boundary_of_the_ellipse_is_in_to_1e_6():
    region = EllipsoidRegion(np.array([3.0, 5.0]), np.diag([1.0, 0.25]))
    radii = np.sqrt([1.0, 1 + 5e-7, 1 + 2e-6, 1 - 1e-6])
    for axis in (np.array([1.0, 0]), np.array([0, 2.0])):
        rows = region.centre + radii[:, None] * axis
        assert region.contains(rows).tolist() == [True, True, False, True]


def thin_and_far(seed, n, thickness, scale, offset, copies):
    """Points of any shape: thin, tiny, huge, far away, some of them twice."""
    rng = np.random.default_rng(seed)
    turn = rng.uniform(0, np.pi)
    rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    points = (rng.normal(size=(n, 2)) * [1, 10.0**thickness] @ rotation + offset) * 10.0**scale
    return np.vstack([points, points[:copies]])


shapes = st.builds(
    thin_and_far,
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(3, 60),
    thickness=st.floats(-7, 0),
    scale=st.floats(-12, 12),
    offset=st.sampled_from([0.0, 3.0, 1e3, 1e6]),
    copies=st.integers(0, 3),
)


@pytest.mark.parametrize("kind", AROUND)
@given(points=shapes)
@example(points=np.array([[0.0, 0], [1, 0], [0, 1]]))
@example(points=np.repeat(np.array([[0.0, 0], [1, 0], [0, 1], [1, 1]]), 5, axis=0))
@example(points=np.array([[x, y] for x in range(5) for y in range(5)], dtype=float))
@settings(max_examples=300, deadline=None)
def test_contains_every_point_it_was_fitted_on(kind, points):
    assume(not lies_on_a_line(points))
    assert AROUND[kind](points).contains(points).all()


@pytest.mark.parametrize("kind", AROUND)
@given(seed=st.integers(0, 10_000), steep=st.floats(0.05, 20), shear=st.floats(-3, 3), shift=st.floats(-100, 100))
@settings(max_examples=60, deadline=None)
def test_an_affine_map_changes_no_decision(kind, seed, steep, shear, shift):
    rng = np.random.default_rng(seed)
    points, others = rng.normal(size=(8, 2)), 1.5 * rng.normal(size=(200, 2))
    matrix = np.array([[1.0, shear], [0.0, steep]])
    plain, mapped = AROUND[kind](points), AROUND[kind](points @ matrix + shift)
    changed = plain.contains(others) != mapped.contains(others @ matrix + shift)
    if kind == "mvee":  # what lies on the boundary to 1e-5 may go either way
        offsets = others - plain.centre
        changed &= np.abs(np.einsum("ij,jk,ik->i", offsets, plain.shape, offsets) - 1) > 1e-5
    assert not changed.any()


@given(seed=st.integers(0, 10_000), n=st.integers(4, 20))
@settings(max_examples=40, deadline=None)
def test_no_ellipse_around_three_points_or_a_part_is_larger(seed, n):
    points = np.random.default_rng(seed).normal(size=(n, 2))
    area = ellipsoid_around(points).defines()["area"]
    assert area >= ellipsoid_around(points[:-1]).defines()["area"] * (1 - 1e-6)
    assert area >= ConvexHull(points).volume
    # An ellipse shrunk to half its radii fits into the hull (John).
    assert area / 4 <= ConvexHull(points).volume * (1 + 1e-6)


@pytest.mark.parametrize("seed", range(8))
def test_the_hull_equals_two_oracles(seed):
    rng = np.random.default_rng(seed)
    points, others = rng.normal(size=(15, 2)), 1.3 * rng.normal(size=(400, 2))
    region = hull_around(points)
    mask = region.contains(others)
    np.testing.assert_array_equal(mask, Delaunay(points).find_simplex(others) >= 0)
    np.testing.assert_array_equal(mask, [in_hull_by_cross_products(region.corners, p) for p in others])
    assert 0 < mask.sum() < len(mask)


@given(seed=st.integers(0, 10_000), along=st.floats(0, 1), scale=st.floats(-6, 6))
@settings(max_examples=80, deadline=None)
def test_the_boundary_belongs_to_the_hull(seed, along, scale):
    points = np.random.default_rng(seed).normal(size=(10, 2)) * 10.0**scale
    region = hull_around(points)
    following = np.roll(region.corners, -1, axis=0)
    assert region.contains(along * region.corners + (1 - along) * following).all()
    middle = region.corners.mean(axis=0)
    beyond = middle + (region.corners - middle) * (1 + 1e-9)
    assert not region.contains(beyond).any()


ON_A_LINE = "on one line"


@pytest.mark.parametrize("kind", AROUND)
@pytest.mark.parametrize(
    ("places", "status"),
    [
        ([], "core publications"),
        ([[1, 1]], "core publications"),
        ([[1, 1], [2, 5]], "core publications"),
        ([[1, 1]] * 4, ON_A_LINE),
        ([[1e6 + 0.1, -0.3]] * 7, ON_A_LINE),
        ([[0, 0], [1, 1], [2, 2], [5, 5]], ON_A_LINE),
        ([[0.1 * i, 0.3 * i + 7] for i in range(6)], ON_A_LINE),
        ([[3, i] for i in range(4)], ON_A_LINE),
        ([[0, 0], [1, 2], [0, 0], [1, 2]], ON_A_LINE),
        ([[0, 0], [1, 0], [0, 1]], "ok"),
        ([[0, 0], [1, 0], [0, 1e-6]], "ok"),
    ],
)
def test_too_few_or_too_flat(kind, places, status):
    topic = random_topic(n_core=7, n_found=len(places))
    points = topic.projection.points.copy()
    points[: len(places)] = np.reshape(places, (-1, 2))
    topic = topic.with_(projection=type(topic.projection)(topic.projection.ids, points, "map"))
    scores = topic.evaluate(SETTINGS, [kind]).regions[kind]
    assert scores.status == "ok" or scores.status.startswith("needs 3 found")
    assert scores.status.endswith(status)
    assert (scores.f_beta is None) == (scores.semantic_precision is None) == (status != "ok")


@pytest.mark.parametrize("kind", AROUND)
def test_every_found_core_publication_is_accepted_and_missed_ones_shape_nothing(kind):
    for seed in range(20):
        topic = random_topic(seed)
        scores = topic.evaluate(SETTINGS, [kind]).regions[kind]
        assert scores.accepted_core_ids == topic.core_ids[:9]
        fewer_missed = topic.with_(core_ids=topic.core_ids[:9]).evaluate(SETTINGS, [kind]).regions[kind]
        np.testing.assert_array_equal(scores.relevant_mask, fewer_missed.relevant_mask)
