"""The smallest ellipse around core points, against Khachiyan's algorithm as textbooks print it."""

from __future__ import annotations

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from core.explore.regions.mvee import ellipsoid_around, squared_radii
from tests.benchmarks.timing import median_seconds, report
from tests.plain import plain_ellipsoid


@pytest.mark.parametrize("n", [10, 25, 47, 100, 300])
def test_ellipsoid(n: int, benchmark: BenchmarkFixture) -> None:
    points = np.random.default_rng(n).normal(size=(n, 2)) * [3.0, 1.0] + [9.0, 4.0]
    ellipsoid = benchmark(lambda: ellipsoid_around(points))
    plain, (centre, shape) = median_seconds(lambda: plain_ellipsoid(points), rounds=3)
    outside = int((squared_radii(points - centre, shape) > 1).sum())
    assert ellipsoid.contains(points).all()
    assert np.linalg.det(shape) == pytest.approx(np.linalg.det(ellipsoid.shape), rel=1e-2)
    report(f"ellipsoid around {n} points", benchmark.stats["median"], plain, f"Khachiyan ({outside} points left out)")
