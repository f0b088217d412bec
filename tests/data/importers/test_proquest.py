"""ProQuest's text export."""

from __future__ import annotations

import pytest

from tests.data.importers.bibliographies import reading, titles

RULE = "_" * 60


def paragraphs(lines: str) -> str:
    """A paragraph for each line; a stroke ends a line within one."""
    return lines.replace("\n", "\n\n").replace("|", "\n")


FIRST = paragraphs("""Document 1 of 2
Soup and sleep
Author: Kho, Lena 1 ; Ames, Rob 1,2   1 Institute of Broth, Leeds 2 Stock School
http://search.proquest.com/docview/1000000001
Abstract: Objective: To cook.
Subjects: 20 cooks.
Results: It was hot|and good.
Links: http://sfx.example.org/x
Full text: Soup. Title: of nothing.
Issue: it is cold.
Subject: Broth; Stock (food)
Location: Leeds
Identifier / keyword: hot; winter
Title: Soup and sleep: a trial
Publication title: Journal of Soup; Leeds
Volume: 12
Issue: 3
Pages: 7-19
Publication year: 2019
Publication date: May 2019
ISSN: 12345678
Source type: Scholarly Journals
Language of publication: English
Document type: Journal Article
DOI: https://doi.org/10.1000/SOUP
ProQuest document ID: 1000000001
Document URL: http://search.proquest.com/docview/1000000001
Last updated: 2020-01-01
Database: ProQuest Central""")
SECOND = paragraphs("""Document 2 of 2
Stew in cities
Author: Li, Wei
Abstract: None available.
Title: Stew in cities
Publication year: 2001
School: University of Stock
Source type: Dissertations & Theses
Document type: Dissertation/Thesis
ProQuest document ID: 1000000002""")
HEAD = (
    f"{RULE}\n\nReport Information from ProQuest\n05 May 2031 14:00\n{RULE}\n\nTable of contents\n\n1. Soup and sleep\n"
)
TAIL = f"{RULE}\n\nBibliography\n\nCitation style: APA\n\nKho, L. (2019). Soup and sleep.\n\n{RULE}\n\nContact us at: x"
FILE = f"{HEAD}{RULE}\n\n{FIRST}\n\n{RULE}\n\n{SECOND}\n\n{TAIL}\n"


@pytest.mark.parametrize("numbered", [True, False], ids=["numbered documents", "lines between documents"])
def test_documents(numbered: bool) -> None:
    text = FILE if numbered else FILE.replace("Document 1 of 2\n", "").replace("Document 2 of 2\n", "")
    found = reading(text.replace("\n", "\r\n"))
    assert (found.format_id, found.records_in_file, found.rejected) == ("proquest_text", 2, ())
    soup, stew = found.records
    assert [text.split("\n")[record.line - 1] for record in found.records if record.line] == (
        ["Document 1 of 2", "Document 2 of 2"] if numbered else ["Soup and sleep", "Stew in cities"]
    )
    assert (soup.title, soup.year, soup.doi) == ("Soup and sleep: a trial", 2019, "10.1000/soup")
    assert soup.abstract == "Objective: To cook. Subjects: 20 cooks. Results: It was hot and good."
    assert soup.authors == ("Kho, Lena", "Ames, Rob")
    assert (soup.venue, soup.volume, soup.issue, soup.pages) == ("Journal of Soup", "12", "3", "7-19")
    assert (soup.kind, soup.own_id) == ("article", "1000000001")
    assert soup.keywords == ("Broth", "Stock (food)", "hot", "winter")
    assert soup.url == "http://search.proquest.com/docview/1000000001"
    assert (stew.title, stew.year, stew.kind, stew.authors) == ("Stew in cities", 2001, "thesis", ("Li, Wei",))
    assert found.unused["database"] == 1


def test_a_document_without_labels_is_rejected_or_has_its_title() -> None:
    found = reading(FILE.replace(SECOND, "Document 2 of 2\n\nStew in cities\n"))
    assert titles(found) == ["Soup and sleep: a trial", "Stew in cities"]
    found = reading(FILE.replace(SECOND, "Document 2 of 2\n"))
    assert (len(found.records), len(found.rejected)) == (1, 1)


def test_other_files_with_rules_are_none_of_these() -> None:
    text = f"{RULE}\nTY  - JOUR\nTI  - From ProQuest\nER  - \n{RULE}\n"
    assert reading(text).format_id == "ris"
