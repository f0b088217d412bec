"""Language, ISSN, PMCID, types, headings and retraction of a record, from files of every family."""

from __future__ import annotations

import pytest

from data.importers.reading import read_data

NBIB = (
    "PMID- 31000001\nTI  - Soup\nLA  - eng\nLA  - fre\nIS  - 1234-567X (Print)\n"
    "IS  - 8765-4321 (Electronic)\nPMC - PMC77\n"
    "PT  - Journal Article\nPT  - Retracted Publication\n"
    "MH  - *Sleep/drug effects\nMH  - Soups/*history\nOT  - broth\n"
)
RIS = (
    "TY  - JOUR\nTI  - Soup\nLA  - English; French\nSN  - 1234-567X\n"
    "SN  - 8765-4321 (Electronic)\nC2  - PMC77\nER  - \n"
)
WOS = (
    "FN Clarivate Analytics Web of Science\nVR 1.0\nPT J\nTI Soup\nLA English\nDT Article; Retracted Publication\n"
    "SN 1234-567X\nEI 8765-4321\nER\n\nEF\n"
)
CSV = (
    "Title,Authors,Source title,EID,Language of Original Document,ISSN,Document Type\n"
    'Soup,Kho L.,J. Soup,2-s2.0-1,English; French,"1234567X; 87654321",Article\n'
)
BIB = "@article{a, title = {Soup}, language = {English}, issn = {1234-567X, 8765-4321}, pmcid = {PMC77}}"


@pytest.mark.parametrize(
    ("text", "language", "pmcid", "types"),
    [
        (NBIB, ("en", "fr"), "PMC77", ("Journal Article", "Retracted Publication")),
        (RIS, ("en", "fr"), "PMC77", ()),
        (WOS, ("en",), None, ("Article", "Retracted Publication")),
        (CSV, ("en", "fr"), None, ("Article",)),
        (BIB, ("en",), "PMC77", ()),
    ],
    ids=["MEDLINE", "RIS", "Web of Science", "Scopus", "BibTeX"],
)
def test_details_are_the_same_from_every_format(
    text: str, language: tuple[str, ...], pmcid: str | None, types: tuple[str, ...]
) -> None:
    (record,) = read_data(text.encode(), "export").records
    assert (record.language, record.pmcid, record.types) == (language, pmcid, types)
    assert record.issn == ("1234-567X", "8765-4321")
    assert record.is_retracted == (True if "Retracted Publication" in types else None)


def test_headings_of_medline_are_no_keywords() -> None:
    (record,) = read_data(NBIB.encode(), "x.nbib").records
    assert (record.headings, record.keywords) == (("*Sleep/drug effects", "Soups/*history"), ("broth",))
    assert record.subjects == ("broth", "Sleep", "Soups")


@pytest.mark.parametrize(
    ("title", "is_retracted"),
    [
        ("RETRACTED: Soup", True),
        ("Retracted article: Soup", True),
        ("[Retracted] Soup", True),
        ("Retracted papers and soup", None),
        ("Retraction: Soup", None),
    ],
)
def test_a_title_says_that_its_publication_was_retracted(title: str, is_retracted: bool | None) -> None:
    (record,) = read_data(f"TY  - JOUR\nTI  - {title}\nER  - \n".encode(), "x").records
    assert record.is_retracted is is_retracted
