"""Searches in the forms in which each platform exports, prints or shows them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.query.exports import laid_out
from core.query.lexer import highlight
from core.query.parser import parse
from core.query.translation import translate
from core.query.tree import DialectId
from tests.core.query.query_shapes import shape

EBSCO_SETTINGS = (
    "Expanders - Apply equivalent subjects\nSearch modes - Boolean/Phrase\tInterface - EBSCOhost Research Databases\n"
    "Search Screen - Advanced Search\nDatabase - CINAHL Complete"
)
WOS_RUN = "Date Run: Mon Mar 11 2024 10:00:00 GMT+0100 (Central European Standard Time)"
STROKE_AND_APHASIA = "(<Stroke> & aphasia@title)"
TOPIC_AND_TITLE = "(stroke@topic & aphasia@title)"

EXPORTS = [
    # text, dialect, tree, warnings and errors, hits
    pytest.param(
        f"S3\tS1 AND S2\t{EBSCO_SETTINGS}\t123\nS2\tTI aphasia\t{EBSCO_SETTINGS}\t4,567\n"
        f'S1\t(MH "Stroke+")\tLimiters - Peer Reviewed\n{EBSCO_SETTINGS}\t89,012',
        "ebsco", STROKE_AND_APHASIA, ["limit-left-out"], [123, 4567, 89012], id="EBSCO, cells over several rows",
    ),
    pytest.param(
        f"#\tQuery\tLimiters/Expanders\tLast Run Via\tResults\nS2\tS1 AND TI aphasia\t{EBSCO_SETTINGS}\t123\n"
        f'S1\t(MH "Stroke+")\tLimiters - Published Date: 20100101-20201231\n{EBSCO_SETTINGS}\t89,012',
        "ebsco", STROKE_AND_APHASIA, ["limit-left-out"], [123, 89012], id="EBSCO, printed table",
    ),
    pytest.param(
        f"S2\nS1 AND TI aphasia\n{EBSCO_SETTINGS.replace(chr(9), chr(10))}\n123\n"
        f'S1\n(MH "Stroke+")\n{EBSCO_SETTINGS.replace(chr(9), chr(10))}\n89,012',
        "ebsco", STROKE_AND_APHASIA, [], [123, 89012], id="EBSCO, each cell in a row",
    ),
    pytest.param(
        "S2\tS1 AND TI aphasia\tSearch modes - Boolean/Phrase\tView Results (123)\nView Details\nEdit\n"
        'S1\t(MH "Stroke+")\tSearch modes - Boolean/Phrase\tView Results (89,012)\nView Details\nEdit',
        "ebsco", STROKE_AND_APHASIA, [], [123, 89012], id="EBSCO, search history on screen",
    ),
    pytest.param(
        "Search Name: Stroke\nDate Run: 12/03/2020\nComment:\n\nID Search Hits\n"
        "#1 MeSH descriptor: [Stroke] explode all trees 1234\n#2 aphasia:ti 5678\n#3 #1 AND #2 60",
        "cochrane", STROKE_AND_APHASIA, [], [1234, 5678, 60], id="Cochrane export with spaces",
    ),
    pytest.param(
        "#1 MeSH descriptor Stroke explode all trees\n#2 (aphasia):ti\n#3 (#1 AND #2), from 2005 to 2012",
        "cochrane", STROKE_AND_APHASIA, ["limit-left-out"], [None] * 3, id="old Cochrane, years",
    ),
    pytest.param(
        "#1 MeSH descriptor Stroke explode all trees\n#2 (aphasia):ti\n#3 #1 and #2 Publication Year from 2005 to 2012",
        "cochrane", STROKE_AND_APHASIA, ["limit-left-out"], [None] * 3, id="Cochrane, publication year",
    ),
    pytest.param(
        "stroke or cva in Title Abstract Keyword AND rehab* in Record Title - (Word variations have been searched)",
        "cochrane",
        "((stroke@title,abstract,keywords,subject | cva@title,abstract,keywords,subject) & rehab*@title)",
        [], [], id="Cochrane, advanced search",
    ),
    pytest.param(
        "stroke in Title Abstract Keyword NOT aphasia in Record Title - with Publication Year from 2010 to 2020, "
        "in Trials (Word variations have been searched)",
        "cochrane", "(stroke@title,abstract,keywords,subject & !aphasia@title)", ["limit-left-out"], [],
        id="Cochrane, advanced search with limits",
    ),
    pytest.param('[mh "stroke"[mj]]', "cochrane", "<*stroke>", [], [], id="Cochrane, major topic"),
    pytest.param("[mh stroke] AND [mh /RH,TH]", "cochrane", "(<stroke> & (rh@subheading | th@subheading))", [], [],
                 id="Cochrane, subheadings without a heading"),
    pytest.param("MeSH descriptor: [Stroke] explode all trees and with qualifiers: [RH, TH]", "cochrane",
                 "<Stroke/rh/th>", [], [], id="Cochrane, qualifiers"),
    pytest.param("#1 Search stroke[mh]\n#2 Search aphasia[ti]\n#3 Search #1 AND #2", "pubmed",
                 "(<stroke> & aphasia@title)", [], [None] * 3, id="old PubMed"),
    pytest.param(
        "#2 Search: #1 AND aphasia[ti] Filters: English, from 2010 - 2020 Sort by: Most Recent 123 10:22:11\n"
        "#1 Search: stroke[mh] Sort by: Most Recent 89,012 10:20:11",
        "pubmed", "(<stroke> & aphasia@title)", ["limit-left-out"], [123, 89012], id="PubMed, history on screen",
    ),
    pytest.param(
        'Search,Query,Items found,Time\n#3,"Search #1 AND #2",123,10:22:11\n'
        '#2,"Search ""aphasia therapy""[ti]",4567,10:21:11\n#1,"Search stroke[mh]",89012,10:20:11',
        "pubmed", '(<stroke> & "aphasia therapy"@title)', [], [123, 4567, 89012], id="old PubMed, comma-separated",
    ),
    pytest.param(
        "Search number,Query,Sort By,Filters,Search Details,Results,Time\n"
        '3,#1 AND #2,,"English, Humans, from 2010 - 2020","(""stroke""[MeSH Terms]) AND ...","1,234",10:22:11\n'
        '2,aphasia[ti],,,"""aphasia""[Title]","4,567",10:21:11\n'
        '1,stroke[mh],,,"""stroke""[MeSH Terms]","89,012",10:20:11',
        "pubmed", "(<stroke> & aphasia@title)", ["limit-left-out"], [1234, 4567, 89012], id="PubMed, comma-separated",
    ),
    pytest.param(
        "Search number\tQuery\tSort By\tFilters\tSearch Details\tResults\tTime\n"
        '2\t#1 AND aphasia[ti]\tMost Recent\tEnglish\t"stroke"[MeSH Terms] AND "aphasia"[Title]\t123\t10:22:11\n'
        '1\tstroke[mh]\t\t\t"stroke"[MeSH Terms]\t89,012\t10:20:11',
        "pubmed", "(<stroke> & aphasia@title)", ["limit-left-out"], [123, 89012], id="PubMed, table",
    ),
    pytest.param("stroke[mh] AND aphasia[ti] Filters: English, Humans, from 2010 - 2020", "pubmed",
                 "(<stroke> & aphasia@title)", ["limit-left-out"], [], id="PubMed, filters"),
    pytest.param(
        "No. Query Results Results Date\n#3. #1 AND #2 1,234 12 Mar 2020\n"
        "#2. aphasia:ti 23,456 12 Mar 2020\n#1. 'stroke'/exp 890,123 12 Mar 2020",
        "embase", "(<stroke> & aphasia@title)", [], [1234, 23456, 890123], id="Embase.com with spaces",
    ),
    pytest.param("#1 'stroke'/exp\n#2 aphasia:ti\n#3 #1 AND #2\n#4 #3 AND [2010-2020]/py 1234", "embase",
                 "((<stroke> & aphasia@title) & 2010..2020)", [], [None, None, None, 1234], id="Embase.com, one count"),
    pytest.param("stroke OR cva (Topic) and aphasia (Title) and English or German (Languages)", "wos",
                 "((stroke@topic | cva@topic) & aphasia@title & (English@language | German@language))", [], [],
                 id="Web of Science, list of results"),
    pytest.param("(stroke (Topic) OR cva (Title)) NOT review (Title) and Book (Exclude – Document Types)", "wos",
                 "(((stroke@topic | cva@title) & !review@title) & !Book@publication_type)", [], [],
                 id="Web of Science, list of results with brackets"),
    pytest.param(
        f"# Entitlements: WOS.SCI: 1945 to 2024\n# Searches:\n1: TS=(stroke)  {WOS_RUN}  Results: 123\n"
        f"2: TI=(aphasia)  {WOS_RUN}  Results: 456\n3: #1 AND #2  {WOS_RUN}  Results: 12",
        "wos", TOPIC_AND_TITLE, [], [123, 456, 12], id="Web of Science, download",
    ),
    pytest.param(
        "Web of Science Search Strategy (v0.1)\n\n# Database: Web of Science Core Collection\n\n# Entitlements:\n\n"
        f"- WOS.IC: 1993 to 2023\n- WOS.CCR: 1985 to 2023\n\n# Searches:\n\n1: TS=(stroke)\n{WOS_RUN}\nResults: 123\n\n"
        f"2: #1 AND TI=(aphasia)\n{WOS_RUN}\nResults: 12\n",
        "wos", TOPIC_AND_TITLE, [], [123, 12], id="Web of Science, download in rows",
    ),
    pytest.param(
        "# 3 1,234 #2 AND #1\nIndexes=SCI-EXPANDED Timespan=1990-2020\n# 2 56,789 TI=(aphasia)\nIndexes=SCI-EXPANDED\n"
        "# 1 7,890 TS=(stroke)\nIndexes=SCI-EXPANDED",
        "wos", "(aphasia@title & stroke@topic)", ["limit-left-out"] * 3, [1234, 56789, 7890],
        id="Web of Science, old history",
    ),
    pytest.param("TS = (stroke) AND TI =  aphasia", "wos", TOPIC_AND_TITLE, [], [], id="Web of Science, blanks"),
    pytest.param("Topic=(stroke) AND Title=(aphasia)\nTimespan=All Years. Databases=SCI-EXPANDED, SSCI.", "wos",
                 TOPIC_AND_TITLE, ["limit-left-out"], [], id="Web of Knowledge"),
    pytest.param("You searched for: TOPIC: (stroke) AND TITLE: (aphasia)", "wos", TOPIC_AND_TITLE, [], [],
                 id="Web of Science, you searched for"),
    pytest.param("(stroke or CVA).ti, ab.", "ovid",
                 "(stroke@title,abstract | CVA@title,abstract)", [], [], id="Ovid, blank in a list of fields"),
    pytest.param("stroke*. ti. and rehab*.ti. (n = 2345)", "ovid", "(stroke*@title & rehab*@title)", [], [],
                 id="Ovid, blank before a field, and a count"),
    pytest.param("1 exp Stroke/\n2 aphasia.ti.\n3 1-2/and\n4 from 3 keep 1-10", "ovid", STROKE_AND_APHASIA,
                 ["limit-left-out"], [None] * 4, id="Ovid, chosen records"),
    pytest.param("Line 1: exp Stroke/\nLine 2: aphasia.ti.\nLine 3: 1 and 2", "ovid", STROKE_AND_APHASIA, [],
                 [None] * 3, id="Ovid, named lines"),
    pytest.param("Line 1: exp Stroke/", "ovid", "<Stroke>", [], [None], id="Ovid, one named line"),
    pytest.param("Embase (Ovid)\n1 exp Stroke/", "ovid", "<Stroke>", [], [None], id="Ovid, platform above"),
    pytest.param("ti(stroke) AND ab(aphasia)", "proquest", "(stroke@title & aphasia@abstract)", [], [],
                 id="ProQuest in small letters"),
    pytest.param(
        "Set#\tSearched for\tDatabases\tResults\nS1\tti(stroke)\tMEDLINE®\t1234°\nS2\tab(aphasia)\tMEDLINE®\t5678*\n"
        "S3\tS1 AND S2\tMEDLINE®\t12°",
        "proquest", "(stroke@title & aphasia@abstract)", [], [1234, 5678, 12], id="ProQuest, table",
    ),
    pytest.param(
        "Set#: S1\nSearched for: ti(stroke)\nDatabases: MEDLINE®, APA PsycInfo®\nResults: 1234\n\n"
        "Set#: S2\nSearched for: S1 AND ab(aphasia)\nDatabases: MEDLINE®\nResults: 12",
        "proquest", "(stroke@title & aphasia@abstract)", [], [1234, 12], id="ProQuest, printed",
    ),
    pytest.param("S1 ti(stroke)\nS2 S1 AND ab(aphasia) Additional limits - Date: After January 01 2010", "proquest",
                 "(stroke@title & aphasia@abstract)", ["limit-left-out"], [None] * 2, id="ProQuest, limits"),
    pytest.param("TITLE(stroke) 12,345 document results", "scopus", "stroke@title", [], [], id="Scopus, results"),
    pytest.param("stroke[ti] AND aphasia[ti] (1,234)", "pubmed", "(stroke@title & aphasia@title)", [], [],
                 id="count in brackets"),
    pytest.param("stroke[ti] AND aphasia[ti] - 1234 results", "pubmed", "(stroke@title & aphasia@title)", [], [],
                 id="count behind a dash"),
    pytest.param("Search Strategy: stroke[ti]", "pubmed", "stroke@title", [], [], id="name in front"),
    pytest.param("PubMed: stroke[ti] (n=12)", "pubmed", "stroke@title", [], [], id="platform in front"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "dialect", "expected", "rules", "hits"), EXPORTS)
