"""Where everything stands in the text, and what a broken string gives all the same."""

from __future__ import annotations

import pytest

from core.query.checks import lint
from core.query.parser import parse
from core.query.tree import Group, Near, Not, Span, Term, apply_edits, walk
from tests.core.query.query_shapes import shape

SPANS = [
    # dialect, text, what each node of the tree points at, in order
    ("plain", "heat AND trees", ["heat AND trees", "heat", "trees"]),
    ("plain", "(heat OR cold) AND trees", ["(heat OR cold) AND trees", "heat OR cold", "heat", "cold", "trees"]),
    ("plain", "  heat wave  OR cold ", ["heat wave  OR cold", "heat wave", "cold"]),
    ("plain", "heat AND NOT (cold)", ["heat AND NOT (cold)", "heat", "AND NOT (cold)", "cold"]),
    ("plain", 'title:"a b" OR abstract:(c d)', ['title:"a b" OR abstract:(c d)', 'title:"a b"', "c d"]),
    ("plain", "heat NEAR/3 (a OR b)", ["heat NEAR/3 (a OR b)"]),
    ("plain", "a\nOR\n(b)", ["a\nOR\n(b)", "a", "b"]),
    ("plain", "“heat wave” OR b", ["“heat wave” OR b", "“heat wave”", "b"]),
    ("pubmed", "heat wave[tiab] OR cold [ti]", ["heat wave[tiab] OR cold [ti]", "heat wave[tiab]", "cold [ti]"]),
    ("pubmed", "Malaria[mh:noexp]", ["Malaria[mh:noexp]"]),
    ("pubmed", "2010[dp] : 2020[dp] AND a", ["2010[dp] : 2020[dp] AND a", "2010[dp] : 2020[dp]", "a"]),
    ("ovid", "heat wave.ti,ab. or exp Stress/", ["heat wave.ti,ab. or exp Stress/", "heat wave.ti,ab.", "exp Stress/"]),
    ("ovid", '"heat".ti. not cold.ab.', ['"heat".ti. not cold.ab.', '"heat".ti.', "not cold.ab.", "cold.ab."]),
    ("wos", "TI=heat AND PY=2010-2020", ["TI=heat AND PY=2010-2020", "TI=heat", "PY=2010-2020"]),
    ("scopus", "PUBYEAR > 2010 AND NOT {a}", ["PUBYEAR > 2010 AND NOT {a}", "PUBYEAR > 2010", "AND NOT {a}", "{a}"]),
    ("scopus", 'LIMIT-TO ( DOCTYPE,"ar" )', ['LIMIT-TO ( DOCTYPE,"ar" )']),
    ("ebsco", 'TI heat wave OR (MH "Stress+")', ['TI heat wave OR (MH "Stress+")', "TI heat wave", 'MH "Stress+"']),
]  # fmt: skip


@pytest.mark.parametrize(("dialect", "text", "expected"), SPANS, ids=[text for _, text, _ in SPANS])
def test_a_node_points_at_what_a_reader_would_point_at(dialect, text, expected):
    assert [node.span.of(text) for node in parse(text, dialect).nodes] == expected


def test_brackets_and_their_fields_belong_to_the_extent_of_a_node():
    text = "a AND ((b OR c))[tiab] AND TITLE:d"
    root = parse(text, "pubmed").root
    assert [part.extent.of(text) for part in root.parts[:2]] == ["a", "((b OR c))[tiab]"]
    text = "ti=(a) OR TS=(b OR c)"
    assert [part.extent.of(text) for part in parse(text, "wos").root.parts] == ["ti=(a)", "TS=(b OR c)"]


def test_parts_of_a_near_know_where_they_stand():
    text = "(heat OR “cold spell”) NEAR/3 wave"
    near = parse(text).root
    assert isinstance(near, Near)
    assert [part.span.of(text) for part in near.parts] == ["heat OR “cold spell”", "wave"]
    assert [part.span.of(text) for part in near.parts[0].parts] == ["heat", "“cold spell”"]


