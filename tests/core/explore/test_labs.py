"""What labs compute is what the app computes: every number against the one formula, asked directly."""

from __future__ import annotations

import math
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InputError
from core.explore.evaluate import evaluate_scene
from core.explore.labs import (
    LAYOUTS,
    N_MADE_UP,
    N_MISSED,
    OUTLINED,
    PARAMETERS,
    REFERENCE_SIZES,
    LabLayout,
    LabTopic,
    Parameter,
    f_beta_grid,
    f_beta_map,
    fit_layouts,
    half_size,
    judge_layouts,
    laid_out_of,
    made_up_scene,
    made_up_topic,
    published_decay,
    reach,
    sample_of,
    saturated_f_beta,
    turned_towards,
)
from core.explore.landscape import fit_projection
from core.explore.scene import Scene
from core.metrics import best_size, decay, f_beta
from core.settings import EvaluationSettings, ProjectionSettings
from core.types import CoreSet, EmbeddedSet, RetrievedSet

TOPIC = made_up_topic()
RANGES: dict[Parameter, tuple[float, float]] = {
    "min_similarity": (-1, 1),
    "decay_limit": (500, 500_000),
    "decay_onset": (0.2, 6),
    "decay_steepness": (0.5, 60),
    "beta": (0.25, 8),
}
parameters = st.sampled_from(PARAMETERS)
curves = st.fixed_dictionaries(
    {"limit": st.floats(500, 5e5), "onset": st.floats(0.2, 6), "steepness": st.floats(0.5, 60)}
)
all_settings = st.builds(
    EvaluationSettings,
    cosine_mode=st.just("fixed"),
    **{name: st.floats(low, high) for name, (low, high) in RANGES.items()},
)


def directly(topic: LabTopic, settings: EvaluationSettings, times: int = 1) -> float:
    """F-beta of the cosine region from the evaluation itself; with `times`, by the formula, one count at a time."""
    scores = evaluate_scene(topic.scene, topic_id="t", query_id="q", settings=settings, regions=("cosine",))
    cosine = scores.regions["cosine"]
    assert cosine.n_relevant is not None
    assert cosine.semantic_precision is not None
    assert cosine.recall_used is not None
    price = decay(cosine.n_relevant * times, **settings.decay_curve)
    score = f_beta(cosine.semantic_precision * price, cosine.recall_used, beta=settings.beta)
    if times == 1:
        assert score == cosine.f_beta
    return score


@given(curves)
def test_decay_is_a_half_at_its_half_size(curve: dict[str, float]) -> None:
    share = half_size(**curve) / curve["limit"]
    assert math.isclose((1 - share ** curve["onset"]) ** curve["steepness"], 0.5, rel_tol=1e-6)


@given(curves, st.floats(0.25, 8), st.integers(1_000, 500_000))
def test_no_size_beats_the_best_one(curve: dict[str, float], beta: float, n_retrieved: int) -> None:
    of = EvaluationSettings(
        decay_limit=curve["limit"], decay_onset=curve["onset"], decay_steepness=curve["steepness"], beta=beta
    )
    n = np.unique(np.geomspace(1, n_retrieved, 300).astype(np.int64))
    peak = best_size(**curve)
    there = np.array([min(math.floor(peak), n_retrieved), min(math.ceil(peak), n_retrieved)])
    at_peak = saturated_f_beta(there, n_retrieved=n_retrieved, settings=of).max()
    assert saturated_f_beta(n, n_retrieved=n_retrieved, settings=of).max() <= at_peak + 1e-9


def test_saturated_f_beta_is_the_formula() -> None:
    of = EvaluationSettings(beta=0.5)
    found = saturated_f_beta(np.array([0, 3_000, 9_000, 20_001]), n_retrieved=20_000, settings=of)
    expected = [f_beta(n / 20_000 * decay(n, **of.decay_curve), 1.0, beta=0.5) for n in (0, 3_000, 9_000)]
    assert found.tolist() == [*expected, 0.0]


