"""`import`: files of publications into a topic."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from core.errors import InputError
from core.protocols import OnStage
from core.records.cleaning import Fields
from core.records.core_matching import CoreMatch
from dashboard.commands import options
from dashboard.commands.output import NONE, print_json, progress, results, row, shown, table, warn
from data.importers.reading import formats_known
from data.importers.source import Asked, plain_name
from data.library.bringing import BringReport, Choices, FileReport, Upload, asked_for, bring_files
from data.library.tables import Role
from data.workspace import Workspace

MOST_SHOWN = 12
"""Rejected records or core publications that are listed one by one; the rest is counted."""


def _columns(pairs: tuple[str, ...]) -> dict[str, str] | None:
    columns = {}
    for pair in pairs:
        name, equals, column = pair.partition("=")
        if not equals or name.strip() not in Fields.__annotations__:
            known = ", ".join(Fields.__annotations__)
            raise InputError(f'"{pair}" is no mapping: --column FIELD=NAME, where FIELD is one of {known}')
        columns[name.strip()] = column.strip()
    return columns or None


def _files(paths: tuple[Path, ...]) -> list[Path | Upload]:
    return [Upload("standard input", sys.stdin.buffer.read()) if str(path) == "-" else path for path in paths]


def import_document(done: BringReport) -> dict[str, Any]:
    """`import --json`."""
    document: dict[str, Any] = {
        "topic": done.topic_id,
        "as": str(done.role),
        "n_new": done.n_new,
        "n_merged": done.n_merged,
        "n_publications": done.n_publications,
        "files": [_file_document(file) for file in done.files],
    }
    if done.role.kind == "core":
        matches = done.matches
        document["matched"] = [
            {"publication_id": m.publication_id, "by": m.by, "asked_for": asked_for(m.record)}
            for m in matches
            if m.status == "matched"
        ]
        document["not_in_corpus"] = [asked_for(m.record) for m in matches if m.status == "not_in_corpus"]
        document["ambiguous"] = [
            {"asked_for": asked_for(m.record), "candidates": list(m.candidates)}
            for m in matches
            if m.status == "ambiguous"
        ]
    return document


def _file_document(file: FileReport) -> dict[str, Any]:
    return {
        "file": file.name,
        "format": file.format_id,
        "encoding": file.encoding,
        "records_in_file": file.records_in_file,
        "parsed": file.parsed,
        "rejected": [{"record": r.record, "line": r.line, "reason": r.reason} for r in file.rejected],
        "n_new": file.n_new,
        "n_merged": file.n_merged,
        "n_included": file.n_included,
        "was_here": file.was_here,
        "notes": list(file.notes),
        "unused": dict(file.unused),
    }


def _print(done: BringReport) -> None:
    out = results()
    grid = table(
        f"{done.topic_id}: {done.role}",
        *("File", "Format", "Encoding", "In file", "Read", "Rejected", "New", "Known"),
        right=(3, 4, 5, 6, 7),
    )
    for file in done.files:
        counts = (file.records_in_file, file.parsed, len(file.rejected), file.n_new, file.n_merged)
        numbers = [f"{n:,}" for n in counts]
        if file.was_here:
            numbers[3:] = ["here already", ""]
        row(grid, file.name, file.format_id or NONE, file.encoding or NONE, *numbers)
    out.print(grid)
    out.print(
        shown(f"{done.n_new:,} new, {done.n_merged:,} known; the topic has {done.n_publications:,} publications.")
    )
    for file in done.files:
        _print_oddities(file)
    if done.matches:
        _print_core(done.matches)


def _print_oddities(file: FileReport) -> None:
    places = [f"line {r.line:,}: " if r.line else "" for r in file.rejected]
    said = [f"{file.name}: {at}{r.reason}" for at, r in zip(places, file.rejected, strict=True)]
    more = len(said) - MOST_SHOWN
    warn([*said[:MOST_SHOWN], *([f"{file.name}: {more:,} more; --json lists them all"] if more > 0 else [])])
    warn([f"{file.name}: {note}" for note in file.notes])
    if file.n_included and not file.was_here:
        results().print(
            shown(
                f"{file.name} labels {file.n_included:,} records as included; --included-as-core makes them the core."
            )
        )


def _print_core(matches: tuple[CoreMatch, ...]) -> None:
    by = [m.by or "" for m in matches if m.status == "matched"]
    how = ", ".join(f"{by.count(name)} by {name}" for name in dict.fromkeys(by))
    results().print(
        shown(f"{len(by)} of {len(matches)} core publications are in the corpus{f' ({how})' if how else ''}.")
    )
    absent = [asked_for(m.record) for m in matches if m.status == "not_in_corpus"]
    several = [f"{asked_for(m.record)} ({', '.join(m.candidates)})" for m in matches if m.status == "ambiguous"]
    for what, names in (("Not in the corpus", absent), ("Could be several: give a DOI or PMID", several)):
        if names:
            results().print(shown(f"{what}: {len(names)}"))
            for name in names[:MOST_SHOWN]:
                results().print(shown(f"  {name}"))
            if len(names) > MOST_SHOWN:
                results().print(shown(f"  and {len(names) - MOST_SHOWN:,} more"))


@click.command("import")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE...")
@options.topic
@click.option(
    "--as",
    "as_",
    required=True,
    metavar="core|corpus|LABEL",
    help="The topic's core, its corpus, or what a version retrieved.",
)
@click.option(
    "--format", "format_id", default=None, help=f"Found out by the content, else one of: {', '.join(formats_known())}."
)
@click.option(
    "--column",
    "columns",
    multiple=True,
    metavar="FIELD=NAME",
    help="Of a table that nobody knows: what its columns hold.",
)
@click.option("--query", "query_text", default=None, help="The wording that retrieved them, for a version.")
@click.option("--query-id", default=None, help="Of a run or judgments for many queries: which one.")
@click.option("--included-as-core", is_flag=True, help="What the files label as included becomes the core set too.")
@options.data_dir
@options.as_json
def bring(
    files: tuple[Path, ...],
    topic: str,
    as_: str,
    format_id: str | None,
    columns: tuple[str, ...],
    query_text: str | None,
    query_id: str | None,
    included_as_core: bool,
    data_dir: Path | None,
    as_json: bool,
) -> None:
    """Bring files of publications into a topic: RIS, BibTeX, PubMed, Web of Science, Scopus, CSV and more.

    Every record comes in or is named with its line. What is there already is recognised, and the same file twice
    changes nothing. "-" reads a list from standard input.
    """
    role = Role.named(as_)
    if query_text is not None:
        if role.kind != "version":
            raise InputError("--query is the wording of a query version: give its label with --as LABEL")
        query_text = plain_name(query_text)
    choices = Choices(
        format_id,
        Asked(_columns(columns)),
        query_id=query_id,
        included_as_core=included_as_core,
        query_text=query_text,
    )
    with Workspace.open(data_dir) as workspace, progress(f"Importing into {topic}") as report:
        on_stage: OnStage = lambda stage: report  # noqa: E731
        done = bring_files(workspace, topic, role, _files(files), choices, on_stage)
    if as_json:
        print_json(import_document(done))
    else:
        _print(done)
