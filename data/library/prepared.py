"""Files that a person has looked at before they come in: read once, brought in as they were read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import FileError, FormatError, QueryscapeError
from core.protocols import OnStage, silent
from core.types import Ids, unique_ids
from data.importers.decoding import opened
from data.importers.source import FileReading
from data.importers.tables.any_table import Proposal, proposed_columns, table_likeness
from data.library.bringing import bring
from data.library.files import NOTHING_CHOSEN, Choices, Upload, meant, read_one, with_included
from data.library.reports import BringReport
from data.library.tables import Role
from data.workspace import Workspace

ANYBODYS = ("csv", "xlsx")
"""Formats whose columns a person may have to name."""


@dataclass(frozen=True, eq=False)
class Looked:
    """One file after a first look."""

    name: str
    reading: FileReading | None = None
    """None: it can't be read, and `mistake` says why."""
    mistake: str = ""
    proposal: Proposal | None = None
    """Of a table whose columns are nobody's in particular."""

    @property
    def query_ids(self) -> Ids:
        """Of a run or judgments for several queries."""
        records = self.reading.records if self.reading else ()
        return unique_ids(record.query_id for record in records if record.query_id)


def look_at(file: Upload, role: Role, choices: Choices = NOTHING_CHOSEN, on_stage: OnStage = silent) -> Looked:
    """Read it; a file that can't be read is no error here but says so."""
    try:
        reading = read_one(file, role, choices, on_stage)
    except QueryscapeError as e:
        mistake = str(e).replace(f"{file.name} ", "this file ", 1)
        return Looked(file.name, mistake=mistake, proposal=_proposal(file) if isinstance(e, FormatError) else None)
    proposal = _proposal(file) if reading.format_id in ANYBODYS else None
    return Looked(file.name, reading, proposal=proposal)


def _proposal(file: Upload) -> Proposal | None:
    """Only where it is like a table at all."""
    try:
        source = opened(file.data, file.name)
        return proposed_columns(source) if table_likeness(source) > 0 else None
    except QueryscapeError:
        return None


def bring_prepared(
    workspace: Workspace,
    topic_id: str,
    role: Role,
    files: Sequence[tuple[FileReading, Choices]],
    *,
    query_text: str | None = None,
    on_stage: OnStage = silent,
) -> BringReport:
    """Bring in what was looked at. What a file labels as included becomes the core set where that was asked for."""
    if not files:
        raise FileError("none of the files can be read")
    readings = [meant(reading, role, choices) for reading, choices in files]
    included = [
        reading
        for reading, (_, choices) in zip(readings, files, strict=True)
        if choices.included_as_core and reading.n_included
    ]
    done = bring(workspace, topic_id, role, readings, query_text=query_text, on_stage=on_stage)
    return with_included(workspace, done, included, on_stage)
