"""From a sheet to a string, in every dialect, and the topic's name alone."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InputError
from core.query.equivalence import same
from core.query.parser import parse
from core.query.tree import ANY_ENDING, DialectId, Gap
from core.text import STOP_WORDS, words
from core.writer.sheets import (
    LISTS,
    OPERATORS,
    Keyword,
    Sheet,
    baseline_sheet,
    term_of,
    text_of,
    topic_keyword,
    tree_of,
)
from tests.core.writer.writer_sheets import sheets
from tests.messages import refusal

SHEET = Sheet(
    specific=(Keyword("urban forest"), Keyword("street tree*", phrase=False)),
    general=(Keyword("shade"), Keyword("wom?n", fields=("title",))),
    overarching=(Keyword("heat"), Keyword("heat wave")),
    excluded=(Keyword("orchard"),),
    aside=(Keyword("park"),),
)


def test_a_string_has_its_lists_in_their_places():
    text = '("urban forest" OR street tree* OR ((shade OR title:wom?n) AND (heat OR "heat wave"))) NOT orchard'
    assert text_of(SHEET).text == text
    both = text_of(replace(SHEET, joined="AND")).text
    assert both == text.replace('heat OR "heat wave"', 'heat AND "heat wave"')
    assert text_of(replace(SHEET, excluded=())).text == text[1:].removesuffix(") NOT orchard")


def test_general_keywords_wait_and_nothing_wanted_makes_no_string():
    assert text_of(replace(SHEET, overarching=())).text == '("urban forest" OR street tree*) NOT orchard'
    for empty in (
        Sheet(),
        Sheet(general=SHEET.general),
        Sheet(overarching=SHEET.overarching),
        Sheet(aside=SHEET.aside),
    ):
        assert (tree_of(empty), text_of(empty).text, text_of(empty).losses) == (None, "", ())
        assert tree_of(replace(empty, excluded=SHEET.excluded)) is None


@given(sheets(), st.sampled_from(get_args(DialectId)))
@settings(max_examples=40)
def test_a_string_is_read_as_what_the_sheet_asks_for(sheet, dialect):
    written, root = text_of(sheet, dialect), tree_of(sheet)
    assert written.text == text_of(sheet, dialect).text
    if root is None:
        assert written.text == ""
    elif not written.losses:
        again = parse(written.text, dialect).root
        assert again is not None
        assert same(root, again)
    if dialect == "plain":
        assert not written.losses


@pytest.mark.parametrize("dialect", get_args(DialectId))
@pytest.mark.parametrize(
    "text", ["1 pre/2 a", "near/3 l'eau x", "w/5 heat", "exp heat/ 2019", "ab: l'eau ts=", "a NOT b", "a cool?2019-b"]
)
def test_words_that_are_no_operators_stay_together(text, dialect):
    """Several words that had to be quoted one by one are one keyword, whatever stands beside them."""
    keyword = Keyword(text, phrase=False)
    for sheet in (
        Sheet(specific=(keyword, Keyword("shade"))),
        Sheet(specific=(Keyword("shade"),), excluded=(keyword,)),
        Sheet(general=(Keyword("shade"), keyword), overarching=(Keyword("heat"),)),
    ):
        written = text_of(sheet, dialect)
        again = parse(written.text, dialect).root
        assert written.losses or (again is not None and same(again, tree_of(sheet)))


@given(sheets())
@settings(max_examples=40)
def test_what_is_aside_is_not_in_the_string(sheet):
    assert text_of(replace(sheet, aside=())).text == text_of(sheet).text


@given(sheets(most=6), st.data())
@settings(max_examples=40)
def test_a_move_there_and_back_changes_nothing(sheet, data):
    named = [(name, keyword) for name in LISTS for keyword in sheet.of(name)]
    if not named:
        return
    name, keyword = data.draw(st.sampled_from(named))
    to = data.draw(st.sampled_from(LISTS))
    moved = sheet.moved(keyword.key, to)
    assert moved.list_of(keyword.key) == to
    assert moved.moved(keyword.key, name, sheet.of(name).index(keyword)) == sheet


def test_a_keyword_with_wildcards_and_fields_is_a_term():
    assert term_of(Keyword("beh?vio*")).pieces == ("beh", Gap(1, 1), "vio", ANY_ENDING)
    term = term_of(Keyword("tall tree", phrase=False, fields=("title",)))
    assert (term.quoted, term.fields, len(term.chunks)) == (False, ("title",), 2)
    assert not term_of(Keyword("meta-model")).quoted


@pytest.mark.parametrize(
    ("topic", "text"),
    [
        ("Urban heat and street trees", "Urban heat street trees"),
        ("AI on edge devices", "AI edge devices"),
        ("Meta-models of Petri nets: a review", "Meta-models Petri nets review"),
        ("Trees OR trees, and TREES", "Trees"),
        ("What is the", "What is the"),
        ("(sleep)", "sleep"),
        ("日本 語", "日本 語"),
    ],
)
def test_a_topic_s_name_is_its_telling_words(topic, text):
    keyword = topic_keyword(topic)
    assert (keyword.text, keyword.phrase) == (text, " " not in text)
    assert baseline_sheet(topic) == Sheet(specific=(keyword,))


def test_words_that_are_operators_are_only_looked_for():
    assert text_of(baseline_sheet("To be or not to be")).text == '("To" AND "be" AND "or" AND "not")'.replace(
        "To", "to"
    )
    root = parse(text_of(baseline_sheet("NOT")).text).root
    assert root is not None
    assert same(root, term_of(Keyword("not")))


@given(st.text(max_size=40))
def test_a_name_s_words_must_all_occur_and_nothing_else(topic):
    if not words(topic):
        return
    sheet = baseline_sheet(topic)
    asked, told = ({word.lower() for word in words(text)} for text in (sheet.specific[0].text, topic))
    assert asked
    assert asked <= told
    assert told - asked <= STOP_WORDS | OPERATORS
    root = tree_of(sheet)
    assert root is not None
    again = parse(text_of(sheet).text, "plain").root
    assert again is not None
    assert same(root, again)


def test_no_keyword_stands_twice():
    with refusal(InputError):
        Sheet(specific=(Keyword("heat wave"),), aside=(Keyword("Heat-Wave"),))
