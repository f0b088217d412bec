"""Ellipsoid and hull in the embedding space: against the matrices and the optimisation they stand for."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from sklearn.covariance import ledoit_wolf

from core.explore.regions import REGIONS
from core.explore.regions.embedding_forms import _ShrunkEllipsoid, hull_distances, shrinkage
from core.explore.scene import FittedRegion
from tests.core.scenes import SETTINGS, random_topic, topic_of, unit

KINDS = ("mvee_embedding", "hull_embedding")


@pytest.mark.parametrize(("n", "d"), [(4, 3), (10, 4), (12, 60), (30, 200), (50, 6)])
def test_shrinkage_equals_ledoit_wolf(n, d):
    rows = np.random.default_rng(n).normal(size=(n, d)) * np.linspace(0.2, 2, d)
    centred = rows - rows.mean(axis=0)
    gram = centred @ centred.T
    share, variance = shrinkage(gram, float((np.diag(gram) ** 2).sum()), d)
    covariance, expected = ledoit_wolf(rows)
    assert share == pytest.approx(expected, rel=1e-9)
    assert (1 - share) * centred.T @ centred / n + share * variance * np.eye(d) == pytest.approx(covariance, abs=1e-12)


def test_shrinkage_of_identical_rows_is_no_error():
    assert shrinkage(np.zeros((4, 4)), 0.0, 10) == (0.0, 0.0)


@pytest.mark.parametrize(("n", "d"), [(5, 4), (8, 3), (12, 6), (10, 40)])
def test_squared_distances_equal_explicit_mahalanobis(n, d):
    rng = np.random.default_rng(d)
    core, others = unit(rng.normal(size=(n, d)) + 1), unit(rng.normal(size=(30, d)) + 0.5)
    covariance, _ = ledoit_wolf(core)
    offsets = others - core.mean(axis=0)
    explicit = [offset @ np.linalg.solve(covariance, offset) for offset in offsets]
    ours = _ShrunkEllipsoid.around(core @ core.T, d).squared_distances(others @ core.T)
    np.testing.assert_allclose(ours, explicit, rtol=1e-7)


def distance_by_optimisation(target, core):
    """The shortest way to a convex combination, by a general optimiser from several starts."""
    n, gram, products = len(core), core @ core.T, core @ target
    best = min(
        minimize(
            lambda w: w @ gram @ w - 2 * w @ products + target @ target,
            start,
            jac=lambda w: 2 * (gram @ w - products),
            bounds=[(0, 1)] * n,
            constraints={"type": "eq", "fun": lambda w: w.sum() - 1, "jac": lambda w: np.ones(n)},
            method="SLSQP",
            options={"ftol": 1e-15, "maxiter": 500},
        ).fun
        for start in (np.full(n, 1 / n), np.eye(n)[int(products.argmax())])
    )
    return np.sqrt(max(best, 0.0))


@pytest.mark.parametrize(("n", "d"), [(3, 2), (5, 3), (6, 20), (12, 5)])
def test_hull_distances_equal_a_quadratic_program(n, d):
    rng = np.random.default_rng(n * d)
    core, others = unit(rng.normal(size=(n, d)) + 0.7), unit(rng.normal(size=(15, d)) + 0.3)
    ours = hull_distances(others @ core.T, core @ core.T)
    np.testing.assert_allclose(ours, [distance_by_optimisation(row, core) for row in others], atol=1e-5)


def test_a_core_publication_is_on_its_own_hull():
    core = unit(np.random.default_rng(0).normal(size=(6, 30)))
    np.testing.assert_allclose(hull_distances(core @ core.T, core @ core.T), 0, atol=1e-5)


def test_leaving_out_is_explicit():
    """The cut of both is the largest distance of a core publication from what the others span."""
    scene = random_topic(3).scene
    core = unit(scene.found_vectors)
    rest = [np.delete(core, i, axis=0) for i in range(len(core))]
    away = max(distance_by_optimisation(row, others) for row, others in zip(core, rest, strict=True))
    fit = REGIONS["hull_embedding"].fit(scene, SETTINGS)
    assert fit.region.defines()["max_distance"] == pytest.approx(away, abs=1e-5)
    radii = []
    for row, others in zip(core, rest, strict=True):
        offset = row - others.mean(axis=0)
        radii.append(float(np.sqrt(offset @ np.linalg.solve(ledoit_wolf(others)[0], offset))))
    fit = REGIONS["mvee_embedding"].fit(scene, SETTINGS)
    assert fit.region.defines()["max_distance"] == pytest.approx(max(radii), rel=1e-5)


@pytest.mark.parametrize("kind", KINDS)
@given(seed=st.integers(0, 10_000), n_found=st.integers(4, 12), d=st.sampled_from([3, 10, 300]))
@settings(max_examples=40, deadline=None)
def test_every_found_core_publication_is_accepted(kind, seed, n_found, d):
    topic = random_topic(seed, n=40, n_found=n_found, d=d)
    assert topic.evaluate(SETTINGS, [kind]).regions[kind].accepted_core_ids == topic.core_ids[:n_found]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n_distinct", [1, 2])
@pytest.mark.parametrize("seed", range(10))
def test_core_publications_with_the_same_text_are_accepted_as_well(kind, n_distinct, seed):
    rng = np.random.default_rng(seed)
    core = np.repeat(rng.normal(size=(n_distinct, 50)), 6 // n_distinct, axis=0)
    topic = topic_of(np.vstack([core, rng.normal(size=(20, 50))]), n_core=6, found=range(6))
    scores = topic.evaluate(SETTINGS, [kind]).regions[kind]
    assert (scores.status, scores.accepted_core_ids, scores.n_relevant) == ("ok", topic.core_ids, 6)


@pytest.mark.parametrize("kind", KINDS)
def test_they_accept_what_lies_between_and_not_what_lies_opposite(kind):
    rng = np.random.default_rng(1)
    core = np.eye(20)[0] + 0.2 * rng.normal(size=(8, 20))
    between = core.mean(axis=0) + 0.02 * rng.normal(size=(10, 20))
    topic = topic_of(np.vstack([core, between, -between]), n_core=8, found=range(8))
    fit = REGIONS[kind].fit(topic.scene, SETTINGS)
    assert isinstance(fit, FittedRegion)
    assert fit.relevant_mask.tolist() == [True] * 18 + [False] * 10
