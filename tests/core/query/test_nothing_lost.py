"""Every word of a text is looked for, or a finding points at it; what other databases write is no riddle."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.query.checks import lint
from core.query.dialects import DIALECTS
from core.query.parser import parse
from core.query.tree import DialectId, Gap, Group, Heading, Near, Node, Not, Range, Term, apply_edits, walk, written

WORD = re.compile(r"wo[a-j]rd")
COMMENT = re.compile(r"(?<![^\s(])/\*.*?\*/|^[ \t]*(?://|# )[^\n]*", re.DOTALL | re.MULTILINE)
REMARK = re.compile(r'\[[^\[\]\n"]{0,80}\]')
SIGNS = r"""( ) ( ) [ ] { } " " “ ” ' * ? $ # ! : = , . / \ ~3 -- /* */ // > ; | || & && + - ^ {a {1,2}"""
OPERATORS = "AND OR NOT and or not NEAR/3 ADJ2 W/2 N3 PRE/1 NEAR adj SAME NEXT or/1-2 limit 1. 2. 3. #1 S1 1 2 2010"
BEFORE = "TI= TS=( title: TI TX DE MH TITLE( TITLE-ABS-KEY( LIMIT-TO( LIMIT-TO(DOCTYPE, EXCLUDE( PUBYEAR PY= xx= year:"
BEHIND = "exp /de /exp :ti,ab [tiab] [mesh] [majr] [dp] [ti:~2] [xx] [mh .ti. .ti,ab. .sh. .mp. ]/lim '/exp 2010-2020"
SCRAPS = " ".join((SIGNS, OPERATORS, BEFORE, BEHIND, "title_and_abstract.search: publication_year:")).split()
FORMS = ("{}", "{}", "{}", "{}*", '"{}"', "{{{}}}", "{}-{}", "/* {} */", "[{}]", "({})", "{}.ti.", "{}/", "'{}'/exp")


@st.composite
def _texts(draw: st.DrawFn) -> str:
    out = []
    for n in range(draw(st.integers(1, 9))):
        if draw(st.booleans()):
            out.append(draw(st.sampled_from(FORMS)).replace("{}", f"wo{'abcdefghij'[n]}rd"))
        else:
            out.append(draw(st.sampled_from(SCRAPS)))
        out.append(draw(st.sampled_from((" ", " ", "", "\n"))))
    return "".join(out)


def looked_for(root: Node | None) -> Iterator[str]:
    for node in walk(root) if root is not None else ():
        if isinstance(node, Near):
            for part in node.parts:
                yield from looked_for(part)
        elif isinstance(node, Term):
            yield written(node.pieces)
        elif isinstance(node, Heading):
            yield f"{node.name} {' '.join(node.subheadings)}"


@given(_texts(), st.sampled_from([None, *DIALECTS]))
@example("LIMIT-TO(DOCTYPE, woard wobrd", "scopus")
@example("woard[tiab] AND wobrd", "ovid")
@example("PY=2010 woard", "wos")
@example("woard /* wobrd", "plain")
@example("/* " + "x " * 200 + "woard */ wobrd", "plain")
def test_no_word_is_lost_silently(text: str, dialect: DialectId | None) -> None:
    parsed = parse(text, dialect)
    if parsed.kind == "question":
        return
    searched = COMMENT.sub(lambda found: " " * len(found.group()), text)
    if parsed.dialect == "ovid":
        searched = REMARK.sub(lambda found: " " * len(found.group()), searched)
    roots = [parsed.root, *(line.root for line in parsed.lines)]
    found = {word for root in roots for leaf in looked_for(root) for word in WORD.findall(leaf.lower())}
    spans = [finding.span for finding in lint(parsed)]
    for place in WORD.finditer(searched):
        pointed_at = any(span.start <= place.start() and place.end() <= span.end for span in spans)
        assert place.group() in found or pointed_at, (place.group(), parsed.root, parsed.findings)


def test_a_long_comment_is_a_comment() -> None:
    assert parse("heat /* " + "why not " * 100 + "*/ AND cold", "plain").root == parse("heat AND cold", "plain").root
    assert parse("heat /* AND cold", "plain").root == parse("heat AND cold", "plain").root
    assert parse("/* " * 30_000 + "heat", "plain").root == Term(("heat",))


