"""Wildcards, neighbours, subheadings and NOT: the exact form where a dialect has one, else a loss that says how."""

from __future__ import annotations

import pytest

from core.query.dialects import DIALECTS
from core.query.equivalence import same
from core.query.leaf_texts import adapted
from core.query.parser import parse
from core.query.translation import translate
from core.query.tree import ANY_ENDING, DialectId, Gap, Group, Heading, Node, Range, Term

EXACT = [
    # One subheading for each heading, in the letters or the names that the platform takes.
    ("ovid", "exp Heat Stroke/dt,th", "pubmed", '"Heat Stroke/dt"[Mesh] OR "Heat Stroke/th"[Mesh]'),
    ("ovid", "exp Heat Stroke/dt,th", "cochrane", '[mh "Heat Stroke"/DT] OR [mh "Heat Stroke"/TH]'),
    ("proquest", 'MESH.EXACT("Pain -- therapy")', "proquest", 'MESH.EXACT("Pain -- therapy")'),
    ("ebsco", '(MH "Pain+/DT/TH")', "ebsco", '(MH "Pain+/DT/TH")'),
    ("embase", "'aspirin'/exp/dd_ae", "embase", "'aspirin'/exp/dd_ae"),
    ("embase", "'asthma'/exp/dm_dt", "embase", "'asthma'/exp/dm_dt"),
    # A phrase with a truncation as neighbours, where quotes take none.
    ("ovid", "heat wave*.ti.", "cochrane", "(heat NEXT wave*):ti"),
    ("ovid", '("heat wave*" adj3 health).ti.', "cochrane", "((heat NEXT wave*) NEAR/3 health):ti"),
    # Neighbours as a phrase, where no operator keeps the order.
    ("ovid", "(heat adj wave).ti.", "pubmed", '"heat wave"[ti]'),
    ("ebsco", "TI (heat W0 wave)", "wos", 'TI="heat wave"'),
    ("scopus", "TITLE(heat PRE/0 wave)", "openalex", 'title.search:"heat wave"'),
    ("ovid", "(heat adj (wave or spell)).ti.", "wos", 'TI=("heat wave" OR "heat spell")'),
    ("ovid", "((heat adj wave) adj3 death).ti.", "wos", 'TI=("heat wave" NEAR/2 death)'),
    # A number of letters, and a letter or none.
    ("ovid", "adapt*3.ti.", "proquest", "TI(adapt[*3])"),
    ("proquest", "TI(adapt$3)", "ovid", "adapt$3.ti."),
    ("ovid", "behavio?r.ti.", "proquest", "TI(behavior OR behavio?r)"),
    ("ovid", "behavio?r.ti.", "scopus", "TITLE(behavior OR behavio?r)"),
    ("ovid", "behavio?r.ti.", "openalex", "title.search:(behavior OR behavio?r)"),
    ("ovid", "(behavio?r adj3 heat).ti.", "scopus", "TITLE((behavior W/2 heat) OR (behavio?r W/2 heat))"),
    ("ovid", "behavio?r.ti,ab,kf.", "dimensions", "behavior OR behavio?r"),
    # A field behind a colon may hold for the last word alone.
    ("wos", "TI=(heat wave)", "embase", "(heat AND wave):ti"),
    ("wos", "TI=(heat wave)", "cochrane", "(heat AND wave):ti"),
    # Years without an end, and the fewest tags.
    ("scopus", "PUBYEAR > 2014", "proquest", "YR(>=2015)"),
    ("scopus", "PUBYEAR < 2021", "proquest", "YR(<=2020)"),
    ("pubmed", "heat[tw]", "ovid", "heat.mp,pt."),
]
LOSSES = [
    ("ovid", "wom#n.ti.", "pubmed", "woman[ti] OR women[ti]", ["narrowed"]),
    ("ovid", "behavio?r.ti.", "pubmed", "behavior[ti] OR behaviour[ti]", ["narrowed"]),
    ("ovid", "randomi?ed.ab.", "pubmed", "randomised[ab] OR randomized[ab]", ["narrowed"]),
    ("ovid", "p?ediatr*.ti.", "wos", "TI=(pediatr* OR paediatr*)", ["narrowed"]),
    ("ovid", "wom#n.ti.", "cochrane", "wom?n:ti", ["widened"]),
    ("ovid", "adapt*25.ti.", "proquest", "TI(adapt*)", ["narrowed"]),
    ("ovid", "(heat adj3 wave).ti.", "dimensions", '"heat wave"~2', ["widened"]),
    ("ovid", "exp Heat Stroke/dt,th", "proquest", 'MESH.EXACT.EXPLODE("Heat Stroke")', ["widened"]),
    ("proquest", "FT(heat)", "pubmed", "heat", ["unsupported"]),
    ("proquest", "FT(heat)", "embase", "heat", ["unsupported"]),
    ("proquest", "FT(heat)", "wos", "heat", ["unsupported"]),
    ("plain", "NOT title:heat", "dimensions", "NOT heat", ["unsupported", "widened"]),
    ("plain", "NOT title:heat", "scopus", "NOT TITLE(heat)", ["unsupported"]),
    ("plain", "NOT title:heat", "pubmed", "NOT heat[ti]", ["unsupported"]),
]


@pytest.mark.parametrize(("source", "query", "to", "text"), EXACT)
def test_an_exact_form_is_written(source: DialectId, query: str, to: DialectId, text: str) -> None:
    made = translate(parse(query, source), to)
    assert (made.text, made.losses) == (text, ())


