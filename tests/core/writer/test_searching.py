"""The search over strings against trying every string, and what it promises about limits and over-fitting."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.query.match import count
from core.writer.sheet_search import PRICE, best_sheet, supported
from core.writer.sheets import LISTS, Brief, Keyword, Sheet, WriterBudget
from tests.core.writer.writer_sets import (
    every_sheet,
    found_rows,
    keywords_of,
    looked_up,
    sets,
    sets_by_chance,
    slow_retrieved,
    slow_worth,
    stakes_on,
)

budgets = st.builds(
    WriterBudget, most_publications=st.none() | st.integers(1, 24), min_recall=st.sampled_from((0.0, 0.5, 0.9, 1.0))
)


def slow_rank(sheet, scene, budget):
    """What the search goes by, found out slowly: less is better."""
    _, known, core, accepted = scene
    retrieved = slow_retrieved(sheet, known)
    too_many = 0 if budget.most_publications is None else max(len(retrieved) - budget.most_publications, 0)
    missing = max(budget.min_recall - len(retrieved & core) / len(core), 0.0)
    worth = slow_worth(retrieved, core, accepted, len(core)) - PRICE * sheet.n_in_string
    return not retrieved, round(missing, 9), too_many, round(-worth, 9)


def searched(scene, budget=None, *, start=None, **how):
    n, known, core, accepted = scene
    look_up, stakes = looked_up(n, known), stakes_on(n, core, accepted)
    sheet = Sheet(aside=keywords_of(known)) if start is None else start
    return best_sheet(sheet, look_up, stakes, budget=budget or WriterBudget(), **how), look_up, stakes


@pytest.mark.parametrize("seed", range(12))
def test_no_string_of_five_keywords_is_better_than_the_one_that_is_found(seed):
    scene = sets_by_chance(seed, 5)
    found, look_up, stakes = searched(scene)
    usable = [k for k in keywords_of(scene[1]) if supported(stakes, look_up(k)[None])[0]]
    assert slow_rank(found.sheet, scene, WriterBudget()) == min(
        slow_rank(s, scene, WriterBudget()) for s in every_sheet(usable)
    )


@settings(max_examples=60, deadline=None)
@given(sets(), budgets)
def test_no_string_of_a_few_keywords_is_better_than_the_one_that_is_found(scene, budget):
    found, look_up, stakes = searched(scene, budget)
    usable = [k for k in keywords_of(scene[1]) if supported(stakes, look_up(k)[None])[0]]
    if usable:
        best = min(slow_rank(sheet, scene, budget) for sheet in every_sheet(usable))
        assert slow_rank(found.sheet, scene, budget) == best


@settings(max_examples=60, deadline=None)
@given(sets(most_keywords=8), budgets, st.data())
def test_every_keyword_stays_somewhere_and_what_is_excluded_stays_out(scene, budget, data):
    words = list(keywords_of(scene[1]))
    lists = {name: [] for name in LISTS}
    for word in words:
        lists[data.draw(st.sampled_from(LISTS))].append(word)
    start = Sheet(
        **{name: tuple(found) for name, found in lists.items()}, joined=data.draw(st.sampled_from(("OR", "AND")))
    )
    found, look_up, stakes = searched(scene, budget, start=start)
    assert sorted(k.text for name in LISTS for k in found.sheet.of(name)) == sorted(k.text for k in words)
    assert found.sheet.excluded == start.excluded
    retrieved = found_rows(look_up, found.sheet)
    assert retrieved == slow_retrieved(found.sheet, scene[1])
    assert found.keeps_recall == (stakes.recall(look_up.retrieved(found.sheet)) >= budget.min_recall - 1e-12)
    assert found.keeps_size == (budget.most_publications is None or len(retrieved) <= budget.most_publications)


@settings(max_examples=20, deadline=None)
@given(sets(most_keywords=6), st.randoms(use_true_random=False))
def test_the_order_of_keywords_does_not_change_what_a_string_is_worth(scene, random):
    words = list(keywords_of(scene[1]))
    random.shuffle(words)
    one, other = searched(scene)[0], searched(scene, start=Sheet(aside=tuple(words)))[0]
    assert slow_rank(one.sheet, scene, WriterBudget()) == slow_rank(other.sheet, scene, WriterBudget())


def test_general_keywords_are_anded_where_that_is_better():
    """Neither half of a pair is precise, both together are."""
    near, core = set(range(20)), set(range(6))
    scene = (60, {"heat": near | set(range(20, 40)), "tree": near | set(range(40, 60))}, core, near)
    found, look_up, _ = searched(scene)
    assert found_rows(look_up, found.sheet) == near
    assert {len(found.sheet.general), len(found.sheet.overarching)} == {1}


def test_a_keyword_with_one_core_publication_and_nothing_else_is_not_used():
    core, near = set(range(6)), set(range(20))
    scene = (60, {"fluke": {5}, "tree": set(range(5)) | set(range(8, 20))}, core, near)
    found, *_ = searched(scene, WriterBudget(min_recall=1.0))
    assert [k.text for k in found.sheet.specific] == ["tree"]
    assert found.sheet.list_of("fluke") == "aside"
    assert not found.keeps_recall


def test_of_two_words_that_match_the_same_the_topics_own_stands_alone():
    near = set(range(20))
    scene = (60, {"beneath": near, "canopy": near}, set(range(6)), near)
    found, *_ = searched(scene, brief=Brief("Canopies of towns"))
    assert [k.text for k in found.sheet.specific] == ["canopy"]


def test_without_anything_to_score_by_the_sheet_stays_as_it_is():
    look_up, stakes = looked_up(10, {"tree": {1, 2}}), stakes_on(10, (), (), n_core=3)
    sheet = Sheet(general=(Keyword("tree"),))
    found = best_sheet(sheet, look_up, stakes, budget=WriterBudget())
    assert found.sheet == sheet
    assert found.n_tried == 0


def test_without_a_region_the_core_publications_stand_in_for_it():
    found, *_ = searched((30, {"tree": {1, 2, 3}, "days": set(range(30))}, {1, 2, 3}, ()))
    assert [k.text for k in found.sheet.specific] == ["tree"]


def test_what_is_excluded_may_leave_nothing():
    scene = (10, {"tree": {1, 2, 3}, "all": set(range(10))}, {1, 2, 3}, {1, 2, 3, 4})
    sheet = Sheet(specific=(Keyword("tree"),), excluded=(Keyword("all"),))
    found, look_up, _ = searched(scene, WriterBudget(min_recall=0.5), start=sheet)
    assert found.sheet.excluded == sheet.excluded
    assert not found.keeps_recall
    assert count(look_up.retrieved(found.sheet)) == 0


def test_an_empty_sheet_stays_empty():
    found, *_ = searched((10, {}, {1, 2}, {1, 2, 3}))
    assert found.sheet == Sheet()
    assert not found.n_tried


def test_whoever_watches_can_stop_it():
    told: list[int] = []

    def stop(n_tried):
        told.append(n_tried)
        if len(told) == 2:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        searched(sets_by_chance(0, 8), on_step=stop)
    assert 0 < told[0] < told[1]
