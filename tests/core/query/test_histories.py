"""Search histories as they are pasted: without numbers, with headings, counts of hits, and mistakes of every kind."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.query.dialects import DIALECTS
from core.query.histories import numbered_lines
from core.query.parser import parse
from core.query.translation import translate
from core.query.tree import Heading, Near, Node, ParsedQuery, Term, terms_in, walk, written
from tests.core.query.query_shapes import shape

HEAT_OR_COLD = "(heat@title | cold@title)"
WITHOUT_NUMBERS = [
    # text, dialect, tree
    ("heat.ti.\ncold.ti.\nor/1-2", "ovid", HEAT_OR_COLD),
    ("heat.ti.\ncold.ti.\nOR/1-2\nrain.ti.\n3 and 4", "ovid", f"({HEAT_OR_COLD} & rain@title)"),
    ("heat.ti.\n\n  cold.ti.\r\n\t1 or 2  ", "ovid", HEAT_OR_COLD),
    ("heat[ti]\ncold[ti]\n#1 OR #2", "pubmed", HEAT_OR_COLD),
    ("heat[ti]\ncold[ti]\n#1 OR 2", "pubmed", HEAT_OR_COLD),
    ("TI heat\nTI cold\nS1 OR S2", "ebsco", HEAT_OR_COLD),
    ("heat:ti\ncold:ti\n{OR #1-#2}", "embase", HEAT_OR_COLD),
    ("heat.ti.\nexp animals/\nexp humans/\n2 not (2 and 3)\n1 not 4", "ovid",
     "(heat@title & !(<animals> & !(<animals> & <humans>)))"),
    ("heat.ti.\nlimit 1 to yr=2010-", "ovid", "(heat@title & 2010..)"),
    ("heat.ti.\n..l/ 1 yr=2010-2012", "ovid", "(heat@title & 2010..2012)"),
    ("1. heat.ti.\n2. ..limit/1 yr=2010-", "ovid", "(heat@title & 2010..)"),
    ("heat.ti.\ncold.ti.\nor/1-2\nremove duplicates from 3", "ovid", HEAT_OR_COLD),
    ("heat.ti.\ncold.ti.\n1 or 2 or ICE.tw.\n1 or 3", "ovid",
     "(heat@title | (heat@title | cold@title | ICE@title,abstract))"),
    ("heat.ti.\ncold.ti.\nor/1-2 or rain.ti.", "ovid", f"({HEAT_OR_COLD} | rain@title)"),
    ("heat.ti.\nor warmth.ti.\ncold.ti.\n1 or 2", "ovid", "((heat@title | warmth@title) | cold@title)"),
    ("heat.ti. or\nwarmth.ti.\ncold.ti.\n1 or 2", "ovid", "((heat@title | warmth@title) | cold@title)"),
    ("(heat or\nwarmth).ti.\ncold.ti.\n1 or 2", "ovid", "((heat@title | warmth@title) | cold@title)"),
    ("heat.ti.\n(type 1 or 2).ti.\n1 or 2", "ovid", '(heat@title | ("type 1"@title | 2@title))'),
    ("heat.mp. [mp=title, abstract, original title, name of substance word, subject heading word, unique identifier]\n"
     "Ice/du [Diagnostic Use]\n1 or 2", "ovid", "(heat@title,abstract,keywords,subject,substance,other | <=Ice/du>)"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "dialect", "expected"), WITHOUT_NUMBERS)
def test_lines_without_numbers_are_counted(text, dialect, expected):
    parsed = parse(text)
    assert parsed.dialect == dialect
    assert shape(parsed.root) == expected
    assert [line.number for line in parsed.lines] == list(range(1, len(parsed.lines) + 1))
    assert not [f for f in parsed.findings if f.severity == "error"]


@pytest.mark.parametrize(
    "text",
    [
        "(heat[ti] OR\ncold[ti])\nAND rain[ti]",
        "TS=(heat\nOR cold\nOR rain)",
        "TITLE(heat)\nAND TITLE(cold)",
        "(heat OR\n1 or 2\nOR cold) AND rain",
        "heat\ncold\n2010 and 2011",
        "heat\n3 and 4",
        "heart sounds\nS1 or S2",
        "heat[ti] OR\ncold[ti] OR\nrain[ti]",
        "type\n1 or 2\ndiabetes",
    ],
)
def test_a_string_in_one_piece_is_no_history(text):
    assert numbered_lines(text) == ()


# Headings

HEADED = """1 Index test: by ear
1a
heat[ti] OR warmth[ti]
1b
hot[ti]
2. Population: towns and cities
tree[ti] OR
shrub[ti]
OR hedge[ti]
3. Exclusion criteria: deserts
sand[ti]
Searches (combinations)
A. (1a or 1b) and 2 not 3
B. 1 and 2
Final search: A or B"""


def test_references_to_headings_mean_the_lines_below():
    parsed = parse(HEADED)
    town = "(tree@title | shrub@title | hedge@title)"
    first = f"(((heat@title | warmth@title) | hot@title) & {town} & !sand@title)"
    second = f"(((heat@title | warmth@title) | hot@title) & {town})"
    assert shape(parsed.root) == f"({first} | {second})"
    assert [line.label for line in parsed.lines] == [
        "1 Index test: by ear / 1a",
        "1 Index test: by ear / 1b",
        "2. Population: towns and cities",
        "3. Exclusion criteria: deserts",
        "Searches (combinations) / A",
        "Searches (combinations) / B",
        "Searches (combinations) / Final search",
    ]
    (joined,) = (f for f in parsed.findings if f.rule == "joined-lines")
    assert (joined.severity, joined.span.of(HEADED)) == ("warning", "1")
    assert [f.rule for f in parsed.findings].count("heading-line") == 6
    assert {f.rule for f in parsed.findings} == {"joined-lines", "heading-line"}


def test_a_heading_that_does_not_exist_is_named():
    text = "1a\nheat[ti]\n1b\ncold[ti]\n1a and 2a"
    parsed = parse(text)
    assert shape(parsed.root) == "heat@title"
    assert [(f.rule, f.span.of(text)) for f in parsed.findings if f.severity == "error"] == [
        ("unknown-line", "1a and 2a")
    ]


def test_headings_are_counted_only_if_every_reference_fits_then():
    plain = parse("Population:\nheat.ti.\ncold.ti.\nor/1-2")
    assert shape(plain.root) == HEAT_OR_COLD
    assert [line.number for line in plain.lines] == [1, 2, 3]
    counted = parse("Population:\nheat.ti.\nIntervention:\ncold.ti.\n2 or 4")
    assert shape(counted.root) == HEAT_OR_COLD
    assert [line.number for line in counted.lines] == [2, 4, 5]
    assert "line-numbers" in [f.rule for f in counted.findings]
    neither = parse("Population:\nheat.ti.\ncold.ti.\n1 or 2\n3 or 9")
    assert [line.number for line in neither.lines] == [1, 2, 3, 4]
    assert "unknown-line" in [f.rule for f in neither.findings]


def test_headings_between_numbered_lines_are_labels():
    text = (
        "Ovid MEDLINE(R) 1946 to May 2012\n-----\n1. heat.ti.\n2. cold.ti.\nPopulation:\n3. tree.ti.\n4. (1 or 2) and 3"
    )
    parsed = parse(text)
    assert shape(parsed.root) == f"({HEAT_OR_COLD} & tree@title)"
    assert [line.label for line in parsed.lines] == ["Ovid MEDLINE(R) 1946 to May 2012"] * 2 + ["Population:"] * 2


# Counts of hits


@pytest.mark.parametrize(
    ("lines", "hits"),
    [
        (("heat.ti. 12345", "cold.ti. (1,234)", "or/1-2 13579"), (12345, 1234, 13579)),
        (("heat.ti.\t12 345", "cold.ti.(99)", "1 or 2   1 234"), (12345, 99, 1234)),
        (("heat 12", "cold 15", "1 or 2 20"), (12, 15, 20)),
        (("heat.ti.", "cold.ti. Total references = 1551", "1 or 2"), (None, 1551, None)),
        (("heat.ti.", "cold.ti.", "1 or 2"), (None, None, None)),
        (("interleukin 6", "cold.ti.", "1 or 2"), (None, None, None)),
        (("heat.ti. [mp=title] 20", "cold.ti.", "or/1-2 [heat] (7)"), (20, None, 7)),
    ],
)
@pytest.mark.parametrize("has_numbers", [True, False])
def test_counts_are_kept_and_are_no_part_of_the_search(lines, hits, has_numbers):
    parsed = parse("\n".join(f"{n}. {line}" if has_numbers else line for n, line in enumerate(lines, start=1)), "ovid")
    assert tuple(line.hits for line in parsed.lines) == hits
    assert len(parsed.nodes) == 3
    assert not [f for f in parsed.findings if f.severity == "error"]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("4 not (4 and 5)", "!"),
        ("4 and 5", "&"),
        ("or/4,5", "|"),
        ("(4 or 5) 12", "|"),
        ("4 not 5", "!"),
        ("4 or (5)", "|"),
    ],
)
def test_the_end_of_a_line_of_references_is_no_count(body, expected):
    parsed = parse(f"1. a.ti.\n2. b.ti.\n3. or/1-2\n4. c.ti.\n5. d.ti.\n6. {body}", "ovid")
    last = parsed.lines[-1]
    assert last.hits == (12 if body.endswith("12") else None)
    assert expected in shape(last.root)
    assert "d@title" in shape(last.root)


def test_a_total_behind_a_string_in_one_piece_is_named():
    text = "heat[ti] OR cold[ti]Total references = 1551"
    parsed = parse(text)
    assert shape(parsed.root) == HEAT_OR_COLD
    assert [(f.rule, f.span.of(text)) for f in parsed.findings] == [("hit-count", "Total references = 1551")]


def test_a_table_gives_number_count_and_search():
    for text in (
        "# 1\t12,345\tTI=heat\n# 2\t99\tTI=cold\n# 3\t5\t#1 OR #2",
        "1\tTI=heat\t12,345\n2\tTI=cold\t99\n3\t#1 OR #2\t5",
    ):
        parsed = parse(text, "wos")
        assert shape(parsed.root) == HEAT_OR_COLD
        assert [line.hits for line in parsed.lines] == [12345, 99, 5]


# Mistakes


def _errors(text: str) -> list[tuple[str, str]]:
    return [(f.rule, f.span.of(text)) for f in parse(text).findings if f.severity == "error"]


def test_of_two_histories_the_last_is_the_result():
    text = "1. heat.ti.\n2. cold.ti.\n3. 1 or 2\n1. rain.ti.\n2. snow.ti.\n3. 1 and 2"
    parsed = parse(text)
    assert shape(parsed.root) == "(rain@title & snow@title)"
    assert shape(parsed.lines[2].root) == HEAT_OR_COLD
    assert _errors(text) == [("several-histories", "rain.ti.")]
    assert "lines 1 to 3" in parsed.findings[0].message


@pytest.mark.parametrize(
    ("text", "errors", "named"),
    [
        ("1. a.ti.\n2. 1 and 3\n3. b.ti.\n4. 2 or 3", [("unknown-line", "1 and 3")], "ine 3"),
        ("1. a.ti.\n2. 1 and 3\n3. 2 or 1\n4. 2 or 3", [("unknown-line", "1 and 3")], "circle"),
        ("1. a.ti.\n2. 1 and 2", [("unknown-line", "1 and 2")], "itself"),
        ("1. a.ti.\n2. b.ti.\n5. 1 or 2\n7. 5 not 3", [("unknown-line", "5 not 3")], "line 3"),
        ("7. a.ti.\n8. b.ti.\n9. or/3-8", [("unknown-line", "or/3-8")], "begins at line 7"),
        ("1. a.ti.\n2. b.ti.\n3. 1 or 2 or 9 or c.ti.", [("unknown-line", "1 or 2 or 9 or c.ti.")], "line 9"),
        ("b.ti.\n1. a.ti.\n2. 1 or c.ti.", [("text-left-out", "b.ti.")], "not read"),
        ("1. a.ti.\n2. b.ti.\n2. c.ti.\n3. 1 and 2", [("line-numbers", "c.ti.")], "number 2"),
        ("1. a.ti.\n2. (1 or b.ti.\n3. 1 and 2", [("unbalanced-bracket", "(")], "closed"),
    ],
)  # fmt: skip
def test_mistakes_are_named(text, errors, named):
    assert _errors(text) == errors
    assert any(named in f.message for f in parse(text).findings)
    assert not _bare_numbers(parse(text))


def test_what_is_left_of_a_not_without_its_beginning_is_nothing():
    parsed = parse("1. heat.ti.\n2. 9 not 1\n3. 1 or 2")
    assert parsed.lines[1].root is None
    assert shape(parsed.root) == "heat@title"


def test_a_last_line_that_cannot_be_read_is_named():
    text = "1. heat.ti.\n2. cold.ti. and 1\n3. or/7-9"
    assert ("empty", "or/7-9") in _errors(text)


def test_only_a_list_refers_to_nothing():
    parsed = parse("or/1-9")
    assert parsed.root is None
    assert _errors("or/1-9") == [("unknown-line", "or/1-9")]


def test_lines_of_different_databases_are_named():
    text = "1. heat.ti.\n2. cold[tiab]\n3. TS=(rain)\n4. or/1-3"
    (mixture,) = (f for f in parse(text).findings if f.rule == "mixed-dialects")
    assert mixture.severity == "warning"
    assert all(word in mixture.message for word in ("line 2", "PubMed", "line 3", "Web of Science"))


def test_numbers_at_the_beginning_of_a_wrapped_row_are_words():
    parsed = parse("1. heat.ti. or (type\n2 or ice).ti.\n2. cold.ti.\n3. 1 or 2")
    assert [line.number for line in parsed.lines] == [1, 2, 3]
    assert shape(parsed.root) == '((heat@title | ("type 2"@title | ice@title)) | cold@title)'


@pytest.mark.parametrize(
    ("limit", "named"),
    [
        ("limit 1 to (english and humans)", "the limit to humans"),
        ('limit 1 to "reviews (maximizes specificity)"', "reviews (maximizes specificity)"),
        ('limit 1 to (humans and yr="2010 -Current")', "humans"),
    ],
)
def test_a_limit_says_what_it_leaves_out(limit, named):
    (finding,) = parse(f"heat.ti.\n{limit}").findings
    assert (finding.rule, finding.severity) == ("limit-left-out", "warning")
    assert finding.message.rstrip(".").endswith(named)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("1. heat.ti.\n2. limit 1 to english language", '(heat@title & "english"@language)'),
        (
            "1. heat.ti.\n2. limit 1 to (english or german)",
            '(heat@title & ("english"@language | "german"@language))',
        ),
        (
            '1. heat.ti.\n2. limit 1 to (english language and yr="2010 -Current")',
            '(heat@title & 2010.. & "english"@language)',
        ),
        ("1. heat.ti.\n2. limit 1 to case reports", '(heat@title & "case reports"@publication_type_only)'),
        ('heat.ti.\nlimit 1 to yr="2010 -Current"', "(heat@title & 2010..)"),
        ("#3 #1 OR #2\n#2 TI=cold\n#1 TI=heat", HEAT_OR_COLD),
        ("1. heat.ti. or cold.ti.", HEAT_OR_COLD),
    ],
)
def test_it_is_read_without_a_finding(text, wanted):
    parsed = parse(text)
    assert (shape(parsed.root), parsed.findings) == (wanted, ())


@pytest.mark.parametrize("line", ["limit 1 to humans", "1 use ppez"])
def test_a_limit_that_is_left_out_is_a_loss_in_every_dialect(line):
    parsed = parse(f"1. heat.ti.\n2. {line}", "ovid")
    for dialect in DIALECTS:
        assert any(loss.start == parsed.text.index(line) for loss in translate(parsed, dialect).losses), dialect
    assert translate(parsed, "ovid").n_unread == 0


def test_duplicates_that_are_removed_are_no_loss():
    assert translate(parse("1. heat.ti.\n2. remove duplicates from 1", "ovid"), "pubmed").losses == ()


@pytest.mark.parametrize(
    ("text", "hits"),
    [
        ("1\nheat.ti.\n2\ncold.ti.\n3\nor/1-2", [None, None, None]),
        ("1\nheat.ti.\n1234\n2\ncold.ti.\n2\n3\n1 or 2\n1,280", [1234, 2, 1280]),
        ("#\nSearches\nResults\n1.\nheat.ti.\n3\n2.\ncold.ti.\n4\n3.\n1 or 2\n7", [3, 4, 7]),
    ],
)
def test_numbers_and_counts_may_stand_in_rows_of_their_own(text, hits):
    parsed = parse(text)
    assert (parsed.dialect, shape(parsed.root)) == ("ovid", HEAT_OR_COLD)
    assert [line.number for line in parsed.lines] == [1, 2, 3]
    assert [line.hits for line in parsed.lines] == hits
    assert {finding.rule for finding in parsed.findings} <= {"heading-line"}


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("heat.ti.\ncold.ti.\nor/1-2\nrain.ti.\nsnow.ti.\nor/1-2", "rain.ti."),
        ("heat.ti.\ncold.ti.\n1 or 2\nrain.ti.\nsnow.ti.\n1 and 2\nice.ti.\n3 or 4", "rain.ti."),
        ("heat.ti.\ncold.ti.\n1 or 2\nrain.ti.\n3 and 4", None),
        ("heat.ti.\ncold.ti.\n1 or 2\nrain.ti.\nsnow.ti.\n4 or 5", None),
    ],
)
def test_a_second_history_without_numbers_is_named(text, first):
    named = [finding.span.of(text) for finding in parse(text).findings if finding.rule == "several-histories"]
    assert named == ([] if first is None else [first])


BIG = {
    "short lines": "\n".join(["a.ti."] * 9_990 + ["or/1-9990"]),
    "numbered lines": "\n".join(f"{n}.ab" for n in range(1, 10_001)),
    "lists of lists": "\n".join(["or/1-999"] * 10_000),
    "lists of terms": "\n".join(["a.ti."] * 5_000 + ["or/1-5000"] * 4_000),
    "forward": "\n".join(f"{n + 1} or {n + 2}" for n in range(1, 7_000)),
    "open brackets": "\n".join(["(a"] * 20_000 + ["1 or 2"]),
    "headings": "\n".join(["1a"] + ["x"] * 3_000 + ["1b", "y"] + ["1a and 1b"] * 5_000),
    "remarks": "a\n" + "[b] " * 24_000 + "\n1 or 2",
    "counts": "\n".join(["12 345"] * 12_000 + ["a", "1 or 2"]),
}


@pytest.mark.parametrize("text", BIG.values(), ids=BIG)
def test_a_huge_history_is_read_in_one_go(text):
    before = time.process_time()
    parse(text)
    assert time.process_time() - before < 12  # a second on an idle machine; squares take minutes


# Laws

SEARCHES = ["heat.ti.", "(cold or rain*).ab.", "exp Stress/", "(snow adj3 ice).tw.", '"tall trees".ti,ab.', "leaf$.mp."]


@st.composite
def histories(draw: st.DrawFn) -> list[str]:
    lines = [draw(st.sampled_from(SEARCHES)), draw(st.sampled_from(SEARCHES))]
    for number in range(3, draw(st.integers(4, 9))):
        one, two, three = (draw(st.integers(1, number - 1)) for _ in range(3))
        forms = [
            draw(st.sampled_from(SEARCHES)),
            f"{one} or {two}",
            f"{one} and ({two} or {three})",
            f"{one} not ({one} and {two})",
            f"or/{min(one, two)}-{max(one, two)}",
            f"({one} or heat.ti.) and cold.ab.",
        ]
        lines.append(draw(st.sampled_from(forms)))
    last = len(lines)
    return [*lines, f"or/1-{last}"]


def _numbered(lines: Sequence[str]) -> str:
    return "\n".join(f"{n}. {line}" for n, line in enumerate(lines, start=1))


def _trees(text: str) -> list[str]:
    parsed = parse(text, "ovid")
    return [shape(parsed.root), *(shape(line.root) for line in parsed.lines)]


@given(histories())
def test_numbers_change_nothing(lines):
    assert _trees("\n".join(lines)) == _trees(_numbered(lines))


@given(histories(), st.sampled_from([" {}", "\t{}", " ({})", "   {:,}"]), st.integers(1, 99_999))
@settings(max_examples=60)
def test_counts_change_nothing(lines, form, n):
    counted = [line + form.format(n) for line in lines]
    assert _trees("\n".join(counted)) == _trees("\n".join(lines)) == _trees(_numbered(counted))
    assert {line.hits for line in parse("\n".join(counted), "ovid").lines} == {n}


WRAPPINGS: list[Callable[[str], str]] = [
    lambda text: text.replace("\n", "\r\n"),
    lambda text: text.replace("\n", "\n\n \n"),
    lambda text: text.replace("\n", "\t\n\t"),
    lambda text: f"\n\n{text}\n",
    lambda text: text.replace("\n", "\x0b"),
    lambda text: text.replace("\n", "\r"),
]


@given(histories(), st.sampled_from(WRAPPINGS), st.booleans())
def test_line_breaks_and_spaces_change_nothing(lines, wrap, has_numbers):
    text = _numbered(lines) if has_numbers else "\n".join(lines)
    assert _trees(wrap(text)) == _trees(text)


@given(histories(), st.data())
def test_every_line_is_used_or_named(lines, data):
    at = data.draw(st.integers(0, len(lines) - 1))
    lines[at] = data.draw(
        st.sampled_from(["or/7-20", "3 and 12", "(heat", "heat or", "???", "1 and 1", "limit 9 to x"])
    )
    text = _numbered(lines)
    parsed = parse(text, "ovid")
    named = [finding.span for finding in parsed.findings]
    assert parsed.lines
    for line in parsed.lines:
        is_named = any(line.span.start <= span.start <= line.span.end for span in named)
        assert line.used or is_named
        assert line.root is not None or is_named
    assert not _bare_numbers(parsed)


ROWS = [
    *("heat.ti.", "1", "or/1-2", "1 or 2", "2 not (2 and 1)", "3)", "(", "A. 1a", "1a", "2. x:", "Population:", "1. a"),
    *("12,345", "limit 1 to x", "#1 AND #9", "[b]", "or", "use 3", "Final search: A or B", "B. 2", "(1a or 2) and 3"),
]


@given(st.lists(st.sampled_from(ROWS), max_size=12))
def test_nothing_crashes_and_no_reference_becomes_a_word(rows):
    parsed = parse("\n".join(rows), "ovid")
    for line in parsed.lines:
        assert 0 <= line.span.start <= line.span.end <= len(parsed.text)
    assert not parsed.lines or not [leaf for leaf in _leaves(parsed) if re.search(r"\b(or|and)/\d", leaf)]


# Published strategies

LINES = {
    "CD007394": 23, "CD007427": 95, "CD007431": 14, "CD008643": 5, "CD008686": 5, "CD008691": 87, "CD009593": 10,
    "CD009372": 38, "CD010173": 54, "CD011134": 33, "CD012019": 110, "CD008054": 0, "CD009020": 0, "CD009323": 0,
}  # fmt: skip
DEFECTS = {
    "CD007394": [("unbalanced-quote", 9)],
    "CD009579": [("unused-line", 35)],
    "CD009593": [("unused-line", 6), ("unused-line", 7), ("unused-line", 8), ("unused-line", 9)],
    "CD009647": [("unused-line", 35)],
    "CD010409": [("unused-line", 12)],
}
HISTORY_RULES = {
    *("unused-line", "unknown-line", "unbalanced-quote", "unbalanced-bracket", "several-histories", "line-numbers"),
    *("text-left-out", "joined-lines", "mixed-dialects", "too-deep", "empty"),
}


@pytest.fixture
def strategies(collections_dir: Path) -> dict[str, str]:
    file = collections_dir / "cleftar" / "strategies.jsonl"
    return {each["id"]: each["text"] for each in map(json.loads, file.read_text("utf-8").splitlines())}


def _leaves(parsed: ParsedQuery) -> list[str]:
    return [_written(node) for node in parsed.nodes if isinstance(node, Term | Heading | Near)]


def _written(node: Node) -> str:
    if isinstance(node, Heading):
        return node.name
    return " ".join(written(term.pieces) for term in terms_in(node))


def _bare_numbers(parsed: ParsedQuery) -> list[str]:
    terms = [node for node in walk(parsed.root) if isinstance(node, Term)] if parsed.root else []
    texts = [written(term.pieces) for term in terms if not term.quoted and not term.fields]
    return [text for text in texts if re.fullmatch(r"#?[Ss]?\d+", text)]


@pytest.mark.collections
def test_published_strategies_keep_their_references(strategies: dict[str, str]) -> None:
    assert len(strategies) == 50
    for name, text in strategies.items():
        parsed = parse(text)
        assert not _bare_numbers(parsed), name
        assert not [leaf for leaf in _leaves(parsed) if re.search(r"\b(?:and|or)/|#\d|\0", leaf, re.I)], name
        unknown = [f.span for f in parsed.findings if f.rule == "unknown-line"]
        used = {line.number for line in parsed.lines if line.used}
        for line in parsed.lines:
            body = line.span.of(text)
            if not re.fullmatch(r"[\s()#\d,/-]*(?:(?:and|or|not)[\s()#\d,/-]+)+", body, re.I):
                continue
            numbers = {int(n) for n in re.findall(r"\d+", body)}
            assert numbers <= used or line.span in unknown, (name, body)
            assert max(numbers) < line.number or line.span in unknown, (name, body)


@pytest.mark.collections
def test_the_defects_of_published_strategies_are_named(strategies: dict[str, str]) -> None:
    for name, text in strategies.items():
        parsed = parse(text)
        assert len(parsed.lines) == LINES.get(name, len(parsed.lines)), name
        found = [
            (f.rule, next(line.number for line in parsed.lines if line.span.start <= f.span.start <= line.span.end))
            for f in parsed.findings
            if f.rule in HISTORY_RULES
        ]
        assert found == DEFECTS.get(name, []), name


@pytest.mark.collections
def test_published_strategies_without_their_brackets_are_named(strategies: dict[str, str]) -> None:
    """A bracket that is missing is named, and the lines keep their numbers."""
    for name in ("CD008691", "CD009372", "CD011134"):
        text = strategies[name]
        place = text.index(")")
        broken = text[:place] + text[place + 1 :]
        parsed = parse(broken)
        assert len(parsed.lines) == LINES[name]
        assert "unbalanced-bracket" in {f.rule for f in parsed.findings}
