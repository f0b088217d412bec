"""`search`: the best documents of one retriever for one query."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import click

from core.errors import InputError
from core.ranking.check import Query
from core.retrieval.base import Hits
from dashboard.commands import options
from dashboard.commands.output import print_json, results, row, shown, table, waiting, warn
from dashboard.commands.retrievers import spec_named
from data.collections.bringing import Corpus, OpenedCollection, open_collection
from data.collections.stored import TOPIC_PREFIX
from data.retrieval.opening import open_retriever, settled
from data.workspace import Workspace

MOST_RESULTS = 10_000


@click.command()
@click.argument("text", metavar="QUERY")
@click.option("--topic", default=None, help="Search what this topic's queries search.")
@click.option("--collection", default=None, help="Or the documents of a collection, by name or folder.")
@click.option("--retriever", default="bm25", show_default=True, help="bm25, dense:lsa, hybrid, ... or a known name.")
@click.option("--k", "k", type=int, default=20, show_default=True, help="How many documents.")
@options.embedder
@options.data_dir
@options.as_json
def search(
    text: str,
    topic: str | None,
    collection: str | None,
    retriever: str,
    k: int,
    embedder: str | None,
    data_dir: Path | None,
    as_json: bool,
) -> None:
    """Rank the documents of a topic or a collection for one query."""
    if (topic is None) == (collection is None):
        raise InputError("say what to search: --topic NAME or --collection NAME_OR_FOLDER")
    if not 1 <= k <= MOST_RESULTS:
        raise InputError(f"--k must be from 1 to {MOST_RESULTS:,}, got {k:,}")
    spec = settled(spec_named(retriever), embedder)
    with Workspace.open(data_dir) as workspace, waiting(f"Searching with {retriever}") as on_stage:
        where = f"{TOPIC_PREFIX}{topic}" if topic is not None else str(collection)
        opened = open_collection(workspace, where)
        corpus = Corpus.of(opened.collection, workspace.paths, opened.holders)
        ready = open_retriever(corpus, spec, on_stage, answers=workspace.store)
        on_stage("searching")
        start = time.perf_counter()
        hits = ready.retriever.search(Query("", text), k)
        elapsed_ms = 1000.0 * (time.perf_counter() - start)
    if as_json:
        print_json(_search_document(retriever, opened, hits, elapsed_ms, ready.notes))
    else:
        _print_search(retriever, opened, hits, elapsed_ms, ready.notes)


def _search_document(
    retriever: str, opened: OpenedCollection, hits: Hits, elapsed_ms: float, notes: tuple[str, ...]
) -> dict[str, Any]:
    documents = opened.collection.documents
    return {
        "retriever": retriever,
        "results": [
            {"rank": rank, "doc_id": documents[r].doc_id, "score": float(score), "title": documents[r].title}
            for rank, (r, score) in enumerate(zip(hits.rows, hits.scores, strict=True), start=1)
        ],
        "elapsed_ms": elapsed_ms,
        "notes": [*notes, *hits.notes],
    }


def _print_search(
    retriever: str, opened: OpenedCollection, hits: Hits, elapsed_ms: float, notes: tuple[str, ...]
) -> None:
    out = results()
    grid = table(f"{retriever} over {opened.collection.name}", "Rank", "Score", "Document", "Title", right=(0, 1))
    for rank, (r, score) in enumerate(zip(hits.rows, hits.scores, strict=True), start=1):
        document = opened.collection.documents[r]
        row(grid, str(rank), f"{score:.4g}", document.doc_id, document.title or document.text[:80])
    out.print(grid if len(hits) else shown("Nothing is found."))
    out.print(shown(f"\n{len(hits):,} of {len(opened.collection.documents):,} documents, in {elapsed_ms:,.1f} ms"))
    warn([note.rstrip(".") for note in (*notes, *hits.notes)])
