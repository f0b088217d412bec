"""Contributions against matching the whole query again without the node; what fails against trying every change."""

from __future__ import annotations

from itertools import combinations
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.metrics import decay, f_beta
from core.query.contributions import NOTHING, NodeCount, NodeSets, contributions
from core.query.explanations import block_of, failing, is_inside_not, n_blocks
from core.query.match import holds, match, of_rows, rows_of
from core.query.tree import Group, Not
from tests.core.query_scenes import (
    FakeCorpus,
    all_of_these,
    none_of_these,
    one_of_these,
    scenes,
    stakes_of,
    term,
    texts_of,
    written_down,
)


def rows(bits):
    return set() if bits is None else set(rows_of(bits).tolist())


def scored_slowly(stakes, retrieved):
    """F-beta by the book, over sets of rows."""
    scorable = retrieved & rows(stakes.scorable)
    if not scorable:
        return None
    relevant = scorable & rows(stakes.accepted)
    found = len(relevant & rows(stakes.core)) / stakes.n_core
    s = stakes.settings
    price = decay(len(relevant), limit=s.decay_limit, onset=s.decay_onset, steepness=s.decay_steepness)
    return f_beta(len(relevant) / len(scorable) * price, found, beta=s.beta)


@given(scenes())
def test_a_contribution_is_what_matching_again_without_the_node_shows(scene):
    _, matched, corpus, stakes = scene
    root, core = rows(matched.root), rows(stakes.core)
    listed = contributions(matched, stakes)
    assert [c.number for c in listed] == list(range(len(matched.nodes)))
    for c in listed:
        again = match(matched.nodes[0], corpus, "literal", off={c.number})
        without, alone = rows(again.root), rows(matched.sets[c.number])
        if matched.root is None:  # the query as a whole can't be tested, so no part has a share in its results
            assert (c.flags, c.n_lost, c.n_gained) == (("not_testable",), 0, 0)
            continue
        assert (c.n_alone, c.core) == (len(alone), len(alone & core))
        assert (c.n_lost, c.n_gained) == (len(root - without), len(without - root))
        assert (c.core_unique, c.core_gained) == (len((root - without) & core), len((without - root) & core))
        before, after = scored_slowly(stakes, root), scored_slowly(stakes, without)
        if matched.contexts[c.number] is None:
            assert c.flags == ("not_testable",)
        elif before is None or after is None:
            assert c.f_beta_change_if_removed is None
        else:
            assert c.f_beta_change_if_removed == pytest.approx(after - before, abs=1e-12)
            assert ("harmful" in c.flags) == (after - before > NOTHING)
        lost = (root - without) & rows(stakes.scorable)
        share = len(lost & rows(stakes.accepted)) / len(lost) if lost else None
        assert c.semantic_precision_unique == share


@given(scenes(), st.booleans())
def test_every_count_of_a_node_leads_to_as_many_publications(scene, is_stored):
    _, matched, _, stakes = scene
    stored = of_rows(range(0, matched.n, 2), matched.n) if is_stored else None
    sets = NodeSets.of(matched, stored)
    for c in contributions(matched, stakes, stored):
        for name in get_args(NodeCount):
            assert len(rows(sets.counted(name, stakes.core)[c.number])) == getattr(c, name)


@given(scenes())
def test_in_context_is_the_part_of_the_retrieved_set_that_a_node_matches(scene):
    _, matched, _, stakes = scene
    root, core = rows(matched.root), rows(stakes.core)
    for c in contributions(matched, stakes):
        if matched.contexts[c.number] is None or isinstance(matched.nodes[c.number], Not):
            continue
        if not is_inside_not(matched, c.number):
            there = rows(matched.sets[c.number]) & root
            assert (c.n_in_context, c.core_in_context) == (len(there), len(there & core))
            assert c.read_per_core == (len(there) / len(there & core) if there & core else None)


@given(scenes())
def test_subsumed_means_that_the_other_parts_bring_the_same(scene):
    _, matched, _, stakes = scene
    for c in contributions(matched, stakes):
        above = matched.parents[c.number]
        in_or = above >= 0 and isinstance(matched.nodes[above], Group) and matched.nodes[above].operator == "OR"
        if matched.contexts[c.number] is None:
            continue
        own = rows(matched.sets[c.number])
        others = [i for i in matched.children[above] if i != c.number] if in_or else []
        together = set().union(*(rows(matched.sets[i]) for i in others))
        assert ("subsumed" in c.flags) == (bool(own) and in_or and own <= together)
        holders = [i for i in others if own and own <= rows(matched.sets[i])]
        assert c.by == (holders[0] if holders else None)


