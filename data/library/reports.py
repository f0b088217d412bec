"""What became of files that were brought in."""

from __future__ import annotations

from dataclasses import dataclass

from core.records.cleaning import Record
from core.records.core_matching import CoreMatch
from core.types import Ids
from data.importers.source import FileReading, Rejected
from data.library.tables import Role


@dataclass(frozen=True, slots=True)
class FileReport:
    """What became of one file."""

    name: str
    format_id: str | None = None
    """None: it could not be read at all, and `rejected` says why."""
    encoding: str | None = None
    records_in_file: int = 0
    """Counted in the raw text."""
    parsed: int = 0
    n_included: int = 0
    """Records that the file labels as included."""
    rejected: tuple[Rejected, ...] = ()
    notes: Ids = ()
    unused: tuple[tuple[str, int], ...] = ()
    """Tags or columns that were not taken over, and in how many records."""
    source_id: str | None = None
    n_new: int = 0
    """Publications that the topic did not have."""
    n_merged: int = 0
    """Records of publications that it had."""
    was_here: bool = False
    """The same file was brought into the same place before: nothing was done."""
    matches: tuple[CoreMatch, ...] = ()
    """Of a core list: what became of each entry, `publication_id` None where the corpus does not have it."""

    @classmethod
    def of(cls, reading: FileReading) -> FileReport:
        """Before anything is done with it."""
        return cls(
            reading.name,
            reading.format_id,
            reading.encoding,
            reading.records_in_file,
            len(reading.records),
            reading.n_included,
            reading.rejected,
            reading.notes,
            tuple(reading.unused.items()),
        )


@dataclass(frozen=True, slots=True)
class BringReport:
    """What became of all of them."""

    topic_id: str
    role: Role
    files: tuple[FileReport, ...]
    n_publications: int
    """Of the topic, now."""

    @property
    def n_new(self) -> int:
        """Publications that the topic did not have."""
        return sum(file.n_new for file in self.files)

    @property
    def n_merged(self) -> int:
        """Records of publications that it had."""
        return sum(file.n_merged for file in self.files)

    @property
    def matches(self) -> tuple[CoreMatch, ...]:
        """Of core lists."""
        return tuple(match for file in self.files for match in file.matches)


def asked_for(record: Record) -> str:
    """What a person called a core publication."""
    return record.title or record.doi or record.pmid or record.own_id or "an entry without a name"