def test_an_export_is_read_as_the_platform_means_it(text, dialect, expected, rules, hits):
    parsed = parse(text)
    assert (parsed.dialect, shape(parsed.root)) == (dialect, expected)
    assert [f.rule for f in parsed.findings if f.severity != "hint"] == rules
    assert [line.hits for line in parsed.lines] == hits
    losses = translate(parsed, "plain").losses
    assert sum(loss.message.startswith("Left out") for loss in losses) >= min(1, rules.count("limit-left-out"))


@pytest.mark.parametrize("text", [export.values[0] for export in EXPORTS])
def test_places_are_those_of_the_pasted_text(text):
    parsed = parse(text)
    assert parsed.text == text
    assert len(laid_out(text).text) == len(text)
    for word in ("stroke", "aphasia", "rehab"):
        leaves = [node for node in parsed.nodes if word in shape(node).lower() and not shape(node).startswith("(")]
        assert all(word in node.span.of(text).lower() for node in leaves)
    assert all(part.start < part.end for part in highlight(parsed))
    assert all(0 <= f.span.start <= f.span.end <= len(text) for f in parsed.findings)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1\tMEDLINE\n2\tPubMed\n3\t1 or 2", "(MEDLINE | PubMed)"),
        ("1. Search aid*.ti.\n2. Search key*.ti.\n3. 1 or 2", '("Search aid*"@title | "Search key*"@title)'),
        ("1. 5 alpha.ti.\n2. 3 beta.ti.\n3. or/1-2", '("5 alpha"@title | "3 beta"@title)'),
        ("MEDLINE.ti.\nor Embase.ti.", "(MEDLINE@title | Embase@title)"),
        ("1. edit.ti.\n2. rerun.ti.\n3. 1 or 2", "(edit@title | rerun@title)"),
    ],
)  # fmt: skip
def test_words_that_look_like_a_part_of_an_export_stay_words(text, expected):
    assert shape(parse(text, "ovid").root) == expected


