"""Every metric equals ir_measures where no score is tied. Queries without a positive judgment are kept from it."""

from __future__ import annotations

import ir_measures
import numpy as np
import pytest
from hypothesis import given, settings

from core.retrieval.metrics import DEFAULT_METRICS, per_query, read_metric
from tests.core.retrieval.ranked import METRIC_IDS, answers, judged_of, run_of, truths

NAMES = {"hit": "Success", "recall": "R", "precision": "P", "mrr": "RR", "map": "AP", "ndcg": "nDCG", "rprec": "Rprec"}


def measure(metric_id):
    family, _, k = metric_id.partition("@")
    return ir_measures.parse_measure(f"{NAMES[family]}@{k}" if k else NAMES[family])


def oracle(given_answers, truth, metric_ids):
    """Per metric, the value of each query that has a relevant document."""
    scored = {q: of for q, of in truth.items() if max(of.values(), default=0) > 0}
    qrels = {q: dict(of) for q, of in scored.items()}
    run = {q: dict(listed) for q, listed in given_answers.items() if q in scored and listed}
    measures = {measure(metric_id): metric_id for metric_id in metric_ids}
    values = {metric_id: dict.fromkeys(scored, 0.0) for metric_id in metric_ids}
    for metric in ir_measures.iter_calc(list(measures), qrels, run):
        values[measures[metric.measure]][metric.query_id] = metric.value
    return {metric_id: list(of.values()) for metric_id, of in values.items()}


@pytest.mark.parametrize("metric_id", METRIC_IDS)
def test_names_of_ir_measures_are_accepted(metric_id):
    assert read_metric(str(measure(metric_id))).metric_id == metric_id


@given(truth=truths(), given_answers=answers(tied=False))
@settings(deadline=None, max_examples=20)
def test_small_runs(truth, given_answers):
    expected = oracle(given_answers, truth, METRIC_IDS)
    values = per_query(run_of(given_answers), judged_of(truth), METRIC_IDS)
    for metric_id in METRIC_IDS:
        assert values[metric_id] == pytest.approx(expected[metric_id], rel=0, abs=1e-9), metric_id


def test_a_larger_run():
    rng = np.random.default_rng(3)
    doc_ids = [f"doc{i}" for i in rng.permutation(400)]
    given_answers, truth = {}, {}
    for i in range(120):
        chosen = rng.choice(400, int(rng.integers(0, 150)), replace=False)
        numbers = rng.permutation(1000)[: len(chosen)] / 8
        given_answers[f"q{i}"] = [(doc_ids[row], float(n)) for row, n in zip(chosen, numbers, strict=True)]
        judged = rng.choice(400, int(rng.integers(1, 60)), replace=False)
        truth[f"q{i}"] = {doc_ids[row]: int(grade) for row, grade in zip(judged, rng.integers(-1, 5, 60), strict=False)}
    metric_ids = tuple(dict.fromkeys((*DEFAULT_METRICS, *METRIC_IDS, "ndcg@100", "recall@100", "precision@100")))
    expected = oracle(given_answers, truth, metric_ids)
    values = per_query(run_of(given_answers, doc_ids), judged_of(truth, doc_ids), metric_ids)
    for metric_id in metric_ids:
        assert values[metric_id] == pytest.approx(expected[metric_id], rel=0, abs=1e-9), metric_id
        assert 0 < values[metric_id].mean() < 1
