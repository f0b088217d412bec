"""RIS as databases and reference managers write it: each flavour's fields, and lines that break the rules."""

from __future__ import annotations

import pytest

from tests.data.importers.bibliographies import only, reading, titles

FULL = """TY  - JOUR
AU  - Kim, Ada
A1  - Ro, Ben; Su, Cy
TI  - Soup in winter
T2  - Journal of Soup
PY  - 2019/03/01/
VL  - 4
IS  - 2
SP  - 212
EP  - 231
KW  - soup; broth
KW  - winter
DO  - https://doi.org/10.1234/SOUP.1
AN  - pub.77
UR  - https://example.org/1
AB  - We review soup.
C5  - unused
N1  - Cited By :44
ER  -
"""


def test_all_fields_of_ris() -> None:
    record = only(FULL)
    assert (record.title, record.abstract, record.year) == ("Soup in winter", "We review soup.", 2019)
    assert record.authors == ("Kim, Ada", "Ro, Ben", "Su, Cy")
    assert (record.venue, record.volume, record.issue, record.pages) == ("Journal of Soup", "4", "2", "212-231")
    assert (record.doi, record.own_id, record.url) == ("10.1234/soup.1", "pub.77", "https://example.org/1")
    assert (record.keywords, record.kind, record.times_cited) == (("soup", "broth", "winter"), "article", 44)
    assert reading(FULL).unused == {"C5": 1}
    assert record.line == 1


@pytest.mark.parametrize(
    ("written", "kind"),
    [
        ("JOUR", "article"),
        ("Journal Article", "article"),
        ("CONF", "conference"),
        ("CPAPER", "conference"),
        ("CHAP", "chapter"),
        ("THES", "thesis"),
        ("RPRT", "report"),
        ("BOOK", "book"),
        ("UNPB", "preprint"),
        ("PAT", "other"),
        ("XYZZY", None),
        ("", None),
    ],
)
def test_kinds(written: str, kind: str | None) -> None:
    assert only(f"TY  - {written}\nTI  - A\nER  - \n").kind == kind


@pytest.mark.parametrize(
    "head",
    [
        "TY  - JOUR",
        "TY - JOUR",
        "TY-JOUR",
        "ty  - jour",
        "TY\t- JOUR",
        "TY\u00a0\u00a0- JOUR",
        "   TY  - JOUR",
        "\u200bTY  - JOUR",
        "TY  -JOUR",
        "TY  – JOUR",
        "<p>TY  - JOUR",
    ],
)
def test_a_record_begins_however_its_type_is_written(head: str) -> None:
    found = reading(f"TY  - JOUR\nTI  - First\nER  - \n\n{head}\nTI  - Second\nER  - \n")
    assert titles(found) == ["First", "Second"]
    assert found.records_in_file == 2
    assert found.rejected == ()


@pytest.mark.parametrize("tags", ["TI - {}\nAB - {}", "TI  -{}\nAB  -{}", "ti  - {}\nab  - {}", "TI-{}\nAB-{}"])
def test_tags_that_are_written_as_loosely_as_their_type(tags: str) -> None:
    type_line = "ty  - jour" if tags.startswith("ti") else "TY-JOUR" if tags.startswith("TI-") else "TY - JOUR"
    record = only(f"{type_line}\n{tags.format('Soup', 'We cook.')}\nER - \n")
    assert (record.title, record.abstract) == ("Soup", "We cook.")


def test_a_missing_end_does_not_merge_two_records() -> None:
    found = reading("TY  - JOUR\nTI  - A\nTY  - JOUR\nTI  - B\n\nTY  - JOUR\nTI  - C")
    assert [(record.title, record.line) for record in found.records] == [("A", 1), ("B", 3), ("C", 6)]


def test_a_record_without_a_type_is_still_one() -> None:
    text = "TY  - JOUR\nTI  - A\nER  - \n\nAU  - Kim\nTI  - B\nER  - \n\nTI  - C\nTY  - BOOK\nAB  - c\nER  - \n"
    found = reading(text)
    assert [(record.title, record.kind) for record in found.records] == [("A", "article"), ("B", None), ("C", "book")]
    assert found.records_in_file == 3
    assert found.rejected == ()
    assert found.notes == ("1 record has no type (TY)",)


def test_two_titles_around_a_type_are_two_records() -> None:
    assert titles(reading("TI  - A\nTY  - JOUR\nTI  - B\nER  - \n")) == ["A", "B"]


