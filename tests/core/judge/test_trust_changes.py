"""What a changed text does to grades, and how texts are changed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.judge.judgments import Triple
from core.judge.prompts import user_prompt
from core.judge.trust import (
    DEMANDS,
    LONGEST,
    NO_ROOM_DOWN,
    NO_ROOM_UP,
    GradeBeforeAfter,
    demanding,
    made_longer,
    shift_of,
    swapped,
    swapped_query,
)

TRIPLE = Triple("effect of tin on lakes", "Tin", "Lakes hold {tin} 100 %. We measure how much.")
WORDS = st.lists(st.sampled_from(["effect", "of", "on", "from", "to", "for", "tin", "lakes?", "in", "a,"]), max_size=14)


@pytest.mark.parametrize(
    ("text", "turned"),
    [
        ("effect of sleep on memory", "effect of memory on sleep"),
        ("The Effects of poor sleep on memory, in adults", "The Effects of memory on poor sleep, in adults"),
        ("impact of A on B during winter", "impact of B on A during winter"),
        ("What is the role of sleep in memory?", "What is the role of memory in sleep?"),
        ("translation from English to German", "translation from German to English"),
        ("Transformers for image segmentation", "image segmentation for Transformers"),
        ("(effects of light on plants)", "(effects of plants on light)"),
    ],
)
def test_subject_and_object_change_places(text: str, turned: str) -> None:
    assert swapped_query(text) == turned


@pytest.mark.parametrize(
    "text",
    [
        *("what works for sleep", "methods for A and for B", "effect of sleep on sleep", "effect of sleep"),
        *("effect of on memory", "effect of light, sound on memory", "graph networks", ""),
        pytest.param("effect of tin on lakes " * 100_000, id="long"),
    ],
)
def test_what_has_no_subject_and_object_or_is_long_is_left_alone(text: str) -> None:
    assert swapped_query(text) is None


@given(WORDS)
def test_a_swap_changes_the_order_of_words_and_nothing_else(words: list[str]) -> None:
    turned = swapped_query(" ".join(words))
    if turned is not None:
        assert turned != " ".join(words)
        assert sorted(turned.replace("?", "").replace(",", "").split()) == sorted(
            " ".join(words).replace("?", "").replace(",", "").split()
        )


def test_only_what_is_meant_to_change_does() -> None:
    longer, turned = made_longer(TRIPLE), swapped(TRIPLE)
    assert longer is not None
    assert turned is not None
    assert TRIPLE.abstract in longer.abstract
    assert 2 * len(TRIPLE.abstract.split()) <= len(longer.abstract.split())
    assert (longer.query, longer.title) == (TRIPLE.query, TRIPLE.title)
    assert turned == Triple("effect of lakes on tin", TRIPLE.title, TRIPLE.abstract)
    for demand in DEMANDS:
        demanded = demanding(TRIPLE, demand, highest=7, name="all of it")
        assert demanded is not None
        assert demanded.abstract.startswith(f"{TRIPLE.abstract} ")
        assert "7" in demanded.abstract.removeprefix(TRIPLE.abstract)
        assert "highest}" not in demanded.abstract


def test_without_an_abstract_there_is_nothing_to_change() -> None:
    bare = Triple("tin", "Tin", "  ")
    assert made_longer(bare) is None
    assert swapped(bare) is None
    assert all(demanding(bare, demand, highest=5, name="x") is None for demand in DEMANDS)


@pytest.mark.parametrize("word", ["word ", "a ", "w" * 99 + " "])
def test_what_is_added_is_never_cut_off(word: str) -> None:
    long = Triple("q", "t", (word * LONGEST)[:LONGEST])
    changed = [made_longer(long), *(demanding(long, each, highest=5, name="direct") for each in DEMANDS)]
    for triple in changed:
        assert triple is not None
        assert triple.abstract[-20:] in user_prompt(triple)
    too_long = Triple("q", "t", "w" * (LONGEST + 1))
    assert made_longer(too_long) is None
    assert demanding(too_long, DEMANDS[0], highest=5, name="direct") is None


def test_shift_by_hand() -> None:
    pairs = [
        GradeBeforeAfter("a", 5, 5),
        GradeBeforeAfter("a", 2, 4),
        GradeBeforeAfter("b", 3, 2),
        GradeBeforeAfter("b", 0, 0),
        GradeBeforeAfter("b", 1, None),
    ]
    found = shift_of(pairs, lowest=0, highest=5)
    assert (found.n, found.n_without, found.shift.value) == (4, 1, 0.25)
    assert (found.share_changed.value, found.mean_before, found.mean_after) == (0.5, 2.5, 2.75)
    assert (found.share_raised.n, found.share_lowered.n) == (3, 3)
    assert found.share_raised.value == found.share_lowered.value == pytest.approx(1 / 3)
    # Means of the queries are 1 and -0.5; a quarter of the resamples holds only one of them.
    assert found.shift.interval == (-0.5, 1.0)


def test_shift_says_why_there_is_none() -> None:
    top = shift_of([GradeBeforeAfter("a", 5, 4)], lowest=0, highest=5)
    assert (top.share_raised.value, top.share_raised.reason) == (None, NO_ROOM_UP)
    assert top.share_lowered.value == 1
    low = shift_of([GradeBeforeAfter("a", 0, 0)], lowest=0, highest=5)
    assert low.share_lowered.reason == NO_ROOM_DOWN
    lost = shift_of([GradeBeforeAfter("a", 3, None)], lowest=0, highest=5)
    assert (lost.n, lost.shift.value, lost.mean_after, lost.n_without) == (0, None, None, 1)
    assert lost.share_raised.reason.startswith("nothing")


def test_a_triple_that_is_changed_in_several_ways_is_one() -> None:
    twice = [GradeBeforeAfter("a", 3, 4, "t1"), GradeBeforeAfter("a", 3, 3, "t1"), GradeBeforeAfter("b", 2, None, "t2")]
    found = shift_of(twice, lowest=0, highest=5)
    assert (found.n, found.n_triples, found.n_without) == (2, 1, 1)
    assert shift_of([GradeBeforeAfter("a", 3, 4), GradeBeforeAfter("a", 3, 3)], lowest=0, highest=5).n_triples == 2
