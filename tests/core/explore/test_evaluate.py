"""One query version through `evaluate`: every edge case has a status, and laws hold for all regions at once."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InputError, NoCoreError, SettingsError
from core.explore.evaluate import RegionScores, evaluate, fit_regions
from core.explore.regions import DEFAULT_REGIONS
from core.explore.scene import FittedRegion
from core.settings import EvaluationSettings
from core.text import many
from core.types import CoreSet, Projection, RegionKind
from tests.core.scenes import ALL_KINDS, SETTINGS, f_beta_of, random_topic, topic_of
from tests.messages import refusal

CLUSTER_KINDS: frozenset[RegionKind] = frozenset({"cluster", "cluster_projection"})
FOUND_COUNTS: frozenset[RegionKind] = frozenset({"mvee", "hull"})
SHAPED_BY_FOUND: dict[RegionKind, int] = {
    "mvee": 3, "hull": 3, "cluster": 2, "mvee_embedding": 4, "hull_embedding": 4, "cluster_projection": 2,
}  # fmt: skip
NO_ONE = "F-beta is 0"


def numbers(scores: RegionScores):
    return (scores.n_relevant, scores.semantic_precision, scores.decay, scores.recall_used, scores.f_beta)


def assert_undefined(scores: RegionScores, reason: str) -> None:
    assert reason in scores.status
    assert numbers(scores) == (None,) * 5
    assert scores.relevant_mask is None
    assert scores.accepted_core_ids == ()


@pytest.mark.parametrize("n_found", [0, 1, 2, 3, 4])
def test_too_few_found_leave_regions_undefined_with_a_reason(n_found):
    result = random_topic(n_found=n_found).evaluate()
    for kind, least in SHAPED_BY_FOUND.items():
        if n_found < least:
            assert_undefined(result.regions[kind], f"needs {least} found")
        else:
            assert result.regions[kind].status == "ok", kind
    assert {result.regions[kind].status for kind in ("cosine", "nearest_core")} == {"ok"}
    assert result.recall == n_found / 12
    assert any(NO_ONE in warning for warning in result.warnings) == (n_found == 0)


def test_no_core_found_is_a_measured_zero_where_the_region_exists():
    scores = random_topic(n_found=0).evaluate().regions["cosine"]
    assert scores.n_relevant > 0
    assert (scores.recall_used, scores.f_beta) == (0.0, 0.0)


def test_empty_retrieval():
    result = random_topic().with_(retrieved_ids=()).evaluate()
    for scores in result.regions.values():
        assert_undefined(scores, "nothing was retrieved")
    assert (result.recall, result.attainable_recall, result.n_retrieved) == (0.0, 0.0, 0)
    assert not any(NO_ONE in warning for warning in result.warnings)


def test_all_unscorable():
    topic = random_topic()
    result = topic.with_(retrieved_ids=("x", "y", "z"), core_ids=(*topic.core_ids, "x")).evaluate()
    for scores in result.regions.values():
        assert_undefined(scores, "no retrieved publication")
    assert (result.n_retrieved, result.n_scorable, result.n_unscorable) == (3, 0, 3)
    assert (result.recall, result.attainable_recall) == (1 / 13, 0.0)


def test_without_a_projection():
    topic = random_topic()
    result = evaluate(topic.retrieved, topic.core, topic.embedded, settings=SETTINGS, regions=ALL_KINDS)
    for kind in ("mvee", "hull", "cluster_projection"):
        assert_undefined(result.regions[kind], "needs a projection")
    assert result.projection_id is None
    assert result.regions["cosine"].status == "ok"


def test_a_projection_that_lacks_a_retrieved_publication_is_an_error():
    topic = random_topic()
    short = Projection(topic.projection.ids[:-1], topic.projection.points[:-1], "map")
    with refusal(InputError):
        topic.with_(projection=short).evaluate()


def test_a_topic_without_core_is_an_error():
    with pytest.raises(NoCoreError):
        CoreSet("topic", ())


@pytest.mark.parametrize("points", [[[i, 2 * i] for i in range(90)], [[1.5, 2.5]] * 90])
def test_collinear_and_identical_points(points):
    topic = random_topic()
    result = topic.with_(projection=Projection(topic.projection.ids, np.array(points, dtype=float), "map")).evaluate()
    for kind in ("mvee", "hull"):
        assert_undefined(result.regions[kind], "on one line")
    assert result.regions["cluster_projection"].status == "ok"


def test_identical_vectors_leave_every_region_standing():
    points = np.random.default_rng(0).normal(size=(12, 2))
    result = topic_of(np.ones((12, 4)), n_core=5, found=range(5), points=points).evaluate()
    for kind, scores in result.regions.items():
        assert scores.status == "ok", kind
    for kind in set(ALL_KINDS) - {"mvee", "hull", "cluster_projection"}:
        assert result.regions[kind].semantic_precision == 1.0, kind
    assert result.regions["cluster"].degenerate


def test_at_and_beyond_the_decay_limit():
    topic = random_topic()
    everything = EvaluationSettings(cosine_mode="fixed", min_similarity=-1)
    for limit, lost in ((87, True), (50, True), (88, False)):
        scores = topic.evaluate(dataclasses.replace(everything, decay_limit=limit), ["cosine"]).regions["cosine"]
        assert scores.n_relevant == 87
        assert ((scores.decay, scores.f_beta) == (0.0, 0.0)) == lost


def test_core_without_vectors_stays_in_the_denominators():
    vectors = np.random.default_rng(0).normal(size=(40, 6)) + 2 * np.eye(6)[0]
    vectors[0], vectors[9] = 0, np.nan  # one found, one missed
    topic = topic_of(vectors, n_core=10, found=range(8), points=np.random.default_rng(1).normal(size=(40, 2)))
    result = topic.evaluate()
    assert (result.recall, result.attainable_recall) == (8 / 10, 7 / 8)
    assert (result.n_core_with_vectors, result.n_unscorable, len(result.scorable_ids)) == (8, 1, 37)
    assert result.found_core_ids == topic.core_ids[:8]
    assert result.missed_core_ids == ("c8", "c9")
    assert any("2 of 10 core publications" in warning for warning in result.warnings)
    for kind, scores in result.regions.items():
        counted = 8 if kind in FOUND_COUNTS else len(scores.accepted_core_ids)
        assert scores.recall_used == counted / 10, kind
        assert scores.semantic_precision == scores.n_relevant / 37
        assert "c0" not in scores.accepted_core_ids


def test_attainable_recall_without_any_core_vector_is_undefined():
    result = random_topic().with_(core_ids=("x", "p20"), retrieved_ids=("x", "p30")).evaluate(regions=["cosine"])
    assert result.attainable_recall == 0.0
    result = random_topic().with_(core_ids=("x",), retrieved_ids=("x", "p30")).evaluate(regions=["cosine"])
    assert (result.recall, result.attainable_recall) == (1.0, None)


@pytest.mark.parametrize(("n_core", "warned"), [(1, True), (9, True), (10, False)])
def test_few_core_publications_warn(n_core, warned):
    notes = random_topic(n_core=n_core, n_found=1).evaluate(regions=["cosine"]).warnings
    assert any(f"only {many(n_core, 'core publication')}" in note for note in notes) == warned


def test_unknown_region():
    with refusal(SettingsError):
        random_topic().evaluate(regions=["circle"])  # type: ignore[list-item]


def test_the_default_regions_are_the_five_that_are_not_experimental():
    topic = random_topic()
    result = evaluate(topic.retrieved, topic.core, topic.embedded, projection=topic.projection, settings=SETTINGS)
    assert tuple(result.regions) == DEFAULT_REGIONS == ("cosine", "nearest_core", "mvee", "hull", "cluster")


@pytest.mark.parametrize("kind", ALL_KINDS)
@given(seed=st.integers(0, 10_000), n_core=st.integers(1, 12), data=st.data())
@settings(max_examples=25, deadline=None)
def test_scores_follow_from_the_decisions_and_lie_between_0_and_1(kind, seed, n_core, data):
    n_found = data.draw(st.integers(0, n_core))
    topic = random_topic(seed, n=40, n_core=n_core, n_found=n_found, d=4)
    scores = topic.evaluate(regions=[kind]).regions[kind]
    if scores.status != "ok":
        assert_undefined(scores, scores.status)
        return
    assert all(0 <= value <= 1 and not math.isnan(value) for value in numbers(scores)[1:])
    scorable = topic.evaluate(regions=[]).scorable_ids
    accepted = [i for i, inside in zip(scorable, scores.relevant_mask, strict=True) if inside]
    assert scores.n_relevant == len(accepted)
    assert scores.accepted_core_ids == tuple(i for i in topic.core_ids if i in accepted)
    assert scores.recall_used == (n_found if kind in FOUND_COUNTS else len(scores.accepted_core_ids)) / n_core
    assert scores.f_beta == pytest.approx(f_beta_of(len(accepted), len(scorable), scores.recall_used), abs=1e-12)


@pytest.mark.parametrize("kind", ALL_KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_order_has_no_meaning(kind, seed):
    topic = random_topic(seed)
    rng = np.random.default_rng(seed)
    shuffled = topic.with_(core_ids=tuple(rng.permutation(topic.core_ids).tolist()))
    if kind not in CLUSTER_KINDS:  # k-means++ draws its seeds by position
        shuffled = shuffled.with_(retrieved_ids=tuple(rng.permutation(topic.retrieved_ids).tolist()))
    a, b = topic.evaluate(), shuffled.evaluate()
    assert numbers(a.regions[kind]) == numbers(b.regions[kind])
    assert set(a.regions[kind].accepted_core_ids) == set(b.regions[kind].accepted_core_ids)
    assert (a.recall, a.attainable_recall) == (b.recall, b.attainable_recall)


@pytest.mark.parametrize("kind", ALL_KINDS)
def test_the_mask_is_what_the_region_contains(kind):
    scene = random_topic(5, n=200).scene
    fit = fit_regions(scene, SETTINGS.resolved("toy"), [kind])[kind]
    assert isinstance(fit, FittedRegion)
    np.testing.assert_array_equal(fit.region.contains(scene.rows(fit.region.space)), fit.relevant_mask)
    assert fit.region.kind == kind


@pytest.mark.parametrize("kind", ALL_KINDS)
def test_the_same_seed_gives_the_same_bytes(kind):
    a, b = (random_topic(6).evaluate(regions=[kind]).regions[kind] for _ in range(2))
    assert a.relevant_mask.tobytes() == b.relevant_mask.tobytes()
    assert (numbers(a), a.defines, a.accepted_core_ids) == (numbers(b), b.defines, b.accepted_core_ids)


@pytest.mark.parametrize("kind", ALL_KINDS)
def test_duplicates_in_the_retrieved_list_count_once(kind):
    topic = random_topic(7)
    twice = topic.with_(retrieved_ids=topic.retrieved_ids * 2)
    a, b = topic.evaluate(regions=[kind]), twice.evaluate(regions=[kind])
    assert numbers(a.regions[kind]) == numbers(b.regions[kind])
    assert a.n_retrieved == b.n_retrieved


@given(seed=st.integers(0, 1000), found=st.sets(st.integers(0, 11), max_size=11))
@settings(max_examples=40, deadline=None)
def test_one_more_found_core_publication_never_lowers_recall(seed, found):
    topic = random_topic(seed, n=30)
    retrieved = tuple(f"c{i}" for i in sorted(found)) + topic.retrieved_ids[9:]
    one_more = (*retrieved, next(f"c{i}" for i in range(12) if i not in found))
    before, after = (topic.with_(retrieved_ids=ids).evaluate(regions=[]) for ids in (retrieved, one_more))
    assert after.recall > before.recall
    assert after.attainable_recall > before.attainable_recall
    assert after.recall_interval.low >= before.recall_interval.low
    assert after.recall_interval.high >= before.recall_interval.high
