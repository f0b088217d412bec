"""Vectors and the records that hold them, against loops in float64."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from core.errors import InputError, MisalignedError, NoCoreError
from core.types import CoreSet, EmbeddedSet, Projection, RetrievedSet
from core.vectors import BLOCK_ROWS, centroid, cosine, embedded_set, normalise, similarities
from tests.messages import refusal

matrices = hnp.arrays(
    np.float64,
    st.tuples(st.integers(1, 12), st.integers(1, 6)),
    elements=st.one_of(st.floats(-1e3, 1e3), st.sampled_from([0.0, math.nan, math.inf, 1e300, -1e300, 1e-300, 5e-324])),
)


def loop_unit(row):
    """In exact fractions until the last step: the smallest floats have no digits left to square."""
    if not all(math.isfinite(x) for x in row) or not any(row):
        return None
    largest = max(abs(Fraction(x)) for x in row)
    scaled = [float(Fraction(x) / largest) for x in row]
    length = math.sqrt(sum(x * x for x in scaled))
    return [x / length for x in scaled]


def random_rows(n, d, seed=0):
    return normalise(np.random.default_rng(seed).standard_normal((n, d)))[0]


@given(matrices)
def test_normalise_gives_unit_rows_or_zeros(raw):
    rows, scorable_mask = normalise(raw)
    assert rows.dtype == np.float32
    for row, scorable, source in zip(rows, scorable_mask, raw, strict=True):
        expected = loop_unit(source.tolist())
        assert scorable == (expected is not None)
        np.testing.assert_allclose(row, expected or [0.0] * len(row), rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("dtype", [np.int8, np.int64, np.uint16, np.float16, np.float32, np.float64])
def test_normalise_takes_any_real_numbers(dtype):
    rows, scorable_mask = normalise(np.array([[3, 4], [0, 0]], dtype=dtype))
    np.testing.assert_allclose(rows, [[0.6, 0.8], [0, 0]], rtol=1e-6)
    assert scorable_mask.tolist() == [True, False]


def test_normalise_leaves_its_input_alone_and_works_across_blocks():
    raw = np.random.default_rng(1).standard_normal((BLOCK_ROWS + 3, 2))
    raw[BLOCK_ROWS] = math.nan
    before = raw.copy()
    rows, scorable_mask = normalise(raw)
    np.testing.assert_array_equal(raw, before)
    assert np.flatnonzero(~scorable_mask).tolist() == [BLOCK_ROWS]
    lengths = np.linalg.norm(rows.astype(np.float64), axis=1)
    np.testing.assert_allclose(np.delete(lengths, BLOCK_ROWS), 1, rtol=1e-6)


def test_rows_without_columns_have_no_direction():
    assert normalise(np.zeros((2, 0)))[1].tolist() == [False, False]


REFUSED = {
    "a vector": (InputError, lambda: normalise(np.zeros(3))),
    "a cube": (InputError, lambda: normalise(np.zeros((1, 2, 3)))),
    "texts": (InputError, lambda: normalise(np.array([["a", "b"]]))),
    "complex numbers": (InputError, lambda: normalise(np.array([[1j, 0]]))),
    "raw rows without ids": (MisalignedError, lambda: embedded_set(["p"] * 12, np.ones((11, 3)), "toy")),
    "cosine of other dimensions": (InputError, lambda: cosine(random_rows(2, 3), random_rows(1, 4)[0])),
    "similarities of other dimensions": (InputError, lambda: similarities(random_rows(2, 3), random_rows(2, 4))),
    "ids without rows": (MisalignedError, lambda: EmbeddedSet(("a", "b", "c"), random_rows(2, 4), "toy")),
    "points without ids": (MisalignedError, lambda: Projection(("a",), np.zeros((2, 2)), "map")),
    "an embedding in float64": (InputError, lambda: EmbeddedSet(("a", "b"), np.zeros((2, 3)), "toy")),
    "an embedding that is no matrix": (InputError, lambda: EmbeddedSet(("a", "b"), np.zeros(2, np.float32), "toy")),
    "three columns": (InputError, lambda: Projection(("a", "b"), np.zeros((2, 3)), "map")),
    "an unknown id": (InputError, lambda: EmbeddedSet(("a",), random_rows(1, 3), "toy").take(["a", "x"])),
    "an unknown point": (InputError, lambda: Projection(("a",), np.zeros((1, 2)), "map").take(["x"])),
    "a repeated id": (InputError, lambda: RetrievedSet("q", ("a", "a"))),
    "a repeated core publication": (InputError, lambda: CoreSet("t", ("a", "a"))),
    "no core": (NoCoreError, lambda: CoreSet("t", ())),
}


@pytest.mark.parametrize(("kind", "make"), REFUSED.values(), ids=REFUSED)
def test_what_does_not_fit_together_is_refused(kind, make):
    with refusal(kind):
        make()


def test_embedded_set_leaves_unscorable_rows_out_and_names_them():
    raw = np.array([[1, 0], [0, 0], [0, 2], [math.nan, 1], [math.inf, 0]])
    embedded, left_out = embedded_set(["a", "b", "c", "d", "e"], raw, "toy")
    assert (embedded.ids, left_out) == (("a", "c"), ("b", "d", "e"))
    assert embedded.vectors.tolist() == [[1, 0], [0, 1]]
    assert ("c" in embedded, "b" in embedded, len(embedded)) == (True, False, 2)


@given(st.integers(1, 20), st.integers(1, 8), st.integers(0, 99))
def test_centroid_is_the_direction_of_the_mean(n, d, seed):
    rows = random_rows(n, d, seed)
    mean = [sum(float(row[j]) for row in rows) / n for j in range(d)]
    if math.hypot(*mean) > 1e-6:
        np.testing.assert_allclose(centroid(rows), loop_unit(mean), atol=1e-6)
        assert centroid(rows).dtype == np.float32


def test_vectors_that_cancel_out_have_no_centroid():
    rows = np.array([[1, 0], [-1, 0]], dtype=np.float32)
    assert centroid(rows).tolist() == [0, 0]


@given(st.integers(1, 20), st.integers(1, 40), st.integers(0, 99))
def test_cosine_is_that_of_a_float64_loop(n, d, seed):
    rows, others = random_rows(n, d, seed), random_rows(3, d, seed + 100)
    expected = [[sum(float(x) * float(y) for x, y in zip(row, o, strict=True)) for o in others] for row in rows]
    np.testing.assert_allclose(cosine(rows, others[1]), [line[1] for line in expected], atol=2e-6)
    np.testing.assert_allclose(similarities(rows, others), expected, atol=2e-6)


@given(st.lists(st.integers(0, 9), max_size=15))
def test_take_keeps_ids_and_rows_together_in_the_order_asked_for(rows):
    ids, vectors = tuple(f"p{i}" for i in range(10)), random_rows(10, 3)
    wanted = [ids[row] for row in rows]
    taken = EmbeddedSet(ids, vectors, "toy").take(wanted)
    assert (taken.ids, taken.model_id) == (tuple(wanted), "toy")
    assert taken.vectors.tolist() == [vectors[row].tolist() for row in rows]
    places = vectors[:, :2].astype(np.float64)
    shown = Projection(ids, places, "map").take(wanted)
    assert (shown.ids, shown.projection_id) == (tuple(wanted), "map")
    assert shown.points.tolist() == [places[row].tolist() for row in rows]


@pytest.mark.parametrize(
    ("rows", "is_view"),
    [([2, 3, 4], True), ([5], True), (range(6), True), ([4, 3, 2], False), ([0, 2], False), ([1, 1, 3], False)],
)
def test_a_run_of_rows_is_a_view_and_anything_else_a_copy(rows, is_view):
    embedded = EmbeddedSet(tuple("abcdef"), random_rows(6, 3), "toy")
    taken = embedded.take(["abcdef"[row] for row in rows])
    assert np.shares_memory(taken.vectors, embedded.vectors) == is_view


@given(st.lists(st.sampled_from("abcd"), max_size=12))
def test_a_retrieved_set_counts_a_repeated_id_once(ids):
    retrieved = RetrievedSet.of("q", ids)
    expected = []
    for i in ids:
        if i not in expected:
            expected.append(i)
    assert (list(retrieved.ids), len(retrieved)) == (expected, len(expected))
