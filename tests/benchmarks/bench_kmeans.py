"""The k-means sweep to k = 30, against scikit-learn's float64 KMeans called for one k at a time."""

from __future__ import annotations

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture
from sklearn.cluster import KMeans

from core.kmeans import solutions
from tests.benchmarks.clustered import clustered_unit_vectors
from tests.benchmarks.timing import median_seconds, report

MAX_K = 30


@pytest.mark.parametrize("n", [17_573, 50_000])
def test_sweep(benchmark: BenchmarkFixture, n: int) -> None:
    rows = clustered_unit_vectors(n, 1536)
    found = benchmark.pedantic(lambda: {s.k: s.labels for s in solutions(rows, max_k=MAX_K)}, rounds=3)
    ours = benchmark.stats["median"]

    def one_k_at_a_time() -> dict[int, np.ndarray]:
        as_float64 = rows.astype(np.float64)
        return {k: KMeans(n_clusters=k, random_state=0).fit(as_float64).labels_ for k in range(2, MAX_K + 1)}

    theirs, oracle = median_seconds(one_k_at_a_time, rounds=1)
    assert [k for k in oracle if not np.array_equal(found[k], oracle[k])] == []
    report(f"k-means {n:,} x 1536, k = 2..{MAX_K}, equal labels", ours, theirs, "scikit-learn float64 per k")
