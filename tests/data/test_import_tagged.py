"""Tagged files as databases and reference managers write them: none of their records is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.records.record import Record
from data.importers.reading import FileReading, read_data, read_file

COUNTS = {
    "asreview_vandeSchoot_2017/schoot-lgmm-ptsd-included-1.ris": ("ris", 363, 363, 0),
    "asreview_vandeSchoot_2017/schoot-lgmm-ptsd-included-2.ris": ("ris", 38, 38, 0),
    "asreview_vandeSchoot_2017/schoot-lgmm-ptsd-included-3.ris": ("ris", 8, 8, 0),
    "citesource_new_benchmark/benchmark_15.ris": ("ris", 15, 15, 0),
    "citesource_new_benchmark/search1_166.ris": ("ris", 166, 166, 0),
    "citesource_new_benchmark/search2_278.ris": ("ris", 278, 278, 0),
    "citesource_new_benchmark/search3_302.ris": ("ris", 302, 302, 0),
    "citesource_new_benchmark/search4_460.ris": ("ris", 460, 460, 0),
    "citesource_new_benchmark/search5_495.ris": ("ris", 495, 495, 0),
    "citesource_stages/Dimensions_246.ris": ("ris", 246, 246, 0),
    "citesource_stages/econlit_3.ris": ("ris", 3, 3, 0),
    "citesource_stages/envindex_100.ris": ("ris", 100, 100, 0),
    "citesource_stages/final_24.ris": ("ris", 24, 24, 0),
    "citesource_stages/lens_343.ris": ("ris", 343, 343, 0),
    "citesource_stages/medline_84.ris": ("ris", 84, 84, 0),
    "citesource_stages/screened_128.ris": ("ris", 128, 128, 0),
    "citesource_stages/wos_278.ris": ("ris", 278, 278, 0),
    "cranfield_smart/cran.all.1400": ("smart", 1400, 1400, 0),
    "cranfield_smart/cran.qry": ("smart", 225, 225, 0),
    "formats/asreview__baseline_empty_values.ris": ("ris", 4, 4, 0),
    "formats/asreview__baseline_reference_types.ris": ("ris", 61, 0, 61),
    "formats/asreview__baseline_tag-notes.ris": ("ris", 12, 1, 11),
    "formats/asreview__baseline_tag-notes_labels.ris": ("ris", 32, 32, 0),
    "formats/asreview__baseline_tag-notes_zotero.ris": ("ris", 4, 4, 0),
    "formats/asreview__baseline_tag_and_field_definitions.ris": ("ris", 1, 1, 0),
    "formats/asreview__baseline_tag_and_field_definitions_lists.ris": ("ris", 1, 0, 1),
    "formats/asreview__embase.ris": ("ris", 6, 6, 0),
    "formats/asreview__faulty_year.ris": ("ris", 1, 1, 0),
    "formats/asreview__ovid_psycinfo.ris": ("ris", 6, 6, 0),
    "formats/asreview__ovid_zotero.ris": ("ris", 6, 6, 0),
    "formats/asreview__proquest.ris": ("ris", 6, 6, 0),
    "formats/asreview__pubmed_endnote.txt": ("ris", 6, 6, 0),
    "formats/asreview__pubmed_zotero.ris": ("ris", 6, 6, 0),
    "formats/asreview__ris_issue_1099.txt": ("ris", 7, 7, 0),
    "formats/asreview__web_of_science.txt": ("ris", 10, 10, 0),
    "formats/colrev__abi_inform_proquest_ris.ris": ("ris", 2, 2, 0),
    "formats/colrev__ais_enl.txt": ("endnote_tagged", 6, 6, 0),
    "formats/colrev__enl_data.enl": ("endnote_tagged", 3, 3, 0),
    "formats/colrev__eric_nbib.nbib": ("pubmed_nbib", 1, 1, 0),
    "formats/colrev__ieee_ris.ris": ("ris", 2, 2, 0),
    "formats/colrev__jstor_ris.ris": ("ris", 4, 4, 0),
    "formats/colrev__nbib_data.nbib": ("pubmed_nbib", 1, 1, 0),
    "formats/colrev__psycinfo_ris.ris": ("ris", 1, 1, 0),
    "formats/colrev__ris_data.ris": ("ris", 2, 2, 0),
    "formats/colrev__trid_ris.ris": ("ris", 3, 3, 0),
    "formats/jabref__Endnote.book.example.enw": ("endnote_tagged", 1, 1, 0),
    "formats/jabref__Endnote.entries.enw": ("endnote_tagged", 13, 2, 11),
    "formats/jabref__Endnote.pattern.A.enw": ("endnote_tagged", 1, 0, 1),
    "formats/jabref__Endnote.pattern.E.enw": ("endnote_tagged", 1, 0, 1),
    "formats/jabref__IsiImporterTest1.isi": ("wos_text", 1, 1, 0),
    "formats/jabref__IsiImporterTest2.isi": ("wos_text", 3, 3, 0),
    "formats/jabref__IsiImporterTestMedline.isi": ("wos_text", 2, 2, 0),
    "formats/jabref__IsiImporterTestWOS.isi": ("wos_text", 2, 2, 0),
    "formats/jabref__MedlinePlainImporterStringOutOfBounds.txt": ("pubmed_nbib", 2, 2, 0),
    "formats/jabref__MedlinePlainImporterTestCompleteEntry.txt": ("pubmed_nbib", 1, 1, 0),
    "formats/jabref__MedlinePlainImporterTestDOI.txt": ("pubmed_nbib", 1, 1, 0),
    "formats/jabref__MedlinePlainImporterTestInproceeding.txt": ("pubmed_nbib", 1, 1, 0),
    "formats/jabref__MedlinePlainImporterTestMultiAbstract.txt": ("pubmed_nbib", 1, 1, 0),
    "formats/jabref__MedlinePlainImporterTestMultiTitle.txt": ("pubmed_nbib", 1, 1, 0),
    "formats/jabref__MedlinePlainImporterTestMultipleEntries.txt": ("pubmed_nbib", 7, 7, 0),
    "formats/jabref__RisImporterTest5a.ris": ("ris", 1, 1, 0),
    "formats/jabref__RisImporterTest5b.ris": ("ris", 1, 1, 0),
    "formats/jabref__RisImporterTestDoiAndJournalTitle.ris": ("ris", 1, 1, 0),
    "formats/jabref__RisImporterTestScopus.ris": ("ris", 1, 1, 0),
    "formats/rispy__example_basic.ris": ("ris", 1, 1, 0),
    "formats/rispy__example_bom.ris": ("ris", 1, 1, 0),
    "formats/rispy__example_empty_tag.ris": ("ris", 1, 1, 0),
    "formats/rispy__example_extraneous_data.ris": ("ris", 2, 2, 0),
    "formats/rispy__example_full.ris": ("ris", 2, 2, 0),
    "formats/rispy__example_full_without_whitespace.ris": ("ris", 2, 2, 0),
    "formats/rispy__example_multi_unknown_tags.ris": ("ris", 1, 1, 0),
    "formats/rispy__example_multiline.ris": ("ris", 3, 3, 0),
    "formats/rispy__example_starting_newlines.ris": ("ris", 1, 1, 0),
    "formats/rispy__example_urls.ris": ("ris", 4, 4, 0),
    "formats/rispy__example_utf_chars.ris": ("ris", 1, 1, 0),
    "formats/rispy__example_wos.ris": ("wos_text", 2, 2, 0),
    "litsearchr_woodpecker/scopus.ris": ("ris", 92, 92, 0),
    "litsearchr_woodpecker/zoorec.txt": ("wos_text", 134, 134, 0),
    "medline/MED.ALL": ("smart", 1033, 1033, 0),
    "medline/MED.QRY": ("smart", 30, 30, 0),
}
"""File -> its format, the records in it by hand, and how many of them become records and rejections."""

HELD = {
    "asreview_vandeSchoot_2017/schoot-lgmm-ptsd-included-1.ris": {"title": 363, "abstract": 196, "doi": 153},
    "citesource_new_benchmark/benchmark_15.ris": {"title": 15, "abstract": 0, "doi": 0, "venue": 15},
    "citesource_stages/Dimensions_246.ris": {"doi": 246, "pmid": 76, "own_id": 246, "abstract": 243},
    "citesource_stages/medline_84.ris": {"pmid": 84, "doi": 84, "abstract": 84, "venue": 84},
    "citesource_stages/envindex_100.ris": {"abstract": 99, "doi": 99},
    "citesource_stages/screened_128.ris": {"abstract": 124, "own_id": 90},
    "citesource_stages/wos_278.ris": {"own_id": 278, "abstract": 276, "doi": 271, "venue": 278},
    "formats/asreview__baseline_tag-notes_labels.ris": {"included": 20},
    "formats/asreview__pubmed_endnote.txt": {"pmid": 6, "doi": 6},
    "cranfield_smart/cran.all.1400": {"title": 1398, "abstract": 1398, "own_id": 1400},
    "litsearchr_woodpecker/zoorec.txt": {"title": 134, "abstract": 80, "doi": 27, "pmid": 9},
    "medline/MED.ALL": {"title": 0, "abstract": 1033, "own_id": 1033},
}
TAGGED_IDS = {"ris", "wos_text", "pubmed_nbib", "endnote_tagged", "smart"}


def read(text: str, format_id: str | None = None) -> FileReading:
    """A small file."""
    return read_data(text.encode(), "small.txt", format_id=format_id)


def only(text: str) -> Record:
    """The one record of a file."""
    (record,) = read(text).records
    return record


@pytest.mark.collections
@pytest.mark.parametrize(("name", "expected"), COUNTS.items(), ids=str)
def test_every_record_of_a_real_file(collections_dir: Path, name: str, expected: tuple[str, int, int, int]) -> None:
    reading = read_file(collections_dir / name)
    counted = (reading.format_id, reading.records_in_file, len(reading.records), len(reading.rejected))
    assert counted == expected


@pytest.mark.collections
@pytest.mark.parametrize(("name", "expected"), HELD.items(), ids=str)
def test_what_real_records_hold(collections_dir: Path, name: str, expected: dict[str, int]) -> None:
    records = read_file(collections_dir / name).records
    held = {field: sum(getattr(record, field) not in (None, "", ()) for record in records) for field in expected}
    assert held == expected


@pytest.mark.collections
def test_no_other_file_is_taken_for_a_tagged_one(collections_dir: Path) -> None:
    from core.errors import FormatError
    from data.importers.decoding import opened
    from data.importers.tagged import TAGGED

    taken = []
    for path in sorted(collections_dir.glob("*/*")):
        if not path.is_file() or path.relative_to(collections_dir).as_posix() in COUNTS or path.suffix == ".npz":
            continue
        try:
            source = opened(path.read_bytes(), path.name)
        except FormatError:
            continue
        taken += [(path.name, form.format_id) for form in TAGGED if form.likeness(source) > 0]
    assert taken == []


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
    assert read(FULL).unused == {"C5": 1}
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


def test_an_article_on_a_preprint_server_is_a_preprint() -> None:
    assert only("TY  - JOUR\nTI  - A\nJO  - bioRxiv\nER  - \n").kind == "preprint"


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
    reading = read(f"TY  - JOUR\nTI  - First\nER  - \n\n{head}\nTI  - Second\nER  - \n")
    assert [record.title for record in reading.records] == ["First", "Second"]
    assert reading.records_in_file == 2
    assert reading.rejected == ()


@pytest.mark.parametrize("tags", ["TI - {}\nAB - {}", "TI  -{}\nAB  -{}", "ti  - {}\nab  - {}", "TI-{}\nAB-{}"])
def test_tags_that_are_written_as_loosely_as_their_type(tags: str) -> None:
    type_line = "ty  - jour" if tags.startswith("ti") else "TY-JOUR" if tags.startswith("TI-") else "TY - JOUR"
    record = only(f"{type_line}\n{tags.format('Soup', 'We cook.')}\nER - \n")
    assert (record.title, record.abstract) == ("Soup", "We cook.")


def test_a_missing_end_does_not_merge_two_records() -> None:
    reading = read("TY  - JOUR\nTI  - A\nTY  - JOUR\nTI  - B\n\nTY  - JOUR\nTI  - C")
    assert [(record.title, record.line) for record in reading.records] == [("A", 1), ("B", 3), ("C", 6)]


def test_a_record_without_a_type_is_still_one() -> None:
    text = "TY  - JOUR\nTI  - A\nER  - \n\nAU  - Kim\nTI  - B\nER  - \n\nTI  - C\nTY  - BOOK\nAB  - c\nER  - \n"
    reading = read(text)
    assert [(record.title, record.kind) for record in reading.records] == [("A", "article"), ("B", None), ("C", "book")]
    assert reading.records_in_file == 3
    assert reading.rejected == ()
    assert reading.notes == ("1 record has no type (TY)",)


def test_two_titles_around_a_type_are_two_records() -> None:
    assert [record.title for record in read("TI  - A\nTY  - JOUR\nTI  - B\nER  - \n").records] == ["A", "B"]


def test_continued_values_and_lines_that_look_like_tags() -> None:
    record = only(
        "TY  - JOUR\nTI  - A\n  long title\nAB  - First part\n\nsecond part\n      third\nCI  - 95% of soups\n"
        "AB - blood group\nKW  - soup\nbroth\nPY  - 2020\nER  - \n"
    )
    assert record.title == "A long title"
    assert record.abstract == "First part second part third CI - 95% of soups AB - blood group"
    assert record.keywords == ("soup", "broth")
    assert record.year == 2020


def test_text_outside_of_records_is_reported() -> None:
    reading = read(
        "Provider: X\nMy search of May\n\n1.\nTY  - JOUR\nTI  - A\nER  - \n<2>\nTY  - JOUR\nTI  - B\nER  - \nend\n"
    )
    assert [record.title for record in reading.records] == ["A", "B"]
    assert reading.notes == (
        "2 lines stand outside of records and were left out: line 2: “My search of May”; line 12: “end”",
    )


def test_the_longest_abstract_without_the_rights() -> None:
    record = only(
        "TY  - JOUR\nTI  - A\nAB  - We cook soup.\nAB  - Copyright of Journal of Soup is the property of nobody.\n"
        "N2  - We cook\nER  - \n"
    )
    assert record.abstract == "We cook soup."
    assert only("TY  - JOUR\nAB  - Short\nN2  - Much longer text\nER  - \n").abstract == "Much longer text"


@pytest.mark.parametrize(
    ("lines", "pmid"),
    [
        ("AN  - 35957633\nDB  - MEDLINE", "35957633"),
        ("AN  - 35957633\nDP  - NLM", "35957633"),
        ("AN  - 35957633\nDB  - Scopus", None),
        ("U1  - 35957633 [PMID]", "35957633"),
        ("U1  - PMC9359172 [PMCID]", None),
        ("PMID  - 35957633", "35957633"),
        ("UR  - https://pubmed.ncbi.nlm.nih.gov/35957633/", "35957633"),
        ("N1  - PMID: 35957633", "35957633"),
        ("DB  - Ovid MEDLINE(R)\nL2  - http://ovid.example/?D=medp&AN=35957633", "35957633"),
        ("DB  - PsycINFO\nL2  - http://ovid.example/?D=psyc&AN=35957633", None),
    ],
)
def test_pubmed_numbers(lines: str, pmid: str | None) -> None:
    assert only(f"TY  - JOUR\nTI  - A\n{lines}\nER  - \n").pmid == pmid


@pytest.mark.parametrize(
    ("line", "doi"),
    [
        ("M3  - 10.1234/a.b", "10.1234/a.b"),
        ("UR  - https://dx.doi.org/10.1234/a.b", "10.1234/a.b"),
        ("UR  - http://x.org/link?id=doi:10.1234%2Fa.b&issn=1", "10.1234/a.b"),
        ("L2  - http://x.org/doi/10.1234/a.b/full?x=1", "10.1234/a.b"),
        ("N1  - doi: 10.1234/a.b", "10.1234/a.b"),
        ("DO  - n/a\nL3  - 10.1234/a.b", "10.1234/a.b"),
        ("PB  - 10.1234/a.b", None),
    ],
)
def test_dois_wherever_they_stand(line: str, doi: str | None) -> None:
    assert only(f"TY  - JOUR\nTI  - A\n{line}\nER  - \n").doi == doi


@pytest.mark.parametrize(
    ("note", "included"),
    [
        ('RAYYAN-INCLUSION: {"Ada"=>"Included"} | RAYYAN-LABELS: soup', True),
        ('RAYYAN-INCLUSION: {"Ada"=>"Excluded"}', False),
        ('RAYYAN-INCLUSION: {"Ada"=>"Included", "Ben"=>"Excluded"}', None),
        ('RAYYAN-INCLUSION: {"Ada"=>"Maybe"}', None),
        ("ASReview_relevant", True),
        ("Mine. ASReview_irrelevant. Yours.", False),
        ("ASReview_not_seen", None),
        ("irrelevant", None),
    ],
)
def test_decisions_in_notes(note: str, included: bool | None) -> None:
    assert only(f"TY  - JOUR\nTI  - A\nN1  - {note}\nER  - \n").included is included


def test_a_page_that_was_saved() -> None:
    html = "<html><body><pre>TY  - JOUR<br>TI  - A &amp; B<br>ER  - <br></pre></body></html>"
    assert [record.title for record in read(html).records] == ["A & B"]


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
    assert record.keywords == ("*Soup", "broth")
    assert read(NBIB).unused == {"OWN": 1}


def test_medline_records_without_a_blank_line_between() -> None:
    reading = read("PMID- 1\nTI  - A\nSO  - x\nPMID- 2\nTI  - B\n\n\nPMID- 3\nTI  - C\n")
    assert [(record.pmid, record.title) for record in reading.records] == [("1", "A"), ("2", "B"), ("3", "C")]


def test_eric_has_numbers_of_its_own() -> None:
    reading = read("\nOWN - ERIC\nTI  - A\nOID - EJ1\n\nOWN - ERIC\nTI  - B\nOID - EJ2\n")
    assert [(record.title, record.own_id, record.line) for record in reading.records] == [
        ("A", "EJ1", 2),
        ("B", "EJ2", 6),
    ]


def test_all_fields_of_web_of_science() -> None:
    reading = read(WOS)
    record, second = reading.records
    assert (record.title, record.abstract, record.year) == ("Soup in winter", "We cook soup.", 2019)
    assert (record.authors, record.venue) == (("Kim, Ada", "Ro, Ben"), "JOURNAL OF SOUP")
    assert (record.volume, record.issue, record.pages, record.kind) == ("4", "2", "212-231", "conference")
    assert (record.doi, record.pmid, record.own_id) == ("10.1234/soup", "35957633", "WOS:000001")
    assert (record.keywords, record.times_cited) == (("soup", "broth taste"), 7)
    assert (second.title, second.line, reading.unused) == ("Second", 28, {"C1": 1})


def test_all_fields_of_endnote() -> None:
    reading = read(ENW)
    record, second = reading.records
    assert (record.title, record.abstract, record.year) == ("Soup in winter", "We cook soup.", 2019)
    assert (record.authors, record.venue) == (("Kim, Ada", "Ro, Ben"), "Journal of soup")
    assert (record.volume, record.issue, record.pages, record.kind) == ("4", "2", "212-231", "article")
    assert (record.doi, record.own_id, record.keywords) == ("10.1234/soup", "pub.7", ("soup", "broth"))
    assert (second.title, second.kind, reading.unused) == ("Second", "book", {"%Z": 1})


def test_endnote_records_that_begin_with_their_title() -> None:
    reading = read("%T A\n%0 Journal Article\n%D 2019\n%T B\n%D 2020\n\n\n%T C\n%0 Book\n")
    assert [(record.title, record.line) for record in reading.records] == [("A", 2), ("B", 4), ("C", 9)]
    assert reading.records_in_file == 3
    assert reading.rejected == ()


def test_all_fields_of_smart() -> None:
    first, second = read(SMART).records
    assert (first.own_id, first.title, first.abstract) == ("1", "soup in winter", "we cook soup .")
    assert (first.year, first.venue, first.authors) == (1958, "j. soup 4, 1958, 212.", ("kim,a.", "ro,b."))
    assert (second.own_id, second.title, second.abstract, second.line) == ("2", "", "broth", 12)


SMALL = {
    "ris": "TY  - JOUR\nTI  - R\nER  - \n",
    "pubmed_nbib": "PMID- 12345\nTI  - M\n",
    "wos_text": "FN Clarivate Analytics Web of Science\nVR 1.0\nPT J\nTI W\nER\n\nEF\n",
    "endnote_tagged": "%0 Book\n%T E\n",
    "smart": ".I 1\n.T\nS\n",
}


@pytest.mark.parametrize("format_id", SMALL)
def test_each_format_is_told_from_the_others(format_id: str) -> None:
    assert read(SMALL[format_id]).format_id == format_id


JOINED = [
    (first, second, gap)
    for first in SMALL
    for second in (*SMALL, "bibtex")
    for gap in ("\n", "")
    if first != second and (gap or first != "smart")
]


@pytest.mark.parametrize(("first", "second", "gap"), JOINED)
def test_records_of_a_second_format_are_named(first: str, second: str, gap: str) -> None:
    other = {**SMALL, "bibtex": "@article{k,\n  title = {B}\n}\n"}[second]
    reading = read(SMALL[first] + gap + other)
    assert reading.format_id == first
    assert len(reading.records) == 1
    assert all("it looks like" in rejected.reason for rejected in reading.rejected)
    assert reading.rejected[0].line == (SMALL[first] + gap).count("\n") + 1
