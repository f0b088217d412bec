"""A judged run in a sentence, which never says more than the numbers do."""

from __future__ import annotations

from core.judge.scores import CLEAR, JudgeScores, best_engines, engine_scores, judge_verdict
from tests.core.judge.runs_judged import RUBRIC, Said, judged_run


def scored(**grades: list[Said]) -> JudgeScores:
    """Engines with one publication for each query."""
    return engine_scores(
        *judged_run({engine: {f"q{n}": [said] for n, said in enumerate(row)} for engine, row in grades.items()}), RUBRIC
    )


LOW: list[Said] = [0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1]
HIGH: list[Said] = [4, 5, 4, 5, 5, 4, 4, 5, 4, 5, 4, 5]
LIKE_HIGH: list[Said] = [5, 4, 5, 4, 4, 5, 5, 4, 4, 5, 5, 4]


def test_one_engine_is_told_with_its_range() -> None:
    said = judge_verdict(scored(only=LOW))
    assert said.startswith("only is graded 10.0 of 100 on average (")
    assert said.endswith(") over 12 queries.")
    assert judge_verdict(scored(only=[3])) == "only is graded 60.0 of 100 on average over 1 query."


def test_a_clear_best_is_named() -> None:
    scores = scored(low=LOW, high=HIGH)
    assert [each.engine for each in best_engines(scores)] == ["high", "low"]
    for each in (scores, scored(high=HIGH, low=LOW)):
        assert judge_verdict(each).startswith("high is ")
        assert judge_verdict(each).endswith(f" higher than low by 80.0: {CLEAR}.")
    three = judge_verdict(scored(low=LOW, high=HIGH, middle=[2] * 12))
    assert three.startswith("high is ")
    assert "every other" in three
    assert three.endswith(f"higher than middle by 50.0: {CLEAR}.")


def test_what_cannot_be_told_apart_is_not() -> None:
    best, _, beside = judge_verdict(scored(a=HIGH, b=LIKE_HIGH, low=LOW)).partition(" has the highest ")
    other = "b" if best == "a" else "a"
    assert "not clearly better" in beside
    assert beside.endswith(f" than {other}; low is graded lower, {CLEAR}.")
    assert "nothing about other" in judge_verdict(scored(a=[5], b=[0]))
    no_common = judge_verdict(scored(a=[5, 5, None, None], b=[None, None, 0, 0]))
    assert no_common.startswith("a has the highest ")
    assert no_common.partition("not clearly")[2] == " better than b."


def test_without_a_grade_nothing_is_said() -> None:
    assert judge_verdict(scored(a=["refused"], b=[None])).startswith("No valid grades")
    assert judge_verdict(scored(a=["refused"] * 12, b=LOW)).startswith("b is graded 10.0 of 100")


def test_many_engines_are_not_all_named() -> None:
    alike = {f"e{n}": HIGH for n in range(6)}
    assert judge_verdict(scored(**alike)).endswith("better than e1, e2 and 3 more.")
