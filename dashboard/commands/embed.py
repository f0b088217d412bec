"""`embed`: vectors for a topic."""

from __future__ import annotations

from pathlib import Path

import click

from dashboard.commands import options
from dashboard.commands.documents import embed_document
from dashboard.commands.output import print_json, progress, results, shown
from data.workspace import Workspace


@click.command()
@options.topic
@click.option("--embedder", required=True, help="Which embedder, such as lsa.")
@options.data_dir
@options.as_json
def embed(topic: str, embedder: str, data_dir: Path | None, as_json: bool) -> None:
    """Embed every publication of a topic that has no vector yet. A stopped run goes on where it was."""
    with Workspace.open(data_dir) as workspace, progress(f"Embedding {topic}") as report:
        done = workspace.embed(topic, embedder, on_progress=report)
    if as_json:
        print_json(embed_document(done))
        return
    unscorable = f", {done.n_unscorable:,} have nothing to embed" if done.n_unscorable else ""
    have = f"{done.n_with_vectors:,} publications have vectors of {done.embedder}"
    results().print(shown(f"{have} ({done.n_new:,} new{unscorable})."))
