"""Constructs of single databases that are easily read as something else."""

from __future__ import annotations

import pytest
from hypothesis import given

from core.query.dialects import DIALECTS
from core.query.dialects.dimensions import unwrapped
from core.query.lexer import highlight
from core.query.parser import parse
from core.query.translation import translate, write
from core.query.tree import DialectId, Group, Heading, Range, Term, walk
from core.sources.dimensions import dimensions_form
from core.sources.source_forms import SourceOptions
from tests.core.query.query_shapes import shape
from tests.core.query_trees import trees

HEAT_OR_COLD = "(heat@title,abstract | cold@title,abstract)"


@pytest.mark.parametrize(
    ("text", "dialect", "wanted"),
    [
        # a slash inside of words that have a field is no subheading
        ('"SPECT/CT".ti,ab.', "ovid", '"SPECT/CT"@title,abstract'),
        ("SPECT/CT.ti.", "ovid", "SPECT/CT@title"),
        ('"hiv/ai"', "ovid", '"hiv/ai"'),
        ("Stress/ae", "ovid", "<=Stress/ae>"),
        ('exp "Wounds and Injuries"/', "ovid", "<Wounds and Injuries>"),
        # spaces in or before a field
        ("(heat or cold). tw.", "ovid", HEAT_OR_COLD),
        ("(heat or cold) .tw.", "ovid", HEAT_OR_COLD),
        ("heat .ti. and cold.ab.", "ovid", "(heat@title & cold@abstract)"),
        ("heat.ab. /freq=2", "ovid", "heat@abstract,?freq=2"),
        ("heat.m_titl.", "ovid", "heat@title"),
        # a colon at the end of a word truncates
        ("heat:.ti. or (heat: adj3 cold:).ab.", "ovid", "(heat*@title | near2(heat*@abstract, cold*@abstract))"),
        ('"10.1000/a:b".do.', "ovid", '"10.1000/a:b"@doi'),
        # without quotes too
        ("[mh ^asthma]", "cochrane", "<=asthma>"),
        ('[mh ^"heart failure"/DT]', "cochrane", "<=heart failure/dt>"),
        # the years before the first one count
        ("heat:ti AND [<1966-2020]/py", "embase", "(heat@title & ..2020)"),
        # an exact field of ProQuest that holds no heading
        (
            'ti(heat) AND la.exact("English") AND stype.exact("Scholarly Journals")',
            "proquest",
            '(heat@title & "English"@language & "Scholarly Journals"@source_type)',
        ),
        # remarks that Ovid prints behind a search
        (f"heat.ti. [mp=title, abstract{', heading word' * 12}]", "ovid", "heat@title"),
        ("exp Child [mesh]", "pubmed", "<Child>"),
        ("heat[ti] AND hasabstract", "pubmed", shape(parse("heat[ti] AND hasabstract[text]", "pubmed").root)),
    ],
)
def test_it_is_read_as_it_is_meant(text: str, dialect: DialectId, wanted: str) -> None:
    assert shape(parse(text, dialect).root) == wanted


@pytest.mark.parametrize(
    ("text", "dialect", "wanted", "left_out"),
    [
        ("S1 TI heat\nS2 AB cold\nS3 S1 AND S2 Limiters - Published Date: 20100101-20241231; Peer Reviewed", "ebsco",
         "(heat@title & cold@abstract)", "Limiters - Published Date: 20100101-20241231; Peer Reviewed"),
        ("S1 TI heat\nS2 AB cold\nS3 S1 AND S2\n  Limiters - English\n  Search modes - Boolean/Phrase", "ebsco",
         "(heat@title & cold@abstract)", "Limiters - English\n  Search modes - Boolean/Phrase"),
        ("#\tQuery\tLimiters/Expanders\tLast Run Via\tResults\nS3\tS1 OR S2\tLimiters - English\t\t12\n"
         "S2\tAB cold\nS1\tTI heat", "ebsco", "(heat@title | cold@abstract)", "Limiters - English"),
        ("#1 heat:ti\n#2 cold:ti\n#3 #1 AND #2 with Publication Year from 2010 to 2020, in Trials", "cochrane",
         "(heat@title & cold@title)", "with Publication Year from 2010 to 2020, in Trials"),
        ("heat:ti in Trials", "cochrane", "heat@title", "in Trials"),
        ("TI=heat Refined by: LANGUAGES: (ENGLISH) Timespan=2010-2020", "wos",
         "heat@title", "Refined by: LANGUAGES: (ENGLISH) Timespan=2010-2020"),
    ],
)  # fmt: skip
def test_a_restriction_behind_a_search_is_no_word_of_it(
    text: str, dialect: DialectId, wanted: str, left_out: str
) -> None:
    parsed = parse(text, dialect)
    assert shape(parsed.root) == wanted
    assert [(f.rule, f.span.of(text)) for f in parsed.findings if f.severity != "hint"] == [
        ("limit-left-out", left_out)
    ]
    assert left_out.split("\n")[0] in translate(parsed, "plain").losses[0].message


def test_of_joined_limits_those_that_are_known_are_read() -> None:
    text = (
        '1. heat.ti.\n2. limit 1 to (yr="2010 -2012" and humans and "all aged (65 and over)" and (english or german))'
    )
    parsed = parse(text, "ovid")
    assert shape(parsed.root) == (
        '(heat@title & 2010..2012 & ("english"@language | "german"@language) '
        '& "humans"@?limit & "all aged (65 and over)"@?limit)'
    )
    (finding,) = parsed.findings
    assert (finding.rule, "humans" in finding.message, "english" in finding.message) == ("limit-left-out", True, False)


