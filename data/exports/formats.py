"""EXPORTS: id -> how to write a selection in one format. One module per format; LOST says what each can't keep."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePath
from types import MappingProxyType
from typing import BinaryIO

from core.errors import NotFoundError
from data.exports import bibtex, comma, jsonl, ris
from data.exports.rows import HandOff


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """One kind of file that other programs read."""

    export_id: str
    """What `--format` takes."""
    label: str
    """What a page calls it."""
    suffix: str
    """The end of a file's name, with its stop."""
    mime: str
    write: Callable[[Iterable[HandOff], BinaryIO], int]
    """Writes one publication after the other, and says how many."""


EXPORTS: Mapping[str, ExportFormat] = MappingProxyType(
    {
        form.export_id: form
        for form in (
            ExportFormat("ris", "RIS", ".ris", "application/x-research-info-systems", ris.write_ris),
            ExportFormat("csv", "CSV", ".csv", "text/csv", comma.write_csv),
            ExportFormat("bibtex", "BibTeX", ".bib", "application/x-bibtex", bibtex.write_bibtex),
            ExportFormat("jsonl", "JSON Lines", ".jsonl", "application/jsonl", jsonl.write_jsonl),
        )
    }
)

LOST: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {"ris": ris.RIS_LOST, "csv": comma.CSV_LOST, "bibtex": bibtex.BIBTEX_LOST, "jsonl": jsonl.JSONL_LOST}
)
"""Fields of a record that a format can't keep, or not always, and why."""


def export_named(export_id: str | None, file_name: str = "") -> ExportFormat:
    """The format of this id; without one, the format that the file's name ends in.

    >>> export_named(None, "screening.BIB").export_id
    'bibtex'
    """
    if export_id is not None:
        if export_id not in EXPORTS:
            raise NotFoundError(f'no format "{export_id}"; there are {", ".join(EXPORTS)}')
        return EXPORTS[export_id]
    suffix = PurePath(file_name).suffix.lower()
    for form in EXPORTS.values():
        if form.suffix == suffix:
            return form
    ends = f'"{suffix}" names no format' if suffix else "the file's name has no ending"
    raise NotFoundError(f"{ends}: choose one with --format ({', '.join(EXPORTS)})")
