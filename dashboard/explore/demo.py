"""The command `demo`: demo topics and their evaluation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from dashboard.explore.commands import evaluation_document, print_evaluation
from dashboard.kit import options
from dashboard.kit.output import print_json, results, shown
from dashboard.kit.progress import waiting
from data.demo.knowledge import DEMO_BASE
from data.demo.loading import DEMO_EMBEDDER, DEMO_RELATIONS, bring_demo
from data.demo.publications import DEMO_COLLECTION
from data.explore.workspace import Workspace

SHOWN = "review"


@click.command(epilog=options.examples("demo", "demo --data-dir ~/try-it"))
@options.data_dir
@options.as_json
def demo(data_dir: Path | None, as_json: bool) -> None:
    """Build the demo data and evaluate a version of each demo topic.

    The demo data are synthetic topics, collections of queries to run retrievers over, and a knowledge base. Running it
    again changes nothing.
    """
    documents: list[dict[str, Any]] = []
    with Workspace.open(data_dir) as workspace:
        with waiting("Building the demo, which takes up to a minute the first time") as on_stage:
            topics = bring_demo(workspace, on_stage)
        for topic in topics:
            evaluation = workspace.evaluate(topic, SHOWN, embedder=DEMO_EMBEDDER)
            documents.append(evaluation_document(evaluation, SHOWN))
            if not as_json:
                print_evaluation(evaluation, SHOWN)
    if as_json:
        print_json(
            {
                "topics": list(topics),
                "evaluations": documents,
                "collection": DEMO_COLLECTION,
                "knowledge_base": DEMO_BASE,
                "questions": DEMO_RELATIONS,
            }
        )
        return
    results().print(
        shown(
            f'\nEverything in these topics is synthetic, and so is the collection "{DEMO_COLLECTION}", '
            f'with the knowledge base "{DEMO_BASE}" and the questions over it, "{DEMO_RELATIONS}". Try\n'
            "  queryscape            (the web app)\n"
            "  queryscape topics\n"
            f'  queryscape compare --topic "{topics[0]}" --versions baseline review\n'
            f"  queryscape benchmark --collection {DEMO_COLLECTION} --retrievers bm25\n"
            f"  queryscape benchmark --collection {DEMO_RELATIONS} --retrievers bm25 hybrid graph"
        )
    )
