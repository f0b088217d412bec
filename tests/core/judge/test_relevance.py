"""Grades become judgments: what has no grade has none, and the mapping is what it says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.collections import Judgment
from core.errors import InputError, SettingsError
from core.judge.judgments import (
    Grade,
    GradeOverride,
    JudgeCandidate,
    JudgedCandidate,
    Rubric,
    TripleVerdict,
    as_they_are,
    from_grade,
    relevances,
)
from tests.messages import refusal


def rubric(lowest: int = 0, n: int = 6) -> Rubric:
    return Rubric("r", "R", "t", (), tuple(Grade(lowest + i, f"g{i}", "") for i in range(n)))


def judged(
    engine: str, doc: str, points: int | None, *, title: str = "T", key: str = "", person: bool = False
) -> JudgedCandidate:
    verdict = TripleVerdict("refused") if points is None or person else TripleVerdict("ok", points)
    said = GradeOverride(key or doc, points, "Ada", "so", "now") if person else None
    return JudgedCandidate(JudgeCandidate(engine, "q", 1, doc, title, ""), key or doc, verdict, said)


def test_what_has_no_grade_has_no_judgment_and_is_counted() -> None:
    rows = [judged("a", "1", 5), judged("a", "2", None), judged("b", "1", 5), judged("b", "3", 0, person=True)]
    found = relevances(rows, as_they_are(rubric()))
    assert found.judgments == (Judgment("q", "1", 5), Judgment("q", "3", 0))
    assert (found.n_without_grade, found.n_of_people, found.n_differing) == (1, 1, 0)


def test_what_nobody_asked_has_no_judgment() -> None:
    found = relevances([JudgedCandidate(JudgeCandidate("a", "q", 1, "1", "T", ""), "k", None)], as_they_are(rubric()))
    assert (found.judgments, found.n_without_grade) == ((), 1)


def test_an_id_with_two_titles_is_refused_unless_one_engine_is_chosen() -> None:
    rows = [judged("a", "1", 5, title="Tea", key="x"), judged("b", "1", 0, title="Coal", key="y")]
    with refusal(InputError):
        relevances(rows, as_they_are(rubric()))
    assert relevances(rows, as_they_are(rubric()), engines=["b"]).judgments == (Judgment("q", "1", 0),)


def test_the_same_publication_with_other_texts_counts_once_and_is_said() -> None:
    rows = [judged("a", "1", None, title="Tea", key="x"), judged("b", "1", 3, title="tea ", key="y")]
    found = relevances([*rows, judged("c", "1", 1, title="TEA", key="z")], as_they_are(rubric()))
    assert found.judgments == (Judgment("q", "1", 3),)
    assert (found.n_differing, found.n_without_grade) == (1, 0)


@given(st.integers(-3, 3), st.integers(2, 9), st.data())
def test_mappings_keep_the_order_of_grades_and_the_lowest_is_not_relevant(
    lowest: int, n: int, data: st.DataObject
) -> None:
    own = rubric(lowest, n)
    cut = data.draw(st.sampled_from(own.points[1:]))
    for mapping in (as_they_are(own), from_grade(own, cut)):
        values = [mapping.relevance(points) for points in own.points]
        assert values == sorted(values)
        assert values[0] == 0 < values[-1]
        assert mapping.name.replace("-", "").isalnum()
    assert sum(from_grade(own, cut).relevance(points) for points in own.points) == own.points[-1] - cut + 1


def test_a_cut_must_be_a_grade_above_the_lowest() -> None:
    with refusal(SettingsError):
        from_grade(rubric(), 0)


def test_a_grade_that_is_not_mapped_is_refused() -> None:
    with pytest.raises(InputError, match="grade 7"):
        as_they_are(rubric()).relevance(7)
