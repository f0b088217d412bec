"""`vectors`: bring your own embeddings."""

from __future__ import annotations

from pathlib import Path

import click

from dashboard.commands import options
from dashboard.commands.embed import embed_document
from dashboard.commands.output import print_json, results, shown, waiting, warn
from data.embedding import EmbedReport
from data.workspace import Workspace


def _oddities(done: EmbedReport) -> list[str]:
    counts = {
        "rows are zero or not finite and can't be scored": done.n_unscorable,
        "rows repeat an earlier id and were left out": done.n_repeated,
        "ids match no publication of the workspace (kept, for collections that come later)": done.n_unmatched,
    }
    return [f"{n:,} {what}" for what, n in counts.items() if n]


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--model", required=True, help="The name under which --embedder finds them.")
@options.data_dir
@options.as_json
def vectors(file: Path, model: str, data_dir: Path | None, as_json: bool) -> None:
    """Load vectors from an .npz with the arrays ids and vectors."""
    with Workspace.open(data_dir) as workspace, waiting(f"Loading {file.name}"):
        done = workspace.add_vectors(file, model)
    if as_json:
        print_json(embed_document(done))
        return
    topics = ", ".join(done.topics) or "no topic by half or more of its publications"
    results().print(shown(f"{done.n_with_vectors:,} vectors of {done.embedder}; they cover {topics}."))
    warn(_oddities(done))
