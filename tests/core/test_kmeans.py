"""The oracle is scikit-learn's KMeans on float64 rows, one k at a time: the labels have to be the same ones.

Up to 2,048 rows, and for float64 rows or few columns, everything is float64; the larger cases go through float32.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn.cluster import KMeans
from threadpoolctl import threadpool_limits

from core import kmeans
from core.errors import InputError
from core.kmeans import Clustering, Rows, n_distinct_rows, solutions
from tests.benchmarks.clustered import clustered_unit_vectors


@pytest.fixture(autouse=True, scope="module")
def _one_thread() -> Iterator[None]:
    """Threads only wait for each other on matrices this small, up to 20 times as long where the processor is shared."""
    with threadpool_limits(1):
        yield


def assert_same_as_scikit_learn(rows: Rows, *, max_k: int, seed: int = 0, last_k: int | None = None) -> None:
    found = list(solutions(rows, max_k=max_k, seed=seed))
    assert [s.k for s in found] == list(range(2, (last_k or max_k) + 1))
    for ours in found:
        oracle = KMeans(n_clusters=ours.k, random_state=seed).fit(rows.astype(np.float64))
        n_different = int((ours.labels != oracle.labels_).sum())
        assert n_different == 0, f"k = {ours.k}: {n_different} of {len(rows)} labels differ"
        reach = np.abs(rows).max()
        np.testing.assert_allclose(ours.centers, oracle.cluster_centers_, rtol=0, atol=1e-12 * reach)
        assert ours.labels.dtype == np.int32
        assert ours.centers.dtype == np.float64


def points(n: int, seed: int) -> NDArray[np.float64]:
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, 2)) + 4 * rng.standard_normal((6, 2))[rng.integers(6, size=n)]


@pytest.mark.parametrize(
    ("n", "d", "spread", "seed"),
    [(300, 16, 0.5, 0), (700, 64, 1.0, 1), (1500, 24, 2.0, 2), (3000, 48, 4.0, 3), (5000, 32, 1.5, 4)],
)
def test_labels_of_clustered_unit_vectors_are_those_of_scikit_learn(n: int, d: int, spread: float, seed: int) -> None:
    rows = clustered_unit_vectors(n, d, n_clusters=12, spread=spread, seed=seed)
    assert rows.dtype == np.float32
    assert_same_as_scikit_learn(rows, max_k=30, seed=seed)


def test_labels_of_rows_without_any_structure_are_those_of_scikit_learn() -> None:
    rows = np.random.default_rng(5).standard_normal((2200, 20)).astype(np.float32)
    assert_same_as_scikit_learn(rows / np.linalg.norm(rows, axis=1, keepdims=True), max_k=40)


def test_labels_of_rows_that_all_point_almost_the_same_way_are_those_of_scikit_learn() -> None:
    noise = np.random.default_rng(6).standard_normal((2200, 40)) * 1e-4
    rows = (noise + np.eye(40)[0]).astype(np.float32)
    assert_same_as_scikit_learn(rows, max_k=20)


@pytest.mark.parametrize("far", [0.0, 1e3, 1e7])
def test_labels_of_points_are_those_of_scikit_learn_also_far_from_the_origin(far: float) -> None:
    assert_same_as_scikit_learn(points(1200, 1) + far, max_k=30)


def test_labels_of_float32_points_are_those_of_scikit_learn() -> None:
    rows = (points(900, 2) + 1e3).astype(np.float32)
    assert_same_as_scikit_learn(rows, max_k=25)


def test_float32_and_float64_rows_with_the_same_numbers_give_the_same_labels() -> None:
    rows = clustered_unit_vectors(2400, 32, n_clusters=9, spread=1.5)
    as_float64 = [s.labels for s in solutions(rows.astype(np.float64), max_k=20)]
    for s, labels in zip(solutions(rows, max_k=20), as_float64, strict=True):
        np.testing.assert_array_equal(s.labels, labels)


@pytest.mark.parametrize("n_distinct", [2, 3, 7, 12])
def test_repeated_rows_end_the_sweep_at_the_number_of_distinct_rows(n_distinct: int) -> None:
    rng = np.random.default_rng(n_distinct)
    rows = clustered_unit_vectors(n_distinct, 16, seed=n_distinct)[rng.integers(n_distinct, size=2500)]
    assert_same_as_scikit_learn(rows, max_k=30, last_k=n_distinct)


def test_repeated_rows_among_others_change_nothing() -> None:
    rows = clustered_unit_vectors(2000, 24, n_clusters=8, spread=1.5)
    assert_same_as_scikit_learn(np.concatenate([rows, rows[:150], rows[:40]]), max_k=25)


@pytest.mark.parametrize("n", [2, 3, 4, 6, 10])
@pytest.mark.parametrize("seed", range(4))
def test_labels_of_very_few_rows_are_those_of_scikit_learn(n: int, seed: int) -> None:
    assert_same_as_scikit_learn(points(n, seed), max_k=30, seed=seed, last_k=n)
    assert_same_as_scikit_learn(clustered_unit_vectors(n, 12, seed=seed), max_k=30, seed=seed, last_k=n)


@pytest.mark.parametrize("single", [False, True])
@pytest.mark.parametrize("n_empty", [1, 2, 5])
@pytest.mark.parametrize("seed", range(5))
def test_empty_clusters_get_the_rows_that_scikit_learn_gives_them(seed: int, n_empty: int, single: bool) -> None:
    # Seeds are rows, so clusters hardly ever get empty by themselves: start from centers that are far from every row.
    rows = np.random.default_rng(seed).standard_normal((2500 if single else 40, 12)) ** 3
    far = 1e3 + np.arange(n_empty)[:, None] * np.ones(12)
    start = np.concatenate([far[:1], rows[:6], far[1:]]).astype(np.float32 if single else np.float64)
    rows = rows.astype(start.dtype)
    oracle = KMeans(len(start), init=start.astype(np.float64), n_init=1).fit(rows.astype(np.float64))

    data = kmeans._Data(rows)
    centred, centers = rows - data.mean, start - data.mean
    labels = np.linalg.norm(centred[:, None] - centers, axis=2).argmin(axis=1).astype(np.int32)
    member = np.eye(len(start))[labels]
    clusters = kmeans._Clusters(labels, member.T @ centred, member.sum(axis=0).astype(np.intp))
    assert (clusters.counts == 0).sum() == n_empty
    found = kmeans._lloyd(data, clusters, centers) + data.mean
    np.testing.assert_array_equal(clusters.labels, oracle.labels_)
    np.testing.assert_allclose(found, oracle.cluster_centers_, rtol=0, atol=1e-10)


@pytest.mark.parametrize("rows", [np.ones((5, 3)), np.ones((1, 3)), np.ones((0, 3)), np.zeros((4, 9), np.float32)])
def test_fewer_than_two_distinct_rows_have_no_solution(rows: Rows) -> None:
    assert list(solutions(rows, max_k=10)) == []


@pytest.mark.parametrize("max_k", [-1, 0, 1])
def test_a_max_k_below_two_has_no_solution(max_k: int) -> None:
    assert list(solutions(points(20, 0), max_k=max_k)) == []


def test_a_solution_does_not_depend_on_how_far_the_sweep_goes() -> None:
    rows = clustered_unit_vectors(500, 24)
    few, many = list(islice(solutions(rows, max_k=100), 7)), list(solutions(rows, max_k=24))
    for a, b in zip(few, many, strict=False):
        assert a.labels.tobytes() == b.labels.tobytes()
        assert a.centers.tobytes() == b.centers.tobytes()


def test_the_same_seed_gives_the_same_bytes_and_leaves_the_rows_alone() -> None:
    rows = clustered_unit_vectors(2300, 40, spread=2.0)
    before = rows.tobytes()
    runs = [[(s.labels.tobytes(), s.centers.tobytes()) for s in solutions(rows, max_k=12, seed=3)] for _ in range(2)]
    assert runs[0] == runs[1]
    assert rows.tobytes() == before


def test_rows_can_be_read_only() -> None:
    rows = clustered_unit_vectors(300, 24)
    rows.setflags(write=False)
    assert len(list(solutions(rows, max_k=5))) == 4


def assert_lawful(rows: Rows, s: Clustering) -> None:
    assert s.labels.shape == (len(rows),)
    assert set(s.labels.tolist()) == set(range(s.k))
    distances = np.linalg.norm(rows[:, None].astype(np.float64) - s.centers, axis=2)
    own = distances[np.arange(len(rows)), s.labels]
    assert (own <= distances.min(axis=1) + 1e-9).all()


@settings(max_examples=40, deadline=None)
@given(n=st.integers(60, 200), d=st.integers(2, 12), seed=st.integers(0, 10_000), single=st.booleans())
def test_every_label_is_in_range_and_that_of_the_nearest_center(n: int, d: int, seed: int, single: bool) -> None:
    rows = np.random.default_rng(seed).random((n, d))
    for s in solutions(rows.astype(np.float32) if single else rows, max_k=10, seed=seed):
        assert_lawful(rows, s)


@settings(max_examples=60, deadline=None)
@given(
    rows=st.lists(st.lists(st.sampled_from([-1.5, -0.0, 0.0, 2.0]), min_size=2, max_size=2), min_size=1, max_size=30),
    at_most=st.integers(0, 20),
)
def test_distinct_rows_are_counted_as_a_set_would(rows: list[list[float]], at_most: int) -> None:
    expected = min(at_most, len({tuple(row) for row in rows}))
    for kind in (np.float32, np.float64):
        assert n_distinct_rows(np.array(rows, dtype=kind), at_most=at_most) == expected


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (np.ones(4), "float64 \\(4,\\)"),
        (np.ones((3, 2), dtype=np.int64), "int64 \\(3, 2\\)"),
        (np.array([[0.0, 1.0], [np.nan, 1.0]]), "NaN or infinity"),
        (np.array([[0.0, 1.0], [np.inf, 1.0]]), "NaN or infinity"),
    ],
)
def test_what_is_no_matrix_of_numbers_is_refused_at_once(rows: Rows, message: str) -> None:
    with pytest.raises(InputError, match=message):
        solutions(rows, max_k=3)
