"""A sentence about a gain never claims more than its interval."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.stats import Interval
from core.writer.gains import (
    BROAD,
    best_by_used,
    best_of,
    breadth_note,
    gain_sentence,
    gains_sentence,
    ranked,
    ranking_sentence,
    standing_of,
)
from core.writer.sheets import Brief, CoreScores, CoreSplit, Gain, Sheet, SheetStep, StringScores, WriterBudget

SIDE = CoreScores(10, 5, 0.5, Interval(0.2, 0.8), 0.6, 0.5)
shares = st.floats(-1, 1)


def step(gain: Gain | None, *, parent: int | None = 0, held_out: CoreScores | None = SIDE) -> SheetStep:
    return SheetStep(
        0 if parent is None else 1, parent, "demo", Sheet(), "tea", StringScores(40, SIDE, held_out, SIDE), gain
    )


@pytest.mark.parametrize(
    ("gain", "said"),
    [
        (Gain(0.2, Interval(0.1, 0.3)), "Better than the topic's name: F2 +0.200 (+0.100 to +0.300)"),
        (Gain(-0.2, Interval(-0.3, -0.1)), "Worse than the topic's name: F2 −0.200"),
        (Gain(0.2, Interval(-0.01, 0.3)), "Not clear whether it is better"),
        (Gain(0.2, Interval(0.0, 0.3)), "Not clear whether it is better"),
        (Gain(0.2, None), "too small for an interval: not clear"),
        (Gain(None, None), "Not known on the held-out half: the topic's name retrieves nothing"),
    ],
)
def test_a_gain_in_a_sentence(gain: Gain, said: str) -> None:
    assert said in gain_sentence(step(gain))


def test_a_string_without_a_score_is_told_from_a_topics_name_without_one() -> None:
    assert "it retrieves nothing" in gain_sentence(step(Gain(None, None), held_out=replace(SIDE, f_beta=None)))


def test_without_a_half_that_is_held_out_nothing_is_claimed() -> None:
    assert "No core publications" in gain_sentence(step(None, held_out=None))
    assert "baseline" in gain_sentence(step(None, parent=None))


@given(shares, st.tuples(shares, shares).map(sorted))
def test_better_is_only_said_where_the_interval_leaves_0_out(value: float, ends: list[float]) -> None:
    gain = Gain(value, Interval(*ends))
    sentence, standing = gain_sentence(step(gain)), standing_of(gain)
    assert sentence.startswith("Better") == (min(value, ends[0]) > 0) == (standing == "better")
    assert sentence.startswith("Worse") == (max(value, ends[1]) < 0) == (standing == "worse")


def test_several_strings_in_one_sentence() -> None:
    name = step(None, parent=None)
    clear, unclear = step(Gain(0.2, Interval(0.1, 0.3))), step(Gain(0.2, Interval(-0.1, 0.3)))
    assert gains_sentence([name]) == ""
    for steps, facts in (
        ([clear], ("of 1 string: 1 clearly better ",)),
        ([unclear, clear, unclear], ("of 3 strings: 1 clearly better ", ", 2 not clear.")),
        ([unclear], ("of 1 string: 0 clearly better ", ", 1 not clear.")),
        ([step(None, held_out=None)], ("not known",)),
    ):
        assert all(fact in gains_sentence([name, *steps]) for fact in facts), facts
    assert "not clear" not in gains_sentence([name, clear])


def test_only_a_string_that_retrieves_most_of_the_corpus_is_called_broad() -> None:
    assert breadth_note(int(BROAD * 1000), 1000) == breadth_note(0, 0) == ""
    assert breadth_note(1760, 1871).startswith("It retrieves 94% of the topic's 1,871")


# Which of several strings is best


scores = st.none() | st.sampled_from((0.0, 0.25, 0.5, 0.75))


def scored(number: int, used: float | None, held_out: float | None, n: int = 40) -> SheetStep:
    judged = StringScores(n, replace(SIDE, f_beta=used), replace(SIDE, f_beta=held_out), SIDE)
    return replace(step(None), number=number, judged=judged)


def test_the_best_string_is_the_best_on_the_core_that_was_held_out() -> None:
    fitted, honest = scored(1, 0.9, 0.3), scored(2, 0.6, 0.5)
    assert best_of((fitted, honest), WriterBudget()) == honest
    assert best_by_used((fitted, honest), WriterBudget()) == fitted
    unscored = scored(3, 1.0, None)
    assert ranked((unscored, fitted, honest), WriterBudget()) == [honest, fitted, unscored]


def test_equal_strings_are_ordered_by_the_used_half_then_by_what_there_is_to_read_then_by_name() -> None:
    first, larger, worse = scored(3, 0.6, 0.5), scored(2, 0.6, 0.5, n=41), scored(1, 0.5, 0.5)
    earlier = replace(scored(4, 0.6, 0.5), made_by="all proposals")
    assert ranked((worse, larger, earlier, first), WriterBudget()) == [earlier, first, larger, worse]
    assert best_of((replace(first, text=""), worse), WriterBudget()) == worse


@given(st.lists(st.tuples(scores, scores, st.integers(1, 3)), max_size=6), st.randoms())
def test_the_order_of_strings_does_not_depend_on_the_order_they_were_made_in(found, chance) -> None:
    steps = [scored(number, *numbers) for number, numbers in enumerate(found, start=1)]
    shuffled = list(steps)
    chance.shuffle(shuffled)
    order = ranked(shuffled, WriterBudget())
    assert order == ranked(steps, WriterBudget())
    unseen = [
        -1.0 if s.judged.held_out is None or s.judged.held_out.f_beta is None else s.judged.held_out.f_beta
        for s in order
    ]
    assert unseen == sorted(unseen, reverse=True)


def test_without_a_held_out_half_the_used_one_decides_and_the_reason_is_said() -> None:
    seen = [replace(s, judged=replace(s.judged, held_out=None)) for s in (scored(1, 0.4, 0.9), scored(2, 0.6, 0.1))]
    assert best_of(seen, WriterBudget()) == seen[1]
    few, whole, half = (
        CoreSplit(("a",), ()),
        CoreSplit(tuple("abcdefgh"), ()),
        CoreSplit(("a", "b", "c"), ("d", "e", "f")),
    )
    assert "fewer than 6" in ranking_sentence(few, Brief("Tea"))
    assert "fewer than" not in ranking_sentence(whole, Brief("Tea", hold_out=False))
    assert "3 core publications" in ranking_sentence(half, Brief("Tea"))
