"""The sensitivity report: against `evaluate` under each changed setting, and orders that really turn where it says."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.errors import InputError, SettingsError
from core.explore.compare import Entrant
from core.explore.regions import DEFAULT_REGIONS
from core.explore.regions.cluster import cluster_curve
from core.explore.robustness import AS_SET, FORMULA, JOINT, VARIATIONS, Robustness, joint_extremes, robustness
from core.settings import EvaluationSettings
from core.types import RegionKind
from tests.core.scenes import Topic, random_topic, version
from tests.messages import refusal

LIMITED = EvaluationSettings(decay_limit=300.0)
SHARES = (0.5, 0.7, 0.9)


TOPIC = random_topic(1)
VERSIONS = {
    "narrow": version(TOPIC, range(6), range(12, 30)),
    "wide": version(TOPIC, range(9), range(12, 90)),
    "few": version(TOPIC, range(2), range(12, 25)),
}


def entrants(versions: dict[str, Topic], chosen=LIMITED, kinds=DEFAULT_REGIONS) -> list[Entrant]:
    return [Entrant(k, t.scene, t.retrieved_ids, t.evaluate(chosen, kinds)) for k, t in versions.items()]


def report(versions=VERSIONS, chosen=LIMITED, region: RegionKind = "cosine", kinds=DEFAULT_REGIONS) -> Robustness:
    clusters = {label: cluster_curve(t.scene, chosen, SHARES) for label, t in versions.items()}
    return robustness(entrants(versions, chosen, kinds), settings=chosen, region=region, clusters=clusters)


@pytest.fixture(scope="module")
def whole() -> Robustness:
    return report()


MODES = [
    LIMITED,
    EvaluationSettings(cosine_mode="best", decay_limit=200),
    EvaluationSettings(cosine_mode="fixed", min_similarity=0.5, beta=1),
    EvaluationSettings(cosine_mode="quantile", quantile=0.2, decay_onset=0.7),
]


@pytest.mark.parametrize(("chosen", "region"), [*((chosen, "cosine") for chosen in MODES), (LIMITED, "hull")])
def test_every_value_is_what_evaluate_gives(chosen, region):
    found = report(chosen=chosen, region=region)
    assert len(found.outcomes) > 40
    for outcome in found.outcomes:
        changed = replace(chosen, **dict(outcome.choice.changes))
        for topic, value, problem in zip(VERSIONS.values(), outcome.f_beta, outcome.problem, strict=True):
            scores = topic.evaluate(changed, [outcome.choice.region]).regions[outcome.choice.region]
            assert value == scores.f_beta
            assert problem == (scores.status if scores.status != "ok" else scores.degenerate)


def test_every_reasonable_choice_is_gone_through_once(whole):
    choices = [outcome.choice for outcome in whole.outcomes]
    assert choices[0].setting == AS_SET
    assert len(set(choices)) == len(choices)
    assert len({choice.label for choice in choices}) == len(choices)
    for name in FORMULA:
        values = {choice.changes[0][1] for choice in choices if choice.setting == name}
        assert values == set(VARIATIONS[name].values) - {getattr(LIMITED, name)}
    assert {choice.region for choice in choices if choice.setting == "region"} == set(DEFAULT_REGIONS) - {"cosine"}
    # leave_one_out is what is in force
    assert [c.changes[0][1] for c in choices if c.setting == "cosine_mode"] == ["least_similar_core", "best"]
    fixed = [c.changes[1][1] for c in choices if c.setting == "min_similarity"]
    as_set = TOPIC.evaluate(LIMITED, ["cosine"]).regions["cosine"].defines["min_similarity"]
    assert fixed == pytest.approx([as_set + step for step in (-0.05, -0.02, 0.02, 0.05)], abs=1e-4)
    assert [c.changes[0][1] for c in choices if c.setting == "min_core_share"] == [0.5, 0.9]
    assert sum(c.setting == JOINT for c in choices) == 16 == len(joint_extremes("cosine"))


def test_ranks_follow_the_values(whole):
    for outcome in whole.outcomes:
        telling = [v for v, problem in zip(outcome.f_beta, outcome.problem, strict=True) if problem is None]
        for value, problem, rank in zip(outcome.f_beta, outcome.problem, outcome.rank, strict=True):
            expected = None if problem else 1 + sum(other > value + 1e-12 for other in telling)
            assert rank == expected


def test_spans_are_the_ends_of_the_values(whole):
    for version_number, span in enumerate(whole.spans):
        values = {o.choice: o.f_beta[version_number] for o in whole.outcomes if o.problem[version_number] is None}
        single = {choice: value for choice, value in values.items() if choice.setting != JOINT}
        joint = [value for choice, value in values.items() if choice.setting == JOINT]
        assert (span.lowest, span.highest) == (min(single.values()), max(single.values()))
        assert single[span.lowest_under] == span.lowest <= span.as_set <= span.highest == single[span.highest_under]
        assert (span.joint_lowest, span.joint_highest) == (min(joint), max(joint))


def test_orders_name_every_choice_that_turns_them(whole):
    assert [(o.a, o.b) for o in whole.orders] == [("narrow", "wide"), ("narrow", "few"), ("wide", "few")]
    labels = list(VERSIONS)
    for order in whole.orders:
        a, b = labels.index(order.a), labels.index(order.b)
        moves = {
            o.choice: o.f_beta[b] - o.f_beta[a] for o in whole.outcomes if o.problem[a] is None and o.problem[b] is None
        }
        assert order.difference == moves[whole.outcomes[0].choice]
        assert order.n_compared == len(moves)
        assert set(order.turned_by) == {c for c, move in moves.items() if move * order.difference < 0}
    assert any(order.turned_by for order in whole.orders)


def test_a_turn_is_the_smallest_change_that_puts_the_other_version_ahead(whole):
    turns = [(order, turn) for order in whole.orders for turn in order.turns]
    assert {turn.setting for _, turn in turns} == {*FORMULA, "min_similarity"}
    for order, turn in turns:
        fixed = {"cosine_mode": "fixed"} if turn.setting == "min_similarity" else {}

        def ahead(value: float, order=order, turn=turn, fixed=fixed) -> float:
            changed = replace(LIMITED, **fixed, **{turn.setting: value})
            f_beta = [VERSIONS[k].evaluate(changed, ["cosine"]).regions["cosine"].f_beta for k in (order.a, order.b)]
            return (f_beta[1] - f_beta[0]) * order.difference

        assert ahead(turn.at) < 0
        back = np.linspace(turn.at, turn.as_set, 30)[1:]
        if turn.setting == "min_similarity":
            back = back[np.abs(back - turn.at) > 1e-5]
        assert all(ahead(float(value)) >= -1e-9 for value in back)


def test_what_says_nothing_is_named_and_does_not_count():
    nothing = version(TOPIC, (), range(12, 40))
    empty = version(TOPIC, (), ())
    found = robustness(entrants({"few": VERSIONS["few"], "nothing": nothing, "empty": empty}), settings=LIMITED)
    named = {(s.label, s.region, s.what): s.reason for s in found.special}
    assert "needs 3 found" in named["few", "hull", "undefined"]
    assert named["empty", "cosine", "undefined"] == "nothing was retrieved"
    assert "needs 2 found" in named["nothing", "cluster", "undefined"]
    assert found.spans[2].lowest is found.spans[2].as_set is None
    assert found.spans[1].lowest == found.spans[1].highest == 0
    assert {o.rank[2] for o in found.outcomes} == {None}
    assert all(order.difference is None for order in found.orders if "empty" in (order.a, order.b))


def test_a_degenerate_cluster_keeps_its_value_but_has_no_rank():
    versions = {"a": VERSIONS["narrow"], "b": VERSIONS["wide"]}
    there = entrants(versions)
    why = "the cluster is the whole list"
    scores = replace(there[0].evaluation.regions["cluster"], degenerate=why)
    changed = replace(there[0].evaluation, regions={**there[0].evaluation.regions, "cluster": scores})
    found = robustness([replace(there[0], evaluation=changed), there[1]], settings=LIMITED)
    (cluster,) = [o for o in found.outcomes if o.choice.region == "cluster"]
    assert cluster.f_beta[0] == scores.f_beta
    assert cluster.problem[0] == why
    assert cluster.rank[0] is None
    assert ("a", "cluster", "degenerate", why, 1) in [
        (s.label, s.region, s.what, s.reason, s.n_choices) for s in found.special
    ]


def test_one_version_alone():
    found = report({"wide": VERSIONS["wide"]})
    assert found.orders == ()
    assert {o.rank for o in found.outcomes if o.problem == (None,)} == {(1,)}
    assert found.spans[0].lowest < found.spans[0].as_set < found.spans[0].highest


def test_identical_versions_have_no_order_to_turn():
    found = report({"one": VERSIONS["wide"], "same": VERSIONS["wide"]})
    (order,) = found.orders
    assert (order.difference, order.turned_by, order.turns) == (0, (), ())
    assert {o.rank for o in found.outcomes if o.problem == (None, None)} == {(1, 1)}


def test_versions_over_different_publications_have_no_order():
    there = entrants({k: VERSIONS[k] for k in ("narrow", "wide")})
    apart = [replace(e, corpus_state=state) for e, state in zip(there, "xy", strict=True)]
    found = robustness(apart, settings=LIMITED)
    assert {o.rank for o in found.outcomes} == {(None, None)}
    assert (found.orders[0].difference, found.orders[0].turned_by) == (None, ())
    (left_out,) = (reason for reason in found.left_out if "narrow and wide" in reason)
    assert "different publications" in left_out
    assert found.spans[0].lowest is not None


def test_clusters_that_are_not_known_are_left_out_and_named():
    there = entrants(VERSIONS, kinds=("cosine", "nearest_core", "mvee", "hull"))
    found = robustness(there, settings=LIMITED)
    assert "cluster" not in {o.choice.region for o in found.outcomes}
    region, shares = found.left_out
    assert region == "Cluster: not evaluated yet"
    assert "core share 0.5, 0.6, 0.75, 0.8, 0.85, 0.9: " in shares


def test_three_core_publications_and_none_with_a_vector():
    small = random_topic(3, n_core=3, n_found=2)
    found = report({"small": small})
    assert found.spans[0].as_set is not None
    bare = TOPIC.with_(core_ids=("x", "y", "z"))
    (span,) = robustness(entrants({"bare": bare}), settings=LIMITED).spans
    assert span.as_set is span.highest is None


def test_what_is_refused():
    with refusal(InputError):
        robustness([], settings=LIMITED)
    there = entrants(VERSIONS, kinds=("cosine",))
    with refusal(InputError):
        robustness(there, settings=LIMITED, region="hull")
    with pytest.raises(InputError, match="only once"):
        robustness([there[0], there[0]], settings=LIMITED)
    with pytest.raises(SettingsError, match="be varied"):
        robustness(there, settings=replace(LIMITED, compat="litqeval-2024"))


def test_it_is_the_same_every_time(whole):
    assert report() == whole


def test_every_variation_has_its_words():
    for variation in VARIATIONS.values():
        assert variation.label
        assert variation.why.endswith(".")
        assert len(set(variation.values)) == len(variation.values) > 2
