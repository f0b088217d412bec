"""Searches in numbered lines, as they are pasted from Ovid, PubMed, Web of Science and EBSCO."""

from __future__ import annotations

import pytest

from core.query.histories import numbered_lines
from core.query.history_trees import MOST_NODES
from core.query.parser import parse
from tests.core.query.query_shapes import shape

HEAT_OR_COLD = "(heat@title | cold@abstract)"
SEARCHES = [
    # text, dialect that it is taken for, tree
    ("1. heat.ti.\n2. cold.ab.\n3. 1 or 2", "ovid", HEAT_OR_COLD),
    ("1 heat.ti. 12345\n2 cold.ab. (1,234)\n3 or/1-2 13579", "ovid", HEAT_OR_COLD),
    ("1\theat.ti.\t12345\n2\tcold.ab.\t99\n3\t1 or 2\t5", "ovid", HEAT_OR_COLD),
    ("1) heat.ti.\n\n2) cold.ab.\n3) or/1,2", "ovid", HEAT_OR_COLD),
    ("#1 TI=heat\n#2 AB=cold\n#3 #1 OR #2", "wos", HEAT_OR_COLD),
    ("#1. heat[ti]\n#2. cold[ab]\n#3. #1 OR #2", "pubmed", HEAT_OR_COLD),
    ("S1 TI heat\nS2 AB cold\nS3 S1 OR S2", "ebsco", HEAT_OR_COLD),
    ("S1. TI heat\nS2. S1 OR AB cold", "ebsco", HEAT_OR_COLD),
    ("1. heat.ti.\n2. cold.ab.\n3. 1 or 2\n4. exp Stress/\n5. 3 not 4", "ovid", f"({HEAT_OR_COLD} & !<Stress>)"),
    ("1. heat.ti.\n2. cold.ab.\n3. rain.ti.\n4. and/1-3", "ovid", "(heat@title & cold@abstract & rain@title)"),
    ("1. heat.ti.\n2. limit 1 to yr=\"2010 -Current\"", "ovid", "(heat@title & 2010..)"),
    ("1. 5 year survival.ti.\n2. 1 or heat.ti.", "ovid", '("5 year survival"@title | heat@title)'),
    ("1. adapt$3.ti. (55)\n2. (1 or a.ti.) and b.ab.", "ovid", "((adapt{0,3}@title | a@title) & b@abstract)"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "dialect", "expected"), SEARCHES)
def test_the_last_line_is_the_result_with_all_it_refers_to(text, dialect, expected):
    parsed = parse(text)
    assert parsed.dialect == dialect
    assert parsed.lines
    assert shape(parsed.root) == expected
    assert parsed.findings == ()


def test_lines_know_their_number_their_place_and_whether_they_are_used():
    text = "1. heat.ti. (12)\n2. cold.ti.\n3. rain.ti.\n4. 1 and 3"
    parsed = parse(text)
    assert [(line.number, line.span.of(text), shape(line.root), line.used) for line in parsed.lines] == [
        (1, "heat.ti.", "heat@title", True),
        (2, "cold.ti.", "cold@title", False),
        (3, "rain.ti.", "rain@title", True),
        (4, "1 and 3", "(heat@title & rain@title)", True),
    ]
    (finding,) = parsed.findings
    assert (finding.rule, finding.span.of(text)) == ("unused-line", "cold.ti.")
    assert "Line 2 " in finding.message
    assert [node.span.of(text) for node in parsed.nodes] == ["1 and 3", "heat.ti.", "rain.ti."]


@pytest.mark.parametrize(
    ("last", "rule", "place"),
    [
        ("1 and 7", "unknown-line", "1 and 7"),
        ("or/1-9", "unknown-line", "or/1-9"),
        ("limit 8 to yr=\"2010\"", "unknown-line", 'limit 8 to yr="2010"'),
        ("limit 1 to humans", "limit-left-out", "limit 1 to humans"),
        ("1 and 3", "unknown-line", "1 and 3"),
    ],
)  # fmt: skip
def test_a_line_that_does_not_exist_and_a_limit_that_cannot_be_tested_are_named(last, rule, place):
    text = f"1. heat.ti.\n2. 1 or cold.ti.\n3. {last}"
    assert (rule, place) in [(f.rule, f.span.of(text)) for f in parse(text).findings]


def test_a_limit_that_cannot_be_tested_stays_as_a_part_that_cannot():
    parsed = parse('1. heat.ti.\n2. limit 1 to (humans and yr="2010-2020")')
    assert shape(parsed.root) == '(heat@title & 2010..2020 & "humans"@?limit)'
    assert [finding.rule for finding in parsed.findings] == ["limit-left-out"]


@pytest.mark.parametrize(
    "text",
    ["", "heat OR\ncold AND snow", "2 heat\n1 cold", "1. heat\nand\nsome\nmore\nlines", "1. a\n1. b"],
)
def test_what_is_not_in_lines(text):
    assert numbered_lines(text) == ()


def test_a_mistake_in_a_line_stands_where_it_stands_in_the_whole_text():
    text = "1. heat.ti.\n2. (cold or .ti.\n3. 1 and 2"
    assert ("unbalanced-bracket", "(") in [(f.rule, f.span.of(text)) for f in parse(text).findings]


def test_lines_that_double_and_double_come_to_an_end():
    text = "1. heat.ti.\n" + "\n".join(f"{n}. {n - 1} or {n - 1}" for n in range(2, 400))
    parsed = parse(text)
    assert "too-deep" in {f.rule for f in parsed.findings}
    assert all(line.root is None or line.number < 400 for line in parsed.lines)
    assert len(parsed.nodes) <= MOST_NODES


def test_lines_that_only_go_deeper_come_to_an_end():
    text = "1. heat.ti.\n" + "\n".join(f"{n}. ({n - 1} or a.ti.) and b.ti." for n in range(2, 400))
    assert "too-deep" in {f.rule for f in parse(text).findings}
