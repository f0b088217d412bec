"""Whether two trees say the same: examples, and laws of logic on random trees."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.query.equivalence import MOST_EXACT, same
from core.query.tree import TEXT_FIELDS, Gap, Group, Heading, Near, Node, Not, Operator, Range, Term
from tests.core.query_trees import nested

A, B, C = (Term((letter,)) for letter in "abc")


def operator(name: Operator, *parts: Node) -> Group:
    return Group(name, parts)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (operator("AND", A, operator("OR", B, C)), operator("OR", operator("AND", A, B), operator("AND", A, C)), True),
        (operator("AND", A, operator("OR", B, C)), operator("OR", operator("AND", A, B), C), False),
        (Not(Not(A)), A, True),
        (Term(("Heat wave",)), operator("AND", Term(("wave",)), Term(("heat",), True)), True),
        (Term(("heat wave",), True), Term(("heat-wave",)), True),
        (Term(("heat wave",), True), Term(("heat wave",)), False),
        (Term(("heat",)), Term(("heat",), False, TEXT_FIELDS), True),
        (Term(("heat",)), Term(("heat",), False, ("title",)), False),
        (Term(("heat",), False, ("title", "abstract")), Term(("heat",), False, ("abstract", "title")), True),
        (
            Term(("heat",), False, ("title", "abstract")),
            operator("OR", Term(("heat",), False, ("title",)), Term(("heat",), False, ("abstract",))),
            True,
        ),
        (Term(("heat",), exact=True), Term(("heat",)), False),
        (Term(("h", Gap(0, None), Gap(0, None))), Term(("h", Gap(0, None))), True),
        (Range(2010, 2012), operator("AND", Range(None, 2012), Range(2010, None)), True),
        (Range(2010, 2012), operator("OR", Range(2010, 2011), Range(2012, 2012)), True),
        (Range(2010, 2012), operator("OR", Range(2010, 2010), Range(2012, 2012)), False),
        (Not(Range(2010, None)), Range(None, 2009), False),  # what has no year is not before 2010 either
        (operator("AND", Range(None, 2020), Not(Range(2010, None))), Range(None, 2009), True),
        (Near((A, B), 3), Near((B, A), 3), True),
        (Near((A, B), 3, ordered=True), Near((B, A), 3, ordered=True), False),
        (Near((A, B), 3), Near((A, B), 4), False),
        (Near((operator("OR", A, B), C), 3), operator("OR", Near((A, C), 3), Near((B, C), 3)), True),
        (Near((A, B, C), 3), Near((A, B, C), 3, whole=True), False),
        (Heading("Stress", subheadings=("adverse effects",)), Heading("stress", subheadings=("ae",)), True),
        (Heading("Stress"), Heading("Stress", explode=False), False),
    ],
)
def test_same_or_not(one: Node, other: Node, expected: bool) -> None:
    assert same(one, other) is expected
    assert same(other, one) is expected


def test_one_leaf_of_many_is_noticed() -> None:
    words = tuple(Term((f"w{i}",)) for i in range(MOST_EXACT * 10))
    assert same(operator("OR", *words), operator("OR", *reversed(words)))
    assert not same(operator("OR", *words), operator("OR", *words[1:]))
    assert not same(operator("AND", *words), operator("AND", *words[1:]))
    half = len(words) // 2
    both = operator("AND", operator("OR", *words[:half]), operator("OR", *words[half:]))
    assert not same(both, operator("AND", operator("OR", *words[1:half]), operator("OR", *words[half:])))


SMALL = nested(st.sampled_from((A, B, C)), 8)


def value(node: Node, on: dict[Node, bool]) -> bool:
    """What a tree says about one row, slowly."""
    if isinstance(node, Not):
        return not value(node.part, on)
    if isinstance(node, Group):
        return (all if node.operator == "AND" else any)(value(part, on) for part in node.parts)
    return on[node]


@settings(deadline=None)
@given(SMALL, SMALL)
def test_the_table_agrees_with_every_row_looked_at_alone(one: Node, other: Node) -> None:
    rows = [dict(zip((A, B, C), row, strict=True)) for row in product((False, True), repeat=3)]
    assert same(one, other) is all(value(one, row) == value(other, row) for row in rows)


@settings(deadline=None)
@given(SMALL)
def test_a_tree_is_not_its_opposite(tree: Node) -> None:
    assert same(tree, Not(Not(tree)))
    assert not same(tree, Not(tree))
