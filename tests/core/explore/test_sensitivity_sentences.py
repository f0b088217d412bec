"""What changes the order of versions, in words: the counts are those of the report, and no two sentences disagree."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.explore.robustness import (
    EXTREMES,
    ChoiceOutcome,
    OrderReversal,
    Robustness,
    SettingChoice,
    VersionOrder,
    VersionProblem,
    order_sentences,
    order_title,
    special_sentences,
)

SET = SettingChoice("as_set", (), "cosine")
BETA = SettingChoice("beta", (("beta", 1.0),), "cosine")
CLUSTER = SettingChoice("region", (), "cluster")
CORNERS = tuple(SettingChoice("joint", (("beta", beta), ("decay_limit", 10_000.0)), "cosine") for beta in (0.5, 3.0))
TURN = OrderReversal("beta", 2.0, 1.4)
STEP = OrderReversal("min_similarity", 0.5, 0.4567)


def report(order: VersionOrder, *, problem: str | None = "the whole list") -> Robustness:
    outcomes = tuple(
        ChoiceOutcome(choice, (0.5, 0.4), (problem if choice is CLUSTER else None, None), (1, 2))
        for choice in (SET, BETA, CLUSTER, *CORNERS)
    )
    special = (VersionProblem("a", "cluster", "degenerate", "the whole list", 1),)
    return Robustness(("a", "b"), "cosine", outcomes, (), (order,), special, ())


def order(
    difference: float | None, turned: tuple[SettingChoice, ...] = (), turns: tuple[OrderReversal, ...] = ()
) -> VersionOrder:
    return VersionOrder("a", "b", difference, 4, turned, turns)


@pytest.mark.parametrize(
    ("of_two", "title", "facts"),
    [
        (order(None), "F-beta under 2", ["not checked: they"]),
        (order(0.0), "F-beta under 2", ["a and b are equal"]),
        (order(-0.25), "None of 2", [f"1 other choice that scores both and 2 extremes {EXTREMES}."]),
        (order(0.25, (BETA,), (TURN,)), "1 of 2", ["a is ahead under 1 of 1 other", "changes at beta 1.4 (set: 2)."]),
        (order(-0.1, CORNERS[:1]), "Only extremes change", [f"b is ahead in 1 of 2 extremes {EXTREMES}."]),
        (
            order(-0.1, (BETA, *CORNERS)),
            "1 of 2",
            ["b is ahead under 1 of 1 other choice: beta 1", f"also ahead in 2 of 2 extremes {EXTREMES}."],
        ),
        (order(-0.1, (), (STEP,)), "Only values in", ["changes at similarity threshold 0.4567 (set: 0.5)."]),
        (
            order(-0.1, CORNERS[1:], (STEP, TURN)),
            "Only extremes and values",
            ["b is ahead in 1 of 2 extremes", "similarity threshold 0.4567 (set: 0.5), beta 1.4 (set: 2)."],
        ),
    ],
)
def test_an_order_in_words(of_two: VersionOrder, title: str, facts: list[str]) -> None:
    (said,) = order_sentences(report(of_two))
    assert all(fact in part for part, fact in zip(said.split("; "), facts, strict=True))
    if of_two.difference:
        first, second = "ba" if of_two.difference > 0 else "ab"
        assert said.startswith(f"{first} is ahead of {second} by {abs(of_two.difference):.3f}, ")
    assert order_title(report(of_two)).startswith(title)


def test_without_a_value_as_set_there_is_no_order() -> None:
    found = report(order(None))
    outcomes = (replace(found.outcomes[0], problem=("too few", None)), *found.outcomes[1:])
    (said,) = order_sentences(replace(found, outcomes=outcomes))
    assert "not checked: as set" in said


def test_only_choices_under_which_both_say_something_are_counted() -> None:
    (said,) = order_sentences(report(order(-0.1), problem=None))
    assert "under all of 2 other choices and 2 extremes" in said


def test_what_says_nothing_is_counted_among_the_choices_of_its_region() -> None:
    assert special_sentences(report(order(0.1))) == ["Cluster of a is meaningless under 1 of 1 choice: the whole list."]
    none = replace(
        report(order(0.1)), special=(VersionProblem("b", "cosine", "undefined", "nothing was retrieved", 4),)
    )
    assert special_sentences(none) == ["Cosine of b has no value under 4 of 4 choices: nothing was retrieved."]
