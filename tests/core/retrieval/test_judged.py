"""Which documents are relevant to which query."""

from __future__ import annotations

import pytest

from core.collections import Judgment
from core.errors import InputError
from core.retrieval.metrics import OUTSIDE, RelevantDocuments
from tests.messages import refusal

J = Judgment


def test_relevant_documents_stand_with_their_query_the_most_relevant_first():
    given = [J("q2", "a", 1), J("q1", "b", 1), J("q2", "gone", 2), J("q1", "a", 3), J("q1", "c", 0), J("q3", "a", -1)]
    judged = RelevantDocuments.of(given, ("a", "b", "c"), ("q1", "q2", "q3", "q4"))
    assert judged.query_ids == ("q1", "q2")
    assert judged.rows.tolist() == [0, 1, OUTSIDE, 0]
    assert judged.grades.tolist() == [3, 1, 2, 1]
    assert judged.query_of.tolist() == [0, 0, 1, 1]
    assert judged.n_relevant.tolist() == [2, 2]
    assert judged.n_outside.tolist() == [0, 1]
    assert (judged.n_without, judged.n_repeated, len(judged)) == (2, 0, 2)


def test_queries_come_as_judgments_name_them_unless_they_are_given():
    given = [J("b", "x", 1), J("a", "x", 1), J("c", "x", 0), J("b", "y", 1)]
    assert RelevantDocuments.of(given, ("x",)).query_ids == ("b", "a")
    assert RelevantDocuments.of(given, ("x",)).n_without == 1
    assert RelevantDocuments.of(given, ("x",), ("a", "b", "a")).query_ids == ("a", "b")


@pytest.mark.parametrize("grades", [(2, 1, 0), (0, 1, 2), (1, 2, 1)])
def test_a_repeated_judgment_counts_once_with_the_highest_relevance(grades):
    judged = RelevantDocuments.of([J("q", "a", grade) for grade in grades], ("a",))
    assert (judged.grades.tolist(), judged.n_repeated) == ([2], 2)


def test_nothing_judged():
    judged = RelevantDocuments.of([], ("a",), ("q",))
    assert (len(judged), judged.starts.tolist(), judged.n_without) == (0, [0], 1)
    assert judged.n_outside.tolist() == judged.n_relevant.tolist() == []


def test_a_relevance_beyond_all_sense_is_refused():
    with refusal(InputError):
        RelevantDocuments.of([J("q", "a", 10**400)], ("a",))
