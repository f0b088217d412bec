"""Lists of DOIs, PubMed numbers and titles, and the files of retrieval experiments."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import FormatError
from core.library.records import Record, cleaned
from data.importers.reading import read_data
from data.importers.source import opened
from data.importers.table_formats import IDENTIFIERS_FORMAT, TITLES_FORMAT, _entries
from tests.messages import refusal


def records(text: str) -> list[Record]:
    return [cleaned(1, entry.line, entry.fields) for entry in _entries(text.split("\n"))]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("10.1000/Soup", [("10.1000/soup", None, "")]),
        ("doi:10.1000/soup.", [("10.1000/soup", None, "")]),
        ("1. https://doi.org/10.1000/soup", [("10.1000/soup", None, "")]),
        (
            "10.1000/a, 10.1000/b; 10.1000/c",
            [("10.1000/a", None, ""), ("10.1000/b", None, ""), ("10.1000/c", None, "")],
        ),
        ("https://doi.org/10.1000/a;https://doi.org/10.1000/b", [("10.1000/a", None, ""), ("10.1000/b", None, "")]),
        ("Kho L. Soup. J. Soup 2019. doi: 10.1000/soup", [("10.1000/soup", None, "")]),
        ("On hot soup\t10.1000/soup", [("10.1000/soup", None, "On hot soup")]),
        ("35957633", [(None, "35957633", "")]),
        ("PMID: 35957633", [(None, "35957633", "")]),
        ("- 35957633 [PMID]", [(None, "35957633", "")]),
        ("35957633, 31234567", [(None, "35957633", ""), (None, "31234567", "")]),
        ("https://pubmed.ncbi.nlm.nih.gov/35957633/", [(None, "35957633", "")]),
        ("12. “On hot soup”", [(None, None, "On hot soup")]),
        ("• On 3 hot soups in 2019", [(None, None, "On 3 hot soups in 2019")]),
        ("1984: a soup", [(None, None, "1984: a soup")]),
        ("   ", []),
        ("---", []),
    ],
)
def test_a_pasted_line(line: str, expected: list[tuple[str | None, str | None, str]]) -> None:
    assert [(record.doi, record.pmid, record.title) for record in records(line)] == expected


def test_names_of_databases_and_a_heading() -> None:
    found = records("DOI\npub.1010407598\nWOS:000253436500012\nPMC9359172\n")
    assert [(record.line, record.own_id) for record in found] == [
        (2, "pub.1010407598"),
        (3, "WOS:000253436500012"),
        (4, "PMC9359172"),
    ]


@given(st.text(st.sampled_from("ab10./, \n\t;:-PM"), max_size=120))
def test_every_pasted_line_with_letters_or_digits_gives_something(text: str) -> None:
    lines = {entry.line for entry in _entries(text.split("\n"))}
    for number, line in enumerate(text.split("\n"), start=1):
        assert (number in lines) == any(c.isalnum() for c in line)


def test_files_of_numbers_are_known_and_titles_are_not_taken_for_granted() -> None:
    found = read_data(b"doi\n10.1000/a\n\n10.1000/b\n", "core.txt")
    assert (found.format_id, found.records_in_file) == ("identifiers", 2)
    assert [record.line for record in found.records] == [2, 4]
    assert read_data(b"35957633\n31234567 31234568\n", "core.txt").format_id == "identifiers"
    titles = opened(b"Green warehouses\nSoup for everybody\n", "core.txt")
    assert 0 < TITLES_FORMAT.likeness(titles) < 0.1
    assert IDENTIFIERS_FORMAT.likeness(titles) == 0
    asked = read_data(titles.text.encode(), "core.txt", format_id="titles")
    assert [record.title for record in asked.records] == ["Green warehouses", "Soup for everybody"]


@pytest.mark.parametrize(
    "line",
    [
        "Kho L and Ames R (2013) Soups: what to cook. Journal of Soup 6(4): 232-235.",
        "TY  - JOUR",
        "see https://soup.org",
        "soup = broth;",
    ],
)
def test_references_in_prose_and_other_texts_are_no_list_of_titles(line: str) -> None:
    assert TITLES_FORMAT.likeness(opened(f"{line}\n{line}\n".encode(), "x.md")) == 0
    with refusal(FormatError):
        read_data(b"Kho L (2013) Soups: what to cook. Soup 6(4): 232-235.\n", "x.md")


def test_runs_and_judgments() -> None:
    run = read_data(b"8 Q0 33906966 1 12.5 bm25\n8 Q0 pub.7 2 1e-3 bm25\nx\n" + b"9 Q0 5 1 0 bm25\n" * 30, "a.res")
    assert (run.format_id, run.records_in_file, len(run.records)) == ("trec_run", 33, 32)
    assert [(r.own_id, r.query_id, r.pmid) for r in run.records[:3]] == [
        ("33906966", "8", "33906966"),
        ("pub.7", "8", None),
        ("5", "9", None),
    ]
    assert [rejected.line for rejected in run.rejected] == [3]
    smart = read_data(b"     1     28\t0\t0.000000\n     2      3\t0\t0.000000\n", "rel")
    assert (smart.format_id, smart.records_in_file) == ("trec_qrels", 2)
    assert [(r.query_id, r.own_id, r.included) for r in smart.records] == [("1", "28", True), ("2", "3", True)]
    judgments = read_data(b"1 0 184 1\n1 0 29 0\n2 0 7 3\n2 0 8 -1\n", "qrels.txt")
    assert judgments.format_id == "trec_qrels"
    assert [(r.query_id, r.own_id, r.included) for r in judgments.records] == [
        ("1", "184", True),
        ("1", "29", False),
        ("2", "7", True),
        ("2", "8", False),
    ]


DOCUMENTS = """<DOC>
<DOCNO> s1 </DOCNO>
<title>Soup at p < 0.05</title><author>kho,l. and ames,r.</author>
<bib>j. soup 25, 1958, 324.</bib>
<text>Hot soup
& broth.</text>
</DOC>
<doc><docno>s2</docno><title></title></doc> <doc><docno>s3</docno><title>open
"""


def test_documents_are_read_by_their_tags() -> None:
    found = read_data(DOCUMENTS.encode(), "docs.xml")
    first, second = found.records
    assert (found.format_id, found.records_in_file, [r.line for r in found.rejected]) == ("trec_documents", 3, [8])
    assert (first.own_id, first.title, first.abstract) == ("s1", "Soup at p < 0.05", "Hot soup & broth.")
    assert (first.year, first.venue, first.authors) == (1958, "j. soup 25, 1958, 324.", ("kho,l.", "ames,r."))
    assert (second.line, second.own_id, second.title) == (8, "s2", "")


def test_a_table_with_dois_is_no_list_of_them() -> None:
    rows = "".join(f"{i};Tee {i} im Wasser;{2000 + i};10.1000/{i}\n" for i in range(30))
    with refusal(FormatError):
        read_data(f"Nummer;Wortlaut;Wann;Kennzeichen\n{rows}".encode(), "list.csv")
