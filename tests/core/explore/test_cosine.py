"""The cosine region against plain loops in float64."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.explore.regions.cosine import CosineRegion, fit_cosine, leave_one_out_similarities
from core.explore.scene import FittedRegion, UndefinedRegion
from core.settings import PUBLISHED_MODEL, EvaluationSettings
from tests.core.scenes import Topic, f_beta_of, random_topic, topic_of, unit

MODES = ("fixed", "least_similar_core", "quantile", "leave_one_out", "best")


def loop_centroid(rows):
    total = np.zeros(rows.shape[1])
    for row in rows:
        total = total + row
    return total / np.sqrt(sum(x * x for x in total))


def loop_left_out(rows, copies):
    """Each row against the mean of the others, where row i is in the set `copies[i]` times."""
    out = []
    for i in range(len(rows)):
        others = [row for j, row in enumerate(rows) if j != i for _ in range(int(copies[j]))]
        out.append(float(rows[i] @ loop_centroid(np.array(others))) if others else float("nan"))
    return out


def loop_quantile(values, q):
    ordered = sorted(values)
    place = q * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])


def loop_best(sims, found, n_core, settings):
    """Highest F-beta over every similarity as a threshold; of several, the strictest."""
    best_score, best = -1.0, 0.0
    for cut in sorted(set(sims)):
        n_relevant = sum(s >= cut - 1e-6 for s in sims)
        accepted = sum(sims[row] >= cut - 1e-6 for row in found)
        score = f_beta_of(n_relevant, len(sims), accepted / n_core, settings)
        if score >= best_score:
            best_score, best = score, cut
    return best


def loop_fit(topic: Topic, chosen: EvaluationSettings):
    scene = topic.scene
    core, retrieved = unit(scene.core.vectors), unit(scene.retrieved.vectors)
    centre = loop_centroid(core)
    sims = [float(row @ centre) for row in retrieved]
    left_out = loop_left_out(core, np.ones(len(core)))
    cut = {
        "fixed": lambda: chosen.min_similarity,
        "least_similar_core": lambda: min(float(row @ centre) for row in core),
        "quantile": lambda: loop_quantile(left_out, chosen.quantile),
        "leave_one_out": lambda: min(left_out),
        "best": lambda: loop_best(sims, scene.found_rows, scene.n_core, chosen),
    }[chosen.cosine_mode]()
    return cut, np.array([s >= cut - 1e-6 for s in sims])


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("seed", range(4))
def test_every_mode_equals_a_plain_loop(mode, seed):
    topic = random_topic(seed, n=70, n_core=7 + seed, n_found=5)
    chosen = EvaluationSettings(cosine_mode=mode, min_similarity=0.55, quantile=0.3, decay_limit=150)
    fit = fit_cosine(topic.scene, chosen)
    assert isinstance(fit, FittedRegion)
    cut, mask = loop_fit(topic, chosen)
    assert 0 < mask.sum() < len(mask)
    assert fit.region.defines()["min_similarity"] == pytest.approx(cut, abs=1e-6)
    np.testing.assert_array_equal(fit.relevant_mask, mask)


def test_the_centroid_takes_core_publications_that_were_missed():
    topic = random_topic(n_found=3)
    all_found = topic.with_(retrieved_ids=topic.embedded.ids)
    few, all_ = (fit_cosine(t.scene, EvaluationSettings(cosine_mode="fixed")).region for t in (topic, all_found))
    np.testing.assert_array_equal(few.centroid, all_.centroid)


@given(st.integers(0, 10_000), st.lists(st.integers(0, 3), min_size=2, max_size=7))
@settings(max_examples=60, deadline=None)
def test_left_out_similarities_equal_a_loop_with_copies(seed, copies):
    rows = unit(np.random.default_rng(seed).normal(size=(len(copies), 5)))
    ours = leave_one_out_similarities(rows @ rows.T, np.array([copies], dtype=float))[0]
    np.testing.assert_allclose(ours, loop_left_out(rows, copies), atol=1e-9)


def test_a_publication_that_is_the_whole_core_set_has_no_left_out_similarity():
    gram = np.array([[1.0, 0.5], [0.5, 1.0]])
    assert np.isnan(leave_one_out_similarities(gram, np.array([[3.0, 0.0]]))[0, 0])


def test_ties_on_the_threshold():
    similar = [0.8, 0.8 - 5e-7, 0.8 - 2e-6, 0.8 + 2e-6]
    topic = topic_of([[1, 0], [1, 0], *([s, np.sqrt(1 - s * s)] for s in similar)], n_core=2, found=[])
    fit = fit_cosine(topic.scene, EvaluationSettings(cosine_mode="fixed", min_similarity=0.8))
    assert fit.relevant_mask.tolist() == [True, True, False, True]


def test_the_least_similar_core_is_in_although_it_is_its_own_threshold():
    for seed in range(30):
        topic = random_topic(seed, n_found=12, d=300)
        chosen = EvaluationSettings(cosine_mode="least_similar_core")
        assert topic.evaluate(chosen, ["cosine"]).regions["cosine"].accepted_core_ids == topic.core_ids


UNDEFINED = [
    # topic, modes, the reason
    (random_topic(n_core=1, n_found=1), ("least_similar_core", "quantile", "leave_one_out"), "needs 2 core"),
    (random_topic().with_(core_ids=("x", "y")), MODES, "no core publication"),
    (topic_of([[1, 0], [-1, 0], [0, 1]], n_core=2, found=[0]), MODES, "no centre"),
    # once one is left out
    (topic_of([[0, 1], [1, 0], [-1, 0], [1, 1]], n_core=3, found=[0]), ("quantile", "leave_one_out"), "no centre"),
]


@pytest.mark.parametrize(
    ("topic", "mode", "reason"), [(topic, mode, reason) for topic, modes, reason in UNDEFINED for mode in modes]
)
def test_without_a_cut_or_a_centre_the_region_is_undefined(topic, mode, reason):
    fit = fit_cosine(topic.scene, EvaluationSettings(cosine_mode=mode))
    assert isinstance(fit, UndefinedRegion)
    assert reason in fit.reason


@pytest.mark.parametrize("mode", ["fixed", "best"])
def test_one_core_vector_is_enough_without_a_cut_between_core_publications(mode):
    assert isinstance(
        fit_cosine(random_topic(n_core=1, n_found=1).scene, EvaluationSettings(cosine_mode=mode)), FittedRegion
    )


@pytest.mark.parametrize(
    ("model_id", "chosen", "warned"),
    [
        (PUBLISHED_MODEL, EvaluationSettings(cosine_mode="fixed"), False),
        (PUBLISHED_MODEL, EvaluationSettings(), False),
        ("toy", EvaluationSettings(cosine_mode="fixed"), True),
        ("toy", EvaluationSettings(cosine_mode="fixed", min_similarity=0.7), False),
        ("toy", EvaluationSettings(cosine_mode="leave_one_out"), False),
        ("toy", EvaluationSettings(), False),
    ],
)
def test_the_published_threshold_warns_with_another_model_only(model_id, chosen, warned):
    notes = random_topic(model_id=model_id).evaluate(chosen, ["cosine"]).warnings
    assert any("0.69 was published for text-embedding-3-small" in note for note in notes) == warned


def test_a_region_decides_rows_it_has_not_seen():
    region = CosineRegion(np.array([1, 0], dtype=np.float32), 0.5, "fixed")
    assert region.contains(np.array([[1.0, 0.0], [0.0, 1.0]])).tolist() == [True, False]