def test_cochrane_fields_and_headings() -> None:
    parsed = parse('(heat or "cold wave"):ti,ab AND [mh ^"Stress"] AND tree*:ti NOT [mh Asthma]/DT,TH')
    assert parsed.dialect == "cochrane"
    assert isinstance(parsed.root, Group)
    words, stress, tree, asthma = parsed.root.parts
    assert isinstance(words, Group)
    assert [part.fields for part in words.parts if isinstance(part, Term)] == [("title", "abstract")] * 2
    assert stress == Heading("Stress", explode=False)
    assert isinstance(tree, Term)
    assert tree.fields == ("title",)
    assert asthma == Not(Heading("Asthma", subheadings=("dt", "th")))
    as_plain = parse(parsed.text, "plain")
    assert sum("Cochrane" in finding.message for finding in as_plain.findings) == 1
    assert as_plain.root is not None
    assert [leaf.thesaurus for leaf in walk(as_plain.root) if isinstance(leaf, Heading)] == ["mesh", "mesh"]


def test_cochrane_lines() -> None:
    text = (
        "#1 MeSH descriptor: [Asthma] explode all trees\n#2 MeSH descriptor: [Heat] this term only\n"
        "#3 cough*:ti,ab,kw (Word variations have been searched)\n#4 #1 AND (#2 OR #3)"
    )
    fields = ("title", "abstract", "keywords", "subject")
    cough = Term(parse("cough*").root.pieces, fields=fields)  # type: ignore[union-attr]
    wanted = Group("AND", (Heading("Asthma"), Group("OR", (Heading("Heat", explode=False), cough))))
    assert parse(text).root == wanted


@pytest.mark.parametrize(
    ("text", "wanted", "rules"),
    [
        ("MeSH descriptor Heat Stroke explode all trees", Heading("Heat Stroke"), []),
        ("MeSH descriptor Heat Stroke, this term only", Heading("Heat Stroke", explode=False), []),
        (
            "MeSH descriptor Asthma explode all trees with qualifiers: DT,TH",
            Heading("Asthma", subheadings=("dt", "th")),
            [],
        ),
        ("MeSH descriptor Asthma explode trees 1 and 2", Heading("Asthma"), ["limit-left-out"]),
        ("MeSH descriptor: [Asthma] explode trees 1, 2 and 3", Heading("Asthma"), ["limit-left-out"]),
        ("MeSH descriptor: [Asthma] 1 tree(s) exploded", Heading("Asthma"), ["limit-left-out"]),
    ],
)
def test_cochrane_headings_of_all_years(text: str, wanted: Heading, rules: list[str]) -> None:
    parsed = parse(f"#1 {text}\n#2 cough*:ti\n#3 #1 AND #2")
    assert parsed.dialect == "cochrane"
    assert parsed.root == Group("AND", (wanted, Term(parse("cough*").root.pieces, fields=("title",))))  # type: ignore[union-attr]
    assert [finding.rule for finding in parsed.findings] == rules


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("'heart attack'/exp", Heading("heart attack")),
        ("'heart attack'/exp/mj", Heading("heart attack", major=True)),
        ("'heart attack'/de", Heading("heart attack", explode=False)),
        ("asthma/exp", Heading("asthma")),
        ("'heart attack':ti,ab", Term(("heart attack",), True, ("title", "abstract"))),
        ("[english]/lim", Term(("english",), True, ("language",))),
        ("[review]/lim", Term(("review",), True, ("publication_type",))),
        ("[humans]/lim", Term(("humans",), True, ("embase_limit",))),
        ("[2010-2020]/py", Range(2010, 2020)),
    ],
)
def test_embase(text: str, wanted: Node) -> None:
    assert parse(f"({text})").root == wanted
    elsewhere = replace(wanted, thesaurus="emtree") if isinstance(wanted, Heading) else wanted
    assert parse(text, "wos").root == elsewhere


def test_an_ovid_heading_with_a_subheading_is_not_taken_for_embase() -> None:
    assert parse("asthma/de", "ovid").root == Heading("asthma", explode=False, subheadings=("de",))


def test_ovid_lines_that_change_nothing_are_the_line_before() -> None:
    text = "1. exp Asthma/ 1200\n2. asthma*.ti. 34\n3. or/1-2 [population] 1234\n4. 3 use ppez 12\n"
    first = parse(f"{text}5. remove duplicates from 4").root
    assert first == parse("exp Asthma/ or asthma*.ti.", "ovid").root
    assert parse(f"{text}5. remove duplicates from 4   1 234").root == first
    missing = parse(f"{text}5. remove duplicates from 9")
    assert "unknown-line" in [finding.rule for finding in missing.findings]


