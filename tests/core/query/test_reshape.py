"""Slimming down and widening against trying every wording, and what they promise about limits and halves."""

from __future__ import annotations

from itertools import chain, combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InputError
from core.query.match import count, match, rows_of
from core.query.suggestions import Limits, halves, slim_down, switches, widen
from core.query.tree import Group
from tests.core.query_scenes import (
    all_of_these,
    asked_about,
    none_of_these,
    one_of_these,
    scenes,
    stakes_of,
    term,
    weighed,
)


def again(asked, reshaped):
    """What the wording retrieves, matched from the start."""
    root = asked.matched.nodes[0]
    off = {*asked.matched.off, *reshaped.left_out}
    bits = match(root, asked.corpus, "literal", off).root
    return set() if bits is None else set(rows_of(bits).tolist())


@settings(max_examples=80, deadline=None)
@given(scenes(), st.floats(0, 1), st.none() | st.integers(0, 12), st.integers(0, 5))
def test_slimming_down_keeps_the_limits_and_never_scores_less_on_its_own_half(scene, min_recall, most, seed):
    _, matched, _, stakes = scene
    asked = weighed(*scene)
    found = slim_down(asked, Limits(min_recall, most), seed=seed)
    own = found.searched_with
    assert own.after.recall >= min(min_recall, own.before.recall) - 1e-12
    if most is None or found.n_before <= most:
        assert most is None or found.n_after <= most
        if own.before.recall >= min_recall and own.before.f_beta is not None:
            assert own.after.f_beta >= own.before.f_beta - 1e-12
    assert found.added == ()
    retrieved = again(asked, found)
    assert found.n_after == len(retrieved)
    assert found.n_before == (0 if matched.root is None else count(matched.root))
    assert found.everything.after.recall == len(retrieved & set(rows_of(stakes.core).tolist())) / stakes.n_core
    parts = [matched.nodes[matched.parents[i]] for i in found.left_out]
    assert all(isinstance(part, Group) and part.operator == "OR" for part in parts)


TITLES = ["a x", "b x", "c x", "d x", "a b x", "c d x", "e x", "e f x", "f", "g x", "h", "h x"]


def subsets(things):
    return chain.from_iterable(combinations(things, n) for n in range(len(things) + 1))


@settings(max_examples=40, deadline=None)
@given(st.sets(st.integers(0, 11), min_size=1), st.sets(st.integers(0, 11)), st.integers(0, 3))
def test_of_a_small_query_the_best_wording_is_found(core, accepted, seed):
    asked = asked_about(
        all_of_these(one_of_these("a", "b", "c", "d", "e"), "x"), TITLES, core, accepted=accepted | core, limit=30
    )
    own, _ = halves(asked.stakes, 12, seed)
    root = asked.matched.nodes[0]
    switchable = (2, 3, 4, 5, 6)
    scores = [
        own.f_beta(match(root, asked.corpus, "literal", set(off)).root)
        for off in subsets(switchable)
        if len(off) < len(switchable)
    ]
    best = max((score for score in scores if score is not None), default=None)
    assert slim_down(asked, Limits(), seed=seed).searched_with.after.f_beta == pytest.approx(best, abs=1e-9)


def test_what_changes_nothing_is_left_out_but_never_a_whole_block():
    root = all_of_these(
        one_of_these("a", "a*", "zzz"), one_of_these("x", "x*"), none_of_these(one_of_these("h", "zzz"))
    )
    asked = asked_about(root, TITLES, {0, 4})
    found = slim_down(asked, Limits(min_recall=1.0))
    assert found.n_before == found.n_after == 2
    assert len(found.left_out) == 3
    assert {asked.matched.parents[i] for i in found.left_out} == {1, 5}
    assert slim_down(asked_about(all_of_these("a", "x"), TITLES, {0}), Limits()).changes_nothing


