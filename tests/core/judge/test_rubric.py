"""Rubrics: what is taken, and a message of its own for every mistake."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InputError
from core.judge.rubric import GRADE_KEYS, KEYS, LONGEST_RUBRIC, check_rubric, rubric_form
from tests.messages import refusal


def grade(points: object, name: str = "", text: str = "So it is.") -> dict[str, Any]:
    """One level of a document."""
    return {"points": points, "name": name or f"level {points}", "text": text}


def document(**changed: Any) -> dict[str, Any]:
    """A rubric of three levels, with something in the place of something."""
    given = {"rubric_id": "fit", "name": "Fit", "task": "Grade it.", "grades": [grade(0), grade(1), grade(2)]}
    return {**given, **changed}


def test_a_rubric_is_read() -> None:
    rubric = check_rubric(document(weigh=["Meaning  before\nwords."], shown_factor=50))
    assert rubric.points == (0, 1, 2)
    assert rubric.shown(1.5) == 75
    assert rubric.shown_max == 100
    assert rubric.weigh == ("Meaning before words.",)


def test_grades_may_stand_in_any_order() -> None:
    assert check_rubric(document(grades=[grade(2), grade(0), grade(1)])) == check_rubric(document())


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"grades": [grade(3, "good"), grade(2), grade(3, "fine")]}, '2 grades have points 3: "good" and "fine"'),
        ({"grades": [grade(0), grade(1), grade(3)]}, "points go from 1 to 3.* add a grade with points 2"),
        ({"grades": [grade(0)]}, "at least 2 grades, got 1"),
        ({"grades": []}, "at least 2 grades, got 0"),
        ({"grades": [grade(n) for n in range(22)]}, "at most 21 grades, got 22"),
        ({"grades": {"0": "no"}}, "grades must be a list of tables .* got a table"),
        ({"grades": [grade(0), 7]}, "grade 2 of the list must be a table .* got 7"),
        ({"grades": [grade(0), grade("1")]}, 'points of grade 2 of the list must be a whole number, got "1"'),
        ({"grades": [grade(0), grade(1.0)]}, "whole number, got 1.0"),
        ({"grades": [grade(0), grade(True)]}, "whole number, got true"),
        ({"grades": [grade(-1), grade(0)]}, r"must be in \[0, 100\], got -1"),
        ({"grades": [grade(0), grade(10**500)]}, "a number with many digits"),
        ({"grades": [grade(0), grade(1, text="  ")]}, "the text of grade 2 of the list is empty"),
        ({"grades": [grade(0, "same"), grade(1, "Same")]}, '2 grades are called "same"'),
        ({"grades": [grade(0), {"points": 1, "name": "one"}]}, 'grade 2 of the list has no "text"'),
        ({"grades": [grade(0), {**grade(1), "colour": "red"}]}, 'unknown key "colour"'),
        ({"rubric_id": "My rubric"}, 'letters, digits and hyphens, .* got "My rubric"'),
        ({"rubric_id": 7}, "rubric_id must be a text, got 7"),
        ({"name": ""}, "the name of the rubric is empty"),
        ({"name": "x" * 121}, "at most 120 characters, got 121"),
        ({"task": None}, "task must be a text, got nothing"),
        ({"task": "\u200b\n"}, "task is empty"),
        ({"weigh": "meaning"}, 'weigh must be a list of texts, .* got "meaning"'),
        ({"weigh": ["a", 3]}, "rule 2 of weigh must be a text, got 3"),
        ({"weigh": ["a"] * 41}, "at most 40 rules to weigh, got 41"),
        ({"weigh": ["a" * 4_000] * 11}, f"at most {LONGEST_RUBRIC:,} characters together"),
        ({"shown_factor": 51}, "at most 100, got 51 times 2"),
        ({"shown_factor": 0}, "1 or more, got 0"),
        ({"shown_factor": 2.5}, "shown_factor must be a whole number, got 2.5"),
        ({"scale": 5}, 'the rubric has an unknown key "scale"'),
    ],
)
def test_each_mistake_has_its_message(changed: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        check_rubric(document(**changed))


@pytest.mark.parametrize("missing", ["rubric_id", "name", "task", "grades"])
def test_what_is_missing_is_named(missing: str) -> None:
    given = document()
    del given[missing]
    with refusal(InputError):
        check_rubric(given)


@pytest.mark.parametrize("given", [None, [], "rubric", 3, True])
def test_what_is_no_table_is_no_rubric(given: object) -> None:
    with pytest.raises(InputError, match="a table"):
        check_rubric(given)


SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
ANYTHING = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner), max_leaves=6
)
TEXTS = st.text(min_size=1, max_size=30)


@settings(max_examples=40)
@given(
    st.dictionaries(st.sampled_from(KEYS), ANYTHING), st.lists(st.dictionaries(st.sampled_from(GRADE_KEYS), ANYTHING))
)
def test_whatever_is_handed_in_ends_in_a_rubric_or_a_message(some: dict[str, Any], grades: list[Any]) -> None:
    for handed_in in (some, document(**some), document(grades=grades)):
        try:
            rubric = check_rubric(handed_in)
        except InputError:
            continue
        assert check_rubric(rubric_form(rubric)) == rubric


@settings(max_examples=40)
@given(st.integers(0, 5), st.integers(2, 8), TEXTS, st.lists(TEXTS, max_size=3))
def test_a_rubric_read_again_is_the_same(first: int, n: int, text: str, weigh: list[str]) -> None:
    grades = [grade(first + i, f"g{i}", f"x{text}") for i in range(n)]
    rubric = check_rubric(document(task=f"x{text}", weigh=[f"x{rule}" for rule in weigh], grades=grades))
    assert check_rubric(rubric_form(rubric)) == rubric
    assert rubric.points == tuple(range(first, first + n))