@pytest.mark.parametrize(
    "text", ["heat[ti] AND (2010)", "TS=(heat) AND top 10 results", "the first 100 results", "heat[ti] (2010)"]
)
def test_a_number_that_is_no_count_stays(text):
    assert not [f for f in parse(text).findings if f.rule == "hit-count"]


# Laws


def _ebsco(lines: Sequence[str]) -> str:
    rows = [f"S{n}\t{line}\t{EBSCO_SETTINGS}\t{n * 1000:,}" for n, line in enumerate(lines, start=1)]
    return "\n".join(["#\tQuery\tLimiters/Expanders\tLast Run Via\tResults", *reversed(rows)])


def _ebsco_without_names(lines: Sequence[str]) -> str:
    return "\n".join(f"S{n}\t{line}\t{EBSCO_SETTINGS}\t{n}" for n, line in enumerate(lines, start=1))


def _pubmed_commas(lines: Sequence[str]) -> str:
    doubled = [line.replace('"', '""') for line in lines]
    rows = [f'{n},"{line}",,,"({line}) AND ...","{n * 1000:,}",10:22:11' for n, line in enumerate(doubled, start=1)]
    return "\n".join(["Search number,Query,Sort By,Filters,Search Details,Results,Time", *reversed(rows)])


def _pubmed_screen(lines: Sequence[str]) -> str:
    rows = [f"#{n}\tSearch: {line} Sort by: Most Recent\t{n}\t10:22:11" for n, line in enumerate(lines, start=1)]
    return "\n".join(reversed(rows))


