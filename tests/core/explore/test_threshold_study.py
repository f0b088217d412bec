"""One threshold for many topics, against loops over every threshold."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.explore.studies import ScoredCurve, StudyScore, ThresholdCurve, study_thresholds
from core.settings import EvaluationSettings

SETTINGS = EvaluationSettings()
SCORES: tuple[StudyScore, ...] = ("source", "ours")


def curve_of(topic: str, similarities: list[float], core: list[bool], n_core: int) -> ThresholdCurve:
    """From publications, one threshold after the other."""
    thresholds = sorted(set(similarities))
    relevant = [sum(s >= t for s in similarities) for t in thresholds]
    accepted = [sum(s >= t and c for s, c in zip(similarities, core, strict=True)) for t in thresholds]
    n = len(similarities)
    return ThresholdCurve(topic, np.array(thresholds), np.array(relevant), np.array(accepted), n, n, n_core)


@st.composite
def topics(draw: st.DrawFn) -> list[ThresholdCurve]:
    curves = []
    for number in range(draw(st.integers(1, 4))):
        n = draw(st.integers(1, 12))
        similarities = draw(st.lists(st.integers(0, 9).map(lambda i: i / 10), min_size=n, max_size=n))
        core = draw(st.lists(st.booleans(), min_size=n, max_size=n))
        curves.append(curve_of(f"t{number}", similarities, core, sum(core) + draw(st.integers(1, 3))))
    return curves


def plain_score(curve: ThresholdCurve, row: int, score: StudyScore) -> float | None:
    """One point, unscaled, straight from the formula."""
    n, accepted = int(curve.n_relevant[row]), int(curve.n_accepted_core[row])
    if score == "source":
        if n == 0:
            return None
        p = curve.n_retrieved / n
    else:
        p = n / curve.n_scorable * max(0.0, 1 - (n / 50_000) ** 1.5) ** 10
    r = accepted / curve.n_core
    return 5 * p * r / (4 * p + r) if p and r else 0.0


@given(topics(), st.sampled_from(SCORES))
def test_every_number_is_that_of_a_loop_over_all_thresholds(curves, score):
    study = study_thresholds(curves, score=score, settings=SETTINGS)
    raw = {c.topic_id: [plain_score(c, row, score) for row in range(len(c.min_similarity))] for c in curves}
    low, high = 0.0, 1.0
    if score == "source":
        finite = [s for of_topic in raw.values() for s in of_topic if s is not None]
        low, high = min(finite), max(finite)
    scale = (high - low) or 1.0
    counted = [c for c in curves if c.n_accepted_core.max() > 0]
    assert [t.topic_id for t in study.counted] == [c.topic_id for c in counted]

    def at(curve: ThresholdCurve, threshold: float) -> float:
        for row, own in enumerate(curve.min_similarity):
            if own >= threshold:
                found = raw[curve.topic_id][row]
                return 0.0 if found is None else (found - low) / scale
        return 0.0

    every = sorted({float(t) for c in counted for t in c.min_similarity})
    means = [sum(at(c, t) for c in counted) / len(counted) for t in every]
    np.testing.assert_allclose(study.mean_scores, means, atol=1e-12)
    if counted:
        assert math.isclose(means[every.index(study.single)], max(means), abs_tol=1e-12)
        for cost in study.costs(study.single):
            curve = next(c for c in counted if c.topic_id == cost.topic_id)
            values = [at(curve, float(t)) for t in curve.min_similarity]
            assert math.isclose(cost.best_score, max(values), abs_tol=1e-12)
            assert math.isclose(cost.score, at(curve, study.single), abs_tol=1e-12)


@given(topics(), st.sampled_from(SCORES))
def test_laws(curves, score):
    study = study_thresholds(curves, score=score, settings=SETTINGS)
    for topic in study.topics:
        finite = topic.scores[np.isfinite(topic.scores)]
        assert ((finite >= 0) & (finite <= 1)).all()
    if study.single is None:
        assert not study.counted
        return
    assert (study.mean_scores <= study.mean_score_at(study.single) + 1e-12).all()
    assert all(cost.cost <= 0 for t in (study.single, -1.0, 0.35, 2.0) for cost in study.costs(t))
    lowest, highest = (f(t.best_threshold for t in study.counted) for f in (min, max))
    assert lowest - 1e-12 <= study.mean_of_best <= highest + 1e-12
    again = study_thresholds(curves[::-1], score=score, settings=SETTINGS)
    assert again.single == pytest.approx(study.single) or again.mean_score_at(study.single) == pytest.approx(
        study.mean_score_at(study.single)
    )


@given(topics())
def test_one_topic_pays_nothing(curves):
    study = study_thresholds(curves[:1], score="ours", settings=SETTINGS)
    if study.counted:
        assert study.single == study.mean_of_best == study.counted[0].best_threshold
        assert [cost.cost for cost in study.costs(study.single)] == [0.0]


def test_of_equal_scores_the_loosest_threshold_is_taken():
    flat = ThresholdCurve("flat", np.array([0.1, 0.2, 0.3]), np.array([5, 5, 2]), np.array([1, 1, 0]), 10, 10, 3)
    assert ScoredCurve(flat, np.array([0.4, 0.4, np.nan])).best_threshold == 0.1


def test_where_nothing_is_accepted_the_source_has_no_number_and_a_mean_counts_0():
    grid = np.array([0.2, 0.8])
    a = ThresholdCurve("a", grid, np.array([9, 0]), np.array([2, 0]), 9, 9, 2)
    b = ThresholdCurve("b", grid, np.array([9, 3]), np.array([2, 2]), 9, 9, 2)
    study = study_thresholds([a, b], score="source", settings=SETTINGS)
    assert np.isnan(study.topics[0].scores[1])
    assert study.mean_scores[1] == study.topics[1].scores[1] / 2
    assert study.costs(0.8)[0].score == 0.0


def test_a_topic_without_accepted_core_is_left_out_and_named():
    curve = ThresholdCurve("none", np.array([0.2]), np.array([9]), np.array([0]), 9, 9, 33)
    study = study_thresholds([curve], score="ours", settings=SETTINGS)
    assert (study.left_out, study.mean_of_best, study.single, study.costs(0.2)) == (("none",), None, None, ())
    assert study_thresholds([], score="source", settings=SETTINGS).mean_score_at(0.2) is None


@pytest.mark.parametrize(
    ("thresholds", "relevant", "n_core"),
    [
        ([], [], 3),
        ([0.1, 0.1], [2, 2], 3),
        ([0.1, np.nan], [2, 2], 3),
        ([0.1], [2, 1], 3),
        ([0.1], [-2], 3),
        ([1], [2], 0),
    ],
)
def test_what_is_no_curve_is_refused(thresholds, relevant, n_core):
    with pytest.raises(InputError, match="curve"):
        ThresholdCurve("t", np.array(thresholds, float), np.array(relevant), np.zeros(len(relevant), int), 2, 2, n_core)
