"""One bibliographic file as readers get it, and what they give back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from core.records.cleaning import Fields, Record
from core.types import Ids


@dataclass(frozen=True, eq=False)
class Source:
    """A file that was opened: its text in full, line ends as \\n, without a byte order mark."""

    name: str
    text: str
    """Empty for a workbook."""
    encoding: str
    """What the text was taken to be: utf-8, utf-16, cp1252, latin-1; "xlsx" for a workbook."""
    notes: Ids = ()
    """What was assumed about the encoding."""
    data: bytes = b""
    """The file as it is; kept only for a workbook."""

    @cached_property
    def lines(self) -> list[str]:
        """The text's lines without their ends. Only \\n, \\r\\n and \\r end a line."""
        return self.text.split("\n")

    @cached_property
    def head(self) -> str:
        """Enough of the text to see what it is."""
        return self.text[:20_000]


@dataclass(frozen=True, slots=True)
class Entry:
    """What a reader found in one entry of a file."""

    line: int
    """Where it begins: a line, or a row of a workbook, from 1."""
    fields: Fields
    unused: Sequence[str] = ()
    """Names of tags or columns that held something and for which Queryscape has no field."""


@dataclass(frozen=True, slots=True)
class Rejected:
    """A part of a file that did not become a record. Never silent."""

    line: int | None
    reason: str
    """Completes "line 12: ...", such as "a reference without a type (TY)"."""
    record: int | None = None
    """Which of the file's records it is, from 1; None if it can't be said."""


@dataclass(frozen=True, slots=True)
class Note:
    """Something about the file that a person should know, though nothing was lost."""

    text: str


Columns = Mapping[str, str]
"""For a table that nobody knows: a field's name (a key of `Fields`) -> the column's name."""

Part = Entry | Rejected | Note


@dataclass(frozen=True, slots=True)
class Asked:
    """What a person said about the file."""

    columns: Columns | None = None
    titles: bool = False
    """Whether plain lines may be read as titles, as in a list of known publications."""


Read = Callable[[Source, Asked], Iterable[Part]]

NOTHING_ASKED = Asked()


@dataclass(frozen=True, slots=True)
class Format:
    """One kind of bibliographic file: how to recognise it by its content, count its records and read it."""

    format_id: str
    """What reports and `--format` call it: ris, bibtex, pubmed_nbib, scopus_csv, ..."""
    label: str
    """What a page calls it: "RIS", "PubMed (nbib)"."""
    likeness: Callable[[Source], float]
    """How surely a file is of this format, 0 to 1. By content only; quick: it looks at the head."""
    starts: Callable[[Source], Sequence[int]]
    """The lines at which records begin, counted in the raw text by other means than the reader's."""
    read: Read
    """Entries in their order, and what could not be read."""


@dataclass(frozen=True, eq=False)
class FileReading:
    """Everything that was in one file."""

    name: str
    content_hash: str
    """SHA-256 of its bytes: the same file twice is seen."""
    n_bytes: int
    format_id: str
    encoding: str
    records_in_file: int
    """Counted in the raw text, before anything is parsed."""
    records: tuple[Record, ...]
    rejected: tuple[Rejected, ...]
    notes: Ids
    unused: Mapping[str, int]
    """Tags or columns that were not taken over, and in how many records each held something."""

    @property
    def n_included(self) -> int:
        """Records that the file labels as included."""
        return sum(record.included is True for record in self.records)
