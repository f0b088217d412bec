"""`get collection` and its kin: documents, queries and judgments to run retrievers over."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from core.knowledge.templates import GIVEN
from core.ranking.check import Oddity
from dashboard.commands import options
from dashboard.commands.output import notes, print_json, results, shown, waiting
from data.collections.bringing import SHAPES, Brought, Wanted, bring_collection
from data.transfer import DownloadProgress
from data.workspace import Workspace

SHOWN = 10
"""Rejected lines that are printed; --json gives all."""

_OPTIONS = (
    click.option("--name", default=None, help="What to call it. [default: as its folder, or as the collection]"),
    click.option("--renumber", is_flag=True, help="Number the queries as the judgments do, where they differ."),
    click.option(
        "--documents",
        default=None,
        help="A collection, topic:NAME, a folder or knowledge:NAME whose documents join it; knowledge:NAME+relations "
        "for entities with their relations in words.",
    ),
    click.option("--replace", is_flag=True, help="In the place of a collection of the same name."),
    options.data_dir,
    options.as_json,
)


def _with_options(command: Callable[..., None]) -> Callable[..., None]:
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def _collection_document(brought: Brought) -> dict[str, Any]:
    row, splits = brought.row, brought.collection.splits
    return {
        "collection": row.name,
        "folder": str(brought.where),
        "n_documents": row.n_documents,
        "n_queries": row.n_queries,
        "n_judgments": row.n_judgments,
        "n_judged_queries": row.n_judged_queries,
        "splits": [{"split": split, "n_queries": len(ids)} for split, ids in splits.items()],
        "labels": list(row.labels),
        "notes": list(brought.notes),
        "rejected": [asdict(line) for line in brought.rejected],
        "oddities": [asdict(oddity) for oddity in brought.oddities],
        "renumbered": brought.oddities_after is not None,
        "oddities_after": None
        if brought.oddities_after is None
        else [asdict(oddity) for oddity in brought.oddities_after],
    }


def _print_collection(brought: Brought) -> None:
    out, row = results(), brought.row
    counts = f"{row.n_documents:,} documents, {row.n_queries:,} queries, {row.n_judgments:,} judgments"
    out.print(shown(row.name, "bold"), shown(f"{counts}, from {brought.where}"))
    for split, ids in brought.collection.splits.items():
        out.print(shown(f"Split {split}: {len(ids):,} queries"))
    if labels := [label for label in row.labels if label != GIVEN]:
        out.print(shown(f"Queries are labelled by {', '.join(labels)}"))
    for note in brought.notes:
        out.print(shown(f"Note: {note}"))
    if brought.rejected:
        n = len(brought.rejected)
        out.print(shown(f"{n:,} {'line was' if n == 1 else 'lines were'} left out:"))
        for line in brought.rejected[:SHOWN]:
            out.print(shown(f"  {line}"))
        if len(brought.rejected) > SHOWN:
            out.print(shown("  ..."))
    _print_oddities("The checker says:", brought.oddities)
    if brought.oddities_after is not None:
        _print_oddities("After renumbering the checker says:", brought.oddities_after)
    out.print(shown(f"\n{_next(brought)}"))


def _print_oddities(head: str, oddities: Sequence[Oddity]) -> None:
    out = results()
    out.print(shown(f"\n{head}" if oddities else f"\n{head} nothing is odd."))
    for oddity in oddities:
        examples = f" For example {', '.join(oddity.examples[:3])}." if oddity.examples else ""
        out.print(shown(f"- {oddity.sentence}{examples}", "yellow" if oddity.fix else ""))
        if oddity.fix:
            out.print(shown(f"  To mend it: {oddity.fix} (--renumber)"))


def _next(brought: Brought) -> str:
    row = brought.row
    if not row.n_documents:
        return (
            "It has no documents yet, and needs them to be searched: run this again with --replace and --documents "
            "FOLDER, COLLECTION, topic:NAME or knowledge:NAME"
        )
    name = row.name if row.name.isalnum() else f'"{row.name}"'
    benchmark = f"Next: python -m dashboard benchmark --collection {name} --retrievers bm25"
    if brought.oddities_after is None and any(oddity.fix for oddity in brought.oddities):
        return f"Mend it first: run this again with --replace --renumber. {benchmark}"
    return benchmark


def _bring(where: str, shape_id: str | None, wanted: Wanted, data_dir: Path | None, as_json: bool) -> None:
    def on_download(p: DownloadProgress) -> None:
        if p.total_bytes and p.done_bytes >= p.total_bytes:
            notes().print(shown(f"{p.name} ({p.total_bytes:,} bytes)", style="dim"))

    with Workspace.open(data_dir) as workspace, waiting("Loading the collection") as on_stage:
        brought = bring_collection(
            workspace, where, wanted, shape_id=shape_id, on_stage=on_stage, on_download=on_download
        )
    if as_json:
        print_json(_collection_document(brought))
    else:
        _print_collection(brought)


@click.command()
@click.option("--from", "where", required=True, help="A folder or a file.")
@_with_options
def collection(where: str, data_dir: Path | None, as_json: bool, **wanted: Any) -> None:
    """Documents, queries and judgments of your own.

    In whatever layout they are: TREC, SMART, BEIR, STaRK or Paper Lantern. What is odd about them is said.
    """
    _bring(where, None, Wanted(**wanted), data_dir, as_json)


def _of_shape(shape_id: str) -> click.Command:
    @click.command(shape_id, help=SHAPES[shape_id].sentence)
    @click.option("--from", "where", required=True, help="A folder, or a web address that the files lie under.")
    @_with_options
    def command(where: str, data_dir: Path | None, as_json: bool, **wanted: Any) -> None:
        _bring(where, shape_id, Wanted(**wanted), data_dir, as_json)

    return command


COMMANDS = (collection, *map(_of_shape, SHAPES))