@pytest.mark.parametrize(("source", "query", "to", "text", "statuses"), LOSSES)
def test_what_has_no_exact_form_is_told(
    source: DialectId, query: str, to: DialectId, text: str, statuses: list[str]
) -> None:
    made = translate(parse(query, source), to)
    assert (made.text, [loss.status for loss in made.losses]) == (text, statuses)


@pytest.mark.parametrize(
    ("dialect_id", "text", "expected"),
    [
        ("cochrane", '[mh "Heat Stroke"/TH]', Heading("Heat Stroke", subheadings=("th",))),
        ("cochrane", '[mh ^"Heat Stroke"/DT,TH]', Heading("Heat Stroke", explode=False, subheadings=("dt", "th"))),
        ("cochrane", '[mh^"Heat Stroke"]', Heading("Heat Stroke", explode=False)),
        ("cochrane", '[mh "Heat Stroke"]/th', Heading("Heat Stroke", subheadings=("th",))),
        (
            "cochrane",
            "MeSH descriptor: [Heat Stroke] explode all trees and with qualifier(s): [Therapy - TH]",
            Heading("Heat Stroke", subheadings=("th",)),
        ),
        ("ebsco", 'MH "Pain+/DT/TH"', Heading("Pain", subheadings=("dt", "th"))),
        ("proquest", 'MESH.EXACT("Pain -- drug therapy")', Heading("Pain", False, False, ("dt",), thesaurus="mesh")),
        ("proquest", "adapt[*3]", Term(("adapt", Gap(0, 3)))),
        ("proquest", "adapt$12", Term(("adapt", Gap(0, 12)))),
        ("proquest", "YR(>=2015)", Range(2015, None)),
    ],
)
def test_a_documented_notation_is_read(dialect_id: DialectId, text: str, expected: Node) -> None:
    parsed = parse(text, dialect_id)
    assert parsed.root is not None
    assert same(parsed.root, expected)
    assert not parsed.findings


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("heat PRE/0 wave", '"heat wave"', True),
        ("(heat PRE/0 wave) NEAR/2 death", '"heat wave" NEAR/2 death', True),
        ("heat NEAR/0 wave", '"heat wave"', False),
        ("heat PRE/1 wave", '"heat wave"', False),
        ("behavio$r", "behavior OR behavio?r", True),
        ("behavio$r", "behavior", False),
        ('mesh:"Pain/dt,th"', 'mesh:"Pain/dt" OR mesh:"Pain/th"', True),
        ('mesh:"Pain/dt,th"', 'mesh:"Pain/dt" AND mesh:"Pain/th"', False),
    ],
)
def test_two_ways_of_saying_the_same(one: str, other: str, expected: bool) -> None:
    first, second = parse(one, "plain").root, parse(other, "plain").root
    assert first is not None
    assert second is not None
    assert same(first, second) is expected


def test_a_subheading_is_linked_to_a_disease_or_a_drug() -> None:
    for query, text in (("exp aspirin/ae", "'aspirin'/exp/dd_ae"), ("exp asthma/th", "'asthma'/exp/dm_th")):
        made = translate(parse(query, "ovid"), "embase", database="embase")
        assert (made.text, made.losses) == (text, ())
    back = translate(parse("'aspirin'/exp/dd_ae", "embase"), "ovid", to_database="embase")
    assert (back.text, back.losses) == ("exp aspirin/ae", ())


def test_messages_name_the_fields_and_the_database() -> None:
    (loss,) = translate(parse("TITLE(heat)", "scopus"), "dimensions").losses
    assert "title, abstract and keywords" in loss.message
    (loss,) = translate(parse("heat[tw]", "pubmed"), "dimensions").losses
    assert "all fields" not in loss.message
    (loss,) = translate(parse("exp Asthma/", "ovid"), "ovid", database="medline", to_database="embase").losses
    assert "Embase on Ovid" in loss.message


def test_short_stems_are_written_out_with_the_corpus_also_where_words_are_near() -> None:
    corpus = ("heat", "flu", "flus", "fluid", "woman", "womyn", "éclair")
    query = parse("(flu* adj3 shot).ti.", "ovid")
    assert translate(query, "pubmed", vocabulary=corpus).text == (
        '"flu shot"[ti:~2] OR "fluid shot"[ti:~2] OR "flus shot"[ti:~2]'
    )
    assert translate(query, "pubmed", vocabulary=set(corpus)).text == translate(query, "pubmed", vocabulary=corpus).text
    assert translate(parse("wom#n.ti.", "ovid"), "pubmed", vocabulary=corpus).text == "woman[ti] OR womyn[ti]"


def test_a_stem_finds_the_words_of_the_corpus_in_any_order_and_case() -> None:
    found = adapted(("Fl", ANY_ENDING), DIALECTS["pubmed"], strict=True, vocabulary=("fox", "flu", "flat", "heat"))
    assert found.variants == (("flat",), ("flu",))


def test_a_wildcard_for_a_whole_word_is_not_lost_among_neighbours() -> None:
    made = translate(parse('title:"heat * wave*"', "plain"), "cochrane")
    assert "NEXT" not in made.text
    assert made.losses


def test_neighbours_in_different_fields_are_no_phrase() -> None:
    root = Group("AND", (Term(("heat",), False, ("title",)), Term(("wave",), False, ("abstract",))))
    made = translate(parse("title:heat PRE/0 abstract:wave", "plain"), "wos")
    again = parse(made.text, "wos").root
    assert made.losses
    assert again is None or not same(again, root)
