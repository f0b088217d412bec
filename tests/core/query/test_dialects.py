"""What each dialect's strings ask for, as its documentation has it; trees in the notation of `query_shapes`."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.query.dialects import DIALECTS
from core.query.dialects.base import Tag
from core.query.parser import parse
from core.query.tree import Group, Heading, Near, Not, Range, Term
from tests.core.query.query_shapes import shape
from tests.core.query.tag_samples import TagSample, samples

PUBMED = {
    # Operators: from left to right, whatever they are.
    "heat AND trees OR shade": "((heat & trees) | shade)",
    "heat OR trees AND shade NOT birds": "((heat | trees) & shade & !birds)",
    "heat OR (trees NOT birds)": "(heat | (trees & !birds))",
    "heat and trees": "(heat & trees)",
    # Fields stand behind a term, a run of words or brackets.
    'heat[ti] AND "urban tree"[tiab]': '(heat@title & "urban tree"@topic)',
    "heat wave[tiab]": '"heat wave"@topic',
    "heat wave": "heat wave",
    "heat [tiab]": "heat@topic",
    "heat[Title/Abstract]": "heat@topic",
    "heat[tiab]AND(tree[tiab])": "(heat@topic & tree@topic)",
    "(heat OR cold)[tiab]": "(heat@topic | cold@topic)",
    "(heat[ti] OR cold)[tiab]": "(heat@title | cold@topic)",
    "smith j[au]": '"smith j*"@author',
    '"smith j"[au]': '"smith j"@author',
    "smith[au]": "smith@author",
    # Small operators are words where one tag behind them holds for all.
    "heat[ti] OR wounds and injuries[mh]": "(heat@title | <wounds and injuries>)",
    "heat[ti] and cold[ti]": "(heat@title & cold@title)",
    "neoplasm*[mh]": "<neoplasm*>",
    "randomized controlled trial[pt]": '"randomized controlled trial"@publication_type',
    "review[pt:noexp]": "review@publication_type_only",
    "english[la]": "english@language",
    '"Tafenoquine" [Supplementary Concept]': '"Tafenoquine"@substance',
    "10.1000/182[doi]": "10.1000/182@doi",
    "aspirin[ot]": "aspirin@keywords",
    "aspirin[all]": "aspirin",
    "beta-Lactams[tiab]": "beta-Lactams@topic",
    # Headings.
    "Malaria[mh]": "<Malaria>",
    "Malaria[mesh:noexp]": "<=Malaria>",
    '"Masks/adverse effects"[MAJR]': "<*Masks/adverse effects>",
    '"Practice Patterns, Physicians"[Mesh]': "<Practice Patterns, Physicians>",
    "humans[mesh] NOT (animals[mesh] NOT humans[mesh])": "(<humans> & !(<animals> & !<humans>))",
    # Truncation and proximity.
    "adapt*[tiab]": "adapt*@topic",
    '"adapt* model*"[tiab]': '"adapt* model*"@topic',
    '"rationing healthcare"[Title:~2]': "near2(rationing@title, healthcare@title)",
    '"heat wave city"[tiab:~4]': "within4(heat@topic, wave@topic, city@topic)",
    "“heat wave”[tiab]": '"heat wave"@topic',
    # Years.
    "2010:2020[dp]": "2010..2020",
    "2015[dp]": "2015..2015",
    "2010:3000[dp]": "2010..",
    '"2010/01/01"[dp] : "3000"[dp]': "2010..",
    '"2010/01/01"[PDat]:"2015/12/31"[PDat] AND heat': "(2010..2015 & heat)",
}
OVID = {
    "heat or trees and shade not birds": "(heat | (trees & shade & !birds))",
    "heat.ti.": "heat@title",
    "heat.ti": "heat@title",
    "heat wave.ti,ab.": '"heat wave"@title,abstract',
    '"heat wave".ab.': '"heat wave"@abstract',
    "heat.ti,ab,kf.": "heat@topic",
    "heat wave": '"heat wave"',
    "(heat or cold).ti,ab.": "(heat@title,abstract | cold@title,abstract)",
    "heat$.ti. not animal$.ti.": "(heat*@title & !animal*@title)",
    "randomized controlled trial.pt.": '"randomized controlled trial"@publication_type_only',
    # ADJ1 is side by side, ADJ3 has up to two words between; ADJ alone keeps the order.
    "heat adj3 wave": "near2(heat, wave)",
    "heat adj1 wave": "near0(heat, wave)",
    "heat adj wave": "pre0(heat, wave)",
    "(heat adj2 (wave or stress)).ab.": "near1(heat@abstract, (wave@abstract | stress@abstract))",
    # Headings.
    "exp Stress/": "<Stress>",
    "Malaria/": "<=Malaria>",
    "*Malaria/dt": "<=*Malaria/dt>",
    "exp *Malaria/": "<*Malaria>",
    "Malaria/dt, pc": "<=Malaria/dt/pc>",
    "exp Climate Change/ or heat.ti.": "(<Climate Change> | heat@title)",
    "stress.sh.": "<=stress>",
    # Wildcards.
    "adapt$3.tw.": "adapt{0,3}@title,abstract",
    "adapt*2.ti.": "adapt{0,2}@title",
    "behavio?r": "behavio{0,1}r",
    "wom#n.ti.": "wom?n@title",
    "2010:2020.yr.": "2010..2020",
}
WOS = {
    "TS=(heat AND tree*)": "(heat@topic & tree*@topic)",
    "TS=(heat OR trees AND shade)": "(heat@topic | (trees@topic & shade@topic))",
    'TI=heat AND AB="urban tree"': '(heat@title & "urban tree"@abstract)',
    'TS="heat wave" NOT TI=birds': '("heat wave"@topic & !birds@title)',
    "TS=heat wave": "heat wave@topic",
    "AU=Smith J AND TS=heat": '("Smith J"@author & heat@topic)',
    "AU=(Smith J* OR Jones)": '("Smith J*"@author | Jones@author)',
    "SO=(New England Journal of Medicine)": '"New England Journal of Medicine"@wos_publication_title',
    "heat wave": "heat wave",
    "ALL=heat": "heat",
    "AK=heat": "heat@keywords",
    "TS=(heat) and LA=English": "(heat@topic & English@language)",
    "TS=(heat wave) AND DT=(Article)": "(heat wave@topic & Article@publication_type)",
    # NEAR alone is NEAR/15; it binds tighter than all others.
    "heat NEAR/5 tree AND shade": "(near5(heat, tree) & shade)",
    "TS=(heat NEAR tree)": "near15(heat@topic, tree@topic)",
    "TI=((heat OR cold) NEAR/3 (tree* OR shade))": "near3((heat@title | cold@title), (tree*@title | shade@title))",
    "TS=wom?n": "wom?n@topic",
    "TS=colo$r": "colo{0,1}r@topic",
    "TS=*saccharide": "*saccharide@topic",
    "TS=heat*wave": "heat*wave@topic",
    "PY=2010-2020": "2010..2020",
    "PY=(2015) AND TS=heat": "(2015..2015 & heat@topic)",
    # As a list of results prints a search.
    'TOPIC: (heat wave) AND LANGUAGE: ("English")': '(heat wave@topic & "English"@language)',
    "DOCUMENT TYPES: (Article OR Review)": "(Article@publication_type | Review@publication_type)",
}
SCOPUS = {
    # The example of the documentation: OR first, AND NOT last.
    "KEY(mouse AND NOT cat OR dog)": ("(mouse@keywords,subject & !(cat@keywords,subject | dog@keywords,subject))"),
    "heat OR trees AND shade": "((heat | trees) & shade)",
    "heat AND trees AND NOT birds OR cats": "(heat & trees & !(birds | cats))",
    "heat AND NOT birds AND cats": "(heat & !(birds & cats))",
    "TITLE-ABS-KEY(heat AND trees)": "(heat@topic & trees@topic)",
    "TITLE-ABS-KEY ( heat )": "heat@topic",
    "TITLE(heat) AND NOT ABS(birds)": "(heat@title & !birds@abstract)",
    "title(heat) and authkey(cold)": "(heat@title & cold@keywords)",
    "heat wave": "heat wave",
    "AUTH(smith)": "smith@author",
    # Proximity binds tighter than AND, looser than OR.
    "TITLE-ABS-KEY(heat W/3 wave)": "near3(heat@topic, wave@topic)",
    "heat PRE/2 wave AND shade": "(pre2(heat, wave) & shade)",
    "heat OR cold W/3 wave": "near3((heat | cold), wave)",
    # Braces are exact, quotes are not.
    "{heat-wave}": "{heat-wave}",
    '"heat-wave"': '"heat-wave"',
    "wom?n OR *saccharide": "(wom?n | *saccharide)",
    # Years and limits.
    'TITLE("heat wave") AND PUBYEAR > 2010': '("heat wave"@title & 2011..)',
    "PUBYEAR > 2009 AND PUBYEAR < 2021": "(2010.. & ..2020)",
    "PUBYEAR AFT 2010": "2011..",
    "PUBYEAR BEF 2015": "..2014",
    "PUBYEAR = 2015": "2015..2015",
    'ABS(heat) AND (LIMIT-TO(DOCTYPE,"ar"))': '(heat@abstract & "ar"@publication_type)',
    "ABS(heat) AND ( LIMIT-TO ( PUBYEAR,2015) OR LIMIT-TO ( PUBYEAR,2016) )": (
        "(heat@abstract & (2015..2015 | 2016..2016))"
    ),
    'ABS(heat) AND EXCLUDE(LANGUAGE, "German")': '(heat@abstract & !"German"@language)',
    'ABS(heat) AND (EXCLUDE(DOCTYPE,"re") OR EXCLUDE(DOCTYPE,"cp"))': (
        '(heat@abstract & !("re"@publication_type | "cp"@publication_type))'
    ),
}
EBSCO = {
    "heat OR cold AND wave NOT bird": "(heat | (cold & wave & !bird))",
    "TI heat AND AB trees": "(heat@title & trees@abstract)",
    "TI (heat OR cold)": "(heat@title | cold@title)",
    "TI heat wave": '"heat wave"@title',
    'TI "heat wave" OR AB "heat wave"': '("heat wave"@title | "heat wave"@abstract)',
    "SU stress": "stress@subject",
    # Only a plus explodes a heading.
    '(MH "Stress+")': "<Stress>",
    'MH "Stress"': "<=Stress>",
    '(MM "Stress+")': "<*Stress>",
    'DE "Stress"': "<=Stress>",
    "heat N3 wave": "near3(heat, wave)",
    "heat W3 wave": "pre3(heat, wave)",
    "TI ((heat OR cold) N2 wave)": "near2((heat@title | cold@title), wave@title)",
    "colo#r": "colo{0,1}r",
    "wom?n": "wom?n",
    "PY 2010-2020": "2010..2020",
    "LA English": "English@language",
}
DIMENSIONS = {
    'heat AND "urban trees" OR shade': '((heat & "urban trees") | shade)',
    "(heat OR cold) AND NOT birds": "((heat | cold) & !birds)",
    '"heat wave"~5': "near5(heat, wave)",
    "w?men AND tree*": "(w?men & tree*)",
    "heat wave": "heat wave",
}
OPENALEX = {
    # A filter holds for all of its value.
    "title_and_abstract.search:heat AND trees": "(heat@title,abstract & trees@title,abstract)",
    'title.search:(heat OR "urban tree")': '(heat@title | "urban tree"@title)',
    "title.search:heat wave OR cold,publication_year:>2010": "((heat wave@title | cold@title) & 2011..)",
    "publication_year:2010-2020,title.search:heat": "(2010..2020 & heat@title)",
    'title.search:"heat wave"~3': "near3(heat@title, wave@title)",
    "default.search:adapt*": "adapt*",
    "heat AND NOT birds": "(heat & !birds)",
}
PLAIN = {
    "heat OR cold AND wave NOT bird": "(heat | (cold & wave & !bird))",
    "heat wave OR cold": "(heat wave | cold)",
    "NOT heat": "!heat",
    "heat AND NOT NOT cold": "(heat & !!cold)",
    "heat AND NOT (cold OR warm)": "(heat & !(cold | warm))",
    "title:heat AND abstract:(cold OR warm)": "(heat@title & (cold@abstract | warm@abstract))",
    'tiab:heat OR topic:"heat wave"': '(heat@title,abstract | "heat wave"@topic)',
    'subject:"Stress" OR major:Heat': "(<Stress> | <*Heat>)",
    "year:2010-2020": "2010..2020",
    "author:smith": "smith@author",
    "heat NEAR/3 wave": "near3(heat, wave)",
    "heat PRE/2 wave": "pre2(heat, wave)",
    "heat ADJ2 wave": "near1(heat, wave)",
    "(a NEAR/2 b) NEAR/5 c": "near5(near2(a, b), c)",
    "a NEAR/2 b NEAR/2 c": "near2(a, b, c)",
    '"heat wave"~3': "near3(heat, wave)",
    "{heat wave}": "{heat wave}",
    "colo$r OR wom?n OR *heat OR adapt{2,3}": "(colo{0,1}r | wom?n | *heat | adapt{2,3})",
    "“heat wave” OR «cold wave»": '("heat wave" | "cold wave")',
    "/* a note */ heat AND trees": "(heat & trees)",
    "// a note\nheat AND trees": "(heat & trees)",
    "# a note\nheat": "heat",
    "http://example.org/a": "http://example.org/a",
}
EXAMPLES = [
    pytest.param(dialect, text, expected, id=f"{dialect}: {text}")
    for dialect, examples in (
        ("pubmed", PUBMED),
        ("ovid", OVID),
        ("wos", WOS),
        ("scopus", SCOPUS),
        ("ebsco", EBSCO),
        ("dimensions", DIMENSIONS),
        ("openalex", OPENALEX),
        ("plain", PLAIN),
    )
    for text, expected in examples.items()
]


@pytest.mark.parametrize(("dialect", "text", "expected"), EXAMPLES)
def test_a_string_asks_for_what_its_database_documents(dialect, text, expected):
    parsed = parse(text, dialect)
    assert shape(parsed.root) == expected
    assert (parsed.dialect, parsed.confidence) == (dialect, 1)
    assert [f for f in parsed.findings if f.severity == "error"] == []


@pytest.mark.parametrize(
    ("dialect", "text", "expected"), [e for e in EXAMPLES if e.values[0] != "openalex" and "\n" not in e.values[1]]
)
def test_and_so_it_does_in_brackets(dialect, text, expected):
    assert shape(parse(f"(({text}))", dialect).root) == expected


def test_what_a_tree_holds():
    """The notation above hides what it is short for."""
    assert parse("heat[ti] AND NOT Malaria[mh:noexp]", "pubmed").root == Group(
        "AND", (Term(("heat",), fields=("title",)), Not(Heading("Malaria", explode=False)))
    )
    assert parse("(heat adj3 wave).ti.", "ovid").root == Near(
        (Term(("heat",), fields=("title",)), Term(("wave",), fields=("title",))), 2
    )
    assert parse("PY=2010-2020", "wos").root == Range(2010, 2020)
    assert parse("{heat}", "scopus").root == Term(("heat",), quoted=True, exact=True)


def test_every_dialect_has_its_name_and_its_source():
    assert len({dialect.label for dialect in DIALECTS.values()}) == len(DIALECTS)
    assert all(dialect.reference for dialect in DIALECTS.values())


@pytest.mark.parametrize("sample", list(samples()), ids=lambda sample: f"{sample.dialect}: {sample.text}")
def test_every_tag_of_a_dialect_is_read_as_what_it_means(sample: TagSample) -> None:
    meaning = DIALECTS[sample.dialect].tags.get(sample.tag, Tag())
    root = parse(sample.text, sample.dialect).root
    if sample.tag in DIALECTS[sample.dialect].limits:
        return
    if meaning.kind == "text":
        assert isinstance(root, Term)
        assert root.tag == sample.tag
        assert root.fields == meaning.fields or sample.tag == "lim"
    elif meaning.kind == "heading":
        wanted = Heading("stress", explode=meaning.explode, major=meaning.major, thesaurus=meaning.thesaurus)
        assert isinstance(root, Heading)
        assert replace(root, name=root.name.lower()) == wanted
    else:
        assert isinstance(root, Range)
        assert 2015 in (root.low, root.high)
        assert root.has_days == meaning.days or sample.dialect == "embase"
