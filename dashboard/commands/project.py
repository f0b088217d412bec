"""`project`: the landscape of a topic, and how honest it is."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import get_args

import click

from core.settings import ProjectionMethod, ProjectionSettings
from dashboard.commands import options
from dashboard.commands.output import number, print_json, results, row, table, waiting
from data.workspace import Workspace


@click.command()
@options.topic
@options.embedder
@click.option("--refit", is_flag=True, help="Lay out anew; scores on the old landscape stay with the old one.")
@click.option("--method", type=click.Choice(get_args(ProjectionMethod)), default="umap", show_default=True)
@click.option("--seed", type=int, default=0, show_default=True)
@options.data_dir
@options.as_json
def project(
    topic: str,
    embedder: str | None,
    refit: bool,
    method: ProjectionMethod,
    seed: int,
    data_dir: Path | None,
    as_json: bool,
) -> None:
    """Fit a topic's landscape if it has none, and say how far it can be believed."""
    settings = ProjectionSettings(method=method, seed=seed)
    with Workspace.open(data_dir) as workspace, waiting(f"Laying out {topic}"):
        projection_id = workspace.project(topic, embedder, settings=settings, refit=refit)
        honesty = workspace.honesty(topic, embedder)
    if as_json:
        print_json({"topic": topic, "projection_id": projection_id, **asdict(honesty)})
        return
    out = table(f"{topic} · {projection_id}", "How honest is the landscape", "", right=(1,))
    row(out, "Trustworthiness (neighbours seen are neighbours)", number(honesty.trustworthiness))
    row(out, "Continuity (neighbours are seen as neighbours)", number(honesty.continuity))
    row(out, "Variance explained (linear; favours PCA)", number(honesty.variance_explained))
    results().print(out)
