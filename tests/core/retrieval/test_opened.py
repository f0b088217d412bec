"""One query opened: rankings in the order of the metrics, answers with their grades."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.collections import Judgment, Run
from core.retrieval.metrics import RelevantDocuments, per_query
from core.retrieval.query_results import answers_of, entries

DOC_IDS = ("b", "a", "c", "d")
answers = st.lists(st.tuples(st.integers(0, 3), st.sampled_from([0.0, 1.0, 2.0, -1.0])), max_size=8)


def a_run(answer: list[tuple[int, float]]) -> Run:
    rows = np.array([row for row, _ in answer], dtype=np.int64)
    return Run.of("run", DOC_IDS, [("q", rows, np.array([score for _, score in answer]))])


@given(answers, st.sampled_from(DOC_IDS))
def test_ranks_are_those_that_metrics_take(answer: list[tuple[int, float]], relevant: str) -> None:
    found = entries(a_run(answer), "q")
    judged = RelevantDocuments.of([Judgment("q", relevant, 1)], DOC_IDS)
    wanted = float(per_query(a_run(answer), judged, ["mrr"])["mrr"][0])
    ranks = {entry.doc_id: entry.rank for entry in found}
    assert wanted == (1 / ranks[relevant] if relevant in ranks else 0.0)
    assert [entry.rank for entry in found] == list(range(1, len(found) + 1))
    assert {entry.doc_id for entry in found} == {DOC_IDS[row] for row, _ in answer}


def test_a_query_that_was_not_answered_has_no_entries() -> None:
    assert entries(a_run([]), "q") == entries(a_run([(0, 1.0)]), "another") == ()


def test_answers_are_positive_once_and_the_most_relevant_first() -> None:
    judgments = [
        Judgment("1", "x", 1),
        Judgment("1", "y", 0),
        Judgment("1", "z", 2),
        Judgment("1", "x", 3),
        Judgment("2", "x", -1),
    ]
    assert {query_id: list(grades.items()) for query_id, grades in answers_of(judgments).items()} == {
        "1": [("x", 3), ("z", 2)]
    }
