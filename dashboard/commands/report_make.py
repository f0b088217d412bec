"""`report --out`: the report is made and written."""

from __future__ import annotations

import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from core.audit.reporting.about_strategies import completeness, fill
from core.errors import FileError, InputError
from dashboard.commands.output import print_json, results, say, shown, waiting
from dashboard.reports.files import ReportFormat, format_of, report_file
from data.audit.reports import Asked, Made, make
from data.files import written_aside
from data.workspace import Workspace


def make_report(asked: Asked, out: str, *, force: bool, data_dir: Path | None, as_json: bool) -> None:
    """Make what is asked for and write it to `out`, whole or not at all."""
    form, began = format_of(out), time.perf_counter()
    if form.form == "zip" and asked.kind != "audit":
        raise InputError(f"a bundle holds the whole audit: leave --what {asked.kind} away, or choose another ending")
    check_place(Path(out), force=force)
    with (
        Workspace.open(data_dir, or_copy=True) as workspace,
        waiting(f"Reporting {asked.topic_id}") as on_stage,
    ):
        if workspace.store.is_copy:
            say("Note: another Queryscape has this workspace open; the report shows what is kept there now.", "yellow")
        made = make(workspace, asked, on_stage=on_stage)
        on_stage("writing")
        content = report_file(made, form)
        with written_aside(Path(out)) as file:
            file.write(content)
    seconds = time.perf_counter() - began
    if made.without_quality:
        say(f"Note: {made.without_quality}", "yellow")
    document = _document(made, form, out, len(content), seconds)
    if as_json:
        print_json(document)
    else:
        _print(made, form, document)


def check_place(path: Path, *, force: bool) -> None:
    """An error if the file can't be written here, before any work is done."""
    if path.is_dir():
        raise FileError(f"{path} is a folder: name a file in it")
    if not path.absolute().parent.is_dir():
        raise FileError(f"the folder {path.parent} is not there: make it, or choose another place")
    if path.exists() and not force:
        raise FileError(f"{path} is there already: choose another name, or replace it with --force")


def _document(made: Made, form: ReportFormat, out: str, n_bytes: int, seconds: float) -> dict[str, Any]:
    """`report --json`: topic, kind, file, format, versions, n_bytes, seconds, completeness, abstracts, notes.

    `completeness`: how many of the sixteen items of PRISMA-S are known, likely, open, said and changed, of how many,
    and the same as a sentence; `abstracts`: whether abstracts left with it; `notes`: what is missing and why.
    """
    return {
        "topic": made.asked.topic_id,
        "kind": made.asked.kind,
        "file": out,
        "format": form.ending,
        "versions": list(made.labels),
        "n_bytes": n_bytes,
        "seconds": round(seconds, 3),
        "completeness": asdict(completeness(fill(made.audit))),
        "abstracts": made.abstracts is not None,
        "notes": [made.without_quality] if made.without_quality else [],
    }


def _print(made: Made, form: ReportFormat, document: dict[str, Any]) -> None:
    out, n = results(), len(made.labels)
    size = document["n_bytes"] / 1024
    shown_size = f"{size / 1024:.1f} MB" if size >= 1024 else f"{max(1, round(size)):,} KB"
    what = f"{made.document.title}, {n:,} version{'' if n == 1 else 's'}"
    out.print(
        shown(f"{what}: written as {form.label} to {document['file']} ({shown_size}, {document['seconds']:.1f} s)."),
        soft_wrap=True,
    )
    if made.asked.kind in ("audit", "prisma-s"):
        out.print(shown(document["completeness"]["sentence"]), soft_wrap=True)
    if form.ending == "html":
        out.print(shown("Open it in any browser; print it there to get a PDF."), soft_wrap=True)
