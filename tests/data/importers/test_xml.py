"""The XML of PubMed and EndNote: each record by itself."""

from __future__ import annotations

import pytest

from core.errors import FormatError
from tests.data.importers.bibliographies import only, pubmed, reading, titles


def test_an_article_of_pubmed():
    record = only(
        pubmed(
            "<PMID Version='1'>12345</PMID><Article><Journal><JournalIssue><Volume>3</Volume><PubDate>"
            "<MedlineDate>1998 Nov-Dec</MedlineDate></PubDate></JournalIssue><Title>Soup</Title></Journal>"
            "<ArticleTitle>CO<sub>2</sub> in <i>E. coli</i></ArticleTitle><ELocationID EIdType='doi'>10.1000/x"
            "</ELocationID><Pagination><MedlinePgn>7-9</MedlinePgn></Pagination><Abstract><AbstractText "
            "Label='BACKGROUND'>We.</AbstractText><AbstractText Label='METHODS'>Cook &lt; 5.</AbstractText></Abstract>"
            "<AuthorList><Author><LastName>Ba</LastName><ForeName>C D</ForeName></Author><Author><CollectiveName>Cooks"
            "</CollectiveName></Author></AuthorList></Article><MeshHeadingList><MeshHeading><DescriptorName>Heat"
            "</DescriptorName></MeshHeading></MeshHeadingList><KeywordList><Keyword>pot</Keyword></KeywordList>"
        )
    )
    assert (record.title, record.abstract) == ("CO2 in E. coli", "BACKGROUND: We. METHODS: Cook < 5.")
    assert (record.pmid, record.doi, record.year) == ("12345", "10.1000/x", 1998)
    assert (record.authors, record.keywords, record.headings) == (("Ba, C D", "Cooks"), ("pot",), ("Heat",))
    assert record.subjects == ("pot", "Heat")
    assert (record.venue, record.volume, record.pages, record.kind) == ("Soup", "3", "7-9", "article")


def test_a_title_in_the_language_of_the_article_stands_in():
    article = "<Article><ArticleTitle>[Not Available].</ArticleTitle><VernacularTitle>Suppe</VernacularTitle></Article>"
    assert only(pubmed(article)).title == "Suppe"


def test_one_damaged_record_of_xml_is_one_rejection():
    good = "<Article><ArticleTitle>Good</ArticleTitle></Article>"
    found = reading(pubmed(good, "<Article><ArticleTitle>Bad</Article>", good))
    assert titles(found) == ["Good", "Good"]
    assert [(r.line, r.record, "well-formed" in r.reason) for r in found.rejected] == [(4, 2, True)]


def test_small_faults_of_xml_are_mended():
    article = "<Article><ArticleTitle>Salt & pepper &eacute; <m:b xmlns='x'>B</m:b>\x0b</ArticleTitle></Article>"
    assert only(pubmed(article)).title == "Salt & pepper é B"


def test_entities_are_refused():
    with pytest.raises(FormatError, match="ENTITY"):
        reading('<!DOCTYPE a [<!ENTITY b "c">]>' + pubmed("<PMID>1</PMID>"))


def test_a_record_of_endnote():
    style = '<style face="normal">{}</style>'.format
    found = reading(
        f'<xml><records><record><rec-number>1</rec-number><ref-type name="Book Section">5</ref-type><titles><title>'
        f"{style('Of ')}<style>soup</style></title><secondary-title>{style('Book')}</secondary-title></titles>"
        f"<contributors><authors><author>{style('Ba, C')}</author></authors></contributors><dates><year>"
        f"{style('2001')}</year></dates><keywords><keyword>{style('a, b')}</keyword></keywords><urls><related-urls>"
        f"<url>{style('https://doi.org/10.1000/y')}</url></related-urls></urls><custom1>x</custom1></record>"
        "<record><titles><title>Two</title></titles></record></records></xml>"
    )
    record = found.records[0]
    assert titles(found) == ["Of soup", "Two"]
    assert (record.venue, record.year, record.kind, record.doi) == ("Book", 2001, "chapter", "10.1000/y")
    assert (record.authors, record.keywords) == (("Ba, C",), ("a, b",))
    assert found.unused == {"custom1": 1}
