"""How long resampling the core set takes, and how often its range holds the score it is about."""

from __future__ import annotations

from typing import get_args

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from core.explore.uncertainty import N_SIMULATED, resample_cosine, resample_weights, sensitivity
from core.settings import CosineMode, EvaluationSettings
from core.types import RegionKind
from tests.benchmarks.clustered import clustered_unit_vectors, core_rows
from tests.benchmarks.coverage import scene_of, simulated_coverage

SETTINGS = EvaluationSettings(cosine_mode="leave_one_out")


def test_thousand_centroids(benchmark: BenchmarkFixture) -> None:
    scene = scene_of(clustered_unit_vectors(17_573, 1536), core_rows(17_573, 47))
    weights = resample_weights(47, 1000, seed=0)
    assert scene.similarities_to_core.shape == (17_573, 47)  # computed once, before the clock starts
    counts = benchmark(lambda: resample_cosine(scene, weights, SETTINGS))
    assert (counts.n_relevant >= 0).all()
    print(f"\n1,000 resampled centroids at 17,573: {benchmark.stats['median'] * 1e3:,.0f} ms")


@pytest.mark.parametrize("kind", ["cosine", "nearest_core"])
def test_sensitivity(kind: RegionKind, benchmark: BenchmarkFixture) -> None:
    scene = scene_of(clustered_unit_vectors(17_573, 1536), core_rows(17_573, 47))
    found = benchmark.pedantic(lambda: sensitivity(scene, (kind,), SETTINGS), rounds=3)
    assert found[kind].f_beta_range is not None
    print(f"\nsensitivity of {kind} at 17,573, 2,000 resamples: {benchmark.stats['median']:,.2f} s")


@pytest.mark.parametrize("mode", get_args(CosineMode))
def test_coverage(mode: CosineMode) -> None:
    held, own = simulated_coverage(mode, N_SIMULATED)
    assert 0 < held <= 1
    print(f"\n{mode}: the 95 % range holds the truth in {held:.0%}, its own score in {own:.0%}")
