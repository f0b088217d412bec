"""Workbooks: any cell as text, damaged and oversized ones refused."""

from __future__ import annotations

import io
import zipfile
from datetime import datetime, time, timedelta
from typing import Any

import openpyxl
import pytest
from openpyxl.utils.datetime import MAC_EPOCH, WINDOWS_EPOCH

from core.errors import FormatError
from data.importers.reading import read_data
from data.importers.source import FileReading, ReadOptions, opened
from data.importers.table_formats import proposed_columns
from data.importers.workbooks import Workbook
from tests.messages import refusal


def workbook(*sheets: list[list[Any]], hide: int | None = None) -> bytes:
    """A workbook with these sheets; `hide`: a row of the first one that is hidden."""
    made = openpyxl.Workbook()
    made.remove(made.active)
    for rows in sheets:
        sheet = made.create_sheet()
        for row in rows:
            sheet.append(row)
    if hide:
        made.worksheets[0].row_dimensions[hide].hidden = True
    file = io.BytesIO()
    made.save(file)
    made.close()
    return file.getvalue()


def reading(data: bytes, **columns: str) -> FileReading:
    found = read_data(data, "list.csv", asked=ReadOptions(columns or None))
    assert len(found.records) + len(found.rejected) >= found.records_in_file
    return found


def changed(data: bytes, name: str, old: bytes, new: bytes) -> bytes:
    """The workbook with one part changed."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as before, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as after:
        for part in before.namelist():
            content = before.read(part)
            after.writestr(part, content.replace(old, new, 1) if part == name else content)
    return file.getvalue()


SHEET = "xl/worksheets/sheet1.xml"
ROWS = [["id", "Title", "Year", "Times cited"], [1, "Soup", 2019.0, 4], [2, "Broth", 2020, 0]]


def test_numbers_dates_and_empty_cells() -> None:
    rows = [
        ["id", "Title", "Year", "Abstract"],
        [1.0, "Soup", 2019.0, None],
        ["2", "Broth", datetime(2020, 5, 1), "Hot."],
        [None, None, None, None],
        [" "],
        ["3", 1984, datetime(1905, 7, 11), True],
        ["4", "Short"],
    ]
    found = reading(workbook(rows))
    assert [(r.line, r.own_id, r.title, r.year, r.abstract) for r in found.records] == [
        (2, "1", "Soup", 2019, None),
        (3, "2", "Broth", 2020, "Hot."),
        (6, "3", "1984", 2019, "true"),
        (7, "4", "Short", None, None),
    ]
    assert (found.format_id, found.encoding, found.records_in_file, found.notes) == ("xlsx", "xlsx", 4, ())


def test_the_header_is_found_on_any_sheet_below_remarks_and_hidden_rows() -> None:
    remarks = [["Exported for Lena"], ["see the next sheet"]]
    found = reading(workbook(remarks, [["My list"], [], *ROWS], hide=1))
    assert [(record.line, record.title) for record in found.records] == [(4, "Soup"), (5, "Broth")]
    assert proposed_columns(opened(workbook(ROWS), "x")).sample == (
        ("1", "Soup", "2019", "4"),
        ("2", "Broth", "2020", "0"),
    )


def test_providers_are_known_in_workbooks_too() -> None:
    header = ["Rank", "Publication ID", "Title", "PubYear", "Authors", "Dimensions URL"]
    rows = [
        ["About the data: exported today"],
        header,
        [1, "pub.1", "Soup", 2019, "Kho, Lena; Ames, Rob", "https://x.org"],
    ]
    found = reading(workbook(rows))
    record = found.records[0]
    assert (found.format_id, record.line, record.own_id, record.year) == ("dimensions_xlsx", 3, "pub.1", 2019)
    assert record.authors == ("Kho, Lena", "Ames, Rob")


def test_a_workbook_that_nobody_knows_can_be_mapped() -> None:
    data = workbook([["code", "what"], [7, "Soup"], [8, "Broth"]])
    with refusal(FormatError):
        reading(data)
    assert [record.title for record in reading(data, title="what").records] == ["Soup", "Broth"]


def test_a_formula_shows_its_result_or_itself() -> None:
    data = workbook([["id", "title"], [1, "=A1&B1"], [2, "plain"]])
    assert [record.title for record in reading(data).records] == ["=A1&B1", "plain"]
    worked_out = data
    for empty in (b"<v></v>", b"<v />"):
        worked_out = changed(worked_out, SHEET, b"<f>A1&amp;B1</f>" + empty, b"<f>A1&amp;B1</f><v>12.5</v>")
    assert [record.title for record in reading(worked_out).records] == ["12.5", "plain"]


def test_what_is_no_sound_workbook_is_an_error() -> None:
    sound = workbook(ROWS)
    damaged = {
        "cut off": sound[: len(sound) // 2],
        "no sheet": changed(sound, SHEET, b"<worksheet", b"<worksh<eet"),
        "entities": changed(sound, SHEET, b"<worksheet", b'<!DOCTYPE x [<!ENTITY a "b">]><worksheet'),
        "no rows": workbook([]),
    }
    for data in damaged.values():
        with pytest.raises(FormatError, match="workbook"):
            reading(data)


def test_a_workbook_that_unpacks_to_more_than_it_can_hold_is_refused() -> None:
    file = io.BytesIO(workbook(ROWS))
    with zipfile.ZipFile(file, "a", zipfile.ZIP_DEFLATED) as packed, packed.open("xl/more.xml", "w") as part:
        for _ in range(110):
            part.write(b" " * 1_000_000)
    with pytest.raises(FormatError, match="unpack to 110,"):
        reading(file.getvalue())


def test_values_are_those_that_openpyxl_reads() -> None:
    rows = [
        ["text", " spaces ", "Ünï <&> x", "12", True, False, 0, -3, 2.5, 1e300],
        [
            datetime(2019, 3, 12),
            datetime(2019, 3, 12, 14, 5),
            time(9, 30),
            timedelta(days=1, hours=2),
        ],
        [None, "after a gap", None, 7],
        [],
        ["=1+1", "#N/A"],
    ]
    for since_1904 in (False, True):
        made = openpyxl.Workbook()
        made.epoch = MAC_EPOCH if since_1904 else WINDOWS_EPOCH
        for row in rows:
            made.active.append(row)
        file = io.BytesIO()
        made.save(file)
        theirs = openpyxl.load_workbook(io.BytesIO(file.getvalue())).active.iter_rows(values_only=True)
        ours = {row.number: row.values for row in Workbook(file.getvalue(), "x").rows("Sheet")}
        for number, cells in enumerate(theirs, start=1):
            wanted = list(cells)
            while wanted and wanted[-1] is None:
                wanted.pop()
            assert ours.get(number, []) == wanted


def test_cells_far_to_the_right_are_left_out_with_a_note() -> None:
    made = openpyxl.Workbook()
    made.active.append(["id", "title"])
    for number in range(2, 50):
        made.active.append([number, f"Soup {number}"])
        made.active.cell(number, 16_384, "x")
    file = io.BytesIO()
    made.save(file)
    found = reading(file.getvalue())
    assert len(found.records) == 48
    assert [note for note in found.notes if "48 rows with cells far to the right" in note]


def test_signs_that_xml_can_not_hold_come_back() -> None:
    data = workbook(ROWS)
    for part in ("xl/sharedStrings.xml", SHEET):
        data = changed(data, part, b"Soup", b"So_x000D_up _x005F_x0041_")
    assert "So\rup _x0041_" in [row.values[1] for row in Workbook(data, "x").rows("Sheet")]
