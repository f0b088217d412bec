"""Every distinct threshold at once, against a loop over the same thresholds; cosine against one pass over memory."""

from __future__ import annotations

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from core.metrics import similar_mask, sweep_min_similarity
from core.settings import EvaluationSettings
from core.vectors import centroid, cosine
from tests.benchmarks.clustered import clustered_unit_vectors, core_rows
from tests.benchmarks.timing import median_seconds, report
from tests.plain import plain_sweep

SETTINGS = EvaluationSettings()
N_CORE = 47


@pytest.mark.parametrize("n", [17_573, 50_000])
def test_sweep(n: int, benchmark: BenchmarkFixture) -> None:
    vectors = clustered_unit_vectors(n, 64)
    core = core_rows(n, N_CORE)
    similarities = cosine(vectors, centroid(vectors[core]))
    handed = {
        "similarities": similarities,
        "core_similarities": similarities[core],
        "n_core": N_CORE,
        "settings": SETTINGS,
    }
    sweep = benchmark(lambda: sweep_min_similarity(**handed))
    plain, rows = median_seconds(lambda: plain_sweep(sweep.min_similarity, **handed), rounds=1)
    assert [row[0] for row in rows] == sweep.n_relevant.tolist()
    assert np.allclose([row[2] for row in rows], sweep.f_beta, rtol=0, atol=1e-12)
    report(f"sweep of {len(sweep):,} thresholds", benchmark.stats["median"], plain, "loop over thresholds")


@pytest.mark.parametrize("n", [17_573, 50_000])
def test_cosine(n: int, benchmark: BenchmarkFixture) -> None:
    vectors = clustered_unit_vectors(n, 1536)
    middle = centroid(vectors[core_rows(n, N_CORE)])
    mask = benchmark(lambda: similar_mask(cosine(vectors, middle), 0.3))
    flat = vectors.ravel()
    one_pass, _ = median_seconds(lambda: float(flat @ flat), rounds=9)
    plain = np.array([float(row @ middle) >= 0.3 - 1e-6 for row in vectors[:500]])
    assert np.array_equal(mask[:500], plain)
    report(f"cosine {n:,} x 1536", benchmark.stats["median"], one_pass, "one pass over memory (dot with itself)")
