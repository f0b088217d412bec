"""`project`: the landscape of a topic, and how honest it is."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any, get_args

import click

from core.comparing.compare import REGION_LABELS
from core.settings import ProjectionMethod, ProjectionSettings
from dashboard.commands import options
from dashboard.commands.output import interval, number, print_json, progress, results, row, table, waiting
from data.workspace import Workspace


@click.command()
@options.topic
@options.embedder
@click.option("--refit", is_flag=True, help="Lay out anew; scores on the old landscape stay with the old one.")
@click.option(
    "--method",
    type=click.Choice(get_args(ProjectionMethod)),
    help="umap keeps neighbours together, pca is linear. [default: umap]",
)
@click.option("--seed", type=int, help="Another seed, another layout. [default: 0]")
@click.option("--version", "label", default=None, help="Also what this version's scores owe to the picture (slow).")
@options.data_dir
@options.as_json
def project(
    topic: str,
    embedder: str | None,
    refit: bool,
    method: ProjectionMethod | None,
    seed: int | None,
    label: str | None,
    data_dir: Path | None,
    as_json: bool,
) -> None:
    """Fit a topic's landscape if it has none, and say how far it can be believed."""
    flags: dict[str, Any] = {"method": method, "seed": seed}
    given = {name: value for name, value in flags.items() if value is not None}
    settings = ProjectionSettings(**given) if given else None
    with Workspace.open(data_dir) as workspace:
        with waiting(topic) as on_stage:
            projection_id = workspace.project(topic, embedder, settings=settings, refit=refit, on_stage=on_stage)
            honesty = workspace.honesty(topic, embedder)
        effect = None
        if label:
            with progress("Laying out with other seeds") as report:
                effect = workspace.landscape_effect(topic, label, embedder=embedder, on_progress=report)
    if as_json:
        extra = asdict(effect) if effect else {}
        print_json({"topic": topic, "projection_id": projection_id, **asdict(honesty), **extra})
        return
    out = table(f"{topic} · {projection_id}", "How honest is the landscape", "", right=(1,))
    row(out, "Trustworthiness (neighbours seen are neighbours)", number(honesty.trustworthiness))
    row(out, "Continuity (neighbours are seen as neighbours)", number(honesty.continuity))
    row(out, "Variance explained (linear; favours PCA)", number(honesty.variance_explained))
    for kind, ends in (effect.seed_ranges if effect else {}).items():
        row(out, f"{REGION_LABELS[kind]}: semantic precision over six seeds", interval(ends))
    for kind, n in (effect.changed_decisions if effect else {}).items():
        row(out, f"{REGION_LABELS[kind]}: decided differently in the embedding space", f"{n:,}")
    results().print(out)
