"""Result lists and workbooks that are not quite as they should be."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest

from core.errors import FileError, FormatError
from data.library.litqeval import cell_text, read_list, read_workbook
from tests.messages import refusal


def ids(path: Path) -> tuple[list[str], tuple[str, ...]]:
    table = read_list(path, "list.csv")
    return [cell_text(row["id"]) for row in table.rows], table.notes


@pytest.mark.parametrize(
    ("content", "encoding"),
    [("id,title,abstract\np1,Teegefäße,\n".encode("cp1252"), "cp1252"), (b"id,title,abstract\np1,\x81,\n", "latin-1")],
)
def test_other_encodings_are_read_with_a_note(content: bytes, encoding: str, tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(content)
    assert ids(tmp_path / "x") == (["p1"], (f"list.csv: not valid UTF-8, read as {encoding}",))


def test_long_fields_and_all_line_ends_are_read(tmp_path: Path) -> None:
    long = "long " * 100_000
    (tmp_path / "x").write_bytes(f'id,title,abstract\r\np1,x,"{long}\r\n\u2028"\r\n\r\np2,x,\x0cy'.encode())
    table = read_list(tmp_path / "x", "list.csv")
    assert [row["id"] for row in table.rows] == ["p1", "p2"]
    assert table.rows[0]["abstract"] == f"{long}\r\n\u2028"
    assert table.notes == ()


def test_a_list_that_breaks_off_in_a_quoted_field_is_read_with_a_note(tmp_path: Path) -> None:
    (tmp_path / "x").write_text('id,title,abstract\np1,x,y\np2,x,"breaks off\np3,x,y\n', "utf-8")
    found, (note,) = ids(tmp_path / "x")
    assert found == ["p1", "p2"]
    assert "line 4 is not well-formed CSV" in note


def test_short_and_long_rows_and_lost_columns_are_noted(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("ID,title\np1\np2,x,surplus\np3,x,\n", "utf-8")
    surplus = "list.csv: rows with more cells than the first row has, the surplus left out: 1"
    assert ids(tmp_path / "x") == (["p1", "p2", "p3"], ("list.csv: no column abstract", surplus))


def test_a_workbook_is_read_whatever_its_name(tmp_path: Path) -> None:
    workbook = openpyxl.Workbook()
    for row in ([" Id ", None, "Note"], [7.0, "x", None], [None, None, None], ["p2"]):
        workbook.active.append(row)
    workbook.save(tmp_path / "book")
    workbook.close()
    table = read_workbook(tmp_path / "book", "book", ("id",), ("note", "year"))
    assert [cell_text(row["id"]) for row in table.rows] == ["7", "p2"]
    assert table.notes == ("book: no column year",)


def test_a_folder_in_the_place_of_a_file_is_one_line(tmp_path: Path) -> None:
    with refusal(FileError):
        read_list(tmp_path, "list.csv")
    with refusal(FileError):
        read_workbook(tmp_path, "book", (), ())


def test_a_field_without_end_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("id,title,abstract\np1,x," + "y" * (16 * 1024 * 1024 + 1), "utf-8")
    with refusal(FormatError):
        read_list(tmp_path / "x", "list.csv")
