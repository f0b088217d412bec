"""Scores counted anew from arrays are those of the vectors, whatever the settings; and whoever changed one is told."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.audit.quality_facts import QualityFacts, VersionFacts
from core.audit.recount import TOLERANCE, recount, taken_over
from core.explore.evaluate import Evaluation, evaluate_scene
from core.explore.landscape import lay_out
from core.explore.regions import REGIONS
from core.explore.regions.nearest_core import mean_of_nearest
from core.settings import CosineMode, EvaluationSettings
from core.types import RegionKind
from core.vectors import similarities
from tests import bundle_cases as cases
from tests.core.scenes import Topic, random_topic

MODES: tuple[CosineMode, ...] = ("fixed", "least_similar_core", "quantile", "leave_one_out", "best")


def _facts(topic: Topic, chosen: EvaluationSettings, kinds: tuple[RegionKind, ...]) -> QualityFacts:
    """One version of a topic as facts."""
    scene = topic.scene
    evaluation = evaluate_scene(scene, topic_id="t", query_id="q", settings=chosen, regions=kinds)
    landscape = lay_out(scene)
    n = len(landscape)
    decided = {kind: scores.relevant_mask for kind, scores in evaluation.regions.items()}
    masks = {kind: landscape.in_order(mask) for kind, mask in decided.items() if mask is not None}
    template = _TEMPLATE
    enough = len(scene.core) > 3
    vectors = topic.embedded.take(landscape.ids).vectors
    rows = replace(
        template.versions[0].rows,
        ids=landscape.ids,
        n_retrieved=landscape.n_retrieved,
        similarities=landscape.similarities,
        nearest=mean_of_nearest(similarities(vectors, scene.core.vectors)) if enough else None,
        points=landscape.points,
        core_mask=landscape.core_mask,
        titles=("",) * n,
        dois=("",) * n,
        years=np.zeros(n, dtype=np.int16),
        masks=masks,
        outlines={},
        groups=replace(template.versions[0].rows.groups, group_of=np.zeros(n, dtype=np.uint8)),
    )
    version = replace(template.versions[0], evaluation=evaluation, rows=rows, core=(), unscored_ids=())
    return replace(template, versions=(version,), comparison=None)


_TEMPLATE = cases.facts(1, n=30, n_core=6)


def _only(facts: QualityFacts) -> VersionFacts:
    return facts.versions[0]


def _with(facts: QualityFacts, evaluation: Evaluation) -> QualityFacts:
    return replace(facts, versions=(replace(_only(facts), evaluation=evaluation),))


@given(
    seed=st.integers(0, 50),
    n_core=st.integers(1, 12),
    mode=st.sampled_from(MODES),
    beta=st.sampled_from([0.5, 1.0, 2.0]),
    limit=st.sampled_from([20.0, 50_000.0]),
    data=st.data(),
)
@settings(max_examples=80, deadline=None)
def test_what_is_counted_anew_is_what_was_scored(
    seed: int, n_core: int, mode: CosineMode, beta: float, limit: float, data: st.DataObject
) -> None:
    n_found = data.draw(st.integers(0, n_core))
    topic = random_topic(seed, n=40, n_core=n_core, n_found=n_found, model_id="toy")
    chosen = EvaluationSettings(cosine_mode=mode, min_similarity=0.4, quantile=0.3, beta=beta, decay_limit=limit)
    facts = _facts(topic, chosen, tuple(REGIONS))
    counted = recount(facts)
    assert counted.differing == ()
    assert counted.largest_difference <= TOLERANCE
    assert _only(counted.facts).evaluation is _only(facts).evaluation, "to the last digit"


@pytest.mark.parametrize("n_found", [0, 2, 6])
def test_published_choices_are_counted_anew_too(n_found: int) -> None:
    topic = random_topic(1, n=40, n_core=8, n_found=n_found, model_id="toy")
    chosen = EvaluationSettings(compat="litqeval-2024", min_similarity=0.3)
    counted = recount(_facts(topic, chosen, ("cosine", "mvee", "hull", "cluster")))
    assert counted.differing == ()


@given(seed=st.integers(0, 20), kind=st.sampled_from(["cosine", "nearest_core", "mvee", "hull", "cluster"]))
@settings(max_examples=40, deadline=None)
def test_a_decision_that_was_turned_is_told(seed: int, kind: RegionKind) -> None:
    """Cosine, nearest core, ellipse and hull decide anew; of a cluster at least what follows is counted."""
    topic = random_topic(seed, n=40, n_core=8, n_found=6, model_id="toy")
    facts = _facts(topic, EvaluationSettings(), tuple(REGIONS))
    evaluation = _only(facts).evaluation
    scores = evaluation.regions[kind]
    if scores.relevant_mask is None:
        return
    mask = scores.relevant_mask.copy()
    mask[seed % len(mask)] ^= True
    turned = replace(evaluation, regions={**evaluation.regions, kind: replace(scores, relevant_mask=mask)})
    counted = recount(_with(facts, turned))
    assert counted.differing
    if kind != "cluster":
        again = _only(counted.facts).evaluation.regions[kind]
        assert again.f_beta == pytest.approx(scores.f_beta, abs=1e-9)
        assert np.array_equal(again.relevant_mask, scores.relevant_mask)


def test_a_score_without_a_region_and_a_region_without_a_score_are_told() -> None:
    topic = random_topic(2, n=40, n_core=8, n_found=6, model_id="toy")
    facts = _facts(topic, EvaluationSettings(), ("cosine", "hull"))
    evaluation = _only(facts).evaluation
    gone = replace(
        evaluation.regions["hull"], status="needs 3 found core publications", relevant_mask=None, f_beta=None
    )
    counted = recount(_with(facts, replace(evaluation, regions={**evaluation.regions, "hull": gone})))
    assert any("it is defined" in sentence for sentence in counted.differing)
    assert counted.largest_difference == 1.0, "only one of them is defined"
    assert _only(counted.facts).evaluation.regions["hull"].f_beta == evaluation.regions["hull"].f_beta


def test_what_is_taken_over_depends_on_what_there_is() -> None:
    topic = random_topic(2, n=40, n_core=8, n_found=6, model_id="toy")
    fixed = _facts(topic, EvaluationSettings(cosine_mode="fixed", min_similarity=0.3), ("cosine", "hull"))
    bare = replace(fixed, honesty=None, changed_decisions={})
    bare = replace(bare, versions=(replace(_only(bare), terms=(), findings=()),))
    assert len(taken_over(bare)) == 1
    assert len(taken_over(_TEMPLATE)) > 4
