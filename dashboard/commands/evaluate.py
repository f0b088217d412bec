"""`evaluate`: the scores of one query version."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from rich.text import Text

from core.comparing.compare import REGION_LABELS
from core.evaluate import Evaluation, RegionScores
from dashboard.commands import options
from dashboard.commands.documents import evaluation_document
from dashboard.commands.output import (
    NONE,
    few,
    interval,
    number,
    print_json,
    results,
    row,
    shown,
    table,
    waiting,
    warn,
)
from data.workspace import Workspace


def print_evaluation(evaluation: Evaluation, label: str) -> None:
    """Scores as a table for people; what defines each region, and ranges, in lines beneath it."""
    out = results()
    n_found, n_core = len(evaluation.found_core_ids), len(evaluation.core_ids)
    attainable = evaluation.attainable_recall
    lines = [
        f"{evaluation.topic_id} · {label} · {evaluation.model_id}",
        f"Retrieved {evaluation.n_retrieved:,}"
        + (f", {evaluation.n_unscorable:,} of them without a vector" if evaluation.n_unscorable else ""),
        f"Core recall {evaluation.recall:.3f} ({interval(evaluation.recall_interval)}): {n_found} of {n_core} found"
        + (f"; attainable {attainable:.3f}" if attainable is not None and attainable != evaluation.recall else ""),
        f"Core missed: {few(evaluation.missed_core_ids)}",
        "",
    ]
    for line in lines:
        out.print(shown(line))
    columns = ("Region", "Relevant", "Core accepted", "Semantic precision", "Decay", "Recall used", "F-beta")
    grid = table("Regions", *columns, right=range(1, len(columns)))
    for scores in evaluation.regions.values():
        row(grid, *_cells(scores))
    out.print(grid)
    out.print()
    for scores in evaluation.regions.values():
        out.print(shown(_about(evaluation, scores)))
    if evaluation.sensitivity:
        out.print(shown("Ranges show how scores move with the core set (resampled); they are no confidence intervals."))
    warn(evaluation.warnings)


def _cells(scores: RegionScores) -> list[str | Text]:
    defined = scores.status == "ok"
    return [
        REGION_LABELS[scores.kind],
        f"{scores.n_relevant:,}" if scores.n_relevant is not None else NONE,
        str(len(scores.accepted_core_ids)) if defined else NONE,
        number(scores.semantic_precision),
        number(scores.decay),
        number(scores.recall_used),
        number(scores.f_beta, "strike" if scores.degenerate else "bold"),
    ]


def _about(evaluation: Evaluation, scores: RegionScores) -> str:
    parts = [f"{k} {v:.3g}" if isinstance(v, float) else f"{k} {v}" for k, v in scores.defines.items()]
    if scores.status != "ok":
        parts = [scores.status]
    if scores.degenerate:
        parts.append(f"says nothing: {scores.degenerate}")
    if found := evaluation.sensitivity.get(scores.kind):
        parts.append(f"semantic precision range {interval(found.semantic_precision_range)}")
        parts.append(f"F-beta range {interval(found.f_beta_range)}")
    return f"{REGION_LABELS[scores.kind]}: {', '.join(parts)}"


@click.command()
@options.topic
@click.option("--version", "label", required=True, help="The version's label.")
@options.embedder
@options.regions
@click.option("--intervals", is_flag=True, help="Also how far scores move with the core set.")
@options.settings
@options.data_dir
@options.as_json
def evaluate(
    topic: str,
    label: str,
    embedder: str | None,
    regions: str,
    intervals: bool,
    data_dir: Path | None,
    as_json: bool,
    **flags: Any,
) -> None:
    """Score one query version: recall, semantic precision, decay and F-beta for every region."""
    settings, kinds = options.read_settings(flags), options.read_regions(regions)
    with Workspace.open(data_dir) as workspace, waiting(f"Evaluating {topic} · {label}") as on_stage:
        evaluation = workspace.evaluate(
            topic,
            label,
            embedder=embedder,
            settings=settings,
            regions=kinds,
            intervals=intervals,
            on_stage=on_stage,
        )
    if as_json:
        print_json(evaluation_document(evaluation, label, intervals=intervals))
    else:
        print_evaluation(evaluation, label)
