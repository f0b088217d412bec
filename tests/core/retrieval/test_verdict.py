"""A leaderboard in words: who is best, and from whom that can be told."""

from __future__ import annotations

import pytest

from core.retrieval.leaderboard import best_runs, comparison, highest, marks, verdict
from tests.core.leaderboards import a_leaderboard

M = "ndcg@10"


def of(**values: float | None) -> dict[str, dict[str, float | None]]:
    return {name: {M: value} for name, value in values.items()}


@pytest.mark.parametrize(
    ("values", "clear", "facts", "is_clear"),
    [
        (of(bm25=0.5), "", ("bm25 reaches", "0.500 (0.400 to 0.600)", "4 queries"), None),
        (of(bm25=0.5, dense=0.47), "", ("bm25 and dense don't differ", "0.030 (−0.020 to 0.080)"), False),
        (of(a=0.5, b=0.7), "ab", ("b is clearly better than a", "0.200 (0.150 to 0.250)"), True),
        (of(a=0.5, b=0.5), "", ("a and b don't differ", "they are equal"), False),
        (
            *(of(a=0.5, b=0.6, c=0.1), "ac bc"),
            *(("b and a don't differ", "0.100 (0.050 to 0.150)", "c is clearly worse than b"), False),
        ),
        (of(a=0.5, b=0.6, c=0.1), "ab bc", ("b is", "every other", "than a by 0.100 (0.050 to 0.150)"), True),
        (of(a=0.5, b=0.6, c=0.4), "", ("b has the highest", "not clearly", "than a and c."), False),
        (of(a=None, b=None), "", ("None of these",), None),
        (of(a=0.9, b=0.8, c=0.7, d=0.6, e=0.5, f=0.4), "", ("a has the highest", "than b, c, d and 2 more."), False),
    ],
)
def test_the_sentence_says_no_more_than_the_numbers(
    values: dict[str, dict[str, float | None]], clear: str, facts: tuple[str, ...], is_clear: bool | None
) -> None:
    """`clear`: the pairs of runs whose difference is."""
    board = a_leaderboard(values, clear=tuple((pair[0], pair[1]) for pair in clear.split()))
    said = verdict(board, M, "nDCG@10")
    assert said.is_clear is is_clear
    assert said.sentence.startswith(facts[0])
    assert ("nDCG@10" in said.sentence) == any(value[M] is not None for value in values.values())
    for fact in facts:
        assert fact in said.sentence


def test_a_pair_reads_the_same_from_either_side() -> None:
    board = a_leaderboard(of(a=0.5, b=0.7))
    one, other = comparison(board, M, "a", "b"), comparison(board, M, "b", "a")
    assert one is not None
    assert other is not None
    assert (one.a, one.b, other.a, other.b) == ("a", "b", "b", "a")
    assert one.difference == -other.difference
    assert tuple(one.interval) == (-other.interval.high, -other.interval.low)
    assert comparison(board, M, "a", "a") is None
    assert comparison(board, "map", "a", "b") is None


def test_marks_are_against_the_best_or_the_run_that_is_named() -> None:
    board = a_leaderboard(of(a=0.5, b=0.7, c=0.2), clear=(("a", "b"), ("a", "c")))
    assert marks(board, M) == {"a": "worse"}
    assert marks(board, M, against="a") == {"b": "better", "c": "worse"}
    assert marks(a_leaderboard(of(a=None)), M) == {}


def test_a_difference_of_nothing_is_never_clear() -> None:
    board = a_leaderboard(of(a=0.5, b=0.5), clear=(("a", "b"),))
    assert marks(board, M) == {}


def test_the_highest_are_marked_unless_all_are_equal() -> None:
    assert highest(a_leaderboard(of(a=0.5, b=0.5, c=0.1)), M) == {"a", "b"}
    assert highest(a_leaderboard(of(a=0.5, b=0.5)), M) == frozenset()
    assert highest(a_leaderboard(of(a=None)), M) == frozenset()
    assert [run.name for run in best_runs(a_leaderboard(of(a=0.1, b=None, c=0.5)), M)] == ["c", "a"]
