"""Files from disk or a browser into a topic: each is read, and one that can't be read does not hold up the others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from core.errors import FileError, InputError
from core.protocols import OnStage, silent
from core.types import unique_ids
from data.importers.decoding import plain_name
from data.importers.reading import read_data, read_file
from data.importers.source import NOTHING_ASKED, Asked, FileReading, Rejected
from data.library.bringing import bring
from data.library.reports import BringReport, FileReport
from data.library.tables import Role
from data.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that a browser sent, or a list that a person pasted."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Choices:
    """What a person said about the files."""

    format_id: str | None = None
    """None: found out by the content."""
    asked: Asked = NOTHING_ASKED
    query_id: str | None = None
    """Of a run or judgments for many queries: which one."""
    included_as_core: bool = False
    """What a file labels as included becomes the core set as well."""
    query_text: str | None = None
    """The wording that retrieved them, for a version."""


NOTHING_CHOSEN = Choices()


def bring_files(
    workspace: Workspace,
    topic_id: str,
    role: Role,
    files: Sequence[Path | Upload],
    choices: Choices = NOTHING_CHOSEN,
    on_stage: OnStage = silent,
) -> BringReport:
    """Read them and bring them in, one after another. An error if none of them can be read."""
    if not files:
        raise InputError("name at least one file")
    unread: list[FileReport] = []
    included: list[FileReading] = []

    def readings() -> Iterator[FileReading]:
        for file in files:
            try:
                reading = meant(read_one(file, role, choices, on_stage), role, choices)
            except FileError as e:
                if len(files) == 1:
                    raise
                unread.append(FileReport(plain_name(file.name), rejected=(Rejected(None, str(e)),)))
                continue
            if choices.included_as_core and reading.n_included:
                included.append(reading)
            yield reading

    done = bring(workspace, topic_id, role, readings(), query_text=choices.query_text, on_stage=on_stage)
    if not done.files:
        raise FileError(f"none of the {len(files)} files can be read: {unread[0].rejected[0].reason}")
    done = with_included(workspace, done, included, on_stage)
    return replace(done, files=(*done.files, *unread))


def with_included(
    workspace: Workspace, done: BringReport, readings: Sequence[FileReading], on_stage: OnStage = silent
) -> BringReport:
    """What these files label as included becomes core, after the files themselves came in."""
    if not readings or done.role.kind == "core":
        return done
    chosen = [tuple(record for record in reading.records if record.included) for reading in readings]
    included = [
        replace(reading, records=some, rejected=(), records_in_file=len(some))
        for reading, some in zip(readings, chosen, strict=True)
    ]
    core = bring(workspace, done.topic_id, Role("core"), included, on_stage=on_stage)
    return replace(done, n_publications=core.n_publications)


def read_one(file: Path | Upload, role: Role, choices: Choices, on_stage: OnStage = silent) -> FileReading:
    """One file, read. Where core publications are expected, plain lines are titles."""
    on_record = on_stage(f"reading {file.name}")
    asked = replace(choices.asked, titles=choices.asked.titles or role.kind == "core")
    if isinstance(file, Upload):
        return read_data(file.data, file.name, format_id=choices.format_id, asked=asked, on_progress=on_record)
    return read_file(file, format_id=choices.format_id, asked=asked, on_progress=on_record)


def meant(reading: FileReading, role: Role, choices: Choices) -> FileReading:
    """What of a file is meant: the query that was asked for, and as core what it labels as included."""
    reading = _of_query(reading, role, choices)
    if role.kind != "core" or not reading.n_included:
        return reading
    kept = tuple(record for record in reading.records if record.included)
    note = f"{len(kept):,} of {len(reading.records):,} records are labelled as included: only these are core"
    return replace(reading, records=kept, notes=(*reading.notes, note))


def _of_query(reading: FileReading, role: Role, choices: Choices) -> FileReading:
    queries = unique_ids(record.query_id for record in reading.records if record.query_id)
    if choices.query_id is not None:
        kept = tuple(record for record in reading.records if record.query_id == choices.query_id)
        if not kept:
            some = ", ".join(queries[:8]) or "none at all"
            raise InputError(f'{reading.name} holds nothing for query "{choices.query_id}"; it knows {some}')
        note = (
            f'{len(kept):,} of {len(reading.records):,} records are of query "{choices.query_id}": only these came in'
        )
        # Another query of the same file is another source.
        digest = f"{reading.content_hash}#{choices.query_id}"
        return replace(reading, records=kept, content_hash=digest, notes=(*reading.notes, note))
    if len(queries) > 1 and role.kind != "corpus":
        raise InputError(
            f"{reading.name} holds {len(queries):,} queries ({', '.join(queries[:5])} ...): choose one with --query-id"
        )
    return reading