@pytest.mark.parametrize(
    ("text", "dialect", "rule", "at", "fixed"),
    [
        ("heat | cold", "plain", "unknown-operator", "|", "heat OR cold"),
        ("heat && cold", "plain", "unknown-operator", "&&", "heat AND cold"),
        ("heat -cold", "plain", "unknown-operator", "-cold", "heat NOT cold"),
        ("heat -cold", "scopus", "unknown-operator", "-cold", "heat AND NOT cold"),
        ("heat NEXT wave", "ovid", "unknown-operator", "NEXT", None),
        ('heat[ti] AND "last 5 years"[dp]', "pubmed", "limit-left-out", '"last 5 years"[dp]', None),
        ("PY=2010 spring", "wos", "limit-left-out", "PY=2010 spring", None),
        ("heat[tiab]", "ovid", "unknown-field", "[tiab]", None),
        ("TI heat", "pubmed", "unknown-field", "TI", None),
        ('(MH "Asthma+") or heat.ti.', "ovid", "unknown-field", "MH", None),
        ("AB (heat OR cold)", "wos", "unknown-field", "AB", None),
        ("ti(heat) AND peer(yes)", "proquest", "unknown-field", "peer", None),
        ("heat.ti. or exp asthma", "ovid", "unknown-operator", "exp asthma", "heat.ti. or exp asthma/"),
        ("heat.ti. use ppez,oemezd", "ovid", "limit-left-out", "use ppez,oemezd", None),
        ("(heat or cold).ti. use ppez", "ovid", "limit-left-out", "use ppez", None),
        ("limit 5 to english", "ovid", "unknown-line", "limit 5 to english", None),
        ("LIMIT-TO(DOCTYPE, ar", "scopus", "unbalanced-bracket", "(", "LIMIT-TO(DOCTYPE, ar)"),
    ],
)
def test_what_would_be_passed_over_is_said(
    text: str, dialect: DialectId, rule: str, at: str, fixed: str | None
) -> None:
    (finding,) = (each for each in parse(text, dialect).findings if each.rule == rule)
    assert finding.span.of(text) == at
    assert (finding.fix is None) == (fixed is None)
    if finding.fix is not None:
        assert apply_edits(text, finding.fix.edits) == fixed


@pytest.mark.parametrize(
    ("text", "dialect"),
    [
        ("AB blood group", "pubmed"),
        ("heat TI", "pubmed"),
        ("drug.ti. and use disorder.ab.", "ovid"),
        ("diabetes (type 2)", "proquest"),
        ("exp asthma/", "ovid"),
        ("export.ti.", "ovid"),
        ("TI heat", "ebsco"),
    ],
)
def test_words_that_look_like_another_database_are_words(text: str, dialect: DialectId) -> None:
    rules = {finding.rule for finding in parse(text, dialect).findings}
    assert rules.isdisjoint({"unknown-field", "unknown-operator", "limit-left-out", "unknown-line"})


def test_same_is_and_outside_of_addresses() -> None:
    assert parse("TS=(heat SAME cold)", "wos").root == parse("TS=(heat AND cold)", "wos").root


def test_a_gap_for_nothing_is_no_word() -> None:
    assert Term((Gap(0, 0), "# heat")).chunks == Term(("heat",)).chunks


@pytest.mark.parametrize(
    "text",
    [
        "'" + "a " * 45_000,
        "' a" * 30_000,
        "[mh " + "a" * 90_000,
        "[mh a " * 15_000,
        "a" + "/exp" * 22_000,
        "a:" * 45_000,
    ],
    ids=["one quote", "quotes", "one heading", "headings", "endings", "colons"],
)
def test_what_other_databases_write_is_read_in_one_go(text: str) -> None:
    assert parse(text, "plain").root is not None


@pytest.mark.parametrize("text", ["'_'/exp", "[mh _]", "[_]/lim", "'-'/de"])
def test_a_heading_without_a_word_is_said(text: str) -> None:
    parsed = parse(text, "plain")
    assert parsed.root is None
    assert "no-word" in [finding.rule for finding in parsed.findings]
