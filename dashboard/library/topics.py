"""The command `topics`: the contents of the workspace. It only opens the store, so it is fast."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from dashboard.kit import options
from dashboard.kit.output import NONE, print_json, results, row, say, table
from data.files import WorkspacePaths
from data.lookup import TopicSummary, topic_summaries
from data.sharing.opening import open_store
from data.store import Store
from data.vectors import VectorCatalogue


def _versions(summary: TopicSummary) -> str:
    run = [f"{v.version.label} ({v.n_retrieved:,})" for v in summary.versions if v.n_retrieved is not None]
    waiting = [v.version.label for v in summary.versions if v.n_retrieved is None]
    return ", ".join(run + [f"not run: {' '.join(waiting)}"] * bool(waiting)) or NONE


@click.command()
@options.output
def topics(data_dir: Path | None, as_json: bool) -> None:
    """List topics, their query versions and the embedders that cover them."""
    paths = WorkspacePaths.of(data_dir)
    with open_store(Store, paths) as store:
        found = topic_summaries(store, VectorCatalogue(store, paths.vectors))
    if as_json:
        print_json(topics_document(found))
        return
    if not found:
        say('The workspace is empty. Try "queryscape demo", or import your own files with "import".')
        return
    out = table("Topics", "Topic", "Core", "Embedders", "Versions (retrieved)", right=(1,))
    for summary in found:
        row(out, summary.topic_id, str(summary.n_core), ", ".join(summary.embedders) or NONE, _versions(summary))
    results().print(out)


def topics_document(topics: tuple[TopicSummary, ...]) -> dict[str, Any]:
    """Return `topics --json`. Versions that were never run are listed separately: they can't be evaluated."""
    return {
        "topics": [
            {
                "topic": t.topic_id,
                "n_core": t.n_core,
                "made_up": t.made_up,
                "embedders": list(t.embedders),
                "versions": [
                    {"version": v.version.label, "origin": v.version.origin, "n_retrieved": v.n_retrieved}
                    for v in t.versions
                    if v.n_retrieved is not None
                ],
                "versions_not_run": [v.version.label for v in t.versions if v.n_retrieved is None],
            }
            for t in topics
        ]
    }
