"""XML, JSON and BibTeX together: cut files, hostile files and real files."""

from __future__ import annotations

import json

import pytest

from core.errors import FormatError
from tests.data.importers.bibliographies import pubmed, reading, titles
from tests.messages import refusal

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
    with refusal(FormatError):
        reading(text)
