"""`embed`: vectors for a topic."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from dashboard.commands import options
from dashboard.commands.output import few, print_json, progress, results, say, shown, warn
from data.embedders import EMBEDDERS
from data.embedding import EmbedPreview, EmbedReport, Wish
from data.workspace import Workspace


def preview_document(preview: EmbedPreview) -> dict[str, Any]:
    """`embed --dry-run --json`."""
    names = ("embedder", "topic", "n_publications", "n_new")
    return {name: getattr(preview, name) for name in names} | asdict(preview.estimate)


def _in_words(preview: EmbedPreview) -> str:
    estimate = preview.estimate
    if not preview.costs:
        price = "no cost: this machine does it"
    elif estimate.dollars is None:
        price = "price not known"
    else:
        dollars = f"about {estimate.dollars:,.2f}" if estimate.dollars >= 0.01 else "less than 0.01"
        price = f"{dollars} US dollars by the prices of {estimate.as_of}"
    tokens = f", about {estimate.n_tokens:,} tokens" if estimate.n_tokens else ""
    return (
        f"{preview.topic}: {preview.n_new:,} of {preview.n_publications:,} publications have no vector of "
        f"{preview.embedder}; {estimate.n_texts:,} texts to embed{tokens}, {price}."
    )


def _oddities(done: EmbedReport) -> list[str]:
    notes = [f"{done.n_cut:,} texts were too long and are embedded by their beginning"] if done.n_cut else []
    if done.refused_ids:
        notes.append(f"the service refused the text of {few(done.refused_ids)}: they can't be scored")
    return notes


@click.command()
@options.topic
@click.option(
    "--embedder",
    required=True,
    help="Which embedder: lsa, openai, openai:MODEL, sentence_transformers:NAME_OR_FOLDER (or st:...).",
)
@click.option("--model", default=None, help="The model, if the embedder does not name it.")
@click.option("--base-url", default=None, help="Another service than OpenAI's. [default: OPENAI_BASE_URL]")
@click.option("--name", default=None, help="The name for the vectors. [default: the model's own]")
@click.option("--dry-run", is_flag=True, help="Only say how much there is to embed and what it would cost.")
@options.data_dir
@options.as_json
def embed(
    topic: str,
    embedder: str,
    model: str | None,
    base_url: str | None,
    name: str | None,
    dry_run: bool,
    data_dir: Path | None,
    as_json: bool,
) -> None:
    """Embed every publication of a topic that has no vector yet. A stopped run goes on where it was.

    openai takes its key from the variable OPENAI_API_KEY, and says first what it will cost.
    """
    wish = Wish(embedder, model, base_url, name)
    with Workspace.open(data_dir) as workspace:
        if dry_run:
            _print_preview(workspace.preview_embedding(topic, wish), as_json)
            return
        if embedder not in EMBEDDERS:
            preview = workspace.preview_embedding(topic, wish)
            if preview.costs and preview.n_new:
                say(_in_words(preview))
        with progress(f"Embedding {topic}") as report:
            done = workspace.embed(topic, wish, on_progress=report)
    if as_json:
        print_json(embed_document(done))
    else:
        _print(done)
    warn(_oddities(done))


def _print_preview(preview: EmbedPreview, as_json: bool) -> None:
    if as_json:
        print_json(preview_document(preview))
    else:
        results().print(shown(_in_words(preview)), soft_wrap=True)


def _print(done: EmbedReport) -> None:
    unscorable = f", {done.n_unscorable:,} have nothing to embed" if done.n_unscorable else ""
    have = f"{done.n_with_vectors:,} publications have vectors of {done.embedder}"
    results().print(shown(f"{have} ({done.n_new:,} new{unscorable})."))


def embed_document(report: EmbedReport) -> dict[str, Any]:
    """`embed --json` and `vectors --json`."""
    return asdict(report)
