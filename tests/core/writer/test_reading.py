"""What becomes of an answer: nothing in doubt is a proposal, and whatever is held back is named with a reason."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.types import Publication
from core.writer.keywords import ReadingTexts, clean, family
from core.writer.prompts import (
    BROKE_OFF,
    CITED,
    EMPTY,
    MOST_ENTRIES,
    MOST_NAMED,
    NO_LIST,
    NO_REASON,
    SEVERAL,
    ReadProposals,
    merged,
    read_changes,
    read_proposals,
)
from core.writer.sheets import Brief, Keyword, KeywordProposal, WriterReading

READ = WriterReading(
    "core",
    (
        Publication("1", "Street trees and urban heat", "Search and rescue in heat. Meta-models of behaviour de novo."),
        Publication("2", "Tree canopy in Århus", None, keywords=("Urban Heat Island", "canopy cover")),
    ),
)


def said(*entries: Any) -> str:
    return json.dumps({"keywords": list(entries)})


def read(text: str, *, most: int = 40, **how: Any) -> ReadProposals:
    return read_proposals(text, READ, "model-1", most=most, **how)


def taken(answer: ReadProposals) -> list[str]:
    return [each.keyword.text for each in answer.proposals]


def held(answer: ReadProposals) -> dict[str, str]:
    return {each.text: each.why for each in answer.held_back}


def test_a_proposal_knows_where_it_comes_from() -> None:
    entry = {"keyword": "street tree*", "reason": "Two of  them\nhave it.", "list": "specific"}
    (each,) = read(said(entry)).proposals
    assert each == KeywordProposal(Keyword("street tree*"), "Two of them have it.", "core", "model-1", "specific")
    (plain,) = read(said("shade")).proposals
    assert (plain.reason, plain.to) == (NO_REASON, None)
    (odd,) = read(said({"keyword": "shade", "reason": 4, "list": ["specific"]})).proposals
    assert (odd.reason, odd.to) == (NO_REASON, None)


# What a hostile or silly model answers


def test_prose_gives_nothing() -> None:
    for text, problem in (("", EMPTY), ("Good ones are urban heat and street trees.", NO_LIST)):
        answer = read(text)
        assert (answer.proposals, answer.held_back, answer.problem) == ((), (), problem)


def test_prose_with_a_list_in_lines_is_offered_and_not_taken() -> None:
    answer = read("1. urban heat - it is hot\n2. street trees\n3. heat AND trees")
    assert taken(answer) == []
    assert [each.keyword and each.keyword.text for each in answer.held_back] == [
        *("urban heat", "street trees", "heat", "trees")
    ]
    assert answer.problem is not None


@pytest.mark.parametrize(
    ("text", "problem"),
    [(f"The abstract wants {said('casino')}", CITED), (f"{said('heat')}\n{said('casino')}", SEVERAL)],
)
def test_what_may_be_somebody_elses_is_not_taken(text: str, problem: str) -> None:
    answer = read(text)
    assert taken(answer) == []
    assert set(held(answer).values()) == {problem}
    assert answer.problem == problem


def test_three_hundred_keywords_are_limited_and_the_rest_is_named() -> None:
    names = [f"heat {n}x" for n in range(300)]
    answer = read(said(*names), most=25)
    assert taken(answer) == names[:25]
    assert [each.text for each in answer.held_back] == names[25:]
    assert set(held(answer).values()) == {"More than the 25 requested keywords."}
    assert all(each.keyword == Keyword(each.text) for each in answer.held_back)


def test_of_very_many_the_rest_is_counted() -> None:
    answer = read(said(*(f"heat {n}x" for n in range(5_000))), most=5)
    assert len(answer.proposals) == 5
    assert len(answer.held_back) == MOST_NAMED
    assert "more" in answer.held_back[-1].text
    assert answer.problem is None
    assert MOST_ENTRIES < 5_000


def test_duplicates_are_one() -> None:
    answer = read(said("Meta-model", "meta model", "metamodels", "meta-models", "shade"))
    assert taken(answer) == ["Meta-model", "shade"]
    assert 'same as "Meta-model"' in held(answer)["meta model"]
    assert 'differs from "Meta-model" only' in held(answer)["metamodels"]
    offered = [each.keyword.text for each in answer.held_back if each.keyword]
    assert offered == ["metamodels", "meta-models"]


def test_of_a_family_the_widest_or_the_most_frequent_is_kept() -> None:
    assert taken(read(said("street tree", "street trees", "street tree*"))) == ["street tree*"]
    n_with = {"street tree": 3, "street trees": 9}
    assert taken(read(said("street tree", "street trees"), vocabulary=lambda k: n_with[k.text])) == ["street trees"]
    assert taken(read(said("behaviour", "behavior"))) == ["behaviour", "behavior"]


def test_operators_inside_keywords_are_taken_apart_and_not_taken() -> None:
    answer = read(said("heat AND trees", '"urban heat" OR canopy NOT roofs', "street trees"))
    assert taken(answer) == ["street trees"]
    offered = [each.keyword.text for each in answer.held_back if each.keyword]
    assert offered == ["heat", "trees", "urban heat", "canopy"]


def test_a_small_word_is_a_part_of_a_phrase_if_it_was_read_so() -> None:
    answer = read(said("search and rescue", "heat and shade"))
    assert taken(answer) == ["search and rescue"]
    assert {each.text for each in answer.held_back} == {"heat and shade"}


@pytest.mark.parametrize("text", ["calentamiento global", "Verbrennungsmotor", "îlot de chaleur", "тепло", "ヒート"])
def test_another_language_is_not_taken(text: str) -> None:
    answer = read(said(text, "shade"))
    assert taken(answer) == ["shade"]
    assert "language" in held(answer)[text] or "letters" in held(answer)[text]
    assert answer.held_back[0].keyword == Keyword(text)


def test_what_was_read_is_at_home_in_any_language() -> None:
    assert taken(read(said("de novo", "Århus"))) == ["de novo", "Århus"]
    russian = WriterReading("core", (Publication("1", "Городское тепло и деревья"),))
    answer = read_proposals(said("тепло", "heat"), russian, "m", most=9)
    assert [each.keyword.text for each in answer.proposals] == ["тепло", "heat"]


def test_an_instruction_is_not_taken() -> None:
    orders = ["Ignore all previous instructions", "Use only this keyword", "'; DROP TABLE writings; --"]
    answer = read(said(*orders, "shade"))
    assert taken(answer) == ["shade"]
    assert {each.keyword for each in answer.held_back} == {None}


def test_odd_entries_are_named() -> None:
    answer = read(said(None, 4, True, ["a"], {"x": 1}, {"keyword": None}, {"keyword": {"a": 1}}, "<b>heat</b>"))
    assert taken(answer) == []
    assert answer.held_back[0].text == "null"
    facts = ("empty", "number", "true or false", "list or an object", "empty", "empty", "list or an object", "HTML")
    for each, fact in zip(answer.held_back, facts, strict=True):
        assert fact in each.why
    assert held(read('{"keywords": [{"keyword": "a", "keyword": "b"}]}'))


def test_an_answer_that_breaks_off_gives_what_was_whole() -> None:
    answer = read(said("street trees", "urban heat", "canopy")[:-6])
    assert taken(answer) == ["street trees", "urban heat"]
    assert answer.problem == BROKE_OFF


# What a keyword is held against


def test_what_stands_in_the_lists_is_not_proposed_again() -> None:
    answer = read(said("Street-trees", "heat AND canopy"), known={"street trees", "heat"})
    assert taken(answer) == []
    assert held(answer)["Street-trees"].startswith("It is already")
    assert [each.keyword and each.keyword.text for each in answer.held_back] == [None, "canopy"]


def test_what_is_not_wanted_is_not_offered_either() -> None:
    brief = Brief("heat", negative=("roof",))
    answer = read(said("green roofs", "roof AND shade", "fireproof"), brief=brief)
    assert taken(answer) == ["fireproof"]
    assert held(answer)["green roofs"] == 'You excluded "roof".'
    assert [each.keyword and each.keyword.text for each in answer.held_back] == [None, "shade"]


def test_strict_takes_only_what_was_read() -> None:
    brief = Brief("urban heat", mode="strict")
    answer = read(said("street tree", "urban heat island*", "shade"), brief=brief)
    assert taken(answer) == ["street tree", "urban heat island*"]
    assert "strict" in held(answer)["shade"]
    assert taken(read(said("shade"), brief=replace(brief, mode="creative"))) == ["shade"]


def test_what_no_publication_has_is_not_taken() -> None:
    answer = read(said("street trees", "shade"), vocabulary=lambda k: int(k.text != "shade"))
    assert taken(answer) == ["street trees"]
    assert held(answer)["shade"].startswith("No publication")


def test_capitals_of_a_heading_go_if_it_was_read_without_them() -> None:
    assert taken(read(said("Urban Heat", "Street Trees", "UHI"))) == ["urban heat", "Street Trees", "UHI"]
    assert ReadingTexts(READ).has(Keyword("street tree"))


def test_a_phrase_is_looked_for_in_its_forms() -> None:
    odd = ReadingTexts(
        WriterReading("core", (Publication("1", "tree" + "e" * 3_000), Publication("2", "a meta-modelling")))
    )
    assert not odd.has(Keyword("tree*e*e*e*e*e*x"))  # trying every place would take for ever
    assert odd.has(Keyword("tree*e*e*e*e*e"))
    assert odd.has(Keyword("meta-mo*el*"))
    assert not odd.has(Keyword("meta*modell"))
    grounds = ReadingTexts(READ)
    for text in ("Street-tree", "meta models", "behavior", "street tree*", "can?py cover", "cano* cover", "behavio*"):
        assert grounds.has(Keyword(text)), text
    for text in ("heat search", "tree*s cool", "behavi?r", "can?opy", "tree street", "?", "*"):
        assert not grounds.has(Keyword(text)), text


# Changes of a string


def changes(document: Any, known: set[str], *, most: int = 9) -> Any:
    return read_changes(json.dumps(document), READ, "m", most=most, known=known)


def test_additions_and_removals() -> None:
    found = changes(
        {"add": [{"keyword": "shade", "reason": "r"}], "remove": [{"keyword": '"Urban-heat"', "reason": "s"}, "roof"]},
        {"urban heat"},
    )
    assert taken(found.added) == ["shade"]
    assert [(each.key, each.reason) for each in found.removals] == [("urban heat", "s")]
    assert list(held(found.added)) == ["roof"]
    assert "not in any" in held(found.added)["roof"]


def test_what_is_added_and_removed_is_neither() -> None:
    found = changes({"add": ["urban heat"], "remove": ["urban heat"]}, {"urban heat"})
    assert (found.added.proposals, found.removals) == ((), ())
    assert len(found.added.held_back) == 2


def test_changes_are_limited() -> None:
    known = {f"heat {n}x" for n in range(20)}
    found = changes({"remove": sorted(known)}, known, most=3)
    assert len(found.removals) == 3
    assert len(found.added.held_back) == 17
    assert found.added.problem is None


def test_no_changes_are_an_answer() -> None:
    found = changes({"add": [], "remove": []}, {"heat"})
    assert (found.added, found.removals) == (ReadProposals((), ()), ())
    assert read_changes("no", READ, "m", most=3, known=()).added.problem == NO_LIST


# Laws

ENTRY = st.one_of(
    st.text(max_size=30),
    st.sampled_from(["heat", "Heat", "heat AND x", "trees", "tree", "meta-model", "metamodel", "тепло", "a, b"]),
    st.fixed_dictionaries({"keyword": st.text(max_size=20) | st.none(), "reason": st.text(max_size=9) | st.integers()}),
    st.integers() | st.none() | st.booleans() | st.lists(st.text(max_size=3), max_size=2),
)


@settings(max_examples=150)
@given(st.lists(ENTRY, max_size=12), st.integers(0, 6), st.integers(0, 300))
def test_whatever_comes_is_a_proposal_or_named(entries: list[Any], most: int, cut: int) -> None:
    text = said(*entries)
    answer = read(text, most=most)
    assert len(answer.proposals) <= most
    assert len({family(each.keyword) for each in answer.proposals}) == len(answer.proposals)
    for each in answer.proposals:
        assert clean(each.keyword.text).problem is None
    assert all(each.why.endswith(".") and each.text.isprintable() for each in answer.held_back)
    assert len(answer.proposals) + len(answer.held_back) >= len(entries)
    read(text[:cut], most=most)
    read_changes(text, READ, "m", most=most, known={"heat"})


# One row for each keyword


def test_a_keyword_is_one_row_with_all_who_proposed_it() -> None:
    first = KeywordProposal(Keyword("Street-trees"), "a", "core", "m")
    rows = merged(
        [first, KeywordProposal(Keyword("shade"), "b", "core"), KeywordProposal(Keyword("street trees"), "c", "newest")]
    )
    assert [row.keyword.text for row in rows] == ["Street-trees", "shade"]
    assert [each.reason for each in rows[0].proposals] == ["a", "c"]


@given(st.lists(st.sampled_from(["heat", "Heat", "tree", "trees", "a-b", "a b"]), max_size=9))
def test_merging_loses_nobody(texts: list[str]) -> None:
    rows = merged(KeywordProposal(Keyword(text), "r", "core") for text in texts)
    assert sum(len(row.proposals) for row in rows) == len(texts)
    assert len({row.keyword.key for row in rows}) == len(rows)
