"""Tagged files as databases and reference managers write them: none of their records is lost."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from core.errors import FormatError
from data.importers.decoding import opened
from data.importers.reading import FileReading, read_data, read_file
from data.importers.tagged import TAGGED

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


def read(text: str) -> FileReading:
    """A small file."""
    return read_data(text.encode(), "small.txt")


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


DAMAGES: dict[str, Callable[[str], str]] = {
    "no ends": lambda text: re.sub(r"(?m)^ER  -.*\n?", "", text),
    "line ends of old Macs": lambda text: text.replace("\n", "\r"),
    "line ends twice": lambda text: text.replace("\n", "\r\r\n"),
    "blank lines between all lines": lambda text: text.replace("\n", "\n\n"),
    "indented": lambda text: re.sub(r"(?m)^", "  ", text),
    "one space": lambda text: re.sub(r"(?m)^([A-Z][A-Z0-9])  -", r"\1 -", text),
    "a web page": lambda text: f"<html><body><pre>\n{text}</pre></body></html>",
}


@pytest.mark.collections
@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("name", ["Dimensions_246", "lens_343", "medline_84", "screened_128", "wos_278"])
def test_damage_to_real_files_loses_no_record(collections_dir: Path, name: str, damage: str) -> None:
    data = (collections_dir / f"citesource_stages/{name}.ris").read_bytes()
    whole = read_data(data, "whole.ris")
    damaged = read_data(DAMAGES[damage](data.decode("utf-8-sig")).encode(), "damaged.ris")
    assert [record.title for record in damaged.records] == [record.title for record in whole.records]
    assert damaged.records_in_file == whole.records_in_file
    assert damaged.rejected == ()


@pytest.mark.collections
def test_no_other_file_is_taken_for_a_tagged_one(collections_dir: Path) -> None:
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
