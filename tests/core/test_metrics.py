"""Recall, semantic precision, decay and F-beta: the values of METRICS.md, the ends of each scale, and the laws."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import NoCoreError, SettingsError
from core.metrics import (
    METRICS,
    attainable_recall,
    best_size,
    decay,
    f_beta,
    read_per_core,
    recall,
    semantic_precision,
)
from tests.messages import refusal

DEFAULTS = {"limit": 50_000, "onset": 1.5, "steepness": 10}
WORKED = {1_000: 0.972073, 5_000: 0.725180, 10_000: 0.391807, 17_573: 0.096667, 20_000: 0.054114, 30_000: 0.001930}

UNDERFLOW = 1e-100  # products of numbers below this lose digits

shares = st.floats(0, 1)
betas = st.floats(0.01, 100)
# Whole limits: just below one, 1 - n / limit would magnify the last digit, in which loop and array may differ.
shapes = st.fixed_dictionaries(
    {"limit": st.integers(1, 1_000_000), "onset": st.floats(0.05, 500), "steepness": st.floats(0.05, 500)}
)


def loop_decay(n, *, limit, onset, steepness):
    return 0.0 if n >= limit else (1 - (n / limit) ** onset) ** steepness


@pytest.mark.parametrize(("n", "expected"), WORKED.items())
def test_decay_has_the_values_of_the_method(n, expected):
    assert round(decay(n, **DEFAULTS), 6) == expected


@pytest.mark.parametrize(("n", "expected"), [(0, 1.0), (50_000, 0.0), (50_001, 0.0), (100_000, 0.0), (10**9, 0.0)])
def test_decay_ends_at_one_and_at_zero(n, expected):
    assert decay(n, **DEFAULTS) == expected


@given(shapes, st.lists(st.integers(0, 2_000_000), min_size=2, max_size=30))
def test_decay_falls_monotonically_within_0_and_1(shape, sizes):
    prices = [decay(n, **shape) for n in sorted(sizes)]
    assert all(0 <= price <= 1 for price in prices)
    assert all(later <= earlier * (1 + 1e-12) for earlier, later in pairwise(prices))


@given(shapes, st.lists(st.integers(0, 2_000_000), min_size=1, max_size=30))
def test_decay_of_an_array_is_that_of_each_number(shape, sizes):
    expected = [loop_decay(n, **shape) for n in sizes]
    np.testing.assert_allclose(decay(np.array(sizes), **shape), expected, rtol=0, atol=1e-9)
    np.testing.assert_allclose([decay(n, **shape) for n in sizes], expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize("size", [5, np.array([5, 50])], ids=["number", "array"])
@pytest.mark.parametrize("bad", [0, -1.5, math.nan])
@pytest.mark.parametrize("name", ["limit", "onset", "steepness"])
def test_decay_parameters_must_be_above_0(name, bad, size):
    with refusal(SettingsError):
        decay(size, **(DEFAULTS | {name: bad}))


def test_f_beta_of_the_worked_example():
    price = decay(1904, **DEFAULTS)
    assert round(f_beta(1904 / 2151 * price, 45 / 47, beta=2), 6) == 0.926786


@pytest.mark.parametrize("pair", [(0.0, 0.7), (0.7, 0.0), (0.0, 0.0)])
def test_f_beta_is_zero_if_either_factor_is(pair):
    assert f_beta(*pair, beta=2) == 0.0


def test_f_beta_weighs_recall_higher_above_1_and_precision_below():
    assert f_beta(0.2, 0.8, beta=2) > f_beta(0.8, 0.2, beta=2)
    assert f_beta(0.2, 0.8, beta=0.5) < f_beta(0.8, 0.2, beta=0.5)
    assert f_beta(0.2, 0.8, beta=1) == f_beta(0.8, 0.2, beta=1) == pytest.approx(0.32)


@given(shares, shares, betas)
def test_f_beta_lies_between_its_factors(precision, share, beta):
    score = f_beta(precision, share, beta=beta)
    assert 0 <= score <= 1
    assert min(precision, share) * (1 - 1e-12) - UNDERFLOW <= score <= max(precision, share) * (1 + 1e-12) + UNDERFLOW


@given(st.lists(st.tuples(shares, shares), min_size=1, max_size=30), betas)
def test_f_beta_of_arrays_is_that_of_each_pair(pairs, beta):
    precision, share = np.array(pairs).T
    expected = [f_beta(p, r, beta=beta) for p, r in pairs]
    assert f_beta(precision, share, beta=beta).tolist() == expected


@given(shares, shares, shares, betas)
def test_f_beta_never_falls_when_a_factor_rises(a, b, fixed, beta):
    low, high = sorted((a, b))
    assert f_beta(low, fixed, beta=beta) <= f_beta(high, fixed, beta=beta) * (1 + 1e-12) + UNDERFLOW
    assert f_beta(fixed, low, beta=beta) <= f_beta(fixed, high, beta=beta) * (1 + 1e-12) + UNDERFLOW


def test_recall_without_core_is_an_error():
    with refusal(NoCoreError):
        recall(n_found=0, n_core=0)


@pytest.mark.parametrize(
    ("share", "part", "whole"),
    [
        (recall, "n_found", "n_core"),
        (attainable_recall, "n_found_with_vectors", "n_core_with_vectors"),
        (semantic_precision, "n_relevant", "n_scorable"),
    ],
)
def test_shares_are_undefined_of_nothing(share, part, whole):
    assert [share(**{part: n, whole: 22}) for n in (0, 17, 22)] == [0.0, 17 / 22, 1.0]
    if share is not recall:
        assert share(**{part: 0, whole: 0}) is None


def test_best_size_of_the_defaults():
    assert round(best_size(**DEFAULTS), 1) == 7874.5


@pytest.mark.parametrize(
    "shape",
    [DEFAULTS, {"limit": 3_000, "onset": 0.8, "steepness": 4}, {"limit": 20_000, "onset": 4, "steepness": 0.5}],
)
@pytest.mark.parametrize(("n_retrieved", "saturated"), [(60_000, 1.0), (200_000, 0.4)])
def test_best_size_is_where_f_beta_peaks_once_recall_is_saturated(shape, n_retrieved, saturated):
    sizes = np.arange(1, int(shape["limit"]) + 1)
    scores = f_beta(sizes / n_retrieved * decay(sizes, **shape), np.full(len(sizes), saturated), beta=2)
    assert abs(sizes[scores.argmax()] - best_size(**shape)) < 1


@given(st.integers(0, 1000), st.integers(0, 1000))
def test_to_read_per_core_found_is_one_or_more_and_turns_recall_per_retrieved_around(n_found, n_others):
    n_retrieved = n_found + n_others
    value = read_per_core(n_retrieved=n_retrieved, n_found=n_found)
    assert (value is None) is (n_found == 0)
    if value is not None:
        assert value >= 1
        assert value * n_found == pytest.approx(n_retrieved, rel=1e-15)
        assert (value == 1) is (n_others == 0)
        assert read_per_core(n_retrieved=n_retrieved + 1, n_found=n_found) > value


def test_all_metrics_but_one_are_shares_and_their_labels_differ():
    assert [name for name, metric in METRICS.items() if metric.range != "0 to 1"] == ["read_per_core"]
    assert len({metric.label for metric in METRICS.values()}) == len(METRICS)
