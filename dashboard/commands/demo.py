"""`demo`: a made-up topic and its evaluation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from dashboard.commands import options
from dashboard.commands.documents import evaluation_document
from dashboard.commands.evaluate import print_evaluation
from dashboard.commands.output import print_json, progress, results, shown, waiting
from data.workspace import Workspace

SHOWN = "review"


@click.command()
@options.data_dir
@options.as_json
def demo(data_dir: Path | None, as_json: bool) -> None:
    """Build the made-up demo topic and evaluate one of its query versions. Running it again changes nothing."""
    documents: list[dict[str, Any]] = []
    with Workspace.open(data_dir) as workspace:
        with progress("Writing the demo") as report:
            topics = workspace.add_demo(on_progress=report)
        for topic in topics:
            with waiting("The first time takes up to a minute") as on_stage:
                workspace.project(topic, "lsa", on_stage=on_stage)
            evaluation = workspace.evaluate(topic, SHOWN, embedder="lsa")
            documents.append(evaluation_document(evaluation, SHOWN))
            if not as_json:
                print_evaluation(evaluation, SHOWN)
    if as_json:
        print_json({"topics": list(topics), "evaluations": documents})
        return
    results().print(
        shown(
            "\nEverything in this topic is made up. Go on with\n"
            "  python -m dashboard topics\n"
            f'  python -m dashboard compare --topic "{topics[0]}" --versions baseline review'
        )
    )
