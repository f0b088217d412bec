"""A table of searches, as a librarian keeps one, changes the searches of a topic."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.audit.search_table import SearchTable, day_of, read_table
from core.audit.searches import Search
from core.errors import FormatError, InputError
from data.explore.workspace import Workspace
from data.importers.reading import read_data
from data.library.imports import bring
from data.library.records import SourceRole
from data.library.search_table import apply_search_table, new_doubts, read_search_table
from data.library.searches import load_searches, problems_of, save_search
from data.store import Store

TEA = "tea"
HISTORY = "1. tea (40)\n2. mug (9)\n3. 1 OR 2 (45)"
MEDLINE = Search("m", 1, database="MEDLINE", platform="Ovid")
ECONLIT = Search("e", 2, database="EconLit", platform="EBSCOhost")


@pytest.fixture
def store(workspace: Workspace) -> Store:
    for name, database in (("a.ris", "Embase"), ("b.ris", "EconLit")):
        data = f"TY  - JOUR\nTI  - On {name}\nDB  - {database}\nER  - \n".encode()
        bring(workspace, TEA, SourceRole("corpus"), [read_data(data, name)])
    return workspace.store


def table_of(*rows: dict[str, str], delimiter: str = "\t") -> bytes:
    names = list(dict.fromkeys(name for row in rows for name in row))
    file = io.StringIO()
    writer = csv.DictWriter(file, names, delimiter=delimiter, restval="")
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue().encode()


def read(*rows: dict[str, str]) -> SearchTable:
    names = list(dict.fromkeys(name for row in rows for name in row))
    cells = [(line, [row.get(name, "") for name in names]) for line, row in enumerate(rows, start=2)]
    return read_table(names, cells, (MEDLINE, ECONLIT), {"m": ("medline.ris",)})


@pytest.mark.parametrize("delimiter", ["\t", ",", ";"])
def test_strings_dates_and_hits_come_by_one_paste(store: Store, delimiter: str) -> None:
    data = table_of(
        {"Database": "embase", "Date searched": "4 Nov 2026", "Search strategy": HISTORY, "Results": "1,234"},
        {"Database": "EconLit", "Date searched": "2026-11-05", "Search strategy": "tea, AND; mug", "Results": ""},
        {"Database": "CENTRAL (Cochrane Library)", "Date searched": "", "Search strategy": "tea", "Results": "7"},
        delimiter=delimiter,
    )
    table = read_search_table(store, TEA, data, "searches.csv")
    assert (table.problems, table.unknown, len(table.changes)) == ((), (), 3)
    apply_search_table(store, TEA, table)
    found = [(s.number, s.database, s.platform, s.searched_on, s.text, s.n_hits) for s in load_searches(store, TEA)]
    assert (found[0][1], *found[0][3:]) == ("Embase", "2026-11-04", HISTORY, 1234)
    assert found[1][3:] == ("2026-11-05", "tea, AND; mug", None)
    assert found[2] == (3, "CENTRAL", "Cochrane Library", "", "tea", 7)
    again = read_search_table(store, TEA, data, "searches.csv")
    assert (again.changes, again.n_same) == ((), 3)


def test_a_workbook_is_read(store: Store) -> None:
    import openpyxl

    book = openpyxl.Workbook()
    book.active.append(["Our searches"])
    book.active.append(["File", "String", "Limits"])
    book.active.append(["b.ris", HISTORY, "English"])
    file = io.BytesIO()
    book.save(file)
    (change,) = read_search_table(store, TEA, file.getvalue(), "searches.xlsx").changes
    assert (change.search.database, change.search.text, change.search.limits) == ("EconLit", HISTORY, "English")


def test_parquet_is_read(store: Store) -> None:
    import pyarrow.parquet as pq
    from pyarrow import table

    file = io.BytesIO()
    pq.write_table(table({"File": ["b.ris", None], "String": [HISTORY, None], "Hits": [7, None]}), file)
    (change,) = read_search_table(store, TEA, file.getvalue(), "searches.parquet").changes
    assert (change.search.database, change.search.text) == ("EconLit", HISTORY)


@pytest.mark.parametrize(
    "data", [b"", b"Colour,Size\nred,3\n", b"just words", b"%PDF-1.4", b" \n\n", b"Database,Hits\n"]
)
def test_what_is_no_table_of_searches_is_refused(store: Store, data: bytes) -> None:
    with pytest.raises(FormatError):
        read_search_table(store, TEA, data, "x.csv")


@pytest.mark.parametrize(
    "row",
    [
        {"Number": "9", "Hits": "3"},
        {"File": "nobody.ris", "Hits": "3"},
        {"Hits": "3"},
        {"Database": "MEDLINE", "Hits": "many"},
        {"Database": "MEDLINE", "Hits": "-3"},
        {"Database": "MEDLINE", "Date": "04/11/2026"},
        {"Database": "MEDLINE", "Date": "soon"},
        {"Database": "MEDLINE", "Date": "2026-13-45"},
        {"Database": "MEDLINE", "Kind": "dream"},
        {"Database": "x" * 300, "Kind": "database"},
    ],
    ids=str,
)
def test_a_row_that_can_not_be_used_is_told_and_the_others_are(row: dict[str, str]) -> None:
    table = read(row, {"Database": "EconLit", "Hits": "12"})
    assert len(table.problems) == 1
    assert "2" in table.problems[0]
    assert [change.search.n_hits for change in table.changes] == [12]


def test_signs_that_can_not_be_seen_do_not_spoil_a_name() -> None:
    table = read(
        {"Database": "Web\u00a0of Science", "By": "\u202bשלום\u202c", "Hits": "3"}, {"Database": "=cmd|'/C calc'"}
    )
    assert table.problems == ()
    first, second = (change.search for change in table.changes)
    assert (first.database, first.searched_by, second.database) == ("Web of Science", "שלום", "=cmd|'/C calc'")


def test_rows_find_their_search_by_number_file_or_database() -> None:
    table = read({"No": "2", "Hits": "1"}, {"File": "medline.ris", "Hits": "2"}, {"Database": "Scopus", "Hits": "3"})
    assert [change.before for change in table.changes] == [ECONLIT, MEDLINE, None]
    assert read({"Database": "EconLit (EBSCOhost)", "Hits": "1"}).changes[0].before == ECONLIT
    assert read({"Database": "MEDLINE", "Platform": "PubMed", "Hits": "1"}).changes[0].before is None
    twice = read({"Database": "MEDLINE", "Hits": "1"}, {"No": "1", "Hits": "2"})
    assert (len(twice.changes), len(twice.problems)) == (1, 1)


@pytest.mark.parametrize(
    ("known", "given", "is_same"),
    [
        ("MEDLINE", "Ovid MEDLINE", True),
        ("APA PsycInfo", "PsycInfo", True),
        ("Web of Science", "Web of Science: Core Collection", True),
        ("Base 1", "Base 10", False),
        ("PubMed", "PubMed Central", False),
        ("Eric", "Generic index", False),
    ],
)
def test_a_database_is_known_by_whole_words_of_its_name(known: str, given: str, is_same: bool) -> None:
    search = Search("s", 1, database=known)
    table = read_table(("Database", "Hits"), [(2, (given, "3"))], [search], {})
    assert [change.before for change in table.changes] == [search if is_same else None]


@given(st.dates())
def test_a_day_is_read_however_it_is_written(day: date) -> None:
    months = day.strftime("%B")
    for text in (day.isoformat(), f"{day.day} {months} {day.year:04}", f"{months} {day.day}, {day.year:04}"):
        if day.year > 31:
            assert day_of(text) == day.isoformat()
    if day.day > 12 and day.year > 31:
        assert day_of(f"{day.day}/{day.month}/{day.year}") == day_of(f"{day.month}/{day.day}/{day.year}")
    elif day.year > 31 and day.day != day.month:
        with pytest.raises(InputError):
            day_of(f"{day.day}/{day.month}/{day.year}")


def test_nothing_is_stored_before_it_is_applied_and_an_empty_cell_changes_nothing(store: Store) -> None:
    first = load_searches(store, TEA)[0]
    save_search(store, TEA, replace(first, note="Kept."))
    table = read_search_table(store, TEA, table_of({"Number": "1", "Note": "", "Hits": "5"}), "paste")
    assert load_searches(store, TEA)[0].n_hits is None
    apply_search_table(store, TEA, table)
    assert (load_searches(store, TEA)[0].note, load_searches(store, TEA)[0].n_hits) == ("Kept.", 5)


TODAY = date(2026, 11, 28)


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([{"Database": "Embase", "Date": "2027-01-05"}], ["2027-01-05"]),
        ([{"Database": "Embase", "Hits": "0"}], ["0 hits"]),
        ([{"Database": "Embase", "Hits": "9", "String": HISTORY}], ["9 hits are given, but"]),
        ([{"Database": "CENTRAL", "Date": "2026-11-04"}, {"Database": "Scopus", "Hits": "1"}], []),
        ([{"Database": "CENTRAL", "By": "Ann"}] * 2, ["CENTRAL is listed several times"]),
        ([{"Database": "Embase", "Hits": "1"}, {"Number": "2", "Hits": "0"}], ["EconLit"]),
    ],
)
def test_contradictions_are_told_before_the_table_is_applied(
    store: Store, rows: list[dict[str, str]], told: list[str]
) -> None:
    save_search(store, TEA, replace(load_searches(store, TEA)[1], searched_on="2030-01-01"))  # known, so not told again
    before = problems_of(store, TEA, TODAY)
    assert len(before) == 1
    table = read_search_table(store, TEA, table_of(*rows), "paste")
    found = new_doubts(store, TEA, table, TODAY)
    assert len(found) == len(told)
    assert all(words in sentence for words, sentence in zip(told, found, strict=True))
    apply_search_table(store, TEA, table)
    assert set(problems_of(store, TEA, TODAY)) - set(before) == set(found)
