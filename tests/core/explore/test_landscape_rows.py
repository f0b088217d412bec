"""Rows by rising similarity: a split is a threshold, and a curve over all splits is what evaluating each would give."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.explore.evaluate import evaluate_scene
from core.explore.landscape import Landscape, lay_out, split_curve
from core.explore.scene import Scene
from core.metrics import SIMILARITY_TOLERANCE, decay, f_beta
from core.settings import EvaluationSettings
from core.types import EmbeddedSet, Projection
from tests.core.scenes import SETTINGS, Topic, random_topic, topic_of

COLUMNS = ("n_relevant", "n_accepted_core", "core_accepted", "semantic_precision", "decay", "f_beta")

topics = st.builds(
    random_topic,
    st.integers(0, 10_000),
    n=st.integers(13, 40),
    n_found=st.integers(0, 12),
    d=st.integers(2, 6),
    spread=st.floats(0, 3),
)
settings_choices = st.builds(
    EvaluationSettings,
    decay_limit=st.integers(1, 100),
    decay_onset=st.floats(0.2, 5),
    decay_steepness=st.floats(0.2, 20),
    beta=st.floats(0.2, 5),
)


def scores_at(scene: Scene, min_similarity: float, chosen: EvaluationSettings) -> tuple[float, ...]:
    """What an evaluation with this threshold says, in the order of COLUMNS."""
    fixed = replace(chosen, cosine_mode="fixed", min_similarity=float(np.clip(min_similarity, -1, 1)))
    cosine = evaluate_scene(scene, topic_id="t", query_id="q", settings=fixed, regions=["cosine"]).regions["cosine"]
    assert cosine.n_relevant is not None
    n_accepted = len(cosine.accepted_core_ids)
    return cosine.n_relevant, n_accepted, *(getattr(cosine, name) for name in ("recall_used", *COLUMNS[3:]))


def split_of(landscape: Landscape, min_similarity: float) -> int:
    """The first row that reaches a threshold, by looking at each."""
    similarities = landscape.similarities[: landscape.n_retrieved].tolist()
    reaching = (row for row, s in enumerate(similarities) if s >= min_similarity - SIMILARITY_TOLERANCE)
    return next(reaching, landscape.n_retrieved)


@given(topics, settings_choices)
@settings(max_examples=25)
def test_every_split_scores_as_an_evaluation_with_that_threshold(topic: Topic, chosen: EvaluationSettings) -> None:
    scene = topic.scene
    landscape = lay_out(scene)
    curve = split_curve(landscape, chosen)
    assert len(curve) == landscape.n_retrieved + 1
    for similarity in curve.min_similarity[:-1].tolist():
        split = split_of(landscape, similarity)
        ours = [getattr(curve, name)[split] for name in COLUMNS]
        np.testing.assert_allclose(ours, scores_at(scene, similarity, chosen), rtol=1e-12, atol=1e-12)


@given(topics, settings_choices)
def test_every_split_scores_the_rows_from_it_on(topic: Topic, chosen: EvaluationSettings) -> None:
    """Also where rows tie, so that no threshold comes between them."""
    landscape = lay_out(topic.scene)
    curve, n = split_curve(landscape, chosen), landscape.n_retrieved
    for split in range(n + 1):
        n_relevant, n_accepted = n - split, int(landscape.core_mask[split:n].sum())
        precision, share = n_relevant / n, n_accepted / len(topic.core_ids)
        price = decay(n_relevant, **chosen.decay_curve)
        score = f_beta(precision * price, share, beta=chosen.beta)
        ours = [getattr(curve, name)[split] for name in COLUMNS]
        np.testing.assert_allclose(
            ours, (n_relevant, n_accepted, share, precision, price, score), rtol=1e-10, atol=1e-300
        )


@given(topics)
def test_rows_rise_and_the_missed_core_stands_at_the_end(topic: Topic) -> None:
    scene = topic.scene
    landscape = lay_out(scene)
    n = landscape.n_retrieved
    missed = [i for i in topic.core_ids if i not in topic.retrieved_ids]
    assert (np.diff(landscape.similarities[:n]) >= 0).all()
    assert sorted(landscape.ids[:n]) == sorted(topic.retrieved_ids)
    assert list(landscape.ids[n:]) == missed
    assert landscape.core_mask.tolist() == [i in topic.core_ids for i in landscape.ids]
    assert landscape.n_core == len(topic.core_ids)
    assert len(landscape) == len(landscape.similarities) == len(landscape.core_mask) == n + len(missed)
    assert [landscape.row_of[i] for i in landscape.ids] == list(range(len(landscape)))
    assert landscape.points is not None
    assert landscape.points.tolist() == topic.projection.take(landscape.ids).points.tolist()
    for row, publication_id in enumerate(landscape.ids):
        vector = topic.embedded.take([publication_id]).vectors[0]
        assert landscape.similarities[row] == pytest.approx(vector @ scene.centre, abs=1e-6)


def test_a_regions_mask_comes_into_the_order_of_the_rows() -> None:
    topic = random_topic(3)
    landscape = lay_out(topic.scene)
    result = topic.evaluate(regions=["hull"])
    mask = result.regions["hull"].relevant_mask
    assert mask is not None
    inside = {i for i, ok in zip(result.scorable_ids, mask, strict=True) if ok}
    in_rows = landscape.in_order(mask)
    assert 0 < len(inside) < landscape.n_retrieved
    assert {i for i, ok in zip(landscape.ids, in_rows, strict=False) if ok} == inside


def test_equal_similarities_keep_the_order_of_retrieval() -> None:
    topic = topic_of([[1, 0]] * 6, n_core=2, found=[1, 0])
    landscape = lay_out(topic.scene)
    assert landscape.ids == topic.retrieved_ids
    assert split_curve(landscape, SETTINGS).n_relevant.tolist() == [6, 5, 4, 3, 2, 1, 0]


def test_without_a_landscape_there_are_no_points_but_the_same_rows() -> None:
    topic = random_topic(1)
    with_points = lay_out(topic.scene)
    bare = lay_out(Scene.of(topic.retrieved, topic.core, topic.embedded))
    assert bare.points is None
    assert (bare.ids, bare.similarities.tolist()) == (with_points.ids, with_points.similarities.tolist())


def test_core_without_a_vector_counts_but_has_no_row_nor_has_one_without_a_place() -> None:
    topic = random_topic(2, n_found=9)
    without = EmbeddedSet(topic.embedded.ids[1:], topic.embedded.vectors[1:], "toy")
    placed = [i for i in topic.projection.ids if i != "c11"]
    scene = Scene.of(topic.retrieved, topic.core, without, topic.projection.take(placed))
    landscape = lay_out(scene)
    assert "c0" not in landscape.row_of
    assert landscape.ids[landscape.n_retrieved :] == ("c9", "c10")
    assert landscape.n_core == 12
    assert split_curve(landscape, SETTINGS).core_accepted[0] == 8 / 12


def test_a_core_that_cancels_out_leaves_every_similarity_at_zero() -> None:
    topic = topic_of([[1, 0], [-1, 0], [0.5, 0.5], [0, 1]], n_core=2, found=[0])
    landscape = lay_out(topic.scene)
    assert landscape.ids == ("c0", "p2", "p3", "c1")
    assert landscape.similarities.tolist() == [0, 0, 0, 0]
    assert split_curve(landscape, SETTINGS).n_accepted_core.tolist() == [1, 0, 0, 0]


@pytest.mark.parametrize("ids", [(), ("not embedded",)])
def test_nothing_retrieved_is_a_curve_of_one_split(ids: tuple[str, ...]) -> None:
    topic = random_topic(4).with_(retrieved_ids=ids)
    landscape = lay_out(topic.scene)
    curve = split_curve(landscape, SETTINGS)
    assert (landscape.n_retrieved, len(landscape), len(curve)) == (0, 12, 1)
    assert landscape.core_mask.all()
    assert [float(getattr(curve, name)[0]) for name in COLUMNS] == [0, 0, 0, 0, 1, 0]


def test_no_core_publication_with_a_vector() -> None:
    topic = random_topic(5).with_(core_ids=("x", "y"))
    landscape = lay_out(topic.scene)
    curve = split_curve(landscape, SETTINGS)
    assert not landscape.core_mask.any()
    assert not curve.f_beta.any()
    assert not landscape.similarities.any()


@pytest.mark.parametrize("n_core", [0, 1])
def test_one_publication(n_core: int) -> None:
    embedded = EmbeddedSet(("a",), np.ones((1, 1), dtype=np.float32), "toy")
    projection = Projection(("a",), np.zeros((1, 2)), "map")
    topic = Topic(embedded, projection, ("a",) if n_core else ("other",), ("a",))
    curve = split_curve(lay_out(topic.scene), EvaluationSettings(decay_limit=1e6))
    assert curve.n_relevant.tolist() == [1, 0]
    assert curve.n_accepted_core.tolist() == [n_core, 0]
    assert curve.f_beta.tolist() == [pytest.approx(n_core, abs=1e-6), 0]
    assert curve.min_similarity[-1] == np.inf
