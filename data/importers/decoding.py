"""From bytes to text: what kind of file it is, which encoding it has, and a note of what was assumed."""

from __future__ import annotations

import codecs
import re
from pathlib import Path

from core.errors import FileError, FormatError
from core.types import Ids
from data.importers.source import Source

MOST_BYTES = 600_000_000
"""About 450,000 records with abstracts: what fits into memory beside the rest."""

_NOT_TEXT = (
    (b"%PDF", "a PDF"),
    (b"\x1f\x8b", "a gzip archive: unpack it first"),
    (b"7z\xbc\xaf", "a 7z archive: unpack it first"),
    (b"Rar!", "a RAR archive: unpack it first"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"\xd0\xcf\x11\xe0", "an old Office file (.xls or .doc): save it as .xlsx or CSV"),
    (b"SQLite format 3\x00", "an SQLite database"),
    (b"\x7fELF", "a program"),
)


def read_bytes(path: Path) -> bytes:
    """The whole file, unless it is none or too large."""
    try:
        if path.is_dir():
            raise FileError(f"{path} is a folder: name the files in it")
        if not path.exists():
            raise FileError(f"no file {path}: check its name and folder")
        if not path.is_file():
            raise FileError(f"{path} is not a file that can be read whole: copy it to one")
        n_bytes = path.stat().st_size
        check_size(n_bytes, path.name)
        return path.read_bytes()
    except (OSError, ValueError) as e:
        raise FileError(f"can't read {path} ({getattr(e, 'strerror', None) or e}): check that it is yours") from e


def check_size(n_bytes: int, name: str) -> None:
    """An error for more than can be read at once."""
    if n_bytes > MOST_BYTES:
        raise FileError(
            f"{name} has {n_bytes / 1e9:.1f} GB, and files of up to {MOST_BYTES / 1e9:.1f} GB can be read: export the "
            "search in several parts and import them together"
        )


def opened(data: bytes, name: str) -> Source:
    """The file as readers get it. What is no text and no workbook is an error that says what it is."""
    for begins, what in _NOT_TEXT:
        if data.startswith(begins):
            raise FormatError(f"{name} is {what}, not a bibliography: export the records as RIS, BibTeX or CSV")
    if data.startswith(b"PK\x03\x04"):
        if b"xl/" in data[:4_000_000] or b"xl/" in data[-100_000:]:
            return Source(name, "", "xlsx", data=data)
        raise FormatError(f"{name} is a zip archive: unpack it and import the files in it")
    text, encoding, notes = _decoded(data)
    if "\x00" in text[:100_000]:
        raise FormatError(f"{name} is not a text file: export the records as RIS, BibTeX or CSV")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return Source(name, text.removeprefix("\ufeff"), encoding, notes)


def _decoded(data: bytes) -> tuple[str, str, Ids]:
    if data.startswith((b"\xff\xfe\x00\x00", b"\x00\x00\xfe\xff")):
        return data.decode("utf-32", errors="replace"), "utf-32", ()
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return _replaced(data, "utf-16", ())
    if guess := _utf_16_without_mark(data):
        return _replaced(data, guess, ("no byte order mark: UTF-16 was assumed",))
    try:
        return data.decode("utf-8-sig"), "utf-8", ()
    except UnicodeDecodeError as e:
        where = data.count(b"\n", 0, e.start) + 1
    return _eight_bit(data, where)


def _replaced(data: bytes, encoding: str, notes: Ids) -> tuple[str, str, Ids]:
    try:
        return data.decode(encoding), "utf-16", notes
    except UnicodeDecodeError:
        note = "parts of it are no valid UTF-16; the characters are shown as �"
        return data.decode(encoding, errors="replace"), "utf-16", (*notes, note)


def _utf_16_without_mark(data: bytes) -> str | None:
    head = data[:4000]
    if head.count(b"\x00") < len(head) // 4 or len(head) < 4:
        return None
    if not any(head[0::2].replace(b"\x00", b"")):
        return "utf-16-be"
    return "utf-16-be" if head[0::2].count(b"\x00") > head[1::2].count(b"\x00") else "utf-16-le"


_MOSTLY_UTF_8 = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")


def _eight_bit(data: bytes, line: int) -> tuple[str, str, Ids]:
    """Text that is no UTF-8: mostly UTF-8 with a few bad bytes, cp1252, or else latin-1, which reads anything."""
    n_high = sum(len(run) for run in re.findall(rb"[\x80-\xff]+", data))
    in_utf_8 = sum(map(len, _MOSTLY_UTF_8.findall(data)))
    if in_utf_8 >= 0.9 * n_high:
        n_bad = n_high - in_utf_8
        note = f"UTF-8 with {n_bad:,} bytes that are none (the first in line {line:,}), read as cp1252"
        return data.decode("utf-8-sig", errors="queryscape-cp1252"), "utf-8", (note,)
    try:
        return data.decode("cp1252"), "cp1252", (f"not UTF-8 (line {line:,}): cp1252 was assumed",)
    except UnicodeDecodeError:
        note = f"neither UTF-8 (line {line:,}) nor cp1252: cp1252 was assumed, and latin-1 for the bytes that it lacks"
        return _cp1252_or_latin_1(data), "latin-1", (note,)


def _cp1252_or_latin_1(data: bytes) -> str:
    table = [bytes([b]).decode("cp1252", errors="ignore") or chr(b) for b in range(256)]
    return data.decode("latin-1").translate(dict(enumerate(table)))


def _as_cp1252(e: UnicodeError) -> tuple[str, int]:
    """For bytes that are no UTF-8: what they are in cp1252, else in latin-1."""
    if not isinstance(e, UnicodeDecodeError):
        raise e
    return _cp1252_or_latin_1(e.object[e.start : e.end]), e.end


codecs.register_error("queryscape-cp1252", _as_cp1252)
