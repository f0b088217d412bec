"""Randomization, bootstrap and Holm: laws, exact values, and how often an interval holds the truth."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import norm

from core import stats
from core.stats import bootstrap_means, holm, percentile_intervals, randomization_p

TENTHS = st.integers(0, 10).map(lambda n: n / 10)


def plain_exact_p(first, second):
    """Every pattern of signs, one by one."""
    differences = second - first
    seen = abs(sum(differences))
    sums = [
        abs(sum(s * d for s, d in zip(signs, differences, strict=True)))
        for signs in product((-1, 1), repeat=len(first))
    ]
    return sum(total >= seen - 1e-9 for total in sums) / len(sums)


@given(values=arrays(np.float64, st.tuples(st.integers(1, 7), st.integers(2, 3)), elements=TENTHS))
@settings(deadline=None, max_examples=60)
def test_few_queries_try_every_pattern(values):
    pairs = list(combinations(range(values.shape[1]), 2))
    plain = [plain_exact_p(values[:, a], values[:, b]) for a, b in pairs]
    assert randomization_p(values, pairs) == pytest.approx(plain, abs=1e-12)


def test_the_sample_agrees_with_every_pattern(monkeypatch):
    values = np.random.default_rng(1).random((12, 4)) + np.array([0, 0.1, 0.2, 0.5])
    pairs = list(combinations(range(4), 2))
    exact = randomization_p(values, pairs)
    monkeypatch.setattr(stats, "EXACT_QUERIES", 0)
    sampled = randomization_p(values, pairs, seed=5)
    assert np.abs(sampled - exact).max() < 0.02
    assert (sampled != exact).any()


def test_the_sample_agrees_with_the_normal_distribution():
    rng = np.random.default_rng(2)
    values = rng.random((400, 1)) + rng.normal([0, 0.01, 0.03], 0.2, (400, 3))
    pairs = [(0, 1), (0, 2), (1, 2)]
    differences = np.stack([values[:, b] - values[:, a] for a, b in pairs], axis=1)
    z = np.abs(differences.sum(axis=0)) / np.sqrt((differences**2).sum(axis=0))
    assert randomization_p(values, pairs) == pytest.approx(2 * norm.sf(z), abs=0.02)


@pytest.mark.parametrize("n", [1, 5, 14, 15, 100])
def test_a_run_against_itself_has_p_1(n):
    values = np.random.default_rng(n).random((n, 1)).repeat(2, axis=1)
    assert randomization_p(values, [(0, 1)]).tolist() == [1]


@pytest.mark.parametrize("n", [10, 40])
def test_which_run_comes_first_does_not_matter(n):
    values = np.random.default_rng(0).random((n, 2))
    there, back = randomization_p(values, [(0, 1), (1, 0)])
    assert there == back


def test_a_pair_does_not_depend_on_other_runs_or_on_blocks(monkeypatch):
    values = np.random.default_rng(3).random((37, 6))
    whole = randomization_p(values, [(0, 1), (2, 5)], seed=4)
    means = bootstrap_means(values, seed=4)
    monkeypatch.setattr(stats, "CELLS", 37 * 64)
    assert randomization_p(values[:, [2, 5]], [(0, 1)], seed=4)[0] == whole[1]
    assert bootstrap_means(values[:, [2, 5]], seed=4) == pytest.approx(means[:, [2, 5]], abs=1e-12)
    assert randomization_p(values, [(0, 1)], seed=5)[0] != whole[0]


def test_the_smallest_p_of_a_sample_is_not_0():
    values = np.zeros((60, 2))
    values[:, 1] = 1
    assert randomization_p(values, [(0, 1)], n=500)[0] == 1 / 501


def test_nothing_to_compare():
    assert randomization_p(np.zeros((0, 2)), [(0, 1)]).tolist() == [1]
    assert randomization_p(np.zeros((5, 2)), []).tolist() == []
    assert percentile_intervals(np.zeros((10, 0))) == []


@given(p=st.lists(st.floats(0, 1), max_size=12))
def test_holm_lowers_nothing_and_keeps_the_order(p):
    corrected = holm(p)
    assert (corrected >= np.array(p)).all()
    assert (corrected <= 1).all()
    assert (np.diff(corrected[np.argsort(p, kind="stable")]) >= 0).all()
    below_bonferroni = np.minimum(np.array(p) * len(p), 1)
    assert (corrected <= below_bonferroni + 1e-12).all()


def test_holm_of_a_textbook():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_bootstrap_is_that_of_the_mean():
    values = np.random.default_rng(8).random((50, 2))
    means = bootstrap_means(values, n=4000)
    assert means.mean(axis=0) == pytest.approx(values.mean(axis=0), abs=0.005)
    assert means.std(axis=0) == pytest.approx(values.std(axis=0) / np.sqrt(50), rel=0.05)
    for (low, high), mean in zip(percentile_intervals(means), values.mean(axis=0), strict=True):
        assert low < mean < high


def test_bootstrap_of_what_is_always_the_same():
    (interval,) = percentile_intervals(bootstrap_means(np.full((30, 1), 0.25), n=50))
    assert interval == pytest.approx((0.25, 0.25))


@pytest.mark.slow
@pytest.mark.parametrize("n_queries", [50, 200])
def test_intervals_hold_the_truth_in_95_percent(n_queries):
    """Queries drawn from a population whose mean is known: reciprocal ranks, far from normal."""
    rng = np.random.default_rng(6)
    population = np.where(rng.random((20_000, 2)) < [0.2, 0.3], 0.0, 1 / rng.geometric([0.3, 0.4], (20_000, 2)))
    truth = population.mean(axis=0)
    held = []
    for seed in range(600):
        drawn = population[rng.integers(0, len(population), n_queries)]
        means = bootstrap_means(drawn, n=1000, seed=seed)
        both = percentile_intervals(np.column_stack([means, means[:, 1] - means[:, 0]]))
        held.append([low <= t <= high for (low, high), t in zip(both, [*truth, truth[1] - truth[0]], strict=True)])
    assert (np.mean(held, axis=0) > 0.92).all()
    assert (np.mean(held, axis=0) < 0.975).all()


@pytest.mark.slow
def test_p_is_below_5_percent_in_5_percent_of_equal_runs():
    rng = np.random.default_rng(9)
    values = np.where(rng.random((60, 800)) < 0.4, 0.0, 1 / rng.geometric(0.3, (60, 800)))
    p = randomization_p(values, [(i, i + 1) for i in range(0, 800, 2)], n=2000)
    assert 0.02 < np.mean(p < 0.05) < 0.08
