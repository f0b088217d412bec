"""A file to import, decoded from bytes, and the entries and rejections that readers return."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from core.audit.searches import UNKNOWN_ORIGIN, SearchOrigin
from core.errors import FileError, FormatError
from core.library.records import RawFields, Record
from core.text import many
from core.types import Ids
from data.files import read_errors

# One bibliographic file as readers receive it, and the results that they return.

WORKBOOK, PARQUET = "xlsx", "parquet"
NO_TEXT = {WORKBOOK: "a workbook", PARQUET: "a Parquet file"}
"""Encodings of files that are tables without being text."""


@dataclass(frozen=True, eq=False)
class ImportFile:
    """An opened file: its full text, line ends as \\n, without a byte order mark."""

    name: str
    text: str
    """Empty for a workbook and for Parquet."""
    encoding: str
    """The encoding used: utf-8, utf-16, cp1252, latin-1; WORKBOOK or PARQUET."""
    notes: Ids = ()
    """Assumptions about the encoding."""
    data: bytes = b""
    """The file's bytes; stored only for a workbook and for Parquet."""

    @cached_property
    def lines(self) -> list[str]:
        """The text's lines without their ends. Only \\n, \\r\\n and \\r end a line."""
        return self.text.split("\n")

    @cached_property
    def head(self) -> str:
        return self.text[:20_000]


@dataclass(frozen=True, slots=True)
class ImportEntry:
    line: int
    """The line, or row of a workbook, where it begins, from 1."""
    fields: RawFields
    unused: Sequence[str] = ()
    """Names of filled tags or columns for which Queryscape has no field."""


@dataclass(frozen=True, slots=True)
class ImportRejection:
    """A part of a file that did not become a record. Always reported."""

    line: int | None
    reason: str
    """Completes "line 12: ...", such as "a reference without a type (TY)"."""
    record: int | None = None
    """The record's number in the file, from 1; None if unknown."""


@dataclass(frozen=True, slots=True)
class Note:
    """A remark on the file, although nothing was lost."""

    text: str


Columns = Mapping[str, str]
"""For an unrecognised table: a field's name (a key of `RawFields`) -> the column's name."""

Part = ImportEntry | ImportRejection | Note


@dataclass(frozen=True, slots=True)
class ReadOptions:
    columns: Columns | None = None
    titles: bool = False
    """Plain lines may be read as titles, as in a list of known publications."""


Read = Callable[[ImportFile, ReadOptions], Iterable[Part]]

NOTHING_ASKED = ReadOptions()


@dataclass(frozen=True, slots=True)
class Format:
    """One kind of bibliographic file: how to recognise it by its content, count its records and read it."""

    format_id: str
    """The id in reports and for `--format`: ris, bibtex, pubmed_nbib, scopus_csv, ..."""
    label: str
    """The name on pages: "RIS", "PubMed (nbib)"."""
    likeness: Callable[[ImportFile], float]
    """Probability that a file has this format, 0 to 1. By content only, and fast: only the beginning is read."""
    starts: Callable[[ImportFile], Sequence[int]]
    """The lines at which records begin, counted in the raw text independently of the reader."""
    read: Read
    """Yields the entries in order, and the parts that could not be read."""


@dataclass(frozen=True, eq=False)
class FileReading:
    name: str
    content_hash: str
    """SHA-256 of its bytes, to detect the same file."""
    n_bytes: int
    format_id: str
    encoding: str
    records_in_file: int
    """Counted in the raw text, before parsing."""
    records: tuple[Record, ...]
    rejected: tuple[ImportRejection, ...]
    notes: Ids
    unused: Mapping[str, int]
    """Tags or columns that were not imported, with the number of records that use each."""
    origin: SearchOrigin = UNKNOWN_ORIGIN
    """The database that its records come from, as far as they tell."""

    @property
    def n_included(self) -> int:
        return sum(record.included is True for record in self.records)


# From bytes to text: detect the kind of file and its encoding, and note assumptions.

MOST_BYTES = 600_000_000
"""About 450,000 records with abstracts: the largest file that fits in memory with everything else."""