def test_widening_takes_what_pays_and_says_where_it_goes():
    asked = asked_about(
        all_of_these(one_of_these("a", "b"), "x"), TITLES, {0, 1, 2, 3, 5}, accepted=range(6), limit=1000
    )
    offers = {1: (term("c"), term("d"), term("e"), term("author", "author"))}
    found = widen(asked, offers, Limits(min_recall=1.0), may_leave_out=False)
    assert found.left_out == ()
    assert [(number, t.pieces) for number, t in found.added] == [(1, ("c",)), (1, ("d",))]
    assert (found.n_before, found.everything.before.recall) == (3, 0.4)
    assert (found.n_after, found.everything.after.recall) == (6, 1)
    assert found.held_out.after.f_beta < found.held_out.before.f_beta == pytest.approx(1, abs=1e-3)


def test_a_ceiling_holds_when_widening():
    asked = asked_about(all_of_these(one_of_these("a", "b"), "x"), TITLES, {0, 1, 2, 3, 5}, accepted=range(6))
    assert widen(asked, {1: (term("c"), term("d"))}, Limits(most_retrieved=4), may_leave_out=False).n_after <= 4


def test_terms_can_only_be_added_to_an_or():
    asked = asked_about(all_of_these(one_of_these("a", "b"), "x"), TITLES, {0})
    for number in (0, 2, 99):
        with pytest.raises(InputError, match=f"node {number} is none"):
            widen(asked, {number: (term("c"),)}, Limits())


def test_what_is_off_stays_off():
    asked = asked_about(all_of_these(one_of_these("a", "b", "c"), "x"), TITLES, {0, 1, 2}, off={4}, accepted=range(3))
    found = widen(asked, {1: (term("e"),)}, Limits())
    assert 4 not in found.left_out
    assert found.n_before == 3


@given(st.sets(st.integers(0, 49)), st.integers(1, 5), st.integers(0, 9))
def test_the_halves_share_no_core_publication_and_lose_none(core, n_outside, seed):
    stakes = stakes_of(50, core, n_core=len(core) + n_outside)
    one, other = halves(stakes, 50, seed)
    if other is None:
        assert (one.n_core, stakes.n_core) == (1, 1)
        return
    assert one.n_core + other.n_core == stakes.n_core
    assert one.n_core - other.n_core in (0, 1)
    assert not (one.core & other.core).any()
    assert ((one.core | other.core) == stakes.core).all()
    again_one, _ = halves(stakes, 50, seed)
    assert (again_one.core == one.core).all()


def test_over_fitting_shows_in_the_held_out_half():
    titles = [f"w{i} x" for i in range(40)]
    asked = asked_about(all_of_these(one_of_these(*(f"w{i}" for i in range(40))), "x"), titles, range(20))
    found = slim_down(asked, Limits(), seed=1)
    assert found.searched_with.after.f_beta >= found.searched_with.before.f_beta
    assert found.searched_with.after.recall == 1
    assert found.held_out.before.recall == 1
    assert (found.searched_with.n_core, found.held_out.n_core) == (10, 10)


def test_the_same_question_gets_the_same_answer():
    asked = asked_about(
        all_of_these(one_of_these("a", "b", "c", "d", "e", "h"), "x"), TITLES, {0, 3, 5}, accepted=range(5)
    )
    one, other = (slim_down(asked, Limits(0.5), seed=3) for _ in range(2))
    assert (one.left_out, one.n_tried, one.everything) == (other.left_out, other.n_tried, other.everything)


@given(scenes(), st.data())
def test_any_wording_is_matched_as_if_from_the_start(scene, data):
    _, matched, corpus, _ = scene
    asked = weighed(*scene)
    board = switches(asked, {})
    off = data.draw(st.sets(st.sampled_from(sorted(board.group_of)))) if board.group_of else set()
    wording = board.start | sum(1 << i for i in off)
    here, again = board.matched(wording), match(matched.nodes[0], corpus, "literal", off)
    assert here.off == again.off
    for one, other in zip(here.sets, again.sets, strict=True):
        assert (one is None) == (other is None)
        assert one is None or (one == other).all()
    for wider, bits in board.one_switch_away(wording, may_leave_out=True):
        assert (bits == board.retrieved(wider)).all()
