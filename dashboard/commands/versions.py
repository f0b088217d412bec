"""`versions`: the history of a topic's query, and what may be done with a version."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from dashboard.commands import options
from dashboard.commands.output import NONE, print_json, results, row, say, table
from data.versions.comparing import (
    HistoryEntry,
    bring_back,
    comment,
    delete_version,
    history,
    name_version,
    run_again,
)
from data.workspace import Workspace

Change = Callable[..., Any]


@click.command()
@options.topic
@click.option("--name", nargs=2, metavar="LABEL NAME", help='Call a version something; "" takes the name away.')
@click.option("--note", nargs=2, metavar="LABEL TEXT", help='Say something of a version; "" takes the note away.')
@click.option("--run-again", metavar="LABEL", help="Run its text over what the topic has today, as a new version.")
@click.option("--delete", metavar="LABEL", help="Hide a version; nothing else changes.")
@click.option("--restore", metavar="LABEL", help="Bring back a version that was deleted.")
@options.data_dir
@options.as_json
def versions(topic: str, data_dir: Path | None, as_json: bool, **wishes: Any) -> None:
    """The versions of a topic's query: where each comes from, and what it found."""
    with Workspace.open(data_dir) as workspace:
        for change, asked in (
            (name_version, wishes["name"]),
            (comment, wishes["note"]),
            (run_again, wishes["run_again"]),
            (delete_version, wishes["delete"]),
            (bring_back, wishes["restore"]),
        ):
            if asked is not None:
                _do(change, workspace, topic, asked)
        entries = history(workspace, topic, deleted=True)
    if as_json:
        print_json({"topic": topic, "versions": [_document(entry) for entry in entries]})
    else:
        _print(topic, entries)


def _do(change: Change, workspace: Workspace, topic: str, asked: str | tuple[str, str]) -> None:
    change(workspace, topic, *([asked] if isinstance(asked, str) else asked))


def _document(entry: HistoryEntry) -> dict[str, Any]:
    """One of `versions` of `versions --json`; null is what is not known of it.

    `n_searched`: over how many publications it was run; `same_corpus_today`: whether they are those of today;
    `made_from`: the version whose text was changed; `deleted`: hidden, and brought back with --restore.
    """
    version = entry.row.version
    return {
        "version": version.label,
        "name": version.name,
        "note": version.note,
        "origin": version.origin,
        "made_at": version.made_at,
        "made_from": entry.made_from,
        "dialect": version.dialect,
        "semantics": version.semantics,
        "n_searched": entry.row.n_searched,
        "n_retrieved": entry.row.n_retrieved,
        "n_core_found": entry.n_core_found if entry.row.n_retrieved is not None else None,
        "same_corpus_today": entry.is_current,
        "text": version.text,
        "deleted": entry.row.deleted_at is not None,
    }


def _print(topic: str, entries: tuple[HistoryEntry, ...]) -> None:
    shown = [entry for entry in entries if entry.row.deleted_at is None]
    out = table(topic, "Version", "Name", "Origin", "Made", "From", "Retrieved", "Core", "Note", right=(5, 6))
    for entry in shown:
        version, n = entry.row.version, entry.row.n_retrieved
        row(
            out,
            version.label,
            version.name or NONE,
            version.origin,
            (version.made_at or NONE)[:16].replace("T", " "),
            entry.made_from or NONE,
            NONE if n is None else f"{n:,}",
            NONE if n is None else f"{entry.n_core_found}/{entry.n_core}",
            version.note or NONE,
        )
    results().print(out)
    if gone := [entry.row.version.label for entry in entries if entry.row.deleted_at is not None]:
        say(f"Deleted: {', '.join(gone)}; bring one back with --restore {gone[0]}.")
