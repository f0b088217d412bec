"""Versions side by side: sets, differences, their ranges and the sentence."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from core.errors import InputError
from core.explore.compare import REGION_METRICS, Comparison, Difference, Entrant, compare, sentence_for
from core.explore.regions import REGIONS
from core.explore.regions.hull import hull_around
from core.explore.regions.mvee import ellipsoid_around
from core.explore.uncertainty import RESAMPLERS, resample_weights
from core.settings import EvaluationSettings
from core.stats import Interval
from core.text import signed
from core.types import Projection, RegionKind
from tests.core.scenes import ALL_KINDS, SETTINGS, Topic, f_beta_of, random_topic, version

AROUND = {"mvee": ellipsoid_around, "hull": hull_around}


def entrant(label: str, topic: Topic, chosen=SETTINGS, regions=ALL_KINDS) -> Entrant:
    return Entrant(label, topic.scene, topic.retrieved_ids, topic.evaluate(chosen, regions))


@pytest.fixture(scope="module")
def narrow() -> Topic:
    return version(random_topic(1), range(8), range(12, 50))


@pytest.fixture(scope="module")
def wide() -> Topic:
    return version(random_topic(1), range(3, 12), range(30, 90))


@pytest.fixture(scope="module")
def both(narrow, wide) -> Comparison:
    return compare([entrant("narrow", narrow), entrant("wide", wide)], settings=SETTINGS)


def of(comparison: Comparison, metric: str, region: RegionKind | None) -> Difference:
    (difference,) = (d for d in comparison.differences if (d.metric, d.region) == (metric, region))
    return difference


def test_sets(both):
    (pair,) = both.pairs
    assert (pair.a, pair.b) == ("narrow", "wide")
    assert (pair.n_both, pair.n_only_a, pair.n_only_b) == (5 + 20, 3 + 18, 4 + 40)
    assert pair.core_gained == ("c8", "c9", "c10", "c11")
    assert pair.core_lost == ("c0", "c1", "c2")


def test_duplicates_in_a_retrieved_list_count_once(narrow, wide):
    twice = Entrant("narrow", narrow.scene, narrow.retrieved_ids * 2, narrow.evaluate())
    (pair,) = compare([twice, entrant("wide", wide)], settings=SETTINGS).pairs
    assert (pair.n_both, pair.n_only_a, pair.n_only_b) == (25, 21, 44)


def test_versions_are_those_of_evaluate(both, narrow, wide):
    assert [v.recall for v in both.versions] == [8 / 12, 9 / 12]
    for ours, topic in zip(both.versions, (narrow, wide), strict=True):
        for kind, scores in topic.evaluate().regions.items():
            assert ours.regions[kind].f_beta == scores.f_beta


def test_recall_difference_and_its_range(both):
    difference = of(both, "recall", None)
    assert difference.difference == pytest.approx(1 / 12, abs=1e-12)
    weights = resample_weights(12, 2000, seed=0)
    drawn = np.array([(sum(w[3:12]) - sum(w[0:8])) / 12 for w in weights])
    assert difference.interval == pytest.approx(np.quantile(drawn, [0.025, 0.975]), abs=1e-12)
    assert "narrow and wide differ in core recall: +0.083, " in difference.sentence


@pytest.mark.parametrize("kind", ["cosine", "nearest_core"])
def test_differences_where_both_meet_the_same_core(both, narrow, wide, kind):
    a, b = narrow.evaluate().regions[kind], wide.evaluate().regions[kind]
    for metric in REGION_METRICS:
        difference = of(both, metric, kind)
        assert difference.difference == pytest.approx(getattr(b, metric) - getattr(a, metric), abs=1e-12)
        assert difference.interval.low <= difference.interval.high


@pytest.mark.parametrize("kind", AROUND)
def test_ellipsoid_and_hull_differences_are_refitted_on_the_full_core_set(both, narrow, wide, kind):
    region = AROUND[kind](narrow.projection.take(narrow.core_ids).points)
    values = {metric: [] for metric in REGION_METRICS}
    for topic, recall in ((narrow, 8 / 12), (wide, 9 / 12)):
        n_relevant = int(region.contains(topic.scene.points).sum())
        values["semantic_precision"].append(n_relevant / len(topic.retrieved_ids))
        values["f_beta"].append(f_beta_of(n_relevant, len(topic.retrieved_ids), recall))
    for metric, (a, b) in values.items():
        assert of(both, metric, kind).difference == pytest.approx(b - a, abs=1e-12)
    refitted_on_found = wide.evaluate().regions[kind].f_beta - narrow.evaluate().regions[kind].f_beta
    assert of(both, "f_beta", kind).difference != pytest.approx(refitted_on_found)


def test_the_range_of_a_hull_difference_is_over_core_sets_that_both_versions_share(both, narrow, wide):
    points = narrow.projection.take(narrow.core_ids).points
    drawn = []
    for w in resample_weights(12, 200, seed=0):
        region = hull_around(points[w > 0])
        shares = [region.contains(topic.scene.points).sum() / len(topic.retrieved_ids) for topic in (narrow, wide)]
        drawn.append(shares[1] - shares[0])
    expected = np.quantile(drawn, [0.025, 0.975])
    assert of(both, "semantic_precision", "hull").interval == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("kind", sorted(REGIONS.keys() - RESAMPLERS.keys()))
def test_a_region_that_is_not_resampled_has_no_difference(both, kind):
    for metric in REGION_METRICS:
        difference = of(both, metric, kind)
        assert (difference.difference, difference.interval) == (None, None)
        assert "not fitted" in difference.reason


def test_identical_versions(narrow):
    comparison = compare([entrant("one", narrow), entrant("same", narrow)], settings=SETTINGS)
    assert len([d for d in comparison.differences if d.difference is not None]) == 1 + 2 * 4
    for difference in comparison.differences:
        if difference.difference is not None:
            assert (difference.difference, difference.interval) == (0.0, (0.0, 0.0))
            assert "not clear" in difference.sentence


@pytest.mark.parametrize(
    ("value", "interval", "fact"),
    [
        (0.2, (0.1, 0.3), "b has 0.200 more core recall than a (0.100 to 0.300)."),
        (-0.2, (-0.3, -0.1), "b has 0.200 less core recall than a (0.100 to 0.300)."),
        (0.2, (-0.1, 0.3), "a and b differ in core recall: +0.200, anything from −0.100 to +0.300"),
        (0.2, (0.0, 0.3), "not clear"),
        (-0.2, (-0.3, 0.0), "not clear"),
        # The resamples are more compact than the core set: the value can lie on the other side of 0.
        (0.01, (-0.3, -0.1), "not clear"),
        (-0.01, (0.1, 0.3), "not clear"),
        (0.0, (0.1, 0.3), "not clear"),
    ],
)
def test_the_sentence_says_what_the_range_allows(value, interval, fact):
    assert fact in sentence_for("recall", None, "a", "b", value, Interval(*interval))


def test_the_sentence_names_the_region_it_speaks_of():
    sentence = sentence_for("f_beta", "mvee", "a", "b", 0.5, Interval(0.4, 0.6))
    assert "more F-beta (Ellipsoid (MVEE) around" in sentence
    assert "core set) than a (0.400 to 0.600)" in sentence


@pytest.mark.parametrize("seed", range(4))
def test_every_sentence_agrees_with_its_range(seed):
    topic = random_topic(seed)
    versions = [version(topic, range(2), range(60, 90)), version(topic, range(1, 12), range(12, 70))]
    comparison = compare([entrant(label, v) for label, v in zip("ab", versions, strict=True)], settings=SETTINGS)
    for d in comparison.differences:
        if d.interval is None:
            assert d.reason
            continue
        low, high = min(d.interval.low, d.difference), max(d.interval.high, d.difference)
        fact = "not clear" if low <= 0 <= high else f"b has {abs(d.difference):.3f} {'more' if low > 0 else 'less'} "
        assert fact in d.sentence
    assert "b has 0.750 more" in of(comparison, "recall", None).sentence


def test_swapping_two_versions_turns_every_sign(both, narrow, wide):
    swapped = compare([entrant("wide", wide), entrant("narrow", narrow)], settings=SETTINGS)
    for there, back in zip(both.differences, swapped.differences, strict=True):
        if there.difference is not None:
            assert back.difference == pytest.approx(-there.difference, abs=1e-12)
            assert back.interval == pytest.approx((-there.interval.high, -there.interval.low), abs=1e-12)


def test_a_region_that_one_version_lacks():
    topic = random_topic(2)
    empty = topic.with_(retrieved_ids=())
    comparison = compare([entrant("full", topic), entrant("empty", empty)], settings=SETTINGS)
    for kind in ("cosine", "nearest_core", "mvee", "hull"):
        assert of(comparison, "f_beta", kind).difference is None
        assert of(comparison, "f_beta", kind).reason == "empty: nothing was retrieved"
    assert of(comparison, "recall", None).difference == -9 / 12


def test_too_few_found_in_one_version_still_compares_on_the_full_core_set(wide):
    few = version(wide, [0], range(12, 50))
    assert few.evaluate().regions["hull"].status != "ok"
    comparison = compare([entrant("few", few), entrant("wide", wide)], settings=SETTINGS)
    assert of(comparison, "semantic_precision", "hull").difference is not None


def test_core_publications_that_the_landscape_lacks_or_puts_on_a_line(narrow, wide):
    ids, points = narrow.projection.ids, narrow.projection.points
    reachable = version(narrow, [3], range(12, 50)), version(wide, [3, 4], range(12, 60))
    lacking = Projection(ids[:2] + ids[3:], np.delete(points, 2, axis=0), "map")
    flat = Projection(ids, np.where(np.arange(len(ids))[:, None] < 12, points[:, :1], points), "map")
    for projection, reason in (
        (lacking, "every core publication"),
        (flat, "on one line"),
    ):
        entrants = [entrant(label, t.with_(projection=projection)) for label, t in zip("ab", reachable, strict=True)]
        comparison = compare(entrants, settings=SETTINGS)
        for kind in AROUND:
            assert reason in of(comparison, "f_beta", kind).reason


@pytest.mark.parametrize("seed", range(3))
def test_without_ranges_the_values_are_the_same(seed):
    topic = random_topic(seed)
    versions = [version(topic, range(5), range(60, 90)), version(topic, range(1, 12), range(12, 70)), topic.with_()]
    entrants = [entrant(label, v) for label, v in zip("abc", versions, strict=True)]
    quick, full = (compare(entrants, settings=SETTINGS, ranges=ranges) for ranges in (False, True))
    assert (quick.has_ranges, full.has_ranges) == (False, True)
    assert quick.pairs == full.pairs
    assert quick.labels == full.labels == ("a", "b", "c")
    for now, later in zip(quick.differences, full.differences, strict=True):
        assert (now.difference, now.interval) == (later.difference, None)
        assert now.reason == later.reason
        if now.difference is not None:
            assert f"{now.b} minus {now.a} is {signed(now.difference)} in " in now.sentence
            assert "without a range" in now.sentence
            assert "clear" not in now.sentence


def test_without_ranges_nothing_is_resampled(narrow, wide, monkeypatch):
    monkeypatch.setattr("core.explore.compare.RESAMPLERS", dict.fromkeys(("cosine", "nearest_core", "mvee", "hull")))
    comparison = compare([entrant("a", narrow), entrant("b", wide)], settings=SETTINGS, ranges=False)
    assert len([d for d in comparison.differences if d.difference is not None]) == 1 + 2 * 4


@pytest.mark.parametrize("ranges", [True, False])
def test_versions_over_different_publications(narrow, wide, ranges):
    states = ("x", "y", None)
    entrants = [
        replace(entrant(label, t), corpus_state=state)
        for label, t, state in zip("abc", (narrow, wide, narrow), states, strict=True)
    ]
    comparison = compare(entrants, settings=SETTINGS, ranges=ranges)
    for d in comparison.differences:
        if (d.a, d.b) == ("a", "b") and d.region in RESAMPLERS:
            assert (d.difference, d.interval) == (None, None)
            assert "different publications" in d.reason
        elif d.region is None or d.region in RESAMPLERS:
            assert d.difference is not None
            assert d.reason is None
    assert comparison.pairs[0].core_gained == ("c8", "c9", "c10", "c11")


def test_three_core_publications_give_ranges_as_wide_as_they_are():
    topic = random_topic(2, n_core=3, n_found=3)
    versions = [topic.with_(retrieved_ids=(i, *topic.retrieved_ids[3:40])) for i in ("c0", "c2")]
    comparison = compare([entrant(label, v) for label, v in zip("ab", versions, strict=True)], settings=SETTINGS)
    recall = of(comparison, "recall", None)
    assert recall.interval == (-1, 1)
    assert "not clear" in recall.sentence


def test_three_versions_make_three_pairs(narrow, wide):
    entrants = [entrant(label, t) for label, t in (("a", narrow), ("b", wide), ("c", random_topic(1)))]
    comparison = compare(entrants, settings=SETTINGS)
    assert [(p.a, p.b) for p in comparison.pairs] == list(combinations("abc", 2))
    assert len(comparison.differences) == 3 * (1 + 2 * len(ALL_KINDS))
    ab, ac, bc = (d.difference for d in comparison.differences if d.metric == "recall")
    assert ab + bc == pytest.approx(ac, abs=1e-12)


@pytest.mark.parametrize(("labels", "fact"), [("", "got 0"), ("a", "got 1"), ("aba", "itself: a")])
def test_fewer_than_two_different_ones(narrow, labels, fact):
    with pytest.raises(InputError, match=fact):
        compare([entrant(label, narrow) for label in labels], settings=SETTINGS)


def test_versions_of_different_topics(narrow):
    other = narrow.with_(core_ids=narrow.core_ids[:-1])
    with pytest.raises(InputError, match="different topics"):
        compare([entrant("a", narrow), entrant("b", other)], settings=SETTINGS)


def test_cosine_mode_best_is_compared_as_evaluated(narrow, wide):
    chosen = EvaluationSettings(cosine_mode="best", decay_limit=120)
    a, b = (entrant(label, t, chosen, ["cosine"]) for label, t in (("a", narrow), ("b", wide)))
    difference = of(compare([a, b], settings=chosen), "f_beta", "cosine")
    scores = [e.evaluation.regions["cosine"].f_beta for e in (a, b)]
    assert difference.difference == pytest.approx(scores[1] - scores[0], abs=1e-12)
