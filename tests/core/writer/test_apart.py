"""Strings taken apart: the lists of a sheet's own string, any other string, and those that LitQEval published."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.query.equivalence import same
from core.query.parser import parse
from core.query.translation import write
from core.query.tree import DialectId, Group, ParsedQuery, Term
from core.writer.decomposition import take_apart
from core.writer.sheets import IN_STRING, Keyword, Sheet, text_of, tree_of
from tests.core.query_trees import any_trees
from tests.core.writer.writer_sheets import sheets


def says_all(sheet):
    """A sheet whose string has all of it: nothing waits, and nothing is joined that stands alone."""
    if not (sheet.specific or (sheet.general and sheet.overarching)):
        return Sheet()
    has_group = sheet.general and sheet.overarching
    return Sheet(
        specific=sheet.specific,
        general=sheet.general if has_group else (),
        overarching=sheet.overarching if has_group else (),
        excluded=sheet.excluded,
        joined=sheet.joined if has_group and len(sheet.overarching) > 1 else "OR",
    )


def lists(text, dialect: DialectId | None = None):
    """The texts of the keywords, list by list, with how overarching ones are joined."""
    apart = take_apart(parse(text, dialect))
    return [[keyword.text for keyword in apart.sheet.of(name)] for name in IN_STRING], apart.sheet.joined


@given(sheets())
@settings(max_examples=60)
def test_the_string_of_a_sheet_comes_apart_into_the_sheet(sheet):
    sheet = says_all(sheet)
    if sheet == Sheet():
        return
    apart = take_apart(parse(text_of(sheet).text, "plain"))
    assert apart.sheet == sheet
    assert (apart.left, apart.is_whole) == ((), True)


@given(sheets(most=6), st.sampled_from(("pubmed", "ovid", "wos", "scopus", "ebsco", "dimensions")))
@settings(max_examples=40)
def test_in_other_dialects_the_lists_ask_for_what_the_string_does(sheet, dialect):
    written = text_of(says_all(sheet), dialect)
    if written.losses or not written.text:
        return
    parsed = parse(written.text, dialect)
    apart = take_apart(parsed)
    if apart.is_whole:
        assert same(parsed.root, tree_of(apart.sheet))
    else:
        assert apart.left


@given(any_trees())
@settings(max_examples=60)
def test_nothing_is_lost_in_silence(root):
    apart = take_apart(ParsedQuery("", "plain", 1.0, "boolean", root))
    made = tree_of(apart.sheet)
    if apart.is_whole:
        assert made is not None
        assert same(root, made)
    else:
        assert apart.left
    assert all(left.text and left.why.endswith(".") for left in apart.left)


@pytest.mark.collections
def test_litqeval_s_generated_strings_come_apart_whole(collections_dir: Path):
    topics = json.loads((collections_dir / "litqeval/data/queries.json").read_text("utf-8"))
    assert len(topics) == 21
    for number, topic in enumerate(topics):
        parsed = parse(topic["predicted"])
        apart = take_apart(parsed)
        assert apart.is_whole, number
        assert same(parsed.root, parse(text_of(apart.sheet).text).root), number
        assert min(len(apart.sheet.specific), len(apart.sheet.general)) > 1, number
        # "(cloud migration) OR ((...) AND (Cloud Migration))": what is overarching there retrieves by itself
        assert [left.text for left in apart.left] == (["Cloud Migration"] if number == 18 else []), number
        assert bool(apart.sheet.overarching) is (number != 18), number
        n_leaves = sum(isinstance(node, Term) for node in parsed.nodes)
        # "(resilience in business and management)" is two terms, and one keyword
        assert apart.sheet.n_in_string + len(apart.left) == n_leaves - (number == 4), number


@pytest.mark.parametrize(
    ("text", "found", "joined"),
    [
        ("tree", [["tree"], [], [], []], "OR"),
        ("shade AND tree", [[], ["shade"], ["tree"], []], "OR"),
        ("shade AND tree AND leaf", [[], ["shade"], ["tree", "leaf"], []], "AND"),
        ("(shade OR cool) AND (tree AND leaf)", [[], ["shade", "cool"], ["tree", "leaf"], []], "AND"),
        ("tree AND (shade OR cool) AND leaf", [[], ["shade", "cool"], ["tree", "leaf"], []], "AND"),
        ('x OR ("y" OR (z)) OR ((((a)) OR b) AND (c))', [["x", "y", "z"], ["a", "b"], ["c"], []], "OR"),
        ("(a AND tree) OR (tree AND (b OR c))", [[], ["a", "b", "c"], ["tree"], []], "OR"),
        ("(a AND b) OR (c AND d)", [["c d"], ["a"], ["b"], []], "OR"),
        ("(soft AND robot) OR ((x OR y) AND z)", [["soft robot"], ["x", "y"], ["z"], []], "OR"),
        ('((a OR b) AND c) NOT (d OR "e f" OR (g AND h))', [[], ["a", "b"], ["c"], ["d", "e f", "g h"]], "OR"),
        ("(a NOT b) NOT c", [["a"], [], [], ["b", "c"]], "OR"),
        ("title:(heat wave* OR wom?n)", [["heat wave*", "wom?n"], [], [], []], "OR"),
        ("a OR a OR A", [["a"], [], [], []], "OR"),
        ("title:a OR a", [["a"], [], [], []], "OR"),
        ("(a OR x) AND (x OR c)", [["x"], ["a"], ["c"], []], "OR"),
        ("(a OR x) AND x AND c", [[], ["x"], ["c"], []], "OR"),
        ("(a OR x OR c) AND x AND c", [[], ["x"], ["c"], []], "OR"),
        ("a AND a AND A", [["a"], [], [], []], "OR"),
        ("a OR (a AND tree) OR (b AND tree)", [["a"], ["b"], ["tree"], []], "OR"),
        ("tree OR ((a OR b) AND tree)", [["tree"], ["a", "b"], [], []], "OR"),
        ("tree OR ((a OR b) AND (tree OR wood))", [["tree"], ["a", "b"], ["wood"], []], "OR"),
        ("tree OR ((a OR b) AND tree AND wood)", [["tree"], ["a", "b"], [], []], "OR"),
        ("(a OR b) NOT a", [["b"], [], [], ["a"]], "OR"),
        ("title:a OR abstract:a OR a", [["a"], [], [], []], "OR"),
        ('"e f" AND x AND (E-F OR "e f" OR x)', [[], ["x"], ["e f"], []], "OR"),
    ],
)
def test_lists_of_a_string(text, found, joined):
    assert lists(text, "plain") == (found, joined)
    assert take_apart(parse(text, "plain")).is_whole


@pytest.mark.parametrize(
    ("text", "found", "left", "why"),
    [
        ("(a OR b) AND (c OR d) AND (e OR f)", [[], ["a", "b"], ["c", "d"], []], "e OR f", "no third list"),
        ("(a OR b) AND c AND (d OR e)", [[], ["a", "b"], ["c"], []], "d OR e", "no third list"),
        ("(a OR b) AND year:2010-2020", [["a", "b"], [], [], []], "year:2010-2020", "year limit"),
        ("a OR b NEAR/3 c", [["a"], [], [], []], "b NEAR/3 c", "proximity"),
        ("a OR subject:Trees", [["a"], [], [], []], "subject:Trees", "subject heading"),
        ("a OR (b NOT c)", [["a"], [], [], []], "(b NOT c)", "whole string only"),
        ("a OR NOT b", [["a"], [], [], []], "NOT b", "whole string only"),
        ("NOT b", [[], [], [], ["b"]], "NOT b", "only excludes"),
        ("a OR {cooled}", [["a", "cooled"], [], [], []], "{cooled}", "never stemmed"),
        ("a OR adapt$", [["a"], [], [], []], "adapt$", "wildcards"),
        ('(a AND "b c") OR ((d OR e) AND f)', [[], ["a"], ["b c"], []], "((d OR e) AND f)", "one overarching list"),
        ('(x OR (a AND "b c")) AND d', [[], ["x"], ["d"], []], '(a AND "b c")', "Phrases"),
    ],
)
def test_what_has_no_place_is_named(text, found, left, why):
    apart = take_apart(parse(text, "plain"))
    assert lists(text, "plain")[0][:3] == found[:3]
    assert [keyword.text for keyword in apart.sheet.excluded] == found[3]
    assert [each.text for each in apart.left] == [left]
    assert why in apart.left[0].why
    assert not apart.is_whole


def test_questions_empty_and_endless_texts_have_no_lists():
    for text, why in (("Which trees cool a street in summer?", "plain-language"), ("  ", "nothing to search for")):
        apart = take_apart(parse(text))
        assert (apart.sheet, apart.is_whole) == (Sheet(), False)
        assert why in apart.left[0].why
    endless = take_apart(parse("x " * 200_000))
    assert (endless.sheet, len(endless.left), len(endless.left[0].text)) == (Sheet(), 1, 300)


@pytest.mark.parametrize(
    "text",
    [
        " OR ".join(f"(a{i} AND b{i})" for i in range(600)),
        " OR ".join(f'("x a{i}" AND (y{i} OR b))' for i in range(600)),
        f"({' OR '.join(f'a{i}' for i in range(600))}) AND ({' OR '.join(f'a{i}' for i in range(600))} OR b)",
        f"({' OR '.join(f'a{i}' for i in range(1_200))}) NOT ({' OR '.join(f'a{i}' for i in range(1_200))})",
    ],
    ids=["pairs", "pairs of phrases", "before and behind", "excluded"],
)
def test_very_long_strings_come_apart(text):
    """Looking from each part at every other would take minutes at the length that is read."""
    apart = take_apart(parse(text, "plain"))
    n = sum(len(apart.sheet.of(name)) for name in IN_STRING)
    assert n + len(apart.left) >= 600


def test_numbered_lines_and_broken_strings_come_apart_as_they_are_read():
    lines = "1. heat.ti.\n2. (tree* or forest*).tw.\n3. 1 and 2"
    apart = take_apart(parse(lines))
    assert [k.text for k in apart.sheet.overarching] == ["tree*", "forest*"]
    assert apart.sheet.general == (Keyword("heat", fields=("title",)),)
    assert lists("(a OR b AND (c")[0][:3] == [["a"], ["b"], ["c"]]


def test_a_deep_string_comes_apart():
    text = "(" * 100 + "a OR b" + ")" * 100
    assert lists(text)[0][0] == ["a", "b"]
    root = Term(("a",))
    for i in range(100):
        root = Group("OR" if i % 2 else "AND", (root, Term((f"w{i}",))))
    apart = take_apart(parse(write(root, "plain").text))
    assert apart.left
    assert not apart.is_whole