_NOT_TEXT = (
    (b"%PDF", "a PDF"),
    (b"\x1f\x8b", "a gzip archive: unpack it first"),
    (b"7z\xbc\xaf", "a 7z archive: unpack it first"),
    (b"Rar!", "a RAR archive: unpack it first"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"BZh", "a bzip2 archive: unpack it first"),
    (b"\xfd7zXZ", "an xz archive: unpack it first"),
    (b"\x28\xb5\x2f\xfd", "a zstd archive: unpack it first"),
    (b"{\\rtf", "a formatted text (RTF): save it as plain text"),
    (b"\xd0\xcf\x11\xe0", "an old Office file (.xls or .doc): save it as .xlsx or CSV"),
    (b"SQLite format 3\x00", "an SQLite database"),
    (b"\x7fELF", "a program"),
)


_PARQUET = (b"PAR1\x15", b"PARE")
"""How Parquet begins, even if its end is cut off; PARE: encrypted."""


def read_bytes(path: Path) -> bytes:
    """Read the whole file, unless it is not a file or too large."""
    with read_errors(path, (OSError, ValueError)):
        if path.is_dir():
            raise FileError(f"{path} is a folder: give the files in it")
        if not path.exists():
            raise FileError(f"no file {path}: check its name and folder")
        if not path.is_file():
            raise FileError(f"{path} is not a regular file: copy its content to one")
        check_size(path.stat().st_size, path.name)
        return path.read_bytes()


def check_size(n_bytes: int, name: str) -> None:
    """Raise an error if the file is too large to read at once."""
    if n_bytes > MOST_BYTES:
        raise FileError(
            f"{name} has {n_bytes / 1e9:.1f} GB; the limit is {MOST_BYTES / 1e9:.1f} GB: export the "
            "search in several parts and import them together"
        )


def plain_name(name: str) -> str:
    """Return a file's name as valid text: invalid parts become �."""
    return name.encode("utf-8", "surrogatepass").decode("utf-8", "replace")


def no_text(data: bytes) -> str | None:
    """Identify a file that is not text by its first bytes: "a PDF"; None: it may be text."""
    return next((what for begins, what in _NOT_TEXT if data.startswith(begins)), None)


def opened(data: bytes, name: str) -> ImportFile:
    """Open a file for readers. The error for one that is neither text nor a table shows what it is."""
    if what := no_text(data):
        raise FormatError(f"{name} is {what}, not a bibliography: export the records as RIS, BibTeX or CSV")
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        if b"xl/" in data[:4_000_000] or b"xl/" in data[-100_000:]:
            return ImportFile(name, "", WORKBOOK, data=data)
        raise FormatError(f"{name} is a zip archive: unpack it and import the files in it")
    if data.startswith(_PARQUET) or (data.startswith(b"PAR1") and data.endswith(b"PAR1") and len(data) > 4):
        return ImportFile(name, "", PARQUET, data=data)
    text, encoding, notes = _decoded(data)
    if text.count("\x00", 0, 100_000) > 100:
        raise FormatError(f"{name} is not a text file: export the records as RIS, BibTeX or CSV")
    return ImportFile(name, _plain(text), encoding, (*notes, *_odd_characters(text)))


def _plain(text: str) -> str:
    """Normalise line ends, and remove NUL and byte order marks, including those inside joined files."""
    if "\r" in text:
        text = text.replace("\r\r\n", "\n").replace("\r\n", "\n").replace("\r", "\n")
    if "\ufeff" in text:
        text = text.lstrip("\ufeff").replace("\n\ufeff", "\n")
    return text.replace("\x00", "")


def _odd_characters(text: str) -> Ids:
    n_lost, n_nul = text.count("\ufffd"), text.count("\x00")
    lost = (f"characters replaced by � (lost earlier or not valid text): {n_lost:,}",) if n_lost else ()
    nul = (f"NUL characters left out: {n_nul:,}",) if n_nul else ()
    return (*lost, *nul)