def test_settings_of_a_platform_are_passed_over() -> None:
    parsed = parse("S1 TI heat Search modes - Boolean/Phrase\nS2 S1 OR AB cold Expanders - Apply subjects", "ebsco")
    assert (shape(parsed.root), parsed.findings) == ("(heat@title | cold@abstract)", ())


def test_words_of_a_search_are_no_restriction() -> None:
    for text in ('TI="changes in trials"', 'TI=(heat OR "refined by: cold")'):
        assert parse(text, "wos").findings == ()
    assert shape(parse('"heat in trials":ti', "cochrane").root) == '"heat in trials"@title'


def test_a_date_without_years_leaves_no_operator_behind() -> None:
    findings = parse('heat[ti] AND "last 5 years"[dp]', "pubmed").findings
    assert [finding.rule for finding in findings] == ["limit-left-out"]


@pytest.mark.parametrize(
    ("text", "dialect", "rule"),
    [
        ("heat.ti. and or/1-2", "ovid", "unknown-line"),
        ("heat.ti. and 2", "ovid", "unknown-line"),
        ("#1 AND TS=heat", "wos", "unknown-line"),
        ("S3 AND TI heat", "ebsco", "unknown-line"),
        ("exp Child [mesh]", "pubmed", "unknown-operator"),
        ("heat .ti.", "ovid", "spaced-field"),
        ("heat.tix.", "ovid", "unknown-field"),
        ("exp Heat/ and cold.ti,ab.", "embase", "unknown-field"),
        ("(heat OR cold).ti,ab.", "wos", "unknown-field"),
        ("'heat'/exp or cold", "ovid", "unknown-field"),
        ("heat:ti,ab,kw and cold", "ovid", "unknown-field"),
        ('ti(heat) AND rtype.exact("Article")', "proquest", "unknown-field"),
        ("(heat or cold).ti,xyz.", "ovid", "unknown-field"),
    ],
)
def test_what_was_left_out_or_put_right_is_said(text: str, dialect: DialectId, rule: str) -> None:
    parsed = parse(text, dialect)
    assert rule in [finding.rule for finding in parsed.findings]
    assert not any(isinstance(node, Term) and str(node.pieces[0]).lstrip("#S").isdigit() for node in parsed.nodes)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_number_is_never_written_as_a_reference_to_a_line(dialect: DialectId) -> None:
    mark = DIALECTS[dialect].line_mark
    text = write(Group("AND", (Term(("heat",)), Term((f"{mark}12",)))), dialect, strict=False).text
    assert parse(text, dialect).findings == ()
    assert "12" in shape(parse(text, dialect).root)


# The search language of Dimensions

DSL = 'search publications in title_abstract_only for "(heat OR cold)" {} return publications[id+title] limit 20'


@pytest.mark.parametrize(
    ("where", "wanted"),
    [
        ("", HEAT_OR_COLD),
        ("where year = 2020", f"({HEAT_OR_COLD} & 2020..2020)"),
        ("where year in [2010:2020]", f"({HEAT_OR_COLD} & 2010..2020)"),
        ("where year >= 2010 and year <= 2020", f"({HEAT_OR_COLD} & 2010..2020)"),
        ("where year > 2010", f"({HEAT_OR_COLD} & 2011..)"),
        ("where year < 2010", f"({HEAT_OR_COLD} & ..2009)"),
        ('where type = "article"', f'({HEAT_OR_COLD} & "article"@publication_type)'),
        (
            'where type in ["article", "chapter"] and year=2020',
            f'({HEAT_OR_COLD} & ("article"@publication_type | "chapter"@publication_type) & 2020..2020)',
        ),
    ],
)
def test_a_search_of_dimensions_is_unwrapped(where: str, wanted: str) -> None:
    parsed = parse(DSL.format(where))
    assert (parsed.dialect, shape(parsed.root), parsed.findings) == ("dimensions", wanted, ())


def test_escaped_quotes_are_quotes_and_keep_their_places() -> None:
    text = r'search publications in title_only for "\"heat wave\" OR \"tall tree\"~3 OR ice*" return publications'
    parsed = parse(text)
    assert shape(parsed.root) == '("heat wave"@title | near3(tall@title, tree@title) | ice*@title)'
    assert [part.kind for part in highlight(parsed)] == ["phrase", "operator", "near", "operator", "term"]
    assert [text[part.start : part.end] for part in highlight(parsed)][-1] == "ice*"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (DSL.format('where doi = "10.1/x"'), 'doi = "10.1/x"'),
        (DSL.replace("title_abstract_only", "acknowledgements").format(""), "acknowledgements"),
    ],
)
def test_what_a_search_of_dimensions_asks_for_besides_is_a_loss(text: str, named: str) -> None:
    (finding,) = parse(text).findings
    assert (finding.severity, finding.span.of(text)) == ("error", named)
    assert translate(parse(text), "pubmed").losses[0].message == finding.message


@given(tree=trees("plain"))
def test_what_is_sent_to_dimensions_is_read_again(tree: Group) -> None:
    parsed = parse(write(tree, "plain", strict=False).text, "plain")
    if parsed.root is None:
        return
    told = dimensions_form(parsed, parsed.root, SourceOptions())
    if told.root is None or all(isinstance(node, Range | Group) for node in walk(told.root)):
        return
    text = told.write(told.root)
    if " for " not in text:
        return
    again = parse(text, "dimensions")
    assert unwrapped(text) is not None
    assert again.root is not None
    assert not [finding for finding in again.findings if finding.rule == "unknown-field"]
    assert not any(isinstance(node, Heading) for node in walk(again.root))
