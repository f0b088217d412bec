"""Fields and values that look alike in two databases: converted if they are known there, else told as lost."""

from __future__ import annotations

import pytest

from core.query.dialects import DIALECTS
from core.query.dialects.base import Tag
from core.query.parser import parse
from core.query.translation import translate
from core.query.tree import OWN_FIELDS, TEXT_FIELDS, DialectId

# Dialect | search string | other dialect | what is written there, beside "shade" | worst status, or exact
_FACTS = """
# Dates of records
pubmed | 2018/03/15[edat] | ovid | 20180315.ez. | exact
pubmed | 2018/03/15[edat] | ebsco | EM 20180315 | exact
pubmed | 2018/03/15[edat] | embase | [15-03-2018]/sd | widened
pubmed | 2018/03/15[edat] | wos | | unsupported
pubmed | 2018/03[edat] | ovid | 201803*.ez. | exact
pubmed | 2018/03[edat] | ebsco | EM 20180301-20180331 | exact
pubmed | 2015:2020[edat] | ovid | | unsupported
pubmed | 2015:2020[edat] | ebsco | EM 20150101-20201231 | exact
pubmed | 2015:3000[edat] | embase | [01-01-2015]/sd | exact
pubmed | "last 30 days"[edat] | ovid | | unsupported
pubmed | 2018/02/30[edat] | ovid | | unsupported
pubmed | 2018/03/15[lr] | ovid | 20180315.rd. | exact
pubmed | 2018/03/15[crdt] | ovid | 20180315.dt. | exact
ovid | 2018*.ez. | pubmed | 2018[edat] | exact
embase | [15-3-2015]/sd | pubmed | 2015/03/15:3000[edat] | exact
embase | [15-3-2015]/sd | embase | [15-3-2015]/sd | exact
pubmed | 2018/3/5[edat] | pubmed | 2018/3/5[edat] | exact
wos | LD=2015 | ovid | | unsupported
# Limits of Embase.com
embase | [humans]/lim | embase | [humans]/lim | exact
embase | [humans]/lim | pubmed | | unsupported
embase | [english]/lim | embase | [english]/lim | exact
embase | [english]/lim | pubmed | english[la] | exact
pubmed | "randomized controlled trial"[pt] | embase | [randomized controlled trial]/lim | exact
pubmed | "systematic review"[pt] | embase | [systematic review]/lim | exact
pubmed | review[pt] | embase | review:it | exact
embase | [meta analysis]/lim | pubmed | "meta-analysis"[pt] | exact
# Filters and subsets
pubmed | "free full text"[filter] | embase | | unsupported
pubmed | "free full text"[filter] | ebsco | | unsupported
pubmed | medline[sb] | ovid | | unsupported
pubmed | medline[sb] | ebsco | | unsupported
# Countries of authors
wos | CU=Germany | openalex | authorships.countries:DE | exact
wos | CU=USA | scopus | AFFILCOUNTRY("United States") | exact
wos | CU="Peoples R China" | embase | China:ca | exact
wos | CU=Wales | openalex | | unsupported
scopus | AFFILCOUNTRY("United Kingdom") | wos | | unsupported
# Open access
openalex | is_oa:true | scopus | OPENACCESS(1) | exact
scopus | OPENACCESS(1) | openalex | is_oa:true | exact
scopus | OPENACCESS(0) | openalex | | unsupported
wos | OA=gold | scopus | | unsupported
# Subheadings
pubmed | "adverse effects"[sh] | ovid | ae.xs. | exact
pubmed | "prevention and control"[sh:noexp] | ovid | pc.fs. | exact
ovid | ae.xs. | pubmed | "adverse effects"[sh] | exact
# All fields, and terms without a field
pubmed | heat | ovid | heat.af. | exact
ovid | heat.af. | pubmed | heat | exact
ovid | heat | pubmed | heat[tw] | widened
ovid | heat | ovid | heat | exact
pubmed | heat | openalex | heat | narrowed
openalex | heat | ovid | heat.ti,ab. | narrowed
# Journals
pubmed | Lancet[ta] | ovid | Lancet.jn. | exact
pubmed | "N Engl J Med"[ta] | ovid | "N Engl J Med".jn,ja. | exact
pubmed | "N Engl J Med"[ta] | scopus | EXACTSRCTITLE("N Engl J Med") | unsupported
ovid | "New England Journal of Medicine".jn. | pubmed | "New England Journal of Medicine"[ta] | widened
pubmed | Lancet[ta] | scopus | EXACTSRCTITLE(Lancet) | exact
pubmed | Lancet[ta] | embase | Lancet:jt | widened
pubmed | Lancet[ta] | ebsco | SO Lancet | widened
pubmed | Lancet[ta] | proquest | PUB(Lancet) | widened
pubmed | Lancet[ta] | cochrane | Lancet:so | widened
pubmed | Lancet[ta] | wos | SO=Lancet | widened
scopus | SRCTITLE(Lancet) | ovid | Lancet.jw. | exact
scopus | SRCTITLE(Lancet) | pubmed | Lancet[ta] | narrowed
# Document types that are narrower, and names that go on
pubmed | review[pt] | ovid | review.pt. | narrowed
pubmed | review[pt:noexp] | ovid | review.pt. | exact
pubmed | letter[pt] | ovid | letter.pt. | exact
ovid | review.pt. | pubmed | review[pt:noexp] | exact
ovid | letter.pt. | pubmed | letter[pt] | exact
ovid | review.pt. | ebsco | PT review | exact
ovid | review.pt. | scopus | DOCTYPE(re) | widened
scopus | DOCTYPE(re) | pubmed | review[pt] | exact
pubmed | smith j[au] | ovid | smith j*.au. | exact
pubmed | "smith j"[au] | ovid | smith j.au. | exact
ovid | smith j*.au. | pubmed | smith j[au] | exact
ovid | smith j.au. | pubmed | "smith j"[au] | exact
pubmed | smith j[au] | wos | AU=(smith j*) | exact
pubmed | smith[au] | wos | AU=smith | exact
pubmed | smith[au] | ovid | smith*.au. | widened
# Authors, publishers and keywords
pubmed | "Smith J"[au] | openalex | | unsupported
openalex | raw_author_name.search:smith | pubmed | | unsupported
wos | PUBL=Elsevier | scopus | PUBLISHER(Elsevier) | exact
scopus | BOOKPUB(Elsevier) | wos | | unsupported
scopus | AUTHKEY(heat) | openalex | heat | unsupported
# Numbers and classes of one database
ovid | 12345678.an. | embase | | unsupported
ovid | 12345678.ui. | pubmed | | unsupported
embase | 12345678:ui | proquest | | unsupported
wos | WC=Oncology | ovid | | unsupported
ovid | 1100.cc. | ebsco | | unsupported
embase | 1100:cl | proquest | | unsupported
scopus | PAGELAST(101) | pubmed | | unsupported
scopus | EDFIRST(John) | pubmed | | unsupported
embase | Oxford:ff | pubmed | | unsupported
# Numbers of journals
pubmed | 0140-6736[is] | wos | IS=0140-6736 | widened
wos | IS=0140-6736 | pubmed | 0140-6736[is] OR 0140-6736[isbn] | exact
# Keywords that only one database has
pubmed | heat[tiab] | scopus | TITLE-ABS-KEY(heat) | widened
scopus | TITLE-ABS-KEY(heat) | pubmed | heat[tiab] | narrowed
scopus | TITLE-ABS-KEY(heat) | wos | TS=heat | unsupported
wos | TS=heat | ovid | heat.ti,ab,kf. | narrowed
scopus | TITLE-KEY(heat) | ovid | heat.ti,kf,hw. | unsupported
# Words of subject headings
ovid | heat.hw. | cochrane | heat:kw | widened
ebsco | SU heat | ovid | heat.hw. | unsupported
ebsco | SU heat | plain | index_terms:heat | exact
plain | heat | scopus | TITLE-ABS-KEY(heat) | exact
wos | TS=heat | wos | TS=heat | exact
"""
FACTS = [
    pytest.param(*(part.strip() for part in line.split("|")), id=line)
    for line in _FACTS.strip().splitlines()
    if not line.startswith("#")
]
SHADE = {
    "pubmed": ("shade[ti]", " AND "),
    "ovid": ("shade.ti.", " and "),
    "wos": ("TI=shade", " AND "),
    "scopus": ("TITLE(shade)", " AND "),
    "ebsco": ("TI shade", " AND "),
    "embase": ("shade:ti", " AND "),
    "openalex": ("title.search:shade", ","),
}
"""What can be left out stands beside something else."""


