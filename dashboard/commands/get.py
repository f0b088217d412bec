"""`get`: load a public collection in its own layout."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from dashboard.commands import options
from dashboard.commands.get_collections import COMMANDS
from dashboard.commands.get_knowledge import knowledge
from dashboard.commands.output import notes, print_json, progress, results, row, shown, table
from data.intake import Intake, bring_litqeval
from data.transfer import DownloadProgress
from data.workspace import Workspace


@click.group()
def get() -> None:
    """Load a public collection in its own layout."""


def _litqeval_document(intake: Intake) -> dict[str, Any]:
    return {
        "collection": "litqeval",
        "folder": str(intake.folder),
        "n_topics": len(intake.collection.topics),
        "n_publications": len(intake.collection.publications),
        "topics": [
            {
                "topic": t.topic_id,
                "n_core": len(t.core_ids),
                "versions": [
                    {"version": v.label, "origin": v.origin, "n_retrieved": len(v.retrieved_ids)}
                    for v in t.versions
                    if v.retrieved_ids is not None
                ],
                "versions_not_run": [v.label for v in t.versions if v.retrieved_ids is None],
            }
            for t in intake.collection.topics
        ],
        "missing_files": list(intake.missing_files),
        "notes": [*intake.collection.notes, *intake.published.notes],
        "published": {
            "files": list(intake.published.files),
            "n_scores": len(intake.published.scores),
            "n_topics_with_scores": len({score.topic_id for score in intake.published.scores}),
            "n_curves": len(intake.published.curves),
        },
    }


def _print_litqeval(intake: Intake) -> None:
    out = results()
    grid = table("LitQEval", "Topic", "Core", "Versions (retrieved)", right=(1,))
    for t in intake.collection.topics:
        run = [f"{v.label} ({len(v.retrieved_ids):,})" for v in t.versions if v.retrieved_ids is not None]
        row(grid, t.topic_id, str(len(t.core_ids)), ", ".join(run) or "–")
    out.print(grid)
    n = f"{len(intake.collection.publications):,} publications, {len(intake.collection.topics)} topics"
    out.print(shown(f"\n{n}, from {intake.folder}"))
    if intake.published.files:
        scores, curves = intake.published.scores, intake.published.curves
        n_topics = len({score.topic_id for score in scores})
        said = f"{len(scores):,} published scores of {n_topics} topics, threshold curves of {len(curves)}"
        out.print(shown(f"{said}, from {', '.join(intake.published.files)}"))
    for note in (*intake.collection.notes, *intake.published.notes):
        out.print(shown(f"Note: {note}"))
    if intake.missing_files:
        out.print(shown(f"{len(intake.missing_files)} files are missing; what they hold is left out:"))
        for name in intake.missing_files:
            out.print(shown(f"  {name}"))
    out.print(
        shown(
            '\nNext: python -m dashboard embed --topic TOPIC --embedder lsa, or "vectors FILE.npz --model NAME"; then '
            "python -m dashboard evaluate --topic TOPIC --version VERSION"
        )
    )


@get.command()
@click.option("--from", "where", required=True, help="A folder, or a web address that the files lie under.")
@options.data_dir
@options.as_json
def litqeval(where: str, data_dir: Path | None, as_json: bool) -> None:
    """LitQEval: 21 topics with core publications and query versions."""
    with Workspace.open(data_dir) as workspace, progress("Loading LitQEval") as report:

        def on_download(p: DownloadProgress) -> None:
            if p.total_bytes and p.done_bytes >= p.total_bytes:
                notes().print(shown(f"{p.name} ({p.total_bytes:,} bytes)", style="dim"))
            report(p.file_number, p.n_files)

        intake = bring_litqeval(
            workspace, where, on_download=on_download, on_load=lambda done, total, _name: report(done, total)
        )
    if as_json:
        print_json(_litqeval_document(intake))
    else:
        _print_litqeval(intake)


for command in (*COMMANDS, knowledge):
    get.add_command(command)