def _old_pubmed(lines: Sequence[str]) -> str:
    return "\n".join(f"#{n} Search {line} {n * 1000:,} 10:22:11" for n, line in enumerate(lines, start=1))


def _cochrane(lines: Sequence[str]) -> str:
    rows = [f"#{n}\t{line}\t{n}" for n, line in enumerate(lines, start=1)]
    above = ["Search Name:\tHeat", "Date Run:\t12/03/2020 10:11:12", "Comment:", "", "ID\tSearch\tHits"]
    return "\n".join([*above, *rows])


def _embase(lines: Sequence[str]) -> str:
    rows = [f"#{n}.\t{line}\t{n * 1000:,}\t12 Mar 2020" for n, line in enumerate(lines, start=1)]
    return "\n".join(["No.\tQuery\tResults\tResults\tDate", *reversed(rows)])


def _wos(lines: Sequence[str]) -> str:
    rows = [f"{n}: {line}\n{WOS_RUN}\nResults: {n}\n" for n, line in enumerate(lines, start=1)]
    return "\n".join(["# Database: Web of Science Core Collection", "", "# Searches:", "", *rows])


def _proquest(lines: Sequence[str]) -> str:
    rows = [f"S{n}\t{line}\tMEDLINE®\t{n}°" for n, line in enumerate(lines, start=1)]
    return "\n".join(["Set#\tSearched for\tDatabases\tResults", *rows])


