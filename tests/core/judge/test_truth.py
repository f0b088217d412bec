"""A judge beside known judgments: what is clear for it need not be so for them."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from core.judge.reliability import GradePair, agreement_with_people
from core.judge.scores import CLEAR, JudgeScores, engine_scores
from core.judge.truth import KnownTruth, contradicts, truth_document, truth_of_pairs, truth_sentences
from tests.core.judge.runs_judged import RUBRIC, judged_run
from tests.core.leaderboards import a_leaderboard


def scores(better: int = 5, worse: int = 1) -> JudgeScores:
    """For the judge, `a` is clearly better than `b`."""
    return engine_scores(
        *judged_run({"a": {f"q{n}": [better] for n in range(12)}, "b": {f"q{n}": [worse] for n in range(12)}}), RUBRIC
    )


def truth(values: Mapping[str, Mapping[str, float | None]], *, clear: bool, only_relevant: bool = False) -> KnownTruth:
    pairs = [GradePair(f"q{n}", n % 6, 1 + n % 2) for n in range(12)]
    agreement = agreement_with_people(pairs, {1: 3, 2: 5}, cut=3)
    board = a_leaderboard(values, clear=(("a", "b"),) if clear else ())
    return KnownTruth("teas", True, agreement, board, "whole rankings", only_relevant=only_relevant)


@pytest.mark.parametrize(
    ("values", "clear", "says", "words"),
    [
        ({"a": {"map": 0.6}, "b": {"map": 0.2}}, True, "the same", "The judgments confirm the difference"),
        ({"a": {"map": 0.2}, "b": {"map": 0.6}}, True, "the opposite", "the judgments show the opposite by MAP"),
        ({"a": {"map": 0.6}, "b": {"map": 0.5}}, False, "not clear", "the judgments do not confirm it"),
    ],
)
def test_what_judgments_say_of_a_clear_difference_is_said(
    values: dict[str, dict[str, float | None]], clear: bool, says: str, words: str
) -> None:
    known = truth(values, clear=clear)
    (pair,) = truth_of_pairs(known, scores())
    assert (pair.verdict, pair.is_clear) == (says, True)
    agreed, beside = truth_sentences(known, scores())
    assert 'judgments of "teas", which are synthetic: weighted kappa' in agreed
    assert f"MAP {values['a']['map']:.3f} for a against {values['b']['map']:.3f} for b" in beside
    assert words in beside
    assert contradicts(known, scores()) == (says != "the same")
    assert (CLEAR in beside) == (says != "the same")
    assert truth_document(known, scores())["pairs"] == [
        {"a": "a", "b": "b", "clear_for_judge": True, "says": {"map": says}}
    ]


def test_the_best_engine_of_the_judge_comes_first() -> None:
    turned = scores(better=1, worse=5)
    said = truth_sentences(truth({"a": {"map": 0.6}, "b": {"map": 0.2}}, clear=True), turned)[1]
    assert "MAP 0.200 for b against 0.600 for a, clearly " in said
    assert "other direction" in said


def test_what_is_not_clear_for_the_judge_is_contradicted_by_nothing() -> None:
    alike = scores(better=3, worse=3)
    known = truth({"a": {"map": 0.2}, "b": {"map": 0.6}}, clear=True)
    assert not contradicts(known, alike)
    assert "is not clear" in truth_sentences(known, alike)[1]


def test_engines_that_judgments_do_not_know_and_judgments_of_relevant_ones_alone() -> None:
    known = truth({"x": {"map": 0.2}, "b": {"map": 0.6}}, clear=True, only_relevant=True)
    assert [pair.verdict for pair in truth_of_pairs(known, scores())] == ["unknown"]
    (only,) = truth_sentences(known, scores())
    assert "all relevant" in only