def test_where_something_stands_does_not_count_for_what_it_asks():
    one, other = parse("a AND (b OR c)").root, parse("a   AND\n((b) OR\tc)").root
    assert one == other
    assert hash(one) == hash(other)
    assert one != parse("a AND (b OR d)").root


def test_brackets_keep_apart_what_is_written_apart():
    assert shape(parse("a OR (b OR c)").root) == "(a | (b | c))"
    assert shape(parse("a OR b OR c").root) == "(a | b | c)"


BROKEN = [
    # dialect, text, rule, the text it points at, the tree, the text after its fix
    ("plain", "(heat OR cold", "unbalanced-bracket", "(", "(heat | cold)", "(heat OR cold)"),
    ("plain", "heat OR cold)", "unbalanced-bracket", ")", "(heat | cold)", "heat OR cold"),
    ("plain", "heat ] OR cold", "unbalanced-bracket", "]", "(heat | cold)", "heat  OR cold"),
    ("plain", '"heat wave OR cold', "unbalanced-quote", '"heat wave', "(heat wave | cold)", '"heat wave" OR cold'),
    ("plain", 'a AND "b c) OR "d e"', "unbalanced-quote", '"b c', None, 'a AND "b c") OR "d e"'),
    ("plain", "heat AND OR cold", "missing-term", "OR", "(heat & cold)", "heat AND  cold"),
    ("plain", "AND heat", "missing-term", "AND", "heat", " heat"),
    ("plain", "heat OR", "missing-term", "OR", "heat", "heat "),
    ("plain", "(heat OR) AND cold", "missing-term", "OR", "(heat & cold)", "(heat ) AND cold"),
    ("plain", "heat AND ()", "empty-brackets", "()", "heat", "heat AND "),
    ("plain", "(heat)(cold)", "adjacent-terms", "(heat)(cold)", "(heat & cold)", "(heat) AND (cold)"),
    ("plain", "predict*OR prone*", "missing-space", "predict*OR", None, "predict* OR prone*"),
    ("plain", "heat or cold", "lower-case-operator", "or", "(heat | cold)", "heat OR cold"),
    ("plain", "heat OR *", "wildcard-alone", "*", "heat", "heat OR "),
    ("plain", "heat OR ---", "no-word", "---", "heat", "heat OR "),
    ("pubmed", "Atonic[tiab] Impaired[tiab]", "adjacent-terms", "Atonic[tiab] Impaired[tiab]",
     "(Atonic@topic & Impaired@topic)", "Atonic[tiab] AND Impaired[tiab]"),
    ("pubmed", "a[ti] not b[ti]", "lower-case-operator", "not", "(a@title & !b@title)", "a[ti] NOT b[ti]"),
    ("pubmed", "[ti] heat", "unknown-field", "[ti]", "heat", " heat"),
    ("pubmed", "heat AND {cold wave}", "wrong-quotes", "{cold wave}", None, 'heat AND "cold wave"'),
    ("pubmed", "heat[foo] AND cold", "unknown-field", "[foo]", "(heat@?foo & cold)", None),
    ("pubmed", "TITLE-ABS-KEY(heat)", "unknown-field", "TITLE-ABS-KEY", "heat@topic", None),
    ("pubmed", "TS=heat", "unknown-field", "TS=", "heat@topic", None),
    ("pubmed", "NOT heat", "leading-not", "NOT", "!heat", None),
    ("pubmed", "heat NEAR/3 wave", "unknown-operator", "NEAR/3", "near3(heat, wave)", None),
    ("scopus", "NOT heat", "leading-not", "NOT", "!heat", None),
    ("ebsco", "heat NEAR/3 wave", "unknown-operator", "NEAR/3", "near3(heat, wave)", None),
    ("wos", "TS= AND heat", "missing-term", "TS=", "heat", None),
    ("wos", "heat OR cold AND wave", "mixed-operators", "AND", "(heat | (cold & wave))", None),
    ("plain", "(a AND b) NEAR/3 c", "near-group", "(a AND b) NEAR/3 c", "((a & b) & c)", None),
    ("plain", "", "empty", "", "nothing", None),
    ("plain", "()", "empty-brackets", "()", "nothing", ""),
    ("plain", "(" * 300 + "a OR b" + ")" * 300, None, None, "(a | b)", None),
    ("plain", "NOT " * 300 + "a", "too-deep", None, None, None),
]  # fmt: skip


