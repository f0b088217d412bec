"""What the tags of MEDLINE, Web of Science, EndNote and SMART become."""

from __future__ import annotations

from tests.data.importers.bibliographies import only, reading

NBIB = """PMID- 35957633
OWN - NLM
TI  - Soup in
      winter.
LID - 10.1234/soup [doi]
LID - e12 [pii]
AB  - BACKGROUND: Soup.

      METHODS: Cooking.
FAU - Kim, Ada
AU  - Kim A
FAU - Ro, Ben
AU  - Ro B
PT  - Journal Article
JT  - Journal of soup
DP  - 2019 Mar
VI  - 4
IP  - 2
PG  - 212-31
MH  - *Soup
OT  - broth
SO  - J Soup. 2019 Mar;4(2):212-31.
"""
WOS = """\ufeffFN Clarivate Analytics Web of Science
VR 1.0
PT J
AU Kim, A
   Ro, B
AF Kim, Ada
   Ro, Ben
TI Soup in
   winter
SO JOURNAL OF SOUP
DT Proceedings Paper
DE soup; broth
   taste
AB We cook
   soup.
PY 2019
VL 4
IS 2
BP 212
EP 231
DI 10.1234/SOUP
TC 7
UT WOS:000001
PM 35957633
C1 Univ Soup
ER

PT J
TI Second
ER

EF
"""
ENW = """%0 Journal Article
%T Soup in winter
%A Kim, Ada
%A Ro, Ben
%J Journal of soup
%D 2019
%V 4
%N 2
%P 212-231
%K soup
broth
%R doi:10.1234/soup
%M pub.7
%U https://example.org
%X We cook
soup.
%Z note

%0 Book
%T Second
"""
SMART = ".I 1\n.T\nsoup in\nwinter\n.A\nkim,a. and ro,b.\n.B\nj. soup 4, 1958, 212.\n.W\nwe cook\n  soup .\n"
SMART += ".I 2\n.W\nbroth\n"


def test_all_fields_of_medline() -> None:
    record = only(NBIB)
    assert (record.title, record.abstract) == ("Soup in winter.", "BACKGROUND: Soup. METHODS: Cooking.")
    assert (record.pmid, record.doi, record.year) == ("35957633", "10.1234/soup", 2019)
    assert (record.authors, record.venue) == (("Kim, Ada", "Ro, Ben"), "Journal of soup")
    assert (record.volume, record.issue, record.pages, record.kind) == ("4", "2", "212-31", "article")
    assert (record.headings, record.keywords) == (("*Soup",), ("broth",))
    assert record.subjects == ("broth", "Soup")
    assert reading(NBIB).unused == {"OWN": 1}


def test_medline_records_without_a_blank_line_between() -> None:
    found = reading("PMID- 1\nTI  - A\nSO  - x\nPMID- 2\nTI  - B\n\n\nPMID- 3\nTI  - C\n")
    assert [(record.pmid, record.title) for record in found.records] == [("1", "A"), ("2", "B"), ("3", "C")]


def test_older_numbers_are_no_pubmed_numbers() -> None:
    records = reading("UI  - 93000001\nTI  - A\nSO  - x\n\nUI  - 93000002\nTI  - B\n").records
    assert [(record.own_id, record.pmid) for record in records] == [("93000001", None), ("93000002", None)]


def test_an_abstract_with_percent_signs() -> None:
    assert only("%0 Book\n%T A\n%X We saw\n%5 of soups\n50% more\n%D 2019\n").abstract == "We saw %5 of soups 50% more"


def test_eric_has_numbers_of_its_own() -> None:
    found = reading("\nOWN - ERIC\nTI  - A\nOID - EJ1\n\nOWN - ERIC\nTI  - B\nOID - EJ2\n")
    assert [(record.title, record.own_id, record.line) for record in found.records] == [
        ("A", "EJ1", 2),
        ("B", "EJ2", 6),
    ]


def test_all_fields_of_web_of_science() -> None:
    found = reading(WOS)
    record, second = found.records
    assert (record.title, record.abstract, record.year) == ("Soup in winter", "We cook soup.", 2019)
    assert (record.authors, record.venue) == (("Kim, Ada", "Ro, Ben"), "JOURNAL OF SOUP")
    assert (record.volume, record.issue, record.pages, record.kind) == ("4", "2", "212-231", "conference")
    assert (record.doi, record.pmid, record.own_id) == ("10.1234/soup", "35957633", "WOS:000001")
    assert (record.keywords, record.times_cited) == (("soup", "broth taste"), 7)
    assert (second.title, second.line, found.unused) == ("Second", 28, {"C1": 1})


def test_all_fields_of_endnote() -> None:
    found = reading(ENW)
    record, second = found.records
    assert (record.title, record.abstract, record.year) == ("Soup in winter", "We cook soup.", 2019)
    assert (record.authors, record.venue) == (("Kim, Ada", "Ro, Ben"), "Journal of soup")
    assert (record.volume, record.issue, record.pages, record.kind) == ("4", "2", "212-231", "article")
    assert (record.doi, record.own_id, record.keywords) == ("10.1234/soup", "pub.7", ("soup", "broth"))
    assert (second.title, second.kind, found.unused) == ("Second", "book", {"%Z": 1})


def test_endnote_records_that_begin_with_their_title() -> None:
    found = reading("%T A\n%0 Journal Article\n%D 2019\n%T B\n%D 2020\n\n\n%T C\n%0 Book\n")
    assert [(record.title, record.line) for record in found.records] == [("A", 2), ("B", 4), ("C", 9)]
    assert found.records_in_file == 3
    assert found.rejected == ()


def test_all_fields_of_smart() -> None:
    first, second = reading(SMART).records
    assert (first.own_id, first.title, first.abstract) == ("1", "soup in winter", "we cook soup .")
    assert (first.year, first.venue, first.authors) == (1958, "j. soup 4, 1958, 212.", ("kim,a.", "ro,b."))
    assert (second.own_id, second.title, second.abstract, second.line) == ("2", "", "broth", 12)