def _ovid(lines: Sequence[str]) -> str:
    rows = [f"{n}     {line} ({n * 1000})" for n, line in enumerate(lines, start=1)]
    return "\n".join(["Database: Ovid MEDLINE(R) ALL <1946 to March 12, 2020>", "Search Strategy:", "-" * 80, *rows])


SEARCHES: dict[DialectId, tuple[str, list[str]]] = {
    "ebsco": ("S", ["TI heat", 'AB "tall trees"', '(MH "Stress+")', "TI (cold OR rain*)"]),
    "pubmed": ("#", ["heat[ti]", '"tall trees"[tiab]', "stress[mh]", "(cold[ti] OR rain*[ti])"]),
    "cochrane": ("#", ["heat:ti", '"tall trees":ti,ab', "[mh Stress]", "(cold or rain*):ti"]),
    "embase": ("#", ["heat:ti", "'tall trees':ti,ab", "'stress'/exp", "(cold OR rain*):ti"]),
    "wos": ("#", ["TI=heat", 'TS="tall trees"', "TS=(stress)", "TI=(cold OR rain*)"]),
    "proquest": ("S", ["ti(heat)", 'ab("tall trees")', "noft(stress)", "ti(cold OR rain*)"]),
    "ovid": ("", ["heat.ti.", '"tall trees".ti,ab.', "exp Stress/", "(cold or rain*).ti."]),
}
FORMS: list[tuple[DialectId, Callable[[Sequence[str]], str]]] = [
    ("ebsco", _ebsco),
    ("ebsco", _ebsco_without_names),
    ("pubmed", _pubmed_commas),
    ("pubmed", _pubmed_screen),
    ("pubmed", _old_pubmed),
    ("cochrane", _cochrane),
    ("embase", _embase),
    ("wos", _wos),
    ("proquest", _proquest),
    ("ovid", _ovid),
]


@st.composite
def histories(draw: st.DrawFn, dialect: DialectId) -> list[str]:
    mark, searches = SEARCHES[dialect]
    lines = [draw(st.sampled_from(searches)), draw(st.sampled_from(searches))]
    for number in range(3, draw(st.integers(3, 7)) + 1):
        one, two = (f"{mark}{draw(st.integers(1, number - 1))}" for _ in range(2))
        search = draw(st.sampled_from(searches))
        lines.append(draw(st.sampled_from([search, f"{one} OR {two}", f"{one} AND {search}", f"({one} NOT {two})"])))
    return [*lines, f"{mark}1 AND {mark}{len(lines)}"]


@pytest.mark.parametrize(("dialect", "export"), FORMS, ids=[form.__name__ for _, form in FORMS])
@given(st.data())
@settings(max_examples=25)
def test_an_export_says_the_same_as_numbered_lines(dialect, export, data):
    lines = data.draw(histories(dialect))
    numbered = parse("\n".join(f"{n}. {line}" for n, line in enumerate(lines, start=1)), dialect)
    text = export(lines)
    exported = parse(text)
    assert exported.dialect == dialect
    assert shape(exported.root) == shape(numbered.root)
    in_order = sorted(exported.lines, key=lambda line: line.number)
    assert [shape(line.root) for line in in_order] == [shape(line.root) for line in numbered.lines]
    assert all(line.hits in (line.number, line.number * 1000) for line in in_order)
    rules, expected = ([f.rule for f in p.findings if f.severity != "hint"] for p in (exported, numbered))
    assert Counter(rules) == Counter(expected)
