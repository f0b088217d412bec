"""`compat="stark-2024"`: the published evaluator's numbers, and its rules the slow way."""

from __future__ import annotations

from math import log2

import numpy as np
import pytest
from hypothesis import given, settings

from core.errors import SettingsError
from core.retrieval.metrics import per_query
from tests.core.retrieval.ranked import DOC_IDS, METRIC_IDS, answers, judged_of, plain_value, run_of, truths
from tests.core.retrieval.stark_values import CASES
from tests.core.retrieval.stark_values import METRIC_IDS as STARK_IDS
from tests.messages import refusal


@pytest.mark.parametrize("case", CASES)
def test_published_evaluator(case):
    n, rows, scores, relevant, expected = case
    doc_ids = tuple(f"d{row}" for row in range(n))
    run = run_of({"q": [(doc_ids[row], score) for row, score in zip(rows, scores, strict=True)]}, doc_ids)
    judged = judged_of({"q": {doc_ids[row]: 5 for row in relevant}}, doc_ids)
    values = per_query(run, judged, STARK_IDS, compat="stark-2024")
    assert [values[metric_id][0] for metric_id in STARK_IDS] == pytest.approx(expected, abs=2e-6)


def all_ranked(listed):
    """Every document with its score in float32, ties in the collection's order."""
    scored: dict[str, np.float32] = {}
    for doc_id, score in listed:
        scored[doc_id] = max(np.float32(score), scored.get(doc_id, np.float32(score)))
    lowest = min(scored.values()) - np.float32(1)
    return sorted(
        ((doc_id, scored.get(doc_id, lowest)) for doc_id in DOC_IDS),
        key=lambda pair: (-pair[1], DOC_IDS.index(pair[0])),
    )


def plain_tied_ndcg(ranked, relevant, k):
    """The gain of a place is the share of relevant documents among those with its score."""
    gained = 0.0
    for rank, (_, score) in enumerate(ranked[:k], 1):
        sharing = [doc_id in relevant for doc_id, other in ranked if other == score]
        gained += sum(sharing) / len(sharing) / log2(rank + 1)
    return gained / sum(1 / log2(rank + 1) for rank in range(1, min(k, len(relevant)) + 1))


@given(truth=truths(), given_answers=answers())
@settings(deadline=None, max_examples=30)
def test_the_same_as_ranking_every_document(truth, given_answers):
    judged = judged_of(truth)
    values = per_query(run_of(given_answers), judged, METRIC_IDS, compat="stark-2024")
    for place, query_id in enumerate(judged.query_ids):
        relevant = {doc_id: 1 for doc_id, grade in truth[query_id].items() if grade > 0 and doc_id in DOC_IDS}
        listed = given_answers.get(query_id)
        for metric_id in METRIC_IDS:
            if not listed or not relevant:
                plain = 0.0
            elif metric_id.startswith("ndcg"):
                plain = plain_tied_ndcg(all_ranked(listed), relevant, int(metric_id[5:]))
            else:
                plain = plain_value(metric_id, [doc_id for doc_id, _ in all_ranked(listed)], relevant)
            assert values[metric_id][place] == pytest.approx(plain, abs=1e-12), metric_id


def test_minus_1_is_lost_in_large_scores():
    run, judged = run_of({"q": [("zz", 2.0**25)]}), judged_of({"q": {"d2": 1}})
    assert per_query(run, judged, ["hit@1"], compat="stark-2024")["hit@1"][0] == 1


def test_documents_of_other_collections_are_no_candidates():
    run = run_of({"q": [("other", 3.0), ("b", 2.0)]}, ("other", "b"))
    judged = judged_of({"q": {"b": 1}}, ("a", "b"))
    assert per_query(run, judged, ["mrr"], compat="stark-2024")["mrr"][0] == 1


def test_other_compat_is_refused():
    with refusal(SettingsError):
        per_query(run_of({}), judged_of({"q": {"d2": 1}}), ["mrr"], compat="stark-2025")  # type: ignore[arg-type]