@pytest.mark.parametrize(("dialect", "text", "to", "expected", "status"), FACTS)
def test_a_value_is_converted_or_told_as_lost(
    dialect: DialectId, text: str, to: DialectId, expected: str, status: str
) -> None:
    rest = ""
    if not expected:
        rest, word = SHADE[dialect]
        text = f"{rest}{word}{text}"
    made = translate(parse(text, dialect), to)
    assert made.text == (expected or translate(parse(rest, dialect), to).text)
    assert [loss.status for loss in made.losses] == ([] if status == "exact" else [status])


def test_a_field_of_one_dialect_is_in_no_other() -> None:
    own = set(OWN_FIELDS)
    for dialect in DIALECTS.values():
        used = {field for tag in dialect.tags.values() for field in tag.fields}
        foreign = own if dialect.id == "plain" else {name for name in own if name.startswith(f"{dialect.id}_")}
        assert used & own == foreign, dialect.id


@pytest.mark.parametrize("one", ["ovid", "ebsco", "proquest"])
@pytest.mark.parametrize("other", ["ovid", "ebsco", "proquest"])
def test_a_heading_of_another_thesaurus_stays_on_its_platform(one: DialectId, other: DialectId) -> None:
    text = {"ovid": "exp Stress/", "ebsco": '(MH "Stress+")', "proquest": 'MAINSUBJECT.EXACT.EXPLODE("Stress")'}[one]
    made = translate(parse(text, one), other, database="other", to_database="other")
    assert made.is_exact == (one == other)