def _decoded(data: bytes) -> tuple[str, str, Ids]:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data.decode(encoding, errors="replace"), encoding, ()
    if guess := _wide_without_mark(data[:HEAD]):
        family = guess[:6]
        return data.decode(guess, errors="replace"), family, (f"no byte order mark: {family.upper()} assumed",)
    try:
        return data.decode("utf-8-sig"), "utf-8", ()
    except UnicodeDecodeError as e:
        where = data.count(b"\n", 0, e.start) + 1
    if (declared := _DECLARED.match(data)) and (text := _as_declared(data, declared[1].decode())) is not None:
        return text, declared[1].decode().lower(), ()
    return _eight_bit(data, where)


_DECLARED = re.compile(
    rb"""\s*<\?xml\s[^>]{0,80}?encoding\s*=\s*["']"""
    rb"(iso-8859-(?:[2-9]|1[013-6])|windows-125[013-8]|koi8-[ru]|shift_jis|euc-(?:jp|kr)|gbk|gb2312|gb18030|big5)[\"']",
    re.IGNORECASE,
)
"""Encodings that XML may declare. UTF-8 is detected without it, and ISO-8859-1 is usually cp1252."""


def _as_declared(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return None


HEAD = 4_000
_MARKS = (
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
"""Longer marks first, because a short one can begin a longer one."""


def _wide_without_mark(head: bytes) -> str | None:
    """Detect UTF-16 or UTF-32 by the positions of zeros: ASCII tags or column names have them on one side only."""
    n_zeros = [head[at::4].count(0) for at in range(4)]
    if len(head) < 8 or sum(n_zeros) < len(head) // 50 + 2:
        return None
    quarter = len(head) // 4
    if min(n_zeros[1:]) >= quarter * 0.9 and n_zeros[0] < quarter * 0.1:
        return "utf-32-le"
    if min(n_zeros[:3]) >= quarter * 0.9 and n_zeros[3] < quarter * 0.1:
        return "utf-32-be"
    even, odd = n_zeros[0] + n_zeros[2], n_zeros[1] + n_zeros[3]
    if min(even, odd) * 20 > max(even, odd):
        return None
    return "utf-16-be" if even > odd else "utf-16-le"


_IN_UTF_8 = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
_ASCII = bytes(range(128))
LEAST_UTF_8 = 0.25
"""Smallest share of non-ASCII bytes that form UTF-8 characters. In cp1252 text hardly any do, by chance."""


def _eight_bit(data: bytes, line: int) -> tuple[str, str, Ids]:
    """Decode text that is not valid UTF-8: damaged or mixed UTF-8, cp1252, or cp1252 with latin-1."""
    n_high = len(data.translate(None, _ASCII))
    n_in_utf_8 = sum(found.end() - found.start() for found in _IN_UTF_8.finditer(data))
    if n_in_utf_8 >= LEAST_UTF_8 * n_high:
        note = f"UTF-8 except for {many(n_high - n_in_utf_8, 'byte')} (the first in line {line:,}), read as cp1252"
        return data.decode("utf-8-sig", errors="queryscape-cp1252"), "utf-8", (note,)
    try:
        return data.decode("cp1252"), "cp1252", (f"not UTF-8 (line {line:,}): cp1252 assumed",)
    except UnicodeDecodeError:
        note = f"neither UTF-8 (line {line:,}) nor cp1252: cp1252 assumed, and latin-1 where cp1252 fails"
        return _cp1252_or_latin_1(data), "latin-1", (note,)


_CP1252 = "".join(bytes([b]).decode("cp1252", errors="ignore") or chr(b) for b in range(256))


def _cp1252_or_latin_1(data: bytes) -> str:
    return codecs.charmap_decode(data, "strict", _CP1252)[0]


def _as_cp1252(e: UnicodeError) -> tuple[str, int]:
    """Decode bytes that are not UTF-8 as cp1252, else as latin-1."""
    if not isinstance(e, UnicodeDecodeError):
        raise e
    return _cp1252_or_latin_1(e.object[e.start : e.end]), e.end


codecs.register_error("queryscape-cp1252", _as_cp1252)