def test_continued_values_and_lines_that_look_like_tags() -> None:
    record = only(
        "TY  - JOUR\nTI  - A\n  long title\nAB  - First part\n\nsecond part\n      third\nCI  - 95% of soups\n"
        "AB - blood group\nKW  - soup\nbroth\nPY  - 2020\nER  - \n"
    )
    assert record.title == "A long title"
    assert record.abstract == "First part second part third CI - 95% of soups AB - blood group"
    assert record.keywords == ("soup", "broth")
    assert record.year == 2020


def test_lines_of_an_abstract_that_begin_like_another_format() -> None:
    record = only(
        "TY  - JOUR\nAB  - Of these,\n\n%0 of soups\n\n@home (cooked) were\n\nTY is none\nPY  - 2020\nER  - \n"
    )
    assert record.abstract == "Of these, %0 of soups @home (cooked) were TY is none"
    assert record.year == 2020


def test_text_outside_of_records_is_reported() -> None:
    found = reading(
        "Provider: X\nMy search of May\n\n1.\nTY  - JOUR\nTI  - A\nER  - \n<2>\nTY  - JOUR\nTI  - B\nER  - \nend\n"
    )
    assert titles(found) == ["A", "B"]
    assert found.notes == ("2 lines outside records, left out: line 2: “My search of May”; line 12: “end”",)


def test_the_longest_abstract_without_the_rights() -> None:
    record = only(
        "TY  - JOUR\nTI  - A\nAB  - We cook soup.\nAB  - Copyright of Journal of Soup is the property of nobody.\n"
        "N2  - We cook\nER  - \n"
    )
    assert record.abstract == "We cook soup."
    assert only("TY  - JOUR\nAB  - Short\nN2  - Much longer text\nER  - \n").abstract == "Much longer text"


@pytest.mark.parametrize(
    ("lines", "field", "value"),
    [
        ("AN  - 35957633\nDB  - MEDLINE", "pmid", "35957633"),
        ("AN  - 35957633\nDP  - NLM", "pmid", "35957633"),
        ("AN  - 35957633\nDB  - Scopus", "pmid", None),
        ("U1  - 35957633 [PMID]", "pmid", "35957633"),
        ("U1  - PMC9359172 [PMCID]", "pmid", None),
        ("PMID  - 35957633", "pmid", "35957633"),
        ("UR  - https://pubmed.ncbi.nlm.nih.gov/35957633/", "pmid", "35957633"),
        ("N1  - PMID: 35957633", "pmid", "35957633"),
        ("DB  - Ovid MEDLINE(R)\nL2  - http://ovid.example/?D=medp&AN=35957633", "pmid", "35957633"),
        ("DB  - PsycINFO\nL2  - http://ovid.example/?D=psyc&AN=35957633", "pmid", None),
        ("M3  - 10.1234/a.b", "doi", "10.1234/a.b"),
        ("UR  - https://dx.doi.org/10.1234/a.b", "doi", "10.1234/a.b"),
        ("UR  - http://x.org/link?id=doi:10.1234%2Fa.b&issn=1", "doi", "10.1234/a.b"),
        ("L2  - http://x.org/doi/10.1234/a.b/full?x=1", "doi", "10.1234/a.b"),
        ("N1  - doi: 10.1234/a.b", "doi", "10.1234/a.b"),
        ("DO  - n/a\nL3  - 10.1234/a.b", "doi", "10.1234/a.b"),
        ("PB  - 10.1234/a.b", "doi", None),
        ('N1  - RAYYAN-INCLUSION: {"Ada"=>"Included"} | RAYYAN-LABELS: soup', "included", True),
        ('N1  - RAYYAN-INCLUSION: {"Ada"=>"Excluded"}', "included", False),
        ('N1  - RAYYAN-INCLUSION: {"Ada"=>"Included", "Ben"=>"Excluded"}', "included", None),
        ('N1  - RAYYAN-INCLUSION: {"Ada"=>"Maybe"}', "included", None),
        ("N1  - ASReview_relevant", "included", True),
        ("N1  - Mine. ASReview_irrelevant. Yours.", "included", False),
        ("N1  - ASReview_not_seen", "included", None),
        ("N1  - irrelevant", "included", None),
        ("JO  - bioRxiv", "kind", "preprint"),
    ],
)
def test_lines_fill_a_field(lines: str, field: str, value: str | bool | None) -> None:
    assert getattr(only(f"TY  - JOUR\nTI  - A\n{lines}\nER  - \n"), field) == value


def test_a_page_that_was_saved() -> None:
    html = "<html><body><pre>TY  - JOUR<br>TI  - A &amp; B<br>ER  - <br></pre></body></html>"
    assert titles(reading(html)) == ["A & B"]
