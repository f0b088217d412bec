"""What changed between two wordings: pieces that make up both texts, and sentences about the trees."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.query import differences as alignment
from core.query.differences import (
    MOST_CHANGES,
    ChangeKind,
    DifferencePiece,
    QueryChange,
    TreeDifference,
    aligned,
    relation,
    token_difference,
    tree_difference,
)
from core.query.parser import parse
from core.query.tree import DialectId, Term

WORDS = [
    "heat",
    "tree*",
    '"heat wave"',
    "AND",
    "OR",
    "not",
    "(",
    ")",
    "[tiab]",
    "NEAR/3",
    " ",
    "\n",
    "Heat",
    '"',
    "é",
    "/*x*/",
]
texts = st.one_of(st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join), st.text(max_size=30))
dialects: st.SearchStrategy[DialectId] = st.sampled_from(["plain", "pubmed", "wos", "ovid", "scopus"])


def pieces(before: str, after: str, dialect: DialectId | None = "plain") -> tuple[DifferencePiece, ...]:
    return token_difference(parse(before, dialect), parse(after, dialect))


def said(found: Sequence[DifferencePiece]) -> list[str]:
    """Only what changed, with its sign."""
    return [("-" if p.fate == "gone" else "+") + (p.before or p.after).strip() for p in found if p.fate != "kept"]


@given(texts, texts, dialects, dialects)
def test_pieces_make_up_both_texts(before: str, after: str, one: DialectId, other: DialectId) -> None:
    found = token_difference(parse(before, one), parse(after, other))
    assert "".join(p.before for p in found) == before
    assert "".join(p.after for p in found) == after
    assert not any(p.after for p in found if p.fate == "gone")
    assert not any(p.before for p in found if p.fate == "new")
    assert all(p.before.split() and p.after.split() for p in found[:-1] if p.fate == "kept")


@given(texts, texts, dialects)
def test_mirrored_what_is_gone_is_new(before: str, after: str, dialect: DialectId) -> None:
    there, back = pieces(before, after, dialect), pieces(after, before, dialect)
    assert [p.before for p in there if p.fate == "gone"] == [p.after for p in back if p.fate == "new"]
    assert [p.after for p in there if p.fate == "new"] == [p.before for p in back if p.fate == "gone"]
    assert [(p.before, p.after) for p in there if p.fate == "kept"] == [
        (p.after, p.before) for p in back if p.fate == "kept"
    ]


@given(texts, dialects)
def test_a_text_does_not_differ_from_itself(text: str, dialect: DialectId) -> None:
    assert said(pieces(text, text, dialect)) == []


def test_what_belongs_together_is_one_piece() -> None:
    assert said(pieces('"heat wave" AND tree*', '"heat waves" AND tree')) == [
        '-"heat wave"',
        '+"heat waves"',
        "-tree*",
        "+tree",
    ]
    assert said(pieces("heat[tiab] AND tree", "heat[ti] AND tree", "pubmed")) == ["-[tiab]", "+[ti]"]
    assert said(pieces("heat NEAR/3 tree", "heat NEAR/5 tree", "wos")) == ["-NEAR/3", "+NEAR/5"]


def test_case_and_white_space_are_no_difference() -> None:
    assert said(pieces("(heat OR tree)", "( Heat\n or  TREE )")) == []
    assert said(pieces("“heat wave”", '"heat wave"')) == []


def test_an_or_between_two_replaced_terms_is_replaced_with_them() -> None:
    found = pieces("(a OR b) AND c", "(x OR y) AND c")
    assert [(p.fate, (p.before or p.after).strip()) for p in found] == [
        *[("kept", "("), ("gone", "a"), ("gone", "OR"), ("gone", "b"), ("new", "x"), ("new", "OR"), ("new", "y")],
        *[("kept", ")"), ("kept", "AND"), ("kept", "c")],
    ]


def test_terms_in_another_order_are_found_again() -> None:
    names = [f"w{i}" for i in range(60)]
    found = pieces(" OR ".join(names), " OR ".join([*names[20:], *names[:20]]))
    assert [p.before.strip() for p in found if p.fate == "kept" and "w" in p.before] == names[20:]


def test_a_remark_is_a_piece_of_its_own() -> None:
    assert said(pieces("heat /* hot */ AND tree", "heat AND tree")) == ["-/* hot */"]


def test_numbered_lines_and_questions_make_up_their_texts() -> None:
    lines = parse("1. heat OR warm\n2. tree\n3. 1 AND 2")
    longer = parse("1. heat OR warm\n2. tree OR shade\n3. 1 AND 2")
    assert len(lines.lines) == 3
    assert said(token_difference(lines, longer)) == ["+OR", "+shade"]
    question = parse("Which parks cool streets in summer?")
    assert said(token_difference(question, parse("Which parks cool towns in summer?"))) == ["-streets", "+towns"]


def lengths(first: Sequence[int], second: Sequence[int]) -> int:
    """How long a longest common subsequence is, by the table."""

    @cache
    def longest(i: int, j: int) -> int:
        if i == len(first) or j == len(second):
            return 0
        if first[i] == second[j]:
            return 1 + longest(i + 1, j + 1)
        return max(longest(i + 1, j), longest(i, j + 1))

    return longest(0, 0)


entries = st.lists(st.integers(0, 4), max_size=12)


@given(entries, entries)
def test_without_landmarks_as_many_as_possible_are_paired(first: list[int], second: list[int]) -> None:
    pairs = aligned(first, second, lambda _: False)
    assert len(pairs) == lengths(tuple(first), tuple(second))


@given(entries, entries, st.sampled_from([0, 6, alignment.MOST_EXACT_ENTRIES]))
def test_pairs_are_equal_and_ascend(first: list[int], second: list[int], most: int) -> None:
    before, alignment.MOST_EXACT_ENTRIES = alignment.MOST_EXACT_ENTRIES, most
    try:
        pairs = aligned(first, second, lambda entry: entry > 1)
    finally:
        alignment.MOST_EXACT_ENTRIES = before
    assert all(first[i] == second[j] for i, j in pairs)
    assert all(i < k and j < m for (i, j), (k, m) in pairwise(pairs))


def test_long_texts_without_landmarks_come_back() -> None:
    rng = random.Random(0)
    long = [" OR ".join(rng.choice("abcdefgh") for _ in range(3_000)) for _ in range(2)]
    found = pieces(*long)
    assert "".join(p.before for p in found) == long[0]
    assert "".join(p.after for p in found) == long[1]


def trees(before: str, after: str, dialect: DialectId | None = "plain") -> TreeDifference:
    return tree_difference(parse(before, dialect), parse(after, dialect))


CHANGES: list[tuple[DialectId, str, str, list[tuple[ChangeKind, str]]]] = [
    # dialect, before, after, the kind of each change and what its sentence names
    (
        "plain",
        "heat AND tree",
        "tree AND heat* AND city",
        [("widened", "Concept 2 (heat*): heat became heat* (wider: more endings"), ("new concept", ": city.")],
    ),
    ("plain", "(heat OR warm) AND tree", "heat AND tree", [("removed", "Concept 1 (heat): removed warm.")]),
    ("plain", "heat AND tree AND city", "heat AND tree", [("gone concept", ": city.")]),
    ("plain", '"heat wave" AND tree', "heat wave AND tree", [("widened", '"heat wave" became heat wave (wider: its')]),
    ("plain", "heat AND wom?n", "heat AND woman", [("narrowed", "wom?n became woman (narrower: fewer spellings")]),
    ("plain", "heat AND tree", 'heat AND "tree cover"', [("narrowed", 'tree became "tree cover" (narrower: a longer')]),
    ("plain", "heat AND tree", "heat OR tree", [("operator", "any part")]),
    (
        "plain",
        "heat OR tree OR city",
        "heat AND tree",
        [("operator", "all parts"), ("removed", "Concept 1 (heat, tree): removed city.")],
    ),
    ("plain", "heat OR tree", "(heat OR tree) AND city", [("new concept", ": city.")]),
    ("plain", "x AND ((a AND b) OR c)", "x AND ((a OR b) AND c OR c)", [("operator", "(a, b and 1 more): its")]),
    (
        "plain",
        "(heat OR warm) AND (tree OR city)",
        "heat AND (tree OR city OR warm)",
        [("moved", "Concept 2 (tree, city and 1 more): warm moved here from concept 1 (heat, warm).")],
    ),
    ("plain", "heat NOT dog", "heat NOT (dog OR cat)", [("added", "(NOT): added cat.")]),
    ("plain", "heat", "heat NOT dog", [("limit", "NOT dog.")]),
    (
        "pubmed",
        "heat[tiab] AND 2000:2010[dp]",
        "heat[ti] AND 2005:2010[dp] AND english[la]",
        [
            ("narrowed", "Concept 1 (heat[ti]): heat[tiab] became heat[ti] (narrower: searched in title"),
            ("limit", "2000 to 2010 became 2005 to 2010 (narrower)."),
            ("limit", ": english[la]."),
        ],
    ),
    ("wos", "TS=(heat NEAR/3 tree)", "TS=(heat NEAR/5 tree)", [("widened", "to 5 words between instead of 3")]),
]


@pytest.mark.parametrize(("dialect", "before", "after", "expected"), CHANGES)
def test_a_change_has_its_kind_and_names_what_it_changed(
    dialect: DialectId, before: str, after: str, expected: list[tuple[ChangeKind, str]]
) -> None:
    found = trees(before, after, dialect)
    assert found.same is False
    assert [change.kind for change in found.changes] == [kind for kind, _ in expected]
    assert all(fact in change.sentence for change, (_, fact) in zip(found.changes, expected, strict=True))


def test_what_is_cut_short_has_no_full_stop_after_its_dots() -> None:
    long = '"' + " ".join(f"word{n}" for n in range(40)) + '"'
    said = [
        change.sentence
        for before, after in (("heat", f"heat AND {long}"), (f"heat AND {long}", "heat"), ("heat", f"heat OR {long}"))
        for change in tree_difference(parse(before, "plain"), parse(after, "plain")).changes
    ]
    assert len(said) == 3
    assert all(sentence.endswith("…") for sentence in said)


def test_the_same_query_written_differently() -> None:
    assert trees("heat AND (tree OR city)", "(city or TREE) and heat").same is True
    assert "written differently" in trees("NOT (a AND b)", "(NOT a) OR (NOT b)").summary
    translated = tree_difference(parse("heat[ti] AND tree[ti]", "pubmed"), parse("TI=(tree AND heat)", "wos"))
    assert translated.same is True
    assert "identical" in trees("heat", "heat").summary


def test_what_cannot_be_read_is_compared_by_its_words() -> None:
    question = tree_difference(parse("Which trees cool a street in summer?"), parse("tree AND street"))
    assert (question.same, question.changes) == (None, ())
    assert "ranked" in question.summary
    empty = trees("", "heat")
    assert (empty.same, empty.summary[:14]) == (None, "The first text")
    other = tree_difference(parse("heat[ti]", "pubmed"), parse("TI=(tree)", "wos"))
    assert (other.same, other.changes) == (None, ())
    assert "PubMed and Web of Science" in other.summary


@given(texts, texts, dialects)
def test_every_change_shows_in_the_texts(before: str, after: str, dialect: DialectId) -> None:
    found = trees(before, after, dialect)
    back = trees(after, before, dialect)
    assert (found.same, bool(found.changes)) == (back.same, bool(back.changes))
    for change in found.changes:
        assert change.in_first or change.in_second
        assert_inside(change, before, after)


def assert_inside(change: QueryChange, before: str, after: str) -> None:
    for spans, text in ((change.in_first, before), (change.in_second, after)):
        assert all(0 <= span.start < span.end <= len(text) for span in spans)
    assert change.sentence.endswith((".", "…"))


def test_thousands_of_terms_and_of_concepts() -> None:
    names = [f"w{i}" for i in range(1200)]
    added, removed = trees(" OR ".join(names), " OR ".join([*names[1:], "heat"])).changes
    assert "(w1, w2 and 1,198 more): added heat." in added.sentence
    assert "(w1, w2 and 1,198 more): removed w0." in removed.sentence
    many = trees(" AND ".join(names), " AND ".join(f"x{i}" for i in range(1200)))
    assert len(many.changes) == MOST_CHANGES


def test_terms_that_have_nothing_to_do_with_each_other() -> None:
    assert relation(Term(("heat",)), Term(("tree",))) is None
    assert relation(Term(("",)), Term(("tree",))) is None
