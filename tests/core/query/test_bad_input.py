"""Whatever is pasted: an answer, or an error that points into the text; never an exception, never a dead end."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.query.checks import lint
from core.query.checks.rules import RULES
from core.query.dialects import DIALECTS
from core.query.parser import parse
from core.query.tree import DEEPEST, Node, apply_edits, parts_of, walk

CASES = {
    "empty": "",
    "spaces": " \n\t ",
    "a million brackets": "(" * 1_000_000,
    "a hundred thousand brackets": "(" * 100_000,
    "closing brackets": ")" * 5_000,
    "square brackets": "[" * 5_000,
    "braces": "{" * 5_000,
    "nested": "(" * 10_000 + "a" + ")" * 10_000,
    "nested with operators": "(a AND " * 2_000 + "b" + ")" * 2_000,
    "nested, in turns": "(a AND (b OR " * 1_000 + "c" + "))" * 1_000,
    "nested fields": "TITLE(" * 2_000 + "a" + ")" * 2_000,
    "null bytes": "heat\x00AND\x00trees",
    "only null bytes": "\x00" * 1_000,
    "right to left": "חום AND (עצים OR \u202e“צל”)",
    "half a character": "heat \ud800 AND cold",
    "only operators": "AND OR NOT AND NEAR/3",
    "many operators": "AND " * 1_000,
    "a star": "*",
    "stars": "*" * 5_000,
    "a quoted star": '"*"',
    "wildcards in turns": "*a" * 5_000,
    "more wildcards in turns": "a?b*" * 2_000,
    "counted wildcards": "a{0,9999}" * 5_000,
    "question marks": "?" * 5_000,
    "nots": "NOT " * 4_000 + "a",
    "terms with nots": "a" + " NOT b" * 2_000,
    "an open quote": '"' + "heat " * 2_000,
    "quotes": '"' * 5_001,
    "an open comment": "/* " + "heat " * 2_000,
    "comments": "/* a */ " * 2_000,
    "tags": "[tiab]" * 2_000,
    "prefixes": "title:" * 2_000,
    "suffixes": "a.ti," * 3_000,
    "limits": "LIMIT-TO(" * 2_000,
    "nears": "a NEAR/2 " * 2_000 + "b",
    "a wide near": '"a b"~99999999999 NEAR/9999999 c',
    "dots": "." * 5_000,
    "colons": "2010[dp]" + ":" * 5_000,
    "wide": " OR ".join(f"a{n}" for n in range(2_000)),
    "the same again and again": " OR ".join(["tree*"] * 2_000),
    "one long phrase": '"' + "word " * 3_000 + '"',
    "one long word": "a" * 99_999,
    "numbers": "1 2 3 4 5 " * 5_000,
    "lines": "\n".join(f"{n}. {n - 1} or {n - 1}" for n in range(1, 2_000)),
    "empty lines": "\n".join(f"{n}." for n in range(1, 2_000)),
    "pictures": "😀 OR 🌳* AND 👩‍👩‍👧",
}


def check_answer(text, dialect):
    """What holds for every text."""
    parsed = parse(text, dialect)
    for finding in lint(parsed):
        assert 0 <= finding.span.start <= finding.span.end <= len(text)
        assert finding.rule in RULES
        assert finding.message
    if parsed.kind == "empty":
        assert parsed.root is None
        assert any(f.severity in ("error", "warning") for f in parsed.findings)
        return parsed
    assert parsed.kind == "question" or parsed.root is not None
    if parsed.root is not None:
        assert depth_of(parsed.root) <= DEEPEST + 1
        again = parse(text, dialect).root
        assert again == parsed.root
        assert hash(again) == hash(parsed.root)
        assert repr(parsed.root)
    return parsed


def depth_of(root: Node) -> int:
    deepest, stack = 0, [(root, 1)]
    while stack:
        node, depth = stack.pop()
        deepest = max(deepest, depth)
        stack += [(part, depth + 1) for part in parts_of(node)]
    return deepest


@pytest.mark.parametrize("dialect", [None, "ovid"])
@pytest.mark.parametrize("text", CASES.values(), ids=CASES)
def test_any_text_gets_an_answer(text, dialect):
    check_answer(text, dialect)


def test_a_text_that_is_too_long_is_not_read():
    parsed = parse("(" * 1_000_000)
    assert [(f.rule, f.span.start, f.span.end) for f in parsed.findings] == [("too-long", 0, 1_000_000)]


def test_many_findings_of_a_kind_are_cut_short():
    findings = parse(")" * 5_000 + "a").findings
    assert 1 < len(findings) < 100
    assert ["more" in finding.message for finding in findings[-2:]] == [False, True]


OPERATORS = r"""AND OR NOT and or not NEAR/3 ADJ2 W/2 N3 PRE/1 NEAR or/1-2 limit"""
SIGNS = r"""( ) [ ] { } " “ ” ' * ? $ # ! : = , . / \ ~3 -- 1. 2. #1 S1 /* */ // > {a {1,2}"""
WORDS = r"""heat tree trees heat-wave colour meta-model 2010 2010-2020 exp Stress/ DOCTYPE,"""
FIELDS = r"""TI= TS=( title: TI TITLE( TITLE-ABS-KEY( [tiab] [mesh] [dp] [ti:~2] .ti. .ti,ab. PUBYEAR LIMIT-TO("""
SCRAPS = [*" ".join([OPERATORS, SIGNS, WORDS, FIELDS]).split(" "), "\n", "\t"]
texts = st.lists(st.sampled_from(SCRAPS) | st.text(max_size=4), max_size=25).flatmap(
    lambda scraps: st.sampled_from(["", " "]).map(lambda glue: glue.join(scraps))
)
dialects = st.sampled_from([None, *DIALECTS])


@given(texts, dialects)
def test_no_text_is_refused(text, dialect):
    check_answer(text, dialect)


@given(texts, dialects)
def test_terms_stand_side_by_side_inside_the_text_and_inside_what_they_are_part_of(text, dialect):
    parsed = parse(text, dialect)
    if parsed.root is None or parsed.lines:  # a line may be used twice
        return
    leaves = []
    for node in walk(parsed.root):
        assert 0 <= node.span.start < node.span.end <= len(text)
        assert node.extent.start <= node.span.start
        assert node.span.end <= node.extent.end
        for part in parts_of(node):
            assert node.span.start <= part.span.start
            assert part.span.end <= node.span.end
        if not parts_of(node):
            leaves.append(node.span)
    ordered = sorted(leaves, key=lambda span: span.start)
    assert all(one.end <= other.start for one, other in pairwise(ordered))


@given(texts, dialects)
def test_every_fix_can_be_done(text, dialect):
    for finding in lint(parse(text, dialect)):
        if finding.fix is None:
            continue
        ends = sorted((edit.start, edit.end) for edit in finding.fix.edits)
        assert all(0 <= start <= end <= len(text) for start, end in ends)
        assert all(one[1] <= other[0] for one, other in pairwise(ends))
        assert apply_edits(text, finding.fix.edits) != text
        check_answer(apply_edits(text, finding.fix.edits), dialect)
