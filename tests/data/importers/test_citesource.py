"""What CiteSource writes beside a publication is kept: where it was found, by which string, how far it came."""

from __future__ import annotations

import pytest

from core.library.records import Record, combined
from data.importers.reading import read_data

CSV = (
    '"title","author","year","doi","number","duplicate_id","record_ids","cite_source","cite_string","cite_label"\n'
    '"Soup and sleep","Kho, L and Ames, R",2019,"10.1000/soup","3","1","1, 7","Lens, WoS","string 1",'
    '"search, final"\n'
    '"Stew","Li, W",2001,"10.1000/stew","4","2","2",NA,NA,"search"\n'
)
RIS = (
    "TY  - JOUR\nTI  - Soup and sleep\nDB  - Lens, WoS\nC1  - 1\nC2  - 1, 7\nC7  - search, final\n"
    "C8  - string 1\nER  - \n\n"
    "TY  - JOUR\nTI  - Stew\nC1  - 2\nC2  - 2\nC7  - search\nER  - \n"
)
BIB = (
    "@article{a,\n title = {Soup and sleep},\n note = {cite\\_source: Lens, WoS; cite\\_label: search, final; "
    "cite\\_string: string 1}\n}\n@article{b,\n title = {Stew},\n note = {cite_source: NA; cite_label: search}\n}\n"
)


@pytest.mark.parametrize("text", [CSV, RIS, BIB], ids=["CSV", "RIS", "BibTeX"])
def test_sources_labels_and_strings_are_kept(text: str) -> None:
    soup, stew = read_data(text.encode(), "citations").records
    assert (soup.cite_source, soup.cite_label, soup.cite_string) == (
        ("Lens", "WoS"),
        ("search", "final"),
        ("string 1",),
    )
    assert (stew.cite_source, stew.cite_label, stew.cite_string) == ((), ("search",), ())
    assert (soup.pages, stew.pages) == (None, None)
    assert Record.from_document(soup.document(), soup.number, soup.line) == soup


def test_one_publication_has_what_all_its_records_have() -> None:
    one = combined([Record(1, cite_source=("Lens",)), Record(2, cite_source=("WoS", "Lens"), cite_label=("final",))])
    assert (one.cite_source, one.cite_label) == (("Lens", "WoS"), ("final",))


def test_the_same_tags_of_others_are_not_taken_for_these() -> None:
    (record,) = read_data(
        b"TY  - JOUR\nTI  - Soup\nC1  - note\nC2  - PMC123\nC7  - e12\nDB  - Scopus\nER  - \n", "x"
    ).records
    assert (record.cite_source, record.pages, record.pmcid) == ((), "e12", "PMC123")


def test_sources_with_a_column_each() -> None:
    text = (
        "title,year,duplicate_id,record_ids,source_Lens,source_Web of Science,label_final,cite_string\n"
        'Soup,2019,1,"1, 7",TRUE,TRUE,FALSE,string 1\nStew,2001,2,2,FALSE,TRUE,TRUE,NA\n'
    )
    soup, stew = read_data(text.encode(), "citations.csv").records
    assert (soup.cite_source, soup.cite_label, soup.cite_string) == (("Lens", "Web of Science"), (), ("string 1",))
    assert (stew.cite_source, stew.cite_label, stew.cite_string) == (("Web of Science",), ("final",), ())
