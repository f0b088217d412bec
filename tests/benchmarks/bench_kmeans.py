"""The k-means sweep to k = 30 against scikit-learn's float64 KMeans, one k at a time, in the same run.

python -m pytest tests/benchmarks/bench_kmeans.py --benchmark-only -p no:cacheprovider -o python_files='bench_*.py' -s
"""

from __future__ import annotations

import statistics
import time

import numpy as np
import pytest
from numpy.typing import NDArray
from pytest_benchmark.fixture import BenchmarkFixture
from sklearn.cluster import KMeans

from core.kmeans import solutions
from tests.benchmarks.clustered import clustered_unit_vectors

MAX_K = 30
MIN_RATIO = 3.0


def sweep(rows: NDArray[np.float32]) -> dict[int, NDArray[np.int32]]:
    return {s.k: s.labels for s in solutions(rows, max_k=MAX_K)}


@pytest.mark.parametrize("n", [17_573, 50_000])
def test_sweep(benchmark: BenchmarkFixture, n: int) -> None:
    rows = clustered_unit_vectors(n, 1536)
    found = benchmark.pedantic(sweep, args=(rows,), rounds=3)
    ours = statistics.median(benchmark.stats.stats.data)

    oracle = {}
    began = time.perf_counter()
    # The conversion is part of what calling scikit-learn costs, once for the whole sweep.
    as_float64 = rows.astype(np.float64)
    for k in range(2, MAX_K + 1):
        oracle[k] = KMeans(n_clusters=k, random_state=0).fit(as_float64).labels_
    theirs = time.perf_counter() - began

    different = {k: int((found[k] != oracle[k]).sum()) for k in oracle if not np.array_equal(found[k], oracle[k])}
    print(f"\n{n:,} x 1536, k = 2..{MAX_K}: {ours:.1f} s, scikit-learn {theirs:.1f} s, {theirs / ours:.2f} times")
    assert not different, f"labels that differ, by k: {different}"
    assert theirs / ours >= MIN_RATIO