@given(curves, st.sampled_from(REFERENCE_SIZES))
def test_published_decay_is_ours_up_to_the_limit(curve: dict[str, float], n: int) -> None:
    if n <= curve["limit"]:
        assert published_decay(n, **curve) == pytest.approx(decay(n, **curve), abs=1e-12)
    else:
        assert decay(n, **curve) == 0


def test_published_decay_too_large_to_write_has_no_value() -> None:
    assert published_decay(1e9, limit=500, onset=6, steepness=60) is None


def test_made_up_topic_is_the_same_every_time() -> None:
    again = made_up_topic()
    assert again.similarities.tolist() == TOPIC.similarities.tolist()
    assert again.core_mask.tolist() == TOPIC.core_mask.tolist()
    assert made_up_topic(seed=1).similarities.tolist() != TOPIC.similarities.tolist()


def test_made_up_topic_is_what_it_says() -> None:
    scene = made_up_scene()
    assert (len(scene.core_ids), scene.n_retrieved) == (20, N_MADE_UP - N_MISSED)
    assert len(scene.missed_ids) == N_MISSED
    assert TOPIC.n == N_MADE_UP - N_MISSED
    assert TOPIC.core_mask.sum() == 20 - N_MISSED
    assert (np.diff(TOPIC.similarities) >= 0).all()
    of = EvaluationSettings(cosine_mode="leave_one_out")
    evaluation = evaluate_scene(scene, topic_id="t", query_id="q", settings=of, regions=("cosine",))
    assert evaluation.regions["cosine"].defines["min_similarity"] == TOPIC.left_out


@settings(max_examples=40, deadline=None)
@given(all_settings)
def test_counts_and_scores_are_those_of_an_evaluation(of: EvaluationSettings) -> None:
    scores = evaluate_scene(TOPIC.scene, topic_id="t", query_id="q", settings=of, regions=("cosine",)).regions["cosine"]
    here = TOPIC.scores(np.array([of.min_similarity]), of)
    assert here.n_relevant[0] == scores.n_relevant
    assert here.n_accepted_core[0] == len(scores.accepted_core_ids)
    assert here.f_beta[0] == pytest.approx(scores.f_beta, abs=1e-12)


def test_best_threshold_is_the_best_of_all_of_them() -> None:
    of = EvaluationSettings(cosine_mode="fixed", decay_limit=600)
    every = [directly(TOPIC, replace(of, min_similarity=float(s))) for s in TOPIC.similarities]
    best = TOPIC.best(of)
    assert best is not None
    assert directly(TOPIC, replace(of, min_similarity=best)) == max(every)
    assert TOPIC.ascending[0] < best < TOPIC.ascending[-1]


@settings(max_examples=25, deadline=None)
@given(st.permutations(PARAMETERS), all_settings, st.integers(1, 60), st.randoms(use_true_random=False))
def test_cells_of_the_map_are_single_evaluations(
    names: list[Parameter], of: EvaluationSettings, times: int, random: Random
) -> None:
    x, y = names[0], names[1]
    values = {name: np.linspace(*RANGES[name], 9) for name in (x, y)}
    found = f_beta_map(TOPIC, of, x=(x, values[x]), y=(y, values[y]), times=times)
    assert found.shape == (9, 9)
    for _ in range(5):
        row, column = random.randint(0, 8), random.randint(0, 8)
        change: dict[str, Any] = {x: float(values[x][column]), y: float(values[y][row])}
        expected = directly(TOPIC, replace(of, **change), times)
        assert found[row, column] == pytest.approx(expected, abs=1e-12)


@settings(max_examples=25, deadline=None)
@given(parameters, all_settings)
def test_reach_holds_what_is_set(name: Parameter, of: EvaluationSettings) -> None:
    now = float(f_beta_grid(TOPIC, of, {}))
    values = np.append(np.linspace(*RANGES[name], 11), getattr(of, name))
    found = reach(TOPIC, of, name, values)
    assert found.low - 1e-12 <= now <= found.high + 1e-12
    assert 0 <= found.low <= found.high <= 1


