"""Intervals, and how far scores move with the core set: against core sets that are built and fitted one by one."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

from core.explore.regions.hull import hull_around, lies_on_a_line
from core.explore.regions.mvee import ellipsoid_around
from core.explore.uncertainty import (
    COVERAGE,
    N_RESAMPLES,
    RESAMPLERS,
    coverage_sentence,
    left_out_weights,
    resample_weights,
    sample_scores,
    sensitivity,
)
from core.settings import CosineMode, EvaluationSettings
from core.stats import percentile_range, wilson
from core.types import RegionKind
from tests.benchmarks.coverage import simulated_coverage
from tests.core.scenes import ALL_KINDS, SETTINGS, Topic, f_beta_of, random_topic, topic_of, unit

MODES: tuple[CosineMode, ...] = ("fixed", "least_similar_core", "quantile", "leave_one_out", "best")
RESAMPLED: tuple[RegionKind, ...] = ("cosine", "nearest_core", "mvee", "hull")


@pytest.mark.parametrize(
    ("n_found", "n", "low", "high"),
    [(18, 20, 0.699, 0.972), (0, 20, 0.0, 0.161), (20, 20, 0.839, 1.0), (1, 1, 0.207, 1.0), (5, 10, 0.237, 0.763)],
)
def test_wilson(n_found, n, low, high):
    assert wilson(n_found, n) == pytest.approx((low, high), abs=5e-4)


@given(n=st.integers(1, 500), data=st.data())
@settings(deadline=None)
def test_wilson_solves_its_own_equation(n, data):
    n_found = data.draw(st.integers(0, n))
    low, high = wilson(n_found, n)
    assert 0 <= low <= n_found / n <= high <= 1
    for p in {low, high} - {0.0, 1.0}:
        assert abs(n_found / n - p) == pytest.approx(1.959964 * np.sqrt(p * (1 - p) / n), abs=1e-6)


@pytest.mark.parametrize("n", [20, 38, 50])
def test_wilson_covers_95_percent(n):
    intervals = [wilson(k, n) for k in range(n + 1)]
    covered = [
        sum(binom.pmf(k, n, p) for k, (low, high) in enumerate(intervals) if low <= p <= high)
        for p in np.linspace(0.02, 0.98, 97)
    ]
    assert 0.92 <= np.mean(covered) <= 0.98


@pytest.mark.parametrize(("n", "p"), [(26, 0.3), (26, 0.65), (33, 0.9), (50, 0.5)])
def test_wilson_covers_92_to_98_percent_of_simulated_core_sets(n, p):
    """Each simulated topic has n core publications, every one found with probability p."""
    found = np.random.default_rng(0).binomial(n, p, size=5000)
    of = {k: wilson(int(k), n) for k in np.unique(found)}
    covered = np.mean([of[k].low <= p <= of[k].high for k in found])
    assert 0.92 <= covered <= 0.98


@pytest.mark.slow
@pytest.mark.parametrize("mode", COVERAGE)
def test_the_coverage_that_is_stated_is_the_one_that_is_measured(mode):
    held, _ = simulated_coverage(mode, 50)
    assert held == pytest.approx(COVERAGE[mode], abs=0.1)


def test_the_sentence_about_ranges_states_what_was_measured():
    assert re.findall(r"\d+", coverage_sentence("leave_one_out")) == ["300", "30", "69"]
    assert "in 69 % (Cosine, threshold leave one out)" in coverage_sentence("leave_one_out")
    assert set(COVERAGE) == set(MODES)
    for mode in (*MODES, None):
        stated = f"{COVERAGE[mode]:.0%}".replace("%", " %") if mode in COVERAGE else "not simulated"
        assert stated in coverage_sentence(mode)
        assert "no confidence interval" in coverage_sentence(mode)


def test_resample_weights():
    weights = resample_weights(12, 500, seed=4)
    assert weights.shape == (500, 12)
    assert (weights.sum(axis=1) == 12).all()
    assert (weights == np.round(weights)).all()
    assert abs(weights.mean(axis=0) - 1).max() < 0.2
    assert weights.tobytes() == resample_weights(12, 500, seed=4).tobytes()
    assert weights.tobytes() != resample_weights(12, 500, seed=5).tobytes()


def cut_of(core, sims, found, chosen):
    """The threshold of one explicit core set: `core` holds its publications as often as they were drawn."""
    mode = chosen.cosine_mode
    middle = core.mean(axis=0) / np.linalg.norm(core.mean(axis=0))
    if mode == "fixed":
        return chosen.min_similarity
    if mode == "best":
        counts = [(c, (sims >= c - 1e-6).sum(), (sims[found] >= c - 1e-6).sum()) for c in sorted(set(sims))]
        return max(counts, key=lambda each: (f_beta_of(each[1], len(sims), each[2] / len(core), chosen), each[0]))[0]
    if mode == "least_similar_core":
        return (core @ middle).min()
    left_out = []
    for row in core:
        others = core[(core != row).any(axis=1)].mean(axis=0)
        left_out.append(row @ others / np.linalg.norm(others))
    return np.quantile(left_out, chosen.quantile if mode == "quantile" else 0)


def explicit_counts(topic: Topic, kind: RegionKind, weights, chosen: EvaluationSettings):
    """Relevant and counted core publications of one core set, fitted from scratch; -1 without a region."""
    scene = topic.scene
    times = dict(zip(topic.core_ids, weights.astype(int), strict=True))
    row_of = {i: row for row, i in enumerate(scene.retrieved.ids)}
    found = [row_of[i] for i in scene.found_ids for _ in range(times[i])]
    drawn_ids = [i for i in topic.core_ids for _ in range(times[i])]
    if kind in ("mvee", "hull"):
        points = scene.points[found]
        if lies_on_a_line(np.unique(points, axis=0)):
            return -1, len(found)
        region = (ellipsoid_around if kind == "mvee" else hull_around)(points)
        return int(region.contains(scene.points).sum()), len(found)
    rows = unit(scene.retrieved.vectors)
    if kind == "cosine":
        core = unit(scene.core.take(drawn_ids).vectors)
        if chosen.cosine_mode not in ("fixed", "best") and len(set(drawn_ids)) < 2:
            return -1, 0
        if chosen.cosine_mode == "best" and not found:  # F-beta is 0 at every threshold
            return -1, 0
        values = rows @ core.mean(axis=0) / np.linalg.norm(core.mean(axis=0))
        accepted = values >= cut_of(core, values, found, chosen) - 1e-6
    else:  # a copy is no further neighbour
        core = unit(scene.core.take(sorted(set(drawn_ids))).vectors)
        if len(core) < 4:
            return -1, 0
        between = core @ core.T - 9 * np.eye(len(core))
        cut = np.sort(between, axis=1)[:, -3:].mean(axis=1).min()
        accepted = np.sort(rows @ core.T, axis=1)[:, -3:].mean(axis=1) >= cut - 1e-6
    return int(accepted.sum()), int(accepted[found].sum())


CASES = [("cosine", mode) for mode in MODES] + [(kind, "leave_one_out") for kind in ("nearest_core", "mvee", "hull")]


@pytest.mark.parametrize(("kind", "mode"), CASES)
@pytest.mark.parametrize("n_core", [3, 6, 30])
def test_counts_equal_core_sets_that_are_built_one_by_one(kind, mode, n_core):
    topic = random_topic(n_core, n=n_core + 50, n_core=n_core, n_found=n_core - 1)
    chosen = EvaluationSettings(cosine_mode=mode, min_similarity=0.6, quantile=0.3, decay_limit=120)
    weights = np.vstack([resample_weights(n_core, 40, seed=1), left_out_weights(n_core), np.ones((1, n_core))])
    counts = RESAMPLERS[kind](topic.scene, weights, chosen)
    expected = [explicit_counts(topic, kind, w, chosen) for w in weights]
    assert counts.n_relevant.tolist() == [n_relevant for n_relevant, _ in expected]
    defined = counts.n_relevant >= 0
    np.testing.assert_array_equal(counts.core_counted[defined], np.array([c for _, c in expected])[defined])


@pytest.mark.parametrize(("kind", "mode"), CASES)
@pytest.mark.parametrize("without_vector", [(), ("x", "y")])
def test_the_full_core_set_scores_as_evaluate_does(kind, mode, without_vector):
    topic = random_topic(2)  # "x" is found, "y" is missed
    topic = topic.with_(
        core_ids=without_vector + topic.core_ids, retrieved_ids=topic.retrieved_ids + without_vector[:1]
    )
    chosen = EvaluationSettings(cosine_mode=mode, min_similarity=0.6)
    weights = np.ones((1, len(topic.core_ids)))
    samples = sample_scores(topic.scene, RESAMPLERS[kind](topic.scene, weights, chosen), weights, chosen)
    scores = topic.evaluate(chosen, [kind]).regions[kind]
    assert samples.semantic_precision[0] == pytest.approx(scores.semantic_precision, abs=1e-12)
    assert samples.f_beta[0] == pytest.approx(scores.f_beta, abs=1e-12)


@pytest.mark.parametrize(("kind", "mode"), CASES)
def test_leave_one_out_equals_refits(kind, mode):
    topic = random_topic(3, n=70, n_core=8, n_found=6)
    chosen = EvaluationSettings(cosine_mode=mode, min_similarity=0.6, decay_limit=150)
    result = sensitivity(topic.scene, [kind], chosen)[kind]
    refits = {
        left_out: topic.with_(core_ids=tuple(i for i in topic.core_ids if i != left_out))
        .evaluate(chosen, [kind])
        .regions[kind]
        for left_out in topic.core_ids
    }
    precisions = [scores.semantic_precision for scores in refits.values()]
    assert result.semantic_precision_leave_one_out == pytest.approx((min(precisions), max(precisions)), abs=1e-12)
    scores_without = {left_out: scores.f_beta for left_out, scores in refits.items()}
    ends = min(scores_without.values()), max(scores_without.values())
    assert result.f_beta_leave_one_out == pytest.approx(ends, abs=1e-12)
    full = topic.evaluate(chosen, [kind]).regions[kind].f_beta
    moves = {left_out: abs(score - full) for left_out, score in scores_without.items()}
    assert moves[result.most_influential_core_id] == pytest.approx(max(moves.values()), abs=1e-12)


@pytest.mark.parametrize("mode", MODES)
def test_every_cosine_mode_has_a_range(mode):
    topic = random_topic(4)
    chosen = EvaluationSettings(cosine_mode=mode, min_similarity=0.6)
    result = sensitivity(topic.scene, ["cosine"], chosen)["cosine"]
    assert result.n_resamples == (200 if mode == "best" else 2000)
    assert result.share_defined == 1.0
    for low, high in (result.semantic_precision_range, result.f_beta_range):
        assert 0 <= low <= high <= 1
    assert result == sensitivity(topic.scene, ["cosine"], chosen)["cosine"]


def test_the_range_is_the_middle_95_percent_of_the_resamples():
    topic = random_topic(5)
    weights = resample_weights(12, 200, seed=0)
    shares = sorted(explicit_counts(topic, "hull", w, SETTINGS)[0] / 87 for w in weights)
    low, high = sensitivity(topic.scene, ["hull"], SETTINGS)["hull"].semantic_precision_range
    assert shares[4] <= low <= shares[5]
    assert shares[194] <= high <= shares[195]


def test_no_range_where_the_region_seldom_exists():
    scene = random_topic(n_core=12, n_found=3).scene
    result = sensitivity(scene, ["mvee", "hull"], SETTINGS)
    for kind in ("mvee", "hull"):
        assert result[kind].share_defined < 0.5
        assert result[kind].semantic_precision_range is None
        assert result[kind].f_beta_range is None
    assert percentile_range(np.array([np.nan, np.nan, 1.0, 1.0])) is None
    assert percentile_range(np.array([np.nan, 1.0, 1.0])) == (1.0, 1.0)


@pytest.mark.parametrize("n_core", [1, 2, 3])
@pytest.mark.parametrize("mode", MODES)
def test_the_smallest_core_sets_are_no_error(n_core, mode):
    topic = random_topic(n_core=n_core, n_found=1)
    for kind, result in sensitivity(topic.scene, ALL_KINDS, EvaluationSettings(cosine_mode=mode)).items():
        assert result.n_resamples > 0
        if n_core == 1 or kind != "cosine":
            assert result.f_beta_leave_one_out is None or kind == "nearest_core"


def test_a_core_that_cancels_out_once_one_is_left_out_has_no_region_here_either():
    topic = topic_of([[0, 1], [1, 0], [-1, 0], [1, 1]], n_core=3, found=[0, 1, 2])
    for mode in ("leave_one_out", "quantile"):
        chosen = EvaluationSettings(cosine_mode=mode)
        assert topic.evaluate(chosen, ["cosine"]).regions["cosine"].status != "ok"
        assert RESAMPLERS["cosine"](topic.scene, np.ones((1, 3)), chosen).n_relevant.tolist() == [-1]


def test_without_influence_no_core_publication_is_named():
    result = sensitivity(random_topic(n_found=0).scene, ["cosine"], SETTINGS)["cosine"]
    assert result.f_beta_leave_one_out == (0.0, 0.0)
    assert result.most_influential_core_id is None


def test_what_is_not_resampled():
    topic = random_topic()
    assert set(sensitivity(topic.scene, ALL_KINDS, SETTINGS)) == set(N_RESAMPLES) == set(RESAMPLED)
    assert sensitivity(topic.with_(retrieved_ids=()).scene, ALL_KINDS, SETTINGS) == {}
