"""XML, JSON and BibTeX together: cut files, hostile files and real files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.errors import FormatError
from data.importers.reading import read_file
from tests.data.bibliographies import pubmed, reading, titles

CUT = {
    "bibtex": "".join(f"@misc{{k{i},\n title = {{Title {i}}},\n year = 2000\n}}\n" for i in range(3)),
    "xml": pubmed(*(f"<PMID>{i}</PMID><Article><ArticleTitle>Title {i}</ArticleTitle></Article>" for i in range(3))),
    "json": json.dumps([{"title": f"Title {i}", "year": 2000} for i in range(3)], indent=1),
    "in one line": json.dumps({"results": [{"title": f"Title {i}", "year": 2000} for i in range(3)]}),
    "lines": "\n".join(json.dumps({"title": f"Title {i}", "year": 2000}) for i in range(3)),
}


@pytest.mark.parametrize("name", CUT)
def test_a_file_cut_anywhere_loses_no_more_than_the_record_that_was_cut(name: str):
    text = CUT[name]
    whole = ["Title 0", "Title 1", "Title 2"]
    for cut in range(len(text)):
        try:
            found = reading(text[:cut])
        except FormatError:
            assert cut < text.index("Title 1")
            continue
        assert len(found.records) + len(found.rejected) >= found.records_in_file
        complete = sum(text.find(title) + len(title) + 60 < cut for title in whole)
        assert titles(found)[:complete] == whole[:complete]


@pytest.mark.parametrize(
    "text",
    [
        "@article{a, title={" + "{" * 100_000 + "\n@article{b, title={Read}}\n",
        "@misc{b, title={Read}}\n" + "@\n" * 100_000,
        "@misc{b, title={Read}}\n" + "@comment{ \n" * 4_000,
        "@misc{b, title={Read}}\n@misc{c," + "\na={" * 10_000,
        "@misc{b, title={" + "{" * 100_000 + "Read" + "}" * 100_000 + "}}",
        "@misc{b, title={Read" + "\\" * 100_001 + "}}",
        '[{"title": "Read", "year": 1}, ' + '{"title":' * 50_000,
        '[{"title": "Read", "year": 1}, "' + '\\"' * 100_000,
        '[{"title": "Read", "year": 1}, ' + "[" * 100_000,
        '{"title": "Read", "year": 1}\n' + '{"a":' * 20_000,
        pubmed("<Article><ArticleTitle>" + "<i>" * 50_000 + "Read" + "</i>" * 50_000 + "</ArticleTitle></Article>"),
        pubmed("<Article><ArticleTitle>Read</ArticleTitle></Article>") + "<PubmedArticle " * 20_000,
        "<PubmedArticle><PMID>1</PMID></PubmedArticle" + " " * 100_000 + pubmed(
            "<Article><ArticleTitle>Read</ArticleTitle></Article>"
        ),
    ],
)  # fmt: skip
def test_hostile_files_are_read_as_far_as_they_go(text: str):
    found = reading(text)
    assert "Read" in "".join(titles(found))
    assert len(found.records) + len(found.rejected) >= found.records_in_file


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 20_000, "{}", "[]", "[1, 2]", '{"a": 1}', "<a><b/></a>"])
def test_what_is_no_bibliography_is_not_taken_for_one(text: str):
    with pytest.raises(FormatError, match="no bibliography"):
        reading(text)


COUNTED = {
    "colrev__abi_inform_proquest_bib.bib": ("bibtex", 2, 2, 0),
    "colrev__acm_bib.bib": ("bibtex", 2, 2, 0),
    "colrev__bib_data.bib": ("bibtex", 6, 6, 0),
    "colrev__crossref_bib.bib": ("bibtex", 1, 1, 0),
    "colrev__dblp_bib.bib": ("bibtex", 2, 2, 0),
    "colrev__europe_pmc_bib.bib": ("bibtex", 2, 2, 0),
    "colrev__files_dir_bib.bib": ("bibtex", 3, 3, 0),
    "colrev__scopus_bib.bib": ("bibtex", 11, 11, 0),
    "colrev__taylor_and_francis_bib.bib": ("bibtex", 2, 2, 0),
    "colrev__unknown_source_bib.bib": ("bibtex", 1, 1, 0),
    "colrev__web_of_science_bib.bib": ("bibtex", 2, 2, 0),
    "colrev__wiley_bib.bib": ("bibtex", 2, 2, 0),
    "litqeval__jabref_excerpt.bib": ("bibtex", 44, 44, 0),  # its last entry is cut off
    "colrev__crossref_10.1177_02683962211048201.json": ("crossref_json", 1, 1, 0),
    "colrev__crossref_10.1371_journal.pone.0022081.json": ("any_json", 1, 1, 0),  # an answer of PLOS
    "colrev__crossref_10.1371_journal.pone.0223215.json": ("any_json", 1, 1, 0),
    "colrev__crossref_10.1371_journal.pone.0252279.json": ("any_json", 1, 1, 0),
    "colrev__crossref_10.17705_1cais.04607.json": ("crossref_json", 1, 1, 0),
    "colrev__google_scholar.json": ("any_json", 7, 7, 0),
    "openalex_work__minimal.json": ("openalex_json", 1, 1, 0),
    "jabref__EndnoteXmlImporterTestArticle.xml": ("endnote_xml", 1, 1, 0),
    "jabref__EndnoteXmlImporterTestArticle2.xml": ("endnote_xml", 2, 2, 0),
    "jabref__EndnoteXmlImporterTestReport.xml": ("endnote_xml", 1, 1, 0),
    "jabref__EndnoteXmlImporterTest_WithoutUrlStyle.xml": ("endnote_xml", 1, 1, 0),
    "jabref__MedlineImporterTestArticleItalics.xml": ("pubmed_xml", 1, 1, 0),
    "jabref__MedlineImporterTestNbib.xml": ("pubmed_xml", 2, 2, 0),
}


@pytest.mark.collections
@pytest.mark.parametrize("name", COUNTED)
def test_real_files_hold_what_was_counted_by_hand(name: str, collections_dir: Path):
    found = read_file(collections_dir / "formats" / name)
    counted = (found.format_id, found.records_in_file, len(found.records), len(found.rejected))
    assert counted == COUNTED[name]
    assert all(record.title for record in found.records)


@pytest.mark.collections
def test_every_real_file_of_these_kinds_was_counted(collections_dir: Path):
    there = {path.name for path in (collections_dir / "formats").iterdir() if path.suffix in (".bib", ".json", ".xml")}
    assert there == set(COUNTED)