def test_topic_without_anything_retrieved() -> None:
    core = EmbeddedSet(("a", "b"), np.eye(3, dtype=np.float32)[:2], "toy")
    empty = LabTopic.of("empty", Scene.of(RetrievedSet.of("q", ()), CoreSet("t", ("a", "b")), core))
    of = EvaluationSettings()
    assert empty.n == 0
    assert empty.best(of) is None
    assert empty.scores(np.array([0.0, 0.5]), of).f_beta.tolist() == [0, 0]
    assert not f_beta_map(empty, of, x=("beta", np.array([1.0])), y=("decay_onset", np.array([1.0, 2.0]))).any()


def test_topic_with_one_core_vector_has_no_default_threshold() -> None:
    embedded = EmbeddedSet(("a", "b"), np.eye(3, dtype=np.float32)[:2], "toy")
    one = LabTopic.of("one", Scene.of(RetrievedSet.of("q", ("a", "b")), CoreSet("t", ("a",)), embedded))
    assert one.left_out is None


def test_sample_holds_the_found_core_and_is_drawn_the_same_way() -> None:
    scene = made_up_scene()
    some = sample_of(scene, most=90)
    assert len(some.retrieved) == 90
    assert set(scene.found_ids) <= set(some.retrieved.ids)
    assert (
        some.retrieved.ids == sample_of(scene, most=90).retrieved.ids != sample_of(scene, most=90, seed=1).retrieved.ids
    )
    assert (some.n_core, some.found_ids) == (scene.n_core, scene.found_ids)
    assert sample_of(scene, most=len(scene.retrieved)) is scene
    assert set(laid_out_of(some).ids) == {*some.retrieved.ids, *scene.core_ids}
    assert len(sample_of(scene, most=3).retrieved) == len(scene.found_ids)


def test_a_turned_and_mirrored_layout_is_turned_back() -> None:
    points = np.random.default_rng(0).normal(size=(50, 2)) * [3, 1]
    turn = np.array([[math.cos(2), -math.sin(2)], [math.sin(2), math.cos(2)]]) @ np.diag([1, -1])
    back = turned_towards(7 * points @ turn + [100, -5], points)
    np.testing.assert_allclose(back, turned_towards(points, points), atol=1e-12)
    np.testing.assert_allclose((back**2).sum(axis=1).mean(), 1)
    assert np.isfinite(turned_towards(np.ones((5, 2)), points[:5])).all()


def test_turning_a_layout_changes_no_decision() -> None:
    scene = made_up_scene()
    embedded = laid_out_of(scene)
    flat = fit_projection(embedded, ProjectionSettings(method="pca"), projection_id="pca")
    turned = turned_towards(flat.points, flat.points[::-1])
    found = judge_layouts(
        scene, {"flat": LabLayout("flat", flat.points, 1, 1), "turned": LabLayout("turned", turned, 1, 1)}, n_all=398
    )
    for kind in OUTLINED:
        before, after = (found.areas[name, kind].relevant_mask for name in ("flat", "turned"))
        assert 0 < before.sum() < len(before)
        assert before.tolist() == after.tolist()


def test_cosine_decides_as_an_evaluation() -> None:
    scene = made_up_scene()
    found = judge_layouts(scene, {}, n_all=398)
    of = EvaluationSettings(cosine_mode="leave_one_out")
    regions = evaluate_scene(scene, topic_id="t", query_id="q", settings=of, regions=("cosine",)).regions
    assert found.cosine_mask(0.0).tolist() == regions["cosine"].relevant_mask.tolist()


def test_too_little_to_lay_out() -> None:
    with pytest.raises(InputError, match="needs 5"):
        fit_layouts(EmbeddedSet(("a", "b"), np.eye(3, dtype=np.float32)[:2], "toy"))


@pytest.mark.slow
def test_layouts_are_fitted_once_each_and_told() -> None:
    scene = sample_of(made_up_scene(), most=60)
    told: list[tuple[int, int]] = []
    made = fit_layouts(laid_out_of(scene), lambda done, total: told.append((done, total)))
    assert list(made) == list(LAYOUTS)
    assert told == [(done, len(LAYOUTS)) for done in range(len(LAYOUTS))]
    for layout in made.values():
        assert layout.points.shape == (len(laid_out_of(scene)), 2)
        assert 0.5 < layout.trustworthiness <= 1
    assert not np.allclose(made["default"].points, made["seed-1"].points)
