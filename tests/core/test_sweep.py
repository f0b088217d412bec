"""The sweep against a loop that scores one threshold at a time."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.metrics import (
    SIMILARITY_TOLERANCE,
    SimilaritySweep,
    decay,
    f_beta,
    recall,
    semantic_precision,
    similar_mask,
    sweep_at,
    sweep_min_similarity,
)
from core.settings import EvaluationSettings

# A coarse grid gives ties, the steps beside it near-ties on both sides of the tolerance.
near_and_far = st.builds(
    lambda grid, step: grid / 8 + step * 4e-7, st.integers(-8, 8), st.sampled_from([-3, -2, -1, 0, 0, 0, 1, 2, 3])
)
similarity_lists = st.lists(st.one_of(near_and_far, st.floats(-1, 1, width=32)), min_size=1, max_size=40)
# Whole limits: just below one, 1 - n / limit would magnify the last digit, in which loop and array may differ.
settings_choices = st.builds(
    EvaluationSettings,
    decay_limit=st.integers(1, 100),
    decay_onset=st.floats(0.2, 5),
    decay_steepness=st.floats(0.2, 20),
    beta=st.floats(0.2, 5),
)


@st.composite
def scenes(draw):
    """Similarities of the retrieved, those of the core among them, and how many core publications there are."""
    retrieved = np.array(draw(similarity_lists), dtype=np.float32)
    core_mask = np.array(draw(st.lists(st.booleans(), min_size=len(retrieved), max_size=len(retrieved))))
    n_missed = draw(st.integers(0, 5))
    return retrieved, retrieved[core_mask], max(int(core_mask.sum()) + n_missed, 1)


def scored_directly(threshold, retrieved, core, n_core, settings):
    """One threshold: masks, then the scalar metrics."""
    n_relevant = int(similar_mask(retrieved, threshold).sum())
    n_accepted = int(similar_mask(core, threshold).sum())
    precision = semantic_precision(n_relevant=n_relevant, n_scorable=len(retrieved))
    share = recall(n_found=n_accepted, n_core=n_core)
    price = decay(
        n_relevant, limit=settings.decay_limit, onset=settings.decay_onset, steepness=settings.decay_steepness
    )
    inverse = f_beta(len(retrieved) / n_relevant, share, beta=settings.beta) if n_relevant else 0.0
    score = f_beta(precision * price, share, beta=settings.beta)
    return threshold, n_relevant, n_accepted, precision, share, price, score, inverse


def assert_same_as_direct(sweep: SimilaritySweep, retrieved, core, n_core, settings):
    columns = (
        sweep.min_similarity,
        sweep.n_relevant,
        sweep.n_accepted_core,
        sweep.semantic_precision,
        sweep.core_accepted,
        sweep.decay,
        sweep.f_beta,
        sweep.f_beta_inverse,
    )
    assert {len(column) for column in columns} == {len(sweep)}
    for position, threshold in enumerate(sweep.min_similarity.tolist()):
        ours = [column[position] for column in columns]
        direct = scored_directly(threshold, retrieved, core, n_core, settings)
        assert ours[:5] == list(direct[:5])
        np.testing.assert_allclose(ours[5:], direct[5:], rtol=1e-10, atol=1e-300)


def swept(retrieved, core, n_core, settings=EvaluationSettings()):  # noqa: B008 - frozen
    return sweep_min_similarity(similarities=retrieved, core_similarities=core, n_core=n_core, settings=settings)


@given(scenes(), settings_choices)
def test_every_distinct_threshold_scores_as_if_it_were_alone(scene, settings):
    sweep = swept(*scene, settings)
    assert sweep.min_similarity.tolist() == sorted({float(s) for s in scene[0]})
    assert_same_as_direct(sweep, *scene, settings)


@given(scenes(), settings_choices, st.lists(st.floats(-1.5, 1.5), max_size=20))
def test_any_threshold_scores_as_if_it_were_alone(scene, settings, thresholds):
    retrieved, core, n_core = scene
    asked = np.array(thresholds, dtype=np.float64)
    sweep = sweep_at(asked, similarities=retrieved, core_similarities=core, n_core=n_core, settings=settings)
    assert sweep.min_similarity.tolist() == thresholds
    assert_same_as_direct(sweep, *scene, settings)


@given(scenes(), settings_choices)
def test_best_has_the_highest_f_beta_and_of_several_the_strictest_threshold(scene, settings):
    sweep = swept(*scene, settings)
    strictest = 0
    for position, score in enumerate(sweep.f_beta.tolist()):
        if score >= sweep.f_beta[strictest]:
            strictest = position
    assert sweep.best == strictest


def test_nothing_retrieved_is_an_empty_curve():
    nothing = np.zeros(0, dtype=np.float32)
    assert len(swept(nothing, nothing, 3)) == 0


def test_the_tolerance_reaches_one_millionth_below_the_threshold():
    just_below = np.array([0.69 - 9e-7, 0.69 - 12e-7], dtype=np.float32)
    assert similar_mask(just_below, 0.69).tolist() == [True, False]
    assert SIMILARITY_TOLERANCE == 1e-6


def test_the_inverse_variant_is_the_published_formula():
    retrieved = np.array([0.1, 0.2, 0.3, 0.4, 0.5], dtype=np.float32)
    sweep = swept(retrieved, retrieved[[1, 4]], 4)
    for n_relevant, n_accepted, score in zip(
        sweep.n_relevant, sweep.n_accepted_core, sweep.f_beta_inverse, strict=True
    ):
        p, r = 5 / n_relevant, n_accepted / 4
        assert score == pytest.approx(5 * p * r / (4 * p + r), rel=1e-12)
