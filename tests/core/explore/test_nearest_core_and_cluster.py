"""Nearest core and cluster: against loops, and the rules that choose k."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core import kmeans
from core.explore.regions import REGIONS
from core.explore.regions.cluster import cluster_curve, holds_too_few, last_whole, most_core
from core.explore.regions.nearest_core import fit_nearest_core
from core.explore.scene import FittedRegion, UndefinedRegion
from core.settings import EvaluationSettings
from tests.core.scenes import SETTINGS, random_topic, topic_of, unit

CLUSTER_KINDS = ("cluster", "cluster_projection")


def mean_of_three(rows, core):
    return np.array([sum(sorted((float(row @ c) for c in core), reverse=True)[:3]) / 3 for row in rows])


@pytest.mark.parametrize("seed", range(5))
def test_nearest_core_equals_a_loop(seed):
    scene = random_topic(seed, n_core=4 + 2 * seed, n_found=4).scene
    core, retrieved = unit(scene.core.vectors), unit(scene.retrieved.vectors)
    cut = min(mean_of_three(core[i : i + 1], np.delete(core, i, axis=0))[0] for i in range(len(core)))
    fit = fit_nearest_core(scene, SETTINGS)
    assert fit.region.defines()["min_similarity"] == pytest.approx(cut, abs=1e-6)
    np.testing.assert_array_equal(fit.relevant_mask, mean_of_three(retrieved, core) >= cut - 1e-6)
    assert 0 < fit.relevant_mask.sum() < len(retrieved)


@pytest.mark.parametrize("n_core", [1, 2, 3])
def test_nearest_core_needs_four(n_core):
    fit = fit_nearest_core(random_topic(n_core=n_core, n_found=1).scene, SETTINGS)
    assert isinstance(fit, UndefinedRegion)
    assert "needs 4 core" in fit.reason


@given(seed=st.integers(0, 10_000), n_core=st.integers(4, 15), d=st.sampled_from([2, 8, 200]))
@settings(max_examples=60, deadline=None)
def test_nearest_core_accepts_every_found_core_publication(seed, n_core, d):
    topic = random_topic(seed, n_core=n_core, n_found=n_core, d=d, spread=2.0)
    scores = topic.evaluate(SETTINGS, ["nearest_core"]).regions["nearest_core"]
    assert scores.accepted_core_ids == topic.core_ids


def clustering(*clusters: list[int]) -> kmeans.Clustering:
    """A clustering from the rows in each of its clusters."""
    labels = np.empty(sum(map(len, clusters)), dtype=np.int32)
    for label, rows in enumerate(clusters):
        labels[rows] = label
    return kmeans.Clustering(len(clusters), labels, np.zeros((len(clusters), 2)))


@given(percent=st.integers(1, 99), n_found=st.integers(1, 400), data=st.data())
@settings(deadline=None)
def test_too_few_is_exact_for_every_percentage(percent, n_found, data):
    n_core = data.draw(st.integers(0, n_found))
    assert holds_too_few(n_core, n_found, percent / 100) == (100 * n_core <= percent * n_found)


@pytest.mark.parametrize(
    ("clusters", "found", "chosen", "n_core"),
    [
        (([0, 1, 2], [3, 4]), [0, 1, 3], 0, 2),
        (([0, 1, 2], [3, 4]), [0, 3], 1, 1),  # a tie: the smaller
        (([0, 1], [2, 3]), [3, 0], 0, 1),  # a tie in size as well: the lower label
        (([0, 1], [2, 3, 4, 5], [6, 7]), [6, 0, 2], 0, 1),
    ],
)
def test_the_cluster_with_most_core(clusters, found, chosen, n_core):
    assert most_core(clustering(*clusters), np.array(found)) == (chosen, n_core)


WHOLE = clustering([0, 1, 2, 3, 4, 5])
TOGETHER = clustering([0, 1, 2, 3], [4, 5])
APART = clustering([0, 1], [2, 3], [4, 5])


def kept(*solutions, share=0.7):
    return last_whole(iter(solutions), WHOLE, np.array([0, 1, 2, 3]), (share,))[share]


def test_the_clustering_before_the_core_falls_apart_is_taken():
    assert kept(TOGETHER, APART, TOGETHER) is TOGETHER
    assert kept(APART, TOGETHER) is WHOLE
    assert kept(TOGETHER, TOGETHER) is TOGETHER  # no k stops: the last one
    assert kept() is WHOLE


def test_the_search_stops_asking_once_it_knows():
    asked = []

    def solutions():
        for k, each in enumerate((TOGETHER, APART, TOGETHER)):
            asked.append(k)
            yield each

    last_whole(solutions(), WHOLE, np.array([0, 1, 2, 3]), (0.7, 0.75, 0.85))
    assert asked == [0, 1]


@pytest.mark.parametrize("seed", range(4))
def test_several_shares_in_one_pass_equal_one_at_a_time(seed):
    scene = random_topic(seed, n=120, n_core=20, n_found=16, spread=1.5).scene
    shares = (0.3, 0.5, 0.7, 0.75, 0.85)
    together = cluster_curve(scene, SETTINGS, shares)
    alone = {share: cluster_curve(scene, SETTINGS, (share,))[share] for share in shares}
    for share in shares:
        np.testing.assert_array_equal(together[share].relevant_mask, alone[share].relevant_mask)
        assert together[share].region.defines() == alone[share].region.defines()
    n_clusters = [together[share].region.defines()["k"] for share in shares]
    assert n_clusters == sorted(n_clusters, reverse=True)


def rows_of(kind, scene):
    return scene.retrieved.vectors if kind == "cluster" else scene.points


def slow_search(rows, found_rows, share, max_k):
    """k = 2, 3, ... by the rule of METRICS.md, on whole-number counts."""
    taken = (1, np.ones(len(rows), dtype=bool))
    for solution in kmeans.solutions(rows, max_k=max_k, seed=0):
        counts = [sum(solution.labels[row] == label for row in found_rows) for label in range(solution.k)]
        sizes = [sum(solution.labels == label) for label in range(solution.k)]
        best = sorted(range(solution.k), key=lambda label: (-counts[label], sizes[label], label))[0]
        if counts[best] <= Fraction(str(share)) * len(found_rows):
            break
        taken = (solution.k, solution.labels == best)
    return taken


@pytest.mark.parametrize("kind", CLUSTER_KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_the_search_equals_the_rule_written_out(kind, seed):
    scene = random_topic(seed, n=100, spread=0.4).scene
    fit = REGIONS[kind].fit(scene, SETTINGS)
    k, mask = slow_search(rows_of(kind, scene), scene.found_rows, 0.7, 100)
    assert fit.region.defines()["k"] == k
    np.testing.assert_array_equal(fit.relevant_mask, mask)


def test_two_far_halves_of_the_core_are_degenerate_with_a_reason():
    rng = np.random.default_rng(0)
    halves = np.repeat([[1.0, 0], [0, 1.0]], 4, axis=0)
    vectors = np.vstack([halves, np.repeat(halves, 3, axis=0)]) + 0.01 * rng.normal(size=(32, 2))
    topic = topic_of(vectors, n_core=8, found=range(8))
    for kind, scores in topic.evaluate(SETTINGS, CLUSTER_KINDS).regions.items():
        assert scores.status == "ok", kind
        assert "the whole list" in scores.degenerate
        assert (scores.defines["k"], scores.n_relevant, scores.semantic_precision) == (1, 32, 1.0)


@pytest.mark.parametrize("kind", CLUSTER_KINDS)
def test_identical_vectors_are_degenerate_and_no_crash(kind):
    scores = topic_of(np.ones((9, 3)), n_core=4, found=[0, 1, 2]).evaluate(SETTINGS, [kind]).regions[kind]
    assert scores.degenerate
    assert (scores.n_relevant, scores.recall_used) == (8, 0.75)


@pytest.mark.parametrize("kind", CLUSTER_KINDS)
def test_k_ends_with_the_distinct_rows(kind):
    # Three places: the two found core publications share one of them, so no k takes them apart.
    topic = topic_of([[1, 0], [1, 0], [0, 1], [0, 1], [-1, 0], [-1, 0]], n_core=2, found=[0, 1])
    scores = topic.evaluate(SETTINGS, [kind]).regions[kind]
    assert (scores.defines["k"], scores.n_relevant, scores.degenerate) == (3, 2, None)


@pytest.mark.parametrize("kind", CLUSTER_KINDS)
def test_k_ends_with_max_k_if_nothing_stops_it(kind):
    topic = topic_of([[np.cos(i), np.sin(i)] for i in [0, 0, *range(1, 12)]], n_core=2, found=[0, 1])
    scores = topic.evaluate(EvaluationSettings(max_k=4), [kind]).regions[kind]
    assert scores.defines["k"] == 4


@pytest.mark.parametrize(
    ("n_found", "share", "warned"), [(2, 0.7, True), (3, 0.7, True), (4, 0.7, False), (6, 0.85, True), (7, 0.85, False)]
)
def test_few_found_core_publications_warn(n_found, share, warned):
    fit = REGIONS["cluster"].fit(random_topic(n_found=n_found).scene, EvaluationSettings(min_core_share=share))
    assert isinstance(fit, FittedRegion)
    assert bool(fit.warnings) == warned


@pytest.mark.parametrize("kind", CLUSTER_KINDS)
def test_a_sweep_tells_every_k_and_decides_the_same(kind):
    scene, seen = random_topic(3).scene, []
    watched = replace(scene, on_step=lambda *step: seen.append(step))
    told, silent = REGIONS[kind].fit(watched, SETTINGS), REGIONS[kind].fit(scene, SETTINGS)
    np.testing.assert_array_equal(told.relevant_mask, silent.relevant_mask)
    assert seen == [(k, SETTINGS.max_k) for k in range(2, 2 + len(seen))]
    assert seen
