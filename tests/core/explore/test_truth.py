"""Scores beside the truth: counted by hand, and against plain sets."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.explore.evaluate import Evaluation, RegionScores, against_truth, evaluate
from core.settings import EvaluationSettings
from core.types import CoreSet, RetrievedSet
from core.vectors import embedded_set

SETTINGS = EvaluationSettings()
IDS = tuple(f"p{i}" for i in range(40))
WITHOUT_VECTOR = ("q0", "q1")
RETRIEVED = (*IDS[:30], *WITHOUT_VECTOR)


@pytest.fixture(scope="module")
def evaluation() -> Evaluation:
    vectors = np.random.default_rng(3).normal(size=(len(IDS), 6)) + 0.4
    embedded, _ = embedded_set(IDS, vectors, "toy")
    return evaluate(
        RetrievedSet.of("q", RETRIEVED),
        CoreSet("t", IDS[24:34]),
        embedded,
        settings=SETTINGS,
        regions=["cosine", "cluster"],
    )


def accepted_by(scores: RegionScores, evaluation: Evaluation) -> set[str]:
    assert scores.relevant_mask is not None
    return {i for i, inside in zip(evaluation.scorable_ids, scores.relevant_mask, strict=True) if inside}


@given(st.sets(st.sampled_from((*IDS, *WITHOUT_VECTOR, "unknown"))))
def test_truth_is_what_sets_say(evaluation: Evaluation, relevant: set[str]) -> None:
    truth = against_truth(evaluation, RETRIEVED, relevant)
    scorable = set(evaluation.scorable_ids)
    assert truth.true_precision == len(scorable & relevant) / len(scorable)
    assert truth.true_recall == (len(set(RETRIEVED) & relevant) / len(relevant) if relevant else None)
    assert set(truth.regions) == {"cosine", "cluster"}
    for kind, of_region in truth.regions.items():
        accepted = accepted_by(evaluation.regions[kind], evaluation)
        assert of_region.error == pytest.approx(len(accepted) / len(scorable) - truth.true_precision)
        assert of_region.right == (len(accepted & relevant) / len(accepted) if accepted else None)
        caught = scorable & relevant
        assert of_region.caught == (len(accepted & relevant) / len(caught) if caught else None)


def test_an_undefined_region_has_no_truth_and_an_empty_result_no_precision() -> None:
    embedded, _ = embedded_set(IDS, np.eye(len(IDS)), "toy")
    nothing = evaluate(RetrievedSet.of("q", ()), CoreSet("t", IDS[:3]), embedded, settings=SETTINGS, regions=["cosine"])
    truth = against_truth(nothing, (), IDS[:5])
    assert (truth.true_precision, truth.true_recall, dict(truth.regions)) == (None, 0.0, {})