def test_only_the_topic_search_of_two_databases_looks_in_more() -> None:
    more = {dialect.id for dialect in DIALECTS.values() if dialect.topic_also}
    assert more == {"scopus", "wos"}
    assert all(Tag(fields=TEXT_FIELDS) in DIALECTS[dialect_id].tags.values() for dialect_id in more)


@pytest.mark.parametrize(
    ("text", "database", "written"),
    [
        ("TITLE(heat) AND DOCTYPE(ar)", "", "heat.ti."),
        ("TITLE(heat) AND DOCTYPE(ar)", "medline", "heat.ti."),
        ("TITLE(heat) AND DOCTYPE(ar)", "embase", "heat.ti. and article.pt."),
        ("TITLE(heat) AND DOCTYPE(le)", "medline", "heat.ti. and letter.pt."),
    ],
)
def test_ovid_has_document_types_of_embase_in_embase_only(text: str, database: str, written: str) -> None:
    made = translate(parse(text, "scopus"), "ovid", to_database=database)
    assert made.text == written
    assert made.is_exact == ("pt" in written)


@pytest.mark.parametrize(("code", "is_exact"), [("hw", False), ("mp", False), ("ti,ab,kf", True), ("af", True)])
def test_words_of_headings_are_not_the_same_in_another_database(code: str, is_exact: bool) -> None:
    query = parse(f"heat.{code}.", "ovid")
    assert translate(query, "ovid", database="medline", to_database="embase").is_exact == is_exact
    assert translate(query, "ovid", database="medline", to_database="medline").is_exact


@pytest.mark.parametrize(
    ("text", "source", "target", "written"),
    [
        ("1. stroke.ti.\n2. limit 1 to animals\n3. 1 not 2", "ovid", "pubmed", "stroke[ti]"),
        ("stroke.ti. not (heat.ti. and conference abstract.pt.)", "ovid", "pubmed", "stroke[ti]"),
        ("stroke.ti. not (heat.ti. or conference abstract.pt.)", "ovid", "pubmed", "stroke[ti] NOT heat[ti]"),
        ("stroke.ti. and heat.ti. and conference abstract.pt.", "ovid", "pubmed", "stroke[ti] AND heat[ti]"),
        ("TI=stroke AND DT=(Article OR Review)", "wos", "pubmed", "stroke[ti]"),
        ("TI=stroke NOT DT=(Article OR Review)", "wos", "pubmed", "stroke[ti] NOT review[pt]"),
    ],
)
def test_what_is_left_out_never_makes_a_search_find_less(
    text: str, source: DialectId, target: DialectId, written: str
) -> None:
    made = translate(parse(text, source), target)
    assert made.text == written
    assert not made.is_exact


def test_small_operators_without_end_are_read_in_one_go() -> None:
    assert parse("a or " * 19_000 + "b", "pubmed").root is not None