@given(scenes(), st.data())
def test_a_stored_list_decides_wherever_the_query_disagrees_with_it(scene, data):
    _, matched, _, stakes = scene
    held = data.draw(st.sets(st.integers(0, matched.n - 1))) if matched.n else set()
    stored = of_rows(sorted(held), matched.n)
    root = rows(matched.root) if matched.root is not None else set()
    disputed = root ^ held
    for c in contributions(matched, stakes, stored):
        context = matched.contexts[c.number]
        if context is None:
            assert c.n_lost == c.n_gained == 0
            continue
        without = set() if context.without is None else rows(context.without)
        lost, gained = root - without - disputed, without - root - disputed
        assert (c.n_lost, c.n_gained) == (len(lost), len(gained))
        core = rows(stakes.core)
        assert (c.core_unique, c.core_gained) == (len(lost & core), len(gained & core))
        after = stakes.f_beta(of_rows(sorted((held - lost) | gained), matched.n))
        before = stakes.f_beta(stored)
        if before is not None and after is not None:
            assert c.f_beta_change_if_removed == pytest.approx(after - before, abs=1e-12)
    if matched.root is not None:
        assert contributions(matched, stakes, matched.root) == contributions(matched, stakes)


TITLES = ["adapt robot", "adaptive robot", "adapt heat", "graph robot", "robot heat", "graph heat", "plan"]


def contribution_of(name, root, core=(0, 1), **options):
    corpus = FakeCorpus(texts_of(TITLES))
    text, root = written_down(root)
    matched = match(root, corpus, "literal", off=options.pop("off", ()))
    listed = contributions(matched, stakes_of(len(TITLES), core, **options))
    (found,) = [c for c in listed if c.span.of(text) == name]
    return found


def test_a_word_among_alternatives():
    root = all_of_these(one_of_these("adapt", "adapt*", "cat"), "robot")
    plain = contribution_of("adapt", root)
    assert (plain.n_alone, plain.n_in_context, plain.n_unique, plain.flags, plain.by) == (2, 1, 0, ("subsumed",), 3)
    truncated = contribution_of("adapt*", root)
    assert (truncated.n_alone, truncated.n_in_context, truncated.n_lost, truncated.core_unique) == (3, 2, 1, 1)
    assert truncated.flags == ("single_point_of_failure",)
    assert truncated.read_per_core == 1
    assert truncated.f_beta_change_if_removed < 0
    assert contribution_of("cat", root).flags == ("zero_hit",)
    robot = contribution_of("robot", root)
    assert (robot.n_lost, robot.n_gained, robot.core_gained) == (0, 1, 0)


def test_a_not_counts_what_it_keeps_out():
    root = all_of_these("robot", none_of_these(one_of_these("adapt*", "heat")))
    outer = contribution_of("NOT (adapt* OR heat)", root)
    assert (outer.n_in_context, outer.core_in_context, outer.n_lost, outer.n_gained) == (3, 2, 0, 3)
    assert (outer.flags, outer.core_gained) == (("harmful",), 2)
    inner = contribution_of("adapt*", root)
    assert (inner.n_alone, inner.n_in_context, inner.n_gained, inner.core_gained) == (3, 2, 2, 2)


def test_what_is_left_out_is_flagged_and_changes_nothing():
    root = all_of_these("robot", one_of_these(term("adapt", "author"), "heat"), "graph")
    untestable = contribution_of("adapt[author]", root)
    assert (untestable.flags, untestable.n_alone, untestable.f_beta_change_if_removed) == (("not_testable",), 0, None)
    for name in ("adapt[author] OR heat", "heat", "adapt[author]"):
        off = contribution_of(name, root, off={2})
        assert (off.flags, off.n_lost, off.n_gained) == (("off",), 0, 0)
    assert contribution_of("robot", root, off={2}).flags == ()


def test_a_query_of_which_nothing_can_be_tested_contributes_nothing():
    only = contribution_of("adapt[author]", term("adapt", "author"))
    assert (only.flags, only.n_in_context, only.f_beta_change_if_removed) == (("not_testable",), 0, None)


