"""A leaderboard in words: who is best, and from whom that can be told."""

from __future__ import annotations

import pytest

from core.retrieval.leaderboard import best_runs, comparison, highest, marks, verdict
from tests.core.leaderboards import a_leaderboard

M = "ndcg@10"


def of(**values: float | None) -> dict[str, dict[str, float | None]]:
    return {name: {M: value} for name, value in values.items()}


@pytest.mark.parametrize(
    ("values", "clear", "sentence", "is_clear"),
    [
        (of(bm25=0.5), (), "bm25 reaches nDCG@10 0.500 (0.400 to 0.600) over 4 queries.", None),
        (
            of(bm25=0.5, dense=0.47),
            (),
            "bm25 and dense don't differ clearly on nDCG@10: the difference is 0.030 (−0.020 to 0.080).",
            False,
        ),
        (
            of(bm25=0.5, dense=0.7),
            (("bm25", "dense"),),
            "dense is clearly better than bm25 on nDCG@10 by 0.200 (0.150 to 0.250).",
            True,
        ),
        (of(a=0.5, b=0.5), (), "a and b don't differ clearly on nDCG@10: on average they are equal.", False),
        (
            of(a=0.5, b=0.6, c=0.1),
            (("a", "c"), ("b", "c")),
            "b and a don't differ clearly on nDCG@10: the difference is 0.100 (0.050 to 0.150); "
            "c is clearly worse than b.",
            False,
        ),
        (
            of(a=0.5, b=0.6, c=0.1),
            (("a", "b"), ("b", "c")),
            "b is clearly better than every other run on nDCG@10; than a by 0.100 (0.050 to 0.150).",
            True,
        ),
        (of(a=0.5, b=0.6, c=0.4), (), "b has the highest nDCG@10, but is not clearly better than a and c.", False),
        (of(a=None, b=None), (), "None of these queries has a positive judgment, so nothing can be scored.", None),
        (
            of(a=0.9, b=0.8, c=0.7, d=0.6, e=0.5, f=0.4),
            (),
            "a has the highest nDCG@10, but is not clearly better than b, c, d and 2 more.",
            False,
        ),
    ],
)
def test_the_sentence_says_no_more_than_the_numbers(
    values: dict[str, dict[str, float | None]],
    clear: tuple[tuple[str, str], ...],
    sentence: str,
    is_clear: bool | None,
) -> None:
    said = verdict(a_leaderboard(values, clear=clear), M, "nDCG@10")
    assert said.sentence == sentence
    assert said.is_clear is is_clear


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
