"""Metrics of rankings: examples, laws, and the same numbers the slow way."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.collections import Run
from core.errors import InputError, MisalignedError, SettingsError
from core.retrieval.metrics import DEFAULT_METRICS, FAMILIES, RANKING_METRICS, metric_by_k, per_query, read_metric
from tests.core.retrieval.ranked import (
    DOC_IDS,
    METRIC_IDS,
    answers,
    in_order,
    judged_of,
    judgments_of,
    plain_value,
    run_of,
    truths,
)
from tests.messages import refusal

TRUTH = {"q": {"b": 2, "d": 1, "x": -1, "gone": 3}}
RUN = run_of({"q": [("a", 9.0), ("b", 8.0), ("x", 7.0), ("d", 6.0)]}, ("a", "b", "d", "x"))


@given(truth=truths(), given_answers=answers(), doc_ids=st.permutations(DOC_IDS))
@settings(deadline=None, max_examples=80)
def test_the_same_as_place_by_place_in_whatever_order_documents_are(truth, given_answers, doc_ids):
    judged = judged_of(truth)
    values = per_query(run_of(given_answers, doc_ids), judged, METRIC_IDS)
    assert set(judged.query_ids) == {query_id for query_id, of in truth.items() if max(of.values(), default=0) > 0}
    for metric_id in METRIC_IDS:
        plain = [plain_value(metric_id, in_order(given_answers.get(q, ())), truth[q]) for q in judged.query_ids]
        assert values[metric_id] == pytest.approx(plain, abs=1e-12), metric_id
        assert values[metric_id].min() >= 0
        assert values[metric_id].max() <= 1


@given(truth=truths(), given_answers=answers(), ks=st.lists(st.integers(1, 12), min_size=1, max_size=8))
@settings(deadline=None, max_examples=25)
def test_by_k_is_the_mean_at_each_k(truth, given_answers, ks):
    run, judged = run_of(given_answers), judged_of(truth)
    for family in ("hit", "recall", "precision", "mrr", "ndcg"):
        means = metric_by_k(run, judged, family, ks)
        plain = [per_query(run, judged, [f"{family}@{k}"])[f"{family}@{k}"].mean() for k in ks]
        assert means == pytest.approx(plain, abs=1e-12)
        if family in ("hit", "recall", "mrr"):
            assert (np.diff(means[np.argsort(ks)]) >= 0).all()


def test_by_k_in_blocks_is_the_same(monkeypatch):
    truth = {f"q{i}": {DOC_IDS[i % 7]: 1, DOC_IDS[i % 3]: 2} for i in range(20)}
    run = run_of({q: [(d, float(-i)) for i, d in enumerate(DOC_IDS)] for q in truth})
    whole = metric_by_k(run, judged_of(truth), "ndcg", [1, 3, 8])
    monkeypatch.setattr("core.retrieval.metrics.CELLS", 10)
    assert metric_by_k(run, judged_of(truth), "ndcg", [1, 3, 8]) == pytest.approx(whole, abs=1e-12)


def test_by_k_without_queries_or_places():
    assert np.isnan(metric_by_k(RUN, judged_of({}), "hit", [1, 2])).all()
    assert len(metric_by_k(RUN, judged_of(TRUTH), "hit", [])) == 0
    with refusal(SettingsError):
        metric_by_k(RUN, judged_of(TRUTH), "map", [1])
    with refusal(SettingsError):
        metric_by_k(RUN, judged_of(TRUTH), "hit", [0])


def test_infinite_scores_are_ordered():
    run = run_of({"q": [("d2", float("-inf")), ("é", float("inf")), ("9", 0.0)]})
    assert per_query(run, judged_of({"q": {"9": 1}}), ["mrr"])["mrr"][0] == 1 / 2


def test_documents_of_other_collections_hold_their_place():
    run = run_of({"q": [("other", 3.0), ("b", 2.0), ("gone", 1.0)]}, ("other", "b", "gone"))
    values = per_query(run, judged_of(TRUTH, ("a", "b")), ["mrr", "recall@9"])
    assert (values["mrr"][0], values["recall@9"][0]) == (1 / 2, 1 / 3)


def test_no_answer_and_no_query():
    empty = Run.of("empty", DOC_IDS, [("q1", np.zeros(0, np.int64), np.zeros(0))])
    values = per_query(empty, judged_of({"q1": {"d2": 1}, "q2": {"d2": 1}}), METRIC_IDS)
    assert all((value == 0).all() and len(value) == 2 for value in values.values())
    assert all(len(value) == 0 for value in per_query(empty, judged_of({"q1": {"d2": 0}}), METRIC_IDS).values())


def test_a_score_that_is_no_number_names_its_query():
    run = run_of({"q1": [], "q2": [("d2", 1.0)], "q10": [("d2", 1.0), ("é", float("nan"))]})
    with refusal(InputError):
        per_query(run, judged_of({"q1": {"d2": 1}}), ["mrr"])


def test_runs_that_no_ranking_can_be_made_of():
    twice = Run("r", ("q1", "q1"), DOC_IDS, np.array([0, 1, 1]), np.array([0]), np.array([1.0]))
    with refusal(InputError):
        per_query(twice, judged_of({"q1": {"d2": 1}}), ["mrr"])
    for row in (-1, len(DOC_IDS)):
        beyond = Run("r", ("q1",), DOC_IDS, np.array([0, 1]), np.array([row]), np.array([1.0]))
        with refusal(MisalignedError):
            per_query(beyond, judged_of({"q1": {"d2": 1}}), ["mrr"])


def test_every_metric_says_what_it_is():
    assert tuple(RANKING_METRICS) == DEFAULT_METRICS
    for metric_id in METRIC_IDS:
        metric = read_metric(metric_id)
        assert metric.metric_id == metric_id
        assert metric.family in FAMILIES
        assert "{" not in metric.sentence + metric.formula
        assert metric.k is None or str(metric.k) in metric.sentence + metric.formula
        assert metric.higher_is_better


@pytest.mark.parametrize(
    ("metric_id", "message"),
    [
        ("f1@10", 'there is no ranking metric "f1@10"; there are hit@k, recall@k, precision@k, mrr (or mrr@k), map'),
        ("", "there is no ranking metric"),
        ("hit", '"hit" needs a rank cut-off'),
        ("map@10", '"map" uses the whole ranking'),
        ("rprec@", '"rprec" uses the whole ranking'),
        ("ndcg@", "whole number from 1 to 1,000,000"),
        *((f"ndcg@{k}", "whole number") for k in ("0", "-3", "1.5", "٣", "1000001", "9" * 5000, "3@4")),
    ],
)
def test_ids_that_mean_nothing(metric_id, message):
    with pytest.raises(SettingsError) as raised:
        read_metric(metric_id)
    assert message in str(raised.value)


def test_ids_are_read_kindly():
    assert read_metric(" nDCG@020 ").metric_id == "ndcg@20"
    assert list(per_query(RUN, judged_of(TRUTH), ["MRR"])) == ["MRR"]


def test_the_run_is_left_as_it_came():
    run = run_of({"q1": [("d2", 1.0), ("9", 2.0)]})
    per_query(run, judged_of({"q1": {"d2": 1}}), METRIC_IDS)
    assert run.ranking("q1").doc_ids == ("d2", "9")
    assert len(judgments_of(TRUTH)) == 4


@given(truth=truths(), given_answers=answers(), block=st.integers(1, 9))
@settings(deadline=None, max_examples=25)
def test_a_run_is_looked_through_in_blocks(truth, given_answers, block):
    whole = per_query(run_of(given_answers), judged_of(truth), ["mrr", "map"])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("core.retrieval.metrics.BLOCK", block)
        parts = per_query(run_of(given_answers), judged_of(truth), ["mrr", "map"])
    assert {metric_id: values.tolist() for metric_id, values in parts.items()} == {
        metric_id: values.tolist() for metric_id, values in whole.items()
    }
