"""A walk reaches what going from entity to entity by hand reaches."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InputError
from core.knowledge.templates import MOST_STEPS
from data.knowledge.base import KnowledgeBase
from data.knowledge.templates import (
    Walk,
    WalkStep,
    can_walk,
    moves_from,
    moves_to,
    neighbour_groups,
    reached,
    template_of_walk,
)
from tests.data.knowledge_bases import base_of, parts_of
from tests.messages import refusal

PAPERS = {f"p{n}": ("paper", f"Paper {n}") for n in range(6)}
AUTHORS = {f"a{n}": ("author", f"Author {n}") for n in range(4)}
ENTITIES = PAPERS | AUTHORS | {"uni": ("institution", "University"), "lone": ("colour", "Red")}
WRITES = [("a0", "p0"), ("a0", "p1"), ("a1", "p1"), ("a1", "p2"), ("a2", "p3"), ("a3", "p4")]
CITES = [("p0", "p1"), ("p1", "p2"), ("p2", "p0"), ("p3", "p3"), ("p5", "p0")]
RELATIONS = [
    *((a, "writes", p) for a, p in WRITES),
    *((a, "cites", b) for a, b in CITES),
    ("a0", "at", "uni"),
    ("a1", "at", "uni"),
]
TO_PAPERS = WalkStep("writes", "forward", "paper")
TO_AUTHORS = WalkStep("writes", "back", "author")
CITED = WalkStep("cites", "forward", "paper")
CITING = WalkStep("cites", "back", "paper")
PAIRS = {TO_PAPERS: WRITES, TO_AUTHORS: [(b, a) for a, b in WRITES], CITED: CITES, CITING: [(b, a) for a, b in CITES]}


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    return base_of(tmp_path_factory.mktemp("walks"), parts_of(ENTITIES, RELATIONS, answer_types=("paper",)))


def rows(base: KnowledgeBase, *ids: str) -> tuple[int, ...]:
    return tuple(base.entity(entity_id).row for entity_id in ids)


def ids(base: KnowledgeBase, walk: Walk) -> set[str]:
    return {entity.entity_id for entity in base.entities(reached(base, walk))}


def test_from_an_author_to_coauthors_and_their_papers(base: KnowledgeBase) -> None:
    walk = Walk(rows(base, "a0"), (TO_PAPERS,))
    assert ids(base, walk) == {"p0", "p1"}
    assert ids(base, walk.then(TO_AUTHORS)) == {"a1"}
    assert ids(base, walk.then(TO_AUTHORS).then(TO_PAPERS)) == {"p0", "p1", "p2"}
    assert walk.then(TO_AUTHORS).first(1) == walk


def test_a_walk_from_several_starts_from_any_of_them(base: KnowledgeBase) -> None:
    assert ids(base, Walk(rows(base, "a2", "a3"), (TO_PAPERS,))) == {"p3", "p4"}


@settings(deadline=None, max_examples=25)
@given(
    start=st.sets(st.sampled_from(sorted(PAPERS)), min_size=1, max_size=3),
    choices=st.lists(st.booleans(), min_size=1, max_size=MOST_STEPS),
)
def test_a_walk_is_its_steps_one_after_the_other(base: KnowledgeBase, start: set[str], choices: list[bool]) -> None:
    walk, at = Walk(rows(base, *sorted(start))), set(start)
    for choice in choices:
        move = (CITED if choice else TO_AUTHORS) if not walk.moves or walk.moves[-1] != TO_AUTHORS else TO_PAPERS
        walk = walk.then(move)
        at = {there for here, there in PAIRS[move] if here in at}
    assert ids(base, walk) == at - start


def test_steps_are_those_that_the_base_has(base: KnowledgeBase) -> None:
    assert moves_from(base, "paper") == (TO_AUTHORS, CITED, CITING)
    assert moves_from(base, "colour") == ()
    assert can_walk(base, "author", (TO_PAPERS, CITED))
    assert not can_walk(base, "author", (CITED,))
    assert not can_walk(base, "author", (WalkStep("no such", "forward", "paper"),))
    assert can_walk(base, "paper", (CITED,) * MOST_STEPS)
    assert not can_walk(base, "paper", (CITED,) * (MOST_STEPS + 1))


def test_what_is_given_both_ways_is_one_step(tmp_path: Path) -> None:
    entities = {"g1": ("gene", "G1"), "g2": ("gene", "G2"), "d1": ("disease", "D1"), "d2": ("disease", "D2")}
    linked = [("g1", "d1"), ("g1", "d2"), ("g2", "d1")]
    paired = [("g1", "g2"), ("g2", "g1")]
    relations = [(a, "linked", b) for pair in linked for a, b in (pair, pair[::-1])]
    relations += [*((a, "pairs", b) for a, b in paired), ("g1", "cites", "g2"), ("g2", "cites", "g2")]
    double = base_of(tmp_path, parts_of(entities, relations))
    linking, pairing = WalkStep("linked", "either", "disease"), WalkStep("pairs", "forward", "gene")
    assert moves_from(double, "gene")[0] == linking
    assert {move.direction for move in moves_from(double, "gene") if move.relation == "pairs"} == {"forward", "back"}
    (g1,) = rows(double, "g1")
    assert ids(double, Walk((g1,), (linking,))) == {"d1", "d2"}
    assert ids(double, Walk((g1,), (pairing,))) == {"g2"}
    groups = {(group.relation, group.direction): group.n for group in neighbour_groups(double, g1)}
    assert groups == {("linked", "either"): 2, ("pairs", "either"): 1, ("cites", "forward"): 1}
    (g2,) = rows(double, "g2")
    groups = {(group.relation, group.direction): group.n for group in neighbour_groups(double, g2)}
    assert groups == {
        ("linked", "either"): 1,
        ("pairs", "either"): 1,
        ("cites", "forward"): 1,
        ("cites", "back"): 2,
    }


def test_the_shortest_way_to_a_type(base: KnowledgeBase) -> None:
    at = WalkStep("at", "back", "author")
    assert moves_to(base, "institution", ["paper"]) == (at, TO_PAPERS)
    assert moves_to(base, "institution", ["paper"], most=1) is None
    assert moves_to(base, "colour", ["paper"]) is None
    assert moves_to(base, "paper", ["paper"]) == (CITED,)


def test_walks_without_start_or_end_are_refused(base: KnowledgeBase) -> None:
    with refusal(InputError):
        Walk(())
    with refusal(InputError):
        Walk((0,), (CITED,) * 7)
    with refusal(InputError):
        reached(base, Walk((0,)))
    made = template_of_walk((TO_PAPERS,), "author", template_id="mine", question="by {who}?", slot="who")
    assert (made.slots, made.answer_type) == ({"who": "author"}, "paper")
    assert np.array_equal(base.answers(made, {"who": rows(base, "a0")}), rows(base, "p0", "p1"))
