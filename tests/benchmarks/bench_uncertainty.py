"""How long resampling the core set takes, and how often its range holds the score it is about."""

from __future__ import annotations

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from core.evaluate import evaluate_scene
from core.regions.base import Scene
from core.resampling import resample_cosine
from core.settings import EvaluationSettings
from core.types import CoreSet, EmbeddedSet, RegionKind, RetrievedSet
from core.uncertainty import percentile_range, resample_weights, sample_scores, sensitivity
from tests.benchmarks.clustered import cluster_of_rows, clustered_unit_vectors, core_rows

SETTINGS = EvaluationSettings(cosine_mode="leave_one_out")


def _scene(vectors: np.ndarray, rows: np.ndarray) -> Scene:
    ids = tuple(f"p{i}" for i in range(len(vectors)))
    core = CoreSet("t", tuple(ids[row] for row in rows))
    return Scene.of(RetrievedSet("q", ids), core, EmbeddedSet(ids, vectors, "random"))


def test_thousand_centroids(benchmark: BenchmarkFixture) -> None:
    scene = _scene(clustered_unit_vectors(17_573, 1536), core_rows(17_573, 47))
    weights = resample_weights(47, 1000, seed=0)
    assert scene.similarities_to_core.shape == (17_573, 47)  # computed once, before the clock starts
    counts = benchmark(lambda: resample_cosine(scene, weights, SETTINGS))
    assert (counts.n_relevant >= 0).all()
    print(f"\n1,000 resampled centroids at 17,573: {benchmark.stats['median'] * 1e3:,.0f} ms")


@pytest.mark.parametrize("kind", ["cosine", "nearest_core"])
def test_sensitivity(kind: RegionKind, benchmark: BenchmarkFixture) -> None:
    scene = _scene(clustered_unit_vectors(17_573, 1536), core_rows(17_573, 47))
    found = benchmark.pedantic(lambda: sensitivity(scene, (kind,), SETTINGS), rounds=3)
    assert found[kind].f_beta_range is not None
    print(f"\nsensitivity of {kind} at 17,573, 2,000 resamples: {benchmark.stats['median']:,.2f} s")


@pytest.mark.parametrize("mode", ["leave_one_out", "quantile", "fixed"])
def test_coverage(mode: str) -> None:
    """Core sets drawn from a known population; the truth is the mean score over all core sets of that size."""
    settings = EvaluationSettings(cosine_mode=mode, min_similarity=0.35)  # type: ignore[arg-type]
    vectors, n_core, n_sets = clustered_unit_vectors(3000, 64), 30, 300
    population = np.flatnonzero(cluster_of_rows(3000) == 0)
    scores, ranges = [], []
    for seed in range(n_sets):
        scene = _scene(vectors, np.random.default_rng(seed).choice(population, n_core, replace=False))
        evaluation = evaluate_scene(scene, topic_id="t", query_id="q", settings=settings, regions=("cosine",))
        scores.append(evaluation.regions["cosine"].semantic_precision)
        weights = resample_weights(n_core, 200, seed=seed)
        drawn = sample_scores(scene, resample_cosine(scene, weights, settings), weights, settings)
        ranges.append(percentile_range(drawn.semantic_precision))
    truth = np.mean(scores)
    held = [low <= truth <= high for low, high in ranges]
    own = [low <= score <= high for score, (low, high) in zip(scores, ranges, strict=True)]
    assert 0 < np.mean(held) <= 1
    print(f"\n{mode}: the 95 % range holds the truth in {np.mean(held):.0%}, its own score in {np.mean(own):.0%}")