@pytest.mark.parametrize(("dialect", "text", "rule", "place", "expected", "fixed"), BROKEN)
def test_a_broken_string_still_gives_a_tree_and_says_what_is_wrong(dialect, text, rule, place, expected, fixed):
    parsed = parse(text, dialect)
    if expected is not None:
        assert shape(parsed.root) == expected
    found = [f for f in parsed.findings if f.rule == rule]
    assert bool(found) is (rule is not None)
    if place is not None:
        assert found[0].span.of(text) == place
    if fixed is not None:
        assert apply_edits(text, found[0].fix.edits) == fixed
        left = [f.rule for f in parse(fixed, dialect).findings]
        assert left.count(rule) < len(found)
    elif found:
        assert found[0].fix is None


def test_fixing_all_leaves_nothing_to_fix():
    text = '(predict*OR "prone AND a or (b c'
    for _ in range(9):
        fixes = [f.fix for f in parse(text).findings if f.fix]
        if not fixes:
            break
        text = apply_edits(text, fixes[0].edits)
    assert text == '(predict* OR "prone" AND a OR (b c))'
    assert [f.rule for f in parse(text).findings] == ["mixed-operators"]


def test_how_and_and_or_without_brackets_are_read_is_said_in_words():
    for dialect, order in (
        ("pubmed", "PubMed reads them from left"),
        ("scopus", "Scopus evaluates OR first, then AND, then AND NOT."),
        ("wos", "Web of Science evaluates NOT first, then AND, then OR."),
    ):
        assert order in parse("a OR b AND c", dialect).findings[0].message
    assert parse("a AND NOT b OR c", "plain").findings != ()
    for text in ("a AND b AND c", "a OR b OR c", "a AND b NOT c", "(a OR b) AND c"):
        assert parse(text, "pubmed").findings == (), text


def test_an_operator_in_quotes_is_a_word():
    assert shape(parse('"heat AND wave" OR "(iot)"').root) == '("heat AND wave" | "(iot)")'


def test_a_deep_tree_is_cut_where_it_is_too_deep_and_brackets_alone_are_not_deep():
    brackets = parse("(" * 10_000 + "heat" + ")" * 10_000)
    assert brackets.root == Term(("heat",))
    assert brackets.findings == ()
    deep = parse("(a AND (b OR " * 200 + "c" + "))" * 200)
    assert [f.rule for f in deep.findings] == ["too-deep"]
    assert isinstance(deep.root, Group)
    nots = parse("NOT " * 500 + "a")
    assert all(isinstance(node, Not | Term) for node in walk(nots.root))


def test_findings_stand_in_the_order_of_the_text():
    text = "a OR [x] ) b AND ((c or ) “d”"
    read, checked = parse(text).findings, lint(parse(text))
    errors = [f.span for f in checked if f.severity == "error"]
    apart = [f for f in checked if f.span in errors or not any(_meet(f.span, error) for error in errors)]
    for findings in (read, apart):
        starts = [f.span.start for f in findings]
        assert starts == sorted(starts)
        assert len(starts) > 4
    for i, finding in enumerate(checked):  # what an error may have caused comes after it
        if finding.severity != "error":
            assert not any(_meet(finding.span, later.span) for later in checked[i:] if later.severity == "error")


def _meet(a: Span, b: Span) -> bool:
    return a.start < b.end and b.start < a.end
