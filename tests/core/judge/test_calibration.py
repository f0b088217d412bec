"""Stated confidence against grades of people, or only how grades spread over it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.judge.confidence import calibration
from core.judge.judgments import JudgeCandidate, JudgedCandidate, TripleVerdict
from tests.core.judge.runs_judged import RUBRIC, overruled


def graded(key: str, points: int, confidence: int | None, person: int | None = None) -> JudgedCandidate:
    judged = JudgedCandidate(
        JudgeCandidate("a", "q1", 1, key, "Title", ""), key, TripleVerdict("ok", points, confidence)
    )
    return judged if person is None else overruled(judged, person)


def test_without_people_only_the_spread_is_shown() -> None:
    found = calibration([graded("x", 5, 9), graded("y", 1, 9), graded("z", 2, 3), graded("s", 2, None)], RUBRIC)
    assert (found.source, found.n, found.n_silent, found.n_both) == ("spread", 3, 1, 0)
    low, high = found.bins
    assert (low.confidence, high.confidence, high.mean, high.share_same) == (3, 9, 60, None)
    assert high.levels == {0: 0, 1: 1, 2: 0, 3: 0, 4: 0, 5: 1}
    assert "No person" in found.sentence
    assert "67 % of 3 triples" in found.sentence


def test_grades_of_people_are_held_against_the_judges_own() -> None:
    found = calibration([graded("x", 5, 9, 5), graded("y", 1, 9, 3), graded("z", 2, 3, 0), graded("w", 2, 3)], RUBRIC)
    low, high = found.bins
    assert (found.source, found.n_both) == ("people", 3)
    assert (high.n_both, high.n_same, high.share_same, high.mean_gap) == (2, 1, 0.5, 20)
    assert (low.n, low.n_both, low.share_same, low.mean_gap) == (2, 1, 0, 40)
    assert low.mean == 40
    assert high.is_small
    assert high.interval is not None
    assert high.interval.low < 0.5 < high.interval.high
    assert found.sentence.partition(": ")[2].startswith("no clear link")


def test_a_triple_counts_once_whoever_found_it_and_what_has_no_grade_not_at_all() -> None:
    judged = graded("x", 4, 7)
    other = replace(judged, candidate=replace(judged.candidate, engine="b"))
    failed = JudgedCandidate(judged.candidate, "f", TripleVerdict("refused"))
    waiting = JudgedCandidate(judged.candidate, "g", None)
    found = calibration([judged, other, failed, waiting], RUBRIC)
    assert [(each.confidence, each.n) for each in found.bins] == [(7, 1)]


def test_other_grades_of_people_count_in_the_place_of_overrulings() -> None:
    judged = [graded("x", 4, 7, 4), graded("y", 4, 8), graded("z", 4, 9, 1)]
    found = calibration(judged, RUBRIC, human={"x": 0, "y": 2, "elsewhere": 1})
    assert [(each.n_both, each.n_same) for each in found.bins] == [(1, 0), (1, 0), (0, 0)]
    assert found.bins[1].mean_gap == 40
    assert calibration(judged, RUBRIC, human={}).source == "spread"


@pytest.mark.parametrize(
    ("right_low", "right_high", "end"),
    [(5, 38, "right more often when confident."), (38, 5, "right less often when confident.")],
)
def test_what_confidence_means_is_said(right_low: int, right_high: int, end: str) -> None:
    sure = [graded(f"h{n}", 4, 9, 4 if n < right_high else 2) for n in range(40)]
    unsure = [graded(f"l{n}", 4, 4, 4 if n < right_low else 2) for n in range(40)]
    found = calibration([*sure, *unsure], RUBRIC)
    assert found.sentence.endswith(end)
    assert "confidence 9 or higher" in found.sentence


def test_one_confidence_for_all_means_nothing() -> None:
    assert "the same confidence, 8" in calibration([graded("x", 5, 8)], RUBRIC).sentence
    assert "have confidence 8: " in calibration([graded("x", 5, 8, 5)], RUBRIC).sentence
    assert "no confidence" in calibration([], RUBRIC).sentence