def flipped(matched, row, number_set):
    """Whether the query retrieves the row if the terms and NOTs in the set changed their minds."""
    true = {}
    for i in range(len(matched.nodes) - 1, -1, -1):
        node = matched.nodes[i]
        if matched.sets[i] is None:
            continue
        known = [true[c] for c in matched.children[i] if c in true]
        if isinstance(node, Group):
            true[i] = (all if node.operator == "AND" else any)(known)
        else:
            true[i] = holds(matched.sets[i], row) or i in number_set
    return true[0]


@given(scenes())
def test_no_smaller_set_of_changes_would_do(scene):
    _, matched, _, _ = scene
    if matched.root is None:
        assert failing(matched, 0).numbers == ()
        return
    units = [
        i
        for i, node in enumerate(matched.nodes)
        if not isinstance(node, Group) and matched.sets[i] is not None and not is_inside_not(matched, i)
    ]
    for row in range(matched.n):
        found = failing(matched, row)
        fewest = next(
            k for k in range(len(units) + 1) if any(flipped(matched, row, set(c)) for c in combinations(units, k))
        )
        assert found.n_changes == fewest
        assert len(found.numbers) <= fewest
        assert (found.numbers == ()) == holds(matched.root, row)
        assert not any(holds(matched.sets[i], row) for i in found.numbers)


@given(scenes())
def test_if_what_fails_matched_the_publication_would_be_retrieved(scene):
    _, matched, _, _ = scene
    for row in range(matched.n):
        true = set(failing(matched, row).numbers)
        for i in range(len(matched.nodes) - 1, -1, -1):
            bits, node = matched.sets[i], matched.nodes[i]
            if bits is None or holds(bits, row):
                true.add(i)
            elif isinstance(node, Group):
                known = [c in true for c in matched.children[i] if matched.sets[c] is not None]
                if (all if node.operator == "AND" else any)(known):
                    true.add(i)
        assert 0 in true


def failing_texts(root, row, titles=TITLES):
    text, root = written_down(root)
    matched = match(root, FakeCorpus(texts_of(titles)), "literal")
    return [matched.nodes[i].span.of(text) for i in failing(matched, row).numbers]


def test_what_fails_is_named_as_its_writer_would():
    blocks = all_of_these(one_of_these("adapt", "plan"), one_of_these("robot", "net"), none_of_these("heat"))
    assert failing_texts(blocks, 0) == []
    assert failing_texts(blocks, 1) == ["adapt OR plan"]
    assert failing_texts(blocks, 5) == ["adapt OR plan", "robot OR net", "NOT heat"]
    assert failing_texts(all_of_these("robot", none_of_these("heat")), 4) == ["NOT heat"]
    in_part = one_of_these(all_of_these("adapt", "graph"), all_of_these("plan", "net"))
    assert failing_texts(in_part, 0) == ["graph"]
    assert failing_texts(in_part, 4) == ["(adapt AND graph) OR (plan AND net)"]
    assert failing_texts(all_of_these("graph", term("heat", "author"), "adapt"), 3) == ["adapt"]


def test_blocks_are_the_parts_of_the_and_at_the_root():
    _, root = written_down(all_of_these("a", one_of_these("b", all_of_these("c", "d")), none_of_these("e")))
    matched = match(root, FakeCorpus(texts_of(["a"])), "literal")
    assert [block_of(matched, i) for i in range(len(matched.nodes))] == [None, 1, 2, 2, 2, 2, 2, 3, 3]
    assert n_blocks(matched) == 3
    alone = match(written_down(one_of_these("a", "b"))[1], FakeCorpus(texts_of(["a"])), "literal")
    assert ([block_of(alone, i) for i in range(3)], n_blocks(alone)) == ([None, None, None], 1)


@given(st.lists(st.sets(st.integers(0, 99)), min_size=1, max_size=5), st.sets(st.integers(0, 99)))
def test_many_sets_score_as_each_alone(sets, core):
    stakes = stakes_of(100, core, accepted=range(0, 100, 2), unscorable=range(90), n_core=len(core) + 1)
    stack = np.stack([stakes_of(100, s).core for s in sets])
    for score, bits, chosen in zip(stakes.f_betas(stack).tolist(), stack, sets, strict=True):
        expected = scored_slowly(stakes, chosen)
        assert stakes.f_beta(bits) == (None if np.isnan(score) else score)
        assert (expected is None) == np.isnan(score)
        assert expected is None or score == pytest.approx(expected, abs=1e-15)
