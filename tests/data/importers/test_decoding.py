"""From bytes to text: every encoding that exports come in, and what is no text at all."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import FileError, FormatError
from data.importers.reading import read_data
from data.importers.source import opened, plain_name, read_bytes
from tests.messages import refusal

TEXT = "TY  - JOUR\nTI  - Käse – naïve café\nER  - \n"


@pytest.mark.parametrize(
    ("encoding", "named", "assumed"),
    [
        ("utf-8", "utf-8", False),
        ("utf-8-sig", "utf-8", False),
        ("utf-16", "utf-16", False),
        ("utf-16-le", "utf-16", True),
        ("utf-16-be", "utf-16", True),
        ("utf-32", "utf-32", False),
        ("utf-32-le", "utf-32", True),
        ("utf-32-be", "utf-32", True),
        ("cp1252", "cp1252", True),
    ],
)
def test_encodings(encoding: str, named: str, assumed: bool) -> None:
    source = opened(TEXT.encode(encoding), "a.ris")
    assert (source.text, source.encoding) == (TEXT, named)
    assert len(source.notes) == assumed
    assert all("assumed" in note for note in source.notes)


def test_chinese_text_in_utf_16_without_a_mark() -> None:
    text = "TY  - JOUR\nAB  - " + "汤" * 300 + "\nER  - \n"
    assert opened(text.encode("utf-16-le"), "a.ris").text == text


def test_bytes_that_cp1252_lacks() -> None:
    source = opened(b"TI  - caf\xe9 \x81 \x92s\n", "a.ris")
    assert source.text == "TI  - café \x81 ’s\n"
    assert source.encoding == "latin-1"
    assert "line 1" in source.notes[0]


def test_joined_files_of_two_encodings() -> None:
    source = opened("Käse – über\n".encode() + "Käse\n".encode("cp1252"), "a.ris")
    assert source.text == "Käse – über\nKäse\n"
    (note,) = source.notes
    assert note.startswith("UTF-8 except for 1 byte ")
    assert note.endswith("line 2), read as cp1252")


@pytest.mark.parametrize("end", ["\r\n", "\r", "\r\r\n", "\n"])
def test_line_ends(end: str) -> None:
    assert opened(TEXT.replace("\n", end).encode(), "a.ris").text == TEXT


def test_marks_where_files_were_joined() -> None:
    assert opened(("\ufeff\ufeff" + TEXT + "\ufeff" + TEXT).encode(), "a.ris").text == TEXT + TEXT


def test_a_few_nul_characters_are_left_out_and_many_are_no_text() -> None:
    source = opened(b"TY  - JOUR\nTI  - A\x00B\n" + b"KW  - soup\n" * 50, "a.ris")
    assert "TI  - AB\n" in source.text
    assert [(note[:4], note[-3:]) for note in source.notes] == [("NUL ", ": 1")]
    with refusal(FormatError):
        opened(bytes(range(1, 200)) + b"ab\x00\x00cd\x00" * 90, "a.bin")


def test_characters_that_were_lost_before_are_counted() -> None:
    assert "): 2" in opened("K�se �\n".encode(), "a.ris").notes[0]


def test_half_a_character_at_the_end() -> None:
    source = opened(TEXT.encode("utf-16")[:-1], "a.ris")
    assert source.text.startswith(TEXT[:-1])
    assert "): 1" in source.notes[0]


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"%PDF-1.7", "a PDF"),
        (b"\x1f\x8b\x08", "gzip"),
        (b"PK\x03\x04 word/document.xml", "zip archive"),
        (b"\xd0\xcf\x11\xe0", "old Office"),
        (b"{\\rtf1", "RTF"),
    ],
)
def test_what_is_no_text_says_what_it_is(data: bytes, what: str) -> None:
    with pytest.raises(FormatError, match=what):
        opened(data, "a.ris")


@pytest.mark.parametrize(
    ("declared", "written", "named"),
    [
        ("ISO-8859-2", "iso-8859-2", "iso-8859-2"),
        ("windows-1250", "cp1250", "windows-1250"),
        ("ISO-8859-1", "utf-8", "utf-8"),
        ("ISO-8859-2", "utf-8", "utf-8"),
    ],
)
def test_xml_is_taken_at_its_word_unless_it_is_utf_8(declared: str, written: str, named: str) -> None:
    text = f'<?xml version="1.0" encoding="{declared}"?><a>Łódź</a>'
    source = opened(text.encode(written), "a.xml")
    assert (source.text, source.encoding) == (text, named)


def test_a_file_name_that_is_no_text(tmp_path: Path) -> None:
    reading = read_data(TEXT.encode(), "caf\udce9.ris")
    assert reading.name == "caf���.ris"
    assert plain_name("Käse.ris") == "Käse.ris"


def test_a_rejected_record_has_its_number() -> None:
    reading = read_data(b"TY  - JOUR\nTI  - Tea\nER  -\nTY  - JOUR\nER  -\n", "a.ris")
    assert [(r.record, r.line) for r in reading.rejected] == [(2, 4)]


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="no file"):
        read_bytes(tmp_path / "none.ris")
    with refusal(FileError):
        read_bytes(tmp_path)


@given(st.binary(max_size=300))
def test_any_bytes_are_text_or_an_error(data: bytes) -> None:
    try:
        text = opened(data, "a.ris").text
    except FormatError:
        return
    assert "\r" not in text
    assert "\x00" not in text


@given(st.text(max_size=200), st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-32"]))
def test_text_comes_back(text: str, encoding: str) -> None:
    text = "".join(char for char in text if char not in "\r\x00\ufeff" and not "\ud800" <= char <= "\udfff")
    assert opened(f"A {text}".encode(encoding), "a.ris").text == f"A {text}"
